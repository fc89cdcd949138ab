// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/identity.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/process.hpp>
#include <caucus/election/waking.hpp>

#include <cstdint>
#include <optional>
#include <tuple>
#include <variant>

namespace caucus {

/// A candidate captures the others one by one; who has captured more may take away, and its victim
/// gives up. The one that captured all leads.
///
/// Model     complete network, unique ids; reliable links, any order, duplicates too; no crashes
/// Safety    at most one leader, and it started (join: any node but the worst), though it need not
///           be the best of those; at most n/(l+1) candidates ever capture l others
/// Liveness  if any node starts, every node learns the leader (silent: only the leader does)
/// Cost      at most 4 per capture, 4n·H(n) in all; 2(n-1) if one starts (join: as if all did);
///           announcements n-1
/// Faults    a crashed node or a lost message stops whoever claims there, and in the end all
/// Source    Afek & Gafni, SIAM J. Comput. 20(2), 1991 (the asynchronous algorithm, O(n) time)
///
/// prefer    prefer(a, b): a beats b, of candidates with equally many captures. Default greatest.
/// waking    join or relay_only. Default relay_only, as in the paper.
/// announcing announce or silent. Default announce: else only the leader knows.
template <class Id, class... Policies>
class afek_gafni {
    static_assert(detail::ids_can_elect<Id>());
    static_assert(roles<preference, waking, announcing>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    static_assert(joins_or_relays<Policies...>, "this_election_does_not_suppress__use_join");
    using prefer = policy<preference, greatest, Policies...>;
    using wake = policy<waking, relay_only, Policies...>;
    static constexpr bool announces = caucus::announces<Policies...>;

public:
    /// How strong a candidate was when it claimed: first the number of its captures counts.
    struct bid {
        std::uint32_t level;
        Id candidate;
    };
    struct claim { bid by; };              // to a node: be mine
    struct challenge { bid by; };          // that node to its owner: somebody claims me
    struct defeat { bid by; };             // the owner: I am killed, go
    struct ack { std::uint32_t level; };   // that node: I am yours
    struct elected { Id leader; };
    using message = std::variant<claim, challenge, defeat, ack, elected>;
    using timer = nothing;
    using outcome = caucus::elected<Id>;

    static constexpr model assumes = {shape::complete, guarantee::reliable};
    /// Captures count before ids: not even the best caller need lead.
    static constexpr winner elects = wake::joins(true) ? winner::some_node : winner::some_caller;
    static constexpr cost messages(size s);

    constexpr explicit afek_gafni(Id self, Policies... policies)
        : self_(self), best_{0, self}, prefer_(pick<preference, greatest>(policies...)) {}

    constexpr void start(environment_for<afek_gafni> auto& env) {
        if (role_ != role::free) return;   // a candidate already, or captured: too late
        role_ = role::candidate;
        capture(env);
    }

    constexpr void on(claim m, port from, environment_for<afek_gafni> auto& env) {
        if constexpr (wake::joins(true)) start(env);   // if free: it claims before it is captured
        if (role_ == role::free) return become_captured(m.by, from, env);
        if (owns_itself()) {
            // Without the comparison, two that yield to each other's claim would both lead.
            if (beats(m.by, mine())) become_captured(m.by, from, env);
            return;
        }
        // A repeated claim would challenge its own claimant, who would kill itself; one that comes
        // after the leader's name would put another's in its place.
        if (role_ == role::follower || !beats(m.by, best_)) return;
        best_ = m.by;
        claimant_ = from;
        env.send(owner_, challenge{m.by});
    }

    constexpr void on(challenge m, port from, environment_for<afek_gafni> auto& env) {
        if (!beats(m.by, mine())) return;   // a weaker claimant gets no answer, ever
        if (role_ == role::candidate) role_ = role::killed;
        env.send(from, defeat{m.by});
    }

    constexpr void on(defeat m, port from, environment_for<afek_gafni> auto& env) {
        if (owner_ == claimant_ || from != owner_) return;   // a repetition
        if (!is_best(m.by)) return;   // a stronger claim has come in the meantime
        owner_ = claimant_;
        env.send(owner_, ack{m.by.level});
    }

    constexpr void on(ack m, port from, environment_for<afek_gafni> auto& env) {
        if (role_ != role::candidate || !is_awaited(m, from)) return;
        ++level_;
        capture(env);
    }

    constexpr void on(elected m, port, environment_for<afek_gafni> auto& env) {
        if (role_ == role::captured) decide(role::follower, m.leader, env);
    }

    constexpr const Id& id() const { return self_; }
    constexpr std::uint32_t level() const { return level_; }
    constexpr bool is_leader() const { return role_ == role::leader; }
    constexpr bool is_follower() const {
        return role_ == role::killed || role_ == role::captured || role_ == role::follower;
    }
    constexpr bool is_eligible() const { return role_ == role::candidate; }
    constexpr std::optional<Id> leader() const {
        if (is_leader()) return self_;
        return role_ == role::follower ? std::optional<Id>{best_.candidate} : std::nullopt;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.level_, self.best_, self.owner_, self.claimant_,
                        self.role_);
    }

private:
    /// killed: a candidate no more, though still its own. follower: captured, and told by whom all.
    enum class role : std::uint8_t { free, candidate, killed, captured, leader, follower };

