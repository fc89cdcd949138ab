// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/identity.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/policy.hpp>
#include <caucus/core/process.hpp>
#include <caucus/core/time.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <variant>

namespace caucus {

/// What gives a dead candidate away, whose id nobody stops.
struct remedy {};
struct second_pass { using decides = remedy; };   // its id or announcement comes by again
struct detector { using decides = remedy; };      // that, or a failure detector speaks up
struct overdue {                                  // that, or no announcement follows in time
    using decides = remedy;
    ticks wait;   // an id's lap takes no longer: else needless epochs, and for ever if all do
};

/// Chang-Roberts in epochs: who finds the candidate dead begins anew, and old ids count no more.
///
/// Model     one-way ring of unknown size, mended over its dead, unique ids; reliable links, any
///           order, duplicates too (overdue: any links that are good in the end)
/// Safety    at most one leader, with the best id of all live nodes, if nobody comes back; else one
///           in each epoch: who is back, and still passed over, may lead in an older one (with
///           detector until it is trusted)
/// Liveness  if any node starts, every live node learns the leader, though the best may have died
///           (detector: a word is a start, before the first one too; if every such death is
///           noticed, and suspicions end; overdue: if laps take no longer than `wait`)
/// Cost      each epoch as chang_roberts: 2n to n(n+3)/2; n-1 for each lap of a dead node's id
/// Faults    second_pass: whoever dies while its id or announcement is under way, and its
///           predecessors with it; overdue: any node until all know the leader, and lost messages;
///           detector: any node, at any time; else what dies with a node is gone for ever
/// Source    Chang & Roberts, CACM 22(5), 1979; epochs as in Garcia-Molina, IEEE ToC C-31(1), 1982
///
/// prefer    prefer(a, b): a beats b. Default greatest.
/// remedy    second_pass, overdue or detector. Default second_pass: it needs neither clock nor
///           word, and cannot err.
template <class Id, class... Policies>
class renewed {
    static_assert(detail::ids_can_elect<Id>());
    static_assert(roles<preference, remedy>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using prefer = policy<preference, greatest, Policies...>;
    using remedy_type = policy<remedy, second_pass, Policies...>;
    static constexpr bool listens = std::is_same_v<remedy_type, detector>;
    static constexpr bool waits = std::is_same_v<remedy_type, overdue>;

public:
    /// Ids are compared within one epoch only: what the dead leave behind is of an older one.
    struct epoch {
        std::uint32_t number = 0;
        friend constexpr auto operator<=>(epoch, epoch) = default;
    };
    struct election { epoch when; Id candidate; std::uint32_t hops = 1; };
    struct elected { epoch when; Id leader; std::uint32_t hops = 1; };
    using message = std::variant<election, elected>;
    struct announcement_overdue {};
    using timer = std::conditional_t<waits, announcement_overdue, nothing>;
    using outcome = caucus::elected<Id>;

    static constexpr model assumes = {shape::one_way_ring,
                                      waits ? guarantee::none : guarantee::reliable};
    static constexpr winner elects = winner::best_of_all;
    static constexpr cost messages(size s);
    static constexpr cost time(size s);

    constexpr explicit renewed(Id self, Policies... policies)
        : self_(self), best_(self), prefer_(pick<preference, greatest>(policies...)),
          remedy_(pick<remedy, second_pass>(policies...)) {}

    /// A start after the election is a new one: the leader may have died since.
    constexpr void start(environment_for<renewed> auto& env) {
        if (role_ == role::decided) return renew(env);
        if (role_ == role::asleep) become_candidate(env);
    }

    /// Whoever stood there may have taken an id or an announcement with it.
    constexpr void on(suspect, environment_for<renewed> auto& env) {
        if constexpr (listens) renew(env);
    }
    /// Whoever stands there again has missed an election, or all of them.
    constexpr void on(trust, environment_for<renewed> auto& env) {
        if constexpr (listens) renew(env);
    }
    constexpr void on(announcement_overdue, environment_for<renewed> auto& env) requires waits {
        renew(env);
    }

    constexpr void on(election m, port, environment_for<renewed> auto& env) {
        if (is_outdated(m.when)) return;
        enter(m.when);
        if (role_ == role::decided) return;
        if (role_ == role::asleep) wake_up(m.candidate, env);
        if (is_home(m.candidate)) return conclude(env);
        if (is_orphan(m.candidate, m.hops)) return renew(env);
        if (is_beaten(m.candidate) || is_repeated(m)) return;
        best_ = m.candidate;
        hops_ = m.hops;
        pass_on({m.when, m.candidate, m.hops + 1}, env);
    }

    constexpr void on(elected m, port, environment_for<renewed> auto& env) {
        if (is_outdated(m.when)) return;
        enter(m.when);
        if (is_leader()) return;     // the lap is complete
        if (role_ == role::decided) {
            if (is_orphan(m.leader, m.hops)) renew(env);
            return;
        }
        hops_ = m.hops;
        decide(m.leader, env);
        env.send(next, elected{m.when, m.leader, m.hops + 1});
    }

    constexpr const Id& id() const { return self_; }
    constexpr bool is_leader() const { return role_ == role::decided && best_ == self_; }
    constexpr std::optional<Id> leader() const {
        return role_ == role::decided ? std::optional<Id>{best_} : std::nullopt;
    }
    constexpr epoch now() const { return now_; }
    constexpr const char* objection(std::size_t) const requires waits {
        return remedy_.wait == 0 ? "renewed: announcements are overdue at once: nobody would win"
                                 : nullptr;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.best_, self.hops_, self.now_, self.role_);
    }

private:
    enum class role : std::uint8_t { asleep, relay, candidate, decided };

