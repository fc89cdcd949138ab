// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/world.hpp>

#include <caucus/election/complete/bully.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/exploration/handlers.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace caucus;
using namespace caucus::exploration;

namespace {

using candidate = chang_roberts<int>;
using state = world::state;

handlers<candidate> candidates{[](node v) { return candidate{9 - static_cast<int>(v.index)}; }};

world ring_world(std::size_t n, const rules& r = {}, handler_memo& known = candidates) {
    return {wiring{ring{n}}, r, known};
}

state root_of(world& w, std::uint64_t now, std::uint64_t later = 0) {
    state found;
    std::vector<std::size_t> order(w.nodes());
    std::iota(order.begin(), order.end(), 0);
    w.roots(order, now, later,
            [&](const state& s, std::uint64_t h, std::uint64_t, const auto&) {
                CHECK(h == w.hash_of(s.data()));
                found = s;
                return true;
            });
    return found;
}

/// How often each kind of thing can happen in s; checks the incremental hash on the way.
std::map<action::kind, int> possible(world& w, const state& s) {
    std::map<action::kind, int> count;
    world::scratch room;
    const bool known =
        w.expand(s.data(), w.hash_of(s.data()), true, room,
                 [&](const action& a, const ending&, const state& after, std::uint64_t h) {
                     ++count[a.what];
                     CHECK(h == w.hash_of(after.data()));
                 });
    CHECK(known);
    return count;
}

state after_first(world& w, const state& s, action::kind what) {
    state found;
    world::scratch room;
    w.expand(s.data(), 0, true, room,
             [&](const action& a, const ending&, const state& after, std::uint64_t) {
                 if (a.what == what && found.empty()) found = after;
             });
    return found;
}

/// Has a decision to make before the dusk, and a message under way.
struct waverer {
    struct decide { static constexpr bool is_decision = true; };
    struct dusk {};
    using message = int;
    using timer = std::variant<decide, dusk>;
    using outcome = nothing;
    int none = 0;
    void start(auto& env) {
        env.send(next, 1);
        env.arm(decide{}, 4);
        env.arm(dusk{}, 9);
    }
    void on(int, port, auto&) {}
    void on(decide, auto&) {}
    void on(dusk, auto&) {}
};

}  // namespace

TEST_CASE("world: after all have started there is one delivery a link, and nothing else") {
    world w = ring_world(3);
    const state s = root_of(w, 0b111);
    CHECK(possible(w, s) == std::map<action::kind, int>{{action::kind::deliver, 3}});
    CHECK_FALSE(w.quiet(s.data()));
    CHECK(w.content(s.data(), 0).size() == 1);
}

TEST_CASE("world: starts are events where they are to be, and hold messages back if they must") {
    world waits = ring_world(3, {.starts = starting::before_receiving});
    state s = root_of(waits, 0, 0b111);
    CHECK(possible(waits, s) == std::map<action::kind, int>{{action::kind::start, 3}});
    world free = ring_world(3, {.starts = starting::any_time});
    s = root_of(free, 0b001, 0b110);
    CHECK(possible(free, s) ==
          std::map<action::kind, int>{{action::kind::start, 2}, {action::kind::deliver, 1}});
}

TEST_CASE("world: misfortunes come after what is normal, and not where nothing may be learnt") {
    world w = ring_world(3, {.faults = {.crashes = 1}});
    const state s = root_of(w, 0b111);
    CHECK(possible(w, s) == std::map<action::kind, int>{{action::kind::deliver, 3},
                                                        {action::kind::crash, 3}});
    world::scratch room;
    std::vector<action::kind> listed;
    auto list = [&](const action& a, const ending&, const state&, std::uint64_t) {
        listed.push_back(a.what);
    };
    CHECK_FALSE(w.expand(s.data(), 0, false, room, list));
    CHECK(listed == std::vector<action::kind>(3, action::kind::deliver));
}

TEST_CASE("world: faults are possible as long as their budgets last") {
    world w = ring_world(3, {.faults = {.crashes = 1, .losses = 1, .duplicates = 1}});
    const state s = root_of(w, 0b111);
    auto count = possible(w, s);
    CHECK(count[action::kind::crash] == 3);
    CHECK(count[action::kind::lose] == 3);
    CHECK(count[action::kind::duplicate] == 3);
    world::scratch room;
    std::vector<state> crashed;
    w.expand(s.data(), 0, true, room,
             [&](const action& a, const ending&, const state& after, std::uint64_t) {
                 if (a.what == action::kind::crash && a.node == 1) crashed.push_back(after);
             });
    REQUIRE(crashed.size() == 1);
    CHECK_FALSE(w.alive(crashed[0].data(), 1));
    CHECK(w.content(crashed[0].data(), 0).empty());   // what was on its way to the dead
    count = possible(w, crashed[0]);
    CHECK(count[action::kind::crash] == 0);
    CHECK(count[action::kind::lose] == 2);
}

TEST_CASE("world: timers run out after the messages, the nearest first, or at any time") {
    const std::vector<int> ids{3, 2, 1};
    handlers<bully<int>> bullies{
        [&](node v) { return bully{ids[v], peer_ids(complete{3}, v, ids)}; }};
    world later{wiring{complete{3}}, {}, bullies};
    state s = root_of(later, 0b110);
    CHECK(possible(later, s)[action::kind::expire] == 0);
    CHECK(later.timers_armed(s.data()));
    world soon{wiring{complete{3}}, {.when = timers::any_time}, bullies};
    s = root_of(soon, 0b110);
    CHECK(possible(soon, s)[action::kind::expire] == 2);
}

TEST_CASE("world: a timer that is a decision waits for nothing, and no time passes with it") {
    handlers<waverer> waverers{[](node) { return waverer{}; }};
    world w{wiring{ring{2}}, {}, waverers};
    const state s = root_of(w, 0b01);
    REQUIRE_FALSE(w.quiet(s.data()));
    CHECK(possible(w, s) == std::map<action::kind, int>{{action::kind::deliver, 1},
                                                        {action::kind::expire, 1}});
    // Both decision and message are gone: the dusk is due, after all of its time.
    const state decided = after_first(w, s, action::kind::expire);
    const state still = after_first(w, decided, action::kind::deliver);
    REQUIRE(w.quiet(still.data()));
    REQUIRE(w.alarms_at(still.data(), 0).size() == 1);
    CHECK(w.alarms_at(still.data(), 0)[0].left == 9);
    CHECK(possible(w, still) == std::map<action::kind, int>{{action::kind::expire, 1}});
    // The message is gone: the dusk may come before the decision.
    const state heard = after_first(w, s, action::kind::deliver);
    CHECK(possible(w, heard) == std::map<action::kind, int>{{action::kind::expire, 2}});
    world any{wiring{ring{2}}, {.when = timers::any_time}, waverers};
    CHECK(possible(any, root_of(any, 0b01))[action::kind::expire] == 2);
}