    constexpr bool owns_itself() const {
        return role_ == role::candidate || role_ == role::killed || role_ == role::leader;
    }
    constexpr bid mine() const { return {level_, self_}; }
    constexpr bool beats(const bid& a, const bid& b) const {
        return a.level != b.level ? b.level < a.level : prefer_(a.candidate, b.candidate);
    }
    constexpr bool is_best(const bid& b) const {
        return b.level == best_.level && b.candidate == best_.candidate;
    }
    /// Ports are tried in their order: the level says how many have answered, and who is next.
    constexpr bool is_awaited(ack m, port from) const {
        return m.level == level_ && from == port{level_};
    }

    constexpr void capture(auto& env) {
        if (level_ == env.degree()) return decide(role::leader, self_, env);
        env.send(port{level_}, claim{mine()});
    }
    constexpr void become_captured(const bid& by, port owner, auto& env) {
        role_ = role::captured;
        best_ = by;
        owner_ = owner;
        claimant_ = owner;
        env.send(owner, ack{by.level});
    }
    constexpr void decide(role as, const Id& leader, auto& env) {
        role_ = as;
        best_.candidate = leader;
        env.report(outcome{leader});
        if constexpr (announces)
            if (as == role::leader) env.broadcast(elected{leader});
    }

    Id self_;
    std::uint32_t level_ = 0;   // captures so far
    bid best_;                  // a captured node's best claim
    port owner_;                // and who has it,
    port claimant_;             // and who claims it: another, while the owner is being challenged
    role role_ = role::free;
    [[no_unique_address]] prefer prefer_;
};

template <class Id, class... Policies>
afek_gafni(Id, Policies...) -> afek_gafni<Id, Policies...>;

/// A candidate's captures at level l, and itself, are in no other's domain when that one has l: so
/// n/(l+1) at most claim there. What nobody else owns costs 2 messages, and each was so once.
template <class Id, class... Policies>
constexpr cost afek_gafni<Id, Policies...>::messages(size s) {
    if (s.initiators == 0 || s.nodes == 1) return {0, 0, 0.0};
    const std::uint64_t others = s.nodes - 1;
    const std::uint64_t started = wake::candidates_most(s);
    const std::uint64_t losers = started - 1;
    std::uint64_t claims = 0;
    for (std::uint64_t level = 0; level < others; ++level) {
        const std::uint64_t candidates = s.nodes / (level + 1);
        claims += candidates < started ? candidates : started;
    }
    const std::uint64_t told = announces ? others : 0;
    const std::uint64_t least = 2 * others + losers + told;
    if (losers == 0) return {least, least, static_cast<double>(least)};
    return {least, 4 * claims - 2 * others + told};
}

}  // namespace caucus
