// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/run/exploration/world.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace caucus::exploration {

/// How a root can be made again: the number of the order in which the processes stand, the set of
/// nodes that start, and which of the roots that the coins of these starts give.
struct origin {
    std::uint64_t order = 0;
    std::uint64_t starters = 0;
    std::uint64_t which = 0;
};

/// A schedule: a root, and in each state on the way the number of the successor that follows.
struct way {
    exploration::origin origin;
    std::vector<std::uint32_t> successors;
};

/// The roots of an exploration, that is, the states to begin with: one for each start set, each
/// order of the processes, and each fall of the coins that are tossed in the first starts.
class beginnings {
public:
    using state = world::state;

    /// `any_node`: no property minds which node of a ring is which.
    beginnings(world& w, const initiators& who, orders in_which, bool any_node)
        : world_(w), who_(who), orders_(in_which),
          may_rotate_(any_node && who.what() != initiators::kind::given && w.is_a_ring()) {}

    /// May states that differ by a rotation of the ring be merged, as far as starts and properties
    /// are concerned?
    bool may_rotate() const { return may_rotate_; }

    /// Calls out(state, hash, messages sent so far, origin) for each root, until it returns false:
    /// there are up to 2^n - 1 start sets and n! orders, more than anybody waits for.
    void each(callback<bool(const state&, std::uint64_t, std::uint64_t, const origin&)> out) {
        const std::uint64_t everyone =
            world_.nodes() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << world_.nodes()) - 1;
        std::uint64_t first = everyone;
        std::uint64_t last = everyone;
        if (who_.what() == initiators::kind::given) first = last = who_.given();
        if (who_.what() == initiators::kind::any_subset) first = 1;
        if ((last & ~everyone) != 0)
            refuse("explore: an initiator is not among the ", world_.nodes(), " nodes");
        std::vector<std::size_t> order = order_of(0);
        std::uint64_t number = 0;
        do {
            for (std::uint64_t set = first;; ++set) {
                if (!of_one_start(order, {number, set, 0}, out)) return;
                if (set == last) break;
            }
            ++number;
        } while (orders_ == orders::all_permutations && next_order(order));
    }

    /// Makes a root again: calls out(state, starts that led there) once.
    void again(const origin& from, auto out) {
        std::uint64_t which = 0;
        world_.roots(order_of(from.order), starts_now(from), starts_later(from),
                     [&](const state& s, std::uint64_t, std::uint64_t, const auto& starts) {
                         if (which++ != from.which) return true;
                         out(s, starts);
                         return false;
                     });
    }

    /// order[v]: whose process stands at node v.
    std::vector<std::size_t> order_of(std::uint64_t number) const {
        std::vector<std::size_t> order(world_.nodes());
        for (std::size_t v = 0; v < order.size(); ++v) order[v] = v;
        for (; number != 0; --number) next_order(order);
        return order;
    }

private:
    bool of_one_start(const std::vector<std::size_t>& order, origin from, auto out) {
        bool more = true;
        world_.roots(
            order, starts_now(from), starts_later(from),
            [&](const state& s, std::uint64_t hash, std::uint64_t messages, const auto&) {
                more = out(s, hash, messages, from);
                ++from.which;
                return more;
            });
        return more;
    }

    std::uint64_t starts_now(const origin& from) const {
        return world_.how().starts == starting::at_once ? from.starters : 0;
    }
    std::uint64_t starts_later(const origin& from) const {
        return from.starters & ~starts_now(from);
    }
    /// Where rotations make no difference, the first process stays at node 0: n times fewer orders.
    bool next_order(std::vector<std::size_t>& order) const {
        return std::next_permutation(order.begin() + (may_rotate_ ? 1 : 0), order.end());
    }

    world& world_;
    initiators who_;
    orders orders_;
    bool may_rotate_;
};

}  // namespace caucus::exploration
