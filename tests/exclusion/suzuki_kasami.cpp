// SPDX-License-Identifier: MIT
#include <caucus/exclusion/suzuki_kasami.hpp>

#include <caucus/layer/candid.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>

#include <archetypes.hpp>
#include <doctest/doctest.h>
#include <support/exclusion_suite.hpp>
#include <support/textbook_suzuki_kasami.hpp>
#include <support/witness.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

using lock = suzuki_kasami<int>;

/// Ids 0 to n-1, so that node 0 has the token at first.
auto nodes(std::size_t n) {
    return [=](node v) {
        std::vector<int> ids;
        for (std::size_t u = 0; u < n; ++u) ids.push_back(static_cast<int>(u));
        return lock{ids[v], peer_ids(complete{n}, v, ids)};
    };
}

constexpr std::array<int, 3> three{7, 5, 6};
constexpr auto in_place = [](node v) {
    return suzuki_kasami{three[v], std::array{three[(v.index + 1) % 3], three[(v.index + 2) % 3]}};
};
constexpr bool enters_at_compile_time() {
    rounds sim{complete{3}, in_place};
    bool right = sim[1].has_token() && !sim[0].has_token() && sim[0].fence() == fence<>{};
    right = right && answers_out_of_turn(sim, 0, until_quiet);
    right = right && sim[0].has_token() && !sim[1].has_token() && sim[0].fence() == fence<>{0, 2};
    return right && answers_out_of_turn(sim, 0, until_quiet) &&
           answers_out_of_turn(sim, 2, until_quiet);
}

/// Wherever it is: at a node or under way.
struct one_token {
    bool operator()(const auto& g) const {
        std::size_t tokens = 0;
        for (std::size_t v = 0; v < g.nodes(); ++v) tokens += g[v].process().has_token();
        g.each_in_flight([&](node, node, const lock::message& m) {
            tokens += std::holds_alternative<lock::token>(m);
        });
        return tokens == 1;
    }
};
/// The token has been where nobody waited for it any more.
struct token_in_vain {
    bool operator()(const auto& g) const {
        for (std::size_t v = 1; v < g.nodes(); ++v)
            if (g[v].process().has_token() && !g[v].holds() && g[v].fence() == fence<>{})
                return true;
        return false;
    }
};

verdict with_one_token(std::size_t n, auto load, bool fifo, auto... also) {
    using P = client<lock, decltype(load)>;
    auto properties = promises<P>(n);
    properties.push_back(always("one token", one_token{}));
    (properties.push_back(also), ...);
    return explore(complete{n}, clients(nodes(n), load),
                   {.properties = properties, .fifo = fifo, .timers = timers::any_time});
}

auto textbook(std::uint8_t entries) {
    return [=](node v) {
        return client{textbook_suzuki_kasami{v.index}, {.entries = entries}};
    };
}
const auto exclusion = [](const auto& g) {
    std::size_t inside = 0;
    for (std::size_t v = 0; v < g.nodes(); ++v) inside += g[v].holds();
    return inside <= 1;
};

}  // namespace

// Shape

static_assert(caucus::process<lock>);
static_assert(enters_at_compile_time());
static_assert(std::is_same_v<decltype(suzuki_kasami{1, std::array{2, 3}}),
                             suzuki_kasami<int, inplace_storage<2>>>);
static_assert(std::is_same_v<decltype(suzuki_kasami{1, std::vector{2, 3}}), lock>);
static_assert(std::is_same_v<decltype(suzuki_kasami{1, std::vector{2, 3}, greatest{}}),
                             suzuki_kasami<int, heap_storage, greatest>>);
static_assert(sizeof(suzuki_kasami<std::uint16_t, inplace_storage<4>>) <= 248);
static_assert(!covers(lock::assumes.links, guarantee::fifo | guarantee::no_duplicates));
static_assert(!lock::assumes.uniform && lock::per_entry(1).least == 0);   // it knows its peers
static_assert(lock::per_entry(1).most == 0 && lock::per_entry(5).most == 5 &&
              lock::per_entry(5).mean == 4.0 && lock::per_entry(5).least == 0);
static_assert(lock::messages({.nodes = 5, .initiators = 3}).most == 15);

