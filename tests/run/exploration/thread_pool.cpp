// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/thread_pool.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <vector>

using namespace caucus;

TEST_CASE("thread_pool: each does its part of every task before work returns, 1 to 4 threads") {
    for (std::size_t size = 1; size <= 4; ++size) {
        exploration::thread_pool all_hands{size};
        std::vector<std::size_t> done(size, 0);
        for (std::size_t task = 1; task <= 100; ++task) {
            all_hands.work([&](std::size_t who) { done[who] += who + 1; });
            for (std::size_t who = 0; who < size; ++who) CHECK(done[who] == task * (who + 1));
        }
    }
}

TEST_CASE("thread_pool: what one of them throws comes out of work, and it can work again") {
    for (const std::size_t size : {1u, 3u}) {
        exploration::thread_pool c{size};
        for (std::size_t thrower = 0; thrower < size; ++thrower) {
            const auto task = [&](std::size_t who) {
                if (who == thrower) throw 7;
            };
            CHECK_THROWS_AS(c.work(task), int);
        }
        std::atomic<std::size_t> worked{0};
        c.work([&](std::size_t) { ++worked; });
        CHECK(worked == size);
    }
}
