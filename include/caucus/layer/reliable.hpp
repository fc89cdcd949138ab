// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/layer.hpp>
#include <caucus/core/outcome.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace caucus {

struct reliable_options {
    ticks resend_after = 16;   // less than a message and its answer take is a waste
    unsigned window = 8;       // messages under way on each link, at most
    unsigned retries = 6;      // resendings without an answer, each after twice the time

    /// Until the next resending, when so many have not been answered; `never` if ticks cannot
    /// count that.
    constexpr ticks wait(unsigned unanswered) const {
        const unsigned doubled = unanswered < retries ? unanswered : retries;
        return doubled > 63 ? never : times(ticks{1} << doubled, resend_after);
    }
    /// How late is a message that is lost `retries` times running, and no more.
    constexpr ticks late_most() const { return wait(retries) - resend_after; }
};

template <class P>
concept needs_two_way_links__acknowledgements_go_back =
    assumptions_of<P>().topology != shape::one_way_ring;

/// Fifo links that lose nothing and repeat nothing, made of links that do all of it.
///
/// Model     what P assumes, on two-way links that lose, repeat and reorder
/// Safety    what arrives inside is what the neighbour inside sent, in order, each once; nothing
///           sent to one life of a node, or by one that is known to be over, reaches another
/// Liveness  what is sent arrives if resendings do not get lost for ever and nobody crashes
/// Cost      one data and one acknowledgement a message, one more of each where neighbours meet;
///           more only if some are lost or late
/// Faults    loss, duplication, reordering; a crash loses what was sent to the dead, also what is
///           sent before its neighbour hears of the new life; a silent neighbour: stalled, once;
///           an incarnation used twice: reused_life at both ends, where numbers show it
/// Source    Stenning, Computer Networks 1, 1976; lives: Belsnes, IEEE ToC 24(8), 1976
///
/// Delays have no bound any more: whatever P concludes from silence it may conclude wrongly. Where
/// that would break it (`breaks_if_late`) its bound must be longer than `retries` losses running
/// take; one more, or a window that is full, and it is broken all the same.
///
/// `Storage` heap_storage, or inplace_storage<N>: at most N ports, and N messages that wait to be
///           acknowledged on each; one more is reported as `overflow`, and does not leave.
template <class P, class Storage = heap_storage>
class reliable : public layer_over<reliable<P, Storage>, P> {
    static_assert(needs_two_way_links__acknowledgements_go_back<P>,
                  "needs_two_way_links__acknowledgements_go_back");
    template <class T>
    using sequence = typename Storage::template sequence<T>;
    using payload = typename P::message;
    using base = layer_over<reliable, P>;
    friend base;
    using base::process_;

public:
    struct data {
        incarnation from{};
        std::optional<incarnation> to{};   // unknown until something has been heard of it
        std::uint64_t number = 0;
        payload content;

        static constexpr auto fields(auto& self) {
            return std::tie(self.from, self.to, self.number, self.content);
        }
    };
    struct acknowledgement {
        incarnation from{};
        incarnation to{};
        std::uint64_t awaited = 0;         // all data before that number has come
    };
    /// To one who acknowledges what this life has not said: an earlier life had the same number.
    struct used_before {
        incarnation from{};
        incarnation to{};
    };
    using message = std::variant<data, acknowledgement, used_before>;
    struct resend { port to; };
    using timer = timers_over<P, resend>;
    using outcome =
        std::conditional_t<Storage::bounded, outcomes_over<P, stalled, reused_life, overflow>,
                           outcomes_over<P, stalled, reused_life>>;
    using typename base::kept;
    template <class Env>
    class inside;
    using storage_type = typename detail::room_for_timers_over<Storage, P, 0>::type;

    static constexpr model assumes = [] {
        model given = assumptions_of<P>();
        given.links = guarantee::none;
        return given;
    }();
    static constexpr std::size_t own_timers(std::size_t degree) { return degree; }

    /// Refuses a window or a wait of nothing, waits that ticks cannot count, a window that the
    /// storage does not hold, and a process that breaks if resending makes a message late.
    constexpr explicit reliable(P process, reliable_options options = {}, Storage = {})
        : base(std::move(process)), options_(options) {
        if (options.window == 0 || options.resend_after == 0)
            refuse("reliable: a window of ", std::size_t{options.window}, ", resending after ",
                   static_cast<std::size_t>(options.resend_after), " ticks");
        if (options.retries > 63 || options.wait(options.retries) >> options.retries !=
                                        options.resend_after)
            refuse("reliable: doubled ", std::size_t{options.retries}, " times, ",
                   static_cast<std::size_t>(options.resend_after), " ticks are too many to count");
        if (!Storage::holds(options.window))
            refuse("reliable: a window of ", std::size_t{options.window}, " is too large to store");
        if constexpr (breaks_if_late<P>)
            if (process_.delay_most() <= options.late_most())
                refuse("reliable: lost ", std::size_t{options.retries}, " times a message is ",
                       options.late_most(), " ticks late, and what is inside breaks if one takes "
                       "longer than ", process_.delay_most());
    }

