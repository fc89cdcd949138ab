// SPDX-License-Identifier: MIT
#include <caucus/multicast/total_order/moving_token.hpp>

#include <support/order_table.hpp>

#include <caucus/core/storage.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace caucus;
using order = caucus::detail::order_of_token<int, heap_storage>;
using table = support::order_table<order>;

TEST_CASE("order_of_token: it rests with whoever has cast; a wish and a hop fetch it") {
    table t{3};
    CHECK(t[0].has_token());
    CHECK(t.say(0, 1) == answer::accepted);
    CHECK(t.messages() == 0);
    t.run();
    CHECK(t.say(2, 2) == answer::accepted);
    CHECK(t[2].awaits(0, 0));
    CHECK(t.delivered(2) == std::vector{1});
    t.run();
    CHECK(t[2].has_token());
    CHECK_FALSE(t[0].has_token());
    CHECK(t.messages() == 2);
    CHECK(t.say(2, 3) == answer::accepted);
    t.run();
    CHECK(t.messages() == 2);
    CHECK(t.say(1, 4) == answer::accepted);   // it knows where: at 2, who was the last to cast
    t.run();
    CHECK(t.messages() == 4);
    CHECK(t.delivered(0) == std::vector{1, 2, 3, 4});
    CHECK(t.all_agree());
    CHECK(t[0].held() == 0);
}
TEST_CASE("order_of_token: a wish that comes too late follows the token") {
    table t{3};
    CHECK(t.say(1, 1) == answer::accepted);
    CHECK(t.say(2, 2) == answer::accepted);
    CHECK(t.step(1, 0));                       // the wish; 0 hands the token over
    CHECK_FALSE(t[0].has_token());
    CHECK(t.step(2, 0));                       // too late, and is passed on
    CHECK(t.messages() == 4);
    t.run();
    CHECK(t.delivered(0) == std::vector{1, 2});
    CHECK(t.all_agree());
    CHECK(t[2].has_token());
}
TEST_CASE("order_of_token: any schedule, one order, each sender's as sent; all is delivered") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        table t{4};
        random_source bits{seed};
        int said = 0;
        for (int i = 0; i < 60; ++i) {
            const std::size_t v = static_cast<std::size_t>(bits.below(4));
            if (bits.below(4) == 0 && t.say(v, said) == answer::accepted) ++said;
            for (int k = 0; k < 6; ++k)
                t.step(static_cast<std::size_t>(bits.below(4)),
                       static_cast<std::size_t>(bits.below(4)));
        }
        t.run(seed);
        CHECK(t.all_agree());
        CHECK(t.delivered(0).size() == static_cast<std::size_t>(said));
        std::size_t holders = 0;
        for (std::size_t v = 0; v < 4; ++v) holders += t[v].has_token();
        CHECK(holders == 1);
    }
}
TEST_CASE("order_of_token: a place waits for those before it; in a new view nobody waits") {
    table t{3};
    t.hand(1, 0, order::item{2, 20});
    t.hand(1, 2, order::item{3, 30});
    t.hand(1, 2, order::item{3, 31});          // that place is taken
    CHECK(t.delivered(1).empty());
    CHECK(t[1].held() == 2);
    t.hand(1, 0, order::item{1, 10});
    CHECK(t.delivered(1) == std::vector{10, 20, 30});
    t.hand(1, 0, order::item{2, 21});          // is over
    t.hand(1, 0, order::item{7, 70});
    t.hand(1, 0, order::item{6, 60});
    t.end_view(1);
    CHECK(t.delivered(1) == std::vector{10, 20, 30, 60, 70});
    CHECK(t[1].held() == 0);
    t.begin_view(1);
    t.hand(1, 0, order::item{1, 11});
    CHECK(t.delivered(1).back() == 11);
}
TEST_CASE("order_of_token: bounds: pending are its own that wait anywhere; what has no room") {
    table t{3};
    t.bound(2, 2);
    t.refuse(0, true);
    CHECK(t.say(0, 1) == answer::accepted);
    CHECK(t.say(0, 2) == answer::accepted);
    CHECK(t.say(0, 3) == answer::no_room);
    CHECK(t[0].pending() == 2);
    t.refuse(0, false);
    CHECK(t.delivered(0) == std::vector{1, 2});
    t.hand(1, 0, order::item{5, 1});
    t.hand(1, 0, order::item{6, 1});
    CHECK(t.overflows(1) == 0);
    t.hand(1, 0, order::item{7, 1});
    CHECK(t.overflows(1) == 1);
    CHECK(t[1].held() == 2);
}
TEST_CASE("order_of_token: hostile wishes and tokens make no second token, nor a circle") {
    table t{3};
    t.hand(1, 2, order::token{0, 5, {0, 0}, {}});          // too few
    t.hand(1, 2, order::token{0, 5, {0, 0, 0}, {9}});      // to nobody
    t.hand(1, 2, order::token{0, 5, {0, 0, 0}, {0, 0, 0, 0}});
    CHECK_FALSE(t[1].has_token());
    t.hand(1, 2, order::wish{0, 9, 1, 0});
    t.hand(1, 2, order::wish{0, 1, 1, 0});                 // its own
    CHECK(t.messages() == 0);
    t.hand(0, 1, order::wish{0, 1, 1, 0});                 // the holder hands over
    CHECK(t.messages() == 1);
    CHECK_FALSE(t[0].has_token());
    t.hand(0, 2, order::wish{0, 2, 3, 1});                 // of that place it knows no better
    CHECK(t.messages() == 1);
    t.hand(0, 2, order::wish{0, 2, 3, 0});
    CHECK(t.messages() == 2);
    t.hand(0, 2, order::wish{0, 2, 2, 0});                 // an older one
    CHECK(t.messages() == 2);
    t.run();
    CHECK(t[2].has_token());
    t.hand(2, 1, order::token{0, 1, {0, 0, 0}, {}});       // it has one
    CHECK(t[2].has_token());
}