TEST_CASE("suzuki_kasami: needs no more of ids than that they can be told apart and preferred") {
    using archetype::by_rank, archetype::id;
    const std::array ids{id::ranked(1), id::ranked(3), id::ranked(2)};
    using least_lock = suzuki_kasami<id, inplace_storage<2>, by_rank>;
    std::vector<archetype::environment<least_lock>> env(3);
    std::vector<least_lock> locks;
    for (std::size_t v = 0; v < 3; ++v) {
        env[v].ports = 2;
        const std::array peers{ids[(v + 1) % 3], ids[(v + 2) % 3]};
        locks.push_back(least_lock{ids[v], peers, by_rank{}});
    }
    CHECK(locks[1].has_token());
    CHECK(locks[2].request(env[2]) == answer::accepted);
    dispatch(locks[1], env[2].outbox[1].message, port{0}, env[1]);   // its wish
    REQUIRE(env[1].outbox.size() == 1);
    dispatch(locks[2], env[1].outbox[0].message, port{1}, env[2]);   // the token
    CHECK(locks[2].holds());
}

TEST_CASE("suzuki_kasami: described by its fields, equal once the token has gone on") {
    const lock a{1, std::vector{0, 2}};
    lock b{1, std::vector{0, 2}};
    CHECK(same(a, b));
    archetype::environment<lock> env;
    env.ports = 2;
    CHECK(b.request(env) == answer::accepted);
    CHECK_FALSE(same(a, b));
}

// Paper

TEST_CASE("suzuki_kasami: as printed it is explored in as many states as by other tools") {
    const auto counted = [](std::uint8_t entries) {
        return explore(complete{3}, textbook(entries),
                       {.properties = {always(exclusion)}, .reduce = reduction::none,
                        .timers = timers::any_time});
    };
    const verdict once = counted(1);
    check_verified(once);
    check_counts(once, 589, 1610);
    const verdict twice = counted(2);
    check_verified(twice);
    check_counts(twice, 15'110, 48'061);
}

TEST_CASE("suzuki_kasami: as printed one repeated message is one token more: two are inside") {
    const verdict v = explore(complete{3}, textbook(2),
                              {.properties = {always(exclusion)}, .faults = {.duplicates = 1},
                               .timers = timers::any_time});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 9);
}

TEST_CASE("suzuki_kasami: enters against the order of happening after 5 events") {
    const verdict v = explore(complete{3}, [](node u) {
                                  return client{witness{nodes(3)(u), u.index, 3, 0}};
                              }, {.properties = {always(in_causal_order{})},
                                  .timers = timers::any_time});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 5);
}

TEST_CASE("suzuki_kasami: the token says whose wishes have been seen to, and who is next") {
    archetype::environment<lock> env;
    env.ports = 3;
    lock holder{0, std::vector{2, 1, 3}};
    CHECK(holder.request(env) == answer::accepted);
    CHECK(holder.fence() == fence<>{0, 1});
    holder.on(lock::wish{1}, port{2}, env);
    holder.on(lock::wish{1}, port{0}, env);
    CHECK(env.outbox.empty());   // it is inside
    CHECK(holder.release(env) == answer::accepted);
    REQUIRE(env.outbox.size() == 1);
    CHECK(env.outbox[0].out == port{0});   // id 2: before 3, whichever wish came first
    const auto sent = std::get<lock::token>(env.outbox[0].message);
    CHECK(sent.count == 2);
    CHECK(sent.seen_to == std::vector<std::uint64_t>{0, 0, 1, 1});
    CHECK(sent.queue == std::vector{3});
    CHECK_FALSE(holder.has_token());

    lock second{2, std::vector{1, 3, 0}};
    CHECK(second.request(env) == answer::accepted);
    second.on(lock::wish{1}, port{1}, env);   // of 3, which is queued
    second.on(lock::wish{1}, port{0}, env);   // of 1, which is not
    second.on(sent, port{2}, env);
    CHECK(second.holds());
    CHECK(second.fence() == fence<>{0, 3});
    second.on(lock::wish{1}, port{2}, env);
    CHECK(second.release(env) == answer::accepted);
    CHECK(env.outbox.back().out == port{1});   // who is queued comes before all others
    const auto passed = std::get<lock::token>(env.outbox.back().message);
    CHECK(passed.queue == std::vector{0, 1});  // as its order goes, not as wishes came
    CHECK(passed.seen_to == std::vector<std::uint64_t>{1, 1, 1, 1});
}

// Safety and liveness

TEST_CASE("suzuki_kasami: one is inside at most, all who ask enter, one token, every schedule, any "
          "order, n <= 3") {
    for (std::size_t n = 1; n <= 3; ++n) {
        CAPTURE(n);
        const verdict v = with_one_token(n, sections{.entries = 2}, false);
        check_verified(v);
        CHECK(v.messages.most == lock::messages({.nodes = n, .initiators = 2 * n}).most);
        if (n == 3) check_counts(v, 76'305, 324'682);
    }
}

