// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>
#include <caucus/run/rounds.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace support {

struct trace_line {
    caucus::ticks at;
    std::size_t node;
    std::string words;
};

/// Takes a run down, a line each: "3: 1 election 7" for what node 1 sends at 3, "5: 1 knows 7" for
/// what it reports. `words(kind, message, port)` says what stands there of a message; nothing
/// leaves it out. `words.waits(delay)`, if there is one, does so for timers.
template <class Words>
struct trace : caucus::observer {
    using line = trace_line;
    std::vector<line>* lines = nullptr;
    Words words = {};

    template <class Kind>
    void sent(caucus::ticks at, caucus::node v, caucus::port p, const Kind& m) {
        const caucus::text kind = caucus::kind_name<Kind>();
        std::string said = words(std::string(kind.data(), kind.size()), m, p);
        if (!said.empty()) lines->push_back({at, v, std::move(said)});
    }
    void armed(caucus::ticks at, caucus::node v, const auto&, caucus::ticks delay) {
        if constexpr (requires { words.waits(delay); })
            lines->push_back({at, v, words.waits(delay)});
    }
    void reported(caucus::ticks at, caucus::node v, const auto& o) {
        std::string leader;
        if constexpr (requires { std::to_string(o.leader); })
            leader = " " + std::to_string(o.leader);
        lines->push_back({at, v, "knows" + leader});
    }
};

/// The lines as they came.
inline std::string joined(const std::vector<trace_line>& lines) {
    std::string all;
    for (const trace_line& l : lines)
        all += std::to_string(l.at) + ": " + std::to_string(l.node) + " " + l.words + "\n";
    return all;
}
/// By time and node: which node goes first within a tick is nobody's business.
inline std::string in_order(std::vector<trace_line> lines) {
    std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
        return a.at != b.at ? a.at < b.at : a.node < b.node;
    });
    return joined(lines);
}

/// By which port: "claim by 0", and timers: "waits 247".
struct port_words {
    std::string operator()(const std::string& kind, const auto&, caucus::port p) const {
        return kind + " by " + std::to_string(p.index());
    }
    std::string waits(caucus::ticks delay) const { return "waits " + std::to_string(delay); }
};
using journal = trace<port_words>;

/// Whose candidacy, and whose victory unless only candidacies matter: "election 7".
struct candidate_words {
    bool announcements = true;
    std::string operator()(const std::string& kind, const auto& m, caucus::port) const {
        if constexpr (requires { m.candidate; }) return kind + " " + std::to_string(m.candidate);
        else return announcements ? kind + " " + std::to_string(m.leader) : std::string{};
    }
};

/// What happens in `rounds` when those nodes start, all for none.
inline std::string chronicle_of(const auto& topology, const auto& make,
                                const std::vector<std::size_t>& starters = {},
                                bool announcements = true) {
    std::vector<trace_line> lines;
    caucus::rounds sim{topology, make, {}, trace<candidate_words>{{}, &lines, {announcements}}};
    if (starters.empty()) sim.start_all();
    for (const std::size_t v : starters) sim.start(v);
    sim.run();
    return joined(lines);
}
/// The same when all start, without the announcements.
inline std::string candidacies_of(const auto& topology, const auto& make) {
    return chronicle_of(topology, make, {}, false);
}

}  // namespace support
