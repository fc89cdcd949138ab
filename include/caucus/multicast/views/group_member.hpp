// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/input.hpp>
#include <caucus/core/kind.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/core/request.hpp>
#include <caucus/multicast/outcomes.hpp>
#include <caucus/multicast/views/agreement.hpp>
#include <caucus/multicast/views/change.hpp>
#include <caucus/multicast/views/later.hpp>
#include <caucus/multicast/views/messages.hpp>
#include <caucus/multicast/views/options.hpp>
#include <caucus/multicast/views/roster.hpp>
#include <caucus/multicast/views/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

namespace caucus::detail {

/// One process of a group with views: what it does at each request, message and suspicion. The
/// agreement upon the next view is a part of its own; here is when it is sought, what follows from
/// it, and how those hear of it who have missed it: most rules are about them.
template <class Id, class Payload, bool by_majority, class Rules>
class group_member {
    using messages = view_messages<Id, Payload>;
    using message = typename messages::message;
    using outcome = typename messages::outcome;
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
    using change = typename messages::change;
    using member_type = member<Id>;

public:
    constexpr group_member(Id self, const auto& peers, const auto& first_members,
                           views_options options, Rules rules)
        : who_(self, peers, first_members, rules), options_(options.checked()) {
        if (!who_.is_member()) return;
        received_.resize(who_.first.size());
        phase_ = phase::in;
    }
    /// The same, of another payload.
    template <class Other>
    constexpr explicit group_member(const group_member<Id, Other, by_majority, Rules>& like)
        : group_member(like.who_.self, like.who_.peers, like.who_.first, like.options_,
                       like.who_.rules) {}

    constexpr void start(auto& env) { tell_first_view(env); }

    constexpr answer broadcast(const Payload& p, auto& env) {
        tell_first_view(env);
        if (is_full()) lead(env);   // alone it has another view at once
        if (!is_in()) return answer::not_a_member;
        if (is_blocked() && obeys(rule::F2)) return answer::blocked;
        const std::size_t mine = *who_.rank_of(who_.self);
        const std::uint64_t number = received_[mine].size();
        if (number >= options_.messages_max) return answer::no_room;
        take(mine, p, env);
        who_.each_other_member([&](port to, const member_type&) {
            env.send(to, message{data{who_.now.number, number, p}});
        });
        return answer::accepted;
    }
    constexpr answer join(auto& env) {
        tell_first_view(env);
        if (is_in()) return answer::already_inside;
        if (is_waiting()) return answer::already_waiting;
        if (phase_ == phase::out) return join_anew(env), answer::accepted;
        become_waiting(env);
        return answer::accepted;
    }
    constexpr answer depart(auto& env) {
        tell_first_view(env);
        if (!is_in()) return answer::not_a_member;
        if (wants_out_) return answer::already_waiting;
        wants_out_ = true;
        who_.leavers.insert(who_.own_slot(), who_.life);
        who_.each_other_member([&](port to, const member_type&) {
            env.send(to, message{leaving{who_.life}});
        });
        lead(env);
        return answer::accepted;
    }

    constexpr void on(const recovered<>& r, auto& env) {
        is_begun_ = true;
        become_another_life({r.incarnation, 0});
        // Back before anybody has suspected it, its former life would stay a member.
        if (obeys(rule::I3)) env.broadcast(message{nudge{std::nullopt, who_.life}});
    }
    constexpr void on(suspect s, auto& env) {
        tell_first_view(env);
        if (who_.is_stranger(s.whom) || !who_.suspicions.hear(s)) return;
        if (!by_majority && who_.is_suspected_joiner(s.whom)) who_.joiners.erase(s.whom);
        if (is_waiting() && obeys(rule::J1)) ask_all(true, env);
        if (is_in()) go_on_without(s.whom, env);
    }
    constexpr void on(trust t, auto& env) {
        tell_first_view(env);
        if (who_.is_stranger(t.whom) || !who_.suspicions.hear(t)) return;
        if (is_waiting() && obeys(rule::J6))
            env.send(t.whom, message{joining{who_.life, true}});
        say_if_stalled(env);
        lead(env);
        progress(env);   // trust in a later life ends the one before
        if (by_majority && is_in() && needs_change() && obeys(rule::D11)) doubt(env);
    }
    constexpr void hear(const auto& m, port from, auto& env) {
        tell_first_view(env);
        if (!who_.is_stranger(from)) handle(m, from, env);
    }

    constexpr const roster<Id, Rules>& who() const { return who_; }
    constexpr bool is_in() const { return phase_ == phase::in; }
    constexpr bool is_waiting() const { return phase_ == phase::waiting; }
    constexpr bool is_blocked() const { return agreed_.is_blocked(); }
    constexpr bool is_stalled() const { return is_stalled_; }
    constexpr std::size_t attempts() const { return agreed_.attempts(); }
    constexpr std::size_t kept_for_later() const { return later_.size(); }

