// SPDX-License-Identifier: MIT
#include <caucus/trace/observer.hpp>

#include <doctest/doctest.h>

#include "../run/subjects.hpp"

#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/ring.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

using namespace caucus;

static_assert(std::is_empty_v<observer>, "costs nothing if unused");

namespace {

/// Hides one of them, and inherits the others.
struct counts_sends : observer {
    std::size_t sends = 0;
    constexpr void sent(ticks, node, port, const auto&) { ++sends; }
};
struct counts_all : observer {
    std::size_t handles = 0;
    std::size_t effects = 0;
    constexpr void handled(ticks, node, const auto&) { ++handles; }
    constexpr void sent(ticks, node, port, const auto&) { ++effects; }
    constexpr void armed(ticks, node, const auto&, ticks) { ++effects; }
    constexpr void disarmed(ticks, node, const auto&) { ++effects; }
    constexpr void reported(ticks, node, const auto&) { ++effects; }
};

/// Writes down who died and returned, and the first thing that a new life hears.
struct obituaries : observer {
    std::string log{};
    void crashed(ticks at, node v) { note("-", at, v); }
    void restarted(ticks at, node v, incarnation life) {
        note("+", at, v);
        log += "/" + std::to_string(life.number);
    }
    void absent(ticks at, node v) { note("?", at, v); }
    void arrived(ticks at, node v) { note("=", at, v); }
    void handled(ticks at, node v, const recovered<>&) { note("!", at, v); }
    void handled(ticks, node, const auto&) {}
    void note(const char* what, ticks at, node v) {
        log += " " + std::to_string(at) + what + std::to_string(v.index);
    }
};

}  // namespace

TEST_CASE("observer: whoever hides one function sees that, and the run is the same") {
    const auto make = [](node) { return subjects::gossip{}; };
    rounds plain{ring{3}, make};
    rounds watched{ring{3}, make, {}, counts_sends{}};
    rounds closely{ring{3}, make, {}, counts_all{}};
    plain.start_all();
    watched.start_all();
    closely.start_all();
    const report r = plain.run();
    CHECK(watched.run().messages == r.messages);
    CHECK(closely.run().messages == r.messages);
    CHECK(watched.watcher().sends == r.messages);
    CHECK(closely.watcher().handles > r.messages);   // every message, starts, timers
    CHECK(closely.watcher().effects > r.messages + r.outcomes);
}

TEST_CASE("observer: hears of every crash and restart, by plan, by hand and by chance") {
    const auto make = [](node) { return subjects::gossip{}; };
    events net{ring{3}, make,
               {.faults = fault_plan{}.crash(1, 5).crash(1, 6).restart(1, 9).restart(2, 10)},
               obituaries{}};
    net.run_for(20);
    net.crash(0);
    net.crash(0);   // the dead do not die again
    net.restart(0);
    net.crash(1);
    net.restart(1);
    CHECK(net.watcher().log == " 5-1 9+1/1 9!1 20-0 20+0/1 20!0 20-1 20+1/2 20!1");

    events struck{ring{2}, make,
                  {.delay = unit{},
                   .faults = fault_plan{}.crashes({.probability = 1, .downtime_max = 1})},
                  obituaries{}};
    struck.start(0);
    struck.run_for(2);
    CHECK(struck.watcher().log == " 1-1 2+1/1 2!1");
}

TEST_CASE("observer: hears who is absent before anybody starts, who arrives, and of who leaves") {
    const auto make = [](node) { return subjects::gossip{}; };
    events net{ring{3}, make,
               {.faults = fault_plan{}.absent(1, 5).leave(1, 9).absent(2).crash(0, 3).leave(0, 4)},
               obituaries{}};
    CHECK(net.watcher().log == " 0?1 0?2");
    net.run_for(20);
    net.arrive(2);
    CHECK(net.watcher().log == " 0?1 0?2 3-0 5=1 9-1 20=2");
}
