// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/environment.hpp>
#include <caucus/core/identity.hpp>
#include <caucus/core/input.hpp>
#include <caucus/core/model.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/exclusion/fence.hpp>
#include <caucus/exclusion/ricart_agrawala/carvalho_roucairol.hpp>
#include <caucus/exclusion/ricart_agrawala/majority.hpp>
#include <caucus/exclusion/ricart_agrawala/models.hpp>
#include <caucus/exclusion/ricart_agrawala/replies.hpp>
#include <caucus/exclusion/section.hpp>
#include <caucus/exclusion/section_verbs.hpp>
#include <caucus/logical/lamport_clock.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <variant>

namespace caucus {

/// Asks all others; whoever is inside, or has asked earlier, replies when it has left.
///
/// Model     complete network, unique ids; reliable links, any order, duplicates too
///           (answering: bounded delay, and a perfect detector for whoever dies while it defers)
/// Safety    at most one node inside; all enter in the order of their wishes' stamps, so also in
///           happened-before order, as far as messages of its own tell (majority: not in order;
///           carvalho_roucairol: of those that wait). Fences rise: who enters has a reply of the
///           last one inside, with its count (answering: the fence is the stamp)
/// Liveness  everyone who asks enters, if everyone who enters leaves
/// Cost      2(n-1) an entry; one delay from one entry to the next
///           (answering: one more for each that defers, 3(n-1) at most; carvalho_roucairol: 0 to
///           2(n-1); majority: 3⌊n/2⌋ to 6⌊n/2⌋, and two delays)
/// Faults    a crash stops all: n points of failure; `candid` says so (answering: any number of
///           crashes, but a wrong suspicion or a late answer lets two in; `reliable` refuses a
///           delay_max that its own resending would break; majority: a crash stops those that ask
///           the dead one, or stand behind its wish). Who comes back is out, not_a_member: its
///           stamps would be old ones. And silent, as if dead: it may have been inside with a count
///           that nobody else knows, or have a vote out (answering: it replies, also to wishes that
///           it has forgotten; fences are stamps, so they rise all the same)
/// Source    Ricart & Agrawala, CACM 24(1), 1981; Carvalho & Roucairol, CACM 26(2), 1983
///
/// `Storage` heap_storage or inplace_storage<ports>. Default heap_storage: any degree.
/// quorum    plain, answering, majority or carvalho_roucairol. Default plain: fewest assumptions.
template <class Id, class Storage, class... Policies>
class ricart_agrawala : public section_verbs<ricart_agrawala<Id, Storage, Policies...>, Storage> {
    static_assert(detail::ids_can_elect<Id>());
    static_assert(needs_ids_with_an_order__they_break_ties<Id>,
                  "needs_ids_with_an_order__they_break_ties");
    static_assert(roles<quorum>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using model_type = policy<quorum, plain, Policies...>;
    static constexpr bool answers = std::is_same_v<model_type, answering>;
    static_assert(answers || std::is_same_v<model_type, plain>,
                  "takes_plain_answering_majority_or_carvalho_roucairol");

    using verbs = section_verbs<ricart_agrawala, Storage>;
    friend verbs;
    using verbs::section_;

public:
    /// Where some may die inside, nobody may know their counts; stamps rise nevertheless.
    using fence_type = std::conditional_t<answers, caucus::fence<stamp<Id>>, caucus::fence<>>;

    struct wish { stamp<Id> when; };
    /// To the wish of that clock, with the highest count of entries that its sender knows. And with
    /// its own clock, which the paper leaves out: else wishes that its sender has heard of are not
    /// known to be older than the next one of whom it replies to.
    struct reply { std::uint64_t to; std::uint64_t count; std::uint64_t now = 0; };
    struct deferred { std::uint64_t to; std::uint64_t now = 0; };   // I live, and will reply
    using message = std::conditional_t<answers, std::variant<wish, reply, deferred>,
                                       std::variant<wish, reply>>;
    struct silence {};   // whoever has said nothing by now is dead
    using timer = std::conditional_t<answers, silence, nothing>;
    using outcome = section_outcomes<fence_type, Storage>;
    using requests = section_requests;
    using verbs::waits;

    static constexpr model assumes = {shape::complete, guarantee::reliable, naming::distinct,
                                      answers ? timing::bounded_delay : timing::asynchronous};
    static constexpr bool breaks_if_late = answers;
    static constexpr cost per_entry(std::size_t nodes);
    static constexpr cost messages(size s);

    /// Policies that are named as types need not be given again.
    template <class... Given>
        requires(... && detail::fits_one_of<Given, Policies...>)
    constexpr explicit ricart_agrawala(Id self, Given... policies)
        : self_(self), absentees_(pick<quorum, model_type>(policies...)) {}

    constexpr void on(const recovered<>&, environment_for<ricart_agrawala> auto& env) {
        section_.expel();
        // Else whoever was told `deferred` waits for ever, if no detector saw that it was dead.
        if constexpr (answers) env.broadcast(reply{any_wish, 0, 0});
        else static_cast<void>(env);
    }

    constexpr void on(const wish& m, port from, environment_for<ricart_agrawala> auto& env) {
        if (is_stranger(from, env) || is_mute()) return;
        if (m.when.id == self_) return;   // of two with one stamp both would have the other's reply
        // Else wishes of one that hears much would wait for ever. What is too far ahead to be
        // believed would have the reply that is owed to the next one.
        if (!clock_.learn(m.when.clock)) return;
        if (!is_mine_first(m.when)) return reply_to(from, m.when.clock, env);
        owed_.note(from, m.when.clock, env.degree());
        if constexpr (answers) env.send(from, deferred{m.when.clock, clock_.now()});
    }
    constexpr void on(const reply& m, port from, environment_for<ricart_agrawala> auto& env) {
        if (is_stranger(from, env)) return;
        clock_.learn(m.now);
        // A second one of the same node must not stand for another's.
        if (is_stale(m) || !replied_.insert(from)) return;
        absentees_.has_replied(from);
        detail::learn_count(count_, m.count);
        enter_if_all_agree(env);
    }
    constexpr void on(const deferred& m, port from, environment_for<ricart_agrawala> auto& env)
        requires answers
    {
        if (is_stranger(from, env)) return;
        clock_.learn(m.now);
        if (!is_stale(m.to)) absentees_.has_deferred(from);
    }
    constexpr void on(silence, environment_for<ricart_agrawala> auto& env) requires answers {
        if (!section_.is_waiting()) return;
        for (const port p : ports(env.degree()))
            if (!replied_.contains(p)) absentees_.was_silent(p);
        enter_if_all_agree(env);
    }
    constexpr void on(suspect s, environment_for<ricart_agrawala> auto& env) requires answers {
        if (is_stranger(s.whom, env)) return;
        const bool is_missed = section_.is_waiting() && !replied_.contains(s.whom);
        absentees_.suspect(s, is_missed);
        enter_if_all_agree(env);
    }
    constexpr void on(trust t, environment_for<ricart_agrawala> auto& env) requires answers {
        if (is_stranger(t.whom, env)) return;
        if (is_of_another_life(t)) on(suspect{t.whom, t.life}, env);
        else absentees_.trust(t);
    }

    constexpr const Id& id() const { return self_; }
    /// Of its last entry.
    constexpr fence_type fence() const { return fence_; }
    constexpr bool awaits(port p) const {
        return waits() && !replied_.contains(p) && !absentees_.contains(p);
    }
    /// What its wish is stamped with, while it waits or is inside.
    constexpr const stamp<Id>& asked() const { return mine_; }
    /// Will the neighbour behind that port have a reply as soon as this node has left?
    constexpr bool defers(port p) const { return owed_.contains(p); }
    constexpr ticks delay_most() const requires answers { return absentees_.delay_most(); }

    static constexpr auto fields(auto& self) {
        const auto state = std::tie(self.self_, self.section_, self.clock_, self.mine_, self.count_,
                                    self.fence_, self.replied_, self.owed_);
        if constexpr (answers) return std::tuple_cat(state, std::tie(self.absentees_));
        else return state;
    }

private:
    /// No wish has that clock: said by one that has none itself any more.
    static constexpr std::uint64_t any_wish = 0;

    static constexpr bool is_stranger(port p, const auto& env) { return p >= env.degree(); }
    /// Its reply would say that no entry has a higher count than it knows.
    constexpr bool is_mute() const { return !answers && section_.is_expelled(); }
    /// It stays out, and has not heard what its first life was asked: nobody waits for it.
    static constexpr bool is_of_another_life(const trust& t) {
        return t.life && *t.life != incarnation{};
    }
    /// Said to a wish that was granted, or cancelled: whoever said it may have asked since.
    constexpr bool is_stale(std::uint64_t clock) const {
        return !section_.is_waiting() || clock != mine_.clock;
    }
    constexpr bool is_stale(const reply& m) const {
        return is_stale(answers && m.to == any_wish ? mine_.clock : m.to);
    }
    constexpr bool is_mine_first(const stamp<Id>& other) const {
        return section_.is_inside() || (section_.is_waiting() && mine_ < other);
    }

    constexpr void reply_to(port p, std::uint64_t clock, auto& env) {
        env.send(p, reply{clock, count_, clock_.now()});
    }
    constexpr void enter_if_all_agree(auto& env) {
        if (!section_.is_waiting()) return;
        if (replied_.size() + absentees_.size() < env.degree()) return;
        section_.enter();
        absentees_.end(silence{}, env);
        ++count_;
        if constexpr (answers) fence_ = {mine_, count_};
        else fence_ = {0, count_};
        env.report(outcome{entered{fence_}});
    }
    constexpr void become_waiting(auto& env) {
        mine_ = {clock_.tick(), self_};
        env.broadcast(wish{mine_});
        absentees_.begin(silence{}, env);
        enter_if_all_agree(env);
    }
    /// Also when it cancels: what is still said to its wish is stale by its tag.
    constexpr void become_outside(auto& env) {
        mine_ = {};
        replied_.clear();
        absentees_.end(silence{}, env);
        owed_.pay([&](port p, std::uint64_t clock) { reply_to(p, clock, env); });
    }

    Id self_;
    lamport_clock clock_;
    stamp<Id> mine_{};
    std::uint64_t count_ = 0;   // of all entries, as far as it knows
    fence_type fence_{};
    port_set<Storage> replied_;
    detail::owed_replies<Storage> owed_;
    [[no_unique_address]] detail::absentees<model_type, Storage> absentees_;
};

template <class Id, class... Policies>
ricart_agrawala(Id, Policies...) -> ricart_agrawala<Id, heap_storage, Policies...>;

template <class Id, class Storage, class... Policies>
constexpr cost ricart_agrawala<Id, Storage, Policies...>::per_entry(std::size_t nodes) {
    const std::uint64_t others = nodes == 0 ? 0 : nodes - 1;
    if constexpr (answers) return {2 * others, 3 * others};
    else return {2 * others, 2 * others, static_cast<double>(2 * others)};
}

/// `initiators` are the entries that were asked for, none of them cancelled.
template <class Id, class Storage, class... Policies>
constexpr cost ricart_agrawala<Id, Storage, Policies...>::messages(size s) {
    return detail::times(s.initiators, per_entry(s.nodes));
}

}  // namespace caucus
