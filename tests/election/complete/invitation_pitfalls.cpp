// SPDX-License-Identifier: MIT
#include <caucus/election/complete/invitation.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>

#include <doctest/doctest.h>
#include <support/groups.hpp>
#include <support/instances.hpp>

#include <cstdint>
#include <vector>

using namespace caucus;
using namespace support;

// Outside the model

namespace {

/// Equal back-offs: nobody waits for anybody.
struct all_are_equal {
    using decides = preference;
    constexpr bool operator()(int, int) const { return false; }
};

}  // namespace

TEST_CASE("invitation: if nobody waits for anybody all invite each other for ever") {
    for (const std::size_t n : {2u, 5u}) {
        const std::vector<int> ids = ascending(n);
        events equal{complete{n}, inviting<all_are_equal>(ids), {.delay = unit{}}};
        equal.start_all();
        events ranked{complete{n}, inviting(ids), {.delay = unit{}}};
        ranked.start_all();
        const ticks long_enough = 100 * invitation_options{}.healed_within(n);
        const auto united = [&] { return one_group{}(equal); };
        CHECK(equal.run_until(united, {.max_rounds = long_enough}).stopped == stop::limit);
        CHECK(equal[0].group().number > 500);
        ranked.run_for(invitation_options{}.healed_within(n));
        CHECK(one_group{}(ranked));
        CHECK(ranked[0].group().number == 2);
    }
}

TEST_CASE("invitation: without numbered lives a leader that forgot is followed by one it forgot") {
    const std::vector<int> ids{1, 2};
    using process = short_sighted<false>;
    const verdict v = explore(complete{2}, [&](node u) { return process{ids[u], {ids[1 - u]}, 1}; },
                              {.properties = {always(leaders_know_their_members{})},
                               .faults = {.crashes = 1, .amnesias = 1}, .fifo = false,
                               .timers = timers::any_time});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 19);   // two groups have one name: (1, 2), of either life
}

TEST_CASE("invitation: several groups are no fault: a partition has a leader on each side") {
    const std::vector<int> ids = ascending(5);
    const by_hand parted{[](const hop& h, random_source&) -> ticks {
        return (h.from < 2) != (h.to < 2) ? 1'000'000'000 : 1;
    }};
    events net{complete{5}, inviting(ids), {.delay = parted, .fifo = false}};
    net.start_all();
    net.run_for(invitation_options{}.healed_within(5));
    CHECK(net[0].leader() == 2);
    CHECK(net[4].is_leader());
    CHECK(net[2].group() == net[4].group());
    CHECK(leaders_know_their_members{}(net));
}

TEST_CASE("invitation: links lose messages all the time: groups split and merge, and stay safe") {
    std::size_t grouped = 0;
    std::size_t split = 0;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        CAPTURE(seed);
        const std::vector<int> ids = shuffled(4, seed);
        const by_hand lossy{[](const hop&, random_source& bits) -> ticks {
            return bits.below(20) == 0 ? 1'000'000'000 : 1 + bits.below(10);
        }};
        events net{complete{4}, inviting(ids, {.delay_max = 10}),
                   {.seed = seed, .delay = lossy, .fifo = false}};
        net.start_all();
        const auto unsafe = [&] {
            (one_group{}(net) ? grouped : split) += 1;
            return !leaders_know_their_members{}(net);
        };
        CHECK(net.run_until(unsafe, {.max_rounds = 20'000}).stopped == stop::limit);
    }
    CHECK(grouped > split);
    CHECK(split > 0);
}

TEST_CASE("invitation: equal ids are refused: two groups would have one name") {
    const auto same_id = [](node v) { return invitation{4, std::vector{v.index == 0 ? 5 : 6}}; };
    CHECK_THROWS_AS(rounds(complete{2}, same_id), error);
}
