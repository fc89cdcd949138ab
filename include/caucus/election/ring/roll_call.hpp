// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/heard_lives.hpp>
#include <caucus/core/identity.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/core/process.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <variant>

namespace caucus {

/// A list goes round, every live node signs it, dead ones are skipped; the best name on it leads.
///
/// Model     complete network in ring order (port p leads to the (p+1)-th successor), unique ids;
///           reliable links, any order; a failure detector says whom to skip
/// Safety    if nobody crashes meanwhile: whoever is known as leader is the best live id
/// Liveness  if a live node starts, every live node learns a leader and the list, crashes or not
/// Cost      exactly 2n for each initiator among n > 1 live nodes; elections n, coordinators n
/// Faults    any number of dead nodes is skipped; a crash meanwhile can leave the dead as leader
///           or two opinions: start again; a wrong suspicion leaves a live node out
/// Source    Tanenbaum, Distributed Operating Systems, 1995, 3.3.2, "a ring algorithm"
///
/// prefer    prefer(a, b): a beats b. Default greatest.
/// storage   heap_storage or inplace_storage<nodes>. Default heap_storage: any number of nodes.
template <class Id, class... Policies>
class roll_call {
    static_assert(detail::ids_can_elect<Id>());
    static_assert(roles<preference, storage>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using prefer = policy<preference, greatest, Policies...>;
    using store = policy<storage, heap_storage, Policies...>;

public:
    using list = typename store::template sequence<Id>;
    struct election { list members; };
    struct coordinator { list members; std::uint32_t places; };   // passed since it was sent
    using message = std::variant<election, coordinator>;
    using timer = nothing;
    using outcome = outcome_within<elected<Id>, store>;

    static constexpr model assumes = {shape::complete, guarantee::reliable};
    static constexpr winner elects = winner::best_of_all;
    static constexpr cost messages(size s);
    static constexpr cost time(size s);

    constexpr explicit roll_call(Id self, Policies... policies)
        : self_(self), leader_(self), prefer_(pick<preference, greatest>(policies...)) {}

    constexpr void start(environment_for<roll_call> auto& env) {
        if (is_calling_ || overflows(env.degree() + 1, env)) return;
        is_calling_ = true;
        send_on(election{with(list{}, self_)}, env);
    }

    constexpr void on(const election& m, port, environment_for<roll_call> auto& env) {
        // Anywhere on it, not only first: else the list of a dead node goes round for ever.
        if (is_on(m.members)) return close(m.members, env);
        if (overflows(m.members.size() + 1, env)) return;
        send_on(election{with(m.members, self_)}, env);
    }

    constexpr void on(coordinator m, port from, environment_for<roll_call> auto& env) {
        if (lists_nobody(m) || has_gone_round(m, from)) return;
        m.places += static_cast<std::uint32_t>(env.degree() - from);
        adopt(m.members, env);
        send_on(m, env);
    }

    constexpr void on(suspect s, environment_for<roll_call> auto& env) {
        if (!store::holds(env.degree()) || lives_.is_late(s)) return;
        if (!suspects_.insert(s.whom)) return;
        // Lost, if the dead one has not passed it on; else it goes round twice, which does no harm.
        if (s.whom == sent_to_) send_again(env);
    }
    constexpr void on(trust t, environment_for<roll_call> auto& env) {
        if (store::holds(env.degree()) && !lives_.is_late(t)) suspects_.erase(t.whom);
    }

    constexpr const Id& id() const { return self_; }
    constexpr bool is_leader() const { return knows() && leader_ == self_; }
    constexpr std::optional<Id> leader() const {
        return knows() ? std::optional<Id>{leader_} : std::nullopt;
    }
    /// Who signed the last list, in ring order from its initiator.
    constexpr const list& members() const { return members_; }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.leader_, self.is_calling_, self.members_, self.suspects_,
                        self.lives_,
                        self.sent_, self.sent_to_, self.sent_list_, self.sent_places_);
    }

private:
    enum class kind : std::uint8_t { none, election, coordinator };

    constexpr bool knows() const { return members_.size() != 0; }
    constexpr bool is_on(const list& members) const {
        for (const Id& each : members)
            if (each == self_) return true;
        return false;
    }
    /// No node sends an empty list; its best name would be read from past the end.
    static constexpr bool lists_nobody(const coordinator& m) { return m.members.size() == 0; }
    /// At its origin again, or past the place where that one died.
    static constexpr bool has_gone_round(const coordinator& m, port from) {
        return m.places > from;   // for places + (degree - from) > degree, which could wrap round
    }
    static constexpr list with(list members, const Id& one_more) {
        members.push_back(one_more);
        return members;
    }
    static constexpr bool overflows(std::size_t needed, auto& env) {
        if constexpr (store::bounded) {
            if (!store::holds(needed)) {
                env.report(outcome{overflow{needed}});
                return true;
            }
        }
        return false;
    }

    constexpr void close(const list& members, auto& env) {
        adopt(members, env);
        send_on(coordinator{members, 0}, env);
    }
    /// Tells the application what is news, and whoever asked that it has been answered.
    constexpr void adopt(const list& members, auto& env) {
        const Id before = leader_;
        const bool asked = is_calling_ || !knows();
        is_calling_ = false;
        members_ = members;
        leader_ = members[0];
        for (const Id& each : members)
            if (prefer_(each, leader_)) leader_ = each;
        if (asked || !(before == leader_)) env.report(outcome{elected<Id>{leader_}});
    }

    /// To the next live node, if there is one. It is remembered, in case it is lost there.
    constexpr void send_on(const election& m, auto& env) {
        remember(kind::election, m.members, 0);
        send_again(env);
    }
    constexpr void send_on(const coordinator& m, auto& env) {
        remember(kind::coordinator, m.members, m.places);
        send_again(env);
    }
    constexpr void remember(kind what, const list& members, std::uint32_t places) {
        sent_ = what;
        sent_list_ = members;
        sent_places_ = places;
    }
    constexpr void send_again(auto& env) {
        for (const port p : ports(env.degree())) {
            if (suspects_.contains(p)) continue;
            sent_to_ = p;
            if (sent_ == kind::election) env.send(p, election{sent_list_});
            if (sent_ == kind::coordinator) env.send(p, coordinator{sent_list_, sent_places_});
            return;
        }
        if (sent_ != kind::none) adopt(with(list{}, self_), env);   // nobody else is alive
    }

    Id self_;
    Id leader_;
    bool is_calling_ = false;
    list members_{};
    port_set<store> suspects_;
    heard_lives<store> lives_;
    kind sent_ = kind::none;        // the last message, and where it went
    port sent_to_;
    list sent_list_{};
    std::uint32_t sent_places_ = 0;
    [[no_unique_address]] prefer prefer_;
};

template <class Id, class... Policies>
roll_call(Id, Policies...) -> roll_call<Id, Policies...>;

/// Nobody suspected. Nothing is ever stopped: every initiator pays for its two laps.
template <class Id, class... Policies>
constexpr cost roll_call<Id, Policies...>::messages(size s) {
    const std::uint64_t total = s.nodes > 1 ? 2 * s.nodes * s.initiators : 0;
    return {total, total, static_cast<double>(total)};
}

/// Unit delays, all initiators start together.
template <class Id, class... Policies>
constexpr cost roll_call<Id, Policies...>::time(size s) {
    const std::uint64_t total = s.nodes > 1 && s.initiators != 0 ? 2 * s.nodes : 0;
    return {total, total, static_cast<double>(total)};
}

}  // namespace caucus
