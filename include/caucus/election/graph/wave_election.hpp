// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/identity.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/core/process.hpp>
#include <caucus/election/waking.hpp>

#include <cstdint>
#include <optional>
#include <tuple>
#include <variant>

namespace caucus {

/// What elections by echo waves have in common: an initiator floods the graph with its mark, the
/// flood ebbs back as echoes, and the winner tells its tree. An algorithm derives from it, says
/// what an explorer and an echo do where waves meet, and `using base::on`.
template <class Id, class... Policies>
class wave_election {
    static_assert(detail::ids_can_elect<Id>());

protected:
    using prefer = policy<preference, greatest, Policies...>;
    using store = policy<storage, heap_storage, Policies...>;
    using wake = policy<waking, relay_only, Policies...>;

public:
    struct explorer { Id mark; };
    struct echo { Id mark; };
    struct elected { Id leader; };
    using message = std::variant<explorer, echo, elected>;
    using timer = nothing;
    using outcome = outcome_within<caucus::elected<Id>, store>;

    static constexpr model assumes = {shape::graph, guarantee::reliable};
    static constexpr winner elects = wake::elects;

    constexpr void on(elected m, port, auto& env) {
        if (decided() || is_free()) return;   // a copy; or this node is in no tree
        decide(role::follower, m.leader, env);
    }

    constexpr const Id& id() const { return self_; }
    constexpr bool is_leader() const { return role_ == role::leader; }
    constexpr std::optional<Id> leader() const {
        return decided() ? std::optional<Id>{mark_} : std::nullopt;
    }
    /// It belongs to the wave of another: its own, if it had one, has lost.
    constexpr bool is_follower() const {
        return role_ == role::engaged || role_ == role::follower;
    }
    constexpr bool is_eligible() const { return role_ == role::candidate; }
    constexpr std::optional<port> parent() const {
        const bool has_parent = role_ == role::engaged || role_ == role::follower;
        return has_parent ? std::optional<port>{parent_} : std::nullopt;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.wave_election::self_, self.wave_election::mark_,
                        self.wave_election::awaited_, self.wave_election::children_,
                        self.wave_election::parent_, self.wave_election::role_);
    }

protected:
    enum class role : std::uint8_t { free, candidate, engaged, leader, follower };

    constexpr explicit wave_election(const Id& self, const Policies&... policies)
        : self_(self), mark_(self), prefer_(pick<preference, greatest>(policies...)) {}

    constexpr bool beats(const Id& a, const Id& b) const { return prefer_(a, b); }
    constexpr bool is_free() const { return role_ == role::free; }
    constexpr bool decided() const { return role_ == role::leader || role_ == role::follower; }

    /// May a free node join? One with more ports than it can keep count of must stay out.
    constexpr bool may_join(auto& env) const {
        return is_free() && !overflows<store, outcome>(env);
    }
    /// Does the wave that finds this node free make it a candidate first?
    constexpr bool wakes_to_join(const Id& waker) const {
        return is_free() && wake::joins(beats(self_, waker));
    }
    constexpr void become_candidate(auto& env) {
        role_ = role::candidate;
        for (const port p : ports(env.degree())) awaited_.insert(p);
        env.broadcast(explorer{self_});
    }
    /// Answers to an old wave say nothing about the new one.
    constexpr void become_engaged(const Id& mark, port parent, auto& env) {
        role_ = role::engaged;
        mark_ = mark;
        parent_ = parent;
        awaited_.clear();
        children_.clear();
        for (const port p : ports(env.degree()))
            if (p != parent) explore(p, env);
    }
    constexpr void explore(port p, auto& env) {
        awaited_.insert(p);
        env.send(p, explorer{mark_});
    }

    /// Was an answer awaited there? An explorer that crossed ours is one, an echo is a child's.
    constexpr bool settle(port from) { return awaited_.erase(from); }
    constexpr bool settle_as_child(port from) { return settle(from) && children_.insert(from); }
    constexpr void ebb_when_settled(auto& env) {
        if (!awaited_.empty()) return;
        if (role_ == role::candidate) decide(role::leader, self_, env);
        else env.send(parent_, echo{mark_});
    }

    /// At least: every node explores all its edges but, unless it is a candidate, the one that woke
    /// it, and all but the winner echo. To that and to `most` comes the news.
    static constexpr cost waves_at_most(std::uint64_t most, size s) {
        if (s.initiators == 0) return {0, 0, 0.0};
        const std::uint64_t least = 2 * s.links + wake::candidates_least(s) - 1;
        const std::uint64_t told = s.nodes - 1;
        if (least == most) return {least + told, most + told, static_cast<double>(most + told)};
        return {least + told, most + told};
    }
    /// Where waves wash over each other, a node sends each one over a link once at most, and of k
    /// candidates the i-th worst none of the i-1 that are worse.
    static constexpr cost waves_that_wash_over(size s) {
        const std::uint64_t k = wake::candidates_most(s);
        return waves_at_most(2 * k * s.links - k * (k - 1) / 2, s);
    }

    Id self_;
    Id mark_;   // of the wave that holds this node; its own before any does
    port_set<store> awaited_;
    port_set<store> children_;
    port parent_;
    role role_ = role::free;
    [[no_unique_address]] prefer prefer_;

private:
    constexpr void decide(role as, const Id& leader, auto& env) {
        role_ = as;
        mark_ = leader;
        env.report(outcome{caucus::elected<Id>{leader}});
        for (const port p : ports(env.degree()))
            if (children_.contains(p)) env.send(p, elected{leader});
    }
};

}  // namespace caucus
