// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/input.hpp>
#include <caucus/core/kind.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/request.hpp>
#include <caucus/multicast/outcomes.hpp>
#include <caucus/multicast/views/agreement.hpp>
#include <caucus/multicast/views/change.hpp>
#include <caucus/multicast/views/later.hpp>
#include <caucus/multicast/views/messages.hpp>
#include <caucus/multicast/views/news.hpp>
#include <caucus/multicast/views/options.hpp>
#include <caucus/multicast/views/received.hpp>
#include <caucus/multicast/views/roster.hpp>
#include <caucus/multicast/views/rules.hpp>
#include <caucus/multicast/views/sound.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>

namespace caucus::detail {

/// One process of a group with views: what it does at each request, message and suspicion. The
/// agreement upon the next view is a part of its own; here is when it is sought, what follows from
/// it, and how those hear of it who have missed it: most rules are about them.
template <class Id, class Payload, bool by_majority, class Rules>
class group_member : view_messages<Id, Payload> {
    using messages = view_messages<Id, Payload>;
    using typename messages::message, typename messages::outcome, typename messages::change;
    using typename messages::data, typename messages::leaving, typename messages::joining;
    using typename messages::prepare, typename messages::answered, typename messages::refused;
    using typename messages::propose, typename messages::accepted, typename messages::decide;
    using typename messages::nudge;
    using member_type = member<Id>;

public:
    constexpr group_member(Id self, const auto& peers, const auto& first_members,
                           views_options options, Rules rules)
        : who_(self, peers, first_members, rules), options_(options.checked()) {
        if (!who_.is_member()) return;
        received_.begin(who_.first.size());
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
        const std::uint64_t number = received_.count(mine);
        if (number >= options_.messages_max) return answer::no_room;
        received_.deliver(mine, p, who_.now, env);
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
        if (is_waiting() && obeys(rule::J1)) news_.ask_to_join(true, who_, env);
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
        return std::tie(self.who_, self.is_begun_, self.phase_, self.received_, self.news_,
                        self.wants_out_, self.is_stalled_, self.agreed_,
                        self.later_);
    }

private:
    template <class, class, bool, class>
    friend class group_member;
    enum class phase : std::uint8_t { idle, waiting, in, out };

    constexpr bool obeys(rule r) const { return who_.obeys(r); }

    // When to change the view

    constexpr bool is_full() const { return received_.is_full(options_.messages_max); }
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
        agreed_.prepare(who_, received_.rows(), env);
        progress(env);
    }
    constexpr void progress(auto& env) {
        const std::optional<change> decided = agreed_.progress(who_, env);
        if (!decided) return;
        news_.forget_nudgers();   // all who are concerned have been told
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
        if (phase_ == phase::out || (is_late && obeys(rule::D1))) news_.tell_last(from, env);
        if (phase_ == phase::out || is_late) return false;
        if (phase_ != phase::idle && obeys(rule::B2)) keep(m, from);
        if (std::is_same_v<Kind, prepare> && obeys(rule::D4)) news_.nudge(from, who_, env);
        return false;
    }
    constexpr void handle(const prepare& m, port from, auto& env) {
        if (!is_of_this_view(m, from, env)) return;
        if (!agreed_.promise(m, from, who_, received_.rows(), env)) return;
        if (!who_.is_suspect(who_.now.members[m.in.rank])) return;
        if (!who_.is_coordinator()) return doubt(env);
        if (obeys(rule::N2)) lead(env);
    }
    constexpr void handle(const answered& m, port from, auto& env) {
        if (!is_in() || !is_sound(m.accepted, m.received, who_, options_.messages_max))
            return;
        agreed_.note(m, from, who_);
        progress(env);
    }
    constexpr void handle(const refused& m, port, auto& env) {
        if (!is_in() || !agreed_.note(m, who_)) return;
        // If its owner lives, it goes on; else nobody would.
        if (who_.is_suspect(who_.now.members[m.promised.rank])) lead(env);
    }
    constexpr void handle(const propose& m, port from, auto& env) {
        if (is_of_this_view(m, from, env) && m.what.number == m.view + 1 && is_right(m.what))
            agreed_.accept(m, from, who_, env);
    }
    constexpr void handle(const accepted& m, port from, auto& env) {
        if (!is_in()) return;
        agreed_.note(m, from, who_);
        progress(env);
    }
    constexpr void handle(const decide& m, port, auto& env) {
        if (!is_right(m.what)) return;
        if (!is_waiting() || who_.is_in(m.what.members, who_.me())) return learn(m.what, env);
        // It was admitted, and left out again: in this life it would wait for ever.
        if (!roster<Id, Rules>::is_new(m.what.born, who_.me()) && obeys(rule::J4)) join_anew(env);
    }

    constexpr bool is_right(const change& c) const {
        return is_sound(c, who_, options_.messages_max);
    }

    // From view to view

