// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/exploration/table.hpp>
#include <caucus/trace/story.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace caucus::exploration {

/// A transition of the state graph: an edge, while `arc` and `link` are those of the network.
struct edge {
    std::uint32_t to = 0;
    std::uint32_t sent = 0;   // messages
    std::uint32_t act = 0;    // the number of the action, in state_graph::actions
};

/// The states that a search has found, by number, and all transitions between them: the edges of
/// state s are edges[offsets[s]] … edges[offsets[s+1]-1]. Kept only if somebody asks for the
/// number of messages or about cycles: there are many more edges than states.
class state_graph {
public:
    /// `fifo`: what is delivered is the first message of its arc, so the arc says which it is.
    /// `in_order`: the edges are added state by state; else they are sorted in the end.
    explicit state_graph(bool fifo = true, bool in_order = true)
        : fifo_(fifo), in_order_(in_order) {}

    std::vector<std::uint64_t> offsets;
    std::vector<edge> edges;
    std::vector<action> actions;   // every distinct one that an edge takes

    std::size_t states() const { return offsets.size() - 1; }
    std::size_t bytes() const {
        return sizeof(edge) * edges.capacity() + 8 * offsets.capacity() + 4 * froms_.capacity();
    }

    void add(std::uint32_t from, std::uint32_t to, std::uint32_t sent, const action& a) {
        if (!in_order_) froms_.push_back(from);
        else while (offsets.size() <= from) offsets.push_back(edges.size());
        edges.push_back({to, sent, number_of(a)});
    }
    /// When all edges are there, of so many states.
    void close(std::size_t states) {
        if (!froms_.empty()) sort(states);
        while (offsets.size() <= states) offsets.push_back(edges.size());
    }

private:
    std::uint32_t number_of(const action& a) {
        const std::uint64_t who = static_cast<std::uint64_t>(a.what) |
                                  std::uint64_t{a.cut_short} << 7 | std::uint64_t{a.node} << 8 |
                                  std::uint64_t{a.arc} << 32;
        const std::uint64_t what = fifo_ && a.what == action::kind::deliver ? 0 : a.value;
        if (const auto* known = numbers_.find(who, what)) return *known;
        actions.push_back(a);
        return numbers_.insert(who, what, static_cast<std::uint32_t>(actions.size() - 1));
    }

    void sort(std::size_t states) {
        offsets.assign(states + 1, 0);
        for (const std::uint32_t from : froms_) ++offsets[from + 1];
        for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
        std::vector<std::uint64_t> at(offsets.begin(), offsets.end() - 1);
        std::vector<edge> sorted(edges.size());
        for (std::size_t i = 0; i < edges.size(); ++i) sorted[at[froms_[i]]++] = edges[i];
        edges.swap(sorted);
        froms_ = {};
    }

    bool fifo_;
    bool in_order_;
    std::vector<std::uint32_t> froms_;   // of each edge, unless they come in order
    memo<std::uint32_t> numbers_;
};

}  // namespace caucus::exploration
