// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/misfortunes.hpp>

#include <caucus/run/exploration/handlers.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

using namespace caucus;
using namespace caucus::exploration;

namespace {

/// Believes what it is told.
struct watcher {
    using message = int;
    using timer = nothing;
    using outcome = nothing;

    int suspicions = 0;
    int lives = 1;
    std::uint32_t said_of = 99;   // which life the last word was about

    void start(auto&) {}
    void on(int, port, auto&) {}
    void on(suspect s, auto&) {
        ++suspicions;
        said_of = s.life.value().number;
    }
    void on(trust t, auto&) {
        --suspicions;
        said_of = t.life.value().number;
    }
    void on(const recovered<nothing>&, auto&) { lives = 2; }
};

struct sleeper {
    using message = int;
    using timer = char;
    using outcome = nothing;
    char woken_by = 0;
    void start(auto&) {}
    void on(int, port, auto&) {}
    void on(char t, auto&) { woken_by = t; }
};

using counts = std::map<action::kind, int>;

/// Three nodes in a ring; on arc 0, from node 0 to node 1, are the messages given.
struct ring_of_three {
    ring_of_three(const rules& r, const std::vector<int>& messages, std::uint64_t alive = 0b111)
        : known([](node) { return watcher{}; }), space(wiring{ring{3}}, r, known) {
        const std::uint32_t made = known.made(node{0});
        fate f{.alive = alive, .budget = budget{r.faults}};
        f.lives.assign(r.faults.late_suspicions ? 6 : 3, 0);
        f.made.assign(3, made);
        row.assign(space.width(), 0);
        for (std::size_t v = 0; v < 3; ++v) row[v] = made;
        for (const int m : messages)
            row[3] = *space.contents().push(row[3], known.values().messages.index_of(m), true);
        row.back() = space.fates().index_of(f);
    }

    /// What can go wrong in the row; `after` has the successors.
    counts list() {
        counts found;
        after.clear();
        auto each = [&](const action& a, const ending&, const std::vector<std::uint32_t>& next,
                        std::uint64_t hash) {
            CHECK(hash == space.hash_of(next.data()));
            ++found[a.what];
            after[a.what].push_back(next);
        };
        expansion::scratch room;
        expansion x{space, row.data(), space.hash_of(row.data()), true, each, room};
        misfortunes{x}.all();
        return found;
    }
    /// Goes on with the n-th successor of that kind.
    void choose(action::kind what, std::size_t n) {
        list();
        row = after[what].at(n);
    }
    const watcher& at(std::size_t v) { return known.values().processes[row[v]]; }

    handlers<watcher> known;
    state_space space;
    std::vector<std::uint32_t> row;
    std::map<action::kind, std::vector<std::vector<std::uint32_t>>> after;
};

}  // namespace

TEST_CASE("misfortunes: each is possible as long as its budget lasts") {
    ring_of_three s{{.faults = {.crashes = 1, .losses = 1, .duplicates = 1}}, {5}};
    CHECK(s.list() == counts{{action::kind::crash, 3}, {action::kind::lose, 1},
                             {action::kind::duplicate, 1}});
    s.choose(action::kind::crash, 1);
    CHECK_FALSE(s.space.alive(s.row.data(), 1));
    CHECK(s.space.content(s.row.data(), 0).empty());   // what was on its way to the dead
    CHECK(s.list() == counts{});
}

TEST_CASE("misfortunes: of equal messages side by side one is lost, of others each") {
    ring_of_three s{{.faults = {.losses = 1}}, {5, 5, 6}};
    CHECK(s.list() == counts{{action::kind::lose, 2}});
    s.choose(action::kind::lose, 0);
    CHECK(s.space.content(s.row.data(), 0).size() == 2);
    CHECK(s.list() == counts{});
}

TEST_CASE("misfortunes: on fifo links the copy of a message may come at any place behind it") {
    CHECK(ring_of_three{{.faults = {.duplicates = 1}}, {5, 6, 7}}.list() ==
          counts{{action::kind::duplicate, 3 + 2 + 1}});
    CHECK(ring_of_three{{.fifo = false, .faults = {.duplicates = 1}}, {5, 6, 7}}.list() ==
          counts{{action::kind::duplicate, 3}});
}

TEST_CASE("misfortunes: the dead restart, with a new life that suspects nobody") {
    const fault_budget faults{.crashes = 1, .restarts = 1, .amnesias = 1, .wrong_suspicions = 1};
    ring_of_three s{{.faults = faults}, {}};
    s.choose(action::kind::mistrust, 1);   // node 1 suspects node 2
    CHECK(s.at(1).suspicions == 1);
    s.choose(action::kind::crash, 1);
    CHECK(s.list() == counts{{action::kind::restart, 1}, {action::kind::amnesia, 1}});
    s.choose(action::kind::restart, 0);
    CHECK(s.at(1).lives == 2);
    CHECK(s.at(1).suspicions == 0);
    CHECK(s.list() == counts{});   // nothing to take back
}

