// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/exclusion/fence.hpp>
#include <caucus/exclusion/properties.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/fencing.hpp>
#include <caucus/run/referee.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/run/swarm.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

// What every exclusion must do, on a topology that suits it. `make` makes the process of a node.

namespace support {

template <class Make>
using lock_of = std::invoke_result_t<const Make&, caucus::node>;
template <class P>
using fence_type_of = std::remove_cvref_t<decltype(std::declval<const P&>().fence())>;

/// Every node an application with such a load.
template <class Make, class Load = caucus::sections>
constexpr auto clients(Make make, Load load = {}) {
    return [=](caucus::node v) { return caucus::client{make(v), load}; };
}

// Requests out of turn

/// What node v answers, before, while and after it is inside; the others want nothing. `sim` may
/// be rounds or events, whose `run` must end or be bounded by `settle(sim)`.
template <class Sim>
constexpr bool answers_out_of_turn(Sim& sim, std::size_t v, auto settle) {
    using namespace caucus;
    bool right = sim.call(v, request::leave{}) == answer::not_inside;
    right = right && sim.call(v, request::cancel{}) == answer::not_waiting;
    right = right && sim.call(v, request::enter{}) == answer::accepted;
    const answer again = sim.call(v, request::enter{});
    right = right && again == (sim[v].holds() ? answer::already_inside : answer::already_waiting);
    settle(sim);
    right = right && sim[v].holds() && !sim[v].waits();
    right = right && sim.call(v, request::enter{}) == answer::already_inside;
    right = right && sim.call(v, request::cancel{}) == answer::not_waiting;
    right = right && sim.call(v, request::leave{}) == answer::accepted;
    right = right && !sim[v].holds() && sim.call(v, request::leave{}) == answer::not_inside;
    settle(sim);
    return right && !sim[v].holds() && !sim[v].waits();
}
inline constexpr auto until_quiet = [](auto& sim) { static_cast<void>(sim.run()); };

/// Node v dies inside, and comes back with nothing. It may not ask again; and node u, whose wish
/// it hears, does not enter by its word: v alone knew which fence it had last.
template <class Sim>
bool stays_out_and_silent(Sim& sim, std::size_t v, std::size_t u) {
    using namespace caucus;
    bool right = sim.call(v, request::enter{}) == answer::accepted;
    sim.run();
    right = right && sim[v].holds();
    sim.crash(v);
    sim.restart(v);
    right = right && sim.call(v, request::enter{}) == answer::not_a_member;
    right = right && sim.call(u, request::enter{}) == answer::accepted;
    sim.run();
    return right && !sim[v].holds() && !sim[v].waits() && sim[u].waits();
}

// Every schedule

/// Everybody has asked as often as it was to, has been let in each time, and has left.
struct all_served {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && !(g[v].is_through() && !g[v].waits() && !g[v].holds())) return false;
        return true;
    }
};

/// Of clients on n nodes: exclusion always, everyone who asks enters, two may want it at once.
template <class P>
std::vector<caucus::property<P>> promises(std::size_t n) {
    std::vector<caucus::property<P>> list{caucus::always(caucus::at_most_one_inside),
                                         caucus::sometimes(caucus::someone_is_inside),
                                         caucus::finally(all_served{})};
    if (n > 1) list.push_back(caucus::sometimes(caucus::several_wait));
    return list;
}

inline void check_verified(const caucus::verdict& v) {
    CAPTURE(v.counterexample.text());
    CHECK(v.verified());
}

/// Every schedule of clients with that load, timers at any time; the options may say what else.
template <class Topology, class Make, class Load>
caucus::verdict explored(const Topology& t, const Make& make, const Load& load,
                         caucus::explore_options<caucus::client<lock_of<Make>, Load>> how = {}) {
    how.properties = promises<caucus::client<lock_of<Make>, Load>>(t.nodes());
    how.timers = caucus::timers::any_time;
    return caucus::explore(t, clients(make, load), how);
}
inline void check_counts(const caucus::verdict& v, std::uint64_t states,
                         std::uint64_t transitions) {
    CHECK(v.states == states);
    CHECK(v.transitions == transitions);
}

/// Asks, thinks better of it at any time (too late, perhaps), asks again and leaves.
inline auto fickle() {
    using namespace caucus;
    return script{in_order(request::enter{}, request::cancel{}, request::enter{},
                           request::leave{}),
                  {.retries = 0}};
}

