// SPDX-License-Identifier: MIT
#include <caucus/exclusion/lamport.hpp>

#include <caucus/layer/candid.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <support/exclusion_suite.hpp>
#include <support/wild.hpp>

#include <archetypes.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <variant>

// Lamport's exclusion: many runs, cost, crashes, and what comes from strangers.

using namespace caucus;
using namespace support;

namespace {

using by_stamp = lamport<int>;
constexpr auto locks = [](node v) { return lamport{static_cast<int>(v.index)}; };

}  // namespace

TEST_CASE("lamport: one inside, fences rise, all served, any delays, duplicates, n = 2 to 6") {
    for (std::size_t n = 2; n <= 6; ++n) check_runs(complete{n}, locks, 4, 60, true, true);
}

TEST_CASE("lamport: over reliable, whatever storms do to its messages") {
    CHECK(unserved_in_storms(complete{4}, locks, 500) == 0);
}

TEST_CASE("nightly: lamport: over reliable, whatever storms do, 100,000 runs" * doctest::skip()) {
    CHECK(unserved_in_storms(complete{4}, locks, 100'000) == 0);
}

TEST_CASE("lamport: fences count the entries of all nodes") {
    events net{complete{5}, clients(locks, sections{.entries = 3}), {.seed = 4}, watch<by_stamp>()};
    net.start_all();
    CHECK(net.run().stopped == stop::quiescent);
    CHECK(net.watcher().holds());
    std::uint64_t newest = 0;
    for (std::size_t v = 0; v < 5; ++v) newest = std::max(newest, net[v].fence().count);
    CHECK(newest == 15);
}

// Cost

TEST_CASE("lamport: 3(n-1) messages an entry, alone and saturated, n = 1, 2, 3, 5, 10") {
    for (const std::size_t n : {1u, 2u, 3u, 5u, 10u}) {
        CAPTURE(n);
        const cost proven = by_stamp::per_entry(n);
        CHECK(proven.least == 3 * (n - 1));
        events net{complete{n}, locks};
        for (std::size_t v = 0; v < n; ++v) CHECK(cost_alone(net, v) == proven.most);
        const saturated_cost busy = saturated(complete{n}, locks, 20);
        CHECK(busy.entries == 20 * n);
        CHECK(busy.messages == by_stamp::messages({.nodes = n, .initiators = 20 * n}).most);
        CHECK(busy.messages == proven.least * busy.entries);
    }
    CHECK(by_stamp::per_entry(0).most == 0);
}

TEST_CASE("lamport: the next enters one delay after the last has left, the first after two") {
    events net{complete{4}, locks, {.delay = uniform{10, 10}}};
    CHECK(net.call(0, request::enter{}) == answer::accepted);
    CHECK(net.call(1, request::enter{}) == answer::accepted);
    net.run_for(19);
    CHECK_FALSE(net[0].holds());
    net.run_for(1);
    CHECK(net[0].holds());
    CHECK(net.call(0, request::leave{}) == answer::accepted);
    net.run_for(9);
    CHECK_FALSE(net[1].holds());
    net.run_for(1);
    CHECK(net[1].holds());
}

TEST_CASE("lamport: a wish that is cancelled costs as much as an entry, and blocks nobody") {
    events net{complete{4}, locks};
    CHECK(net.call(2, request::enter{}) == answer::accepted);
    CHECK(net.call(1, request::enter{}) == answer::accepted);
    CHECK(net.call(1, request::cancel{}) == answer::accepted);
    CHECK(net.call(1, request::cancel{}) == answer::not_waiting);
    CHECK(net.run().messages == 9 + 6);
    CHECK(net[2].holds());
    CHECK_FALSE(net[1].waits());
}

// Outside the model

TEST_CASE("lamport: a crash at any time lets in nobody else, and who is stopped says so, n = 2") {
    const auto make = [](node v) { return client{candid{locks(v)}, {.entries = 1}}; };
    using clients = decltype(make(node{0}));
    const auto served_or_stalled = [](const auto& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && g[v].process().is_stalled()) return true;
        return all_served{}(g);
    };
    const auto stalled = [](const auto& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && g[v].process().is_stalled() && g[v].waits()) return true;
        return false;
    };
    const explore_options<clients> how{.properties = {always(at_most_one_inside),
                                                      sometimes(stalled),
                                                      finally(served_or_stalled)},
                                       .faults = {.crashes = 1},
                                       .detector = perfect{},
                                       .timers = timers::any_time};
    check_verified(explore(complete{2}, make, how));
}

