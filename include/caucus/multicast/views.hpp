// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/environment.hpp>
#include <caucus/core/error.hpp>
#include <caucus/core/identity.hpp>
#include <caucus/core/model.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/policy.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/core/request.hpp>
#include <caucus/multicast/outcomes.hpp>
#include <caucus/multicast/views/change.hpp>
#include <caucus/multicast/views/later.hpp>
#include <caucus/multicast/views/rules.hpp>
#include <caucus/multicast/views/suspicions.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace caucus {

/// Whose consent a change of view needs: that of all members that are not suspected. For a perfect
/// detector, which names lives if members come back.
struct all_unsuspected { using decides = quorum; };

struct views_options {
    /// Of each member, in one view: then the view ends, and a new one of the same members begins.
    std::size_t messages_max = 1024;

    constexpr views_options checked() const {
        if (messages_max == 0) refuse("views: messages_max is 0; nobody could send");
        return *this;
    }
};

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
/// A member is an id and a life: whoever returns from a crash or was expelled keeps nothing, and
/// joins under a greater life. Every member keeps messages of one view, messages_max of each other,
/// and for later views 64 more than that of each; it keeps one decision of the past.
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
    using member_type = member<Id>;
    using members_type = std::vector<member_type>;
    using change = detail::change<Id, Payload>;
    using vote = detail::vote<Id, Payload>;
    using ballot = detail::ballot<Id, Payload>;
    using stage = typename ballot::stage;