TEST_CASE("misfortunes: a wrong suspicion can be taken back, once") {
    ring_of_three s{{.faults = {.wrong_suspicions = 1}}, {}};
    CHECK(s.list() == counts{{action::kind::mistrust, 3}});
    s.choose(action::kind::mistrust, 0);
    CHECK(s.list() == counts{{action::kind::trust, 1}});
    s.choose(action::kind::trust, 0);
    CHECK(s.at(0).suspicions == 0);
    CHECK(s.list() == counts{});
}

TEST_CASE("misfortunes: a perfect detector suspects the dead, and trusts them when they are back") {
    ring_of_three s{{.faults = {.crashes = 1, .restarts = 1}, .perfect_detector = true}, {}, 0b101};
    CHECK(s.list()[action::kind::suspect] == 1);   // by node 0, whose successor is dead
    s.choose(action::kind::suspect, 0);
    CHECK(s.at(0).suspicions == 1);
    CHECK(s.list()[action::kind::welcome] == 0);
    s.choose(action::kind::restart, 0);
    CHECK(s.list()[action::kind::suspect] == 0);
    s.choose(action::kind::welcome, 0);
    CHECK(s.at(0).suspicions == 0);
}

TEST_CASE("misfortunes: on fragile links the last message of the dead is lost, then the next") {
    const fault_budget fragile{.crashes = 1, .fragile = true};
    ring_of_three alive{{.faults = fragile}, {5, 6}};
    CHECK(alive.list() == counts{{action::kind::crash, 3}});
    ring_of_three s{{.faults = fragile}, {5, 6}};
    s.choose(action::kind::crash, 0);
    CHECK(s.list() == counts{{action::kind::lose, 1}});
    const std::uint32_t first = s.space.content(s.row.data(), 0)[0];
    s.choose(action::kind::lose, 0);
    CHECK(s.space.content(s.row.data(), 0) == std::vector<std::uint32_t>{first});
    s.choose(action::kind::lose, 0);
    CHECK(s.list() == counts{});

    ring_of_three any{{.fifo = false, .faults = fragile}, {5, 5, 6}};
    any.choose(action::kind::crash, 0);
    CHECK(any.list() == counts{{action::kind::lose, 2}});   // of equal ones any is as good
}

TEST_CASE("misfortunes: a perfect detector waits for the last message of the dead, another not") {
    const fault_budget faults{.crashes = 1};
    for (const bool impatient : {false, true}) {
        // A ring that goes one way has nothing on its way from the dead to who suspects them.
        handlers<watcher> known{[](node) { return watcher{}; }};
        state_space space{wiring{complete{2}},
                          {.faults = faults, .perfect_detector = true, .impatient = impatient},
                          known};
        const std::uint32_t made = known.made(node{0});
        fate f{.alive = 0b01, .budget = {}};
        f.made.assign(2, made);
        std::vector<std::uint32_t> row(space.width(), 0);
        row[0] = row[1] = made;
        for (std::size_t arc = 0; arc < 2; ++arc)
            if (space.origin_of(arc).node == 1)
                row[2 + arc] = *space.contents().push(0, known.values().messages.index_of(5), true);
        row.back() = space.fates().index_of(f);
        int suspicions = 0;
        auto each = [&](const action& a, const ending&, const auto&, std::uint64_t) {
            suspicions += a.what == action::kind::suspect;
        };
        expansion::scratch room;
        expansion x{space, row.data(), space.hash_of(row.data()), true, each, room};
        misfortunes{x}.all();
        CHECK(suspicions == (impatient ? 1 : 0));
    }
}

TEST_CASE("misfortunes: a detector names the life that died, and the one that is back") {
    ring_of_three s{{.faults = {.crashes = 2, .restarts = 2, .wrong_suspicions = 1},
                     .perfect_detector = true},
                    {}, 0b101};
    s.choose(action::kind::suspect, 0);   // node 0 suspects node 1
    CHECK(s.at(0).said_of == 0);
    s.choose(action::kind::restart, 0);
    s.choose(action::kind::welcome, 0);
    CHECK(s.at(0).said_of == 1);
    s.choose(action::kind::mistrust, 0);
    CHECK(s.at(0).said_of == 1);
    s.choose(action::kind::crash, 1);
    s.choose(action::kind::suspect, 0);
    CHECK(s.at(0).said_of == 1);
}

