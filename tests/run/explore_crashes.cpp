// SPDX-License-Identifier: MIT
// What else a crash can do: each of these has a small process with a mistake that is found with it
// and missed without it, and a repaired one that holds. What is found is replayed in events.
#include <caucus/run/explore.hpp>

#include <caucus/core/print.hpp>
#include <caucus/run/replay.hpp>
#include <caucus/topology/complete.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

using namespace caucus;

namespace {

std::vector<std::string> snapshot_of(const auto& g, bool of_the_dead) {
    std::vector<std::string> s;
    for (std::size_t v = 0; v < g.nodes(); ++v) {
        s.push_back(g.alive(v) ? "lives: " : "dead: ");
        if (g.alive(v) || of_the_dead) caucus::print(s.back(), g[v]);
    }
    return s;
}

enum class result : std::uint8_t { holds, found, replayed_otherwise };

/// Is `right` true in every state? Found: and a simulation ends in the state in which it is not.
template <class P>
result judge(std::size_t nodes, auto make, explore_options<P> options, auto right) {
    std::vector<std::string> last;
    options.properties = {always([&](const global_state<P>& g) {
        last = snapshot_of(g, options.remember_dead);
        return right(g);
    })};
    const verdict v = explore(complete{nodes}, make, options);
    if (v.verified()) return result::holds;
    INFO(v.counterexample.text());
    REQUIRE_FALSE(v.counterexample.empty());
    const auto net = replay(v.counterexample, complete{nodes}, make);
    const bool same = snapshot_of(net, options.remember_dead) == last;
    CHECK(same);
    return same ? result::found : result::replayed_otherwise;
}

/// Node 0 has news for all. Whoever hears of it first may relay it.
struct herald {
    using message = int;
    using timer = nothing;
    using outcome = nothing;

    bool relays = false;
    int news = 0;

    void start(auto& env) {
        news = 1;
        env.broadcast(1);
    }
    void on(int n, port, auto& env) {
        if (news != 0) return;
        news = n;
        if (relays) env.broadcast(n);
    }
};
const auto in_the_end_all_or_none_know = [](const global_state<herald>& g) {
    return g.in_flight() != 0 || !g.alive(1) || !g.alive(2) || g[1].news == g[2].news;
};
result spread(bool relays, fault_budget faults) {
    return judge<herald>(3, [=](node) { return herald{relays}; },
                         {.initiators = {0}, .faults = faults}, in_the_end_all_or_none_know);
}

/// Nodes 1 and 2 ask node 0, the clerk. The first to ask is granted what all want, in a message of
/// its own; the other is told that it is taken, at once or when the first has confirmed.
struct counter {
    struct ask {};
    struct granted {};
    struct confirmed {};
    struct taken {};
    using message = std::variant<ask, granted, confirmed, taken>;
    using timer = nothing;
    using outcome = nothing;

    bool clerk = false;
    bool waits = false;
    std::optional<port> first = {};
    std::optional<port> second = {};
    bool sure = false;
    bool owns = false;
    bool gave_up = false;

    void start(auto& env) { env.broadcast(ask{}); }
    void on(ask, port from, auto& env) {
        if (!clerk) return;
        if (!first) {
            first = from;
            env.send(from, granted{});
        } else {
            second = from;
            answer_second(env);
        }
    }
    void on(granted, port from, auto& env) {
        owns = true;
        env.send(from, confirmed{});
    }
    void on(confirmed, port, auto& env) {
        sure = true;
        answer_second(env);
    }
    void on(taken, port, auto&) { gave_up = true; }
    void answer_second(auto& env) {
        if (second && (sure || !waits)) env.send(*second, taken{});
        if (second && (sure || !waits)) second.reset();
    }
};
const auto not_both_left_empty_handed = [](const global_state<counter>& g) {
    return g.in_flight() != 0 || !g.alive(1) || !g.alive(2) || g[1].owns || g[2].owns ||
           (!g[1].gave_up && !g[2].gave_up);
};
result serve(bool waits, fault_budget faults, bool fifo = true) {
    return judge<counter>(3, [=](node v) { return counter{v == 0, waits}; },
                          {.initiators = {1, 2}, .faults = faults, .fifo = fifo},
                          not_both_left_empty_handed);
}

/// Node 0 leaves a will; node 1 acts on it, or without it if it learns that node 0 is dead.
struct heir {
    using message = int;
    using timer = nothing;
    using outcome = nothing;

    bool closes = false;   // after the suspicion nothing that comes is read
    bool told = false;
    int decided = 0;
    bool wavered = false;

    void start(auto& env) { env.send(port{0}, 7); }
    void on(int will, port, auto&) {
        if (!(closes && told)) decide(will);
    }
    void on(suspect, auto&) {
        told = true;
        if (decided == 0) decide(1);
    }
    void decide(int what) {
        wavered = wavered || decided != 0;
        decided = what;
    }
};
result inherit(bool closes, detector_model detector) {
    return judge<heir>(2, [=](node) { return heir{closes}; },
                       {.initiators = {0}, .faults = {.crashes = 1}, .detector = detector},
                       [](const global_state<heir>& g) { return !g[1].wavered; });
}

/// Expels whom it suspects and readmits whom it trusts; knows the life that it trusts.
struct member {
    using message = nothing;
    using timer = nothing;
    using outcome = nothing;

    bool compares = false;
    incarnation self = {};
    incarnation known = {};
    bool expelled = false;   // the other