    constexpr bool is_outdated(epoch when) const { return when < now_; }
    /// Not if it has passed on a better one, which has come back since this id took the short cut:
    /// both would win.
    constexpr bool is_home(const Id& id) const {
        return role_ == role::candidate && id == self_ && best_ == self_;
    }
    /// Its owner stops an id or announcement after one lap, if it lives: nobody sees it twice.
    constexpr bool is_orphan(const Id& id, std::uint32_t hops) const {
        return id == best_ && hops_ < hops;
    }
    /// A copy of the same pass: taken for a second one, it would begin a needless epoch.
    constexpr bool is_repeated(const election& m) const { return m.candidate == best_; }
    constexpr bool is_beaten(const Id& id) const { return prefer_(best_, id); }

    /// Without it the best id of an earlier epoch, dead or not, would stop all of this one.
    constexpr void enter(epoch when) {
        if (when == now_) return;
        now_ = when;
        best_ = self_;
        hops_ = 0;
        role_ = role::asleep;
    }
    constexpr void renew(auto& env) {
        enter({now_.number + 1});
        become_candidate(env);
    }
    constexpr void wake_up(const Id& waker, auto& env) {
        if (prefer_(self_, waker)) become_candidate(env);
        else role_ = role::relay;
    }
    constexpr void become_candidate(auto& env) {
        role_ = role::candidate;
        pass_on({now_, self_}, env);
    }
    constexpr void pass_on(const election& m, auto& env) {
        env.send(next, m);
        if constexpr (waits) env.arm(timer{}, remedy_.wait);
    }
    constexpr void conclude(auto& env) {
        decide(self_, env);
        env.send(next, elected{now_, self_});
    }
    constexpr void decide(const Id& leader, auto& env) {
        role_ = role::decided;
        best_ = leader;
        if constexpr (waits) env.disarm(timer{});
        env.report(outcome{leader});
    }

    Id self_;
    Id best_;        // seen in this epoch; once decided, the leader's
    std::uint32_t hops_ = 0;   // that it or its announcement had made; none if it is this node's
    epoch now_;
    role role_ = role::asleep;
    [[no_unique_address]] prefer prefer_;
    [[no_unique_address]] remedy_type remedy_;
};

template <class Id, class... Policies>
renewed(Id, Policies...) -> renewed<Id, Policies...>;

/// One epoch: k = s.initiators start before they are reached, and nobody dies.
template <class Id, class... Policies>
constexpr cost renewed<Id, Policies...>::messages(size s) {
    const std::uint64_t n = s.nodes;
    const std::uint64_t k = s.initiators;
    if (k == 0) return {0, 0, 0.0};
    const double mean_n = static_cast<double>(n);
    const double joining = static_cast<double>(n - k) / static_cast<double>(k + 1);
    return {2 * n + k - 1, k * n - k * (k - 1) / 2 + (n - k) + n,
            mean_n + mean_n * harmonic(k) + joining};
}

/// One epoch, unit delays, all initiators start together.
template <class Id, class... Policies>
constexpr cost renewed<Id, Policies...>::time(size s) {
    if (s.initiators == 0) return {0, 0, 0.0};
    return {2 * s.nodes, 3 * s.nodes - s.initiators};
}

}  // namespace caucus
