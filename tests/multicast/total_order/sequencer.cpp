// SPDX-License-Identifier: MIT
#include <caucus/multicast/total_order/sequencer.hpp>

#include <support/order_table.hpp>

#include <caucus/core/storage.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace caucus;
using order = caucus::detail::order_of_sequencer<int, heap_storage>;
using table = support::order_table<order>;

TEST_CASE("order_of_sequencer: what is handed in is cast by the first, and that is the order") {
    table t{3};
    CHECK(t.say(2, 7) == answer::accepted);
    CHECK(t[2].pending() == 1);
    CHECK(t.messages() == 1);
    CHECK(t.casts() == 0);
    CHECK(t.say(0, 8) == answer::accepted);   // its own: at once
    CHECK(t.delivered(0) == std::vector{8});
    CHECK(t.casts() == 1);
    t.run();
    CHECK(t.casts() == 2);
    CHECK(t.messages() == 1);
    CHECK(t.delivered(2) == std::vector{8, 7});
    CHECK(t.all_agree());
    CHECK(t[2].pending() == 0);
}
TEST_CASE("order_of_sequencer: any schedule, one order, each sender's as sent") {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        table t{4};
        for (int i = 0; i < 12; ++i)
            CHECK(t.say(static_cast<std::size_t>(i) % 4, i) == answer::accepted);
        t.run(seed);
        CHECK(t.all_agree());
        REQUIRE(t.delivered(0).size() == 12);
        std::vector<int> last(4, -1);
        for (const int p : t.delivered(0)) {
            CHECK(last[static_cast<std::size_t>(p) % 4] < p);
            last[static_cast<std::size_t>(p) % 4] = p;
        }
    }
}
TEST_CASE("order_of_sequencer: what cannot be cast waits; so much of each, and then no more") {
    table t{2};
    t.bound(2, 100);
    t.refuse(0, true);
    CHECK(t.say(1, 1) == answer::accepted);
    CHECK(t.say(1, 2) == answer::accepted);
    CHECK(t.say(1, 3) == answer::no_room);
    CHECK(t.say(0, 4) == answer::accepted);
    CHECK(t.say(0, 5) == answer::accepted);
    CHECK(t.say(0, 6) == answer::no_room);
    t.run();
    CHECK(t[0].held() == 4);
    t.hand(0, 1, order::submission{0, 9});   // more than it may have pending
    CHECK(t[0].held() == 4);
    CHECK(t[0].awaits(0, 0));
    CHECK_FALSE(t[0].awaits(1, 0));
    t.refuse(0, false);
    t.run();
    CHECK(t.delivered(1) == std::vector{4, 5, 1, 2});
    CHECK(t.all_agree());
    CHECK_FALSE(t[0].awaits(0, 0));
    CHECK(t.say(1, 3) == answer::accepted);
}
TEST_CASE("order_of_sequencer: a new view: the sequencer forgets, the sender hands in again") {
    table t{2};
    t.refuse(0, true);
    CHECK(t.say(1, 1) == answer::accepted);
    t.run();
    t.end_view(0);
    t.end_view(1);
    t.begin_view(0);
    CHECK(t[0].held() == 0);
    t.begin_view(1);
    t.refuse(0, false);
    t.run();
    CHECK(t.delivered(0) == std::vector{1});
    CHECK(t.all_agree());
    CHECK(t.messages() == 2);
}
TEST_CASE("order_of_sequencer: only the first is believed, of members only; others hold nothing") {
    table t{3};
    t.hand(2, 1, order::item{1, 5});    // not from the sequencer
    t.hand(2, 0, order::item{3, 5});    // from nobody
    t.hand(2, 0, order::item{2, 5});    // of its own, but it has sent nothing
    CHECK(t.delivered(2).empty());
    t.hand(2, 1, order::submission{0, 5});
    CHECK(t[2].held() == 0);
    t.hand(2, 0, order::item{1, 5});
    CHECK(t.delivered(2) == std::vector{5});
}
