// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/input.hpp>
#include <caucus/core/kind.hpp>
#include <caucus/core/policy.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/multicast/order_layer.hpp>
#include <caucus/multicast/outcomes.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace caucus {

/// A message's end: all that its sender has sent in that life up to it, and in earlier lives.
struct reach {
    incarnation life{};
    std::uint64_t next = 0;

    friend constexpr auto operator<=>(const reach&, const reach&) = default;
};
template <class Id>
struct cause {
    Id of;
    reach end;

    static constexpr auto fields(auto& c) { return std::tie(c.of, c.end); }
};

/// A message and what its sender had been delivered before it: a vector clock by ids.
template <class P, class Storage>
struct caused {
    using view_number =
        std::conditional_t<detail::tells_views<typename P::outcome>, std::uint64_t, nothing>;
    using past = typename Storage::template sequence<cause<detail::id_within<P>>>;

    reach end{};
    [[no_unique_address]] view_number view{};   // in which those causes were delivered
    past causes{};
    typename P::payload payload;

    static constexpr auto fields(auto& m) {
        return std::tie(m.end, m.view, m.causes, m.payload);
    }
};

template <class P>
concept needs_messages_in_the_order_of_each_sender__wrap_it_in_fifo_order =
    P::delivers != ordering::any;

/// A message tells what its sender had been delivered before; until all of that has been delivered
/// here, it is held back.
///
/// Model     what P assumes, each sender's messages in its order
/// Safety    no message is delivered before one that may have caused it: that its sender had sent
///           or been delivered before, or what may have caused that. None without its causes,
///           unless `missed` says how many are left out
/// Liveness  what P delivers is delivered once its causes are, or are known to be missed
/// Cost      no messages; in each a life and a number, and these and an id for each sender that its
///           sender has been delivered messages of; over views of this view, and the view's number
/// Faults    as P; what P reports as missed is not waited for; where P loses and does not tell,
///           what is held goes on when the buffer is full, and what it has waited for is missed.
///           Over views all begins anew with each view, and what is still held is dropped, at all
///           members alike: its causes have reached nobody who goes on. Without them, who comes
///           back begins, of each sender, with what it hears first, not what that follows from
/// Source    Birman, Schiper & Stephenson, TOCS 9(3), 1991; Schwarz & Mattern, Distributed
///           Computing 7, 1994 (causality)
///
/// Over views, held_max must be as large as messages_max of all members: else what was dropped here
/// was not elsewhere. vector_clock numbers its processes: this needs clocks by id.
///
/// storage   heap_storage, or inplace_storage<N>: N senders, and N messages held, at most.
template <needs_a_multicast__with_payload_and_delivers P, class... Policies>
class causal_order
    : public order_layer<causal_order<P, Policies...>, P,
                         caused<P, policy<storage, heap_storage, Policies...>>,
                         missed<detail::id_within<P>>, overflow> {
    static_assert(needs_messages_in_the_order_of_each_sender__wrap_it_in_fifo_order<P>,
                  "needs_messages_in_the_order_of_each_sender__wrap_it_in_fifo_order");
    static_assert(roles<storage>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using store = policy<storage, heap_storage, Policies...>;
    using wrapped = caused<P, store>;
    using base = order_layer<causal_order, P, wrapped, missed<detail::id_within<P>>, overflow>;
    friend base;
    friend typename base::layer_type;
    using past = typename wrapped::past;
    using cause_type = cause<detail::id_within<P>>;
    static constexpr bool has_views = detail::tells_views<typename P::outcome>;

public:
    using typename base::id_type;
    using typename base::outcome;
    using typename base::payload;
    template <class Other>
    using with_payload = causal_order<typename P::template with_payload<Other>, Policies...>;

    /// In total order, what is held back is so everywhere.
    static constexpr ordering delivers =
        P::delivers == ordering::total ? ordering::total : ordering::causal;

    template <detail::fits_one_of<Policies...>... Given>
    constexpr explicit causal_order(const P& like, hold_back options = {}, Given...)
        : base(like), options_(options.checked()) {
        begin_anew();
    }
    /// The same, with all options left out.
    template <detail::fits_one_of<Policies...> First, detail::fits_one_of<Policies...>... Rest>
    constexpr causal_order(const P& like, First first, Rest... rest)
        : causal_order(like, hold_back{}, first, rest...) {}
    /// Another payload, the same group; nothing has happened there yet.
    template <class Q>
        requires(!std::is_same_v<Q, P>)
    constexpr explicit causal_order(const causal_order<Q, Policies...>& like)
        : base(std::in_place, like.process()), options_(like.options()) {
        begin_anew();
    }

    constexpr answer broadcast(const payload& p, environment_for<causal_order> auto& env) {
        wrapped m{{life_, ++sent_}, view_, {}, p};
        for (const sender& s : senders_)
            if (s.delivered != reach{} && !(s.id == this->id()))
                m.causes.push_back({s.id, s.delivered});
        const answer said = base::cast(m, env);
        if (said != answer::accepted) --sent_;
        return said;
    }

    /// So many messages are held back.
    constexpr std::size_t held() const { return held_.size(); }
    /// And so many were, when a view or its stay ended.
    constexpr std::uint64_t dropped() const { return dropped_; }
    constexpr const hold_back& options() const { return options_; }
    static constexpr auto fields(auto& self) {
        return std::tie(self.process_, self.life_, self.sent_, self.view_, self.senders_,
                        self.held_, self.dropped_, self.is_too_small_);
    }

private:
    struct sender {
        id_type id;
        reach came{};        // from P, which keeps the order
        std::uint64_t lost = 0;   // of those after it, says P, which need not be the next
        reach given_up{};    // reported as missed, though P may still have it
        reach delivered{};   // here, or before something that was: the clock
        bool has_spoken = false;
        static constexpr auto fields(auto& s) {
            return std::tie(s.id, s.came, s.lost, s.given_up, s.delivered, s.has_spoken);
        }
        /// Of what is before that, nothing is waited for.
        constexpr reach heard() const { return {came.life, came.next + lost}; }
        constexpr void hear(const reach& end) {
            const std::uint64_t gap = end.life == came.life ? end.next - came.next - 1 : lost;
            lost -= gap < lost ? gap : lost;
            came = end;
        }
    };
    struct early {
        id_type from;
        wrapped what;
        static constexpr auto fields(auto& e) { return std::tie(e.from, e.what); }
    };

    constexpr void take(const id_type& from, const wrapped& m, auto& env) {
        const bool fits = has_room_for(from, m.causes, env);
        if (!is_listed(from)) return miss(from, 1, env);
        sender& s = find(from);
        if (m.end <= s.came) return;   // no message of P's is delivered twice
        if (has_come_back() && !s.has_spoken && fits)   // what was sent before it is not owed
            for (const cause_type& c : m.causes) raise(find(c.of).given_up, c.end);
        s.has_spoken = true;
        s.hear(m.end);
        if (m.end <= s.given_up) return;   // missed: an effect of it is delivered
        // So it is if P has lost another one than it seemed, or has an own one of a former life.
        if (m.end <= s.delivered || !fits || is_of_the_future(m)) {
            miss(from, 1, env);
        } else if (!is_awaiting(from, m, held_.size())) {
            pass(from, m, env);
        } else {
            if (is_full()) make_room(env);
            held_.push_back({from, m});
        }
        go_on(env);
    }
    using base::note;
    constexpr void note(const missed<id_type>& m, auto& env) {
        if (!has_room_for(m.from, {}, env)) return miss(m.from, m.count, env);
        sender& s = find(m.from);
        const std::uint64_t told = distance(s.heard(), s.given_up);
        s.lost += m.count;
        if (told < m.count) miss(m.from, m.count - told, env);
        go_on(env);
    }
    constexpr void note(const view<id_type>& v, auto& env) {
        begin_anew();
        if constexpr (has_views) view_ = v.number;
        env.report(outcome{v});
    }
    constexpr void note(departed d, auto& env) {
        begin_anew();
        env.report(outcome{d});
    }
    constexpr void note(expelled e, auto& env) {
        begin_anew();
        env.report(outcome{e});
    }
    using base::heed;
    constexpr void heed(const recovered<typename base::kept>& r, auto& env) {
        life_ = r.incarnation;
        base::heed(r, env);
    }

    static constexpr void miss(const id_type& from, std::uint64_t count, auto& env) {
        env.report(outcome{missed<id_type>{from, count}});
    }
    static constexpr void raise(reach& r, const reach& to) {
        if (r < to) r = to;
    }
    /// How many messages are from here to there; of a life of which nothing is known, all.
    static constexpr std::uint64_t distance(const reach& from, const reach& to) {
        if (to <= from) return 0;
        return from.life == to.life ? to.next - from.next : to.next;
    }
    constexpr bool has_come_back() const { return !has_views && life_ != incarnation{}; }
    constexpr bool is_full() const {
        return held_.size() == options_.held_max || !store::holds(held_.size() + 1);
    }
    constexpr void begin_anew() {
        dropped_ += held_.size();
        held_.clear();
        senders_.clear();
        senders_.push_back({this->id(), {}, 0, {}, {}, false});
    }

    /// It follows from messages of this node that there have not been.
    constexpr bool is_of_the_future(const wrapped& m) const {
        for (const cause_type& c : m.causes)
            if (c.of == this->id() && reach{life_, sent_} < c.end) return true;
        return false;
    }
    /// For all of them: then each of them is listed.
    constexpr bool has_room_for(const id_type& from, const past& causes, auto& env) {
        const std::size_t before = senders_.size();
        bool fits = list(from);
        for (const cause_type& c : causes) fits = fits && list(c.of);
        if (fits) return true;
        const std::size_t needed = senders_.size() + 1;
        while (senders_.size() != before) senders_.pop_back();
        if (!std::exchange(is_too_small_, true)) env.report(outcome{overflow{needed}});
        return false;
    }
    constexpr bool is_listed(const id_type& id) const {
        for (const sender& s : senders_)
            if (s.id == id) return true;
        return false;
    }
    constexpr bool list(const id_type& id) {
        if (is_listed(id)) return true;
        const std::size_t needed = senders_.size() + 1;
        if (needed > options_.senders_max || !store::holds(needed)) return false;
        senders_.push_back({id, {}, 0, {}, {}, false});
        return true;
    }
    constexpr sender& find(const id_type& id) { return senders_[index_of(id)]; }
    constexpr std::size_t index_of(const id_type& id) const {
        std::size_t i = 0;
        while (!(senders_[i].id == id)) ++i;
        return i;
    }

    /// Must it wait for anything, being behind so many of those that are held?
    constexpr bool is_awaiting(const id_type& from, const wrapped& m, std::size_t behind) const {
        if (from == this->id()) return false;   // its causes were delivered before it was sent
        for (std::size_t i = 0; i < behind; ++i)
            if (held_[i].from == from) return true;
        // In an earlier view all has been delivered that anybody is going to be.
        if (!(m.view == view_)) return false;
        for (const cause_type& c : m.causes)
            if (is_held(c) || is_to_come(c)) return true;
        return false;
    }
    constexpr bool is_held(const cause_type& c) const {
        for (const early& e : held_)
            if (e.from == c.of && e.what.end <= c.end) return true;
        return false;
    }
    constexpr bool is_to_come(const cause_type& c) const {
        if (c.of == this->id() && c.end.life < life_) return false;
        const sender& s = senders_[index_of(c.of)];
        return s.heard() < c.end && s.given_up < c.end;
    }

    constexpr void pass(const id_type& from, const wrapped& m, auto& env) {
        raise(find(from).delivered, m.end);
        for (const cause_type& c : m.causes) raise(find(c.of).delivered, c.end);
        base::deliver(from, m.payload, env);
    }
    /// Delivers what nothing is to come before any more.
    constexpr void go_on(auto& env) {
        for (std::size_t i = 0; i < held_.size();) {
            if (is_awaiting(held_[i].from, held_[i].what, i)) {
                ++i;
                continue;
            }
            const early e = take_out(i);
            pass(e.from, e.what, env);
            i = 0;
        }
    }
    constexpr early take_out(std::size_t which) {
        const early e = held_[which];
        for (std::size_t i = which; i + 1 < held_.size(); ++i) held_[i] = held_[i + 1];
        held_.pop_back();
        return e;
    }
    /// Of those that are held one at least goes on.
    constexpr void make_room(auto& env) {
        for (std::size_t i = 0; i < held_.size() && is_full(); ++i) {
            const past causes = held_[i].what.causes;
            for (const cause_type& c : causes) {
                if (!is_to_come(c)) continue;
                sender& s = find(c.of);
                const reach known = s.heard();
                miss(c.of, distance(known < s.given_up ? s.given_up : known, c.end), env);
                s.given_up = c.end;
            }
            go_on(env);
        }
        if (!is_full()) return;   // else their causes go round in a circle: somebody lies
        miss(take_out(0).from, 1, env);
    }

    hold_back options_;
    incarnation life_{};
    std::uint64_t sent_ = 0;
    [[no_unique_address]] typename wrapped::view_number view_{};
    typename store::template sequence<sender> senders_{};
    typename store::template sequence<early> held_{};
    std::uint64_t dropped_ = 0;
    bool is_too_small_ = false;
};

template <class P, class... Policies>
causal_order(P, hold_back = {}, Policies...) -> causal_order<P, Policies...>;
template <class P, detail::other_than<hold_back> First, class... Rest>
causal_order(P, First, Rest...) -> causal_order<P, First, Rest...>;

}  // namespace caucus