    /// The same, with all options left out. A template, so that {} still means the options.
    template <class In>
        requires std::is_same_v<In, Storage>
    constexpr reliable(P process, In in)
        : reliable(std::move(process), reliable_options{}, in) {}

    using base::on;
    constexpr void on(const data& m, port from, auto& env) {
        if (stays_out(env) || is_over(m.from, from)) return;
        hear_of(m.from, from, env);
        if (m.to == life_) take(m, from, env);   // or it was meant for an earlier life than this
        // In any case: the last acknowledgement may be lost, and the sender must hear which life
        // this is.
        env.send(from, message{acknowledgement{life_, m.from, lines_[from].expected}});
    }

    constexpr void on(const acknowledgement& m, port from, auto& env) {
        if (stays_out(env) || is_over(m.from, from)) return;
        const bool beyond = m.to == life_ && is_beyond(m, from);
        hear_of(m.from, from, env);
        if (beyond) return become_reused(from, env);
        if (m.to != life_ || !is_news(m.awaited, from)) return;
        settle(m.awaited, from, env);
    }

    constexpr void on(const used_before& m, port from, auto& env) {
        if (stays_out(env) || m.to != life_ || lines_[from].life != m.from) return;
        if (std::exchange(lines_[from].reused, true)) return;
        env.report(outcome{reused_life{from}});
    }

    constexpr void on(resend t, auto& env) {
        line& to = lines_[t.to];
        if (to.unanswered == options_.retries) env.report(outcome{stalled{t.to}});
        if (to.unanswered <= options_.retries) ++to.unanswered;
        send_pending(t.to, 0, env);
        wait_for_answer(t.to, env);
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.process_, self.options_, self.life_, self.lines_);
    }