public:
    using attempt = detail::attempt;
    /// The number-th message of its sender in that view.
    struct data {
        std::uint64_t view;
        std::uint64_t number;
        Payload payload;
        static constexpr auto fields(auto& m) { return std::tie(m.view, m.number, m.payload); }
    };
    struct prepare { std::uint64_t view; attempt in; };
    /// A promise: with all that it has received, and the last change that it has accepted.
    struct answered {
        std::uint64_t view;
        attempt in;
        detail::messages_by_rank<Payload> received;
        std::optional<vote> accepted;
        static constexpr auto fields(auto& m) {
            return std::tie(m.view, m.in, m.received, m.accepted);
        }
    };
    struct refused { std::uint64_t view; attempt promised; };
    struct propose {
        std::uint64_t view;
        attempt in;
        change what;
        static constexpr auto fields(auto& m) { return std::tie(m.view, m.in, m.what); }
    };
    struct accepted { std::uint64_t view; attempt in; };
    struct decide {
        change what;
        static constexpr auto fields(auto& m) { return std::tie(m.what); }
    };
    /// I am in that view, or in none: tell me when you are further.
    struct nudge { std::optional<std::uint64_t> view; caucus::life life; };
    struct joining { caucus::life life; bool again; };   // again: it may have been admitted
    struct leaving { caucus::life life; };
    using message = std::variant<data, prepare, answered, refused, propose, accepted, decide, nudge,
                                 joining, leaving>;
    using timer = nothing;
    using outcome =
        std::variant<view<Id>, delivered<Id, Payload>, departed, expelled, stalled>;
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
        // Majority: all are asked, also whom one suspects, and all others nudge the coordinator.
        return just(by_majority ? 3 * survivors + 3 * (survivors - 1) : 5 * (survivors - 1));
    }
    /// So many at the same time, if there are two members or more; else one after the other.
    static constexpr cost per_join(std::size_t members, std::size_t joiners, std::size_t slots) {
        return just(joiners * slots + 5 * (members - 1));
    }
    static constexpr cost per_leave(std::size_t members) { return just(6 * (members - 1)); }

    /// peers[p] is the id behind port p; the first members, in this order, are some of them and
    /// this node, the same at every node. Policies that are named as types need not be given again.
    template <class Range, class Members, class... Given>
        requires(... && detail::fits_one_of<Given, Policies...>)
    constexpr views(Id self, const Range& peers, const Members& first_members,
                    views_options options = {}, Given... policies)
        : self_(self), options_(options.checked()),
          rules_(pick<obeying, rules_type>(policies...)) {
        for (const auto& peer : peers) {
            CAUCUS_ASSERT(!(peer == self));
            peers_.push_back(peer);
        }
        for (const auto& first : first_members) {
            CAUCUS_ASSERT(slot_of(first).has_value());
            first_.push_back(first);
        }
        if (is_listed(first_, self_)) begin_as_member();
    }
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
        : self_(like.self_), peers_(like.peers_), first_(like.first_), options_(like.options_),
          rules_(like.rules_) {
        if (is_listed(first_, self_)) begin_as_member();
    }

    constexpr void start(environment_for<views> auto& env) { tell_first_view(env); }

    constexpr answer broadcast(const Payload& p, environment_for<views> auto& env) {
        tell_first_view(env);
        if (is_full()) lead(env);   // alone it has another view at once
        if (phase_ != phase::in) return answer::not_a_member;
        if (is_blocked() && obeys(rule::F2)) return answer::blocked;
        const std::size_t mine = *rank_of(self_);
        const std::uint64_t number = received_[mine].size();
        if (number >= options_.messages_max) return answer::no_room;
        take(mine, p, env);
        each_other_member([&](port to, const member_type&) {
            env.send(to, message{data{now_.number, number, p}});
        });
        return answer::accepted;
    }
    constexpr answer join(environment_for<views> auto& env) {
        tell_first_view(env);
        if (phase_ == phase::in) return answer::already_inside;
        if (phase_ == phase::waiting) return answer::already_waiting;
        if (phase_ == phase::out) become_another_life({life_.incarnation, life_.stay + 1});
        phase_ = phase::waiting;
        ask_all(false, env);
        return answer::accepted;
    }
    constexpr answer depart(environment_for<views> auto& env) {
        tell_first_view(env);
        if (phase_ != phase::in) return answer::not_a_member;
        if (wants_out_) return answer::already_waiting;
        wants_out_ = true;
        leavers_.insert(own_slot(), life_);
        each_other_member([&](port to, const member_type&) {
            env.send(to, message{leaving{life_}});
        });
        lead(env);
        return answer::accepted;
    }

    constexpr void on(const recovered<>& r, environment_for<views> auto& env) {
        is_begun_ = true;
        become_another_life({r.incarnation, 0});
        // Back before anybody has suspected it, its former life would stay a member.
        if (obeys(rule::I3)) env.broadcast(message{nudge{std::nullopt, life_}});
    }
    constexpr void on(suspect s, environment_for<views> auto& env) {
        tell_first_view(env);
        if (is_stranger(s.whom) || !suspicions_.hear(s)) return;
        if (!by_majority && joiners_[s.whom] && suspicions_.covers(s.whom, *joiners_[s.whom]))
            joiners_.erase(s.whom);
        if (phase_ == phase::waiting && obeys(rule::J1)) ask_all(true, env);
        if (phase_ == phase::in) go_on_without(s.whom, env);
    }
    constexpr void on(trust t, environment_for<views> auto& env) {
        tell_first_view(env);
        if (is_stranger(t.whom) || !suspicions_.hear(t)) return;
        if (phase_ == phase::waiting && obeys(rule::J6))
            env.send(t.whom, message{joining{life_, true}});
        say_if_stalled(env);
        lead(env);
        progress(env);   // trust in a later life ends the one before
        if (by_majority && phase_ == phase::in && needs_change() && obeys(rule::D11)) doubt(env);
    }
    template <kind_of<message> Kind>
    constexpr void on(const Kind& m, port from, environment_for<views> auto& env) {
        tell_first_view(env);
        if (!is_stranger(from)) handle(m, from, env);
    }

    constexpr const Id& id() const { return self_; }
    constexpr const auto& peers() const { return peers_; }
    constexpr caucus::life life() const { return life_; }
    constexpr bool is_member() const { return phase_ == phase::in; }
    constexpr bool is_waiting() const { return phase_ == phase::waiting; }
    constexpr bool is_blocked() const { return ballot_.is_blocked(); }
    constexpr bool is_stalled() const { return is_stalled_; }
    constexpr bool suspects(port p) const { return suspicions_.contains(p); }
    /// The last one that it has installed; without members if it is in none.
    constexpr const view<Id>& current() const { return now_; }
    /// How often somebody has tried to end this view, as far as it knows.
    constexpr std::size_t attempts() const { return ballot_.promised.count; }
    /// Of messages and decisions: what does not grow however long the group lasts.
    constexpr std::size_t kept_for_later() const { return later_.size(); }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.life_, self.is_begun_, self.phase_, self.now_, self.born_,
                        self.last_, self.newcomers_, self.received_, self.suspicions_, self.latest_,
                        self.joiners_, self.leavers_, self.nudgers_, self.wants_out_,
                        self.is_stalled_, self.ballot_, self.later_);
    }

