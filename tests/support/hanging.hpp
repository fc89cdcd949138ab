// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/random.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/properties.hpp>
#include <caucus/topology/complete.hpp>
#include <support/instances.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

// What the tests of trees of parents ask, of a simulation or of a state of an exploration, on a
// complete network: port p leads to the (p+1)-th successor.

namespace support {

inline std::size_t behind(std::size_t v, caucus::port p, std::size_t nodes) {
    return (v + 1 + p) % nodes;
}

/// All but the registry, node 0, join one after the other, at random moments.
auto joined_at_random(std::size_t n, auto make, std::uint64_t seed, caucus::random_source& dice) {
    const std::vector<caucus::delay_model> delays = every_delay();
    caucus::events net{caucus::complete{n}, make,
                       {.seed = seed, .delay = delays[seed % delays.size()]}};
    for (std::size_t v = 1; v < n; ++v) {
        net.start(v);
        net.run_for(dice.below(20));
    }
    return net;
}

/// No live node is among its own forefathers, as long as those are alive.
struct no_circle_t {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v) {
            std::size_t at = v;
            for (std::size_t hops = 0; g.alive(at) && g[at].parent(); ++hops) {
                if (hops == g.nodes()) return false;
                at = behind(at, *g[at].parent(), g.nodes());
            }
        }
        return true;
    }
};
inline constexpr no_circle_t no_circle;

struct at_most_one_root_t {
    bool operator()(const auto& g) const {
        std::size_t roots = 0;
        for (std::size_t v = 0; v < g.nodes(); ++v) roots += g.alive(v) && g[v].is_root();
        return roots <= 1;
    }
};
inline constexpr at_most_one_root_t at_most_one_root;

/// If the registry, node 0, is alive: the others hang below one root, each a hop further than its
/// parent; but for those who have lost a link and got none back.
struct all_hang_t {
    bool operator()(const auto& g) const {
        if (!g.alive(0)) return true;
        std::size_t roots = 0;
        std::size_t present = 0;
        for (std::size_t v = 1; v < g.nodes(); ++v) {
            if (!g.alive(v)) continue;
            ++present;
            if (g[v].is_root()) {
                ++roots;
                continue;
            }
            if (!g[v].parent()) {
                if (is_excused(g[v])) return true;
                return false;
            }
            const std::size_t above = behind(v, *g[v].parent(), g.nodes());
            if (!g.alive(above) || !g[above].hops() || *g[v].hops() != *g[above].hops() + 1)
                return false;
        }
        return roots == (present != 0 ? 1 : 0);
    }
    static bool is_excused(const auto& process) {
        if constexpr (requires { process.lost.empty(); }) return !process.lost.empty();
        else return false;
    }
};
inline constexpr all_hang_t all_hang;

}  // namespace support