TEST_CASE("misfortunes: that a life is over may be told when the next has begun, once") {
    const fault_budget late{.crashes = 2, .restarts = 2, .late_suspicions = true};
    const rules r{.faults = late, .perfect_detector = true, .impatient = true};
    ring_of_three s{r, {}, 0b101};
    s.choose(action::kind::restart, 0);
    auto now = s.list();
    CHECK(now[action::kind::suspect_late] == 1);   // to node 0, of node 1
    CHECK(now[action::kind::welcome] == 1);
    s.choose(action::kind::welcome, 0);
    CHECK(s.at(0).said_of == 1);
    s.choose(action::kind::suspect_late, 0);
    CHECK(s.at(0).said_of == 0);
    now = s.list();
    CHECK(now[action::kind::suspect_late] == 0);
    CHECK(now[action::kind::welcome] == 0);

    ring_of_three in_time{r, {}, 0b101};
    in_time.choose(action::kind::suspect, 0);
    in_time.choose(action::kind::restart, 0);
    CHECK(in_time.list()[action::kind::suspect_late] == 0);   // it has been told

    ring_of_three new_listener{r, {}, 0b101};
    new_listener.choose(action::kind::restart, 0);
    new_listener.choose(action::kind::crash, 0);
    new_listener.choose(action::kind::restart, 0);   // node 0 never knew the first life of node 1
    now = new_listener.list();
    CHECK(now[action::kind::suspect_late] == 1);   // to node 2, of node 0
    new_listener.choose(action::kind::suspect_late, 0);
    CHECK(new_listener.at(2).said_of == 0);
}

TEST_CASE("misfortunes: a timer that is not due runs out too early, and spends the budget") {
    handlers<sleeper> known{[](node) { return sleeper{}; }};
    state_space space{wiring{ring{2}}, {.faults = {.early_expiries = 1}}, known};
    std::vector<std::uint32_t> row(space.width(), 0);
    row[0] = row[1] = known.made(node{0});
    row.back() = space.fates().index_of({.alive = 0b11, .budget = budget{{.early_expiries = 1}}});
    const auto arm = [&](std::size_t v, char timer, ticks left) {
        const std::uint32_t number = known.values().timer_values.index_of(timer);
        REQUIRE(space.change_timers(row, v, number, left + 4, true));
    };
    arm(0, 'a', 0);
    arm(1, 'b', 3);
    arm(1, 'c', whenever - 4);
    REQUIRE(space.pass_time(row, 4, true));   // of c, whose left is `whenever`, nothing passes
    std::vector<std::pair<std::uint32_t, char>> early;
    const auto list = [&](const std::vector<std::uint32_t>& now) {
        std::vector<std::uint32_t> last;
        early.clear();
        auto each = [&](const action& a, const ending&, const std::vector<std::uint32_t>& after,
                        std::uint64_t) {
            CHECK(a.what == action::kind::expire_early);
            early.push_back({a.node, known.values().timer_values[a.value]});
            CHECK(space.alarms_at(after.data(), a.node).size() + 1 ==
                  space.alarms_at(now.data(), a.node).size());
            last = after;
        };
        expansion::scratch room;
        expansion x{space, now.data(), space.hash_of(now.data()), true, each, room};
        misfortunes{x}.all();
        return last;
    };
    using list_of = std::vector<std::pair<std::uint32_t, char>>;
    const std::vector<std::uint32_t> once = list(row);
    CHECK(early == list_of{{1, 'b'}});
    CHECK(space.alarms_at(once.data(), 0)[0].left == 0);
    CHECK(known.values().processes[once[1]].woken_by == 'b');
    list(once);
    CHECK(early.empty());   // the budget is spent
    // While a message is under way, what is due is early, too.
    row[2] = *space.contents().push(0, known.values().messages.index_of(7), true);
    list(row);
    CHECK(early == list_of{{0, 'a'}, {1, 'b'}});
    arm(0, 'd', 5);
    list(row);
    CHECK(early == list_of{{0, 'a'}, {0, 'd'}, {1, 'b'}});
}

TEST_CASE("misfortunes: a cut swallows what is under way, and can be mended at no cost") {
    ring_of_three s{{.faults = {.cuts = 1}}, {5}};
    CHECK(s.list() == counts{{action::kind::cut, 3}});
    s.choose(action::kind::cut, 0);
    CHECK(s.space.content(s.row.data(), 0).empty());
    CHECK(s.list() == counts{{action::kind::mend, 1}});
    s.choose(action::kind::mend, 0);
    CHECK(s.list() == counts{});
}
