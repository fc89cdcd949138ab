// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/environment.hpp>
#include <caucus/core/error.hpp>
#include <caucus/core/identity.hpp>
#include <caucus/core/model.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/policy.hpp>
#include <caucus/core/request.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/multicast/outcomes.hpp>
#include <caucus/multicast/receive_window.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace caucus {

/// Where a receiver begins with a sender of which it hears for the first time: with the oldest
/// message that is still to be had, and all before it are missed; or with the first that it hears
/// of. Whoever begins so cannot tell a late joiner from one that has lost the first messages.
enum class beginning : std::uint8_t { oldest, first_heard };

struct nacked_options {
    std::size_t history = 64;      // of its own messages that a sender keeps
    std::size_t window = 64;       // of each sender: how far ahead of the expected one it keeps
    ticks request_after = 8;       // a gap was seen: what is late may still come
    ticks repeat_after = 32;       // less than a request and its answer take is a waste
    ticks repeat_most = 256;       // it doubles up to that
    unsigned requests = 8;         // without news, until it is stalled
    ticks beat = 50;               // after a broadcast; then after twice the time, and so on
    ticks beat_most = 800;
    unsigned stops = 3;            // at the end of a session, a beat apart
    beginning begin = beginning::oldest;

    /// Until the next request, after so many without news.
    constexpr ticks wait(unsigned asked) const {
        if (asked == 0) return request_after;
        if (asked > 63) return repeat_most;
        const ticks doubled = times(ticks{1} << (asked - 1), repeat_after);
        return doubled < repeat_most ? doubled : repeat_most;
    }
    constexpr nacked_options checked() const {
        if (history == 0 || window == 0) refuse("nacked: a history or a window of nothing");
        if (requests == 0 || stops == 0) refuse("nacked: a loss needs a request and a stop");
        if (request_after == 0 || repeat_after == 0 || repeat_most < repeat_after)
            refuse("nacked: no time between two requests, or repeat_most below repeat_after");
        if (beat == 0 || beat_most < beat)
            refuse("nacked: no time between two beats, or beat_most below beat");
        return *this;
    }
};

