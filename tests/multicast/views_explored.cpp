// SPDX-License-Identifier: MIT
// Every schedule of small groups: all promises hold, and each rule is missed where it is left out.
#include <caucus/multicast/views.hpp>

#include <support/group_runs.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// What goes wrong in a story.
struct trouble {
    std::uint8_t crashes = 0;
    std::uint8_t restarts = 0;
    std::size_t wrong_suspicions = 0;   // for majority alone
    std::uint64_t views_max = 0;        // 0: there is no need for a bound
    std::size_t attempts_max = 3;
};

template <class Group>
constexpr bool by_majority = std::is_same_v<Group, group_client<majority, all_but>>;

/// The dead are suspected while their messages travel, any of which at the end of a link are lost.
template <class Group>
explore_options<Group> options_for(const trouble& t) {
    explore_options<Group> how{
        .properties = {always("views", keeps_views{by_majority<Group>}),
                       finally("settled", settles_views{by_majority<Group>})},
        .faults = {.crashes = t.crashes, .restarts = t.restarts, .fragile = t.crashes != 0,
                   .late_suspicions = t.restarts != 0},
        .detector = eventual{.wrong = t.wrong_suspicions},
        .timers = timers::any_time,
        .count_messages = false,
        .remember_dead = true};
    if (t.views_max != 0)
        how.within = [t](const global_state<Group>& g) {
            for (std::size_t v = 0; v < g.nodes(); ++v)
                if (g[v].process().current().number > t.views_max ||
                    g[v].process().attempts() > t.attempts_max)
                    return false;
            return true;
        };
    return how;
}
template <class Group>
verdict told(const group_story& s, const explore_options<Group>& how, all_but rules = {}) {
    const complete slots{s.slots};
    if constexpr (by_majority<Group>) return explore(slots, groups(s, majority{}, rules), how);
    else return explore(slots, groups(s, rules), how);
}

using unanimous = group_client<all_but>;
using most = group_client<majority, all_but>;

/// Somebody has seen so many views, and the last has so many members.
template <class Group>
property<Group> reaches(std::uint64_t number, std::size_t members) {
    return sometimes("reaches the view", [=](const global_state<Group>& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && g[v].process().current().number == number &&
                g[v].process().current().members.size() == members)
                return true;
        return false;
    });
}

template <class Group>
std::uint64_t holds(const group_story& s, const trouble& t, std::uint64_t view,
                    std::size_t members) {
    auto how = options_for<Group>(t);
    how.properties.push_back(reaches<Group>(view, members));
    const verdict v = told<Group>(s, how);
    CAPTURE(v.counterexample.text());
    CHECK(v.holds);
    CHECK((v.complete || v.limit == "within"));
    return v.states;
}

const group_story three{3, {0, 1, 2}, {{}, {cast}, {}}};
const group_story three_cast{3, {0, 1, 2}, {{cast}, {cast}, {}}};
const group_story newcomer{3, {0, 1}, {{}, {cast}, {join}}};
const group_story joiner{3, {0, 1}, {{}, {}, {join}}};
const group_story newcomers{3, {0}, {{}, {join}, {join}}};
const group_story leaver{3, {0, 1, 2}, {{depart}, {}, {}}};
const group_story leaver_and_sender{3, {0, 1, 2}, {{}, {depart}, {cast}}};
const group_story first_leaves{3, {0, 1}, {{depart}, {}, {join}}};
const group_story comes_and_goes{3, {0, 1}, {{}, {}, {join, depart, join}}};
const group_story comes_back{3, {0, 1, 2}, {{join}, {join}, {join}}};
const group_story returns{3, {0, 1, 2}, {}};

}  // namespace

