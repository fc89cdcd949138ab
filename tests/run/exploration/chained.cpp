// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/chained.hpp>

#include <caucus/election/complete/bully.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/wave/echo.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace caucus;

namespace {

/// Counts what it asks for.
struct scribbler {
    using message = int;
    using timer = nothing;
    using outcome = int;
    int asked = 0;

    void start(auto& env) {
        env.report(++asked);
        env.send(next, ++asked);
    }
    void on(int, port, auto&) {}
};

}  // namespace

TEST_CASE("chained: what a process was in mid-handler is one of its own processes") {
    for (const bool noted : {true, false}) {
        exploration::handlers<scribbler> plain{[](node) { return scribbler{}; }, noted};
        exploration::chained counting{plain};
        const std::uint32_t fresh = counting.made(node{0});
        const auto e =
            counting.endings(fresh, 1, {exploration::stimulus::kind::start}, true)->front();
        REQUIRE(e.effects.size() == 2);
        std::string words;
        for (const auto& f : e.effects)
            if (f.asker != 0) counting.print_process(words, f.asker - 1);
        CHECK(words == (noted ? "scribbler{1}scribbler{2}" : ""));
        CHECK(counting.processes().size() == (noted ? 3 : 2));
    }
    const explore_options<scribbler> o{.initiators = {0}, .faults = {.crashes = 1, .midway = true},
                                       .chains = true, .remember_dead = true};
    const verdict v = explore(ring{2}, [](node) { return scribbler{}; }, o);
    CHECK(v.verified());
    CHECK(v.longest_chain == 1);
}

TEST_CASE("chained: the longest causal chain of Chang-Roberts is 3n-1, reduced or not, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n) {
        const auto make = [n](node v) { return chang_roberts{static_cast<int>(n - v.index)}; };
        for (const reduction reduce : {reduction::none, reduction::every}) {
            const verdict v = explore(ring{n}, make,
                                      {.initiators = any_subset, .reduce = reduce, .chains = true});
            CHECK(v.complete);
            CHECK(v.longest_chain == 3 * n - 1);
        }
    }
}

TEST_CASE("chained: no random schedule has a longer chain than explore found; one has as long") {
    const auto make = [](node) { return echo{1, sum{}}; };
    const verdict v = explore(complete{3}, make,
                              {.initiators = {0}, .fifo = false, .chains = true});
    std::uint64_t longest = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        events net{complete{3}, make, {.seed = seed, .delay = heavy_tailed{1, 50}, .fifo = false}};
        net.start(0);
        longest = std::max(longest, net.run().longest_chain);
    }
    CHECK(longest == v.longest_chain);
}

TEST_CASE("chained: timers and silence are passed on to the process inside") {
    const std::vector<int> ids{1, 2, 3};
    const auto make = [&](node v) { return bully{ids[v], peer_ids(complete{3}, v, ids)}; };
    const verdict plain = explore(complete{3}, make, {.initiators = {0}, .faults = {.crashes = 1}});
    const verdict counted =
        explore(complete{3}, make, {.initiators = {0}, .faults = {.crashes = 1}, .chains = true});
    CHECK(plain.states == counted.states);
    CHECK(plain.longest_chain == 0);
    CHECK(counted.longest_chain >= 3);
}
