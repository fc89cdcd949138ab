// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/explorer.hpp>

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/exploration/handlers.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

using namespace caucus;
using namespace caucus::exploration;

namespace {

using candidate = chang_roberts<int>;

constexpr settings plain{.initiators = initiators::kind::all, .reduce = reduction::none, .how = {},
                         .orders = orders::as_made, .max_states = ~std::uint64_t{0},
                         .max_depth = ~std::uint64_t{0}, .max_memory = ~std::uint64_t{0},
                         .count_messages = true, .recognise = fingerprint::exact, .threads = 1,
                         .progress = false};

}  // namespace

TEST_CASE("explorer: one of them, compiled once, explores any process through its numbers") {
    handlers<candidate> known{[](node v) { return candidate{3 - static_cast<int>(v.index)}; }};
    const verdict v = explorer{wiring{ring{3}}, known, property_set{}, plain}.run();
    CHECK(v.verified());
    CHECK(v.states == 17);
    CHECK(v.messages.least == 9);
    CHECK(v.messages.most == 9);
    CHECK(v.omissions_bound == 0);
}

TEST_CASE("explorer: the way to a broken property is told in the process's own words") {
    handlers<candidate> known{[](node v) { return candidate{3 - static_cast<int>(v.index)}; }};
    const property_set_of<candidate> nobody{known.values(),
                                    {always([](const auto& g) { return !g[0].is_leader(); })}};
    const verdict v = explorer{wiring{ring{3}}, known, nobody, plain}.run();
    CHECK_FALSE(v.holds);
    REQUIRE(v.counterexample.size() == 6);
    CHECK(v.counterexample.opening.size() == 3);
    CHECK(v.counterexample.steps.back().words.find("node 0 receives election") == 0);
}

TEST_CASE("explorer: an initiator that is not there is refused") {
    handlers<candidate> known{[](node v) { return candidate{static_cast<int>(v.index)}; }};
    settings wrong = plain;
    wrong.initiators = {5};
    CHECK_THROWS_WITH((explorer{wiring{ring{3}}, known, property_set{}, wrong}.run()),
                      "explore: an initiator is not among the 3 nodes");
}

TEST_CASE("explorer: every start set and every order is a state to begin with, and can be told") {
    handlers<candidate> known{[](node v) { return candidate{static_cast<int>(v.index)}; }};
    settings every = plain;
    every.initiators = any_subset;
    every.orders = all_permutations;
    every.max_depth = 0;
    const verdict roots = explorer{wiring{ring{4}}, known, property_set{}, every}.run();
    CHECK(roots.states == 15 * 6);   // rotations aside
    CHECK(roots.limit == "max_depth");
    for (const starting when : {starting::at_once, starting::any_time}) {
        every.how.starts = when;
        for (const std::uint64_t most : {0u, 1u, 14u, 15u, 16u, 89u}) {
            every.max_states = most;
            const verdict v = explorer{wiring{ring{4}}, known, property_set{}, every}.run();
            CHECK(v.states == most + 1);
            CHECK(v.limit == "max_states");
            CHECK_FALSE(v.complete);
        }
        every.max_states = 90;
        CHECK(explorer{wiring{ring{4}}, known, property_set{}, every}.run().limit == "max_depth");
    }
}

TEST_CASE("explorer: a story says in which order its processes stand, and who starts at first") {
    handlers<candidate> known{[](node v) { return candidate{static_cast<int>(v.index)}; }};
    settings every = plain;
    every.initiators = any_subset;
    every.orders = all_permutations;
    const auto wanted = [](const auto& g) {
        return g[0].id() == 2 && g[1].id() == 0 && g[2].id() == 1 && g.in_flight() == 2 &&
               g[0].leader() == std::nullopt;
    };
    const property_set_of<candidate> not_that{known.values(),
                                      {always([&](const auto& g) { return !wanted(g); })}};
    const verdict v = explorer{wiring{ring{3}}, known, not_that, every}.run();
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.order == std::vector<std::size_t>{2, 0, 1});
    CHECK(v.counterexample.starters == 0b011);
    CHECK(v.counterexample.size() == 0);
    REQUIRE(v.counterexample.opening.size() == 2);
    CHECK(v.counterexample.opening[1].what.node == 1);
}
