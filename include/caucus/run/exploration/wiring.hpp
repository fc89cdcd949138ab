// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/topology/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace caucus::exploration {

/// A copy of any topology as tables, so that an explorer is compiled once for a process type and
/// not again for every type of topology.
class wiring {
public:
    explicit wiring(const auto& t) : kind(t.kind), links_(t.links()) {
        ends_.resize(t.arcs());
        for (std::size_t v = 0; v < t.nodes(); ++v) {
            first_.push_back(static_cast<std::uint32_t>(arc_of_.size()));
            for (const port p : ports(t.degree(node{v}))) {
                arc_of_.push_back(static_cast<std::uint32_t>(t.arc(node{v}, p)));
                ends_[arc_of_.back()] = t.across(node{v}, p);
            }
        }
        first_.push_back(static_cast<std::uint32_t>(arc_of_.size()));
    }

    std::size_t nodes() const { return first_.size() - 1; }
    std::size_t links() const { return links_; }
    std::size_t arcs() const { return ends_.size(); }
    std::size_t degree(node v) const { return first_[v + 1] - first_[v]; }
    std::size_t arc(node v, port p) const { return arc_of_[first_[v] + p]; }
    far_end across(node v, port p) const { return ends_[arc(v, p)]; }

    shape kind;

private:
    std::size_t links_;
    std::vector<std::uint32_t> first_;    // of each node's ports, in arc_of_; and one more
    std::vector<std::uint32_t> arc_of_;
    std::vector<far_end> ends_;           // of each arc
};

}  // namespace caucus::exploration