    static constexpr auto fields(auto& self) {
        return std::tie(self.who_, self.is_begun_, self.phase_, self.last_, self.received_,
                        self.nudgers_, self.wants_out_, self.is_stalled_, self.agreed_,
                        self.later_);
    }

private:
    template <class, class, bool, class>
    friend class group_member;
    enum class phase : std::uint8_t { idle, waiting, in, out };

    constexpr bool obeys(rule r) const { return who_.obeys(r); }

    // When to change the view

    constexpr bool is_full() const {
        for (const auto& of_one : received_)
            if (of_one.size() >= options_.messages_max) return true;
        return false;
    }
    constexpr bool needs_change() const {
        return is_blocked() || is_full() || who_.wants_change();
    }
    constexpr void say_if_stalled(auto& env) {
        if constexpr (!by_majority) return;
        const bool stalls = is_in() && !who_.is_majority(who_.unsuspected());
        if (stalls == is_stalled_) return;
        is_stalled_ = stalls;
        if (!stalls) return;
        env.report(outcome{stalled{}});
        doubt(env);
    }

    constexpr void lead(auto& env) {
        if (!is_in() || !who_.is_coordinator() || !needs_change()) return;
        if (agreed_.is_trying()) return progress(env);
        say_if_stalled(env);
        if (is_stalled_) return;
        agreed_.prepare(who_, received_, env);
        progress(env);
    }
    constexpr void progress(auto& env) {
        const std::optional<change> decided = agreed_.progress(who_, env);
        if (!decided) return;
        nudgers_.clear();   // who is not told yet would be told twice
        learn(*decided, env);
    }
    /// One is suspected, or a member's life is over: of whom one waits for an answer no longer, or
    /// who would have been the one to lead.
    constexpr void go_on_without(port whom, auto& env) {
        say_if_stalled(env);
        if (who_.is_coordinator()) return lead(env);
        progress(env);
        if (is_in() && who_.rank_of(whom)) doubt(env);
    }

    // What others do about it

    /// If not: who is behind is told how that view ended, and what is ahead waits.
    template <class Kind>
    constexpr bool is_of_this_view(const Kind& m, port from, auto& env) {
        if (is_in() && m.view == who_.now.number) return who_.is_owner(m.in, from);
        const bool is_late = is_in() && who_.now.number > m.view;
        if (phase_ == phase::out || (is_late && obeys(rule::D1))) tell_last(from, env);
        if (phase_ == phase::out || is_late) return false;
        if (phase_ != phase::idle && obeys(rule::B2)) keep(m, from);
        if (std::is_same_v<Kind, prepare> && obeys(rule::D4)) nudge_back(from, env);
        return false;
    }
    constexpr void handle(const prepare& m, port from, auto& env) {
        if (!is_of_this_view(m, from, env) || !agreed_.promise(m, from, who_, received_, env))
            return;
        if (!who_.is_suspect(who_.now.members[m.in.rank])) return;
        if (!who_.is_coordinator()) return doubt(env);
        if (obeys(rule::N2)) lead(env);
    }
    constexpr void handle(const answered& m, port from, auto& env) {
        if (!is_in() || !is_sound(m)) return;
        agreed_.note(m, from, who_);
        progress(env);
    }
    constexpr void handle(const refused& m, port, auto& env) {
        if (!is_in() || !agreed_.note(m, who_)) return;
        // If its owner lives, it goes on; else nobody would.
        if (who_.is_suspect(who_.now.members[m.promised.rank])) lead(env);
    }
    constexpr void handle(const propose& m, port from, auto& env) {
        if (is_of_this_view(m, from, env) && m.what.number == m.view + 1 && is_sound(m.what))
            agreed_.accept(m, from, who_, env);
    }
    constexpr void handle(const accepted& m, port from, auto& env) {
        if (!is_in()) return;
        agreed_.note(m, from, who_);
        progress(env);
    }
    constexpr void handle(const decide& m, port from, auto& env) {
        if (!is_sound(m.what)) return;
        if (!is_waiting() || who_.is_in(m.what.members, who_.me())) return learn(m.what, env);
        // It was admitted, and left out again: in this life it would wait for ever.
        if (!roster<Id, Rules>::is_new(m.what.born, who_.me()) && obeys(rule::J4)) join_anew(env);
    }

