// SPDX-License-Identifier: MIT
#include <caucus/exclusion/lamport.hpp>

#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <support/exclusion_suite.hpp>
#include <support/textbook_lamport.hpp>
#include <support/witness.hpp>

#include <archetypes.hpp>
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>

using namespace caucus;
using namespace support;

namespace {

using by_stamp = lamport<int>;
constexpr auto locks = [](node v) { return lamport{static_cast<int>(v.index)}; };
const auto textbook = [](node v) {
    return textbook_lamport<3>{static_cast<std::uint8_t>(v.index)};
};

/// Of the least ids; the greatest goes first.
using with_archetypes = lamport<archetype::id, heap_storage, archetype::by_rank>;

}  // namespace

// Shape

static_assert(process<by_stamp> && process<with_archetypes>);
static_assert(std::is_same_v<decltype(lamport{1}), by_stamp>);
static_assert(std::is_same_v<decltype(lamport{1, greatest{}}),
                             lamport<int, heap_storage, greatest>>);
static_assert(std::is_same_v<by_stamp::outcome, std::variant<entered<fence<>>, left>>);
static_assert(std::is_same_v<lamport<int, inplace_storage<2>>::outcome,
                             std::variant<entered<fence<>>, left, overflow>>);
static_assert(sizeof(lamport<std::uint16_t, inplace_storage<4>>) <= 160);
static_assert(covers(by_stamp::assumes.links, guarantee::fifo | guarantee::reliable));
static_assert(by_stamp::assumes.topology == shape::complete && by_stamp::assumes.uniform);
static_assert(by_stamp::per_entry(1).most == 0 && by_stamp::per_entry(2).most == 3);
static_assert(by_stamp::messages({.nodes = 5, .initiators = 7}).least == 84);

static_assert([] {
    rounds sim{complete{3}, locks};
    return answers_out_of_turn(sim, 1, until_quiet) && cost_alone(sim, 2) == 6 &&
           sim[2].fence() == fence<>{0, 2};
}());

// Paper

TEST_CASE("lamport: the paper's five rules, one node's conversation") {
    lamport two{2};
    archetype::environment<by_stamp> env;
    env.ports = 2;
    const port one{0}, three{1};
    const auto said = [&](std::size_t i) { return env.outbox[i].message; };

    // 1. It sends its wish to all.
    CHECK(two.request(env) == answer::accepted);
    REQUIRE(env.outbox.size() == 2);
    CHECK(std::get<by_stamp::wish>(said(0)).at == stamp<int>{1, 2});
    // 2. A wish is put into the queue, and acknowledged, later than both.
    two.on(by_stamp::wish{{1, 1}}, one, env);
    REQUIRE(env.outbox.size() == 3);
    CHECK(env.outbox[2].out == one);
    CHECK(std::get<by_stamp::acknowledgement>(said(2)).at == stamp<int>{2, 2});
    // 5. All have said something later, but its own wish is not the first: of equal clocks the
    // least id is.
    two.on(by_stamp::acknowledgement{{2, 3}}, three, env);
    two.on(by_stamp::acknowledgement{{3, 1}}, one, env);
    CHECK(two.waits());
    CHECK((two.awaits(one) && !two.awaits(three)));
    // 4. A release takes the wish of its sender from the queue …
    two.on(by_stamp::released{{4, 1}, 6}, one, env);
    CHECK(two.holds());   // … and that was all that was missing
    REQUIRE(env.heard.size() == 1);
    CHECK(std::get<entered<fence<>>>(env.heard[0]).fence.count == 7);
    // 3. It releases, and says so to all.
    CHECK(two.release(env) == answer::accepted);
    REQUIRE(env.outbox.size() == 5);
    CHECK(std::get<by_stamp::released>(said(3)).at == stamp<int>{5, 2});
    CHECK(std::get<by_stamp::released>(said(4)).fence == 7);
    CHECK(std::holds_alternative<left>(env.heard[1]));
}

TEST_CASE("lamport: a word as early as the own wish is later, if its sender's id is") {
    const auto entered_after = [](int self, by_stamp::wish w) {
        lamport p{self};
        archetype::environment<by_stamp> env;
        env.ports = 1;
        CHECK(p.request(env) == answer::accepted);
        p.on(w, port{0}, env);
        return p.holds();
    };
    CHECK(entered_after(2, {{1, 3}}));
    CHECK_FALSE(entered_after(2, {{1, 1}}));
    CHECK(entered_after(2, {{2, 1}}));
}

TEST_CASE("lamport: the least ids, in a preference's order") {
    const auto make = [](node v) {
        return with_archetypes{archetype::id::ranked(static_cast<int>(v.index)),
                               archetype::by_rank{}};
    };
    archetype::environment<with_archetypes> env;
    with_archetypes p = make(node{1});
    env.ports = 2;
    CHECK(p.request(env) == answer::accepted);
    using wish = with_archetypes::wish;
    p.on(wish{{1, archetype::id::ranked(0)}}, port{1}, env);
    CHECK((p.awaits(port{0}) && !p.awaits(port{1})));   // 0 comes after 1
    p.on(wish{{1, archetype::id::ranked(2)}}, port{0}, env);
    CHECK((p.awaits(port{0}) && p.waits()));
}

