// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/input.hpp>
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

namespace caucus {

/// The number-th message of its sender, in that life.
template <class Payload>
struct numbered_payload {
    incarnation life{};
    std::uint64_t number = 0;
    Payload payload;

    static constexpr auto fields(auto& m) { return std::tie(m.life, m.number, m.payload); }
};

template <class P>
concept needs_a_multicast_without_order__this_one_delivers_in_order =
    P::delivers == ordering::any;

/// Messages of a sender are numbered; what comes too early is held back.
///
/// Model     what P assumes, any order
/// Safety    each sender's messages in the order in which they were sent; without a gap, unless
///           `missed` says how many are left out
/// Liveness  what P delivers is delivered, once all before it has come or is known to be missed
/// Cost      no messages; a life and a number in each
/// Faults    what P reports as missed is not waited for; where P loses and does not tell, messages
///           are held back until the buffer is full: then the oldest goes on, and what it has
///           waited for is missed. A sender's next life begins anew, and what was held of the last
///           is delivered. Who comes back itself begins, of each sender, with what it hears first
/// Source    Hadzilacos & Toueg, Cornell TR 94-1425, 1994
///
/// storage   heap_storage, or inplace_storage<N>: N senders, and N messages held, at most.
template <needs_a_multicast__with_payload_and_delivers P, class... Policies>
class fifo_order
    : public order_layer<fifo_order<P, Policies...>, P, numbered_payload<typename P::payload>,
                         missed<detail::id_within<P>>, overflow> {
    static_assert(needs_a_multicast_without_order__this_one_delivers_in_order<P>,
                  "needs_a_multicast_without_order__this_one_delivers_in_order");
    static_assert(roles<storage>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using wrapped = numbered_payload<typename P::payload>;
    using base =
        order_layer<fifo_order, P, wrapped, missed<detail::id_within<P>>, overflow>;
    friend base;
    friend typename base::layer_type;
    using store = policy<storage, heap_storage, Policies...>;

public:
    using typename base::id_type;
    using typename base::outcome;
    using typename base::payload;
    template <class Other>
    using with_payload = fifo_order<typename P::template with_payload<Other>, Policies...>;

    static constexpr ordering delivers = ordering::fifo;

    template <detail::fits_one_of<Policies...>... Given>
    constexpr explicit fifo_order(const P& like, hold_back options = {}, Given...)
        : base(like), options_(options.checked()) {
        senders_.push_back({this->id(), {}, 0, 0, 0, 0});
    }
    /// The same, with all options left out.
    template <detail::fits_one_of<Policies...> First, detail::fits_one_of<Policies...>... Rest>
    constexpr fifo_order(const P& like, First first, Rest... rest)
        : fifo_order(like, hold_back{}, first, rest...) {}
    /// Another payload, the same group; nothing has happened there yet.
    template <class Q>
        requires(!std::is_same_v<Q, P>)
    constexpr explicit fifo_order(const fifo_order<Q, Policies...>& like)
        : base(std::in_place, like.process()), options_(like.options()) {
        senders_.push_back({this->id(), {}, 0, 0, 0, 0});
    }

    constexpr answer broadcast(const payload& p, environment_for<fifo_order> auto& env) {
        const answer said = base::cast(wrapped{life_, sent_, p}, env);
        if (said == answer::accepted) ++sent_;
        return said;
    }

    /// So many messages are held back.
    constexpr std::size_t held() const { return held_.size(); }
    constexpr const hold_back& options() const { return options_; }
    static constexpr auto fields(auto& self) {
        return std::tie(self.process_, self.life_, self.sent_, self.senders_, self.held_,
                        self.is_too_small_);
    }

private:
    struct sender {
        id_type id;
        std::optional<incarnation> life{};   // none: P has only said that some are missed
        std::uint64_t next = 0;              // all before is delivered or missed
        std::uint64_t lost = 0;              // missed by P, and it is not known which
        std::uint64_t skipped = 0;           // taken for those
        std::uint64_t given_up = 0;          // missed here, and P knows nothing of it
        static constexpr auto fields(auto& s) {
            return std::tie(s.id, s.life, s.next, s.lost, s.skipped, s.given_up);
        }
    };
    struct early {
        id_type from;
        wrapped what;
        static constexpr auto fields(auto& e) { return std::tie(e.from, e.what); }
    };

    constexpr void take(const id_type& from, const wrapped& m, auto& env) {
        if (m.number == ~std::uint64_t{0}) return;   // nobody has sent that many
        sender* const s = find(from, env);
        if (s == nullptr) return miss(from, 1, env);
        if (!s->life) s->next = has_come_back() ? m.number : 0;
        else if (*s->life < m.life) end_life(*s, env);
        if (!s->life || *s->life < m.life) s->life = m.life;
        if (m.life == *s->life && m.number > s->next && is_full()) make_room(*s, m.number, env);
        if (m.life < *s->life || m.number < s->next) drop(*s, env);
        else if (m.number > s->next) hold(from, m);
        else pass(*s, m, env);
        go_on(*s, env);
    }
    using base::note;
    constexpr void note(const missed<id_type>& m, auto& env) {
        sender* const s = find(m.from, env);
        if (s == nullptr) return miss(m.from, m.count, env);
        const std::uint64_t told = m.count < s->given_up ? m.count : s->given_up;
        s->given_up -= told;
        s->lost += m.count - told;
        miss(m.from, m.count - told, env);
        go_on(*s, env);
    }
    using base::heed;
    constexpr void heed(const recovered<typename base::kept>& r, auto& env) {
        life_ = r.incarnation;
        base::heed(r, env);
    }

    static constexpr void miss(const id_type& from, std::uint64_t count, auto& env) {
        if (count != 0) env.report(outcome{missed<id_type>{from, count}});
    }
    constexpr bool has_come_back() const { return life_ != incarnation{}; }
    constexpr bool is_full() const {
        return held_.size() == options_.held_max || !store::holds(held_.size() + 1);
    }

    /// Null if there is no room for one more.
    constexpr sender* find(const id_type& id, auto& env) {
        for (sender& s : senders_)
            if (s.id == id) return &s;
        const std::size_t needed = senders_.size() + 1;
        if (needed <= options_.senders_max && store::holds(needed)) {
            senders_.push_back({id, {}, 0, 0, 0, 0});
            return &senders_[needed - 1];
        }
        if (!std::exchange(is_too_small_, true)) env.report(outcome{overflow{needed}});
        return nullptr;
    }

    constexpr void hold(const id_type& from, const wrapped& m) {
        for (const early& e : held_)
            if (e.from == from && e.what.number == m.number) return;
        held_.push_back({from, m});
    }
    /// Its first message that is held; all are of one life.
    constexpr std::optional<std::size_t> first_held(const sender& s) const {
        std::optional<std::size_t> first;
        for (std::size_t i = 0; i < held_.size(); ++i)
            if (held_[i].from == s.id &&
                (!first || held_[i].what.number < held_[*first].what.number))
                first = i;
        return first;
    }
    /// How many of its messages that are held another one must come before.
    constexpr std::uint64_t gaps(const sender& s) const {
        std::uint64_t end = s.next;
        std::uint64_t here = 0;
        for (const early& e : held_) {
            if (!(e.from == s.id)) continue;
            ++here;
            if (end <= e.what.number) end = e.what.number + 1;
        }
        return end - s.next - here;
    }

    constexpr void pass(sender& s, const wrapped& m, auto& env) {
        s.next = m.number + 1;
        base::deliver(s.id, m.payload, env);
    }
    /// Delivers what nothing is to come before any more.
    constexpr void go_on(sender& s, auto& env) {
        while (const std::optional<std::size_t> first = first_held(s)) {
            if (gaps(s) > s.lost && held_[*first].what.number != s.next) return;
            release(s, *first, env);
        }
    }
    constexpr void release(sender& s, std::size_t first, auto& env) {
        const wrapped m = held_[first].what;
        for (std::size_t i = first; i + 1 < held_.size(); ++i) held_[i] = held_[i + 1];
        held_.pop_back();
        skip_to(s, m.number, env);
        pass(s, m, env);
    }
    constexpr void skip_to(sender& s, std::uint64_t number, auto& env) {
        const std::uint64_t gap = number - s.next;
        const std::uint64_t told = gap < s.lost ? gap : s.lost;
        s.next = number;
        s.lost -= told;
        s.skipped += told;
        s.given_up += gap - told;
        miss(s.id, gap - told, env);
    }
    /// For that message of that sender, or it goes on itself.
    constexpr void make_room(sender& s, std::uint64_t number, auto& env) {
        sender& oldest = *find(held_[0].from, env);
        const std::size_t first = *first_held(oldest);
        if (&s == &oldest && number < held_[first].what.number) return skip_to(s, number, env);
        release(oldest, first, env);
        go_on(oldest, env);
    }
    constexpr void end_life(sender& s, auto& env) {
        while (const std::optional<std::size_t> first = first_held(s)) release(s, *first, env);
        s.next = s.lost = s.skipped = 0;
    }
    /// Too late: what was sent after it is delivered.
    constexpr void drop(sender& s, auto& env) {
        if (s.given_up != 0) return static_cast<void>(--s.given_up);
        // Taken for lost, it has come: then another one is.
        if (s.skipped != 0) {
            --s.skipped;
            ++s.lost;
        }
        miss(s.id, 1, env);
    }

    hold_back options_;
    incarnation life_{};
    std::uint64_t sent_ = 0;
    typename store::template sequence<sender> senders_{};
    typename store::template sequence<early> held_{};
    bool is_too_small_ = false;
};

template <class P, class... Policies>
fifo_order(P, hold_back = {}, Policies...) -> fifo_order<P, Policies...>;
template <class P, detail::other_than<hold_back> First, class... Rest>
fifo_order(P, First, Rest...) -> fifo_order<P, First, Rest...>;

}  // namespace caucus
