// SPDX-License-Identifier: MIT
#include <caucus/run/fencing.hpp>

#include <caucus/exclusion/fence.hpp>
#include <laws/referee.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

using namespace caucus;

namespace {

using number = fence<>;
using outcome = std::variant<entered<number>, left>;

outcome enters(std::uint64_t epoch, std::uint64_t count) {
    return entered<number>{{epoch, count}};
}

}  // namespace

static_assert(referee<rising_fences<number>>);

TEST_CASE("rising_fences: the laws of referees") {
    laws::referee_laws(rising_fences<number>{},
                       std::vector<std::pair<std::size_t, outcome>>{
                           {0, enters(0, 1)}, {0, left{}}, {1, enters(0, 2)}, {0, enters(1, 1)},
                           {1, enters(1, 1)}},
                       2);
}

TEST_CASE("rising_fences: an entry with a fence below an earlier one is a violation of its node") {
    rising_fences<number> watcher;
    watcher.reported(1, node{0}, enters(0, 5));
    watcher.reported(2, node{1}, enters(0, 4));
    watcher.reported(3, node{2}, enters(0, 6));
    CHECK(watcher.entries() == 3);
    REQUIRE(watcher.violations().size() == 1);
    CHECK(watcher.violations()[0].at == 2);
    CHECK(watcher.violations()[0].who.index == 1);
    CHECK(watcher.violations()[0].other.index == 0);
}

TEST_CASE("rising_fences: logs of different nodes have no order, but no two fences are equal") {
    laws::logs<outcome> g{2};
    g.all[0].kept.heard = {enters(0, 5), left{}, enters(0, 7)};
    g.all[1].kept.heard = {enters(0, 4)};
    CHECK(rising_fences<number>{}(g));
    g.all[1].kept.heard = {enters(0, 4), enters(0, 3)};
    CHECK_FALSE(rising_fences<number>{}(g));
    g.all[1].kept.heard = {enters(0, 5)};
    CHECK_FALSE(rising_fences<number>{}(g));
}
