// SPDX-License-Identifier: MIT
// Do all copies stay equal? Every member has one, and adds what comes, in the order in which it
// comes to all. Links lose every twentieth message; the first member, which gives the others their
// order, is killed while it sends; a newcomer is told the state and goes on from there.
#include <caucus/detector/heartbeat.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/multicast/total_order.hpp>
#include <caucus/multicast/views.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>

#include "support/counter_replica.hpp"

#include <array>
#include <cstdio>
#include <vector>

namespace request = caucus::request;
using sending = request::broadcast<change>;

constexpr int ids[] = {1, 2, 3, 4, 5};
constexpr int founders[] = {1, 2, 3, 4};

/// The copies, each of which hears what its node reports.
struct copies : caucus::observer {
    std::vector<counter_replica<int>> of;

    copies() {
        for (const int id : ids) of.emplace_back(id, id != 5);
    }
    void reported(caucus::ticks, caucus::node v, const auto& outcome) { of[v].hear(outcome); }
};

int main() {
    const caucus::complete all{5};
    const auto make = [&](caucus::node v) {
        const caucus::views<change, int, caucus::majority> group{
            ids[v], caucus::peer_ids(all, v, ids), founders};
        return caucus::heartbeat{caucus::reliable{caucus::total_order{group}}};
    };
    const auto plan = caucus::fault_plan{}.links({.loss = 0.05});
    caucus::events net{all, make, {.seed = 8, .delay = caucus::uniform{1, 20}, .faults = plan},
                       copies{}};
    auto& copy = net.watcher().of;
    net.start_all();
    int sum = 0, refused = 0;
    for (int i = 1; i <= 1000; ++i) {
        net.run_for(10);
        if (i == 400) net.crash(0).after_sends(2);
        if (i == 700) static_cast<void>(net.call(4, request::join{}));
        for (std::size_t v = 0; v < 5; ++v)
            if (const auto s = copy[v].to_tell();
                s && net.call(v, sending{*s}) == caucus::answer::accepted)
                copy[v].told();
        const std::size_t v = static_cast<std::size_t>(i) % 5;
        if (net.call(v, sending{add{i}}) == caucus::answer::accepted) sum += i;
        else ++refused;
        if (i % 100 != 0) continue;
        std::printf("%4d:", i);
        for (std::size_t u = 0; u < 5; ++u)
            if (net.alive(u) && copy[u].total()) std::printf(" %7d", *copy[u].total());
            else std::printf("       -");
        std::printf("\n");
    }
    net.run_for(5000);
    std::printf(" end:");
    for (std::size_t u = 1; u < 5; ++u) std::printf(" %7d", copy[u].total().value_or(-1));
    std::printf("\naccepted %d in all; %d were refused\n", sum, refused);
}

/* Output:
 100:    4020    3920    3822    3822       -
 200:   16040   15642   15642   15445       -
 300:   36060   35760   35760   35760       -
 400:       -   63680   63680   63282       -
 500:       -   90137   90137   90137       -
 600:       -  123107  121912  122509       -
 700:       -  162077  161379  161379       -
 800:       -  217120  214726  217120  217120
 900:       -  285120  279743  283323  283323
1000:       -  360121  359123  360121  359123
 end:  361120  361120  361120  361120
accepted 361120 in all; 269 were refused
*/