    constexpr void learn(const change& coming, auto& env) {
        if (!is_waiting() && (!is_in() || coming.number <= who_.now.number)) return;
        const bool stays = who_.is_in(coming.members, who_.me());
        // Whoever is in has answered in the view before: it cannot be two views behind.
        if (is_in() && stays && coming.number != who_.now.number + 1) return;
        news_.tell_nudgers(coming, who_, env);
        if (!stays) return become_out(coming, env);
        if (obeys(rule::F4)) received_.deliver_rest(coming.before, who_.now, env);
        install(coming, env);
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
        news_.keep(coming);
        received_.begin(coming.members.size());
        agreed_.forget();
        phase_ = phase::in;
    }
    constexpr void become_out(const change& coming, auto& env) {
        const bool wanted = wants_out_;
        become_nobody();
        news_.keep(coming);
        phase_ = phase::out;
        if (wanted) env.report(outcome{departed{}});
        else env.report(outcome{expelled{}});
    }
    constexpr void become_waiting(auto& env) {
        phase_ = phase::waiting;
        news_.ask_to_join(false, who_, env);
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
        received_.forget();
        agreed_.forget();
        news_.forget();
        later_.clear();
        wants_out_ = false;
        is_stalled_ = false;
    }

    // Those who do not know yet

    /// Does it wait for somebody who may be ahead?
    constexpr void doubt(auto& env) const {
        // Those who decided may be gone: then a newcomer of the next view knows of it, or nobody.
        if (is_stalled_ && obeys(rule::D13)) {
            news_.nudge_all(who_, env);
            return;
        }
        const bool is_due = is_blocked() ? obeys(rule::D3) : by_majority && obeys(rule::D5);
        if (is_due) news_.nudge_coordinator(who_, env);
    }
    constexpr void handle(const nudge& m, port from, auto& env) {
        const bool ahead = m.view && (!is_in() || who_.now.number < *m.view);
        const bool is_back = m.life.incarnation > who_.latest.incarnation_of(from);
        const bool is_news = who_.note_life(from, m.life);
        // Its former life may have known that this one is admitted, and told nobody else.
        if (is_waiting() && is_back && obeys(rule::J1)) news_.ask_to_join(true, who_, env);
        else if (is_waiting() && is_news && !m.view)
            env.send(from, message{joining{who_.life, true}});
        if (phase_ == phase::out) return news_.tell_last(from, env);
        if (phase_ == phase::idle || is_waiting()) {
            if (ahead) news_.nudge(from, who_, env);
            if (ahead && is_waiting() && obeys(rule::D10)) keep(m, from);
            return;
        }
        if (who_.is_over_as_member(from)) {
            if (is_news) go_on_without(from, env);
            return;
        }
        if (is_back && obeys(rule::I4)) say_again(from, m.life, env);
        if (ahead) {
            news_.nudge(from, who_, env);
            if (obeys(rule::D10)) keep(m, from);
        } else if (m.view == who_.now.number) {
            if (obeys(rule::D9)) news_.note_nudger(from);
        } else if (obeys(rule::D2) && (m.view || !who_.is_new(from, m.life))) {
            news_.tell_last(from, env);
        }
    }

    /// Links may have lost what was sent to that life before they had heard of it.
    constexpr void say_again(port to, const caucus::life& l, auto& env) const {
        if (!who_.is_in(who_.now.members, {who_.peers[to], l})) return;
        received_.send_all_of(*who_.rank_of(who_.self), to, who_.now.number, env);
        if (wants_out_) env.send(to, message{leaving{who_.life}});
        agreed_.say_again(to, who_, env);
        if (is_blocked() || is_stalled_) news_.nudge(to, who_, env);
    }

    // Joining and leaving

    constexpr void handle(const joining& m, port from, auto& env) {
        const bool is_news = who_.note_life(from, m.life);
        if (!is_in()) {
            if (!obeys(rule::J2)) return;
            who_.joiners.insert(from, m.life);
            if (m.again && is_waiting() && obeys(rule::J5)) news_.note_nudger(from);
            return;
        }
        if (const member_type asks{who_.peers[from], m.life}; who_.is_in(who_.now.members, asks)) {
            if (who_.is_in(who_.newcomers, asks) && obeys(rule::J3)) news_.tell_last(from, env);
            return;
        }
        if (!who_.is_new(from, m.life) && obeys(rule::I1)) {
            if (obeys(rule::J8)) news_.tell_last(from, env);
            return;
        }
        if (who_.is_suspect(from, m.life) && !obeys(rule::J7)) return;
        if (m.again && obeys(rule::J5)) news_.note_nudger(from);
        who_.joiners.insert(from, m.life);
        // It may be in the next view.
        if (is_stalled_ && obeys(rule::D13)) news_.nudge(from, who_, env);
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
        if (!rank || m.number != received_.count(*rank) || m.number >= options_.messages_max)
            return;
        received_.deliver(*rank, m.payload, who_.now, env);
        if (is_full()) lead(env);
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
    received_messages<Id, Payload> received_{};
    news<Id, Payload, Rules> news_{};
    bool wants_out_ = false;
    bool is_stalled_ = false;
    agreement<Id, Payload, by_majority, Rules> agreed_{};
    later_messages<message> later_{};
};

}  // namespace caucus::detail