TEST_CASE("views: V0 to V7, the dead included, crashes, joins, leaves, restarts, n = 3") {
    std::uint64_t states = 0;
    states += holds<unanimous>(three, {.crashes = 2}, 2, 1);
    states += holds<unanimous>(three_cast, {.crashes = 2}, 2, 1);
    states += holds<unanimous>(newcomer, {.crashes = 1}, 1, 3);
    states += holds<unanimous>(newcomers, {.crashes = 1}, 2, 3);
    states += holds<unanimous>(leaver, {.crashes = 1}, 1, 2);
    states += holds<unanimous>(first_leaves, {.crashes = 2}, 1, 2);
    states += holds<unanimous>(comes_and_goes, {.crashes = 1}, 3, 3);
    states += holds<unanimous>(returns, {.crashes = 1, .restarts = 1}, 1, 2);
    MESSAGE(states, " states");
    CHECK(states < 300'000);
}
TEST_CASE("views, majority: V0 to V7, crashes, wrong suspicions, joins, leaves, n = 3") {
    std::uint64_t states = 0;
    states += holds<most>(three, {.crashes = 1}, 1, 2);
    states += holds<most>(three, {.wrong_suspicions = 1}, 1, 2);
    states += holds<most>(newcomer, {.crashes = 1}, 1, 3);
    states += holds<most>(newcomer, {.wrong_suspicions = 1}, 1, 3);
    states += holds<most>(comes_back, {.wrong_suspicions = 1, .views_max = 3}, 2, 3);
    states += holds<most>(first_leaves, {.crashes = 1}, 1, 2);
    MESSAGE(states, " states");
    CHECK(states < 300'000);
}

namespace {

template <class Group>
void check_missed(rule r, std::string name, const group_story& s, const trouble& t,
                  std::size_t events) {
    CAPTURE(name);
    auto how = options_for<Group>(t);
    how.max_states = 1'000'000;
    const verdict v = told<Group>(s, how, all_but{r});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == events);
    MESSAGE("without ", name, ": ", v.counterexample.size(), " events");
}

}  // namespace

TEST_CASE("views: each rule is missed: the shortest story in which that breaks a promise") {
    const auto missed = check_missed<unanimous>;
    missed(rule::F1, "F1", three, {.crashes = 2}, 9);
    missed(rule::F2, "F2", three, {.crashes = 2}, 8);
    missed(rule::F3, "F3", three, {.crashes = 2}, 9);
    missed(rule::F4, "F4", three, {.crashes = 2}, 9);
    missed(rule::N3, "N3", three, {.crashes = 2}, 6);
    missed(rule::B1, "B1", newcomer, {.crashes = 1}, 12);
    missed(rule::B2, "B2", newcomer, {.crashes = 1}, 16);
    missed(rule::P2, "P2", first_leaves, {.crashes = 2}, 8);
    missed(rule::P3, "P3", first_leaves, {.crashes = 2}, 6);
    missed(rule::P4, "P4", three, {.crashes = 2}, 9);
    missed(rule::D1, "D1", leaver, {.crashes = 1}, 17);
    missed(rule::D2, "D2", leaver, {.crashes = 1}, 17);
    missed(rule::D3, "D3", leaver, {.crashes = 1}, 16);
    missed(rule::D8, "D8", leaver_and_sender, {.crashes = 2}, 9);
    missed(rule::D9, "D9", leaver, {.crashes = 1}, 17);
    missed(rule::J1, "J1", first_leaves, {.crashes = 2}, 14);
    missed(rule::J2, "J2", newcomers, {.crashes = 1}, 9);
    missed(rule::J3, "J3", first_leaves, {.crashes = 2}, 15);
    missed(rule::J5, "J5", first_leaves, {.crashes = 2}, 15);
    missed(rule::I1, "I1", comes_and_goes, {.crashes = 1}, 29);
    missed(rule::I2, "I2", comes_and_goes, {.crashes = 1}, 29);
}
TEST_CASE("views, majority: each further rule is missed, too") {
    const auto missed = check_missed<most>;
    missed(rule::P1, "P1", returns, {.wrong_suspicions = 2}, 10);
    missed(rule::N1, "N1", returns, {.crashes = 1, .wrong_suspicions = 1}, 8);
    missed(rule::N2, "N2", returns, {.crashes = 1, .wrong_suspicions = 1}, 9);
    missed(rule::D10, "D10", first_leaves, {.crashes = 1}, 16);
    missed(rule::D13, "D13", first_leaves, {.crashes = 1}, 14);
    missed(rule::J6, "J6", joiner, {.wrong_suspicions = 1}, 4);
    missed(rule::J7, "J7", joiner, {.wrong_suspicions = 1}, 5);
}
TEST_CASE("nightly: views, majority: D5 and D11 are missed by a leaver, in longer stories" *
          doctest::skip()) {
    // D4, D12 and J4 were missed in none: they are kept by argument. Nor was I3, as trust in the
    // new life says the same; it is missed where a detector is slower than a restart (views.cpp).
    const trouble both{.crashes = 1, .wrong_suspicions = 1, .views_max = 3};
    check_missed<most>(rule::D5, "D5", leaver, both, 15);
    check_missed<most>(rule::D11, "D11", leaver, both, 17);
}
TEST_CASE("nightly: views: V0 to V7 with four nodes, or two troubles" * doctest::skip()) {
    const group_story four{4, {0, 1, 2, 3}, {{}, {cast}, {}, {}}};
    const group_story fourth_joins{4, {0, 1, 2}, {{}, {cast}, {}, {join}}};
    const group_story two_join{4, {0, 1}, {{}, {}, {join}, {join}}};
    MESSAGE(holds<unanimous>(comes_back, {.crashes = 1, .restarts = 1}, 2, 3));
    MESSAGE(holds<unanimous>(leaver_and_sender, {.crashes = 2}, 2, 1));
    MESSAGE(holds<unanimous>(four, {.crashes = 1}, 1, 3));
    MESSAGE(holds<unanimous>(fourth_joins, {.crashes = 1}, 1, 4));
    MESSAGE(holds<unanimous>(two_join, {.crashes = 1}, 1, 4));
    MESSAGE(holds<most>(three, {.crashes = 1, .wrong_suspicions = 1}, 1, 2));
    MESSAGE(holds<most>(leaver, {.crashes = 1, .wrong_suspicions = 1, .views_max = 3}, 1, 2));
    MESSAGE(holds<most>(comes_back, {.crashes = 1, .restarts = 1, .views_max = 4}, 2, 3));
}
