// SPDX-License-Identifier: MIT
#include <caucus/exclusion/ricart_agrawala/conditions.hpp>

#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <support/asking.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

using asking_plain = client<ricart_agrawala<int>, asking_load>;

struct groups : caucus::detail::wishes_beside_an_entry {
    static bool any(const auto& g, known wanted) {
        return !all(g, [&](std::size_t, std::size_t, known k) { return k != wanted; });
    }
};
/// The lecture's three groups of wishes when somebody is inside; each is sometimes not empty.
std::vector<property<asking_plain>> correctness_conditions() {
    return {always(known_older_wishes_are_served), always(known_younger_wishes_are_deferred),
            always(unknown_wishes_are_younger),
            sometimes("a wish is known", [](const auto& g) {
                return groups::any(g, groups::known::yes);
            }),
            sometimes("a wish is not yet known", [](const auto& g) {
                return groups::any(g, groups::known::no);
            })};
}
verdict conditions_hold(std::size_t entries, bool fifo, fault_budget faults = {}) {
    return explore(complete{3}, clients(ricart_agrawalas(), entering(entries)),
                   {.properties = correctness_conditions(), .faults = faults, .fifo = fifo,
                    .timers = timers::any_time});
}

}  // namespace

TEST_CASE("ricart_agrawala: known older wishes are served, known younger ones deferred, unknown "
          "ones younger: the lecture's three conditions, n = 3") {
    check_verified(conditions_hold(1, true));
    check_verified(conditions_hold(1, false));
}
TEST_CASE("nightly: ricart_agrawala: the three conditions, two entries each, n = 3" *
          doctest::skip()) {
    check_verified(conditions_hold(2, true));
    check_verified(conditions_hold(1, false, {.duplicates = 1}));
}

namespace {

/// Three nodes as the conditions see them, and one wish under way.
struct stand {
    bool inside;
    stamp<int> when;
    bool owes = false;   // a reply to the next node
    bool holds() const { return inside; }
    bool waits() const { return !inside && when.clock != 0; }
    const stamp<int>& asked() const { return when; }
    bool defers(port p) const { return owes && p == port{0}; }
};
struct moment {
    struct wish { stamp<int> when; };
    std::vector<stand> all;
    std::size_t from = 0;
    std::size_t to = 0;
    std::size_t dead = 9;
    std::size_t nodes() const { return all.size(); }
    bool alive(std::size_t v) const { return v != dead; }
    const stand& operator[](std::size_t v) const { return all[v]; }
    void each_in_flight(auto f) const {
        if (from != to) f(node{from}, node{to}, wish{all[from].when});
    }
};
constexpr stand out{false, {}};
bool told(const moment& g, bool older, bool younger, bool unknown) {
    return known_older_wishes_are_served(g) == older &&
           known_younger_wishes_are_deferred(g) == younger &&
           unknown_wishes_are_younger(g) == unknown;
}

}  // namespace

TEST_CASE("the three conditions: which wishes break which") {
    const stamp<int> early{3, 1}, late{4, 0};
    CHECK(told({{{true, late}, out, out}}, true, true, true));
    CHECK(told({{{true, late}, {false, early}, out}}, false, true, true));          // it is known
    CHECK(told({{{true, late}, {false, early}, out}, 1, 0}, true, true, false));    // it is not
    CHECK(told({{{true, late}, {false, early}, out}, 1, 2}, false, true, true));    // here it is
    CHECK(told({{{true, early}, {false, late}, out}}, true, false, true));
    CHECK(told({{{true, early, true}, {false, late}, out}}, true, true, true));
    CHECK(told({{{true, early, true}, out, {false, late}}}, true, false, true));    // not that one
    CHECK(told({{{true, early}, {false, late}, out}, 1, 0}, true, true, true));
    CHECK(told({{{true, late}, {true, early}, out}}, false, false, true));
    CHECK(told({{{true, late}, {false, early}, out}, 0, 0, 1}, true, true, true));  // it is dead
    CHECK(told({{{true, late}, {false, early}, out}, 0, 0, 0}, true, true, true));
    CHECK(told({{out, {false, early}, {true, late}}}, false, true, true));
}
