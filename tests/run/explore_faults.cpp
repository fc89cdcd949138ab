// SPDX-License-Identifier: MIT
// What goes wrong goes wrong at every moment, and no more often than its budget says.
#include <caucus/run/explore.hpp>

#include <doctest/doctest.h>

#include <caucus/core/port_set.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/ring.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

using namespace caucus;

namespace {

/// Node 0 sends so many numbered letters to node 1, which writes down the last and how many came.
struct sender {
    using message = int;
    using timer = nothing;
    using outcome = nothing;

    int letters = 1;
    int received = 0;
    int last = 0;
    int overtaken = 0;

    void start(auto& env) {
        for (int i = 1; i <= letters; ++i) env.send(next, i);
    }
    void on(int number, port, auto&) {
        ++received;
        overtaken += number < last;
        last = number;
    }
};
verdict sending(int letters, fault_budget faults, property<sender> p, bool fifo = true) {
    return explore(ring{2}, [&](node) { return sender{letters}; },
                   {.initiators = {0}, .properties = {p}, .faults = faults, .fifo = fifo});
}
const auto received = [](int count) {
    return [count](const global_state<sender>& g) { return g[1].received == count; };
};
const auto at_least = [](int count) {
    return [count](const global_state<sender>& g) { return g[1].received >= count; };
};
const auto at_most = [](int count) {
    return [count](const global_state<sender>& g) { return g[1].received <= count; };
};

/// Believes what its detector says.
struct watcher {
    using message = nothing;
    using timer = nothing;
    using outcome = nothing;

    port_set<> suspected = {};   // ever
    int trusts = 0;

    void start(auto&) {}
    void on(suspect s, auto&) { suspected.insert(s.whom); }
    void on(trust, auto&) { ++trusts; }
};
verdict watching(fault_budget faults, bool perfect, property<watcher> p) {
    return explore(complete{3}, [](node) { return watcher{}; },
                   {.properties = {p}, .faults = faults, .perfect_detector = perfect});
}
std::size_t suspicions(const global_state<watcher>& g) {
    return g[0].suspected.size() + g[1].suspected.size() + g[2].suspected.size();
}
int trusts(const global_state<watcher>& g) { return g[0].trusts + g[1].trusts + g[2].trusts; }
const auto all_is_well = [](const global_state<watcher>& g) { return suspicions(g) == 0; };

/// Counts its lives and what it learnt; keeps that before it tells anybody.
struct scribe {
    using message = int;
    using timer = nothing;
    using outcome = nothing;
    using kept = int;

    int learnt = 0;
    int told = 0;
    incarnation life = {};

    void start(auto& env) { learn(env); }
    void on(int m, port, auto&) { told = told < m ? m : told; }
    void on(const recovered<int>& r, auto& env) {
        life = r.incarnation;
        learnt = r.last.value_or(0);
        learn(env);
    }
    void learn(auto& env) {
        env.keep(++learnt);
        env.send(next, learnt);
    }
};
verdict writing(fault_budget faults, property<scribe> p) {
    return explore(ring{2}, [](node) { return scribe{}; },
                   {.initiators = {0}, .properties = {p}, .faults = faults});
}

}  // namespace

TEST_CASE("explore: losses up to their budget, of any message, none beyond") {
    CHECK(sending(2, {}, finally(received(2))).verified());
    const auto lost = sending(2, {.losses = 1}, finally(received(2)));
    CHECK_FALSE(lost.holds);
    CHECK(lost.counterexample.text().find("lost: ") != std::string::npos);
    CHECK(sending(2, {.losses = 1}, finally(at_least(1))).verified());
    CHECK_FALSE(sending(2, {.losses = 2}, finally(at_least(1))).holds);
    for (const int which : {1, 2}) {
        const auto only = [which](const global_state<sender>& g) {
            return g.in_flight() == 0 && g[1].received == 1 && g[1].last == which;
        };
        CHECK(sending(2, {.losses = 1}, sometimes(only)).verified());
    }
}

TEST_CASE("explore: duplicates up to their budget, none beyond") {
    for (std::uint8_t budget = 0; budget <= 3; ++budget) {
        CAPTURE(budget);
        CHECK(sending(1, {.duplicates = budget}, sometimes(received(1 + budget))).verified());
        CHECK(sending(1, {.duplicates = budget}, always(at_most(1 + budget))).verified());
        CHECK(sending(1, {.duplicates = budget}, finally(at_least(1))).verified());
    }
    const auto doubled = sending(1, {.duplicates = 1}, always(at_most(1)));
    CHECK(doubled.counterexample.size() == 3);
    CHECK(doubled.counterexample.steps[0].words.starts_with("doubled: "));
}

