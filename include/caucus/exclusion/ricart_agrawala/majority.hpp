// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/environment.hpp>
#include <caucus/core/identity.hpp>
#include <caucus/core/input.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/exclusion/fence.hpp>
#include <caucus/exclusion/ricart_agrawala/models.hpp>
#include <caucus/exclusion/section.hpp>
#include <caucus/exclusion/section_verbs.hpp>
#include <caucus/logical/lamport_clock.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <variant>

namespace caucus {

/// A simple majority suffices: every node has one vote, which it gives to one wish at a time, and a
/// majority of votes lets in. Two majorities have a voter in common. Where votes are scattered, an
/// older wish calls back the votes of younger ones (inquire, yield: Maekawa, TOCS 3(2), 1985), or
/// nobody would ever have a majority. Here whoever is asked for a vote and is not inside yields it
/// at once: no `failed` is needed, and no order of messages.
///
/// A node asks itself and its next ⌊n/2⌋ successors. What it tells itself is no message.
template <class Id, class Storage>
class ricart_agrawala<Id, Storage, majority>
    : public section_verbs<ricart_agrawala<Id, Storage, majority>, Storage> {
    static_assert(detail::ids_can_elect<Id>());
    static_assert(needs_ids_with_an_order__they_break_ties<Id>,
                  "needs_ids_with_an_order__they_break_ties");
    using room = typename detail::one_more<Storage>::type;

    using verbs = section_verbs<ricart_agrawala, Storage>;
    friend verbs;
    using verbs::section_;

public:
    using fence_type = caucus::fence<>;

    struct wish { stamp<Id> when; };
    /// For the wish of that clock; ballots of one voter have rising numbers. With the highest count
    /// of entries that the voter knows.
    struct vote { std::uint64_t to; std::uint64_t ballot; std::uint64_t count; };
    struct inquire { std::uint64_t of; std::uint64_t ballot; };   // an older wish would like it
    struct yield { std::uint64_t ballot; };
    /// The wish of that clock, and all before it, were granted or cancelled.
    struct done { std::uint64_t with; std::uint64_t count; };
    using message = std::variant<wish, vote, inquire, yield, done>;
    using timer = nothing;
    using outcome = section_outcomes<fence_type, Storage>;
    using requests = section_requests;
    using verbs::waits;

    static constexpr model assumes = {shape::complete, guarantee::reliable, naming::distinct,
                                      timing::asynchronous};
    static constexpr cost per_entry(std::size_t nodes);
    static constexpr cost messages(size s);

    constexpr explicit ricart_agrawala(Id self, majority = {}) : self_(self) {}

    /// It has forgotten who has its vote, and with which count it was inside itself.
    constexpr void on(const recovered<>&, environment_for<ricart_agrawala> auto&) {
        section_.expel();
    }

    // Whoever has a vote to give

    constexpr void on(const wish& m, port from, environment_for<ricart_agrawala> auto& env) {
        if (!can_take_part(from, env)) return;
        if (!clock_.learn(m.when.clock)) return;   // too far ahead to be believed
        if (is_old_news(m.when.clock, from)) return;   // it would be voted for when it is done
        newest_[from] = m.when;
        waiting_.insert(from);
        if (!voted_for_) return vote_for_the_oldest(env);
        if (!(m.when < granted_) || has_inquired_) return;
        has_inquired_ = true;
        tell(*voted_for_, inquire{granted_.clock, ballot_}, env);
    }
    constexpr void on(const yield& m, port from, environment_for<ricart_agrawala> auto& env) {
        if (!can_take_part(from, env) || voted_for_ != from || m.ballot != ballot_) return;
        waiting_.insert(from);
        vote_for_the_oldest(env);
    }
    constexpr void on(const done& m, port from, environment_for<ricart_agrawala> auto& env) {
        if (!can_take_part(from, env)) return;
        detail::learn_count(count_, m.count);
        if (newest_[from].clock <= m.with) {
            newest_[from].clock = m.with;   // its wish may still be under way
            waiting_.erase(from);
        }
        if (voted_for_ == from && granted_.clock <= m.with) vote_for_the_oldest(env);
    }

    // Whoever wants votes

    constexpr void on(const vote& m, port from, environment_for<ricart_agrawala> auto& env) {
        if (!is_asked(from, env) || is_stale(m.to)) return;
        if (m.ballot <= seen_[from]) return;   // repeated, or yielded before it came
        seen_[from] = m.ballot;
        votes_.insert(from);
        detail::learn_count(count_, m.count);
        if (votes_.size() == needed(env)) become_inside(env);
    }
    constexpr void on(const inquire& m, port from, environment_for<ricart_agrawala> auto& env) {
        if (!is_asked(from, env) || is_stale(m.of)) return;   // inside: it will be done soon
        const bool has_it = m.ballot == seen_[from] && votes_.contains(from);
        if (m.ballot <= seen_[from] && !has_it) return;
        seen_[from] = m.ballot;
        votes_.erase(from);
        tell(from, yield{m.ballot}, env);
    }

    constexpr const Id& id() const { return self_; }
    /// Of its last entry.
    constexpr fence_type fence() const { return fence_; }
    /// For a vote, or for whoever has this node's and keeps another waiting.
    constexpr bool awaits(port p) const {
        const bool is_asked = p.index() + 1 < needed_of(seen_.size());
        return (waits() && is_asked && !votes_.contains(p)) ||
               (voted_for_ == p && !waiting_.empty());
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.section_, self.clock_, self.mine_, self.count_,
                        self.fence_, self.votes_, self.seen_, self.newest_, self.waiting_,
                        self.voted_for_, self.granted_, self.ballot_, self.has_inquired_);
    }

private:
    /// How many votes let in, of so many.
    static constexpr std::size_t needed_of(std::size_t nodes) { return nodes / 2 + 1; }
    static constexpr std::size_t needed(const auto& env) { return needed_of(env.degree() + 1); }
    /// The node itself has a number behind those of its ports.
    static constexpr port own(const auto& env) { return port{env.degree()}; }
    static constexpr bool is_asked(port p, const auto& env) {
        return p.index() + 1 < needed(env) || p == own(env);
    }
    constexpr bool is_stale(std::uint64_t clock) const {
        return !section_.is_waiting() || clock != mine_.clock;
    }
    constexpr bool is_old_news(std::uint64_t clock, port from) const {
        return clock <= newest_[from].clock;
    }

