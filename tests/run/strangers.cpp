// SPDX-License-Identifier: MIT
// What somebody else's process may do in a simulation, and what becomes of it.
#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

#include <string>
#include <variant>

using namespace caucus;

namespace {

/// Never sends anything, and never stops.
struct insomniac {
    struct bell {};
    using message = nothing;
    using timer = bell;
    using outcome = nothing;
    int rung = 0;
    constexpr void start(auto& env) { env.arm(bell{}, 1); }
    constexpr void on(bell, auto& env) {
        ++rung;
        env.arm(bell{}, 1);
    }
};

/// Sends what only becomes a message when it is sent.
struct loose {
    using message = std::variant<std::string, int>;
    using timer = nothing;
    using outcome = nothing;
    std::string heard = {};
    void start(auto& env) {
        env.send(next, "hi");
        env.send(next, 'x');
        env.broadcast("ho");
    }
    void on(const std::string& s, port, auto&) { heard += s; }
    void on(int i, port, auto&) { heard += std::to_string(i); }
};

namespace upper {
struct ping {};
}  // namespace upper
namespace lower {
struct ping {};
}  // namespace lower
/// Two kinds of message that go by one name.
struct namesakes {
    using message = std::variant<upper::ping, lower::ping>;
    using timer = nothing;
    using outcome = nothing;
    int heard = 0;
    void start(auto& env) {
        env.send(next, upper::ping{});
        env.send(next, lower::ping{});
        env.send(next, lower::ping{});
    }
    void on(upper::ping, port, auto&) { ++heard; }
    void on(lower::ping, port, auto&) { ++heard; }
};

}  // namespace

TEST_CASE("run: a livelock of timers alone ends at its limit, on rounds and on events") {
    rounds sim{ring{1}, [](node) { return insomniac{}; }};
    sim.start(0);
    CHECK(sim.run({.max_busy_ticks = 1000}).stopped == stop::limit);
    CHECK(sim[0].rung == 1000);
    events net{ring{1}, [](node) { return insomniac{}; }};
    net.start(0);
    CHECK(net.run({.max_busy_ticks = 1000}).stopped == stop::limit);
    CHECK(net[0].rung == 1000);
    CHECK(net.run_for(5).stopped == stop::limit);   // bounded by time alone
    CHECK(net[0].rung == 1005);
}

TEST_CASE("run_for: for ever on a silent network leaves the clock where it is") {
    rounds sim{ring{2}, [](node v) { return chang_roberts{static_cast<int>(v.index)}; }};
    sim.start_all();
    CHECK(sim.run_for(never).stopped == stop::quiescent);
    CHECK(sim.now() == 4);
}

TEST_CASE("send: whatever converts to a message is one, and counts as the kind that it became") {
    rounds sim{ring{1}, [](node) { return loose{}; }};
    sim.start(0);
    CHECK(sim.run().messages == 3);
    CHECK(sim[0].heard == "hi120ho");
}

TEST_CASE("report: kinds that share a name are counted together under it") {
    rounds sim{ring{1}, [](node) { return namesakes{}; }};
    sim.start(0);
    CHECK(sim.run().by_kind("ping") == 3);
}

TEST_CASE("report: a start by request is an initiator, and a node is one once") {
    const auto make = [](node v) { return chang_roberts{static_cast<int>(v.index)}; };
    events net{ring{2}, make};
    CHECK(net.call(0, request::start{}) == answer::accepted);
    net.start(1);
    CHECK(net.run().size.initiators == 2);
    net.crash(1);
    net.restart(1);
    net.start(1);
    CHECK(net.run().size.initiators == 2);
}

TEST_CASE("events: a process whose preference captures something can be restarted") {
    int better = 1;
    const auto prefer = [&better](int a, int b) { return better * a > better * b; };
    events net{ring{2}, [&](node v) { return chang_roberts{static_cast<int>(v.index), prefer}; }};
    net.crash(1);
    net.restart(1);
    net.start_all();
    net.run();
    CHECK(net[0].leader() == 1);
}
