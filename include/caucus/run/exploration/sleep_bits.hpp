// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/exploration/world.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace caucus::exploration {

/// Sets of actions as 64 bits, for sleep sets (see reductions): a bit for each node's start and
/// each arc's first message; the bits that are left are for timers and, on unordered links, for
/// further messages. An action that gets no bit of its own never sleeps: it is tried in each state.
class sleep_bits {
public:
    static constexpr std::uint64_t sleepless = std::uint64_t{1} << 63;
    static constexpr std::size_t most = 63;   // nodes and arcs

    sleep_bits() = default;
    explicit sleep_bits(const world& w)
        : nodes_(w.nodes()), fifo_(w.how().fifo), at_node_(w.nodes(), 0) {
        const std::size_t room = most - nodes_ - w.arcs();
        const std::size_t timed = w.handlers().is().has_timers ? room / nodes_ : 0;
        timer_bits_ = fifo_ ? timed : timed / 2;
        if (!fifo_ && w.arcs() != 0) arc_bits_ += (room - nodes_ * timer_bits_) / w.arcs();
        const auto give = [&](std::size_t v, std::size_t first, std::size_t count) {
            for (std::size_t i = 0; i < count; ++i) at_node_[v] |= std::uint64_t{1} << (first + i);
        };
        for (std::size_t v = 0; v < nodes_; ++v) {
            give(v, v, 1);
            give(v, nodes_ + v * timer_bits_, timer_bits_);
        }
        for (std::size_t arc = 0; arc < w.arcs(); ++arc)
            give(w.end_of(arc).node, first_of(arc), arc_bits_);
    }

    std::uint64_t of(const action& a) const {
        const auto bit = [](std::size_t first, std::size_t count, std::size_t which) {
            return which < count ? std::uint64_t{1} << (first + which) : sleepless;
        };
        if (a.what == action::kind::start) return bit(a.node, 1, 0);
        if (a.what == action::kind::expire)
            return bit(nodes_ + a.node * timer_bits_, timer_bits_, a.value);
        return bit(first_of(a.arc), arc_bits_, fifo_ ? 0 : a.value);
    }
    /// All that happens at node v: what does not commute with an action there.
    std::uint64_t at(std::size_t v) const { return at_node_[v]; }

private:
    std::size_t first_of(std::size_t arc) const {
        return nodes_ + nodes_ * timer_bits_ + arc * arc_bits_;
    }

    std::size_t nodes_ = 0;
    bool fifo_ = true;
    std::size_t timer_bits_ = 0;   // for each node
    std::size_t arc_bits_ = 1;     // for each arc
    std::vector<std::uint64_t> at_node_;
};

}  // namespace caucus::exploration