    /// Makes room when it is first needed. Not if there is too little, or for strangers; nor if it
    /// has forgotten whom it has voted for.
    constexpr bool can_take_part(port from, const auto& env) {
        const std::size_t nodes = env.degree() + 1;
        if (section_.is_expelled() || from >= nodes || !room::holds(nodes)) return false;
        if (newest_.size() == 0) newest_.resize(nodes, {});
        return true;
    }
    constexpr void tell(port p, const auto& m, auto& env) {
        if (p == own(env)) on(m, p, env);
        else env.send(p, m);
    }
    constexpr void tell_those_asked(const auto& m, auto& env) {
        if (seen_.size() == 0) seen_.resize(env.degree() + 1, 0);
        for (const port p : ports(needed(env) - 1)) env.send(p, m);
        on(m, own(env), env);
    }

    constexpr void vote_for_the_oldest(auto& env) {
        voted_for_.reset();
        granted_ = {};
        has_inquired_ = false;
        for (const port p : ports(newest_.size())) {
            if (!waiting_.contains(p) || (voted_for_ && granted_ < newest_[p])) continue;
            voted_for_.emplace(p);
            granted_ = newest_[p];
        }
        if (!voted_for_) return;
        const port whom = *voted_for_;
        waiting_.erase(whom);
        tell(whom, vote{granted_.clock, ++ballot_, count_}, env);
    }
    constexpr void become_inside(auto& env) {
        section_.enter();
        fence_ = {0, ++count_};
        env.report(outcome{entered{fence_}});
    }
    constexpr void become_waiting(auto& env) {
        mine_ = {clock_.tick(), self_};
        tell_those_asked(wish{mine_}, env);
    }
    constexpr void become_outside(auto& env) {
        const std::uint64_t clock = mine_.clock;
        mine_ = {};
        votes_.clear();
        tell_those_asked(done{clock, count_}, env);
    }

    Id self_;
    lamport_clock clock_;
    stamp<Id> mine_{};
    std::uint64_t count_ = 0;   // of all entries, as far as it knows
    fence_type fence_{};
    // The others' votes
    port_set<room> votes_;
    typename room::template sequence<std::uint64_t> seen_{};     // by voter: its latest ballot
    // Its own one
    typename room::template sequence<stamp<Id>> newest_{};       // by node: its latest wish
    port_set<room> waiting_;                                     // whose wish that still is
    std::optional<port> voted_for_;
    stamp<Id> granted_{};
    std::uint64_t ballot_ = 0;
    bool has_inquired_ = false;
};

/// Each of the ⌊n/2⌋ others that are asked takes a wish, a vote and a done, and may inquire because
/// of the wish, which takes two messages, and one more to vote again; but of itself it yields for
/// nothing, and a node's own wish is never older than one that it has heard of.
template <class Id, class Storage>
constexpr cost ricart_agrawala<Id, Storage, majority>::per_entry(std::size_t nodes) {
    const std::uint64_t others = nodes / 2;
    return {3 * others, (others < 2 ? 3 : 6) * others};
}

/// `initiators` are the entries that were asked for, none of them cancelled.
template <class Id, class Storage>
constexpr cost ricart_agrawala<Id, Storage, majority>::messages(size s) {
    return detail::times(s.initiators, per_entry(s.nodes));
}

}  // namespace caucus
