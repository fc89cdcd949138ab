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
#include <variant>

namespace caucus {

/// Every initiator sends out an echo wave marked with its id; better waves wash over worse ones.
///
/// Model     any connected graph, unique ids; reliable links, any order, duplicates too
/// Safety    at most one leader, the best of those that started; parents form a spanning tree
/// Liveness  if any node starts, every node learns the leader
/// Cost      at most 2k|E| for k initiators, exactly 2|E| for one; announcements n-1
/// Faults    a crashed node or a lost message stops the winning wave
/// Source    Mattern, Verteilte Basisalgorithmen, 1989; Tel, Introd. to Distributed Algorithms, 7.3
///
/// prefer    prefer(a, b): a beats b. Default greatest.
/// storage   heap_storage or inplace_storage<ports>. Default heap_storage: any degree.
template <class Id, class... Policies>
class extinction {
    static_assert(needs_distinct_ids__angluin__see_itai_rodeh<Id>,
                  "needs_distinct_ids__angluin__see_itai_rodeh");
    static_assert(needs_an_id_type_that_is_regular<Id>, "needs_an_id_type_that_is_regular");
    static_assert(roles<preference, storage>::cover<Policies...>,
                  "policies: a preference and a storage, each at most once");
    using prefer = policy<preference, greatest, Policies...>;
    using store = policy<storage, heap_storage, Policies...>;

public:
    struct explorer { Id mark; };
    struct echo { Id mark; };
    struct elected { Id leader; };
    using message = std::variant<explorer, echo, elected>;
    using timer = nothing;
    using outcome = outcome_within<caucus::elected<Id>, store>;

    static constexpr model assumes = {shape::graph, link::reliable};
    static constexpr cost messages(size s);

    constexpr explicit extinction(Id self, Policies... policies)
        : self_(self), mark_(self), prefer_(pick<preference, greatest>(policies...)) {}

    constexpr void start(environment_for<extinction> auto& env) {  // (1)
        // A marked node has lost already: its wave would find the others taken.
        if (role_ != role::free || overflows<store, outcome>(env)) return;
        role_ = role::candidate;
        env.broadcast(explorer{self_});
        echo_when_done(env);
    }

    constexpr void on(explorer m, port from, environment_for<extinction> auto& env) {
        if (role_ == role::free && overflows<store, outcome>(env)) return;
        if (role_ == role::free || prefer_(m.mark, mark_))
            return become_engaged(m.mark, from, env);                // (2, 3c)
        if (m.mark == mark_ && !is_parent(from)) settle(from, env);  // (3a)
        // (3b) A worse explorer needs no answer: ours is on its way over the same edge.
    }

    constexpr void on(echo m, port from, environment_for<extinction> auto& env) {  // (4)
        // Of an extinct wave, or a repetition; or nobody here has sent an explorer.
        if (m.mark != mark_ || settled_.contains(from) || role_ == role::free) return;
        children_.insert(from);
        settle(from, env);
    }

    constexpr void on(elected m, port, environment_for<extinction> auto& env) {
        if (decided() || role_ == role::free) return;
        decide(role::follower, m.leader, env);
    }

    constexpr const Id& id() const { return self_; }
    constexpr bool is_leader() const { return role_ == role::leader; }
    constexpr std::optional<Id> leader() const {
        return decided() ? std::optional<Id>{mark_} : std::nullopt;
    }
    constexpr std::optional<port> parent() const {
        const bool has_parent =
            role_ != role::free && role_ != role::candidate && role_ != role::leader;
        return has_parent ? std::optional<port>{parent_} : std::nullopt;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.mark_, self.settled_, self.children_, self.parent_,
                        self.role_);
    }

private:
    enum class role : std::uint8_t { free, candidate, engaged, echoed, leader, follower };

    constexpr bool decided() const { return role_ == role::leader || role_ == role::follower; }
    constexpr bool is_parent(port p) const { return role_ != role::candidate && p == parent_; }

    constexpr void become_engaged(const Id& mark, port parent, auto& env) {
        role_ = role::engaged;
        mark_ = mark;
        parent_ = parent;
        settled_.clear();    // answers to the old wave say nothing about the new one
        children_.clear();
        for (const port p : ports(env.degree()))
            if (p != parent) env.send(p, explorer{mark});
        echo_when_done(env);
    }

    constexpr void settle(port p, auto& env) {
        if (settled_.insert(p)) echo_when_done(env);
    }
    constexpr void echo_when_done(auto& env) {  // (5)
        const std::size_t awaited = env.degree() - (role_ == role::candidate ? 0 : 1);
        if (settled_.size() != awaited) return;
        if (role_ == role::candidate) return decide(role::leader, self_, env);
        role_ = role::echoed;
        env.send(parent_, echo{mark_});
    }

    constexpr void decide(role as, const Id& leader, auto& env) {
        role_ = as;
        mark_ = leader;
        env.report(outcome{caucus::elected<Id>{leader}});
        for (const port p : ports(env.degree()))
            if (children_.contains(p)) env.send(p, elected{leader});
    }

    Id self_;
    Id mark_;   // of the wave that holds this node; its own before any does
    port_set<store> settled_;
    port_set<store> children_;
    port parent_;
    role role_ = role::free;
    [[no_unique_address]] prefer prefer_;
};

template <class Id, class... Policies>
extinction(Id, Policies...) -> extinction<Id, Policies...>;

/// The winner's wave crosses every edge twice; each other initiator sends at least one explorer.
template <class Id, class... Policies>
constexpr cost extinction<Id, Policies...>::messages(size s) {
    if (s.initiators == 0) return {0, 0, 0.0};
    const std::uint64_t wave = 2 * s.links;
    const std::uint64_t informed = s.nodes - 1;
    return {wave + (s.initiators - 1) + informed, s.initiators * wave + informed};
}

}  // namespace caucus
