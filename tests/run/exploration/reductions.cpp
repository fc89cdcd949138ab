// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/reductions.hpp>

#include <caucus/election/complete/bully.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/exploration/handlers.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace caucus;
using namespace caucus::exploration;

namespace {

using runner = chang_roberts<int>;
handlers<runner> runners{[](node v) { return runner{static_cast<int>(v.index)}; }};
const property_set nothing_to_check;
const reduction both = reduction::sleep | reduction::ample;

std::string names(const rules& r, reduction wanted, const property_set& p = nothing_to_check) {
    world w{wiring{ring{3}}, r, runners};
    const visited seen{fingerprint::bits64, w.width()};
    return reductions{w, p, seen, wanted}.names();
}

/// A ring of three in which all have started, and its first state's successors.
struct started {
    world w{wiring{ring{3}}, {}, runners};
    visited seen{fingerprint::bits64, w.width()};
    findings to{w.width()};
    job j{0, 0};

    started() {
        w.roots({0, 1, 2}, 0b111, 0,
                [&](const world::state& s, std::uint64_t h, std::uint64_t, const auto&) {
                    to.row = s;
                    j.hash = h;
                    return true;
                });
    }
    const std::vector<successor>& list(reduction wanted, std::uint64_t only = worklist::everything,
                                       std::uint64_t asleep = 0) {
        to.clear();
        to.reduced = false;
        CHECK(reductions{w, nothing_to_check, seen, wanted}.expand(to, j, only, asleep, true));
        return to.found;
    }
};

}  // namespace

TEST_CASE("reductions: those that are wanted and fit, by name") {
    CHECK(names({}, reduction::none) == "");
    CHECK(names({}, reduction::sleep) == "sleep");
    CHECK(names({}, both) == "sleep, ample");
    CHECK(names({}, reduction::rotations) == "rotations");
}

TEST_CASE("reductions: none with faults or detectors; ample needs fifo, and to know what is seen") {
    CHECK(names({.faults = {.losses = 1}}, both) == "");
    CHECK(names({.perfect_detector = true}, both) == "");
    CHECK(names({.fifo = false}, both) == "sleep");
    const value_tables<runner> values;
    const property_set_of<runner> secretive{values, {always([](const auto&) { return true; })}};
    const property_set_of<runner> bounded{values, {}, someone_leads};
    CHECK(names({}, both, bounded) == "ample");
    CHECK(names({}, both, secretive) == "sleep");
}

TEST_CASE("reductions: with timers only sleep sets, and only if timers wait for nobody") {
    const std::vector<int> ids{3, 2, 1};
    handlers<bully<int>> bullies{
        [&](node v) { return bully{ids[v], peer_ids(complete{3}, v, ids)}; }};
    for (const timers when : {timers::after_messages, timers::any_time}) {
        world w{wiring{complete{3}}, {.when = when}, bullies};
        const visited seen{fingerprint::bits64, w.width()};
        const bool free = when == timers::any_time;
        CHECK(reductions{w, nothing_to_check, seen, both}.names() == (free ? "sleep" : ""));
    }
}

TEST_CASE("reductions: what was listed before sleeps in the later successors of the same state") {
    started s;
    CHECK(s.list(reduction::none).size() == 3);
    const std::vector<successor> found = s.list(reduction::sleep);
    REQUIRE(found.size() == 3);
    const sleep_bits bits{s.w};
    CHECK(found[0].sleep == 0);
    CHECK(found[1].sleep == bits.of(found[0].what));
    CHECK(found[2].sleep == (bits.of(found[0].what) | bits.of(found[1].what)));
    CHECK_FALSE(s.to.reduced);
    // What is not to be tried is left out, and the others keep their numbers.
    const std::vector<successor> rest = s.list(reduction::sleep, ~bits.of(found[0].what));
    REQUIRE(rest.size() == 2);
    CHECK(rest[0].ordinal == 1);
    CHECK(rest[0].sleep == 0);
    CHECK(s.to.reduced);
    // An event at its own node wakes what slept.
    CHECK(s.list(reduction::sleep, worklist::everything, bits.of(found[0].what))[0].sleep == 0);
}

TEST_CASE("reductions: an ample set is one delivery, unless its end is known") {
    started s;
    const std::vector<successor> every = s.list(reduction::none);
    CHECK(s.list(reduction::ample).size() == 1);
    CHECK(s.to.reduced);
    for (std::size_t i = 0; i < 3; ++i) {
        world::state row(s.w.width());
        s.list(reduction::none);
        s.to.rows.load(i, row.data());
        s.seen.find_or_add(every[i].hash, row.data());
        const std::vector<successor> found = s.list(reduction::ample);
        CHECK(found.size() == (i == 2 ? 3 : 1));   // all ends are known: all are explored
        if (i < 2) CHECK(found[0].ordinal == i + 1);
    }
}
