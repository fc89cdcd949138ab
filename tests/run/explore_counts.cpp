// SPDX-License-Identifier: MIT
// The sizes of state spaces that other tools have counted: SPIN, TLC, stateright and explorers
// written by hand agree on each.
#include <caucus/run/explore.hpp>

#include <doctest/doctest.h>

#include "../support/instances.hpp"
#include "textbook.hpp"

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/wave/echo.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

using namespace caucus;
using textbook::exclusion;
using textbook::ricart_agrawala;
using textbook::tla;
using textbook::watchful_bully;

namespace {

auto elections(std::vector<int> ids) {
    return [ids](node v) { return chang_roberts{ids[v]}; };
}

auto requests(int each, bool ids_break_ties) {
    return [=](node v) {
        return ricart_agrawala{static_cast<int>(v.index), each, ids_break_ties};
    };
}

/// The same states by fewer ways.
void check_sleep_sets(const verdict& full, const verdict& reduced) {
    CHECK(reduced.reductions == "sleep");
    CHECK(reduced.states == full.states);
    CHECK(reduced.transitions < full.transitions);
    CHECK(reduced.depth == full.depth);
}

}  // namespace

TEST_CASE("explore: counts the states of chang_roberts after all have started, n = 3 to 8") {
    const std::uint64_t worst[] = {17, 46, 137, 435, 1437, 4870};
    for (std::size_t n = 3; n <= 8; ++n) {
        CAPTURE(n);
        const auto descending = elections(support::descending(n));
        const auto full = explore(ring{n}, descending, {.reduce = reduction::none});
        CHECK(full.states == worst[n - 3]);
        CHECK(full.reductions == "none");
        check_sleep_sets(full, explore(ring{n}, descending, {.reduce = reduction::sleep}));

        const auto ascending = elections(support::ascending(n));
        const auto best = explore(ring{n}, ascending, {.reduce = reduction::none});
        CHECK(best.states == (std::uint64_t{3} << (n - 1)) + n - 1);
        check_sleep_sets(best, explore(ring{n}, ascending, {.reduce = reduction::sleep}));
    }
}

TEST_CASE("explore: counts those of chang_roberts where each start is an event, n = 3 to 8") {
    const std::uint64_t states[] = {27, 80, 254, 842, 2867, 9940};
    const std::uint64_t transitions[] = {42, 166, 662, 2635, 10446, 41270};
    for (std::size_t n = 3; n <= 8; ++n) {
        CAPTURE(n);
        const auto make = elections(support::descending(n));
        const auto full = explore(ring{n}, make, {.reduce = reduction::none,
                                                  .starting = starting::before_receiving});
        CHECK(full.states == states[n - 3]);
        CHECK(full.transitions == transitions[n - 3]);
        check_sleep_sets(full, explore(ring{n}, make, {.reduce = reduction::sleep,
                                                       .starting = starting::before_receiving}));
    }
}

TEST_CASE("explore: counts those of ChangRoberts.tla, any set of initiators, n = 3 to 5") {
    const std::uint64_t published[] = {137, 823, 5455};
    for (std::size_t n = 3; n <= 5; ++n) {
        CAPTURE(n);
        std::uint64_t sum = 0;
        std::uint64_t asleep = 0;
        for (std::size_t set = 0; set < std::size_t{1} << n; ++set) {
            const auto make = [&](node v) {
                return tla{static_cast<int>(v.index), (set >> v.index & 1) != 0};
            };
            sum += explore(ring{n}, make, {.reduce = reduction::none, .fifo = false,
                                           .starting = starting::before_receiving}).states;
            asleep += explore(ring{n}, make, {.reduce = reduction::sleep, .fifo = false,
                                              .starting = starting::before_receiving}).states;
        }
        CHECK(sum == published[n - 3]);
        CHECK(asleep == sum);
    }
}

TEST_CASE("explore: counts those of echo on complete networks, unordered links, n = 3, 4") {
    const auto make = [](node) { return echo{1}; };
    const auto states = [&](std::size_t n) {
        return explore(complete{n}, make, {.initiators = {0}, .reduce = reduction::none,
                                           .fifo = false}).states;
    };
    CHECK(states(3) == 28);
    CHECK(states(4) == 1689);
    for (const bool fifo : {true, false})
        for (const std::size_t n : {3u, 4u})
            check_sleep_sets(explore(complete{n}, make, {.initiators = {0},
                                                         .reduce = reduction::none,
                                                         .fifo = fifo}),
                             explore(complete{n}, make, {.initiators = {0},
                                                         .reduce = reduction::sleep,
                                                         .fifo = fifo}));
}

TEST_CASE("explore: counts those of Ricart-Agrawala, one request each, n = 3") {
    std::size_t ends = 0;
    const auto count_ends = [&](const global_state<ricart_agrawala>& g) {
        std::size_t done = 0;
        for (std::size_t v = 0; v < 3; ++v)
            done += g[v].is_through();
        ends += done == 3 && g.in_flight() == 0;
        return true;
    };
    const auto v = explore(complete{3}, requests(1, true),
                           {.properties = {always(exclusion{}), always(count_ends)},
                            .reduce = reduction::none,
                            .timers = timers::any_time});
    CHECK(v.verified());
    CHECK(v.states == 2049);
    CHECK(v.transitions == 5488);
    CHECK(ends == 3);
    check_sleep_sets(v, explore(complete{3}, requests(1, true),
                                {.properties = {always(exclusion{})},
                                 .reduce = reduction::sleep,
                                 .timers = timers::any_time}));
}

TEST_CASE("explore: without the tie-break, exclusion breaks after ten events, n = 3") {
    const auto v = explore(complete{3}, requests(2, false),
                           {.properties = {always(exclusion{})},
                            .reduce = reduction::none,
                            .timers = timers::any_time});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.property == "exclusion");
    CHECK(v.counterexample.size() == 10);
}

TEST_CASE("explore: counts those of a bully with a perfect detector, crashes 1 and 2, n = 3") {
    const auto after = [](std::uint8_t crashes) {
        return explore(complete{3}, [](node v) { return watchful_bully{v.index}; },
                       {.initiators = std::vector<std::size_t>{},
                        .reduce = reduction::none,
                        .faults = {.crashes = crashes},
                        .detector = perfect{}});
    };
    CHECK(after(1).states == 28);
    CHECK(after(1).transitions == 48);
    CHECK(after(2).states == 61);
    CHECK(after(2).transitions == 142);
}
