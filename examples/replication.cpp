// SPDX-License-Identifier: MIT
// Does a killed primary take what it has acknowledged with it? It acknowledges what a majority has
// stored; the next one first collects the logs of a majority, and whoever has sent it its log
// refuses what is of an older epoch: that is the fence.
#include <caucus/core/random.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>

#include "support/replica.hpp"

#include <algorithm>
#include <cstdio>
#include <set>

constexpr int ids[] = {10, 20, 30, 40, 50};
using stack = caucus::supervised<caucus::bully<int>, caucus::majority>;
using site = replica<stack>;

struct findings {
    std::size_t killed = 0;
    std::size_t acknowledged = 0;
    std::size_t lost = 0;
    std::size_t others = 0;   // written and never acknowledged
    std::size_t others_lost = 0;
};

/// Clients write to whoever serves; two primaries are killed while they send; links are bad.
void observe(std::uint64_t seed, findings& found) {
    const caucus::complete all{5};
    caucus::random_source dice{seed};
    const auto make = [&](caucus::node v) {
        const caucus::bully bully{ids[v], caucus::peer_ids(all, v, ids), {.delay_max = 20}};
        return site{stack{bully, {.beat = 100, .timeout = 350}, {}}};
    };
    const std::size_t one = dice.below(5);
    const auto plan = caucus::fault_plan{}
                          .links({.loss = 0.1, .reordering = 0.2, .late_max = 1000}, 0, 8000)
                          .partition({one, (one + 1) % 5}, 3000, 5000);
    caucus::events net{all, make, {.seed = seed, .faults = plan, .outside_model = true}};
    net.start_all();
    std::set<int> written;
    std::size_t killed = 0;
    for (caucus::ticks now = 0; now < 20'000; now += 20) {
        net.run_for(20);
        for (std::size_t v = 0; v < 5 && now < 8000; ++v) {
            if (!net.alive(v) || !net[v].serves()) continue;
            if (killed < 2 && dice.below(100) == 0) {
                net.crash(v).after_sends(dice.below(4));   // in the midst of this update
                ++killed;
            }
            const int value = static_cast<int>(now + v);
            if (net.call(v, site::write{value}) == caucus::answer::accepted) written.insert(value);
        }
    }
    std::size_t primary = 0;
    while (!net.alive(primary) || !net[primary].serves()) ++primary;
    const site::entries& log = net[primary].log();
    const auto is_there = [&](int value) { return std::count(log.begin(), log.end(), value) == 1; };
    for (const auto& said : net.outcomes()) {
        const auto* sure = std::get_if<site::acknowledged>(&said.outcome);
        if (sure == nullptr) continue;
        ++found.acknowledged;
        found.lost += !is_there(sure->value);
        written.erase(sure->value);
    }
    found.killed += killed;
    found.others += written.size();
    for (const int value : written) found.others_lost += !is_there(value);
}

int main() {
    findings found;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) observe(seed, found);
    std::printf("%zu primaries killed\n%zu updates acknowledged, %zu of them lost\n"
                "%zu others written, %zu of them lost\n", found.killed, found.acknowledged,
                found.lost, found.others, found.others_lost);
}

/* Output:
151 primaries killed
16947 updates acknowledged, 0 of them lost
670 others written, 150 of them lost
*/
