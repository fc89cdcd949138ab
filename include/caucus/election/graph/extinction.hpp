// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/election/graph/wave_election.hpp>

#include <cstdint>

namespace caucus {

/// Every initiator sends out an echo wave marked with its id; better waves wash over worse ones.
///
/// Model     any connected graph, unique ids; reliable links, any order, duplicates too
/// Safety    at most one leader, the best of those that started (join, suppress: of all); parents
///           form a spanning tree
/// Liveness  if any node starts, every node learns the leader
/// Cost      at most 2k|E|-k(k-1)/2 for k initiators (join, suppress: all n), 2|E|+k-1 at best
///           (join: 2|E|+n-1), exactly 2|E| for one that nobody joins; announcements n-1
/// Faults    a crashed node or a lost message stops the winning wave
/// Source    Mattern, Verteilte Basisalgorithmen, 1989; Tel, Introd. to Distributed Algorithms, 7.3
///
/// prefer    prefer(a, b): a beats b. Default greatest.
/// waking    suppress, join or relay_only. Default relay_only, as in the books.
/// storage   heap_storage or inplace_storage<ports>. Default heap_storage: any degree.
template <class Id, class... Policies>
class extinction : public wave_election<Id, Policies...> {
    static_assert(roles<preference, waking, storage>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");

    using base = wave_election<Id, Policies...>;
    using typename base::wake;
    using base::beats, base::is_free, base::mark_, base::may_join;

public:
    using typename base::explorer, typename base::echo;

    static constexpr cost messages(size s) { return base::waves_that_wash_over(s); }
    static constexpr cost time(size s);

    constexpr explicit extinction(Id self, Policies... policies) : base(self, policies...) {}

    constexpr void start(environment_for<extinction> auto& env) {  // (1)
        // A marked node has lost already: its wave would find the others taken.
        if (!may_join(env)) return;
        this->become_candidate(env);
        this->ebb_when_settled(env);
    }

    constexpr void on(explorer m, port from, environment_for<extinction> auto& env) {
        if (is_free() && !may_join(env)) return;
        if (this->wakes_to_join(m.mark)) this->become_candidate(env);
        if (is_free() || beats(m.mark, mark_)) {
            this->become_engaged(m.mark, from, env);               // (2, 3c)
            this->ebb_when_settled(env);
        } else if (m.mark == mark_ && this->settle(from)) {        // (3a)
            this->ebb_when_settled(env);
        }
        // (3b) A worse explorer needs no answer: ours is on its way over the same edge.
    }

    constexpr void on(echo m, port from, environment_for<extinction> auto& env) {
        // (4) An echo of a wave that has lost is ignored.
        if (m.mark == mark_ && this->settle_as_child(from)) this->ebb_when_settled(env);
    }
    using base::on;
};

template <class Id, class... Policies>
extinction(Id, Policies...) -> extinction<Id, Policies...>;

/// Unit delays, all initiators start together: nothing holds up the best wave. It goes out by
/// shortest ways, back again after explorers have crossed at the rim, and out with the news. Who
/// joins to send it out has been reached by a shortest way, too.
template <class Id, class... Policies>
constexpr cost extinction<Id, Policies...>::time(size s) {
    if (s.initiators == 0 || s.nodes == 1) return {0, 0, 0.0};
    const std::uint64_t radius_least = (s.diameter + 1) / 2;
    const std::uint64_t diameter_most = s.diameter != 0 ? s.diameter : s.nodes - 1;
    const bool wakes_up = wake::candidates_most(s) > s.initiators;
    return {3 * radius_least, (wakes_up ? 4 : 3) * diameter_most + 1};
}

}  // namespace caucus
