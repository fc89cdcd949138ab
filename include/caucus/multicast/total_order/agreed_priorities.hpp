// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>
#include <caucus/core/model.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/core/request.hpp>
#include <caucus/multicast/total_order/rules.hpp>
#include <caucus/multicast/total_order/sequences.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <variant>

namespace caucus {

namespace detail {

/// The later one, or of two that are equally late the one of the junior member, is greater.
struct priority {
    std::uint64_t count = 0;
    std::uint32_t by = 0;   // who has proposed it, by rank

    friend constexpr auto operator<=>(const priority&, const priority&) = default;
};

/// Every member proposes a priority for each message, greater than all that it knows of; the
/// greatest of them is agreed upon. A message is delivered when its priority is agreed and no other
/// that one knows of has a smaller one, agreed or proposed: what one does not know yet will have a
/// greater one, as this member has a say in it.
template <class Payload, class Storage>
class order_of_priorities {
    template <class T>
    using sequence = typename Storage::template sequence<T>;

public:
    /// For the number-th message of whom it is sent to, in that view.
    struct proposal { std::uint64_t view = 0; std::uint64_t number = 0; std::uint64_t count = 0; };
    struct agreed { std::uint64_t number = 0; detail::priority priority{}; };
    /// What is cast: a message, or what was agreed about an earlier one.
    struct sent {
        Payload payload;
        static constexpr auto fields(auto& m) { return std::tie(m.payload); }
    };
    using item = std::variant<sent, agreed>;
    template <class... Others>
    using messages = std::variant<proposal, Others...>;

    constexpr answer submit(const Payload& p, auto& group) {
        if (own_in_hold(group.rank()) >= group.pending_max()) return answer::no_room;
        return group.cast(item{sent{p}});
    }
    constexpr void on(const proposal& p, std::size_t from, auto& group) {
        if (p.count > count_max) return;
        const detail::priority theirs{p.count, static_cast<std::uint32_t>(from)};
        for (ballot& b : ballots_)
            if (b.number == p.number) count(b, from, theirs, group);
    }
    constexpr void heard(std::size_t from, const item& i, auto& group) {
        visit_kind(i, [&](const auto& kind) { note(kind, from, group); });
    }
    constexpr void go_on(auto& group) {
        for (std::size_t i = 0; i < ballots_.size();) {
            if (!is_decided(ballots_[i], group)) { ++i; continue; }
            const agreed a{ballots_[i].number, ballots_[i].greatest};
            if (group.cast(item{a}) != answer::accepted) return;
            drop_at(ballots_, i);
        }
    }

    constexpr void end_view(auto& group) {
        const bool agreed_first = group.obeys(order_rule::A5);
        while (agreed_first && held_.size() != 0) {
            const std::size_t first = first_held(group, true);
            if (!held_[first].is_agreed) break;
            deliver(first, group);
        }
        while (held_.size() != 0) {
            std::size_t first = 0;
            for (std::size_t i = 1; i < held_.size() && group.obeys(order_rule::A6); ++i)
                if (held_[i].name() < held_[first].name()) first = i;
            deliver(first, group);
        }
    }
    constexpr void begin_view(auto& group) {
        become_nobody();
        counts_.resize(group.members(), 0);
    }
    constexpr void become_nobody() { *this = {}; }

    constexpr std::size_t pending() const { return ballots_.size(); }
    constexpr std::size_t held() const { return held_.size(); }
    /// Its proposal, or that it says what was agreed.
    constexpr bool awaits(std::size_t rank, const auto& group) const {
        for (const ballot& b : ballots_)
            if (!b.proposed.contains(port{rank})) return true;
        return held_.size() != 0 && held_[first_held(group, false)].from == rank;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.held_, self.ballots_, self.counts_, self.greatest_);
    }

private:
    /// Nobody gets so far: a greater count is a lie, or was garbled, and the next would be 0.
    static constexpr std::uint64_t count_max = ~std::uint64_t{0} >> 1;

    struct waiting {
        std::size_t from = 0;
        std::uint64_t number = 0;
        detail::priority priority{};
        bool is_agreed = false;
        Payload payload;