TEST_CASE("suzuki_kasami: so also if all cancel, and ask again, at any time, n <= 3") {
    for (std::size_t n = 2; n <= 3; ++n) {
        const verdict v = with_one_token(n, fickle(), false, sometimes("in vain", token_in_vain{}));
        check_verified(v);
        if (n == 3) check_counts(v, 118'505, 510'948);
    }
}

TEST_CASE("suzuki_kasami: a repeated message makes no second token, any order, n <= 3") {
    for (std::size_t n = 2; n <= 3; ++n) {
        const verdict v = explored(complete{n}, nodes(n),
                                   sections{.entries = static_cast<std::uint8_t>(n == 2 ? 2 : 1)},
                                   {.faults = {.duplicates = 1}, .fifo = false});
        check_verified(v);
    }
}

TEST_CASE("nightly: suzuki_kasami: a repeated message, three enter twice" * doctest::skip()) {
    const verdict v = explored(complete{3}, nodes(3), sections{.entries = 2},
                               {.faults = {.duplicates = 1}, .fifo = false});
    check_verified(v);
    MESSAGE(v.states, " states, ", v.transitions, " transitions");
}

TEST_CASE("suzuki_kasami: one crash: never two inside, and who waits in vain has said stalled") {
    using P = client<candid<lock>>;
    const auto says_why = [](const auto& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && g[v].waits() && !g[v].process().is_stalled()) return false;
        return true;
    };
    const auto token_is_lost = [](const auto& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && !g[v].waits()) return false;
        return g.in_flight() == 0;
    };
    const auto make = [](node v) { return client{candid{nodes(3)(v)}, {.entries = 1}}; };
    const std::vector<property<P>> safe{always(at_most_one_inside), finally(says_why),
                                        sometimes(someone_is_inside), sometimes(token_is_lost)};
    const verdict v = explore(complete{3}, make,
                              {.properties = safe, .faults = {.crashes = 1},
                               .detector = perfect{}, .timers = timers::any_time});
    check_verified(v);
    const verdict blocks = explore(complete{3}, make,
                                   {.properties = {finally(all_served{})},
                                    .faults = {.crashes = 1}, .timers = timers::any_time});
    CHECK_FALSE(blocks.holds);
    CHECK(blocks.counterexample.size() == 5);
}

TEST_CASE("suzuki_kasami: the crash of a node that wants nothing and has no token harms nobody") {
    const auto make = [](node v) {
        return client{nodes(3)(v), {.entries = static_cast<std::uint8_t>(v.index == 2 ? 0 : 2)}};
    };
    const auto served_unless_another_is_dead = [](const auto& g) {
        return !g.alive(0) || !g.alive(1) || all_served{}(g);
    };
    const auto is_dead = [](const auto& g) { return !g.alive(2); };
    const verdict v = explore(complete{3}, make,
                              {.properties = {always(at_most_one_inside), sometimes(is_dead),
                                              finally(served_unless_another_is_dead)},
                               .faults = {.crashes = 1}, .fifo = false,
                               .timers = timers::any_time});
    check_verified(v);
}

TEST_CASE("suzuki_kasami: who comes back brings no second token") {
    const auto tokens = [](const auto& g) {
        std::size_t count = 0;
        for (std::size_t v = 0; v < g.nodes(); ++v)
            count += g.alive(v) && g[v].process().has_token();
        g.each_in_flight([&](node, node, const lock::message& m) {
            count += std::holds_alternative<lock::token>(m);
        });
        return count;
    };
    const auto returned = [](const auto& g) {
        return g.alive(0) && !g[0].process().has_token() && g[1].holds();
    };
    const auto at_most_one_token = [=](const auto& g) { return tokens(g) <= 1; };
    const auto make = [](node v) {
        return client{nodes(3)(v), {.entries = 1, .again = true}};
    };
    const auto explored_with = [&](fault_budget faults, auto... also) {
        check_verified(explore(complete{3}, make,
                               {.properties = {always(at_most_one_inside), sometimes(returned),
                                               also...},
                                .faults = faults, .fifo = false, .timers = timers::any_time}));
    };
    explored_with({.crashes = 1, .restarts = 1}, always("tokens", at_most_one_token));
    explored_with({.crashes = 1, .restarts = 1, .duplicates = 1});
}
