// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/simulation/network.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace support {

/// Writes down what is sent by which port, waited for and found out: a line each, by time and node.
struct journal : caucus::observer {
    struct line {
        caucus::ticks at;
        std::size_t node;
        std::string words;
    };
    std::vector<line>* lines = nullptr;

    template <class Kind>
    void sent(caucus::ticks at, caucus::node v, caucus::port p, const Kind&) {
        const caucus::text name = caucus::kind_name<Kind>();
        lines->push_back({at, v, std::string(name.data(), name.size()) + " by " +
                                     std::to_string(p.index())});
    }
    void armed(caucus::ticks at, caucus::node v, const auto&, caucus::ticks delay) {
        lines->push_back({at, v, "waits " + std::to_string(delay)});
    }
    void reported(caucus::ticks at, caucus::node v, const auto& o) {
        std::string leader;
        if constexpr (requires { std::to_string(o.leader); })
            leader = " " + std::to_string(o.leader);
        lines->push_back({at, v, "knows" + leader});
    }
};

/// Which node goes first within a tick is nobody's business.
inline std::string in_order(std::vector<journal::line> lines) {
    std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
        return a.at != b.at ? a.at < b.at : a.node < b.node;
    });
    std::string all;
    for (const auto& l : lines)
        all += std::to_string(l.at) + ": " + std::to_string(l.node) + " " + l.words + "\n";
    return all;
}

}  // namespace support
