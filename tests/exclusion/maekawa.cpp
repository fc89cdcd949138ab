// SPDX-License-Identifier: MIT
#include <caucus/exclusion/maekawa.hpp>

#include <caucus/exclusion/quorums.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <support/exclusion_suite.hpp>
#include <support/maekawas.hpp>

#include <archetypes.hpp>
#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// Each asks the next: if all ask at once, each has one of the two votes that it needs.
const listed_quorums triangle{{{0, 1}, {1, 2}, {2, 0}}};
const listed_quorums everybody{{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}}};
/// The last needs its own vote alone, and the others theirs and those of all that follow.
const listed_quorums staircase{{{0, 1, 2}, {1, 2}, {2}}};

constexpr auto pair_of = [](node v) {
    return maekawa{static_cast<int>(v.index), std::array{port{0}}};
};

/// Of the least ids; the greatest goes first.
using with_archetypes = maekawa<archetype::id, heap_storage, archetype::by_rank>;

}  // namespace

// Shape

static_assert(process<by_votes> && process<with_archetypes>);
static_assert(std::is_same_v<decltype(maekawa{1, std::vector<port>{}}), by_votes>);
static_assert(std::is_same_v<decltype(maekawa{1, std::array{port{0}, port{2}}, greatest{}}),
                             maekawa<int, inplace_storage<2>, greatest>>);
static_assert(std::is_same_v<by_votes::outcome, std::variant<entered<fence<>>, left>>);
static_assert(std::is_same_v<maekawa<int, inplace_storage<2>>::outcome,
                             std::variant<entered<fence<>>, left, overflow>>);
static_assert(by_votes::assumes.links == (guarantee::fifo | guarantee::reliable));
static_assert(by_votes::assumes.topology == shape::complete && !by_votes::assumes.uniform);
static_assert(by_votes::per_entry(0).most == 0 && by_votes::per_entry(1).most == 0);
static_assert(by_votes::per_entry(3).least == 6 && by_votes::per_entry(3).most == 12);
static_assert(by_votes::messages({.nodes = 7, .initiators = 2}).most == 2 * 36);

static_assert([] {
    rounds sim{complete{2}, pair_of};
    return answers_out_of_turn(sim, 1, until_quiet) && cost_alone(sim, 0) == 3 &&
           sim[0].fence() == fence<>{0, 2};
}());

// Paper

TEST_CASE("maekawa: the paper's rules, one node's conversation with its quorum") {
    maekawa p{5, std::array{port{0}, port{3}}};
    using process = decltype(p);
    archetype::environment<process> env;
    env.ports = 6;
    const auto said = [&](std::size_t i) { return env.outbox[i].message; };

    // It asks all of them, and gives itself its own vote.
    CHECK(p.request(env) == answer::accepted);
    REQUIRE(env.outbox.size() == 2);
    CHECK(env.outbox[1].out == port{3});
    CHECK(std::get<process::wish>(said(1)).when == stamp<int>{1, 5});
    CHECK((p.awaits(port{0}) && !p.awaits(port{1})));
    // One votes for it, and asks for the vote back: nothing says that it cannot have all.
    p.on(voting::grant{1, 4, 8}, port{0}, env);
    p.on(voting::inquire{4}, port{0}, env);
    CHECK(env.outbox.size() == 2);
    CHECK_FALSE(p.awaits(port{0}));
    // An earlier wish comes: its own voter asks it, too. That votes for no other until it yields.
    p.on(process::wish{{1, 2}}, port{5}, env);
    CHECK(env.outbox.size() == 2);
    // The last of its quorum fails it: it hands both votes back.
    p.on(voting::failed{1}, port{3}, env);
    REQUIRE(env.outbox.size() == 4);
    CHECK(std::get<voting::grant>(said(2)).to == 1);
    CHECK(env.outbox[2].out == port{5});
    CHECK(std::get<voting::yield>(said(3)).vote == 4);
    CHECK((p.awaits(port{0}) && p.awaits(port{3}) && p.awaits(port{5})));
    // The earlier one leaves, and all vote for it again.
    p.on(voting::release{1, 9}, port{5}, env);
    p.on(voting::grant{1, 6, 9}, port{0}, env);
    CHECK(p.waits());
    p.on(voting::grant{1, 1, 3}, port{3}, env);
    REQUIRE(p.holds());
    CHECK(std::get<entered<fence<>>>(env.heard[0]).fence.count == 10);
    // Inside it hands back nothing; it releases.
    p.on(voting::inquire{6}, port{0}, env);
    CHECK(env.outbox.size() == 4);
    CHECK(p.release(env) == answer::accepted);
    REQUIRE(env.outbox.size() == 6);
    CHECK(std::get<voting::release>(said(5)).fence == 10);
}

