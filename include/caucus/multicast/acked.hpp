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

/// What becomes of a broadcast when the sender's buffer is full: not all have acknowledged the
/// oldest message.
struct full_buffer {};
struct block { using decides = full_buffer; };         // it is refused: no_room
struct drop_oldest { using decides = full_buffer; };   // who has not got the oldest has missed it
/// Whoever has not got the oldest, though it was sent again, is left behind; if somebody has had no
/// time to get it, no_room.
struct expel { using decides = full_buffer; };

/// An outcome of the sender: it does not wait for that one any more, and sends it nothing before it
/// is trusted or begins another life.
struct left_behind {
    port whom{};
};
/// An outcome of whoever is left behind, if the word reaches it.
struct left_out {
    port by{};
};

struct acked_options {
    std::size_t window = 16;   // messages of one sender that not all have, at most; up to 64
    ticks resend_after = 32;   // less than a message and its answer take is a waste
    unsigned retries = 6;      // resendings without news, each after twice the time

    /// Until the next resending, after so many without news.
    constexpr ticks wait(unsigned unanswered) const {
        return times(ticks{1} << (unanswered < retries ? unanswered : retries), resend_after);
    }
    constexpr acked_options checked() const {
        if (window == 0 || window > 64 || resend_after == 0)
            refuse("acked: a window of ", window, " (1 to 64), resending after ",
                   static_cast<std::size_t>(resend_after), " ticks");
        if (retries > 63 || wait(retries) >> retries != resend_after)
            refuse("acked: doubled ", std::size_t{retries}, " times, ",
                   static_cast<std::size_t>(resend_after), " ticks are too many to count");
        return *this;
    }
};