TEST_CASE("explore: links keep their order or not, as told") {
    const auto in_order = [](const global_state<sender>& g) { return g[1].overtaken == 0; };
    CHECK(sending(3, {}, always(in_order)).verified());
    CHECK_FALSE(sending(3, {}, always(in_order), false).holds);
    CHECK(sending(3, {}, finally(received(3)), false).verified());
}

TEST_CASE("explore: crashes up to their budget, of anyone; what is sent to the dead vanishes") {
    const auto dead = [](std::size_t count) {
        return [count](const global_state<sender>& g) {
            return std::size_t{!g.alive(0)} + std::size_t{!g.alive(1)} == count;
        };
    };
    for (const std::uint8_t budget : {std::uint8_t{1}, std::uint8_t{2}})
        CHECK(sending(1, {.crashes = budget}, sometimes(dead(budget))).verified());
    CHECK_FALSE(sending(1, {.crashes = 1}, sometimes(dead(2))).holds);
    const auto dead_or_reached = [](const global_state<sender>& g) {
        return !g.alive(1) || g[1].received == 1;
    };
    CHECK(sending(1, {.crashes = 1}, finally(dead_or_reached)).verified());
    const auto nothing_to_the_dead = [](const global_state<sender>& g) {
        return g.alive(1) || g.in_flight() == 0;
    };
    CHECK(sending(1, {.crashes = 1}, always(nothing_to_the_dead)).verified());
}

TEST_CASE("explore: a perfect detector suspects the dead, sooner or later, and nobody else") {
    CHECK(watching({}, true, always(all_is_well)).verified());
    const auto found = [](const global_state<watcher>& g) {
        return (g.alive(0) && g.alive(1) && g.alive(2)) || suspicions(g) == 2;
    };
    CHECK(watching({.crashes = 1}, true, finally(found)).verified());
    CHECK(watching({.crashes = 1}, false, always(all_is_well)).verified());
    CHECK_FALSE(watching({.crashes = 1}, false, finally(found)).holds);
    const auto rightly = [](const global_state<watcher>& g) {
        for (std::size_t v = 0; v < 3; ++v)
            for (const port p : ports(2))
                if (g[v].suspected.contains(p) && g.alive((v + 1 + p) % 3)) return false;
        return true;
    };
    CHECK(watching({.crashes = 2}, true, always(rightly)).verified());
}

TEST_CASE("explore: who is back is trusted again by all that were told of its death, once") {
    const auto balanced = [](const global_state<watcher>& g) {
        const bool all_live = g.alive(0) && g.alive(1) && g.alive(2);
        return !all_live || trusts(g) == static_cast<int>(suspicions(g));
    };
    const auto twice = [](const global_state<watcher>& g) { return trusts(g) == 2; };
    const auto at_most_twice = [](const global_state<watcher>& g) { return trusts(g) <= 2; };
    for (const fault_budget returns : {fault_budget{.crashes = 1, .restarts = 1},
                                       fault_budget{.crashes = 1, .amnesias = 1}}) {
        CHECK(watching(returns, true, finally(balanced)).verified());
        CHECK(watching(returns, true, sometimes(twice)).verified());
        CHECK(watching(returns, true, always(at_most_twice)).verified());
        CHECK_FALSE(watching(returns, false, sometimes(twice)).holds);
    }
}

TEST_CASE("explore: wrong suspicions up to their budget, each followed by a trust at most once") {
    const auto bounded = [](const global_state<watcher>& g) {
        return suspicions(g) <= 2 && trusts(g) <= 2;
    };
    CHECK(watching({.wrong_suspicions = 2}, false, always(bounded)).verified());
    CHECK_THROWS_WITH(explore(complete{3}, [](node) { return watcher{}; },
                              {.detector = eventual{.wrong = 256}}),
                      "explore: 256 wrong suspicions, and 255 at most");
    CHECK_FALSE(watching({.wrong_suspicions = 1}, false, always(all_is_well)).holds);
    const auto corrected = [](const global_state<watcher>& g) {
        return suspicions(g) == 1 && trusts(g) == 1;
    };
    CHECK(watching({.wrong_suspicions = 1}, false, sometimes(corrected)).verified());
}

