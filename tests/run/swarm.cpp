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

/// Says something every five ticks, in every life.
struct chatty {
    using message = int;
    struct due {};
    using timer = due;
    using outcome = nothing;

    void start(auto& env) { on(due{}, env); }
    void on(due, auto& env) {
        env.broadcast(1);
        env.arm(due{}, 5);
    }
    void on(const recovered<>&, auto& env) { start(env); }
    void on(int, port, auto&) {}
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

TEST_CASE("swarm: two storms, and a calm in which nothing goes wrong and nobody comes or goes") {
    const swarm stormy{.heals_at = 1000, .delay_max = 20, .survivors_min = 3, .crashes_max = 9};
    CHECK(stormy.calm_begins() == 375);
    CHECK(stormy.calm_ends() == 625);
    const swarm short_calm{.heals_at = 1000, .calm = 100};
    CHECK(short_calm.calm_begins() == 450);
    CHECK(short_calm.calm_ends() == 550);
    std::size_t first[18] = {}, second[18] = {};   // plans with such a fault in that storm
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const fault_plan plan = stormy.draw(seed, complete{5}).faults;
        bool in_first[18] = {}, in_second[18] = {};
        for (const fault_plan::fault& f : plan.faults()) {
            const bool in_calm = f.at > 375 && f.at < 625;
            CHECK_FALSE(in_calm);
            if (f.what == kind::links || f.what == kind::heal) continue;
            (f.at <= 375 ? in_first : in_second)[static_cast<std::size_t>(f.what)] = true;
        }
        for (std::size_t k = 0; k < 18; ++k) {
            first[k] += in_first[k];
            second[k] += in_second[k];
        }
    }
    for (std::size_t k = 0; k < static_cast<std::size_t>(kind::heal); ++k) {
        CAPTURE(k);
        CHECK(first[k] > 20);
        CHECK(second[k] > 20);
    }
    // And so it happens: nothing is lost in the calm once what was under way has come.
    std::size_t restless = 0;   // runs that lose something after the calm
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const complete t{5};
        events_options drawn = stormy.draw(seed, t);
        drawn.fifo = false;
        events net{t, [](node) { return chatty{}; }, drawn};
        const auto alive = [&] {
            std::size_t count = 0;
            for (std::size_t v = 0; v < 5; ++v) count += net.alive(v) && !net.paused(v);
            return count;
        };
        net.start_all();
        net.run_for(375);
        const std::size_t alive_then = alive();
        CHECK(alive_then >= 3);
        net.run_for(200);                          // late_max: what was sent in the storm
        const report before = net.run_for(0);
        net.run_for(49);
        const report after_calm = net.run_for(0);
        CHECK(alive() == alive_then);
        CHECK(after_calm.messages > before.messages);
        CHECK(after_calm.doubled == before.doubled);
        if (alive_then == 5) CHECK(after_calm.lost == before.lost);
        net.run_for(1000 - 624);
        const report at_last = net.run_for(0);
        restless += at_last.lost > after_calm.lost || at_last.doubled > after_calm.doubled;
        CHECK(alive() >= 3);
    }
    CHECK(restless > 60);
}