// Many runs

/// What delays a run has.
inline caucus::events_options drawn_delays(std::uint64_t seed, bool fifo) {
    const caucus::delay_model tempers[] = {
        caucus::unit{}, caucus::uniform{1, 10}, caucus::exponential{8},
        caucus::heavy_tailed{1, 200}};
    return {.seed = seed, .delay = tempers[seed % 4], .fifo = fifo};
}

template <class P>
auto watch() {
    return caucus::together{caucus::exclusive{}, caucus::rising_fences<fence_type_of<P>>{}};
}

/// Runs of all tempers, `entries` each: nobody meets another inside, fences rise, all are served.
/// Repeated messages and, unless `fifo`, overtaking ones are part of every second run.
template <class Topology, class Make>
void check_runs(const Topology& t, const Make& make, std::uint8_t entries, std::uint64_t runs,
                bool fifo, bool doubled) {
    std::size_t served = 0;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        CAPTURE(seed);
        caucus::events_options how = drawn_delays(seed, fifo);
        if (seed % 2 == 0)
            how.faults.links({.duplication = doubled ? 0.3 : 0.0, .reordering = fifo ? 0.0 : 0.3,
                              .late_max = 50});
        caucus::events net{t,
                           clients(make, caucus::sections{.entries = entries,
                                                          .thinking = 1 + seed % 20,
                                                          .staying = 1 + seed % 7}),
                           how, watch<lock_of<Make>>()};
        net.start_all();
        const caucus::report r = net.run();
        REQUIRE(r.stopped == caucus::stop::quiescent);
        REQUIRE(net.watcher().holds());
        served += net.watcher().template get<0>().entries();
        REQUIRE(all_served{}(net));
    }
    CHECK(served == runs * t.nodes() * entries);
}

/// Of swarm's storms without crashes: what over `reliable` breaks the rule, or is not served in the
/// end. Loss, duplication, reordering, cuts, partitions, pauses, drift.
template <class Topology, class Make>
std::uint64_t unserved_in_storms(const Topology& t, const Make& make, std::uint64_t runs,
                                 std::uint64_t first = 1) {
    const auto over_reliable = [&](caucus::node v) {
        return caucus::client{caucus::reliable{make(v), {.resend_after = 100}},
                              caucus::sections{.entries = 6, .thinking = 900, .staying = 150}};
    };
    const caucus::swarm storms{.survivors_min = t.nodes(), .crashes_max = 0};
    std::uint64_t bad = 0;
    for (std::uint64_t seed = first; seed < first + runs; ++seed) {
        caucus::events net{t, over_reliable, storms.draw(seed, t), watch<lock_of<Make>>()};
        net.start_all();
        net.run_for(storms.heals_at + 200'000);
        const bool right = net.watcher().holds() && all_served{}(net);
        if (!right) MESSAGE("seed ", seed, net.watcher().holds() ? ": not served" : ": unsafe");
        bad += !right;
    }
    return bad;
}

// Cost

/// Messages of one entry of node v, and leaving, when nobody else wants anything.
template <class Sim>
constexpr std::uint64_t cost_alone(Sim& sim, std::size_t v) {
    const std::uint64_t before = sim.run().messages;
    static_cast<void>(sim.call(v, caucus::request::enter{}));
    sim.run();
    static_cast<void>(sim.call(v, caucus::request::leave{}));
    return sim.run().messages - before;
}

/// Messages and entries of a run in which all always want to enter.
struct saturated_cost {
    std::uint64_t messages = 0;
    std::uint64_t entries = 0;
    double per_entry() const {
        return static_cast<double>(messages) / static_cast<double>(entries);
    }
};
template <class Topology, class Make>
saturated_cost saturated(const Topology& t, const Make& make, std::uint8_t entries,
                         std::uint64_t seed = 1, bool fifo = true) {
    caucus::events net{t, clients(make, caucus::sections{.entries = entries}),
                       {.seed = seed, .delay = caucus::uniform{1, 10}, .fifo = fifo},
                       watch<lock_of<Make>>()};   // the type of check_runs
    net.start_all();
    const caucus::report r = net.run();
    return {r.messages, net.watcher().template get<0>().entries()};
}

}  // namespace support