    void start(auto&) {}
    void on(const recovered<>& r, auto&) { self = r.incarnation; }
    void on(suspect s, auto&) {
        if (compares && s.life.value() < known) return;
        expelled = true;
    }
    void on(trust t, auto&) {
        known = t.life.value();
        expelled = false;
    }
};
const auto the_present_life_is_a_member = [](const global_state<member>& g) {
    for (std::size_t v = 0; v < 2; ++v)
        if (g.alive(0) && g.alive(1) && g[v].expelled && g[v].known.number != 0 &&
            g[v].known == g[1 - v].self)
            return false;
    return true;
};
result admit(bool compares, bool late, detector_model detector = eventual{.wrong = 0}) {
    return judge<member>(2, [=](node) { return member{compares}; },
                         {.faults = {.crashes = 1, .restarts = 1, .late_suspicions = late},
                          .detector = detector},
                         the_present_life_is_a_member);
}

/// Node 0 tells everybody and delivers what it told, in one handler; who hears of it relays it.
struct teller {
    using message = int;
    using timer = nothing;
    using outcome = int;

    bool hasty = false;   // delivers before it tells
    int delivered = 0;

    void start(auto& env) { spread(1, env); }
    void on(int m, port, auto& env) {
        if (delivered == 0) spread(m, env);
    }
    void spread(int m, auto& env) {
        if (hasty) delivered = m;
        env.broadcast(m);
        delivered = m;
    }
};
/// Uniformly: whoever delivered it, dead or alive.
const auto if_one_delivers_all_the_living_do = [](const global_state<teller>& g) {
    bool any = false;
    bool all_living = true;
    for (std::size_t v = 0; v < g.nodes(); ++v) {
        any = any || g[v].delivered != 0;
        all_living = all_living && (!g.alive(v) || g[v].delivered != 0);
    }
    return g.in_flight() != 0 || all_living || !any;
};
result deliver(bool hasty, bool remember, fault_budget faults = {.crashes = 1, .midway = true}) {
    return judge<teller>(3, [=](node) { return teller{hasty}; },
                         {.initiators = {0}, .faults = faults, .remember_dead = remember},
                         if_one_delivers_all_the_living_do);
}

}  // namespace

TEST_CASE("explore: who crashes midway has told some of those that it meant to tell") {
    CHECK(spread(false, {.crashes = 1}) == result::holds);
    CHECK(spread(false, {.crashes = 1, .midway = true}) == result::found);
    CHECK(spread(true, {.crashes = 1, .midway = true}) == result::holds);
    CHECK(spread(false, {.midway = true}) == result::holds);   // nobody crashes
}

TEST_CASE("explore: of what a dead node has sent, some links lose the end") {
    CHECK(serve(false, {.crashes = 1}) == result::holds);
    CHECK(serve(false, {.crashes = 1, .midway = true}) == result::holds);
    CHECK(serve(false, {.crashes = 1, .fragile = true}) == result::found);
    CHECK(serve(true, {.crashes = 1, .fragile = true}) == result::holds);
    CHECK(serve(false, {.crashes = 1, .fragile = true}, false) == result::found);
    CHECK(serve(true, {.crashes = 1, .fragile = true}, false) == result::holds);
    CHECK(serve(false, {.fragile = true}) == result::holds);   // nobody crashes
}

TEST_CASE("explore: eventual suspects the dead while their last message travels, perfect waits") {
    CHECK(inherit(false, perfect{}) == result::holds);
    CHECK(inherit(false, eventual{.wrong = 0}) == result::found);
    CHECK(inherit(true, eventual{.wrong = 0}) == result::holds);
}

TEST_CASE("explore: a suspicion of an old life that comes late must not stick to the new one") {
    CHECK(admit(false, false) == result::holds);
    CHECK(admit(false, true) == result::found);
    CHECK(admit(true, true) == result::holds);
    CHECK(admit(false, false, perfect{}) == result::holds);
    CHECK_THROWS_WITH(admit(false, true, perfect{}),
                      "explore: late suspicions need a detector that is not perfect; "
                      "say detector = eventual{.wrong = 0}");
    CHECK_THROWS_AS(admit(false, true, no_detector{}), error);
}

TEST_CASE("explore: what the dead have delivered is seen if it is remembered") {
    CHECK(deliver(true, false) == result::holds);
    CHECK(deliver(true, true) == result::found);
    // Cut off before it has told all, it has not delivered: it is seen as it was at that moment.
    CHECK(deliver(false, true) == result::holds);
    CHECK(deliver(false, true, {.crashes = 1, .fragile = true}) == result::found);
}

namespace {

/// Says that it heard of a death, every time.
struct mourner {
    using message = nothing;
    using timer = nothing;
    using outcome = int;
    int none = 0;
    void start(auto&) {}
    void on(suspect, auto& env) { env.report(1); }
};

}  // namespace

TEST_CASE("explore: a detector that repeats itself has come to its end, with crashes left, too") {
    const auto not_two = [](const auto& g) { return g.alive(0) + g.alive(1) + g.alive(2) != 2; };
    for (const bool midway : {false, true}) {
        const verdict v = explore(complete{3}, [](node) { return mourner{}; },
                                  {.properties = {finally("not two", not_two)},
                                   .faults = {.crashes = 2, .midway = midway},
                                   .detector = perfect{}});
        CHECK_FALSE(v.holds);
        CHECK(v.counterexample.size() == 1);
    }
}
