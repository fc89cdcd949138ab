// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/election/graph/wave_election.hpp>

#include <tuple>

namespace caucus {

/// Experimental. A better wave waits at a node until its own explorers are answered, then goes on.
///
/// Model     any connected graph, unique ids; reliable links, any order, duplicates too
/// Safety    at most one leader, the best of those that started (join, suppress: of all); parents
///           form a spanning tree
/// Liveness  if any node starts, every node learns the leader
/// Cost      at most 2k|E|-k(k-1)/2 for k initiators (join, suppress: all n), 2|E|+k-1 at best
///           (join: 2|E|+n-1), exactly 2|E| for one that nobody joins; announcements n-1
/// Faults    a crashed node or a lost message stops the winning wave
/// Source    our own reconstruction of Mattern's Warteverfahren, of which no definition was found
///
/// prefer    prefer(a, b): a beats b. Default greatest.
/// waking    suppress, join or relay_only. Default relay_only, as in the other two.
/// storage   heap_storage or inplace_storage<ports>. Default heap_storage: any degree.
template <class Id, class... Policies>
class waiting : public wave_election<Id, Policies...> {
    static_assert(roles<preference, waking, storage>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");

    using base = wave_election<Id, Policies...>;
    using typename base::store;
    using base::awaited_, base::beats, base::is_free, base::mark_, base::may_join;

public:
    using typename base::explorer, typename base::echo;

    static constexpr cost messages(size s) { return base::waves_that_wash_over(s); }

    constexpr explicit waiting(Id self, Policies... policies)
        : base(self, policies...), parked_(self) {}

    constexpr void start(environment_for<waiting> auto& env) {
        if (!may_join(env)) return;
        this->become_candidate(env);
        go_on_when_settled(env);
    }

    constexpr void on(explorer m, port from, environment_for<waiting> auto& env) {
        if (is_free() && !may_join(env)) return;
        if (this->wakes_to_join(m.mark)) this->become_candidate(env);
        if (is_free()) {
            this->become_engaged(m.mark, from, env);
            go_on_when_settled(env);
        } else if (beats(m.mark, mark_)) {
            park(m.mark, from);
            this->settle(from);   // counts as its answer: a node of a better wave sends no other
            go_on_when_settled(env);
        } else if (m.mark == mark_ && this->settle(from)) {
            go_on_when_settled(env);
        }
    }

    constexpr void on(echo m, port from, environment_for<waiting> auto& env) {
        if (m.mark == mark_ && this->settle_as_child(from)) go_on_when_settled(env);
    }
    using base::on;

    static constexpr auto fields(auto& self) {
        return std::tuple_cat(base::fields(self), std::tie(self.parked_, self.parked_at_));
    }

private:
    constexpr void park(const Id& mark, port at) {
        if (parked_at_.empty() || beats(mark, parked_)) {
            parked_ = mark;
            parked_at_.clear();
        }
        if (mark == parked_) parked_at_.insert(at);
    }
    constexpr void go_on_when_settled(auto& env) {
        if (awaited_.empty() && !parked_at_.empty()) follow(env);
        this->ebb_when_settled(env);
    }
    constexpr void follow(auto& env) {
        port parent;
        while (!parked_at_.contains(parent)) parent = port{parent.index() + 1};
        this->become_engaged(parked_, parent, env);
        for (const port p : ports(env.degree()))
            if (parked_at_.contains(p)) this->settle(p);   // it brought the mark: no child
        parked_at_.clear();
    }

    Id parked_;                   // the best mark that waits here, if any does
    port_set<store> parked_at_;   // where it came in
};

template <class Id, class... Policies>
waiting(Id, Policies...) -> waiting<Id, Policies...>;

}  // namespace caucus
