// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/election/ring/ring_election.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <variant>

namespace caucus {

/// Whether lots carry the number of the round in which they were drawn.
struct numbering {};
struct numbered { using decides = numbering; };     // links need not keep order
struct unnumbered { using decides = numbering; };   // finitely many states, but links must be fifo

/// Nodes without ids draw lots. A lot goes round: it beats lesser candidates, and is no longer
/// unique where it meets its like. Home and unique, it leads; home with others, they draw again.
///
/// Model     one-way ring of known size, no ids; reliable links, any order, duplicates too
///           (unnumbered: in order, none twice); no crashes
/// Safety    at most one leader
/// Liveness  if any node starts, with probability 1 one of those that did leads, and all know it
/// Cost      tokens without bound, O(n·lg n) on average: 7, 10.2, 14.2, 32.1 for n = 2, 3, 4, 8,
///           in 2, 1.69, 1.6, 1.5 rounds; announcements n
/// Faults    a crashed node breaks the ring, a lost token stops it; a ring longer than n: several
///           leaders; a shorter one: none
/// Source    Itai & Rodeh, Inf. and Computation 88(1), 1990; unnumbered: Fokkink & Pang, 2006
///
/// numbering numbered or unnumbered. Default numbered: it asks less of the links.
/// announcing announce or silent. Default announce: an election nobody hears of is of little use.
template <class... Policies>
class itai_rodeh {
    static_assert(roles<numbering, announcing>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");

    static constexpr bool counts_rounds = chooses<numbered, numbered, Policies...>;

public:
    /// What a node drew: in its round it stands for the node, and later rounds beat earlier ones.
    struct lot {
        std::uint32_t round = 0;
        std::uint32_t number = 0;
        friend constexpr auto operator<=>(const lot&, const lot&) = default;
    };
    struct token {
        lot drawn;
        std::uint32_t hops;
        bool unique;
    };
    struct elected { lot leader; };
    using message = std::variant<token, elected>;
    using timer = nothing;
    using outcome = caucus::elected<lot>;
    static constexpr bool tosses_coins = true;

    static constexpr model assumes = {
        shape::one_way_ring,
        counts_rounds ? guarantee::reliable : perfect_links, naming::anonymous,
        timing::asynchronous, false};
    static constexpr winner elects = winner::some_caller;
    static constexpr cost messages(size s);

    constexpr explicit itai_rodeh(std::size_t nodes, Policies...)
        : nodes_(static_cast<std::uint32_t>(nodes)) {
        if (nodes == 0 || nodes > std::numeric_limits<std::uint32_t>::max())
            refuse("itai_rodeh: no ring has ", nodes, " nodes");
    }

    constexpr void start(environment_for<itai_rodeh> auto& env) {
        if (role_ == role::asleep) draw(env);
    }

    constexpr void on(token t, port, environment_for<itai_rodeh> auto& env) {
        if (role_ == role::leader) return;   // it has lost; passed on, it would go round for ever
        if (role_ == role::asleep) role_ = role::passive;
        if (role_ != role::candidate) return pass_on(t, env);
        if (t.drawn < lot_) return;   // lost; or an old lot of its own: it would draw twice
        if (t.hops == nodes_) return t.unique ? lead(env) : draw(env);
        if (t.drawn == lot_) t.unique = false;
        else become_passive();
        pass_on(t, env);
    }

    constexpr void on(elected m, port, environment_for<itai_rodeh> auto& env) {
        if (leader()) return;                // the lap is complete
        become(role::follower, m.leader, env);
        env.send(next, m);
    }

    constexpr bool is_leader() const { return role_ == role::leader; }
    constexpr bool is_follower() const {
        return role_ == role::passive || role_ == role::follower;
    }
    constexpr bool is_eligible() const { return role_ == role::candidate; }
    /// The lot that won: the only name the leader has.
    constexpr std::optional<lot> leader() const {
        const bool known = role_ == role::leader || role_ == role::follower;
        return known ? std::optional<lot>{lot_} : std::nullopt;
    }

    /// What it was told: simulations and explore refuse a ring of another size.
    constexpr std::size_t ring_size() const { return nodes_; }

    static constexpr auto fields(auto& self) {
        return std::tie(self.nodes_, self.lot_, self.role_);
    }

private:
    enum class role : std::uint8_t { asleep, candidate, passive, follower, leader };

    constexpr void draw(auto& env) {
        role_ = role::candidate;
        if constexpr (counts_rounds) ++lot_.round;
        lot_.number = 1 + static_cast<std::uint32_t>(env.choose(nodes_));
        env.send(next, token{lot_, 1, true});
    }
    constexpr void pass_on(token t, auto& env) {
        ++t.hops;
        env.send(next, t);
    }
    constexpr void lead(auto& env) {
        become(role::leader, lot_, env);
        if constexpr (announces<Policies...>) env.send(next, elected{lot_});
    }
    constexpr void become_passive() {
        role_ = role::passive;
        lot_ = {};
    }
    constexpr void become(role knowing, const lot& leader, auto& env) {
        role_ = knowing;
        lot_ = leader;
        env.report(outcome{leader});
    }

    std::uint32_t nodes_;
    lot lot_;   // a candidate's own; the leader's, once that is known
    role role_ = role::asleep;
};

template <class... Policies>
itai_rodeh(std::size_t, Policies...) -> itai_rodeh<Policies...>;

/// Those of k initiators that lose in the first round are one message each, at best.
template <class... Policies>
constexpr cost itai_rodeh<Policies...>::messages(size s) {
    const std::uint64_t n = s.nodes;
    const std::uint64_t lap = announces<Policies...> ? n : 0;
    if (s.initiators == 0) return {0, 0, 0.0};
    if (s.initiators == 1) return {n + lap, n + lap, static_cast<double>(n + lap)};
    return {n + s.initiators - 1 + lap, ~std::uint64_t{0}};
}

}  // namespace caucus
