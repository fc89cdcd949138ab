// SPDX-License-Identifier: MIT
#include <caucus/layer/supervision.hpp>

#include <doctest/doctest.h>

using namespace caucus;

TEST_CASE("supervised_options: what is not said follows from the beat") {
    static_assert(supervised_options{}.patience() == 300);
    static_assert(supervised_options{}.leader_wait() == 300);
    static_assert(supervised_options{}.election_wait() == 3000);
    static_assert(supervised_options{.beat = 0}.patience() == 3);
    static_assert(supervised_options{.timeout = 40, .reach = 5}.leader_wait() == 200);
    static_assert(supervised_options{.timeout = 40, .election_max = 7}.election_wait() == 7);
    constexpr supervised_options far{.timeout = 40, .election_max = 7, .reach = 2};
    static_assert(far.settled_after() == 2 * (80 + 7));
}

TEST_CASE("leaps: a number may be 2^40 ahead, and behind as it likes") {
    static_assert(!leaps(leap_most, 0) && leaps(leap_most + 1, 0));
    static_assert(!leaps(last_number, last_number - leap_most) && leaps(last_number, 0));
    static_assert(!leaps(0, last_number) && !leaps(7, 7));
}

TEST_CASE("supervised_options: what ticks cannot count is never, and does not wrap") {
    constexpr ticks third = never / 3;
    static_assert(supervised_options{.beat = third}.patience() == 3 * third);
    static_assert(supervised_options{.beat = third + 1}.patience() == never);
    static_assert(supervised_options{.beat = third + 1}.leader_wait() == never);
    static_assert(supervised_options{.beat = third + 1}.election_wait() == never);
    static_assert(supervised_options{.beat = third + 1}.settled_after() == never);
    static_assert(supervised_options{.timeout = never / 10 + 1}.election_wait() == never);
    static_assert(supervised_options{.timeout = 2, .reach = never / 2 + 1}.leader_wait() == never);
    constexpr supervised_options slow{.timeout = 1, .election_max = never - 1};
    static_assert(slow.settled_after() == never);
}

TEST_CASE("supervised_options: a beat that is expected before it can come is objected to") {
    static_assert(supervised_options{}.objection() == nullptr);
    static_assert(supervised_options{.beat = 5, .timeout = 6}.objection() == nullptr);
    static_assert(supervised_options{.beat = 5, .timeout = 5}.objection() != nullptr);
    static_assert(supervised_options{.beat = 0, .timeout = 1}.objection() == nullptr);
    static_assert(supervised_options{.reach = 0}.objection() != nullptr);
}