TEST_CASE("maekawa: the least ids, in a preference's order") {
    with_archetypes p{archetype::id::ranked(1), std::vector{port{0}}, archetype::by_rank{}};
    archetype::environment<with_archetypes> env;
    env.ports = 1;
    CHECK(p.request(env) == answer::accepted);
    p.on(voting::failed{1}, port{0}, env);
    p.on(with_archetypes::wish{{1, archetype::id::ranked(2)}}, port{0}, env);
    REQUIRE(env.outbox.size() == 2);
    CHECK(std::holds_alternative<voting::grant>(env.outbox[1].message));   // it handed its own over
}

TEST_CASE("maekawa: votes that are never handed back end in a deadlock, of two or three") {
    const auto deadlocked = [](std::size_t n, const auto& quorum) {
        const verdict v = explored(complete{n}, textbook_voters<maekawa_rules::grants>(quorum),
                                   sections{}, {.reduce = reduction::none});
        CHECK_FALSE(v.holds);
        CHECK(v.counterexample.property == "all_served");
    };
    deadlocked(2, listed_quorums{{{0, 1}, {0, 1}}});
    deadlocked(3, triangle);
}

TEST_CASE("maekawa: who is overtaken must hear that it failed: the original ends in a deadlock") {
    check_verified(explored(complete{3}, textbook_voters<maekawa_rules::original>(triangle),
                            sections{}));
    const verdict v = explored(complete{3}, textbook_voters<maekawa_rules::original>(staircase),
                               sections{}, {.reduce = reduction::none});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.property == "all_served");
    check_verified(explored(complete{3}, textbook_voters<maekawa_rules::corrected>(staircase),
                            sections{}));
}

// Safety and liveness

TEST_CASE("maekawa: one inside, all served, every schedule, n <= 2, two entries each") {
    for (const auto& quorum : {listed_quorums{{{0}}}, listed_quorums{{{0, 1}, {0, 1}}}}) {
        const std::size_t n = quorum.nodes();
        const verdict v = explored(complete{n}, voters(quorum), sections{.entries = 2});
        check_verified(v);
        CHECK(v.messages.least == 6 * n * (n - 1));
        CHECK(v.messages.most == (n == 1 ? 0 : 15));
    }
}

TEST_CASE("maekawa: one inside, all served, every schedule, n = 3, one entry each") {
    const auto costs = [](const auto& quorum, cost expected) {
        const verdict v = explored(complete{3}, voters(quorum), sections{});
        check_verified(v);
        CHECK(v.messages.least == expected.least);
        CHECK(v.messages.most == expected.most);
    };
    costs(triangle, {9, 11});
    costs(staircase, {9, 13});
    costs(everybody, {18, 26});
}

TEST_CASE("maekawa: one inside, all served, every schedule, n = 3, two entries each") {
    for (const auto& quorum : {triangle, staircase}) {
        const verdict v = explored(complete{3}, voters(quorum), sections{.entries = 2});
        check_verified(v);
        CHECK(v.messages.least == 18);
        CHECK(v.messages.most <= 6 * by_votes::per_entry(3).most);
    }
}

TEST_CASE("maekawa: one copy of any message, within fifo, changes nothing, n = 2") {
    check_verified(explored(complete{2}, pair_of, sections{.entries = 2},
                            {.faults = {.duplicates = 1}}));
}

TEST_CASE("maekawa: one copy of any message, within fifo, changes nothing, n = 3") {
    for (const auto& quorum : {triangle, staircase}) {
        const verdict v = explored(complete{3}, voters(quorum), sections{},
                                   {.faults = {.duplicates = 1}});
        check_verified(v);
    }
}

TEST_CASE("maekawa: who asks may cancel at any time, n = 2") {
    check_verified(explored(complete{2}, pair_of, fickle()));
}

TEST_CASE("nightly: maekawa: who asks may cancel at any time, n = 3" * doctest::skip()) {
    for (const auto& quorum : {triangle, staircase})
        check_verified(explored(complete{3}, voters(quorum), fickle()));
}
