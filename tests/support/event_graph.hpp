// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/random.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

// Random executions, as events and what can have caused what: what logical clocks are judged by.

namespace support {

struct event {
    std::size_t process;
    std::size_t at;                          // real time, which nobody knows
    bool sends = false;
    std::optional<std::size_t> received{};   // which event has sent it
};

struct execution {
    std::size_t processes = 0;
    std::vector<event> events{};   // in an order in which they can have happened

    /// leads[a][b]: a path leads from event a to event b, along processes and messages.
    std::vector<std::vector<bool>> reachability() const {
        const std::size_t n = events.size();
        std::vector<std::vector<bool>> leads(n, std::vector<bool>(n, false));
        std::vector<std::optional<std::size_t>> last(processes);
        for (std::size_t b = 0; b < n; ++b) {
            const auto causes = {last[events[b].process], events[b].received};
            for (const auto& cause : causes) {
                if (!cause) continue;
                leads[*cause][b] = true;
                for (std::size_t a = 0; a < *cause; ++a)
                    if (leads[a][*cause]) leads[a][b] = true;
            }
            last[events[b].process] = b;
        }
        return leads;
    }
};

/// In each unit of time each process has one event or none: one of its own, a message sent, or one
/// received, perhaps much later and overtaken by others, perhaps never. Process p is there from
/// time joins * p on.
inline execution random_execution(std::size_t processes, std::size_t units, std::uint64_t seed,
                                  std::size_t joins = 0) {
    caucus::random_source bits{caucus::mix(seed, 0x6576656eu)};
    execution run{processes};
    struct letter {
        std::size_t to;
        std::size_t sent;
    };
    std::vector<letter> under_way;
    for (std::size_t at = 0; at < units; ++at) {
        for (std::size_t p = 0; p < processes && joins * p <= at; ++p) {
            const std::size_t e = run.events.size();
            switch (bits.below(5)) {
                case 0: break;
                case 1: run.events.push_back({p, at}); break;
                case 2:
                    run.events.push_back({p, at, true});
                    under_way.push_back({static_cast<std::size_t>(bits.below(processes)), e});
                    break;
                default:
                    std::vector<std::size_t> mine;
                    for (std::size_t i = 0; i < under_way.size(); ++i)
                        if (under_way[i].to == p) mine.push_back(i);
                    if (mine.empty()) break;
                    const std::size_t which = mine[bits.below(mine.size())];
                    run.events.push_back({p, at, false, under_way[which].sent});
                    under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(which));
            }
        }
    }
    return run;
}

}  // namespace support
