// SPDX-License-Identifier: MIT
// What the lectures' token ring does (001, section 4.2.3, and its exercise); and the order of ours.
#include <caucus/exclusion/token_ring.hpp>

#include <caucus/run/explore.hpp>
#include <caucus/topology/ring.hpp>
#include <support/exclusion_suite.hpp>
#include <support/textbook_token_ring.hpp>
#include <support/witness.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

using namespace caucus;
using namespace support;

namespace {

using textbook = textbook_token_ring;

/// Begins with a token, or when it has just been lost.
auto textbook_ring(bool lost, bool calm, bool looks_first) {
    return [=](node v) {
        return textbook{.id = static_cast<int>(v.index), .holds = !lost && v == 0, .calm = calm,
                        .looks_first = looks_first};
    };
}
enum class expiries { any, accurate_only };
verdict judged(std::size_t n, bool lost, bool calm, expiries which = expiries::any) {
    const bool look = which == expiries::accurate_only;
    explore_options<textbook> how{.properties = {always("one token", one_textbook_token{})},
                                  .timers = timers::any_time};
    if (look) how.within = accurate{};
    how.faults.losses = look && !lost;
    return explore(ring{n}, textbook_ring(lost, calm, look), how);
}

/// Not so if all elect, in calm, and no word is under way: no timer runs, and no token comes.
bool somebody_will_act(const global_state<textbook>& g) {
    std::size_t messages = 0;
    g.each_in_flight([&](node, node, const textbook::message&) { ++messages; });
    for (std::size_t v = 0; v < g.nodes(); ++v)
        if (g[v].holds || !g[v].electing) return true;
    return messages != 0;
}

}  // namespace

TEST_CASE("lectures: flaw 1, a token that is held is missed: two after 3 events or 4, n <= 3") {
    for (const std::size_t n : {2u, 3u})
        for (const bool calm : {false, true}) {
            const verdict v = judged(n, false, calm);
            CHECK_FALSE(v.holds);
            CHECK(v.counterexample.size() == n + 1);
        }
}

TEST_CASE("lectures: flaw 2, tokens are missed in elections, too: two after 10 events, n = 3") {
    CHECK(judged(3, true, false).counterexample.size() == 10);
    // Though nobody misses a token that is alive: 10, and 2 for the looks that show that it is not.
    const verdict v = judged(3, true, false, expiries::accurate_only);
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 12);
    // From a token that is passed on and lost: 2 more.
    CHECK(judged(3, false, false, expiries::accurate_only).counterexample.size() == 14);
    CHECK(judged(2, true, false, expiries::accurate_only).counterexample.size() == 10);
}

TEST_CASE("lectures: flaw 3, calm in elections and accurate no second token is found, n <= 3") {
    for (const std::size_t n : {2u, 3u})
        for (const bool lost : {false, true}) {
            const verdict v = judged(n, lost, true, expiries::accurate_only);
            CHECK(v.holds);
            CHECK(v.limit == "within");   // only what is not accurate was left out
        }
    CHECK(judged(3, true, true).counterexample.size() == 10);   // not accurate
}

TEST_CASE("lectures: flaw 5, calm in elections one lost message leaves all electing for ever") {
    const auto judge = [](std::size_t n) {
        explore_options<textbook> how{.properties = {always("somebody acts", somebody_will_act)},
                                      .timers = timers::any_time};
        how.faults.losses = 1;
        return explore(ring{n}, textbook_ring(true, true, false), how);
    };
    CHECK(judge(2).counterexample.size() == 3);
    CHECK(judge(3).counterexample.size() == 4);
}

TEST_CASE("token_ring: requests are served in causal order unless applications talk: 10 events") {
    const auto passing = [](std::uint8_t remarks) {
        return [=](node v) {
            const token_ring lock{static_cast<int>(v.index) + 1,
                                  {.nodes = 3, .has_token = v == 0, .hold = 0}};
            return client{witness{lock, v.index, 3, remarks}, at_any_time{sections{}}};
        };
    };
    const auto judge = [&](std::uint8_t remarks) {
        return explore(ring{3}, passing(remarks), {.properties = {always(in_causal_order{})}});
    };
    CHECK(judge(0).verified());
    const verdict v = judge(1);
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 10);
}