TEST_CASE("lamport: who waits for the dead says so at once, when it hears of that") {
    events net{complete{3}, [](node v) { return candid{locks(v)}; }, {.detector = perfect{5}}};
    net.crash(2);
    CHECK(net.call(0, request::enter{}) == answer::accepted);
    net.run();
    CHECK(net[0].waits());
    CHECK(net[0].is_stalled());
    CHECK(net[0].awaits(port{1}));
    CHECK_FALSE(net[0].awaits(port{0}));
    CHECK_FALSE(net[1].is_stalled());
    CHECK(net.now() < 10);
}

TEST_CASE("lamport: whoever comes back with nothing stays out, and acknowledges nothing") {
    events net{complete{3}, locks};
    CHECK(stays_out_and_silent(net, 0, 1));
    CHECK(net[1].awaits(port{1}));
    CHECK_FALSE(net[1].awaits(port{0}));
}

TEST_CASE("lamport: an acknowledgement of one that is back would pass over its lost wish") {
    const fault_plan lossy = fault_plan{}.cut(0, 1, 22, 60);
    events net{complete{2}, locks,
               {.delay = uniform{10, 10}, .faults = lossy, .outside_model = true}};
    CHECK(net.call(1, request::enter{}) == answer::accepted);
    net.run_for(25);
    REQUIRE(net[1].holds());
    CHECK(net.call(0, request::enter{}) == answer::accepted);   // node 1 never hears of it
    net.run_for(1);
    CHECK(net.call(1, request::leave{}) == answer::accepted);
    net.run_for(20);
    REQUIRE(net[0].holds());
    CHECK(net[0].fence().count == 2);
    net.crash(0);
    net.restart(0);
    net.run_for(20);
    CHECK(net.call(1, request::enter{}) == answer::accepted);
    net.run();
    CHECK(net[1].waits());   // else it would be inside with the same fence
}

TEST_CASE("lamport: strangers' messages do no harm to the program") {
    disturb(60, wild_networks, [](std::size_t, int id, const auto&) {
        return client{lamport{id}, {.entries = 2}};
    });
}

TEST_CASE("lamport: copies, and messages from where nobody is, meet a guard") {
    lamport p{5};
    archetype::environment<by_stamp> env;
    env.ports = 1;
    p.on(by_stamp::wish{{3, 1}}, port{1}, env);
    CHECK(env.outbox.empty());
    p.on(by_stamp::wish{{3, 1}}, port{0}, env);
    CHECK(env.outbox.size() == 1);
    p.on(by_stamp::released{{5, 1}, 4}, port{0}, env);
    p.on(by_stamp::wish{{3, 1}}, port{0}, env);      // a copy: else it would wait for ever
    CHECK(env.outbox.size() == 1);
    CHECK_FALSE(p.awaits(port{0}));
    CHECK(p.request(env) == answer::accepted);
    p.on(by_stamp::acknowledgement{{5, 1}}, port{0}, env);
    CHECK(p.waits());
    p.on(by_stamp::wish{{9, 1}}, port{0}, env);
    CHECK(p.holds());
    p.on(by_stamp::released{{5, 1}, 9}, port{0}, env);   // of the last time
    CHECK(p.release(env) == answer::accepted);
    CHECK(p.request(env) == answer::accepted);
    CHECK(p.awaits(port{0}));
    p.on(by_stamp::acknowledgement{{20, 1}}, port{0}, env);
    CHECK(p.waits());
    p.on(by_stamp::released{{21, 1}, 5}, port{0}, env);
    CHECK(p.holds());
    CHECK(p.fence().count == 6);
}

TEST_CASE("lamport: in place, too, it has no more neighbours than ports") {
    using roomy = lamport<int, inplace_storage<4>>;
    roomy p{5};
    archetype::environment<roomy> env;
    env.ports = 1;
    p.on(roomy::wish{{3, 1}}, port{1}, env);
    CHECK(env.outbox.empty());
    p.on(roomy::wish{{3, 1}}, port{0}, env);
    CHECK(env.outbox.size() == 1);
}

TEST_CASE("lamport: with more neighbours than it has room for it stays out, and says so") {
    using small = lamport<int, inplace_storage<2>>;
    archetype::environment<small> env;
    env.ports = 3;
    small p{1};
    CHECK(p.request(env) == answer::no_room);
    CHECK_FALSE(p.waits());
    p.on(small::wish{{1, 2}}, port{0}, env);
    CHECK(env.outbox.empty());
    REQUIRE(env.heard.size() == 2);
    CHECK(std::get<overflow>(env.heard[0]).needed == 3);
}
