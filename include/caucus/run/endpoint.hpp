// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/dispatch.hpp>
#include <caucus/core/error.hpp>
#include <caucus/core/fields.hpp>
#include <caucus/core/layer_timers.hpp>
#include <caucus/core/process.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/core/timer_table.hpp>
#include <caucus/run/simulation/model_check.hpp>

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace caucus {

namespace detail {

template <class Part, class Message>
concept can_send = requires(Part& part, port p, const Message& m) {
    part.degree();
    requires std::is_same_v<Message, nothing> || requires { part.send(p, m); };
};
template <class Part, class Outcome>
concept can_hear = std::is_same_v<Outcome, nothing> ||
                   requires(Part& part, const Outcome& o) { part.report(o); } ||
                   requires(Part& part, const Outcome& o) { part(o); };

/// Kinds without fields have only one value each, and so one timer: those need no counting.
template <class P>
concept needs_a_timers_function__how_many_are_armed_at_once =
    counts_its_timers<P> || all_kinds_plain<typename P::timer>();

template <class Part, class P>
concept can_keep = requires(Part& part, const kept_by<P>& value) { part.keep(value); };

constexpr std::size_t first_true(std::initializer_list<bool> list) {
    std::size_t i = 0;
    while (!list.begin()[i]) ++i;
    return i;
}

}  // namespace detail

template <class Channel, class P>
concept needs_a_channel__with_degree_and_send = detail::can_send<Channel, typename P::message>;
template <class Clock>
concept needs_a_clock__with_now = timepiece<Clock>;
template <class Listener, class P>
concept needs_a_listener__with_report_or_a_call_operator =
    detail::can_hear<Listener, typename P::outcome>;
template <class P, class... Rest>
concept needs_chance__pass_a_part_with_choose = !tosses_coins<P> || (... || chance<Rest>);
template <class P, class... Rest>
concept needs_memory__pass_a_part_with_keep =
    std::is_same_v<kept_by<P>, nothing> || (... || detail::can_keep<Rest, P>);

/// One process on your own parts, without a thread, a socket or a clock of its own: you call it,
/// it calls your channel and your listener. Holds the parts by reference.
///
/// channel   degree(), send(port, message); broadcast(message) if the medium can; and what it
///           promises: `static constexpr guarantee guarantees = guarantee::reliable | …`
/// clock     now() -> ticks, monotonic; asked once per entry point, not at all where you pass `now`
/// listener  report(outcome), or a call operator that takes one
/// rest      choose(k) and keep(value), for processes that draw lots or survive crashes
///
/// An early advance is a no-op, a late one safe. At one moment hand over what has arrived before
/// you call advance: an answer that is just in time is then in time. What is set up wrongly (a peer
/// with the node's own id, a timeout shorter than a beat) is refused on construction, in release
/// builds too.
///
/// A channel, listener or memory that calls back into its own endpoint is refused: the process is
/// in the middle of something. Let it note what it wants, and ask when the call has returned.
template <class P, class Channel, class Clock, class Listener, class... Rest>
class endpoint {
    static constexpr guarantee given = guarantees_of<Channel>();
    static_assert(needs_a_channel__with_degree_and_send<Channel, P>,
                  "needs_a_channel__with_degree_and_send");
    static_assert(needs_a_clock__with_now<Clock>, "needs_a_clock__with_now");
    static_assert(needs_a_listener__with_report_or_a_call_operator<Listener, P>,
                  "needs_a_listener__with_report_or_a_call_operator");
    static_assert(needs_chance__pass_a_part_with_choose<P, Rest...>,
                  "needs_chance__pass_a_part_with_choose");
    static_assert(needs_memory__pass_a_part_with_keep<P, Rest...>,
                  "needs_memory__pass_a_part_with_keep");
    static_assert(needs_reliable_links__wrap_the_process_in_reliable<P, given>,
                  "needs_reliable_links__wrap_the_process_in_reliable");
    static_assert(needs_fifo_links__wrap_the_process_in_reliable<P, given>,
                  "needs_fifo_links__wrap_the_process_in_reliable");
    static_assert(needs_links_without_duplicates__wrap_the_process_in_reliable<P, given>,
                  "needs_links_without_duplicates__wrap_the_process_in_reliable");
    static_assert(detail::needs_a_timers_function__how_many_are_armed_at_once<P>,
                  "needs_a_timers_function__how_many_are_armed_at_once");

public:
    using message = typename P::message;
    using timer = typename P::timer;
    using outcome = typename P::outcome;
    using kept = kept_by<P>;
    static constexpr bool keeps = !std::is_same_v<kept, nothing>;

    constexpr endpoint(P process, Channel& channel, Clock& clock, Listener& listener, Rest&... rest)
        : process_(std::move(process)), channel_(channel), clock_(clock), listener_(listener),
          rest_(rest...), room_(timers_at_most(channel.degree())) {
        simulation::check_model_of_one("endpoint", process_, channel.degree());
        armed_.reserve(room_);
        static_assert(a_message_or_timer_kind_has_no_handler<P, environment>,
                      "a_message_or_timer_kind_has_no_handler");
        static_assert(a_request_has_no_verb<P, environment>, "a_request_has_no_verb");
    }

    constexpr const P& process() const { return process_; }

    /// The first call in each life of the process, or it is refused: starts it in the first one,
    /// which is {0}; later tells it which life this is (one that has no ear for that starts afresh,
    /// inside layers too). The number must rise with every life and so must be stored where a crash
    /// does not reach: others take what comes under an old number for repetitions.
    constexpr void begin(incarnation life) {
        if (keeps && life != incarnation{})
            refuse("endpoint: the process keeps something: in life ", std::size_t{life.number},
                   " begin(life, kept) must say what, or std::nullopt if that was nothing yet");
        begin_life(recovered<kept>{life, std::nullopt}, clock_.now());
    }
    constexpr void begin(incarnation life, ticks now) requires(!keeps) {
        begin_life(recovered<kept>{life, std::nullopt}, now);
    }
    /// For a process that keeps something: with the last value that its memory was given.
    constexpr void begin(incarnation life, const std::optional<kept>& last) requires keeps {
        begin_life(recovered<kept>{life, last}, clock_.now());
    }
    constexpr void begin(incarnation life, const std::optional<kept>& last, ticks now)
        requires keeps
    {
        begin_life(recovered<kept>{life, last}, now);
    }

    constexpr void start() { start(clock_.now()); }
    constexpr void start(ticks now) { static_cast<void>(call(request::start{}, now)); }

    /// A request, and its answer: `not_running` before the process has begun. What is no request of
    /// the library's and is not listed by the process returns what the process does.
    template <class Request>
    constexpr decltype(auto) call(const Request& request) { return call(request, clock_.now()); }
    template <class Request>
    constexpr decltype(auto) call(const Request& request, ticks now) {
        if constexpr (request_to<Request, P> && !std::is_same_v<Request, request::start>) {
            refuse_if_busy();
            return begun_ ? enter(request, now) : answer::not_running;
        } else {
            return enter(request, now);
        }
    }

    /// A message that came in by that port. False, and nothing else, if there is no such port.
    constexpr bool receive(port from, const message& m) { return receive(from, m, clock_.now()); }
    constexpr bool receive(port from, const message& m, ticks now) {
        if (!is_inlet(from)) return false;
        enter(arrival<message>{m, from}, now);
        return true;
    }

    /// The failure detector's word on a neighbour, and on which life, where that is known: a
    /// suspicion of a life that is over, after trust in the next, is late and does no harm.
    constexpr void suspect(port whom) { enter_word(caucus::suspect{whom}, clock_.now()); }
    constexpr void suspect(port whom, ticks now) { enter_word(caucus::suspect{whom}, now); }
    constexpr void suspect(port whom, incarnation life) { suspect(whom, life, clock_.now()); }
    constexpr void suspect(port whom, incarnation life, ticks now) {
        enter_word(caucus::suspect{whom, life}, now);
    }
    constexpr void trust(port whom) { enter_word(caucus::trust{whom}, clock_.now()); }
    constexpr void trust(port whom, ticks now) { enter_word(caucus::trust{whom}, now); }
    constexpr void trust(port whom, incarnation life) { trust(whom, life, clock_.now()); }
    constexpr void trust(port whom, incarnation life, ticks now) {
        enter_word(caucus::trust{whom, life}, now);
    }

    /// What begin does in a later life, for those who tell the lives apart themselves.
    constexpr void recover(const recovered<kept>& last) { recover(last, clock_.now()); }
    constexpr void recover(const recovered<kept>& last, ticks now) { enter(last, now); }

    /// Fires the timers that are due, in order of time, then value.
    constexpr void advance() { advance(clock_.now()); }
    constexpr void advance(ticks now) {
        refuse_if_busy();   // before a timer is taken that would not fire
        // Only those armed before this call: a timer that re-arms itself must not keep us here.
        for (std::size_t left = armed_.count(); left != 0; --left) {
            if (armed_.empty() || armed_.first().at > now) return;
            enter(expiry<timer>{armed_.take_first()}, now);
        }
    }

    /// When to call advance next, if nothing else happens.
    constexpr std::optional<ticks> next_deadline() const {
        if (armed_.empty()) return std::nullopt;
        return armed_.first().at;
    }

private:
    using room = decltype(detail::room_for_timers<P>());

    class environment {
    public:
        constexpr explicit environment(endpoint& self) : self_(self) {}

        constexpr std::size_t degree() const { return self_.channel_.degree(); }
        constexpr void send(port p, const message& m) {
            CAUCUS_ASSERT(p < degree());
            self_.channel_.send(p, m);
        }
        constexpr void broadcast(const message& m) {
            if constexpr (requires { self_.channel_.broadcast(m); }) {
                self_.channel_.broadcast(m);
            } else {
                for (const port p : ports(degree())) send(p, m);
            }
        }
        constexpr void arm(const timer& t, ticks delay) { self_.arm(t, delay); }
        constexpr void disarm(const timer& t) { self_.armed_.disarm(t); }
        constexpr void report(const outcome& o) {
            if constexpr (requires { self_.listener_.report(o); }) self_.listener_.report(o);
            else self_.listener_(o);
        }
        constexpr ticks now() const { return self_.now_; }
        constexpr std::size_t choose(std::size_t k) requires(... || chance<Rest>) {
            return std::get<detail::first_true({chance<Rest>...})>(self_.rest_).choose(k);
        }
        constexpr void keep(const kept& value) requires(... || detail::can_keep<Rest, P>) {
            std::get<detail::first_true({detail::can_keep<Rest, P>...})>(self_.rest_).keep(value);
        }

    private:
        endpoint& self_;
    };

    constexpr void begin_life(const recovered<kept>& life, ticks now) {
        refuse_if_busy();
        // What came earlier was taken for the first life's, and numbered with it.
        if (begun_) refuse("endpoint: begin is a life's first call, before any message or start");
        const bool first = life.incarnation == incarnation{};
        if (first && life.last)
            refuse("endpoint: something was kept, and yet this is said to be the first life");
        begun_ = true;
        if (!first) recover(life, now);
        if constexpr (takes<P, request::start, environment>)
            if (first || !goes_on_after_a_crash<P, environment>) start(now);
    }

    constexpr bool is_inlet(port p) const {
        if constexpr (assumptions_of<P>().topology == shape::one_way_ring) return p == prev;
        return p < channel_.degree();
    }

    constexpr void refuse_if_busy() const {
        if (busy_.now)
            refuse("endpoint: called back by its own channel, listener or memory; "
                   "note it down and call when this call has returned");
    }
    template <class Input>
    constexpr decltype(auto) enter(const Input& in, ticks now) {
        refuse_if_busy();
        const occupied guard{busy_};
        begun_ = true;
        if (now_ < now) now_ = now;
        environment env{*this};
        return dispatch(process_, in, env);
    }

    constexpr void enter_word(const auto& word, ticks now) {
        if (word.whom < channel_.degree()) enter(word, now);
    }

    constexpr std::size_t timers_at_most(std::size_t degree) const {
        std::size_t most = detail::timers_armed_by(process_, degree);
        if constexpr (room::bounded) most = most < room::capacity ? most : room::capacity;
        return most;
    }
    constexpr void arm(const timer& t, ticks delay) {
        if (armed_.count() == room_ && armed_.find(t) == nullptr)
            refuse("endpoint: more than ", room_, " timers armed; see the process's timers()");
        // At least one tick: a timer of delay 0 that re-arms itself would keep others from firing.
        armed_.arm(t, after(now_, delay == 0 ? 1 : delay));
    }

    struct busy {
        bool now = false;
    };
    struct occupied {
        constexpr explicit occupied(busy& b) : flag(b) { flag.now = true; }
        constexpr ~occupied() { flag.now = false; }
        busy& flag;
    };

    P process_;
    Channel& channel_;
    Clock& clock_;
    Listener& listener_;
    std::tuple<Rest&...> rest_;
    timer_table<timer, room> armed_{};
    std::size_t room_;   // for timers, said by the process: nothing is allocated after construction
    ticks now_ = 0;
    busy busy_;
    bool begun_ = false;
};

template <class P, class Channel, class Clock, class Listener, class... Rest>
endpoint(P, Channel&, Clock&, Listener&, Rest&...)
    -> endpoint<P, Channel, Clock, Listener, Rest...>;

}  // namespace caucus
