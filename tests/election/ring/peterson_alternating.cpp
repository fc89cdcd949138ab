// SPDX-License-Identifier: MIT
#include <caucus/election/ring/peterson_alternating.hpp>

#include <doctest/doctest.h>
#include <support/election_suite.hpp>
#include <support/trace.hpp>

#include <type_traits>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// With some policies, or with none.
template <class... Policies>
using alternating = electing<peterson_alternating, Policies...>;

cost card_for(std::size_t n, std::size_t k) {
    return peterson_alternating<int, silent>::messages({.nodes = n, .initiators = k});
}

}  // namespace

// Shape

static_assert(process<peterson_alternating<int>>);
static_assert(deduces<peterson_alternating, silent, least>(
    [](auto... with) { return peterson_alternating{with...}; }));
static_assert(sizeof(peterson_alternating<std::uint16_t>) <= 8);
static_assert(std::is_trivially_copyable_v<peterson_alternating<int>>);
static_assert(covers(peterson_alternating<int>::assumes.links, guarantee::fifo));

static_assert(elected_at_compile_time<alternating<>>({17, 4, 42, 8}) == 42);
static_assert(elected_at_compile_time<alternating<least>>({17, 4, 42, 8}) == 4);
static_assert(elected_at_compile_time<alternating<join>>({17, 4, 42, 8}, {1}) == 42);
static_assert(costs_nothing_unstarted<peterson_alternating<int>>());
static_assert(costs_nothing_unstarted<peterson_alternating<int, join>>());
static_assert(peterson_alternating<int>::elects == winner::best_caller);
static_assert(sizeof(peterson_alternating<int, join>) == sizeof(peterson_alternating<int>));

// Paper

TEST_CASE("peterson_alternating: forwards, then back, on a ring 1 2 3") {
    CHECK(candidacies_of(ring{3}, alternating<>{{1, 2, 3}}) ==
          "0: 0 election 1\n"
          "0: 1 election 2\n"
          "0: 2 election 3\n"
          "1: 1 election 2\n"     // 2 and 3 beat those before them, 1 only relays
          "1: 2 election 3\n"
          "2: 0 election 3\n"     // in phase two 3 hears of 2 and gives up
          "3: 1 election 3\n"     // and 2 hears of 3: it goes on, as 3
          "4: 2 election 3\n"
          "5: 0 election 3\n"
          "6: 1 knows 3\n"
          "7: 2 knows 3\n"
          "8: 0 knows 3\n");
}

// Safety and liveness

TEST_CASE("peterson_alternating: the best initiator leads, every order and start set, n <= 5") {
    check_every_start<alternating<>>(5, best_of);
}

TEST_CASE("peterson_alternating: late starts and any delays: the best of those in time, n <= 12") {
    CHECK(check_late_starts<alternating<>>() > 0);
}

TEST_CASE("peterson_alternating: on every schedule the best initiator leads, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n) check_every_schedule_costs_the_same<alternating<>>(n);
}

TEST_CASE("peterson_alternating: joined, whoever calls: the best of all leads, any order and "
          "start, rounds n <= 5, fifo events n <= 12, every schedule n <= 4") {
    check_joined<alternating<join>>({2, 6, 12, 16});
}

TEST_CASE("peterson_alternating: joined, any caller alone costs what all do, every order, n <= 6") {
    for (std::size_t n = 1; n <= 6; ++n)
        each_permutation(n, [](const std::vector<int>& ids) {
            CHECK(in_rounds(alternating<join>{ids}, {0}).messages ==
                  in_rounds(alternating<>{ids}).messages);
        });
}

TEST_CASE("peterson_alternating: on every schedule, starts at any time, one leader, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n)
        check_messages(check_explored<alternating<>>(
                           n, {.initiators = any_subset,
                               .properties = one_leads<peterson_alternating<int>>(),
                               .starting = starting::any_time,
                               .orders = all_permutations}),
                       2 * n, card_for(n, n).most + n);
}

TEST_CASE("peterson_alternating: start twice is one start; who was reached no longer starts") {
    // After one round 1 has reached node 1, and moves on to 2.
    CHECK(check_one_start<alternating<>>({1, 3, 2}, 1).by_kind("election") == 3);
}

// Cost

TEST_CASE("peterson_alternating: n a phase, phases as Fibonacci says, over every order, n <= 8") {
    const std::uint64_t expected[] = {0, 1, 4, 9, 12, 20, 24, 28, 40};
    for (std::size_t n = 1; n <= 8; ++n) {
        CAPTURE(n);
        extremes found;
        each_ring(n, [&](const std::vector<int>& ids) {
            const std::uint64_t messages = in_rounds(alternating<silent>{ids}).messages;
            REQUIRE(messages % n == 0);
            found.add(messages);
        });
        CHECK(found.most == expected[n]);
        CHECK(found.most == card_for(n, n).most);
        CHECK(found.least == card_for(n, n).least);
        CHECK(found.least == (n == 1 ? 1 : 2 * n));
    }
}

TEST_CASE("peterson_alternating: six phases take 13 nodes, and some order of 13 takes six") {
    CHECK(card_for(12, 12).most == 5 * 12);
    CHECK(card_for(13, 13).most == 6 * 13);
    CHECK(card_for(20, 20).most == 6 * 20);
    CHECK(card_for(21, 21).most == 7 * 21);
    const alternating<silent> slow{{3, 13, 4, 11, 8, 10, 12, 2, 7, 5, 6, 9, 1}};
    CHECK(in_rounds(slow).messages == 6 * 13);
}

TEST_CASE("peterson_alternating: k initiators: least and most are the card's, n = 6") {
    const std::size_t n = 6;
    const std::vector<spread> found = by_starters<alternating<silent>>(n);
    for (std::size_t k = 1; k <= n; ++k) {
        CAPTURE(k);
        CHECK(found[k].messages.least == card_for(n, k).least);
        CHECK(found[k].messages.most == card_for(n, k).most);
        CHECK(card_for(n, k).mean.has_value() == (k == 1));
        CHECK(card_for(n, k).mean.value_or(n) == n);
    }
}

TEST_CASE("peterson_alternating: means of random rings as measured elsewhere, 4 standard errors") {
    check_means<alternating<silent>>({72.2, 173.9, 400.6, 910.1}, 400);
}

// Outside the model

TEST_CASE("peterson_alternating: without fifo the best or nobody leads, n = 3 and 4") {
    check_without_fifo<alternating<>>(4, 4);
}

TEST_CASE("peterson_alternating: a ring covered twice by the same ids: two leaders") {
    CHECK(leaders_outside_model<alternating<>>({1, 2, 1, 2}, 8 + 4) == sizes{1, 3});
    CHECK(leaders_outside_model<alternating<silent>>({9, 9, 9, 9, 9, 9}, 6).size() == 6);
}

TEST_CASE("peterson_alternating: a crashed relay breaks the ring: silence, and no leader") {
    check_broken_ring<alternating<>>(2);
}

TEST_CASE("peterson_alternating: repeated messages change nothing, any schedule, n <= 4") {
    check_repetitions<alternating<>>(4);
}