    // Whatever arrives must not be able to make this node keep more than it is to, count past what
    // can be counted, or look for members that do not exist.
    constexpr bool is_sound(const messages_by_rank<Payload>& some) const {
        return are_at_most(some, who_.slots(), options_.messages_max);
    }
    constexpr bool is_sound(const change& c) const {
        return c.number != std::numeric_limits<std::uint64_t>::max() &&
               who_.knows_all(c.members) && who_.knows_all(c.born) && is_sound(c.before) &&
               (!is_in() || c.number != who_.now.number + 1 ||
                c.before.size() == who_.now.members.size());
    }
    constexpr bool is_sound(const answered& m) const {
        return is_sound(m.received) && m.received.size() == who_.now.members.size() &&
               (!m.accepted ||
                (m.accepted->what.number == m.view + 1 && is_sound(m.accepted->what)));
    }

    // From view to view

    constexpr void learn(const change& coming, auto& env) {
        if (!is_waiting() && (!is_in() || coming.number <= who_.now.number))
            return;
        const bool stays = who_.is_in(coming.members, who_.me());
        // Whoever is in has answered in the view before: it cannot be two views behind.
        if (is_in() && stays && coming.number != who_.now.number + 1) return;
        for (const port p : ports(who_.peers.size()))
            if (nudgers_.contains(p)) env.send(p, message{decide{coming}});
        nudgers_.clear();
        if (!stays) return become_out(coming, env);
        if (obeys(rule::F4)) deliver_rest(coming.before, env);
        install(coming, env);
    }
    constexpr void deliver_rest(const messages_by_rank<Payload>& before, auto& env) {
        for (std::size_t rank = 0; rank < before.size() && rank < received_.size(); ++rank)
            for (std::size_t i = received_[rank].size(); i < before[rank].size(); ++i)
                take(rank, before[rank][i], env);
    }
    constexpr void install(const change& coming, auto& env) {
        become_member(coming);
        env.report(outcome{who_.now});
        handle_what_waited(env);
        if (obeys(rule::N3)) lead(env);
        say_if_stalled(env);
        const bool is_still_there = is_in() && who_.now.number == coming.number;
        if (by_majority && is_still_there && needs_change() && obeys(rule::D12)) doubt(env);
    }
    constexpr void become_member(const change& coming) {
        who_.become_member(coming);
        last_ = coming;
        received_.assign(coming.members.size(), {});
        agreed_.forget();
        phase_ = phase::in;
    }
    constexpr void become_out(const change& coming, auto& env) {
        const bool wanted = wants_out_;
        become_nobody();
        last_ = coming;
        phase_ = phase::out;
        if (wanted) env.report(outcome{departed{}});
        else env.report(outcome{expelled{}});
    }
    constexpr void become_waiting(auto& env) {
        phase_ = phase::waiting;
        ask_all(false, env);
    }
    constexpr void join_anew(auto& env) {
        become_another_life({who_.life.incarnation, who_.life.stay + 1});
        become_waiting(env);
    }
    constexpr void become_another_life(const caucus::life& l) {
        become_nobody();
        who_.life = l;
    }
    constexpr void become_nobody() {
        phase_ = phase::idle;
        who_.become_nobody();
        last_.reset();
        received_.clear();
        agreed_.forget();
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
        nudge word{std::nullopt, who_.life};
        if (is_in()) word.view = who_.now.number;
        env.send(to, message{word});
    }
    /// Does it wait for somebody who may be ahead?
    constexpr void doubt(auto& env) const {
        // Those who decided may be gone: then a newcomer of the next view knows of it, or nobody.
        if (is_stalled_ && obeys(rule::D13)) {
            for (const port p : ports(who_.peers.size()))
                if (!who_.suspicions.contains(p)) nudge_back(p, env);
            return;
        }
        const bool is_due = is_blocked() ? obeys(rule::D3) : by_majority && obeys(rule::D5);
        if (is_due && !who_.is_coordinator())
            nudge_back(*who_.slot_of(who_.coordinator().id), env);
    }
    constexpr void handle(const nudge& m, port from, auto& env) {
        const bool ahead = m.view && (!is_in() || who_.now.number < *m.view);
        const bool is_back = m.life.incarnation > who_.latest.incarnation_of(from);
        const bool is_news = who_.note_life(from, m.life);
        // Its former life may have known that this one is admitted, and told nobody else.
        if (is_waiting() && is_back && obeys(rule::J1)) ask_all(true, env);
        else if (is_waiting() && is_news && !m.view)
            env.send(from, message{joining{who_.life, true}});
        if (phase_ == phase::out) return tell_last(from, env);
        if (phase_ == phase::idle || is_waiting()) {
            if (ahead) nudge_back(from, env);
            if (ahead && is_waiting() && obeys(rule::D10)) keep(m, from);
            return;
        }
        if (who_.is_over_as_member(from)) {
            if (is_news) go_on_without(from, env);
            return;
        }
        if (is_back && obeys(rule::I4)) say_again(from, m.life, env);
        if (ahead) {
            nudge_back(from, env);
            if (obeys(rule::D10)) keep(m, from);
        } else if (m.view == who_.now.number) {
            if (obeys(rule::D9)) nudgers_.insert(from);
        } else if (obeys(rule::D2) && (m.view || !who_.is_new(from, m.life))) {
            tell_last(from, env);
        }
    }

