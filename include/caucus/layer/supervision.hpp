// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/identity.hpp>
#include <caucus/core/policy.hpp>
#include <caucus/core/process.hpp>
#include <caucus/core/request.hpp>
#include <caucus/core/time.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace caucus {

/// What supervision must know of time. Nothing unsafe follows if it is wrong, only elections.
/// Waits that ticks cannot count are `never`: they do not wrap.
struct supervised_options {
    ticks beat = 100;         // 0: none; suspicions come from outside, and no message is lost
    ticks timeout = 0;        // a silence that long is suspicious; 0: three beats
    ticks election_max = 0;   // an election that takes longer is held again; 0: ten timeouts
    std::size_t reach = 1;    // hops from the leader to the farthest node: 1 in a complete network

    constexpr ticks patience() const {
        return timeout != 0 ? timeout : times(3, beat == 0 ? 1 : beat);
    }
    constexpr ticks leader_wait() const { return times(reach, patience()); }
    constexpr ticks election_wait() const {
        return election_max != 0 ? election_max : times(10, patience());
    }
    /// Once nothing goes wrong any more, all know the one leader after that long.
    constexpr ticks settled_after() const {
        return times(2, after(leader_wait(), election_wait()));
    }

    /// What is wrong with them, or nullptr.
    constexpr const char* objection() const {
        if (beat != 0 && patience() <= beat)
            return "supervised: the timeout is not longer than the beat: all would be suspected";
        if (reach == 0) return "supervised: the reach is 0 hops; a neighbour is 1 away";
        return nullptr;
    }
};

/// Elections are numbered, and the numbers last: a node ignores one that is too far ahead of all it
/// has heard to be honest. A thousand elections a second take 35 years to get there. Let in, a few
/// such numbers would use up all there are, and epochs would begin again.
inline constexpr std::uint64_t leap_most = std::uint64_t{1} << 40;
inline constexpr std::uint64_t last_number = ~std::uint64_t{0};
constexpr bool leaps(std::uint64_t number, std::uint64_t heard) {
    return number > heard && number - heard > leap_most;
}

/// Do lost messages cost a supervised P elections and nothing else? It says so, by a member of that
/// name, where that has been measured (tests/fault_matrix.md); then it needs no reliable links. But
/// for `beat = 0`: without beats nothing that was lost is ever said again.
template <class P>
inline constexpr bool loss_costs_elections = requires { requires P::loss_costs_elections; };

namespace request {

/// With what a node stands from the next election on: P, made with another criterion.
template <class P>
struct candidacy {
    P election;
    static constexpr auto fields(auto& self) { return std::tie(self.election); }
};
template <class P>
candidacy(P) -> candidacy<P>;

}  // namespace request

namespace detail {

template <class P>
inline constexpr bool is_known_request<request::candidacy<P>> = true;

/// May what P's id is compared by change between two elections?
template <class P>
inline constexpr bool stands_by_criterion = false;
template <class P>
    requires requires(const P& p) { p.id(); }
inline constexpr bool stands_by_criterion<P> =
    is_ranked<std::remove_cvref_t<decltype(std::declval<const P&>().id())>>;

/// How P is supervised, by the network that it is for, what it knows, and the policies.
template <class P, class... Policies>
struct supervision_of {
    static constexpr bool by_majority = chooses<majority, anyone, Policies...>;
    static constexpr bool preempts = chooses<preemptive, non_preemptive, Policies...>;
    static constexpr shape network = assumptions_of<P>().topology;
    static constexpr bool hears_neighbours = network != shape::one_way_ring;
    static constexpr bool floods = network != shape::complete;
    static constexpr bool sits_on_a_ring =
        network == shape::one_way_ring || network == shape::two_way_ring;
    static constexpr bool knows_peers = requires(const P& p) { p.peers(); };
    static constexpr bool hides_the_silent = !sits_on_a_ring && !knows_peers;
    static constexpr model assumes = [] {
        model given = assumptions_of<P>();
        if (loss_costs_elections<P>) given.links = without(given.links, guarantee::reliable);
        given.names = naming::distinct;
        return given;
    }();

    /// May the neighbour behind the port have that id? Where ids are not known by port, it may.
    static constexpr bool may_have_id([[maybe_unused]] const auto& id, [[maybe_unused]] port p,
                                      [[maybe_unused]] const P& process) {
        if constexpr (knows_peers) return process.peers()[p] == id;
        else return true;
    }
    /// May the leader be one of the suspects? Where ids are not known by port, it may: but not if
    /// those were left out of its election, or each election would be followed by another.
    static constexpr bool may_be_among(const auto& suspects, [[maybe_unused]] const auto& leader,
                                       [[maybe_unused]] const P& process,
                                       [[maybe_unused]] bool elected_without_them) {
        if constexpr (!knows_peers) return !elected_without_them && !suspects.empty();
        else
            for (const port p : ports(process.peers().size()))
                if (suspects.contains(p) && may_have_id(leader, p, process)) return true;
        return false;
    }
};

}  // namespace detail

template <class P>
concept needs_an_election__with_id_and_is_leader = requires(const P& p) {
    p.id();
    { p.is_leader() } -> std::convertible_to<bool>;
};
template <class P, class... Policies>
concept majority_needs_a_complete_network =
    !chooses<majority, anyone, Policies...> ||
    assumptions_of<P>().topology == shape::complete;
/// Those of others change without a word. And whoever ranks above the leader by name alone would
/// call elections for ever.
template <class P, class... Policies>
concept criteria_change__needs_no_peers_and_is_not_preemptive =
    !detail::stands_by_criterion<P> ||
    (!detail::supervision_of<P, Policies...>::knows_peers &&
     !detail::supervision_of<P, Policies...>::preempts);
template <class P>
concept needs_an_election_that_ends__wrap_it_in_stamped = !elects_again<P>;
/// Between two elections nobody could ask for one, and a bus would not be told of plugs.
template <class P>
concept needs_an_election_that_is_not_reset__supervise_what_is_in_the_bus =
    !kind_of<caucus::request::reset, requests_of<P>>;
template <class P>
concept needs_asynchronous_elections__wrap_it_in_synchronizer =
    assumptions_of<P>().time != timing::synchronous;

}  // namespace caucus
