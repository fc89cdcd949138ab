// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/multicast/views/change.hpp>
#include <caucus/multicast/views/messages.hpp>
#include <caucus/multicast/views/roster.hpp>
#include <caucus/multicast/views/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

namespace caucus::detail {

/// How the members of a view agree upon what comes after it: single-decree Paxos. Any of them may
/// try; who has promised a later attempt refuses, and what a quorum has accepted is proposed by all
/// later ones. A quorum has to answer, too: so who proposes knows what may have been decided.
///
/// `views` says when to try, and what of a message is of this view; it is told what was decided.
template <class Id, class Payload, bool by_majority, class Rules>
class agreement {
    using messages = view_messages<Id, Payload>;
    using message = typename messages::message;
    using change = detail::change<Id, Payload>;
    using ballot = detail::ballot<Id, Payload>;
    using stage = typename ballot::stage;
    using group = roster<Id, Rules>;
    using received_type = messages_by_rank<Payload>;

public:
    constexpr bool is_blocked() const { return ballot_.is_blocked(); }
    constexpr bool is_trying() const { return ballot_.at != stage::idle; }
    constexpr std::size_t attempts() const { return ballot_.promised.count; }
    constexpr void forget() { ballot_ = {}; }

    // As coordinator

    constexpr void prepare(const group& who, const received_type& received, auto& env) {
        const std::uint32_t highest =
            ballot_.promised.count < ballot_.seen ? ballot_.seen : ballot_.promised.count;
        const auto rank = static_cast<std::uint32_t>(*who.rank_of(who.self));
        ballot_.become_preparing({highest + 1, rank});
        ballot_.note_answer(who.own_slot(), received, ballot_.accepted, true);
        call(typename messages::prepare{who.now.number, ballot_.mine}, who, env);
    }
    /// What is decided by now, if it is, of which all others have been told.
    constexpr std::optional<change> progress(const group& who, auto& env) {
        if (ballot_.at == stage::preparing && is_answered(who)) propose(who, env);
        if (ballot_.at != stage::proposing || !is_accepted(who)) return std::nullopt;
        tell(*ballot_.proposal, who, env);
        return ballot_.proposal;
    }
    /// To one that may have missed it.
    constexpr void say_again(port to, const group& who, auto& env) const {
        const std::uint64_t view = who.now.number;
        if (ballot_.at == stage::preparing)
            env.send(to, message{typename messages::prepare{view, ballot_.mine}});
        if (ballot_.at == stage::proposing)
            env.send(to, message{typename messages::propose{view, ballot_.mine,
                                                            *ballot_.proposal}});
    }

    constexpr void note(const typename messages::answered& m, port from, const group& who) {
        if (is_mine(m, stage::preparing, who) && who.rank_of(from))
            ballot_.note_answer(from, m.received, m.accepted, who.obeys(rule::F3));
    }
    constexpr void note(const typename messages::accepted& m, port from, const group& who) {
        if (is_mine(m, stage::proposing, who) && who.rank_of(from)) ballot_.accepts.insert(from);
    }
    /// Has it given up, for a later attempt than its own?
    constexpr bool note(const typename messages::refused& m, const group& who) {
        if (m.view != who.now.number || is_absurd(m.promised, who)) return false;
        if (ballot_.seen < m.promised.count) ballot_.seen = m.promised.count;
        if (ballot_.at == stage::idle || m.promised < ballot_.mine) return false;
        ballot_.become_idle();
        return true;
    }

    // As any member

    /// Does it? Else it has promised a later attempt, and says so.
    constexpr bool promise(const typename messages::prepare& m, port from, const group& who,
                           const received_type& received, auto& env) {
        if (is_absurd(m.in, who) || is_outdone(m, from, who, env)) return false;
        ballot_.become_promised(m.in);
        env.send(from, message{typename messages::answered{m.view, m.in, received,
                                                           ballot_.accepted}});
        return true;
    }
    constexpr void accept(const typename messages::propose& m, port from, const group& who,
                          auto& env) {
        if (is_absurd(m.in, who) || is_outdone(m, from, who, env)) return;
        ballot_.become_promised(m.in);
        ballot_.accepted = vote<Id, Payload>{m.in, m.what};
        env.send(from, message{typename messages::accepted{m.view, m.in}});
    }

    static constexpr auto fields(auto& self) { return std::tie(self.ballot_); }

private:
    /// Nobody tries so often; one more could not be counted.
    static constexpr bool is_absurd(const attempt& a, const group& who) {
        return a.count == std::numeric_limits<std::uint32_t>::max() ||
               a.rank >= who.now.members.size();
    }
    constexpr bool is_outdone(const auto& m, port from, const group& who, auto& env) const {
        if (!(m.in < ballot_.promised) || !who.obeys(rule::P1)) return false;
        if (who.obeys(rule::N1))
            env.send(from, message{typename messages::refused{m.view, ballot_.promised}});
        return true;
    }
    constexpr bool is_mine(const auto& m, stage s, const group& who) const {
        return m.view == who.now.number && ballot_.at == s && m.in == ballot_.mine;
    }

    constexpr void call(const auto& m, const group& who, auto& env) const {
        who.each_other_member([&](port to, const member<Id>& each) {
            if (by_majority || !who.is_suspect(each)) env.send(to, message{m});
        });
    }
    constexpr bool is_answered(const group& who) const {
        if (by_majority && !who.is_majority(ballot_.answered.size())) return false;
        return who.are_all_unsuspected_in(ballot_.answered) || !who.obeys(rule::P4);
    }
    constexpr bool is_accepted(const group& who) const {
        if (!who.obeys(rule::P3)) return true;
        if (by_majority) return who.is_majority(ballot_.accepts.size());
        return who.are_all_unsuspected_in(ballot_.accepts);
    }
    constexpr void propose(const group& who, auto& env) {
        const bool is_open = !ballot_.best || !who.obeys(rule::P2);
        ballot_.become_proposing(is_open ? who.next(ballot_.gathered) : ballot_.best->what);
        ballot_.accepted = vote<Id, Payload>{ballot_.mine, *ballot_.proposal};
        ballot_.accepts.insert(who.own_slot());
        call(typename messages::propose{who.now.number, ballot_.mine, *ballot_.proposal}, who, env);
    }
    /// Those who were in, and those who are now.
    static constexpr void tell(const change& coming, const group& who, auto& env) {
        const message decided{typename messages::decide{coming}};
        who.each_other_member([&](port to, const member<Id>& m) {
            if (!by_majority && who.is_suspect(m)) return;
            if (who.is_in(coming.members, m) || who.obeys(rule::D8)) env.send(to, decided);
        });
        for (const member<Id>& m : coming.members)
            if (!who.is_in(who.now.members, m)) env.send(*who.slot_of(m.id), decided);
    }

    ballot ballot_{};
};

}  // namespace caucus::detail
