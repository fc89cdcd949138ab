// SPDX-License-Identifier: MIT
#include <caucus/exclusion/ricart_agrawala/carvalho_roucairol.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <support/asking.hpp>

#include <archetypes.hpp>
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

using namespace caucus;
using namespace support;

namespace {

using lock = ricart_agrawala<int, heap_storage, carvalho_roucairol>;
using asking = client<lock, asking_load>;

static_assert(process<lock>);
static_assert(lock::per_entry(10).least == 0 && lock::per_entry(10).most == 18);
static_assert(lock::per_entry(0).most == 0);
static_assert(
    sizeof(ricart_agrawala<std::uint16_t, inplace_storage<4>, carvalho_roucairol>) <= 160);

/// Of two neighbours at most one has the other's permission.
struct no_two_permit_each_other {
    bool operator()(const auto& g) const {
        const std::size_t n = g.nodes();
        for (std::size_t v = 0; v < n; ++v)
            for (std::size_t u = 0; u < v; ++u)
                if (g[v].process().is_permitted_by(port{(u + n - v - 1) % n}) &&
                    g[u].process().is_permitted_by(port{v - u - 1}))
                    return false;
        return true;
    }
};

verdict check_all(std::size_t n, const asking_load& load, explore_options<asking> how) {
    how.properties = promises<asking>(n);
    how.properties.push_back(always(no_two_permit_each_other{}));
    how.timers = timers::any_time;
    CAPTURE(n);
    const verdict v =
        explore(complete{n}, clients(ricart_agrawalas(carvalho_roucairol{}), load), how);
    check_verified(v);
    return v;
}

}  // namespace

