// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/beginnings.hpp>

#include <caucus/run/exploration/handlers.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

using namespace caucus;
using namespace caucus::exploration;

namespace {

/// Draws a number when it starts.
struct gambler {
    using message = int;
    using timer = nothing;
    using outcome = nothing;

    int id = 0;
    int drawn = -1;

    void start(auto& env) { drawn = static_cast<int>(env.choose(2)); }
    void on(int, port, auto&) {}
};

handlers<gambler> gamblers{[](node v) { return gambler{static_cast<int>(v.index)}; }};

struct root {
    world::state row;
    origin from;
};
std::vector<root> all_of(beginnings& b, std::size_t most = 1000) {
    std::vector<root> found;
    b.each([&](const world::state& s, std::uint64_t, std::uint64_t, const origin& from) {
        found.push_back({s, from});
        return found.size() < most;
    });
    return found;
}

}  // namespace

TEST_CASE("beginnings: every start set, and every fall of the coins in it") {
    world w{wiring{ring{3}}, {}, gamblers};
    beginnings all_start{w, all, orders::as_made, false};
    CHECK(all_of(all_start).size() == 8);
    beginnings some{w, initiators{0, 2}, orders::as_made, false};
    CHECK(all_of(some).size() == 4);
    beginnings subsets{w, any_subset, orders::as_made, false};
    CHECK(all_of(subsets).size() == 3 * 2 + 3 * 4 + 8);
    CHECK(all_of(subsets, 5).size() == 5);   // stops when it is told to
}

TEST_CASE("beginnings: starts that come later are pending, and toss no coins yet") {
    world w{wiring{ring{3}}, {.starts = starting::any_time}, gamblers};
    beginnings b{w, initiators{0, 2}, orders::as_made, false};
    const auto found = all_of(b);
    REQUIRE(found.size() == 1);
    CHECK(w.fate_of(found[0].row.data()).pending == 0b101);
}

TEST_CASE("beginnings: every order; up to rotation on a ring of which no node is special") {
    world in_ring{wiring{ring{4}}, {.starts = starting::any_time}, gamblers};
    beginnings rotated{in_ring, all, orders::all_permutations, true};
    CHECK(rotated.may_rotate());
    CHECK(all_of(rotated).size() == 6);
    beginnings fixed{in_ring, all, orders::all_permutations, false};
    CHECK_FALSE(fixed.may_rotate());
    CHECK(all_of(fixed).size() == 24);
    beginnings given{in_ring, initiators{1}, orders::all_permutations, true};
    CHECK_FALSE(given.may_rotate());
    world in_line{wiring{path{4}}, {.starts = starting::any_time}, gamblers};
    beginnings line{in_line, all, orders::all_permutations, true};
    CHECK_FALSE(line.may_rotate());
    std::set<std::vector<std::size_t>> orders;
    for (const root& r : all_of(line)) orders.insert(line.order_of(r.from.order));
    CHECK(orders.size() == 24);
}

TEST_CASE("beginnings: each root can be made again from its origin, with its starts") {
    world w{wiring{ring{3}}, {}, gamblers};
    beginnings b{w, any_subset, orders::all_permutations, false};
    const auto found = all_of(b);
    CHECK(found.size() == 6 * 26);
    for (const root& r : found) {
        int calls = 0;
        b.again(r.from, [&](const world::state& s, const auto& starts) {
            ++calls;
            CHECK(s == r.row);
            std::uint64_t who = 0;
            for (const auto& each : starts) who |= std::uint64_t{1} << each.what.node;
            CHECK(who == r.from.starters);
        });
        CHECK(calls == 1);
    }
}

TEST_CASE("beginnings: an initiator that is not there is refused") {
    world w{wiring{ring{3}}, {}, gamblers};
    beginnings b{w, initiators{3}, orders::as_made, false};
    CHECK_THROWS_WITH(all_of(b), "explore: an initiator is not among the 3 nodes");
}
