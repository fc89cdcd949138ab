// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/model.hpp>
#include <caucus/core/request.hpp>
#include <caucus/multicast/total_order/rules.hpp>
#include <caucus/multicast/total_order/sequences.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <variant>

namespace caucus {

namespace detail {

/// Whoever has the token casts, and gives each message its place. The token rests with the last one
/// that has cast, until a member wishes for it. A wish goes to where the token was when one last
/// heard of it, and from there on the way that the token has taken. Each member on that way
/// remembers it, too: so a token that is always faster finds the wish when it comes by again.
template <class Payload, class Storage>
class order_of_token {
    template <class T>
    using sequence = typename Storage::template sequence<T>;
    using numbers = sequence<std::uint64_t>;
    using ranks = sequence<std::uint32_t>;

public:
    /// The number-th wish of a member, by rank, for the token: sent to where it was before that
    /// place.
    struct wish {
        std::uint64_t view = 0;
        std::uint32_t of = 0;
        std::uint64_t number = 0;
        std::uint64_t place = 0;
    };
    struct token {
        std::uint64_t view = 0;
        std::uint64_t place = 0;   // of the next message
        numbers seen_to{};         // of each member, the last wish that was queued
        ranks queue{};             // who has it next
        static constexpr auto fields(auto& m) {
            return std::tie(m.view, m.place, m.seen_to, m.queue);
        }
    };
    /// What is cast.
    struct item {
        std::uint64_t place = 0;
        Payload payload;
        static constexpr auto fields(auto& m) { return std::tie(m.place, m.payload); }
    };
    template <class... Others>
    using messages = std::variant<wish, token, Others...>;

    constexpr answer submit(const Payload& p, auto& group) {
        std::size_t own = pending_.size();
        for (const placed& h : held_) own += h.from == group.rank();
        if (own >= group.pending_max()) return answer::no_room;
        pending_.push_back(p);
        return answer::accepted;
    }
    constexpr void on(const wish& w, std::size_t, auto& group) {
        // Its own would come home only if the token had been there meanwhile.
        if (w.of >= group.members() || w.of == group.rank() || w.number < wished_[w.of]) return;
        wished_[w.of] = w.number;
        if (has_token_) return queue_wishes(group);
        // Who has passed it on knows of a later place: nothing is passed on in a circle.
        if (place_ <= w.place || last_ == w.of || !group.obeys(order_rule::T3)) return;
        group.send(last_, wish{w.view, w.of, w.number, place_});
    }
    constexpr void on(const token& t, std::size_t, auto& group) {
        if (has_token_ || !is_sound(t, group.members())) return;
        has_token_ = true;
        waits_ = false;
        place_ = t.place;
        seen_to_ = t.seen_to;
        queue_ = t.queue;
        queue_wishes(group);
    }
    constexpr void heard(std::size_t from, const item& i, auto& group) {
        if (!has_token_ && i.place >= place_ && from != group.rank()) {
            last_ = from;
            place_ = i.place;
        }
        if (i.place < next_ || is_held(i.place)) return;
        if (held_.size() >= group.held_max()) return group.overflow();
        held_.push_back({i.place, from, i.payload});
        deliver_next(group);
    }
    constexpr void go_on(auto& group) {
        if (has_token_) use_token(group);
        else if (pending_.size() != 0 && !waits_) ask_for_token(group);
    }

    /// A place that nobody knows who goes on is passed over: only the dead have heard of it.
    constexpr void end_view(auto& group) {
        while (held_.size() != 0) deliver(first_held(), group);
    }
    constexpr void begin_view(auto& group) {
        held_.clear();
        next_ = 1;
        last_ = 0;
        waits_ = false;
        wished_.clear();
        wished_.resize(group.members(), 0);
        if (has_token_ && !group.obeys(order_rule::T1)) return;
        has_token_ = group.rank() == 0;
        place_ = has_token_ ? 1 : 0;
        queue_.clear();
        seen_to_ = wished_;
    }
    constexpr void become_nobody() { *this = {}; }

