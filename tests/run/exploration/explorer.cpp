// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/explorer.hpp>

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/exploration/handlers.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

#include <cstddef>

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
    handlers<candidate> minds{[](node v) { return candidate{3 - static_cast<int>(v.index)}; }};
    const verdict v = explorer{wiring{ring{3}}, minds, jury{}, plain}.run();
    CHECK(v.verified());
    CHECK(v.states == 17);
    CHECK(v.messages.least == 9);
    CHECK(v.messages.most == 9);
    CHECK(v.omissions_bound == 0);
}

TEST_CASE("explorer: the way to a broken property is told in the process's own words") {
    handlers<candidate> minds{[](node v) { return candidate{3 - static_cast<int>(v.index)}; }};
    const jury_of<candidate> nobody{minds.words().processes,
                                    {always([](const auto& g) { return !g[0].is_leader(); })}};
    const verdict v = explorer{wiring{ring{3}}, minds, nobody, plain}.run();
    CHECK_FALSE(v.holds);
    REQUIRE(v.counterexample.size() == 6);
    CHECK(v.counterexample.opening.size() == 3);
    CHECK(v.counterexample.steps.back().words.find("node 0 receives election") == 0);
}

TEST_CASE("explorer: an initiator that is not there is refused") {
    handlers<candidate> minds{[](node v) { return candidate{static_cast<int>(v.index)}; }};
    settings wrong = plain;
    wrong.initiators = {5};
    CHECK_THROWS_WITH((explorer{wiring{ring{3}}, minds, jury{}, wrong}.run()),
                      "explore: an initiator is not among the 3 nodes");
}
