// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/environment.hpp>
#include <caucus/core/identity.hpp>
#include <caucus/core/model.hpp>
#include <caucus/core/policy.hpp>
#include <caucus/core/request.hpp>
#include <caucus/multicast/outcomes.hpp>
#include <caucus/multicast/views/group_member.hpp>
#include <caucus/multicast/views/messages.hpp>
#include <caucus/multicast/views/options.hpp>
#include <caucus/multicast/views/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <variant>

namespace caucus {

/// Whose consent a change of view needs: that of all members that are not suspected. For a perfect
/// detector, which names lives if members come back.
struct all_unsuspected { using decides = quorum; };

/// A group whose members see the same views in the same order, and between two views deliver the
/// same messages. Every view is agreed upon by the members of the one before: a consensus in the
/// manner of Paxos (prepare, propose, decide) about the next members and the messages before them.
///
/// Model     complete network, unique ids known to all; reliable links, fifo; a detector: perfect
///           (it need not wait for messages of the dead), majority: any
/// Safety    views are numbered; all of a number are equal; whoever goes from one to the next has
///           delivered what all others who do have; what is delivered was sent in that view, once,
///           each sender's in order. All of it holds for those that crash later, too
/// Liveness  when suspicions are right, and by majority more than half of the view lives: all who
///           live and have not left are in the last view, and deliver what is sent in it
/// Cost      n-1 a broadcast, for n members. A change without further faults: by crash 5(n-2),
///           majority 6n-9; by j that join, of N slots, jN+5(n-1); by one that leaves 6(n-1); five
///           delays after the suspicion, six after the wish
/// Faults    any number of crashes; majority: fewer than half, else stalled; a wrong suspicion
///           expels a member, which may join again (all_unsuspected: it breaks safety)
/// Source    Birman & Joseph, SOSP 1987 (virtual synchrony); Lamport, TOCS 16(2), 1998 (consensus)
///
/// Outcomes come in this order: `view`, then what is `delivered` in it, one's own messages at once;
/// before the next `view`, or `departed`, the rest of what the others have had. Whoever is out
/// hears of nothing. A request or a message is handled through before the next.
///
/// A member is an id and a life: whoever returns from a crash or was expelled keeps nothing, and
/// joins under a greater life. A newcomer starts with no state of the application: let the first
/// member that has it broadcast it as it was when the view began (examples/replicated_counter.cpp).
///
/// Room: a member keeps all messages of its view, as others may need them: messages_max of each,
/// and for later views 64 more than that; and one decision of the past. A full view ends, and until
/// then broadcast says no_room. So a slow member slows all, who can be ahead of it by one view at
/// most, until the detector suspects it: then it is expelled. All of it lives on the heap.
///
/// `Payload` what is sent. `Id` any identity; the default int.
/// quorum    all_unsuspected or majority. Default all_unsuspected: the group may shrink to one.
template <class Payload, class Id = int, class... Policies>
class views {
    static_assert(detail::ids_can_elect<Id>());
    static_assert(roles<quorum, obeying>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using quorum_type = policy<quorum, all_unsuspected, Policies...>;
    using rules_type = policy<obeying, every_rule, Policies...>;
    static constexpr bool by_majority = std::is_same_v<quorum_type, majority>;
    static_assert(by_majority || std::is_same_v<quorum_type, all_unsuspected>,
                  "takes_all_unsuspected_or_majority");
    using messages = detail::view_messages<Id, Payload>;

public:
    using attempt = detail::attempt;
    using data = typename messages::data;
    using prepare = typename messages::prepare;
    using answered = typename messages::answered;
    using refused = typename messages::refused;
    using propose = typename messages::propose;
    using accepted = typename messages::accepted;
    using decide = typename messages::decide;
    using nudge = typename messages::nudge;
    using joining = typename messages::joining;
    using leaving = typename messages::leaving;
    using message = typename messages::message;
    using timer = nothing;
    using outcome = typename messages::outcome;
    using payload = Payload;
    using requests = std::variant<request::start, request::broadcast<Payload>, request::join,
                                  request::depart>;
    template <class Other>
    using with_payload = views<Other, Id, Policies...>;

    static constexpr ordering delivers = ordering::fifo;
    static constexpr model assumes = {shape::complete, perfect_links, naming::distinct,
                                      timing::asynchronous, false};
    // Of that many members before. Of changes: by one event, if nothing else happens meanwhile.
    static constexpr cost per_broadcast(std::size_t members) { return just(members - 1); }
    /// Of one member, which all others come to suspect at the same time.
    static constexpr cost per_crash(std::size_t members) {
        const std::uint64_t survivors = members - 1;
        // Nobody is left, or too few: then the view stays.
        if (survivors < (by_majority ? 2u : 1u)) return just(0);
        // Majority: all are asked, also whom one suspects, and all others nudge the coordinator.
        return just(by_majority ? 3 * survivors + 3 * (survivors - 1) : 5 * (survivors - 1));
    }
    /// So many at the same time.
    static constexpr cost per_join(std::size_t members, std::size_t joiners, std::size_t slots) {
        // One alone lets the first in at once, and asks it about the others; by majority that one,
        // which knows of them, too, nudges.
        if (members == 1) return just(joiners * slots + (joiners < 2 ? 0 : by_majority ? 6 : 5));
        return just(joiners * slots + 5 * (members - 1));
    }
    static constexpr cost per_leave(std::size_t members) { return just(6 * (members - 1)); }

    /// peers[p] is the id behind port p; the first members, in this order, are some of them and
    /// this node, the same at every node. Policies that are named as types need not be given again.
    template <class Range, class Members, class... Given>
        requires(... && detail::fits_one_of<Given, Policies...>)
    constexpr views(Id self, const Range& peers, const Members& first_members,
                    views_options options = {}, Given... policies)
        : group_(self, peers, first_members, options, pick<obeying, rules_type>(policies...)) {}
    /// The same, with all options left out.
    template <class Range, class Members, detail::fits_one_of<Policies...> First,
              detail::fits_one_of<Policies...>... Rest>
    constexpr views(Id self, const Range& peers, const Members& first_members, First first,
                    Rest... rest)
        : views(self, peers, first_members, {}, first, rest...) {}

    /// Another payload, the same group; nothing has happened there yet.
    template <class Other>
        requires(!std::is_same_v<Other, Payload>)
    constexpr explicit views(const views<Other, Id, Policies...>& like)
        : group_(like.group_) {}

    constexpr void start(environment_for<views> auto& env) { group_.start(env); }
    constexpr answer broadcast(const Payload& p, environment_for<views> auto& env) {
        return group_.broadcast(p, env);
    }
    constexpr answer join(environment_for<views> auto& env) { return group_.join(env); }
    constexpr answer depart(environment_for<views> auto& env) { return group_.depart(env); }

    constexpr void on(const recovered<>& r, environment_for<views> auto& env) { group_.on(r, env); }
    constexpr void on(suspect s, environment_for<views> auto& env) { group_.on(s, env); }
    constexpr void on(trust t, environment_for<views> auto& env) { group_.on(t, env); }
    template <kind_of<message> Kind>
    constexpr void on(const Kind& m, port from, environment_for<views> auto& env) {
        group_.hear(m, from, env);
    }

    constexpr const Id& id() const { return group_.who().self; }
    constexpr const auto& peers() const { return group_.who().peers; }
    constexpr caucus::life life() const { return group_.who().life; }
    constexpr bool is_member() const { return group_.is_in(); }
    constexpr bool is_waiting() const { return group_.is_waiting(); }
    constexpr bool is_blocked() const { return group_.is_blocked(); }
    constexpr bool is_stalled() const { return group_.is_stalled(); }
    constexpr bool suspects(port p) const { return group_.who().suspicions.contains(p); }
    /// The last one that it has installed; without members if it is in none.
    constexpr const view<Id>& current() const { return group_.who().now; }
    /// How often somebody has tried to end this view, as far as it knows.
    constexpr std::size_t attempts() const { return group_.attempts(); }
    /// Of messages and decisions: what does not grow however long the group lasts.
    constexpr std::size_t kept_for_later() const { return group_.kept_for_later(); }

    static constexpr auto fields(auto& self) { return std::tie(self.group_); }

private:
    template <class, class, class...>
    friend class views;
    static constexpr cost just(std::uint64_t messages) {
        return {messages, messages, static_cast<double>(messages)};
    }

    detail::group_member<Id, Payload, by_majority, rules_type> group_;
};

}  // namespace caucus