/// Whoever sends knows the receivers and sends again to those that stay silent; whoever receives
/// acknowledges, whatever comes.
///
/// Model     complete network, unique ids known to all; links that lose, repeat and reorder; a
///           detector is welcome: any
/// Safety    one life of a node is delivered each message once, and each sender's in order, without
///           a gap, or `missed` says how many are left out
/// Liveness  what a live node sends reaches all that live, unless it was dropped: then they are
///           told; nobody is waited for that is suspected or was left behind
/// Cost      2(n-1) a broadcast: data and an acknowledgement each; if a copy is lost with
///           probability q, and no acknowledgement, (n-1)/(1-q) data on average. n-1
///           acknowledgements come at about the same time; 2(n-1) more where a life is not known
/// Faults    loss, duplication, reordering, partition; of a sender that crashes some may deliver
///           more than others; one that stays silent: stalled, once, and it fills the buffer, so
///           that the sender is refused, until it is suspected; by policy it is left behind, or
///           all go on without the oldest; an incarnation used twice is taken for repetitions
/// Source    Stenning, Computer Networks 1, 1976; to many: Pingali, Towsley & Kurose, SIGMETRICS
///           1994
///
/// A receiver that comes back is sent what its former life had not acknowledged, or told how many
/// of that it has missed; what that life got nevertheless may so reach both.
///
/// `Payload` what is sent. `Id` any identity; the default int.
/// full_buffer  block, drop_oldest or expel. Default block: nobody loses anything but those that
///              are suspected.
/// storage   heap_storage, or inplace_storage<N>: N peers and a window of N at most.
template <class Payload, class Id = int, class... Policies>
class acked {
    static_assert(detail::ids_can_elect<Id>());
    static_assert(roles<full_buffer, storage>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    static constexpr bool drops = chooses<drop_oldest, block, Policies...>;
    static constexpr bool expels = chooses<expel, block, Policies...>;
    static_assert(drops || expels || chooses<block, block, Policies...>,
                  "takes_block_drop_oldest_or_expel");

public:
    using storage_type = policy<storage, heap_storage, Policies...>;
    struct data {
        incarnation from;
        incarnation to;          // the first, until something has been heard of it
        std::uint64_t number;    // of what this life has sent to that one
        Payload payload;
        static constexpr auto fields(auto& m) {
            return std::tie(m.from, m.to, m.number, m.payload);
        }
    };
    struct acknowledgement {
        incarnation from;
        incarnation to;
        std::uint64_t awaited;   // all data before that number has come
        std::uint64_t early;     // bit i: and that of number awaited + 1 + i
    };
    struct gone { incarnation from, to; std::uint64_t before; };   // nothing before that will come
    struct farewell { incarnation from, to; };                     // nor anything else
    using message = std::variant<data, acknowledgement, gone, farewell>;
    struct resend { port to; };
    using timer = resend;
    using outcome =
        std::variant<stalled, delivered<Id, Payload>, missed<Id>, left_behind, left_out>;
    using payload = Payload;
    using requests = std::variant<request::start, request::broadcast<Payload>>;
    template <class Other>
    using with_payload = acked<Other, Id, Policies...>;

    static constexpr ordering delivers = ordering::fifo;
    static constexpr model assumes = {shape::complete, guarantee::none, naming::distinct,
                                      timing::asynchronous, false};
    /// If nothing is lost or late.
    static constexpr cost per_broadcast(std::size_t members) {
        const std::uint64_t exactly = members == 0 ? 0 : 2 * (std::uint64_t{members} - 1);
        return {exactly, exactly, static_cast<double>(exactly)};
    }
    static constexpr std::size_t timers(std::size_t degree) { return degree; }

    /// peers[p] is the id behind port p. Policies that are named as types need not be given again.
    template <class Range, class... Given>
        requires(... && detail::fits_one_of<Given, Policies...>)
    constexpr acked(Id self, const Range& peers, acked_options options = {}, Given...)
        : self_(std::move(self)), options_(options.checked()) {
        static_assert(needs_peers_that_fit__give_a_std_array<storage_type, Range>,
                      "needs_peers_that_fit__give_a_std_array");
        if (!storage_type::holds(options.window))
            refuse("acked: a window of ", options.window, " is too large to store");
        for (const auto& peer : peers) peers_.push_back(peer);
        lines_.resize(peers_.size(), line{});
    }
    /// The same, with all options left out.
    template <class Range, detail::fits_one_of<Policies...> First,
              detail::fits_one_of<Policies...>... Rest>
    constexpr acked(Id self, const Range& peers, First first, Rest... rest)
        : acked(std::move(self), peers, {}, first, rest...) {}
    /// Another payload, the same group; nothing has happened there yet.
    template <class Other>
        requires(!std::is_same_v<Other, Payload>)
    constexpr explicit acked(const acked<Other, Id, Policies...>& like)
        : self_(like.self_), peers_(like.peers_), options_(like.options_) {
        lines_.resize(peers_.size(), line{});
    }

    constexpr void start(environment_for<acked> auto&) {}
    constexpr answer broadcast(const Payload& p, environment_for<acked> auto& env) {
        if (is_full() && !make_room(env)) return answer::no_room;
        sent_.push_back(p);
        for (const port to : ports(lines_.size())) {
            const line& l = lines_[to];
            if (l.now != standing::awaited) continue;
            send_data(to, end() - 1, env);
            if (l.settled == end() - 1) wait_for(to, env);
        }
        env.report(outcome{delivered<Id, Payload>{self_, p}});
        forget();
        return answer::accepted;
    }

    constexpr void on(const recovered<>& r, environment_for<acked> auto&) { life_ = r.incarnation; }
    constexpr void on(suspect s, environment_for<acked> auto& env) {
        if (is_stranger(s.whom) || is_late(s)) return;
        if (s.life) hear_of(*s.life, s.whom);
        if (lines_[s.whom].now == standing::awaited) become(standing::suspected, s.whom, env);
    }
    constexpr void on(trust t, environment_for<acked> auto& env) {
        if (is_stranger(t.whom) || is_late(t)) return;
        const bool is_new = t.life && hear_of(*t.life, t.whom);
        if (is_new || lines_[t.whom].now != standing::awaited)
            become(standing::awaited, t.whom, env);
    }

    constexpr void on(const data& m, port from, environment_for<acked> auto& env) {
        if (!is_heard(m, from, env)) return;
        if (m.to == life_)   // or it was meant for an earlier life than this
            lines_[from].received.take(m.number, m.payload, options_.window, deliver(from, env));
        // In any case: the last acknowledgement may be lost, and the sender must hear which life
        // this is.
        acknowledge(from, env);
    }
    constexpr void on(const gone& m, port from, environment_for<acked> auto& env) {
        if (!is_heard(m, from, env)) return;
        if (m.to == life_)
            lines_[from].received.pass_over(
                m.before, deliver(from, env), [&](std::uint64_t count) {
                    lines_[from].is_left_out = false;
                    env.report(outcome{missed<Id>{peers_[from], count}});
                });
        acknowledge(from, env);
    }
    constexpr void on(const acknowledgement& m, port from, environment_for<acked> auto& env) {
        if (!is_heard(m, from, env) || m.to != life_) return;
        line& to = lines_[from];
        if (to.now == standing::left_behind) return env.send(from, farewell{life_, m.from});
        if (claims_too_much(m, to) || to.begin + m.awaited < to.settled) return;
        const bool is_news = to.begin + m.awaited != to.settled;
        to.early = is_news ? m.early : to.early | m.early;
        if (!is_news) return;
        to.settled = to.begin + m.awaited;
        to.unanswered = 0;
        wait_for(from, env);
        forget();
    }
    constexpr void on(const farewell& m, port from, environment_for<acked> auto& env) {
        if (!is_heard(m, from, env) || m.to != life_) return;
        if (!std::exchange(lines_[from].is_left_out, true)) env.report(outcome{left_out{from}});
    }

    constexpr void on(resend t, environment_for<acked> auto& env) {
        line& to = lines_[t.to];
        if (to.unanswered == options_.retries) env.report(outcome{stalled{t.to}});
        if (to.unanswered <= options_.retries) ++to.unanswered;
        send_pending(t.to, env);
        wait_for(t.to, env);
    }

    constexpr const Id& id() const { return self_; }
    constexpr const auto& peers() const { return peers_; }
    /// Of its own messages, so many are kept: somebody may not have them.
    constexpr std::size_t kept() const { return sent_.size(); }
    /// Of that one's messages, so many came too early.
    constexpr std::size_t early(port p) const {
        return is_stranger(p) ? 0 : lines_[p].received.size();
    }
    constexpr bool awaits(port p) const {
        if (is_stranger(p)) return false;
        return lines_[p].now == standing::awaited && lines_[p].settled != end();
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.life_, self.sent_, self.first_, self.lines_);
    }

private:
    template <class, class, class...>
    friend class acked;
    enum class standing : std::uint8_t { awaited, suspected, left_behind };
    /// What is known of a neighbour, and what was sent to and received from its present life.
    struct line {
        std::optional<incarnation> life{};   // the latest heard of
        standing now = standing::awaited;
        bool is_left_out = false;            // by it, and that was reported
        std::uint64_t begin = 0;             // the first of this node's messages that was for it
        std::uint64_t settled = 0;           // the first that it has not acknowledged
        std::uint64_t early = 0;             // bit i: the one i + 1 after that it has
        unsigned unanswered = 0;             // resendings since there was news
        receive_window<Payload, storage_type> received{};

