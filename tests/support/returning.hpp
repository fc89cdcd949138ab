// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/input.hpp>

#include <cstddef>
#include <utility>

namespace support {

/// Whoever comes back from a crash, with nothing, calls an election.
template <class P>
struct returning : P {
    constexpr explicit returning(P process) : P(std::move(process)) {}
    using P::on;
    constexpr void on(const caucus::recovered<>&, auto& env) { this->start(env); }
};

/// No two live nodes that do not wait for anything follow different leaders.
struct followers_agree_t {
    bool operator()(const auto& g) const {
        const auto rests = [&](std::size_t v) {
            return g.alive(v) && !g[v].process().is_participant() && g[v].leader().has_value();
        };
        for (std::size_t v = 0; v < g.nodes(); ++v)
            for (std::size_t u = 0; u < v; ++u)
                if (rests(v) && rests(u) && g[v].leader() != g[u].leader()) return false;
        return true;
    }
};
inline constexpr followers_agree_t followers_agree;

}  // namespace support