TEST_CASE("explore: what was kept before it was told survives; amnesia forgets it") {
    // Whoever told somebody remembers at least that much, in every later life.
    const auto remembers = [](const global_state<scribe>& g) {
        return !g.alive(0) || g[0].learnt >= g[1].told;
    };
    CHECK(writing({.crashes = 2, .restarts = 2}, always(remembers)).verified());
    const auto forgot = writing({.crashes = 1, .amnesias = 1}, always(remembers));
    CHECK(forgot.holds);   // it learns the same again
    const auto second = [](const global_state<scribe>& g) { return g[0].learnt == 2; };
    CHECK(writing({.crashes = 1, .restarts = 1}, sometimes(second)).verified());
    CHECK_FALSE(writing({.crashes = 1, .amnesias = 1}, sometimes(second)).holds);
    const auto third_life = [](const global_state<scribe>& g) { return g[0].life.number == 2; };
    const fault_budget both{.crashes = 2, .restarts = 1, .amnesias = 1};
    CHECK(writing(both, sometimes(third_life)).verified());
    CHECK_FALSE(writing({.crashes = 2, .restarts = 1}, sometimes(third_life)).holds);
}

TEST_CASE("explore: whoever can recover may crash after any part of a handler") {
    const auto kept_but_not_told = writing({.crashes = 1, .restarts = 1},
        sometimes([](const global_state<scribe>& g) {
            return g[0].learnt == 2 && g[1].told == 0 && g.in_flight() == 1;
        }));
    CHECK(kept_but_not_told.verified());
}

TEST_CASE("explore: a cut swallows what is under way and what follows, until it is mended") {
    CHECK(sending(3, {.cuts = 1}, sometimes(received(0))).holds);
    CHECK(sending(3, {.cuts = 1}, sometimes(received(2))).holds);
    CHECK(sending(3, {.cuts = 1}, sometimes(received(3))).holds);
    CHECK(sending(3, {.cuts = 1}, always(at_most(3))).holds);
    CHECK_FALSE(sending(1, {.cuts = 1}, finally(received(1))).holds);
    const verdict v = sending(1, {.cuts = 1}, always([](const global_state<sender>& g) {
                                  return g.in_flight() != 0 || g[1].received == 1;
                              }));
    REQUIRE_FALSE(v.holds);
    CHECK(v.counterexample.steps.back().words == "cut: from node 0 to node 1");
}

TEST_CASE("explore: perfect_detector is detector = perfect{}, with the same states") {
    const fault_budget faults{.crashes = 1, .restarts = 1};
    const auto make = [](node) { return watcher{}; };
    const verdict older = explore(complete{3}, make, {.faults = faults, .perfect_detector = true});
    const verdict newer = explore(complete{3}, make, {.faults = faults, .detector = perfect{}});
    CHECK(older.verified());
    CHECK(older.states == newer.states);
    CHECK(older.transitions == newer.transitions);
    const verdict both = explore(complete{3}, make, {.faults = faults, .perfect_detector = true,
                                                     .detector = eventual{.wrong = 1}});
    const verdict wrong = explore(complete{3}, make, {.faults = faults,
                                                      .detector = eventual{.wrong = 1}});
    CHECK(both.states == wrong.states);
    CHECK(both.states > newer.states);
}

TEST_CASE("explore: detectors by the names that simulations use") {
    const auto watch = [](detector_model model, property<watcher> p) {
        return explore(complete{2}, [](node) { return watcher{}; },
                       {.properties = {p}, .faults = {.crashes = 1}, .detector = model}).holds;
    };
    const auto nobody = [](const global_state<watcher>& g) {
        return g[0].suspected.empty() || !g.alive(0);
    };
    const auto only_the_dead = [](const global_state<watcher>& g) {
        return g[0].suspected.empty() || !g.alive(1);
    };
    CHECK(watch(no_detector{}, always(nobody)));
    CHECK(watch(by_hand{}, always(nobody)));
    CHECK_FALSE(watch(perfect{}, always(nobody)));
    CHECK(watch(perfect{}, always(only_the_dead)));
    CHECK_FALSE(watch(eventual{.wrong = 1}, always(only_the_dead)));
    CHECK_FALSE(watch(perfect{.delay = 0}, always(nobody)));
    CHECK(watch(perfect{.delay = 0}, always(only_the_dead)));
    CHECK_FALSE(watch(eventual{.delay = 0, .wrong = 1}, always(only_the_dead)));
    CHECK(watch(eventual{.delay = 0, .wrong = 0}, always(only_the_dead)));
    CHECK_FALSE(watch(eventual{.delay = 0, .wrong = 0}, always(nobody)));
}
