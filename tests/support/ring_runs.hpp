// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port.hpp>

#include <doctest/doctest.h>
#include <support/instances.hpp>

#include <cstddef>
#include <vector>

// What the tests of ring elections share.

namespace support {

/// One leader, the expected one, known to all; reported by every node exactly once.
void check_elected(const auto& sim, const auto& expected) {
    std::size_t leaders = 0;
    for (std::size_t v = 0; v < sim.nodes(); ++v) {
        leaders += sim[v].is_leader();
        CHECK(sim[v].leader() == expected);
        CHECK(sim[v].is_leader() == (sim[v].id() == expected));
    }
    CHECK(leaders == 1);
    CHECK(sim.outcomes().size() == sim.nodes());
    for (const auto& o : sim.outcomes()) CHECK(o.outcome.leader == expected);
}

/// An environment that only takes notes.
template <class P>
struct hand {
    std::vector<typename P::message> out;
    int told = 0;
    std::size_t degree() const { return 1; }
    void send(caucus::port, const typename P::message& m) { out.push_back(m); }
    void broadcast(const typename P::message& m) { send(caucus::next, m); }
    void report(const typename P::outcome&) { ++told; }
};

}  // namespace support
