// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/environment.hpp>
#include <caucus/core/identity.hpp>
#include <caucus/core/input.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/exclusion/fence.hpp>
#include <caucus/exclusion/ricart_agrawala/models.hpp>
#include <caucus/exclusion/ricart_agrawala/replies.hpp>
#include <caucus/exclusion/section.hpp>
#include <caucus/exclusion/section_verbs.hpp>
#include <caucus/logical/lamport_clock.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <variant>

namespace caucus {

/// A reply is a permission, and lasts until its giver asks for it back: who enters again and again,
/// while nobody else wants to, asks nobody. Of two neighbours at most one has the permission of the
/// other; at first neither has.
template <class Id, class Storage>
class ricart_agrawala<Id, Storage, carvalho_roucairol>
    : public section_verbs<ricart_agrawala<Id, Storage, carvalho_roucairol>, Storage> {
    static_assert(detail::ids_can_elect<Id>());
    static_assert(needs_ids_with_an_order__they_break_ties<Id>,
                  "needs_ids_with_an_order__they_break_ties");

    using verbs = section_verbs<ricart_agrawala, Storage>;
    friend verbs;
    using verbs::section_;

public:
    using fence_type = caucus::fence<>;

    /// The number tells apart what is asked with one stamp: a permission may be given, asked back,
    /// and asked for again while its owner waits.
    struct wish { stamp<Id> when; std::uint64_t number; };
    /// To the wish of that number, with the highest count of entries that its sender knows.
    struct reply { std::uint64_t to; std::uint64_t count; };
    using message = std::variant<wish, reply>;
    using timer = nothing;
    using outcome = section_outcomes<fence_type, Storage>;
    using requests = section_requests;
    using verbs::waits;

    static constexpr model assumes = {shape::complete, guarantee::reliable, naming::distinct,
                                      timing::asynchronous};
    static constexpr cost per_entry(std::size_t nodes) {
        return {0, 2 * std::uint64_t{nodes == 0 ? 0 : nodes - 1}};
    }
    /// `initiators` are the entries that were asked for, none of them cancelled.
    static constexpr cost messages(size s) {
        return detail::times(s.initiators, per_entry(s.nodes));
    }

    constexpr explicit ricart_agrawala(Id self, carvalho_roucairol = {}) : self_(self) {}

    /// It gives no permission any more: see `ricart_agrawala`.
    constexpr void on(const recovered<>&, environment_for<ricart_agrawala> auto&) {
        section_.expel();
    }

    constexpr void on(const wish& m, port from, environment_for<ricart_agrawala> auto& env) {
        if (is_stranger(from, env) || section_.is_expelled()) return;
        if (m.when.id == self_) return;   // of two with one stamp both would have the other's reply
        clock_.learn(m.when.clock);
        if (is_mine_first(m.when)) return owed_.note(from, m.number, env.degree());
        permit(from, m.number, env);
        // It had agreed before, and has changed its mind: the wish did not go to it.
        if (section_.is_waiting() && asked_[from] == 0) ask(from, clock_.tick(), env);
    }
    constexpr void on(const reply& m, port from, environment_for<ricart_agrawala> auto& env) {
        // Else a repeated one would bring back what has been given away since.
        if (is_stranger(from, env) || is_stale(m, from)) return;
        asked_[from] = 0;
        permitted_.insert(from);
        detail::learn_count(count_, m.count);
        enter_if_permitted(env);
    }

    constexpr const Id& id() const { return self_; }
    /// Of its last entry.
    constexpr fence_type fence() const { return fence_; }
    constexpr bool awaits(port p) const { return waits() && !permitted_.contains(p); }
    /// Need it not ask the neighbour behind that port?
    constexpr bool is_permitted_by(port p) const { return permitted_.contains(p); }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.section_, self.clock_, self.mine_, self.count_,
                        self.fence_, self.permitted_, self.asked_, self.owed_);
    }

private:
    static constexpr bool is_stranger(port p, const auto& env) { return p >= env.degree(); }
    constexpr bool is_stale(const reply& m, port from) const {
        return !section_.is_waiting() || asked_[from] == 0 || m.to != asked_[from];
    }
    constexpr bool is_mine_first(const stamp<Id>& other) const {
        return section_.is_inside() || (section_.is_waiting() && mine_ < other);
    }

    constexpr void ask(port p, std::uint64_t number, auto& env) {
        asked_[p] = number;
        env.send(p, wish{mine_, number});
    }
    constexpr void permit(port p, std::uint64_t number, auto& env) {
        permitted_.erase(p);   // else both would have the permission of the other
        env.send(p, reply{number, count_});
    }
    constexpr void enter_if_permitted(auto& env) {
        if (permitted_.size() < env.degree()) return;
        section_.enter();
        fence_ = {0, ++count_};
        env.report(outcome{entered{fence_}});
    }
    constexpr void become_waiting(auto& env) {
        mine_ = {clock_.tick(), self_};
        asked_.resize(env.degree(), 0);
        for (const port p : ports(env.degree()))
            if (!permitted_.contains(p)) ask(p, mine_.clock, env);
        enter_if_permitted(env);
    }
    /// Also when it cancels: what is still said to its wish is stale by its number.
    constexpr void become_outside(auto& env) {
        mine_ = {};
        asked_.clear();
        owed_.pay([&](port p, std::uint64_t number) { permit(p, number, env); });
    }

    Id self_;
    lamport_clock clock_;
    stamp<Id> mine_{};
    std::uint64_t count_ = 0;   // of all entries, as far as it knows
    fence_type fence_{};
    port_set<Storage> permitted_;   // by whom
    typename Storage::template sequence<std::uint64_t> asked_{};   // by port: the wish that is open
    detail::owed_replies<Storage> owed_;
};

}  // namespace caucus