        constexpr std::pair<std::size_t, std::uint64_t> name() const { return {from, number}; }
        static constexpr auto fields(auto& self) {
            return std::tie(self.from, self.number, self.priority, self.is_agreed, self.payload);
        }
    };
    /// About a message of its own.
    struct ballot {
        std::uint64_t number = 0;
        detail::priority greatest{};
        port_set<Storage> proposed{};   // by whom: ranks
        static constexpr auto fields(auto& self) {
            return std::tie(self.number, self.greatest, self.proposed);
        }
    };

    constexpr std::size_t own_in_hold(std::size_t rank) const {
        std::size_t count = 0;
        for (const waiting& w : held_) count += w.from == rank;
        return count;
    }
    constexpr void note(const sent& s, std::size_t from, auto& group) {
        if (held_.size() >= group.held_max()) return group.overflow();
        const detail::priority mine{++greatest_, static_cast<std::uint32_t>(group.rank())};
        const std::uint64_t number = counts_[from]++;
        held_.push_back(waiting{from, number, mine, false, s.payload});
        if (from != group.rank())
            return group.send(from, proposal{group.view(), number, mine.count});
        ballots_.push_back(ballot{number});
        count(ballots_[ballots_.size() - 1], from, mine, group);
    }
    constexpr void count(ballot& b, std::size_t from, const detail::priority& p, auto& group) {
        if (!b.proposed.insert(port{from})) return;
        if (is_less(b.greatest, p, group)) b.greatest = p;
    }
    constexpr bool is_decided(const ballot& b, const auto& group) const {
        return b.proposed.size() == group.members() || !group.obeys(order_rule::A4);
    }
    constexpr void note(const agreed& a, std::size_t from, auto& group) {
        if (a.priority.by >= group.members() || a.priority.count > count_max) return;
        for (waiting& w : held_) {
            if (w.from != from || w.number != a.number || w.is_agreed) continue;
            w.is_agreed = true;
            w.priority = a.priority;
            if (greatest_ < a.priority.count && group.obeys(order_rule::A2))
                greatest_ = a.priority.count;
            return deliver_next(group);
        }
    }

    constexpr bool is_less(const detail::priority& a, const detail::priority& b,
                           const auto& group) const {
        return group.obeys(order_rule::A1) ? a < b : a.count < b.count;
    }
    constexpr std::size_t first_held(const auto& group, bool agreed_only) const {
        std::size_t first = 0;
        for (std::size_t i = 1; i < held_.size(); ++i) {
            if (agreed_only && held_[i].is_agreed != held_[first].is_agreed) {
                if (held_[i].is_agreed) first = i;
            } else if (is_less(held_[i].priority, held_[first].priority, group)) {
                first = i;
            }
        }
        return first;
    }
    constexpr void deliver_next(auto& group) {
        while (held_.size() != 0) {
            const std::size_t first = first_held(group, false);
            if (!held_[first].is_agreed && group.obeys(order_rule::A3)) return;
            deliver(first, group);
        }
    }
    constexpr void deliver(std::size_t i, auto& group) {
        const waiting next = held_[i];
        drop_at(held_, i);
        group.deliver(next.from, next.payload);
    }

    sequence<waiting> held_{};             // its own, too
    sequence<ballot> ballots_{};           // its own messages that are not agreed about yet
    sequence<std::uint64_t> counts_{};     // messages heard of each member, in this view
    std::uint64_t greatest_ = 0;           // the count of the greatest priority that it knows of
};

}  // namespace detail

/// All of them together: each member proposes a priority, the greatest is agreed. 3(n-1) messages
/// a broadcast, three delays.
struct agreed_priorities {
    using decides = ordering_by;
    template <class Payload, class Storage>
    using order = detail::order_of_priorities<Payload, Storage>;
    static constexpr cost per_broadcast(const cost& cast, std::size_t members) {
        const std::uint64_t proposals = members == 0 ? 0 : members - 1;
        return {2 * cast.least + proposals, 2 * cast.most + proposals};
    }
};

}  // namespace caucus
