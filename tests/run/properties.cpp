// SPDX-License-Identifier: MIT
#include <caucus/run/properties.hpp>

#include <support/voter.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
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

TEST_CASE("property: has the name that it was given, whatever its mode") {
    const auto two = [](const auto& g) { return g.nodes() == 2; };
    CHECK(property<voter>{always(two)}.name() == "the property");
    const property<voter> named{always("two voters", two)};
    CHECK(named.name() == "two voters");
    CHECK(named.mode() == mode::always);
    CHECK(property<voter>{sometimes("two voters", two)}.mode() == mode::sometimes);
    const property<voter> in_the_end{finally("one leads", someone_leads)};
    CHECK(in_the_end.mode() == mode::finally);
    CHECK(in_the_end.name() == "one leads");
    CHECK(in_the_end.says_what_it_observes());   // the name hides nothing of the predicate
    CHECK(in_the_end.is_about_any_node());
}

namespace {

struct bell {
    using message = char;
    using timer = int;
    bool rings = false;
};

/// Contents 1 = "b", 2 = "ab"; timers 1 = {20}, 2 = {10, 20}; arc a leads from a to 2 - a, port 7.
struct two_bells final : exploration::surroundings {
    using numbers = std::vector<std::uint32_t>;
    const std::vector<numbers> contents{{}, {1}, {0, 1}};
    const std::vector<numbers> sets{{}, {1}, {0, 1}};
    const numbers& messages_in(std::uint32_t c) const override { return contents[c]; }
    std::size_t timers_in(std::uint32_t s) const override { return sets[s].size(); }
    std::uint32_t timer_in(std::uint32_t s, std::size_t i) const override { return sets[s][i]; }
    far_end sender(std::size_t arc) const override { return {node{arc}, port{5}}; }
    far_end addressee(std::size_t arc) const override { return {node{2 - arc}, port{7}}; }
};

const bell known_bells[] = {{false}, {true}};
const char known_messages[] = {'a', 'b'};
const int known_timers[] = {10, 20};
const two_bells around;
const std::uint32_t row[] = {1, 0, 2, 0, 1, 0, 2};   // 2 nodes, 3 arcs, their timers
const global_state<bell> g{{known_bells, known_messages, known_timers}, around, row, 2, 3, 0b01};

}  // namespace

TEST_CASE("global_state: who is alive and what each is") {
    CHECK(g.alive(0));
    CHECK_FALSE(g.alive(1));
    CHECK(g[0].rings);
    CHECK_FALSE(g[1].rings);
}

TEST_CASE("global_state: every message under way, from whom, to whom, and at which port") {
    CHECK(g.in_flight() == 3);
    std::string told;
    g.each_in_flight([&](node from, node to, char m) {
        told += std::to_string(from.index) + m + std::to_string(to.index) + " ";
    });
    CHECK(told == "0a2 0b2 2b0 ");
    std::size_t seen = 0;
    g.each_in_flight([&](node, node, char, port at) { seen += at == 7; });
    CHECK(seen == 3);
    // What stands behind the arcs in a row are timers.
    const std::uint32_t with_timers[] = {1, 0, 2, 0, 1, 1, 2};
    const global_state<bell> armed{{known_bells, known_messages, known_timers}, around, with_timers,
                                   2, 3, 0b01};
    armed.each_in_flight([&](node, node, char) { --seen; });
    CHECK(seen == 0);
    CHECK(armed.in_flight() == 3);
}

TEST_CASE("global_state: the armed timers of each node, and none where there are no timers") {
    std::vector<int> armed;
    g.each_armed(0, [&](int t) { armed.push_back(t); });
    CHECK(armed.empty());
    g.each_armed(1, [&](int t) { armed.push_back(t); });
    CHECK(armed == std::vector<int>{10, 20});
    const voter voters[] = {{1}};
    const global_state<voter> none{{voters, nullptr, nullptr}, around, row, 1, 0, 1};
    none.each_armed(0, [](nothing) { FAIL("a voter has no timers"); });
}

TEST_CASE("region: everywhere, or where a predicate holds") {
    CHECK_FALSE(region<bell>{}.inside().has_value());
    const region<bell> loud = [](const global_state<bell>& s) { return s[1].rings; };
    REQUIRE(loud.inside().has_value());
    CHECK_FALSE(loud.inside()->holds(g));
}

namespace {

struct peeping {
    bool looks_at_timers = false;
    static std::uint64_t observes(const bell& b) { return b.rings; }
    bool operator()(const global_state<bell>& s) const {
        if (looks_at_timers) s.each_armed(1, [](int) {});
        else s.each_in_flight([](node, node, char) {});
        return s[0].rings;
    }
};

}  // namespace

TEST_CASE("property: one that says what it observes of processes may look at nothing else") {
    const auto judged = [](const auto& predicate) {
        // A state of its own: g has been looked at.
        const global_state<bell> s{{known_bells, known_messages, known_timers}, around, row, 2, 3,
                                   0b01};
        return property<bell>{always("a bell", predicate)}.holds(s);
    };
    const std::string reason = "explore: a bell says what it observes of a process, and looks at "
                               "messages or timers, too: let it not say so";
    CHECK_THROWS_WITH(judged(peeping{false}), reason.c_str());
    CHECK_THROWS_WITH(judged(peeping{true}), reason.c_str());
    struct counting {
        static std::uint64_t observes(const bell& b) { return b.rings; }
        bool operator()(const global_state<bell>& s) const { return s.in_flight() == 3; }
    };
    CHECK_THROWS_WITH(judged(counting{}), reason.c_str());
    CHECK(judged([](const global_state<bell>& s) { return s.in_flight() == 3; }));
}