TEST_CASE("carvalho_roucairol: one inside, all enter, any schedule, any order, n <= 3") {
    for (std::size_t n = 1; n <= 3; ++n) check_all(n, entering(n == 3 ? 1 : 2), {});
    check_all(3, entering(1), {.fifo = false});
    check_all(2, entering(2), {.faults = {.duplicates = 1}, .fifo = false});
    check_all(2, wavering(), {.faults = {.duplicates = 1}, .fifo = false});
}
TEST_CASE("nightly: carvalho_roucairol: two entries each, n = 3, repeated, any order, cancelled" *
          doctest::skip()) {
    MESSAGE(check_all(3, entering(2), {}).states);
    MESSAGE(check_all(3, entering(1), {.faults = {.duplicates = 1}, .fifo = false}).states);
    MESSAGE(check_all(3, wavering(), {}).states);
    MESSAGE(check_all(3, entering(2), {.faults = {.duplicates = 1}}).states);
    MESSAGE(check_all(3, entering(2), {.fifo = false}).states);
}
TEST_CASE("carvalho_roucairol: random runs, messages repeated and overtaking: fences rise") {
    check_runs(complete{5}, ricart_agrawalas(carvalho_roucairol{}), 5, 150, false, true);
}
TEST_CASE("nightly: carvalho_roucairol: 100,000 random runs" * doctest::skip()) {
    check_runs(complete{4}, ricart_agrawalas(carvalho_roucairol{}), 6, 100'000, false, true);
}

TEST_CASE("carvalho_roucairol: storms over reliable: one inside, fences rise, all are served") {
    CHECK(unserved_in_storms(complete{4}, ricart_agrawalas(carvalho_roucairol{}), 100) == 0);
}
TEST_CASE("nightly: carvalho_roucairol: 100,000 storms over reliable" * doctest::skip()) {
    CHECK(unserved_in_storms(complete{4}, ricart_agrawalas(carvalho_roucairol{}), 100'000) == 0);
}

TEST_CASE("carvalho_roucairol: requests out of turn are refused; who enters again asks nobody") {
    for (const std::size_t n : numbers{1, 2, 4}) {
        CAPTURE(n);
        events net{complete{n}, ricart_agrawalas(carvalho_roucairol{})};
        CHECK(answers_out_of_turn(net, 0, until_quiet));
        CHECK(net[0].fence() == fence<>{0, 1});
        CHECK(cost_alone(net, 0) == 0);
        CHECK(cost_alone(net, n - 1) == 2 * (n - 1) * (n > 1));
        CHECK(cost_alone(net, n - 1) == 0);
        if (n > 1) CHECK(cost_alone(net, 0) == 2);   // the others' permissions are still there
    }
}

namespace {

/// Messages an entry, ten nodes, some thirty entries each, over so many runs.
template <class Load>
double average(const Load& load, ticks length) {
    const int runs = 12;
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        events net{complete{10}, clients(ricart_agrawalas(carvalho_roucairol{}), load),
                   {.seed = seed, .delay = uniform{1, 10}}, watch<lock>()};
        net.start_all();
        const report r = net.run_for(length);
        CHECK(net.watcher().holds());
        const std::size_t entries = net.watcher().template get<0>().entries();
        CHECK(lock::messages({.nodes = 10, .initiators = entries + 10}).contains(r.messages));
        sum += static_cast<double>(r.messages) / static_cast<double>(entries);
    }
    return sum / runs;
}

}  // namespace

TEST_CASE("carvalho_roucairol: n = 10: 17.6 messages an entry if busy, half of 18 if idle") {
    CHECK(std::abs(average(sections{.entries = 30}, never) - 17.6) < 0.2);
    // Whoever wants to enter at a time that nobody can foresee has to ask those that have entered
    // since it did itself: of two, each was the last to enter with probability 1/2.
    CHECK(std::abs(average(open{1.0 / 2'500}, 30 * 2'500) - 9.0) < 0.5);
}

TEST_CASE("carvalho_roucairol: whoever comes back with nothing stays out, and permits nothing") {
    events net{complete{4}, ricart_agrawalas(carvalho_roucairol{})};
    CHECK(stays_out_and_silent(net, 0, 2));
    CHECK(net[2].awaits(port{1}));
}

TEST_CASE("carvalho_roucairol: late, repeated and foreign messages meet a guard") {
    struct : archetype::environment<lock> {} env;
    env.ports = 2;
    lock p{5};
    p.on(lock::wish{{3, 4}, 3}, port{2}, env);   // from where nobody is
    p.on(lock::reply{1, 9}, port{0}, env);       // nobody was asked
    CHECK(env.outbox.empty());
    CHECK(p.request(env) == answer::accepted);
    CHECK(p.request(env) == answer::already_waiting);
    CHECK(env.outbox.size() == 2);
    p.on(lock::reply{1, 9}, port{2}, env);
    p.on(lock::reply{0, 9}, port{0}, env);       // to another wish
    p.on(lock::reply{1, 6}, port{0}, env);
    CHECK(p.is_permitted_by(port{0}));
    CHECK_FALSE(p.awaits(port{0}));
    p.on(lock::wish{{1, 4}, 1}, port{0}, env);   // older: what was permitted goes back
    REQUIRE(env.outbox.size() == 4);             // and is asked for again
    CHECK(std::get<lock::reply>(env.outbox[2].message).to == 1);
    const lock::wish again = std::get<lock::wish>(env.outbox[3].message);
    CHECK((again.when.clock == 1 && again.number == 2));
    CHECK(p.awaits(port{0}));
    p.on(lock::reply{1, 6}, port{0}, env);       // the permission that it has given back
    CHECK(p.awaits(port{0}));
    p.on(lock::reply{1, 2}, port{1}, env);
    p.on(lock::reply{2, 7}, port{0}, env);
    CHECK(p.holds());
    CHECK(p.fence() == fence<>{0, 8});
    p.on(lock::wish{{9, 4}, 9}, port{1}, env);
    CHECK(env.outbox.size() == 4);
    CHECK(p.release(env) == answer::accepted);
    CHECK(env.outbox.size() == 5);
    CHECK_FALSE(p.is_permitted_by(port{1}));
    CHECK(p.is_permitted_by(port{0}));
    CHECK(p.request(env) == answer::accepted);   // asks one
    CHECK(env.outbox.size() == 6);
    CHECK(p.cancel(env) == answer::accepted);
    p.on(lock::reply{10, 0}, port{1}, env);      // too late
    CHECK_FALSE(p.is_permitted_by(port{1}));
}