    constexpr std::size_t pending() const { return pending_.size(); }
    constexpr std::size_t held() const { return held_.size(); }
    constexpr bool has_token() const { return has_token_; }
    constexpr bool awaits(std::size_t, const auto&) const { return waits_; }

    static constexpr auto fields(auto& self) {
        return std::tie(self.pending_, self.held_, self.next_, self.has_token_, self.place_,
                        self.seen_to_, self.queue_, self.wished_, self.waits_, self.last_);
    }

private:
    struct placed {
        std::uint64_t place = 0;
        std::size_t from = 0;
        Payload payload;
        static constexpr auto fields(auto& self) {
            return std::tie(self.place, self.from, self.payload);
        }
    };

    static constexpr bool is_sound(const token& t, std::size_t members) {
        if (t.seen_to.size() != members || t.queue.size() > members) return false;
        for (const std::uint32_t rank : t.queue)
            if (rank >= members) return false;
        return true;
    }
    /// A wish that was queued before is known by its number.
    constexpr void queue_wishes(auto& group) {
        seen_to_[group.rank()] = wished_[group.rank()];
        for (std::uint32_t rank = 0; rank < group.members(); ++rank) {
            if (wished_[rank] <= seen_to_[rank]) continue;
            seen_to_[rank] = wished_[rank];
            if (queue_.size() < group.members()) queue_.push_back(rank);
        }
    }
    constexpr void use_token(auto& group) {
        while (pending_.size() != 0) {
            if (group.cast(item{place_, pending_[0]}) != answer::accepted) return;
            drop_first(pending_);
            ++place_;
        }
        if (queue_.size() == 0) return;   // it rests
        const std::uint32_t next = queue_[0];
        drop_first(queue_);
        has_token_ = false;
        last_ = next;
        group.send(next, token{group.view(), place_, seen_to_, queue_});
        seen_to_.clear();
        queue_.clear();
    }
    constexpr void ask_for_token(auto& group) {
        waits_ = true;
        const auto self = static_cast<std::uint32_t>(group.rank());
        group.send(last_, wish{group.view(), self, ++wished_[self], place_});
    }

    constexpr bool is_held(std::uint64_t place) const {
        for (const placed& h : held_)
            if (h.place == place) return true;
        return false;
    }
    constexpr std::size_t first_held() const {
        std::size_t first = 0;
        for (std::size_t i = 1; i < held_.size(); ++i)
            if (held_[i].place < held_[first].place) first = i;
        return first;
    }
    constexpr void deliver_next(auto& group) {
        while (held_.size() != 0) {
            const std::size_t first = first_held();
            if (held_[first].place != next_ && group.obeys(order_rule::T2)) return;
            deliver(first, group);
        }
    }
    constexpr void deliver(std::size_t i, auto& group) {
        const placed next = held_[i];
        drop_at(held_, i);
        next_ = next.place + 1;
        group.deliver(next.from, next.payload);
    }

    sequence<Payload> pending_{};    // its own: accepted, and not yet cast
    sequence<placed> held_{};        // waits for places before it
    std::uint64_t next_ = 1;         // the place that is delivered next
    bool has_token_ = false;
    std::uint64_t place_ = 0;        // of the token; or when it was last heard of
    numbers seen_to_{};              // of the token
    ranks queue_{};                  // of the token
    numbers wished_{};               // the last wish of each member, that it has heard of
    bool waits_ = false;             // it has wished for the token
    std::size_t last_ = 0;           // who had it when it was last heard of
};

}  // namespace detail

/// Whoever has the token: n-1 messages a broadcast; a wish and a hop, each time that it moves, and
/// one more for each time that the wish comes too late.
struct moving_token {
    using decides = ordering_by;
    template <class Payload, class Storage>
    using order = detail::order_of_token<Payload, Storage>;
    static constexpr cost per_broadcast(const cost& cast, std::size_t members) {
        return {cast.least, cast.most + (members > 1 ? 2 : 0)};
    }
};

}  // namespace caucus