TEST_CASE("swarm: nodes come late and leave, in both storms, and enough are there in every calm") {
    const swarm restless{.heals_at = 1000, .survivors_min = 3, .crashes_max = 9,
                         .newcomers_max = 3, .leavers_max = 3};
    constexpr std::size_t plans = 500;
    std::size_t with[2][2] = {};       // newcomers, leavers; in the first storm, in the second
    std::size_t fewest = 5, crashed_too = 0;
    for (std::uint64_t seed = 1; seed <= plans; ++seed) {
        const complete t{5};
        const events_options drawn = restless.draw(seed, t);
        bool in[2][2] = {};
        std::set<std::size_t> moving, struck;
        for (const fault_plan::fault& f : drawn.faults.faults()) {
            if (f.what == kind::crash) struck.insert(f.node);
            if (f.what != kind::arrive && f.what != kind::leave) continue;
            CHECK((f.at <= 375 || f.at > 625));
            in[f.what == kind::leave][f.at > 375] = true;
            moving.insert(f.node);
        }
        for (const std::size_t v : moving) crashed_too += struck.count(v);
        for (std::size_t which : {0u, 1u})
            for (std::size_t storm : {0u, 1u}) with[which][storm] += in[which][storm];
        events net{t, [](node) { return chatty{}; }, drawn};   // which accepts the plan
        net.start_all();
        net.run_for(375);
        const std::size_t there = net.run_for(0).alive;
        CHECK(there >= 3);
        CHECK(net.run_for(249).alive == there);
        const std::size_t at_last = net.run_for(376).alive;
        CHECK(at_last >= 3);
        CHECK(net.run_for(500).alive == at_last);
        fewest = fewest < there ? fewest : there;
    }
    CHECK(fewest == 3);
    CHECK(crashed_too > plans / 20);   // in the storm in which they do not come or go
    for (const auto& kinds : with)
        for (const std::size_t n : kinds) {
            CHECK(n > plans / 10);
            CHECK(n < plans / 2);
        }
    const fault_plan settled = swarm{.heals_at = 1000}.draw(1, complete{5}).faults;
    CHECK(count(settled, kind::absent) + count(settled, kind::leave) == 0);
    // One storm: everybody has come when it is over.
    const swarm brief{.heals_at = 100, .storms = 1, .newcomers_max = 4};
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const fault_plan plan = brief.draw(seed, complete{4}).faults;
        CHECK(count(plan, kind::absent) == count(plan, kind::arrive));
        for (const fault_plan::fault& f : plan.faults()) CHECK(f.at <= 100);
    }
}

TEST_CASE("swarm: in a storm a node crashes once at most, on a small network, too") {
    std::size_t twice = 0;   // in a run of two storms
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const swarm s{.survivors_min = 0, .crashes_max = 6};
        std::size_t crashes[2][2] = {};   // by node and storm
        const events_options drawn = s.draw(seed, complete{2});
        for (const fault_plan::fault& f : drawn.faults.faults())
            if (f.what == fault_plan::kind::crash) ++crashes[f.node][f.at >= s.calm_ends()];
        for (const auto& mine : crashes) {
            CHECK_MESSAGE(mine[0] <= 1, seed);
            CHECK_MESSAGE(mine[1] <= 1, seed);
            twice += mine[0] + mine[1] == 2;
        }
    }
    CHECK(twice > 30);
}

TEST_CASE("swarm: one storm is what it always was") {
    const swarm old{.heals_at = 500, .storms = 1};
    CHECK(old.calm_begins() == 500);
    CHECK(old.calm_ends() == 500);
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const fault_plan plan = old.draw(seed, complete{5}).faults;
        CHECK(count(plan, kind::heal) == 1);
        CHECK(count(plan, kind::links) == 1);
    }
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
    CHECK(laws::refusal([] { swarm{.heals_at = 100, .calm = 97}.draw(1, ring{3}); }) ==
          "swarm: a calm of 97 leaves no time for two storms before 100");
    CHECK(laws::refusal([] { swarm{.heals_at = 100, .calm = 101}.draw(1, ring{3}); }) ==
          "swarm: a calm of 101 leaves no time for two storms before 100");
    CHECK(laws::refusal([] { swarm{.storms = 3}.draw(1, ring{3}); }) ==
          "swarm: 3 storms; there are 1 or 2");
    CHECK(laws::refusal([] { swarm{.drift_max = -1}.draw(1, ring{3}); }) ==
          "swarm: drift_max must be from 0 to 999,999");
    CHECK(laws::refusal([] { swarm{.survivors_min = 4}.draw(1, ring{3}); }) ==
          "swarm: 4 survivors among 3 nodes");
    CHECK(laws::refusal([] { swarm{.delay_max = ticks{1} << 40}.draw(1, ring{3}); }) ==
          "swarm: a delay_max of 1099511627776; need less than 2^40");
}
