// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/identity.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/core/process.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <variant>

namespace caucus {

/// Who sends explosions on waking.
struct exploding {};
struct explode { using decides = exploding; };           // all: any set of initiators will do
struct explode_inside { using decides = exploding; };    // no leaf: its contraction wakes as well
struct contract_only { using decides = exploding; };     // nobody: all leaves start, but for one

/// An explosion wakes the tree out to its leaves, a contraction folds it up again to the one edge
/// on which two meet, and from there the information spreads who is the best of all.
///
/// Model     tree, unique ids; reliable links, any order, duplicates too
/// Safety    the two ends of one edge decide, nobody else; one leader, the best of all nodes
///           (silent: the better of the two that decide)
/// Liveness  if any node starts (contract_only: all leaves but one), every node learns the leader
///           (silent: those two learn it)
/// Cost      explosions n-2+k for k initiators, contractions n, information n-2: 3n+k-4, if n > 1
/// Faults    a crashed node or a lost message stops the contraction; on a cycle it never begins
/// Source    Mattern, Verteilte Basisalgorithmen, 1989; Tel, Introd. to Distributed Algorithms, 7.1
///
/// prefer    prefer(a, b): a beats b. Default greatest.
/// exploding explode, explode_inside or contract_only. Default explode: as in the book.
/// announcing announce or silent. Default announce: without it nobody knows the best of all.
/// storage   heap_storage or inplace_storage<ports>. Default heap_storage: any degree.
template <class Id, class... Policies>
class tree_wave {
    static_assert(detail::ids_can_elect<Id>());
    static_assert(roles<preference, exploding, announcing, storage>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using prefer = policy<preference, greatest, Policies...>;
    using explosions = policy<exploding, explode, Policies...>;
    using store = policy<storage, heap_storage, Policies...>;

public:
    struct explosion {};
    struct contraction { Id best; };
    struct information { Id leader; };
    using message = std::variant<explosion, contraction, information>;
    using timer = nothing;
    using outcome = outcome_within<elected<Id>, store>;
    static constexpr bool all_must_start = std::is_same_v<explosions, contract_only>;

    static constexpr model assumes = {shape::tree, guarantee::reliable};
    static constexpr winner elects =
        announces<Policies...> ? winner::best_of_all : winner::some_node;
    static constexpr cost messages(size s);
    static constexpr cost time(size s);

    constexpr explicit tree_wave(Id self, Policies... policies)
        : self_(self), best_(self), prefer_(pick<preference, greatest>(policies...)) {}

    constexpr void start(environment_for<tree_wave> auto& env) {
        if (role_ != role::asleep || overflows<store, outcome>(env)) return;
        if (env.degree() == 0) return become_knowing(role::decider, self_, port{}, env);
        wake(std::nullopt, env);
    }

    constexpr void on(explosion, port from, environment_for<tree_wave> auto& env) {
        if (role_ != role::asleep || overflows<store, outcome>(env)) return;
        wake(from, env);
    }

    constexpr void on(contraction m, port from, environment_for<tree_wave> auto& env) {
        if (role_ == role::asleep) {
            if (overflows<store, outcome>(env)) return;
            wake(from, env);   // before the next line: a leaf would have nobody left to contract to
        }
        contracted_.insert(from);
        const bool met = role_ == role::contracted && from == inward_;
        if ((announces<Policies...> || met) && prefer_(m.best, best_)) best_ = m.best;
        if (met) become_knowing(role::decider, best_, from, env);
        else contract_when_one_is_left(env);
    }

    constexpr void on(information m, port from, environment_for<tree_wave> auto& env) {
        if (role_ != role::contracted) return;   // a copy, or sent by one that cannot know yet
        become_knowing(role::informed, m.leader, from, env);
    }

    constexpr const Id& id() const { return self_; }
    constexpr bool is_leader() const { return knows() && best_ == self_; }
    constexpr std::optional<Id> leader() const {
        return knows() ? std::optional<Id>{best_} : std::nullopt;
    }
    /// Is it one of the two at which the contraction ended?
    constexpr bool is_decider() const { return role_ == role::decider; }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.best_, self.contracted_, self.inward_, self.role_);
    }

private:
    enum class role : std::uint8_t { asleep, awake, contracted, decider, informed };