    /// Links may have lost what was sent to that life before they had heard of it.
    constexpr void say_again(port to, const caucus::life& l, auto& env) const {
        if (!who_.is_in(who_.now.members, {who_.peers[to], l})) return;
        const std::vector<Payload>& sent = received_[*who_.rank_of(who_.self)];
        for (std::size_t i = 0; i < sent.size(); ++i)
            env.send(to, message{data{who_.now.number, i, sent[i]}});
        if (wants_out_) env.send(to, message{leaving{who_.life}});
        agreed_.say_again(to, who_, env);
        if (is_blocked() || is_stalled_) nudge_back(to, env);
    }

    // Joining and leaving

    constexpr void ask_all(bool again, auto& env) const {
        for (const port p : ports(who_.peers.size()))
            if (!who_.suspicions.contains(p)) env.send(p, message{joining{who_.life, again}});
    }
    constexpr void handle(const joining& m, port from, auto& env) {
        const bool is_news = who_.note_life(from, m.life);
        if (!is_in()) {
            if (!obeys(rule::J2)) return;
            who_.joiners.insert(from, m.life);
            if (m.again && is_waiting() && obeys(rule::J5)) nudgers_.insert(from);
            return;
        }
        if (const member_type asks{who_.peers[from], m.life}; who_.is_in(who_.now.members, asks)) {
            if (who_.is_in(who_.newcomers, asks) && obeys(rule::J3)) tell_last(from, env);
            return;
        }
        if (!who_.is_new(from, m.life) && obeys(rule::I1)) {
            if (obeys(rule::J8)) tell_last(from, env);
            return;
        }
        if (who_.is_suspect(from, m.life) && !obeys(rule::J7)) return;
        if (m.again && obeys(rule::J5)) nudgers_.insert(from);
        who_.joiners.insert(from, m.life);
        if (is_stalled_ && obeys(rule::D13)) nudge_back(from, env);   // it may be in the next view
        if (is_news && who_.is_over_as_member(from)) return go_on_without(from, env);
        lead(env);
    }
    constexpr void handle(const leaving& m, port from, auto& env) {
        if (phase_ == phase::out || phase_ == phase::idle) return;
        who_.leavers.insert(from, m.life);
        lead(env);
    }

    // Messages of the group

    constexpr void handle(const data& m, port from, auto& env) {
        if (is_waiting() || (is_in() && who_.now.number < m.view)) {
            if (obeys(rule::B1)) keep(m, from);
            return;
        }
        if (!is_in() || who_.now.number > m.view || (is_blocked() && obeys(rule::F1)))
            return;   // what is missed here is delivered before the next view
        const std::optional<std::size_t> rank = who_.rank_of(from);
        if (!rank || m.number != received_[*rank].size() || m.number >= options_.messages_max)
            return;
        take(*rank, m.payload, env);
        if (is_full()) lead(env);
    }
    constexpr void take(std::size_t rank, const Payload& p, auto& env) {
        received_[rank].push_back(p);
        env.report(outcome{delivered<Id, Payload>{who_.now.members[rank].id, p}});
    }
    constexpr void keep(const auto& m, port from) {
        later_.keep(message{m}, from, options_.messages_max + 64);
    }
    constexpr void handle_what_waited(auto& env) {
        for (const auto& each : later_.take_all()) {
            if (phase_ == phase::out) return;
            visit_kind(each.what, [&]<class Kind>(const Kind& m) {
                // Of an older view: the past, but for whoever asks how it ended.
                constexpr bool is_nudge = std::is_same_v<Kind, nudge>;
                if constexpr (!is_nudge && requires { who_.now.number > m.view; })
                    if (who_.now.number > m.view) return;
                handle(m, each.from, env);
            });
        }
    }

    /// Reached before it was started, a member begins with that.
    constexpr void tell_first_view(auto& env) {
        if (is_begun_) return;
        is_begun_ = true;
        if (is_in()) env.report(outcome{who_.now});
    }

    roster<Id, Rules> who_;
    views_options options_{};
    bool is_begun_ = false;
    phase phase_ = phase::idle;
    std::optional<change> last_{};   // what made this view, or ended the last
    messages_by_rank<Payload> received_{};
    port_set<> nudgers_{};
    bool wants_out_ = false;
    bool is_stalled_ = false;
    agreement<Id, Payload, by_majority, Rules> agreed_{};
    later_messages<message> later_{};
};

}  // namespace caucus::detail