TEST_CASE("lamport: the textbook's process has as many states as other tools find, n = 2") {
    const auto counted = [](std::uint8_t entries) {
        return explored(complete{2}, textbook, sections{.entries = entries},
                        {.reduce = reduction::none});
    };
    const verdict once = counted(1);
    check_verified(once);
    check_counts(once, 78, 101);
    const verdict twice = counted(2);
    check_verified(twice);
    check_counts(twice, 1649, 2575);
}

TEST_CASE("lamport: the textbook's process has as many states as other tools find, n = 3") {
    const verdict v = explore(complete{3}, clients(textbook),
                              {.properties = {always(at_most_one_inside),
                                              sometimes(someone_is_inside)},
                               .reduce = reduction::none,
                               .timers = timers::any_time,
                               .count_messages = false});
    check_verified(v);
    check_counts(v, 986'619, 2'194'356);
}

TEST_CASE("lamport: links in any order break the textbook's exclusion, 4 events, n = 3: 7") {
    const auto broken = [](std::size_t n) {
        return explore(complete{n}, clients(textbook),
                       {.properties = {always(at_most_one_inside)},
                        .reduce = reduction::none,
                        .fifo = false,
                        .timers = timers::any_time,
                        .outside_model = true});
    };
    for (const std::size_t n : {2u, 3u}) {
        const verdict v = broken(n);
        CHECK_FALSE(v.holds);
        CHECK(v.counterexample.property == "at_most_one_inside");
        CHECK(v.counterexample.size() == (n == 2 ? 4 : 7));
    }
}

// Safety and liveness

TEST_CASE("lamport: one inside, all served, every schedule, n <= 2, two entries each") {
    for (const std::size_t n : {1u, 2u}) {
        const verdict v = explored(complete{n}, locks, sections{.entries = 2});
        check_verified(v);
        CHECK(v.messages.least == by_stamp::messages({.nodes = n, .initiators = 2 * n}).least);
        CHECK(v.messages.most == by_stamp::messages({.nodes = n, .initiators = 2 * n}).most);
    }
}

TEST_CASE("lamport: one inside, all served, every schedule, n = 3, one entry each") {
    const verdict v = explored(complete{3}, locks, sections{});
    check_verified(v);
    CHECK(v.messages.least == 18);
    CHECK(v.messages.most == 18);
}

TEST_CASE("lamport: one copy of any message, within fifo, changes nothing, n = 2") {
    const verdict v = explored(complete{2}, locks, sections{.entries = 2},
                               {.faults = {.duplicates = 1}});
    check_verified(v);
    CHECK(v.messages.most == 12);
}

TEST_CASE("nightly: lamport: one copy of any message, within fifo, changes nothing, n = 3" *
          doctest::skip()) {
    check_verified(explored(complete{3}, locks, sections{}, {.faults = {.duplicates = 1}}));
}

TEST_CASE("lamport: who asks may cancel at any time, n = 2") {
    check_verified(explored(complete{2}, locks, fickle()));
}

// Among three, since a word from application to application comes after the wish on its link.
TEST_CASE("lamport: in the order in which they asked, as far as its own messages tell") {
    const auto judged = [](std::size_t n, std::uint8_t entries, std::uint8_t remarks) {
        return explore(complete{n}, [=](node v) {
            return client{witness{locks(v), v.index, n, remarks}, {.entries = entries}};
        }, {.properties = {always(in_causal_order{}), sometimes(several_wait)},
            .timers = timers::any_time,
            .count_messages = false});
    };
    check_verified(judged(2, 2, 0));
    check_verified(judged(2, 2, 1));
    check_verified(judged(3, 1, 0));
    const verdict heard = judged(3, 1, 1);   // a word that no clock has seen
    CHECK_FALSE(heard.holds);
    CHECK(heard.counterexample.size() == 13);
}

// Outside the model

TEST_CASE("lamport: links in any order break its exclusion, too, n = 2 and 3") {
    for (const std::size_t n : {2u, 3u}) {
        const verdict v = explored(complete{n}, locks, sections{},
                                   {.fifo = false, .outside_model = true});
        CHECK_FALSE(v.holds);
        CHECK(v.counterexample.property == "at_most_one_inside");
        CHECK(v.counterexample.size() == (n == 2 ? 4 : 7));
    }
}

TEST_CASE("lamport: a lost wish lets in two, n = 2: the next word of its sender hides it") {
    const verdict v = explored(complete{2}, locks, sections{},
                               {.faults = {.losses = 1}, .outside_model = true});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.property == "at_most_one_inside");
}