    constexpr bool knows() const { return role_ == role::decider || role_ == role::informed; }
    static constexpr bool explodes(std::size_t degree) {
        if (std::is_same_v<explosions, explode_inside>) return degree > 1;
        return std::is_same_v<explosions, explode>;
    }

    constexpr void wake(std::optional<port> waker, auto& env) {
        role_ = role::awake;
        if (explodes(env.degree()))
            for (const port p : ports(env.degree()))
                if (p != waker) env.send(p, explosion{});
        contract_when_one_is_left(env);   // a leaf, at once: nothing need ever come to it
    }

    constexpr void contract_when_one_is_left(auto& env) {
        if (role_ != role::awake || contracted_.size() + 1 != env.degree()) return;
        role_ = role::contracted;
        for (const port p : ports(env.degree()))
            if (!contracted_.contains(p)) inward_ = p;
        env.send(inward_, contraction{best_});
    }

    constexpr void become_knowing(role how, const Id& leader, port from, auto& env) {
        role_ = how;
        best_ = leader;
        env.report(outcome{elected<Id>{leader}});
        if constexpr (announces<Policies...>)
            for (const port p : ports(env.degree()))
                if (p != from) env.send(p, information{leader});
    }

    Id self_;
    Id best_;   // of all that contracted to here, itself included; once known, the leader
    port_set<store> contracted_;
    port inward_;   // where its own contraction went
    role role_ = role::asleep;
    [[no_unique_address]] prefer prefer_;
};

template <class Id, class... Policies>
tree_wave(Id, Policies...) -> tree_wave<Id, Policies...>;

/// k = s.initiators that really started. Everybody explodes over all edges but that of its waker;
/// of the two ends of the last edge neither is informed. Where leaves do not explode, it counts how
/// many there are among the initiators: n-1 at most, and all but n-2 at least.
template <class Id, class... Policies>
constexpr cost tree_wave<Id, Policies...>::messages(size s) {
    if (s.initiators == 0 || s.nodes == 1) return {0, 0, 0.0};
    const std::uint64_t n = s.nodes, k = s.initiators;
    const std::uint64_t others = n + (announces<Policies...> ? n - 2 : 0);
    if (std::is_same_v<explosions, contract_only>)
        return {others, others, static_cast<double>(others)};
    if (std::is_same_v<explosions, explode_inside>) {
        const std::uint64_t inside_least = k == n && n > 2 ? 1 : 0;
        const std::uint64_t inside_most = k < n - 2 ? k : n - 2;
        return {others + n - 2 + inside_least, others + n - 2 + inside_most};
    }
    const std::uint64_t total = others + n - 2 + k;
    return {total, total, static_cast<double>(total)};
}

/// Unit delays, all initiators start together. A contraction that starts at a leaf l, and what it
/// tells a node w beyond the last edge, go straight from l to w: dist(l, w) after l woke. Of the
/// way on which l was woken, all but its start was asleep.
template <class Id, class... Policies>
constexpr cost tree_wave<Id, Policies...>::time(size s) {
    if (s.initiators == 0 || s.nodes == 1) return {0, 0, 0.0};
    const std::uint64_t asleep = s.nodes - s.initiators;
    const std::uint64_t diameter_least = s.diameter != 0 ? s.diameter : s.nodes == 2 ? 1 : 2;
    const std::uint64_t diameter_most = s.diameter != 0 ? s.diameter : s.nodes - 1;
    const std::uint64_t least = announces<Policies...> ? diameter_least : diameter_least / 2 + 1;
    return {least, diameter_most + (asleep < diameter_most ? asleep : diameter_most)};
}

}  // namespace caucus