        static constexpr auto fields(auto& l) {
            return std::tie(l.life, l.now, l.is_left_out, l.begin, l.settled, l.early,
                            l.unanswered, l.received);
        }
        constexpr bool has(std::uint64_t number) const {
            const std::uint64_t ahead = number - settled - 1;   // of the settled one itself: 2^64-1
            return ahead < 64 && (early >> ahead & 1u) != 0;
        }
    };

    constexpr std::uint64_t end() const { return first_ + sent_.size(); }
    constexpr bool is_full() const { return sent_.size() == options_.window; }
    constexpr bool is_stranger(port p) const { return p >= lines_.size(); }
    constexpr bool is_late(const auto& word) const {
        return word.life && lines_[word.whom].life && *word.life < *lines_[word.whom].life;
    }
    constexpr bool claims_too_much(const acknowledgement& m, const line& to) const {
        const std::uint64_t sent = end() - to.begin;
        if (m.awaited > sent) return true;
        const std::uint64_t after = sent - m.awaited;   // the awaited one, and those after it
        return after <= 64 && m.early >> (after == 0 ? 0 : after - 1) != 0;
    }
    /// Not of a stranger, nor of a life that is known to be over: let in, it would pass for news.
    constexpr bool is_heard(const auto& m, port from, auto& env) {
        if (is_stranger(from) || (lines_[from].life && m.from < *lines_[from].life)) return false;
        if (hear_of(m.from, from)) become(standing::awaited, from, env);
        return true;
    }
    /// Is it another life than that to which everything was sent so far? To this one numbers begin
    /// with 0, at what the former one had not acknowledged. Perhaps it was there already when that
    /// was sent: then it must hear if that is gone.
    constexpr bool hear_of(incarnation life, port p) {
        line& l = lines_[p];
        if (l.life == life) return false;
        const bool was_guessed = !l.life && life == incarnation{};
        l.life = life;
        if (was_guessed) return false;
        l = line{.life = life, .begin = l.settled, .settled = l.settled};
        return true;
    }
    constexpr void become(standing later, port p, auto& env) {
        line& l = lines_[p];
        l.now = later;
        l.unanswered = 0;
        if (later == standing::awaited) send_pending(p, env);
        wait_for(p, env);
        forget();
    }

