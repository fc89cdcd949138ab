// SPDX-License-Identifier: MIT
#include <caucus/run/swarm.hpp>

#include "../laws/topology.hpp"

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <set>

using namespace caucus;

namespace {

using kind = fault_plan::kind;

/// Sends ten numbers, one every 20 ticks, and believes that they arrive in that order.
struct hasty {
    using message = int;
    struct due {};
    using timer = due;
    using outcome = nothing;

    int sent = 0;
    int last = 0;
    bool fooled = false;

    void start(auto& env) { on(due{}, env); }
    void on(due, auto& env) {
        env.send(port{0}, ++sent);
        if (sent < 10) env.arm(due{}, 20);
    }
    void on(int number, port, auto&) {
        fooled = fooled || number < last;
        last = number;
    }
};

std::size_t count(const fault_plan& plan, kind what) {
    std::size_t found = 0;
    for (const fault_plan::fault& f : plan.faults()) found += f.what == what;
    return found;
}

}  // namespace

TEST_CASE("swarm: every kind of fault is in many plans, and missing from many") {
    std::size_t with[12] = {};
    std::size_t lossy = 0, doubling = 0, mixing = 0, slow = 0, drifting = 0, fifo = 0;
    constexpr std::size_t plans = 1000;
    for (std::uint64_t seed = 1; seed <= plans; ++seed) {
        const events_options drawn = swarm{}.draw(seed, complete{5});
        for (std::size_t k = 0; k < 12; ++k)
            with[k] += count(drawn.faults, static_cast<kind>(k)) != 0;
        lossy += drawn.faults.everywhere()->loss > 0;
        doubling += drawn.faults.everywhere()->duplication > 0;
        mixing += drawn.faults.everywhere()->reordering > 0;
        slow += drawn.faults.everywhere()->delay.has_value();
        drifting += !drawn.faults.clocks().empty();
        fifo += drawn.fifo;
    }
    for (std::size_t k = 0; k < 11; ++k) {
        CAPTURE(k);
        CHECK(with[k] > plans / 10);
        CHECK(with[k] < plans * 9 / 10);
    }
    CHECK(with[static_cast<std::size_t>(kind::heal)] == plans);
    for (const std::size_t n : {lossy, doubling, mixing, slow, drifting, fifo}) {
        CHECK(n > plans * 4 / 10);
        CHECK(n < plans * 6 / 10);
    }
}

TEST_CASE("swarm: all is over when it heals, and enough nodes are alive then") {
    const swarm cautious{.heals_at = 500, .survivors_min = 3, .crashes_max = 9, .amnesia = false};
    std::size_t fewest = 5;
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        const fault_plan plan = cautious.draw(seed, complete{5}).faults;
        CHECK(count(plan, kind::amnesia) == 0);
        std::set<std::size_t> dead;
        for (const fault_plan::fault& f : plan.faults()) {
            CHECK(f.at <= 500);
            if (f.what == kind::crash) dead.insert(f.node);
            if (f.what == kind::restart) dead.erase(f.node);
        }
        CHECK(5 - dead.size() >= 3);
        fewest = fewest < 5 - dead.size() ? fewest : 5 - dead.size();
    }
    CHECK(fewest == 3);
}

TEST_CASE("swarm: a seed is a run; another seed is another") {
    const auto messages = [](std::uint64_t seed) {
        const ring t{6};
        events net{t, [](node v) { return chang_roberts{static_cast<int>(v.index)}; },
                   swarm{.heals_at = 20}.draw(seed, t)};
        net.start_all();
        const report r = net.run();
        CHECK(r.seed == seed);
        return r.messages * 1000 + r.lost * 10 + r.doubled;
    };
    std::set<std::uint64_t> different;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        CHECK(messages(seed) == messages(seed));
        different.insert(messages(seed));
    }
    CHECK(different.size() > 15);
}

TEST_CASE("swarm: heavy tails find a mistake about order that uniform jitter never finds") {
    const auto found = [](delay_model delay) {
        std::size_t seeds = 0;
        for (std::uint64_t seed = 1; seed <= 500; ++seed) {
            events net{path{2}, [](node) { return hasty{}; },
                       {.seed = seed, .delay = delay, .fifo = false}};
            net.start(0);
            static_cast<void>(net.run());
            seeds += net[1].fooled;
        }
        return seeds;
    };
    CHECK(found(uniform{1, 20}) == 0);
    CHECK(found(heavy_tailed{1, 20}) == 0);    // the same bound, so the same
    CHECK(found(heavy_tailed{1, 200}) > 50);
}

TEST_CASE("swarm: no time to heal is refused") {
    CHECK(laws::refusal([] { swarm{.heals_at = 1}.draw(1, ring{3}); }) ==
          "swarm: heals_at and delay_max must exceed 1");
}