private:
    struct early_data {
        std::uint64_t number;
        payload content;

        static constexpr auto fields(auto& self) { return std::tie(self.number, self.content); }
    };
    /// One link, both ways.
    struct line {
        std::optional<incarnation> life{};   // the neighbour's, when something has been heard of it
        sequence<payload> pending{};         // not acknowledged: under way, or outside the window
        std::uint64_t settled = 0;           // the number of the first of them
        unsigned unanswered = 0;             // resendings since there was news
        bool reused = false;                 // reused_life has been reported
        std::uint64_t expected = 0;          // the number of what goes inside next
        sequence<early_data> early{};        // what came before its turn, by number
    };

    /// Of a life of the neighbour's that this one knows to be over. Let in, it would pass for news.
    constexpr bool is_over(incarnation life, port from) const {
        return lines_[from].life && life < *lines_[from].life;
    }
    /// A late acknowledgement would make the count fall; what was never sent has none.
    constexpr bool is_news(std::uint64_t awaited, port from) const {
        const line& to = lines_[from];
        return to.settled < awaited && awaited - to.settled <= under_way(to);
    }
    /// Nobody can acknowledge more than this life has sent to that one.
    constexpr bool is_beyond(const acknowledgement& m, port from) const {
        const line& to = lines_[from];
        const std::uint64_t sent = to.life == m.from ? to.settled + under_way(to) : 0;
        return m.awaited > sent;
    }
    constexpr std::size_t under_way(const line& to) const {
        // Data addressed to no life is not taken: one is enough to be told the neighbour's life.
        const std::size_t most = to.life ? options_.window : 1;
        return to.pending.size() < most ? to.pending.size() : most;
    }

    constexpr void hear_of(incarnation life, port from, auto& env) {
        line& link_to = lines_[from];
        if (link_to.life == life) return;
        // What waited until this neighbour's life is known can be sent now.
        const bool was_sent_to_the_dead = link_to.life.has_value();
        sequence<payload> pending{};
        if (!was_sent_to_the_dead) pending = std::move(link_to.pending);
        link_to = line{life, std::move(pending)};
        for (std::size_t i = 0; i < under_way(link_to); ++i) send_pending(from, i, env);
        wait_for_answer(from, env);
    }

    constexpr void become_reused(port from, auto& env) {
        env.send(from, message{used_before{life_, *lines_[from].life}});   // it may have been lost
        if (std::exchange(lines_[from].reused, true)) return;
        env.report(outcome{reused_life{}});
    }

    constexpr void settle(std::uint64_t awaited, port from, auto& env) {
        line& to = lines_[from];
        const std::size_t sent = under_way(to);
        const auto done = static_cast<std::size_t>(awaited - to.settled);
        drop_first(to.pending, done);
        to.settled = awaited;
        to.unanswered = 0;
        for (std::size_t i = sent - done; i < under_way(to); ++i) send_pending(from, i, env);
        wait_for_answer(from, env);
    }

    constexpr void take(const data& m, port from, auto& env) {
        line& line_from = lines_[from];
        if (m.number < line_from.expected) return;   // a repeated one would arrive twice inside
        if (m.number - line_from.expected >= options_.window) return;   // no room: it comes again
        if (m.number != line_from.expected) return put_by(line_from.early, m);
        hand_over(m.content, from, env);
        while (line_from.early.size() != 0 && line_from.early[0].number == line_from.expected) {
            const payload content = line_from.early[0].content;
            drop_first(line_from.early, 1);
            hand_over(content, from, env);
        }
    }
    constexpr void hand_over(const payload& content, port from, auto& env) {
        ++lines_[from].expected;
        inside<std::remove_reference_t<decltype(env)>> within{env, *this};
        dispatch(process_, content, from, within);
    }
    static constexpr void put_by(sequence<early_data>& early, const data& m) {
        for (const early_data& each : early)
            if (each.number == m.number) return;
        early.push_back(early_data{m.number, m.content});
        for (std::size_t i = early.size() - 1; i != 0 && m.number < early[i - 1].number; --i)
            std::swap(early[i], early[i - 1]);
    }

    /// From the process inside.
    constexpr void send(port p, const payload& content, auto& env) {
        line& to = lines_[p];
        if constexpr (Storage::bounded) {
            if (!Storage::holds(to.pending.size() + 1))
                return env.report(outcome{overflow{to.pending.size() + 1}});
        }
        to.pending.push_back(content);
        if (under_way(to) == to.pending.size()) send_pending(p, to.pending.size() - 1, env);
        if (to.pending.size() == 1) wait_for_answer(p, env);
    }
    constexpr void send_pending(port p, std::size_t place, auto& env) {
        const line& to = lines_[p];
        env.send(p, message{data{life_, to.life, to.settled + place, to.pending[place]}});
    }
    constexpr void wait_for_answer(port p, auto& env) {
        const line& to = lines_[p];
        if (to.pending.size() == 0) env.disarm(timer{resend{p}});
        else env.arm(timer{resend{p}}, options_.wait(to.unanswered));
    }

    template <class T>
    static constexpr void drop_first(sequence<T>& from, std::size_t count) {
        for (std::size_t i = count; i < from.size(); ++i) from[i - count] = std::move(from[i]);
        for (; count != 0; --count) from.pop_back();
    }

    /// The degree is known when the first thing happens; perhaps there is no room for so many.
    constexpr bool stays_out(auto& env) {
        if (lines_.size() == env.degree()) return false;
        if (overflows<Storage, outcome>(env)) return true;
        lines_.resize(env.degree(), line{});
        return false;
    }
    constexpr void run_inside(auto& env, auto act) {
        if (!stays_out(env)) base::run_inside(env, act);
    }
    constexpr void heed(const auto& word, auto& env) {
        if constexpr (requires { word.incarnation; }) life_ = word.incarnation;
        base::pass(word, env);
    }

    reliable_options options_;
    incarnation life_{};
    sequence<line> lines_{};   // per port
};

/// What P sends waits here until it is acknowledged.
template <class P, class Storage>
template <class Env>
class reliable<P, Storage>::inside : public inner_environment<inside<Env>, reliable, Env> {
public:
    constexpr inside(Env& outer, reliable& layer)
        : inner_environment<inside, reliable, Env>(outer), layer_(layer) {}
    constexpr void send(port p, const payload& m) { layer_.send(p, m, this->outer_); }

private:
    reliable& layer_;
};

template <class P>
reliable(P) -> reliable<P>;
template <class P>
reliable(P, reliable_options) -> reliable<P>;
template <class P, class Storage>
reliable(P, reliable_options, Storage) -> reliable<P, Storage>;
template <class P, detail::names_its_role Storage>
reliable(P, Storage) -> reliable<P, Storage>;

}  // namespace caucus
