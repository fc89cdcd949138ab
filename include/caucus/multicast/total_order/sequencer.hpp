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

/// The first member is the sequencer: whatever is to be sent is handed in to it, and it casts all
/// in one sequence. As what one member casts arrives as cast, that is the order.
template <class Payload, class Storage>
class order_of_sequencer {
    template <class T>
    using sequence = typename Storage::template sequence<T>;

public:
    struct submission {
        std::uint64_t view = 0;
        Payload payload;
        static constexpr auto fields(auto& m) { return std::tie(m.view, m.payload); }
    };
    /// What is cast: from whom it was, by rank.
    struct item {
        std::uint32_t from = 0;
        Payload payload;
        static constexpr auto fields(auto& m) { return std::tie(m.from, m.payload); }
    };
    template <class... Others>
    using messages = std::variant<submission, Others...>;

    constexpr answer submit(const Payload& p, auto& group) {
        if (pending_.size() >= group.pending_max()) return answer::no_room;
        pending_.push_back(p);
        hand_in(p, group);
        return answer::accepted;
    }
    constexpr void on(const submission& s, std::size_t from, auto& group) {
        if (group.rank() != 0) return;
        std::size_t waiting = 0;
        for (const item& i : waiting_) waiting += i.from == from;
        if (waiting < group.pending_max()) wait(from, s.payload);
    }
    constexpr void heard(std::size_t from, const item& i, auto& group) {
        if (from != 0 || i.from >= group.members()) return;
        if (i.from == group.rank()) {
            if (pending_.size() == 0) return;
            drop_first(pending_);
        }
        group.deliver(i.from, i.payload);
    }
    /// Casts what waits, as far as there is room for it.
    constexpr void go_on(auto& group) {
        while (waiting_.size() != 0 && group.cast(item{waiting_[0]}) == answer::accepted)
            drop_first(waiting_);
    }

    /// All have heard the same of what was ordered, from one sender: nothing is left.
    constexpr void end_view(auto&) {}
    constexpr void begin_view(auto& group) {
        if (group.obeys(order_rule::S2)) waiting_.clear();
        if (!group.obeys(order_rule::S1)) return;
        for (const Payload& p : pending_) hand_in(p, group);
    }
    constexpr void become_nobody() {
        pending_.clear();
        waiting_.clear();
    }

    constexpr std::size_t pending() const { return pending_.size(); }
    constexpr std::size_t held() const { return waiting_.size(); }
    constexpr bool awaits(std::size_t rank, const auto&) const {
        return rank == 0 && pending_.size() != 0;
    }

    static constexpr auto fields(auto& self) { return std::tie(self.pending_, self.waiting_); }

private:
    constexpr void hand_in(const Payload& p, auto& group) {
        if (group.rank() == 0) wait(0, p);
        else group.send(0, submission{group.view(), p});
    }
    constexpr void wait(std::size_t from, const Payload& p) {
        waiting_.push_back(item{static_cast<std::uint32_t>(from), p});
    }

    sequence<Payload> pending_{};   // its own: accepted, and not yet delivered here
    sequence<item> waiting_{};      // at the sequencer: not yet cast
};

}  // namespace detail

/// One member, the first: n messages a broadcast, and n-1 if it is its own. Two delays.
struct sequencer {
    using decides = ordering_by;
    template <class Payload, class Storage>
    using order = detail::order_of_sequencer<Payload, Storage>;
    static constexpr cost per_broadcast(const cost& cast, std::size_t members) {
        return {cast.least, cast.most + (members > 1)};
    }
};

}  // namespace caucus