/// Nobody acknowledges, and no sender knows its receivers: whoever finds a gap in the numbers asks
/// for what is missing. That the last message is lost shows by the sender's beats.
///
/// Model     complete network, unique ids; links that lose, repeat and reorder
/// Safety    one life of a node is delivered each message once, and each sender's in order, without
///           a gap, or `missed` says how many are left out
/// Liveness  while the sender beats, what it still keeps reaches all that live; who is behind by
///           more than it keeps is told so and goes on
/// Cost      n-1 a broadcast; one request and one repair for what is lost, more if they are lost,
///           too; n-1 a beat, ever rarer, as long as the session lasts, then `stops` times n-1
/// Faults    loss, duplication, reordering, partition; of a sender that crashes some may deliver
///           more than others; requests without an answer: stalled, once, and then it is silent
///           until the sender is heard. That the last message and all `stops` are lost, with
///           probability q^stops, nobody notices
/// Source    Pingali, Towsley & Kurose, SIGMETRICS 1994; beats: Holbrook, Singhal & Cheriton,
///           SIGCOMM 1995
///
/// Perpetual: it beats for as long as the session lasts, which `depart` ends; then it falls silent,
/// and still answers requests. The next broadcast begins another one.
///
/// `Payload` what is sent. `Id` any identity; the default int.
/// storage   heap_storage, or inplace_storage<N>: N ports, a history and a window of N at most.
template <class Payload, class Id = int, class... Policies>
class nacked {
    static_assert(detail::ids_can_elect<Id>());
    static_assert(roles<storage>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using store = policy<storage, heap_storage, Policies...>;

public:
    using storage_type = typename detail::one_more<store>::type;   // of timers
    struct origin { Id id; incarnation life; };
    struct data {
        origin from;
        std::uint64_t number;
        Payload payload;
        static constexpr auto fields(auto& m) { return std::tie(m.from, m.number, m.payload); }
    };
    struct beat { origin from; std::uint64_t count; };     // so many have been sent
    struct stop { origin from; std::uint64_t count; };     // and no more will be, for now
    struct gone { origin from; std::uint64_t before; };    // nothing before that is to be had
    struct gap { std::uint64_t first; std::uint64_t count; };
    static constexpr std::size_t gaps_max = 8;
    struct missing { incarnation of; inplace_sequence<gap, gaps_max> gaps; };
    using message = std::variant<data, beat, stop, gone, missing>;
    struct beat_due {};
    struct request_due { port to; };
    using timer = std::variant<beat_due, request_due>;
    using outcome = std::conditional_t<
        store::bounded, std::variant<stalled, delivered<Id, Payload>, missed<Id>, overflow>,
        std::variant<stalled, delivered<Id, Payload>, missed<Id>>>;
    using payload = Payload;
    using requests =
        std::variant<request::start, request::broadcast<Payload>, request::depart>;
    template <class Other>
    using with_payload = nacked<Other, Id, Policies...>;

    static constexpr bool perpetual = true;
    static constexpr ordering delivers = ordering::fifo;
    static constexpr model assumes = {shape::complete, guarantee::none};
    /// If nothing is lost; beats and stops not counted.
    static constexpr cost per_broadcast(std::size_t members) {
        const std::uint64_t exactly = members == 0 ? 0 : std::uint64_t{members} - 1;
        return {exactly, exactly, static_cast<double>(exactly)};
    }
    static constexpr std::size_t timers(std::size_t degree) { return degree + 1; }

    /// Policies that are named as types need not be given again.
    template <class... Given>
        requires(... && detail::fits_one_of<Given, Policies...>)
    constexpr explicit nacked(Id self, nacked_options options = {}, Given...)
        : self_(std::move(self)), options_(options.checked()) {
        if (!store::holds(options.history) || !store::holds(options.window))
            refuse("nacked: a history of ", options.history, " and a window of ", options.window,
                   " are too large to store");
    }
    /// The same, with all options left out.
    template <detail::fits_one_of<Policies...> First, detail::fits_one_of<Policies...>... Rest>
    constexpr explicit nacked(Id self, First first, Rest... rest)
        : nacked(std::move(self), {}, first, rest...) {}
    /// Another payload, the same group; nothing has happened there yet.
    template <class Other>
        requires(!std::is_same_v<Other, Payload>)
    constexpr explicit nacked(const nacked<Other, Id, Policies...>& like)
        : self_(like.self_), options_(like.options_) {}

    constexpr void start(environment_for<nacked> auto&) {}
    constexpr answer broadcast(const Payload& p, environment_for<nacked> auto& env) {
        if (!has_room(env)) return answer::no_room;
        if (history_.size() == options_.history) forget_first();
        history_.push_back(p);
        env.broadcast(data{me(), count() - 1, p});
        stops_left_ = 0;
        until_beat_ = options_.beat;
        env.arm(timer{beat_due{}}, until_beat_);
        env.report(outcome{delivered<Id, Payload>{self_, p}});
        return answer::accepted;
    }
    /// The end of a session: it has said all that it wanted to say.
    constexpr answer depart(environment_for<nacked> auto& env) {
        if (count() == 0 || stops_left_ != 0) return answer::accepted;
        stops_left_ = options_.stops;
        say_stop(env);
        return answer::accepted;
    }

    constexpr void on(const recovered<>& r, environment_for<nacked> auto&) {
        life_ = r.incarnation;
    }
    constexpr void on(const data& m, port from, environment_for<nacked> auto& env) {
        if (m.number > number_max || !is_heard(m.from, m.number, from, env)) return;
        lines_[from].learn(m.number + 1);
        lines_[from].received.take(m.number, m.payload, options_.window, deliver(from, env));
        see_to_gaps(from, env);
    }
    constexpr void on(const beat& m, port from, environment_for<nacked> auto& env) {
        hear_of_end(m, from, env);
    }
    constexpr void on(const stop& m, port from, environment_for<nacked> auto& env) {
        hear_of_end(m, from, env);
    }
    constexpr void on(const gone& m, port from, environment_for<nacked> auto& env) {
        if (m.before > number_max || !is_heard(m.from, m.before, from, env)) return;
        lines_[from].received.pass_over(m.before, deliver(from, env), [&](std::uint64_t lost) {
            has_news(from, env);
            env.report(outcome{missed<Id>{lines_[from].from->id, lost}});
        });
        see_to_gaps(from, env);
    }
    constexpr void on(const missing& m, port from, environment_for<nacked> auto& env) {
        if (m.of != life_ || !has_room(env) || from >= lines_.size()) return;
        std::size_t left = history_.size();   // gaps that overlap do not multiply the answer
        bool is_gone = false;
        for (const gap& g : m.gaps) {
            is_gone = is_gone || g.first < first_;
            const std::uint64_t end =
                g.first < count() && g.count < count() - g.first ? g.first + g.count : count();
            for (std::uint64_t k = g.first < first_ ? first_ : g.first; k < end && left != 0;
                 ++k, --left)
                env.send(from, message{data{me(), k, at(k)}});
        }
        if (is_gone) env.send(from, message{gone{me(), first_}});
    }

    constexpr void on(beat_due, environment_for<nacked> auto& env) {
        if (stops_left_ != 0) return say_stop(env);
        env.broadcast(message{beat{me(), count()}});
        const bool is_most = until_beat_ > options_.beat_most / 2;
        until_beat_ = is_most ? options_.beat_most : 2 * until_beat_;
        env.arm(timer{beat_due{}}, until_beat_);
    }
    constexpr void on(request_due t, environment_for<nacked> auto& env) {
        line& l = lines_[t.to];
        l.is_asking = l.asked < options_.requests;
        if (l.asked == options_.requests) {
            env.report(outcome{stalled{t.to}});
            ++l.asked;   // said once, until there is news
            l.end = l.received.end();   // how far it is, the sender will say again
        } else {
            send_request(t.to, env);
        }
        if (!l.is_asking) return;
        ++l.asked;
        env.arm(timer{request_due{t.to}}, options_.wait(l.asked));
    }

    constexpr const Id& id() const { return self_; }
    /// Of its own messages, so many are kept.
    constexpr std::size_t kept() const { return history_.size(); }
    /// Of that one's messages, so many came too early.
    constexpr std::size_t early(port p) const {
        return p < lines_.size() ? lines_[p].received.size() : 0;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.life_, self.history_, self.first_, self.until_beat_,
                        self.stops_left_, self.lines_);
    }

private:
    template <class, class, class...>
    friend class nacked;
    using window = receive_window<Payload, store>;
    static constexpr std::uint64_t number_max = window::number_max;

