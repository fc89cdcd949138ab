// SPDX-License-Identifier: MIT
#include <caucus/run/properties.hpp>

#include <support/voter.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

using namespace caucus;
using support::voter;

TEST_CASE("property: knows its mode, its name, and whether its predicate says what it looks at") {
    const property<voter> known{always(at_most_one_leader)};
    CHECK(known.mode() == mode::always);
    CHECK(known.name() == "at_most_one_leader");
    CHECK(known.says_what_it_observes());
    CHECK(known.observed({1, 3}) == at_most_one_leader.observes(voter{1, 3}));
    const property<voter> own{finally([](const auto& g) { return g.nodes() == 2; })};
    CHECK(own.mode() == mode::finally);
    CHECK_FALSE(own.says_what_it_observes());
    CHECK(property<voter>{sometimes(someone_leads)}.mode() == mode::sometimes);
}

TEST_CASE("global_state: counts what is under way on all links") {
    struct : exploration::arc_contents {
        std::size_t messages_in(std::uint32_t content) const override { return content / 10; }
    } const contents;
    const std::vector<voter> known{{7}, {1}, {2}};
    const std::vector<std::uint32_t> row{1, 2, 20, 0, 20};
    const global_state<voter> g{known.data(), contents, row.data(), 2, 3, 0b01};
    CHECK(g.in_flight() == 4);
    CHECK(g.alive(0));
    CHECK_FALSE(g.alive(1));
    CHECK(g[1].id() == 2);
}
