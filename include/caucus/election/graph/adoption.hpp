// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/election/graph/wave_election.hpp>

#include <cstdint>
#include <tuple>

namespace caucus {

/// A better wave adopts a worse one's tree as it is, and turns only the way to its root.
///
/// Model     any connected graph, unique ids; reliable links, any order, duplicates too
/// Safety    at most one leader, the best of those that started (join, suppress: of all); parents
///           form a spanning tree
/// Liveness  if any node starts, every node learns the leader
/// Cost      at most (k+1)|E| for k initiators (join, suppress: all n), on trees
///           (k+1)n-2-k(k-1)/2; announcements n-1
/// Faults    a crashed node or a lost message stops the winning wave
/// Source    Mattern, Verteilte Basisalgorithmen, 1989 (Adoptionsverfahren)
///
/// prefer    prefer(a, b): a beats b. Default greatest.
/// waking    suppress, join or relay_only. Default relay_only, as in the book.
/// storage   heap_storage or inplace_storage<ports>. Default heap_storage: any degree.
template <class Id, class... Policies>
class adoption : public wave_election<Id, Policies...> {
    static_assert(roles<preference, waking, storage>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");

    using base = wave_election<Id, Policies...>;
    using typename base::role, typename base::store, typename base::wake;
    using base::awaited_, base::beats, base::is_free, base::mark_, base::may_join, base::parent_,
        base::role_;

public:
    using typename base::explorer, typename base::echo;

    static constexpr cost messages(size s);

    constexpr explicit adoption(Id self, Policies... policies) : base(self, policies...) {}

    constexpr void start(environment_for<adoption> auto& env) {                        // (1)
        if (!may_join(env)) return;
        this->become_candidate(env);
        mark_edges(env);
        this->ebb_when_settled(env);
    }

    constexpr void on(explorer m, port from, environment_for<adoption> auto& env) {
        if (is_free() && !may_join(env)) return;
        if (this->wakes_to_join(m.mark)) {
            this->become_candidate(env);
            mark_edges(env);
        }
        if (is_free()) {
            this->become_engaged(m.mark, from, env);                                   // (2)
            mark_edges(env);
            return this->ebb_when_settled(env);
        }
        // A repetition: the answer would tell the parent that this edge is in no tree.
        if (this->parent() == from) return;
        if (m.mark == explored_[from]) settle(from, env);                              // (3a)
        else if (beats(explored_[from], m.mark)) return;                               // (3b)
        else if (beats(m.mark, mark_)) become_adopted(m.mark, from, env);              // (3c)
        else answer(m.mark, from, env);                                                // (3d)
    }

    constexpr void on(echo m, port from, environment_for<adoption> auto& env) {
        // With the edge's mark, not the node's: it may have been adopted since.
        if (is_free() || m.mark != explored_[from]) return;
        if (this->settle_as_child(from)) this->ebb_when_settled(env);                  // (4)
    }
    using base::on;

    static constexpr auto fields(auto& self) {
        return std::tuple_cat(base::fields(self), std::tie(self.explored_));
    }

private:
    constexpr void mark_edges(auto& env) { explored_.resize(env.degree(), mark_); }
    /// What the tree has settled stays settled: only the edge to the old parent is explored anew.
    constexpr void become_adopted(const Id& mark, port parent, auto& env) {
        const bool was_candidate = role_ == role::candidate;
        const port old = parent_;
        role_ = role::engaged;
        mark_ = mark;
        parent_ = parent;
        awaited_.erase(parent);
        if (!was_candidate) explore_again(old, env);
        this->ebb_when_settled(env);
    }
    constexpr void answer(const Id& mark, port from, auto& env) {
        explore_again(from, env);
        if (mark == mark_) settle(from, env);
    }
    constexpr void settle(port from, auto& env) {
        if (base::settle(from)) this->ebb_when_settled(env);
    }
    constexpr void explore_again(port p, auto& env) {
        explored_[p] = mark_;
        this->explore(p, env);
    }

    typename store::template sequence<Id> explored_;   // by port, the parent's aside: the last mark
};

template <class Id, class... Policies>
adoption(Id, Policies...) -> adoption<Id, Policies...>;

/// The explorers on an edge outbid each other, but for one that loses when the first two cross, and
/// one that says "I am of your wave already" and rules out an echo: k+1 in all.
/// In a tree each node turns to each better wave once at most, with one explorer, or tells it off
/// with one; its first mark costs none, nor does an initiator's first defeat.
template <class Id, class... Policies>
constexpr cost adoption<Id, Policies...>::messages(size s) {
    const std::uint64_t n = s.nodes;
    const std::uint64_t k = wake::candidates_most(s);
    const bool is_tree = s.links + 1 == n;
    return base::waves_at_most(is_tree ? (k + 1) * n - 2 - k * (k - 1) / 2 : (k + 1) * s.links, s);
}

}  // namespace caucus
