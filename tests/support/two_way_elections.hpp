// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/rounds.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <support/election_suite.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

/// Elections on two-way rings, by their ids.
namespace support {

/// What was sent and found out, a line each, by time and node, with the first field of a message.
struct story_teller : caucus::observer {
    struct line {
        caucus::ticks at;
        std::size_t node;
        std::string words;
    };
    std::vector<line>* lines = nullptr;

    template <class Kind>
    void sent(caucus::ticks at, caucus::node v, caucus::port p, const Kind& kind) {
        const caucus::text name = caucus::kind_name<Kind>();
        lines->push_back({at, v, std::string(name.data(), name.size()) + " " +
                                     std::to_string(std::get<0>(caucus::fields_of(kind))) +
                                     (p == caucus::next ? " >" : " <")});
    }
    void reported(caucus::ticks at, caucus::node v, const auto& o) {
        lines->push_back({at, v, "knows " + std::to_string(o.leader)});
    }
};
inline std::string in_order(std::vector<story_teller::line> lines) {
    std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
        return a.at != b.at ? a.at < b.at : a.node < b.node;
    });
    std::string all;
    for (const auto& l : lines)
        all += std::to_string(l.at) + ": " + std::to_string(l.node) + " " + l.words + "\n";
    return all;
}
template <class Make>
std::string told(const Make& make) {
    std::vector<story_teller::line> lines;
    story_teller teller;
    teller.lines = &lines;
    caucus::rounds sim{caucus::two_way_ring{make.ids.size()}, make, {}, teller};
    sim.start_all();
    sim.run();
    return in_order(lines);
}

}  // namespace support