    /// What is known of the sender behind a port.
    struct line {
        std::optional<origin> from{};   // its latest life
        window received{};
        std::uint64_t end = 0;          // so many it has sent, as far as it was heard
        unsigned asked = 0;             // requests since there was news
        bool is_asking = false;         // and the timer runs

        static constexpr auto fields(auto& l) {
            return std::tie(l.from, l.received, l.end, l.asked, l.is_asking);
        }
        constexpr void learn(std::uint64_t count) { end = end < count ? count : end; }
        constexpr bool lacks_some() const { return received.expected() < end; }
    };

    constexpr origin me() const { return {self_, life_}; }
    constexpr std::uint64_t count() const { return first_ + history_.size(); }
    constexpr const Payload& at(std::uint64_t number) const {
        return history_[static_cast<std::size_t>(number - first_)];
    }
    constexpr bool has_room(auto& env) {
        if (overflows<store, outcome>(env)) return false;
        lines_.resize(env.degree(), line{});
        return true;
    }
    /// Of the sender's latest life, as far as is known. It begins with that number, if it is to.
    constexpr bool is_heard(const origin& who, std::uint64_t number, port from, auto& env) {
        if (!has_room(env) || from >= lines_.size()) return false;
        line& l = lines_[from];
        if (l.from && l.from->life == who.life) return true;
        if (l.from && who.life < l.from->life) return false;
        if (l.is_asking) env.disarm(timer{request_due{from}});
        l = line{.from = who};
        if (options_.begin == beginning::first_heard) l.received = window{number};
        return true;
    }
    constexpr void hear_of_end(const auto& m, port from, auto& env) {
        if (m.count > number_max || !is_heard(m.from, m.count, from, env)) return;
        lines_[from].learn(m.count);
        see_to_gaps(from, env);
    }
    constexpr void has_news(port from, auto& env) {
        line& l = lines_[from];
        if (l.is_asking && l.asked > 1)   // the next request need not wait for so long
            env.arm(timer{request_due{from}}, options_.repeat_after);
        l.asked = 0;
    }
    constexpr auto deliver(port from, auto& env) {
        return [this, from, &env](const Payload& p) {
            has_news(from, env);
            env.report(outcome{delivered<Id, Payload>{lines_[from].from->id, p}});
        };
    }
    /// One timer for all gaps; while it runs, it may run.
    constexpr void see_to_gaps(port from, auto& env) {
        line& l = lines_[from];
        if (l.lacks_some() == l.is_asking) return;
        l.is_asking = !l.is_asking;
        if (l.is_asking) env.arm(timer{request_due{from}}, options_.request_after);
        else env.disarm(timer{request_due{from}});
    }
    constexpr void send_request(port to, auto& env) {
        const window& have = lines_[to].received;
        missing wanted{lines_[to].from->life, {}};
        const std::uint64_t most = have.expected() + options_.window;
        const std::uint64_t end = lines_[to].end < most ? lines_[to].end : most;
        have.each_gap(end, [&](std::uint64_t first, std::uint64_t count) {
            if (wanted.gaps.size() != gaps_max) wanted.gaps.push_back(gap{first, count});
        });
        env.send(to, message{std::move(wanted)});
    }
    constexpr void say_stop(auto& env) {
        env.broadcast(message{stop{me(), count()}});
        if (--stops_left_ != 0) env.arm(timer{beat_due{}}, options_.beat);
        else env.disarm(timer{beat_due{}});
    }
    constexpr void forget_first() {
        for (std::size_t i = 1; i < history_.size(); ++i) history_[i - 1] = std::move(history_[i]);
        history_.pop_back();
        ++first_;
    }

    Id self_;
    incarnation life_{};
    nacked_options options_;
    typename store::template sequence<Payload> history_{};
    std::uint64_t first_ = 0;       // the number of the first of them
    ticks until_beat_ = 0;
    unsigned stops_left_ = 0;       // none: no session, or one that goes on
    typename store::template sequence<line> lines_{};   // by port
};

}  // namespace caucus