    constexpr auto deliver(port from, auto& env) {
        return [this, from, &env](const Payload& p) {
            lines_[from].is_left_out = false;
            env.report(outcome{delivered<Id, Payload>{peers_[from], p}});
        };
    }
    constexpr void acknowledge(port to, auto& env) {
        const line& l = lines_[to];
        env.send(to, acknowledgement{life_, *l.life, l.received.expected(), l.received.bits()});
    }

    constexpr void send_data(port p, std::uint64_t number, auto& env) {
        const line& to = lines_[p];
        env.send(p, message{data{life_, to.life.value_or(incarnation{}), number - to.begin,
                                 sent_[static_cast<std::size_t>(number - first_)]}});
    }
    constexpr void send_pending(port p, auto& env) {
        const line& to = lines_[p];
        if (to.settled < first_)
            env.send(p, gone{life_, to.life.value_or(incarnation{}), first_ - to.begin});
        for (std::uint64_t k = to.settled < first_ ? first_ : to.settled; k < end(); ++k)
            if (!to.has(k)) send_data(p, k, env);
    }
    constexpr void wait_for(port p, auto& env) {
        if (awaits(p)) env.arm(resend{p}, options_.wait(lines_[p].unanswered));
        else env.disarm(resend{p});
    }

    constexpr void drop_first() {
        for (std::size_t i = 1; i < sent_.size(); ++i) sent_[i - 1] = std::move(sent_[i]);
        sent_.pop_back();
        ++first_;
    }
    /// What all have but those that are left behind. For those that are suspected it is kept while
    /// there is room.
    constexpr void forget() {
        while (sent_.size() != 0) {
            for (const line& l : lines_)
                if (l.now != standing::left_behind && l.settled <= first_) return;
            drop_first();
        }
    }
    constexpr bool make_room(auto& env) {
        const auto lacks_oldest = [&](const line& l) {
            return l.now == standing::awaited && l.settled <= first_;
        };
        if constexpr (!drops) {
            for (const line& l : lines_)
                if (lacks_oldest(l) && !(expels && l.unanswered != 0)) return false;
            for (const port p : ports(lines_.size()))   // until it is forgotten
                if (is_full() && lacks_oldest(lines_[p])) leave_behind(p, env);
        }
        if (is_full()) drop_first();
        return true;
    }
    constexpr void leave_behind(port p, auto& env) {
        env.report(outcome{left_behind{p}});
        env.send(p, farewell{life_, lines_[p].life.value_or(incarnation{})});
        become(standing::left_behind, p, env);
    }

    Id self_;
    incarnation life_{};
    typename storage_type::template sequence<Id> peers_{};   // by port
    acked_options options_;
    typename storage_type::template sequence<Payload> sent_{};   // not all have acknowledged them
    std::uint64_t first_ = 0;                                    // the number of the first of them
    typename storage_type::template sequence<line> lines_{};     // by port
};

}  // namespace caucus