private:
    template <class, class, class...>
    friend class views;
    static constexpr cost just(std::uint64_t messages) {
        return {messages, messages, static_cast<double>(messages)};
    }
    enum class phase : std::uint8_t { idle, waiting, in, out };

    constexpr bool obeys(rule r) const { return rules_.has(r); }

    // Who is who

    constexpr bool is_stranger(port p) const { return p >= peers_.size(); }
    constexpr port own_slot() const { return port{peers_.size()}; }
    constexpr std::optional<port> slot_of(const Id& id) const {
        if (id == self_) return own_slot();
        for (const port p : ports(peers_.size()))
            if (peers_[p] == id) return p;
        return std::nullopt;
    }
    constexpr const Id& id_at(port slot) const {
        return slot == own_slot() ? self_ : peers_[slot];
    }
    constexpr member_type me() const { return {self_, life_}; }
    static constexpr bool is_listed(const std::vector<Id>& ids, const Id& id) {
        for (const Id& each : ids)
            if (each == id) return true;
        return false;
    }
    static constexpr bool is_in(const members_type& list, const member_type& m) {
        for (const member_type& each : list)
            if (each == m) return true;
        return false;
    }
    /// In the present view.
    constexpr std::optional<std::size_t> rank_of(const Id& id) const {
        for (std::size_t rank = 0; rank < now_.members.size(); ++rank)
            if (now_.members[rank].id == id) return rank;
        return std::nullopt;
    }
    constexpr bool is_owner(const attempt& a, port from) const {
        return a.count != 0 && a.rank < now_.members.size() &&
               now_.members[a.rank].id == peers_[from];
    }
    constexpr void each_other_member(auto act) const {
        for (const member_type& m : now_.members)
            if (const port slot = *slot_of(m.id); slot != own_slot()) act(slot, m);
    }

    constexpr bool is_suspect(port slot, const caucus::life& l) const {
        return slot != own_slot() && (suspicions_.covers(slot, l) || latest_.is_after(slot, l));
    }
    constexpr bool is_suspect(const member_type& m) const {
        return is_suspect(*slot_of(m.id), m.life);
    }
    constexpr const member_type& coordinator() const {
        std::size_t rank = 0;
        while (is_suspect(now_.members[rank])) ++rank;   // ends: nobody suspects itself
        return now_.members[rank];
    }
    constexpr bool is_coordinator() const { return coordinator().id == self_; }
    constexpr bool is_majority(std::size_t count) const { return 2 * count > now_.members.size(); }

    // What is to change

    constexpr bool is_new(port slot, const caucus::life& l) const {
        for (const member_type& b : born_)
            if (b.id == id_at(slot)) return b.life < l;
        return true;
    }
    constexpr bool may_join(port p) const {
        const std::optional<caucus::life>& j = joiners_[p];
        if (!j || is_suspect(p, *j) || (!is_new(p, *j) && obeys(rule::I1))) return false;
        const std::optional<std::size_t> rank = rank_of(peers_[p]);
        return !rank || (now_.members[*rank].life != *j && is_suspect(now_.members[*rank]));
    }
    constexpr bool may_any_join() const {
        for (const port p : ports(peers_.size()))
            if (may_join(p)) return true;
        return false;
    }
    constexpr bool is_leaving(const member_type& m) const {
        return leavers_[*slot_of(m.id)] == m.life;
    }
    constexpr bool is_full() const {
        for (const auto& of_one : received_)
            if (of_one.size() >= options_.messages_max) return true;
        return false;
    }
    constexpr bool needs_change() const {
        if (is_blocked() || is_full() || may_any_join()) return true;
        for (const member_type& m : now_.members)
            if (is_suspect(m) || is_leaving(m)) return true;
        return false;
    }
    constexpr std::size_t unsuspected() const {
        std::size_t count = 0;
        for (const member_type& m : now_.members) count += !is_suspect(m);
        return count;
    }
    constexpr void say_if_stalled(auto& env) {
        if constexpr (!by_majority) return;
        const bool stalls = phase_ == phase::in && !is_majority(unsuspected());
        if (stalls == is_stalled_) return;
        is_stalled_ = stalls;
        if (!stalls) return;
        env.report(outcome{stalled{}});
        doubt(env);
    }

    // The consensus, as coordinator

    constexpr void lead(auto& env) {
        if (phase_ != phase::in || !is_coordinator() || !needs_change()) return;
        if (ballot_.at != stage::idle) return progress(env);
        say_if_stalled(env);
        if (is_stalled_) return;
        const std::uint32_t highest =
            ballot_.promised.count < ballot_.seen ? ballot_.seen : ballot_.promised.count;
        ballot_.become_preparing({highest + 1, static_cast<std::uint32_t>(*rank_of(self_))});
        ballot_.note_answer(own_slot(), received_, ballot_.accepted, true);
        call(prepare{now_.number, ballot_.mine}, env);
        progress(env);
    }
    /// One is suspected, or a member's life is over: of whom one waits for an answer no longer, or
    /// who would have been the one to lead.
    constexpr void go_on_without(port whom, auto& env) {
        say_if_stalled(env);
        if (is_coordinator()) return lead(env);
        progress(env);
        if (phase_ == phase::in && rank_of(peers_[whom])) doubt(env);
    }
    constexpr void call(const auto& m, auto& env) const {
        each_other_member([&](port to, const member_type& each) {
            if (by_majority || !is_suspect(each)) env.send(to, message{m});
        });
    }
    constexpr bool have_all_unsuspected(const port_set<>& slots) const {
        for (const member_type& m : now_.members)
            if (const port slot = *slot_of(m.id); !is_suspect(m) && !slots.contains(slot))
                return false;
        return true;
    }
    constexpr void progress(auto& env) {
        if (ballot_.at == stage::preparing && is_answered()) propose_change(env);
        if (ballot_.at == stage::proposing && is_accepted()) decide_change(env);
    }
    constexpr bool is_answered() const {
        if (by_majority && !is_majority(ballot_.answered.size())) return false;
        return have_all_unsuspected(ballot_.answered) || !obeys(rule::P4);
    }
    constexpr bool is_accepted() const {
        if (!obeys(rule::P3)) return true;
        if (by_majority) return is_majority(ballot_.accepts.size());
        return have_all_unsuspected(ballot_.accepts);
    }
    constexpr void propose_change(auto& env) {
        ballot_.become_proposing(ballot_.best && obeys(rule::P2) ? ballot_.best->what
                                                                 : next_change());
        ballot_.accepted = vote{ballot_.mine, *ballot_.proposal};
        ballot_.accepts.insert(own_slot());
        call(propose{now_.number, ballot_.mine, *ballot_.proposal}, env);
    }
    constexpr change next_change() const {
        change coming{now_.number + 1, {}, ballot_.gathered, born_};
        // All of these have answered.
        const auto go_on = [&](bool leavers_too) {
            for (const member_type& m : now_.members)
                if (!is_suspect(m) && (leavers_too || !is_leaving(m))) coming.members.push_back(m);
        };
        go_on(false);
        if (coming.members.empty() && may_any_join()) go_on(true);   // somebody has to hand over
        for (const port p : ports(peers_.size())) {
            if (!may_join(p)) continue;
            const member_type newcomer{peers_[p], *joiners_[p]};
            coming.members.push_back(newcomer);
            bear(coming.born, newcomer);
        }
        return coming;
    }
    static constexpr void bear(members_type& born, const member_type& newcomer) {
        for (member_type& b : born)
            if (b.id == newcomer.id) return static_cast<void>(b.life = newcomer.life);
        born.push_back(newcomer);
    }
    constexpr void decide_change(auto& env) {
        const change coming = *ballot_.proposal;
        each_other_member([&](port to, const member_type& m) {
            if (!by_majority && is_suspect(m)) return;
            if (is_in(coming.members, m) || obeys(rule::D8)) env.send(to, message{decide{coming}});
        });
        for (const member_type& m : coming.members)
            if (!is_in(now_.members, m)) env.send(*slot_of(m.id), message{decide{coming}});
        nudgers_.clear();
        learn(coming, env);
    }

    // The consensus, as member

    /// If not: who is behind is told how that view ended, and what is ahead waits.
    template <class Kind>
    constexpr bool is_of_this_view(const Kind& m, port from, auto& env) {
        if (phase_ == phase::in && m.view == now_.number) return is_owner(m.in, from);
        const bool is_late = phase_ == phase::in && now_.number > m.view;
        if (phase_ == phase::out || (is_late && obeys(rule::D1))) tell_last(from, env);
        if (phase_ == phase::out || is_late) return false;
        if (phase_ != phase::idle && obeys(rule::B2)) keep(m, from);
        if (std::is_same_v<Kind, prepare> && obeys(rule::D4)) nudge_back(from, env);
        return false;
    }
    constexpr bool is_outdone(const auto& m, port from, auto& env) const {
        if (!(m.in < ballot_.promised) || !obeys(rule::P1)) return false;
        if (obeys(rule::N1)) env.send(from, message{refused{m.view, ballot_.promised}});
        return true;
    }
    constexpr void handle(const prepare& m, port from, auto& env) {
        if (!is_of_this_view(m, from, env) || is_outdone(m, from, env)) return;
        ballot_.become_promised(m.in);
        env.send(from, message{answered{m.view, m.in, received_, ballot_.accepted}});
        if (!is_suspect(now_.members[m.in.rank])) return;
        if (!is_coordinator()) return doubt(env);
        if (obeys(rule::N2)) lead(env);
    }
    constexpr void handle(const answered& m, port from, auto& env) {
        if (!is_mine(m, stage::preparing) || !rank_of(peers_[from]) || !is_sound(m)) return;
        ballot_.note_answer(from, m.received, m.accepted, obeys(rule::F3));
        progress(env);
    }
    constexpr void handle(const refused& m, port, auto& env) {
        if (phase_ != phase::in || m.view != now_.number ||
            m.promised.rank >= now_.members.size())
            return;
        if (ballot_.seen < m.promised.count) ballot_.seen = m.promised.count;
        if (ballot_.at == stage::idle || m.promised < ballot_.mine) return;
        ballot_.become_idle();
        // If its owner lives, it goes on; else nobody would.
        if (is_suspect(now_.members[m.promised.rank])) lead(env);
    }
    constexpr void handle(const propose& m, port from, auto& env) {
        if (!is_of_this_view(m, from, env) || is_outdone(m, from, env)) return;
        if (m.what.number != m.view + 1 || !is_sound(m.what)) return;
        ballot_.become_promised(m.in);
        ballot_.accepted = vote{m.in, m.what};
        env.send(from, message{accepted{m.view, m.in}});
    }
    constexpr void handle(const accepted& m, port from, auto& env) {
        if (!is_mine(m, stage::proposing) || !rank_of(peers_[from])) return;
        ballot_.accepts.insert(from);
        progress(env);
    }
    constexpr void handle(const decide& m, port from, auto& env) {
        if (!is_sound(m.what)) return;
        if (phase_ != phase::waiting || is_in(m.what.members, me())) return learn(m.what, env);
        for (const member_type& b : m.what.born) {
            if (!(b.id == self_) || b.life < life_ || !obeys(rule::J4)) continue;
            become_another_life({life_.incarnation, life_.stay + 1});
            phase_ = phase::waiting;
            ask_all(false, env);
            return;
        }
    }
    constexpr bool is_mine(const auto& m, stage s) const {
        return phase_ == phase::in && m.view == now_.number && ballot_.at == s &&
               m.in == ballot_.mine;
    }

    // Whatever arrives must not be able to make this node keep more than it is to, or look for
    // members that do not exist.
    constexpr bool is_sound(const members_type& listed) const {
        if (listed.size() > peers_.size() + 1) return false;
        for (std::size_t i = 0; i < listed.size(); ++i) {
            if (!slot_of(listed[i].id)) return false;
            for (std::size_t j = 0; j < i; ++j)
                if (listed[i].id == listed[j].id) return false;
        }
        return true;
    }
    constexpr bool is_sound(const detail::messages_by_rank<Payload>& some) const {
        if (some.size() > peers_.size() + 1) return false;
        for (const auto& of_one : some)
            if (of_one.size() > options_.messages_max) return false;
        return true;
    }
    constexpr bool is_sound(const change& c) const {
        return is_sound(c.members) && is_sound(c.born) && is_sound(c.before) &&
               (phase_ != phase::in || c.number != now_.number + 1 ||
                c.before.size() == now_.members.size());
    }
    constexpr bool is_sound(const answered& m) const {
        return is_sound(m.received) && m.received.size() == now_.members.size() &&
               (!m.accepted ||
                (m.accepted->what.number == m.view + 1 && is_sound(m.accepted->what)));
    }

    constexpr void learn(const change& coming, auto& env) {
        if (phase_ != phase::waiting && (phase_ != phase::in || coming.number <= now_.number))
            return;
        const bool stays = is_in(coming.members, me());
        // Whoever is in has answered in the view before: it cannot be two views behind.
        if (phase_ == phase::in && stays && coming.number != now_.number + 1) return;
        for (const port p : ports(peers_.size()))
            if (nudgers_.contains(p)) env.send(p, message{decide{coming}});
        nudgers_.clear();
        if (!stays) return become_out(coming, env);
        if (obeys(rule::F4)) deliver_rest(coming.before, env);
        install(coming, env);
    }
    constexpr void deliver_rest(const detail::messages_by_rank<Payload>& before, auto& env) {
        for (std::size_t rank = 0; rank < before.size() && rank < received_.size(); ++rank)
            for (std::size_t i = received_[rank].size(); i < before[rank].size(); ++i)
                take(rank, before[rank][i], env);
    }
    constexpr void install(const change& coming, auto& env) {
        become_member(coming);
        env.report(outcome{now_});
        handle_what_waited(env);
        if (obeys(rule::N3)) lead(env);
        say_if_stalled(env);
        const bool is_still_there = phase_ == phase::in && now_.number == coming.number;
        if (by_majority && is_still_there && needs_change() && obeys(rule::D12)) doubt(env);
    }
    constexpr void become_member(const change& coming) {
        newcomers_.clear();
        for (const member_type& m : coming.members)
            if (!is_in(now_.members, m)) newcomers_.push_back(m);
        now_ = {coming.number, coming.members};
        born_ = coming.born;
        last_ = coming;
        received_.assign(now_.members.size(), {});
        ballot_ = {};
        phase_ = phase::in;
        for (const port p : ports(peers_.size())) forget_joiner(p);
    }
    /// Those who have become members wait no longer.
    constexpr void forget_joiner(port p) {
        const std::optional<caucus::life>& j = joiners_[p];
        if (!j) return;
        const bool is_admitted = !is_new(p, *j) && obeys(rule::I1);
        if (is_admitted || is_in(now_.members, {peers_[p], *j})) joiners_.erase(p);
    }
    constexpr void become_out(const change& coming, auto& env) {
        const bool wanted = wants_out_;
        become_nobody();
        last_ = coming;
        phase_ = phase::out;
        if (wanted) env.report(outcome{departed{}});
        else env.report(outcome{expelled{}});
    }
    constexpr void become_another_life(const caucus::life& l) {
        become_nobody();
        life_ = l;
    }
    constexpr void become_nobody() {
        phase_ = phase::idle;
        now_ = {};
        born_.clear();
        last_.reset();
        newcomers_.clear();
        received_.clear();
        ballot_ = {};
        leavers_.clear();
        nudgers_.clear();
        later_.clear();
        wants_out_ = false;
        is_stalled_ = false;
    }

    // Those who do not know yet

    constexpr void tell_last(port to, auto& env) const {
        if (last_) env.send(to, message{decide{*last_}});
    }
    constexpr void nudge_back(port to, auto& env) const {
        const bool is_in_none = phase_ != phase::in;
        env.send(to, message{nudge{is_in_none ? std::nullopt : std::optional{now_.number}, life_}});
    }
    /// Does it wait for somebody who may be ahead?
    constexpr void doubt(auto& env) const {
        // Those who decided may be gone: then a newcomer of the next view knows of it, or nobody.
        if (is_stalled_ && obeys(rule::D13)) {
            for (const port p : ports(peers_.size()))
                if (!suspicions_.contains(p)) nudge_back(p, env);
            return;
        }
        if (is_coordinator() || !(is_blocked() ? obeys(rule::D3) : by_majority && obeys(rule::D5)))
            return;
        nudge_back(*slot_of(coordinator().id), env);
    }
    constexpr void handle(const nudge& m, port from, auto& env) {
        const bool ahead = m.view && (phase_ != phase::in || now_.number < *m.view);
        const bool is_back = m.life.incarnation > latest_.incarnation_of(from);
        const bool is_news = note_life(from, m.life);
        // Its former life may have known that this one is admitted, and told nobody else.
        if (phase_ == phase::waiting && is_back && obeys(rule::J1)) ask_all(true, env);
        else if (phase_ == phase::waiting && is_news && !m.view)
            env.send(from, message{joining{life_, true}});
        if (phase_ == phase::out) return tell_last(from, env);
        if (phase_ == phase::idle || phase_ == phase::waiting) {
            if (ahead) nudge_back(from, env);
            if (ahead && phase_ == phase::waiting && obeys(rule::D10)) keep(m, from);
            return;
        }
        if (is_over_as_member(from)) return go_on_without(from, env);
        if (is_back && obeys(rule::I4)) say_again(from, m.life, env);
        if (ahead) {
            nudge_back(from, env);
            if (obeys(rule::D10)) keep(m, from);
        } else if (m.view == now_.number) {
            if (obeys(rule::D9)) nudgers_.insert(from);
        } else if (obeys(rule::D2) && (m.view || !is_new(from, m.life))) {
            tell_last(from, env);
        }
    }

    /// Links may have lost what was sent to that life before they had heard of it.
    constexpr void say_again(port to, const caucus::life& l, auto& env) const {
        if (!is_in(now_.members, {peers_[to], l})) return;
        const std::vector<Payload>& sent = received_[*rank_of(self_)];
        for (std::size_t i = 0; i < sent.size(); ++i)
            env.send(to, message{data{now_.number, i, sent[i]}});
        if (wants_out_) env.send(to, message{leaving{life_}});
        if (ballot_.at == stage::preparing)
            env.send(to, message{prepare{now_.number, ballot_.mine}});
        if (ballot_.at == stage::proposing)
            env.send(to, message{propose{now_.number, ballot_.mine, *ballot_.proposal}});
        if (is_blocked() || is_stalled_) nudge_back(to, env);
    }

    // Joining and leaving

    constexpr void ask_all(bool again, auto& env) const {
        for (const port p : ports(peers_.size()))
            if (!suspicions_.contains(p)) env.send(p, message{joining{life_, again}});
    }
    /// Earlier lives of it are over. Is that news?
    constexpr bool note_life(port p, const caucus::life& l) {
        if (!obeys(rule::I2) || latest_.covers(p, l)) return false;
        latest_.insert(p, l);
        return true;
    }
    constexpr bool is_over_as_member(port p) const {
        const std::optional<std::size_t> rank = rank_of(peers_[p]);
        return rank && latest_.is_after(p, now_.members[*rank].life);
    }
    constexpr void handle(const joining& m, port from, auto& env) {
        note_life(from, m.life);
        if (phase_ != phase::in) {
            if (!obeys(rule::J2)) return;
            joiners_.insert(from, m.life);
            if (m.again && phase_ == phase::waiting && obeys(rule::J5)) nudgers_.insert(from);
            return;
        }
        if (const member_type asks{peers_[from], m.life}; is_in(now_.members, asks)) {
            if (is_in(newcomers_, asks) && obeys(rule::J3)) tell_last(from, env);
            return;
        }
        if (!is_new(from, m.life) && obeys(rule::I1)) {
            if (obeys(rule::J8)) tell_last(from, env);
            return;
        }
        if (is_suspect(from, m.life) && !obeys(rule::J7)) return;
        if (m.again && obeys(rule::J5)) nudgers_.insert(from);
        joiners_.insert(from, m.life);
        if (is_stalled_ && obeys(rule::D13)) nudge_back(from, env);   // it may be in the next view
        if (is_over_as_member(from)) return go_on_without(from, env);
        lead(env);
    }
    constexpr void handle(const leaving& m, port from, auto& env) {
        if (phase_ == phase::out || phase_ == phase::idle) return;
        leavers_.insert(from, m.life);
        lead(env);
    }

    // Messages of the group

    constexpr void handle(const data& m, port from, auto& env) {
        if (phase_ == phase::waiting || (phase_ == phase::in && now_.number < m.view)) {
            if (obeys(rule::B1)) keep(m, from);
            return;
        }
        if (phase_ != phase::in || now_.number > m.view || (is_blocked() && obeys(rule::F1)))
            return;   // what is missed here is delivered before the next view
        const std::optional<std::size_t> rank = rank_of(peers_[from]);
        if (!rank || m.number != received_[*rank].size() || m.number >= options_.messages_max)
            return;
        take(*rank, m.payload, env);
        if (is_full()) lead(env);
    }
    constexpr void take(std::size_t rank, const Payload& p, auto& env) {
        received_[rank].push_back(p);
        env.report(outcome{delivered<Id, Payload>{now_.members[rank].id, p}});
    }
    constexpr void keep(const auto& m, port from) {
        later_.keep(message{m}, from, options_.messages_max + 64);
    }
    constexpr void handle_what_waited(auto& env) {
        for (const auto& each : later_.take_all()) {
            if (phase_ == phase::out) return;
            visit_kind(each.what, [&]<class Kind>(const Kind& m) {
                // Of an older view: the past, but for whoever asks how it ended.
                if constexpr (!std::is_same_v<Kind, nudge> && requires { now_.number > m.view; })
                    if (now_.number > m.view) return;
                handle(m, each.from, env);
            });
        }
    }

    constexpr void begin_as_member() {
        for (const Id& each : first_) now_.members.push_back({each, {}});
        born_ = now_.members;
        received_.resize(first_.size());
        phase_ = phase::in;
    }
    /// Reached before it was started, a member begins with that.
    constexpr void tell_first_view(auto& env) {
        if (is_begun_) return;
        is_begun_ = true;
        if (phase_ == phase::in) env.report(outcome{now_});
    }

    Id self_;
    std::vector<Id> peers_{};
    std::vector<Id> first_{};
    views_options options_{};
    caucus::life life_{};
    bool is_begun_ = false;
    phase phase_ = phase::idle;
    view<Id> now_{};
    members_type born_{};            // the greatest life ever admitted, of each id
    std::optional<change> last_{};   // what made this view, or ended the last
    members_type newcomers_{};       // of this view
    detail::messages_by_rank<Payload> received_{};
    detail::suspicions suspicions_{};
    detail::lives_by_port latest_{};   // that it has heard of, whoever it was itself
    detail::lives_by_port joiners_{};
    detail::lives_by_port leavers_{};
    port_set<> nudgers_{};
    bool wants_out_ = false;
    bool is_stalled_ = false;
    ballot ballot_{};
    detail::later_messages<message> later_{};
    [[no_unique_address]] rules_type rules_{};
};

}  // namespace caucus
