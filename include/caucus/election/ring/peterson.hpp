// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/election/ring/ring_election.hpp>

#include <bit>
#include <cstdint>
#include <tuple>
#include <variant>

namespace caucus {

/// What the second message of a phase carries, and whose return ends the election.
struct comparing {};
struct virtual_ids { using decides = comparing; };   // the neighbour's id; of the one it now has
struct printed { using decides = comparing; };       // the better of two ids; of a node's own

/// In phases: of three active nodes in a row, the last goes on, with the id of the one in the
/// middle, if that is the best of the three. The others only relay. At least half drop out.
///
/// Model     one-way ring of unknown size, unique ids; reliable links, fifo, duplicates too;
///           no crashes
/// Safety    at most one leader, with the best id of those that started (join: of all)
/// Liveness  if any node starts, every node learns the leader (silent: one node learns it, and
///           leads by that id, which need not be its own: ids move from node to node)
/// Cost      elections 2n·⌊lg k⌋+n at worst for k initiators (join: all n), 3n at best, n if one;
///           announcements n
/// Faults    a crashed node breaks the ring; a lost or overtaken id ends or spoils it
/// Source    Dolev, Klawe & Rodeh, J. Algorithms 3(3), 1982; Peterson, ACM TOPLAS 4(4), 1982
///
/// prefer    prefer(a, b): a beats b. Default greatest, as in the papers.
/// waking    join or relay_only. Default relay_only, as in the papers.
/// comparing virtual_ids or printed. Default virtual_ids: Dolev, Klawe & Rodeh's, the lectures';
///           printed is Peterson's first algorithm, it spares the best id the rest of its way.
/// announcing announce or silent. Default announce: the leader itself may have to be told.
template <class Id, class... Policies>
class peterson : public ring_election<Id, Policies...> {
    static_assert(roles<preference, waking, comparing, announcing>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    static_assert(joins_or_relays<Policies...>, "this_election_does_not_suppress__use_join");

    using base = ring_election<Id, Policies...>;
    using base::announces, base::beats, base::best_, base::decided, base::self_;
    using wake = policy<waking, relay_only, Policies...>;
    static constexpr bool prints = chooses<printed, virtual_ids, Policies...>;

public:
    /// Over each link go first 0, second 1, first 2, …: what comes again is known by its number.
    struct first { Id candidate; std::uint8_t number; };
    struct second { Id candidate; std::uint8_t number; };
    using message = std::variant<first, second, typename base::elected>;

    static constexpr model assumes = {shape::one_way_ring, guarantee::reliable | guarantee::fifo};
    static constexpr winner elects = wake::elects;
    static constexpr cost messages(size s);

    constexpr explicit peterson(Id self, Policies... policies)
        : base(self, policies...), neighbour_(self) {}

    constexpr void start(environment_for<peterson> auto& env) {
        // A relay may not start: it has passed on ids that had to be compared with its own.
        if (role_ == role::asleep) become_active(self_, 0, env);
    }

    constexpr void on(first m, port, environment_for<peterson> auto& env) {
        // decided, printed: it was on its way to the leader when that found out
        if (decided() || is_repeated(m.number)) return;
        if constexpr (wake::joins(true)) start(env);   // if asleep: before m is passed on
        ++awaited_;
        if (is_home(m.candidate)) return this->conclude(m.candidate, env);
        if (role_ != role::active) return pass_on(m, env);
        neighbour_ = m.candidate;
        env.send(next, second{prints && beats(best_, neighbour_) ? best_ : neighbour_, awaited_});
    }
    constexpr void on(second m, port, environment_for<peterson> auto& env) {
        if (decided() || is_repeated(m.number)) return;
        ++awaited_;
        if (prints && m.candidate == self_) return this->conclude(self_, env);
        if (role_ != role::active) return pass_on(m, env);
        if (neighbour_beats_both(m.candidate)) become_active(neighbour_, awaited_, env);
        else role_ = role::relay;
    }
    using base::on;

    /// Silent: who finds out is elected, whosever id it has. Else the owner of the best id leads.
    constexpr bool is_leader() const {
        return announces ? base::is_leader() : this->decided();
    }
    /// Silent: whoever relays, but as printed a relay's id may still win. Else who has given up its
    /// own id for a better one.
    constexpr bool is_follower() const {
        if (this->decided()) return !is_leader();
        return announces || prints ? !(best_ == self_) : role_ == role::relay;
    }
    /// The lectures' word for who is active: the id that it has by now may win.
    constexpr bool is_eligible() const { return role_ == role::active && !this->decided(); }

    static constexpr auto fields(auto& self) {
        return std::tuple_cat(base::fields(self), 
                              std::tie(self.role_, self.neighbour_, self.awaited_));
    }

private:
    enum class role : std::uint8_t { asleep, relay, active };

    /// Not dropped, a copy would be taken for the next phase's, or passed on as two.
    constexpr bool is_repeated(std::uint8_t number) const { return number < awaited_; }
    /// The only active node meets the id it sent; printed: the best id comes to its owner.
    constexpr bool is_home(const Id& candidate) const {
        if constexpr (prints) return candidate == self_;
        else return role_ == role::active && candidate == best_;
    }
    /// Printed: the second message is the neighbour's id again if that beat the one before it.
    constexpr bool neighbour_beats_both(const Id& before_it) const {
        return beats(neighbour_, best_) && !beats(before_it, neighbour_);
    }

    constexpr void become_active(const Id& candidate, std::uint8_t number, auto& env) {
        role_ = role::active;
        best_ = candidate;
        env.send(next, first{candidate, number});
    }
    constexpr void pass_on(const auto& m, auto& env) {
        role_ = role::relay;
        env.send(next, m);
    }

    role role_ = role::asleep;
    std::uint8_t awaited_ = 0;   // the number of the message to come
    Id neighbour_;   // the active node before this one had it at the beginning of the phase
};

template <class Id, class... Policies>
peterson(Id, Policies...) -> peterson<Id, Policies...>;

/// Every phase of two or more active nodes is 2n messages, and at most every other goes on.
template <class Id, class... Policies>
constexpr cost peterson<Id, Policies...>::messages(size s) {
    const std::uint64_t n = s.nodes;
    const std::uint64_t k = wake::candidates_most(s);
    const std::uint64_t lap = announces ? n : 0;
    if (s.initiators == 0) return {0, 0, 0.0};
    if (k == 1) return {n + lap, n + lap, static_cast<double>(n + lap)};
    const auto phases_most = static_cast<std::uint64_t>(std::bit_width(k)) - 1;
    return {2 * n + (prints ? k - 1 : n) + lap, 2 * n * phases_most + n + lap};
}

}  // namespace caucus
