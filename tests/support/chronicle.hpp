// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>
#include <caucus/run/rounds.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace support {

/// Takes an election down, a line each: "3: 1 election 7" for what node 1 sends at 3, and
/// "5: 1 knows 7" for what it reports.
struct chronicle : caucus::observer {
    std::string* lines;
    bool announcements;

    template <class Kind>
    void sent(caucus::ticks at, caucus::node v, caucus::port, const Kind& m) {
        const std::string kind(caucus::kind_name<Kind>().data(), caucus::kind_name<Kind>().size());
        if constexpr (requires { m.candidate; }) write(at, v, kind, m.candidate);
        else if (announcements) write(at, v, kind, m.leader);
    }
    void reported(caucus::ticks at, caucus::node v, const auto& outcome) {
        write(at, v, "knows", outcome.leader);
    }

private:
    void write(caucus::ticks at, caucus::node v, const std::string& what, int id) {
        *lines += std::to_string(at) + ": " + std::to_string(v) + " " + what + " " +
                  std::to_string(id) + "\n";
    }
};

/// What happens in `rounds` when those nodes start, all for none.
inline std::string chronicle_of(const auto& topology, const auto& make,
                                const std::vector<std::size_t>& starters = {},
                                bool announcements = true) {
    std::string lines;
    chronicle c{{}, &lines, announcements};
    caucus::rounds sim{topology, make, {}, c};
    if (starters.empty()) sim.start_all();
    for (const std::size_t v : starters) sim.start(v);
    sim.run();
    return lines;
}
/// The same when all start, without the announcements.
inline std::string candidacies_of(const auto& topology, const auto& make) {
    return chronicle_of(topology, make, {}, false);
}

}  // namespace support
