// SPDX-License-Identifier: MIT
// How long is a network without a leader? The leader is killed at 200 moments; measured is when all
// survivors know the next one, against the floor: the last beat's silence, and one election.
#include <caucus/election/complete/bully.hpp>
#include <caucus/election/complete/invitation.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/layer/repaired_ring.hpp>
#include <caucus/layer/stamped.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>

#include <cstdio>
#include <vector>

constexpr std::size_t n = 5;
constexpr caucus::ticks delay = 10;   // ms, each message
const std::vector ids{10, 20, 30, 40, 50};

/// From the crash to agreement among the survivors.
caucus::ticks outage(auto make, caucus::ticks crash_at) {
    caucus::events net{caucus::complete{n}, make, {.delay = caucus::uniform{delay, delay}}};
    net.start_all();
    net.run_for(crash_at);
    std::size_t leader = 0;
    while (!net[leader].is_leader()) ++leader;
    net.crash(leader);
    const auto agreed = [&] {
        for (std::size_t v = 0; v < n; ++v) {
            const auto known = net[v == leader ? (v + 1) % n : v].leader();
            if (!known || *known == ids[leader]) return false;
            if (known != net[(leader + 1) % n].leader()) return false;
        }
        return true;
    };
    static_cast<void>(net.run_until(agreed, {.max_rounds = net.now() + 100'000}));
    return net.now() - crash_at;
}

void row(const char* name, auto make, caucus::ticks beat, caucus::ticks timeout,
         caucus::ticks floor) {
    caucus::ticks least = caucus::never, most = 0, sum = 0;
    for (caucus::ticks at = 5000; at < 5200; ++at) {
        const caucus::ticks out = outage(make, at);
        least = out < least ? out : least;
        most = out > most ? out : most;
        sum += out;
    }
    const auto ms = [](caucus::ticks t) { return static_cast<unsigned>(t); };
    std::printf("%-32s %5u %8u %6u %6u %6u %6u\n", name, ms(beat), ms(timeout),
                ms(floor), ms(least), ms(sum / 200), ms(most));
}

int main() {
    std::printf("ms, delays of 10%16s %5s %8s %6s %6s %6s %6s\n", "", "beat", "timeout", "floor",
                "least", "mean", "most");
    for (const caucus::ticks beat : {20u, 50u, 100u}) {
        const caucus::ticks timeout = 3 * beat;
        const caucus::supervised_options how{.beat = beat, .timeout = timeout};
        const caucus::ticks silence = timeout - beat + delay;   // if it died just before a beat
        const auto peers = [](caucus::node v) {
            return caucus::peer_ids(caucus::complete{n}, v, ids);
        };
        row("supervised<bully>", [&](caucus::node v) {
            return caucus::supervised{caucus::bully{ids[v], peers(v), {.delay_max = delay}}, how};
        }, beat, timeout, silence + 3 * delay);   // the dead one is asked; then all are told
        row("supervised<chang_roberts, ring>", [&](caucus::node v) {
            return caucus::supervised{caucus::repaired_ring{caucus::chang_roberts{ids[v]}}, how};
        }, beat, timeout, silence + n * delay);   // once round the four; then all are told
        row("supervised<extinction>", [&](caucus::node v) {
            return caucus::supervised{caucus::extinction{ids[v]}, how};
        }, beat, timeout, silence + 4 * delay);   // there, across, back; then all are told
        row("stamped<invitation>", [&](caucus::node v) {
            return caucus::stamped{
                caucus::invitation{ids[v], peers(v), {.delay_max = delay, .check_period = beat}},
                how};
        // No answer to its own question; a look around, giving way to the dead, and a merger.
        }, beat, 2 * delay, delay + beat + 2 * delay + 10 * delay + 4 * delay);
    }
}

/* Output:
ms, delays of 10                  beat  timeout  floor  least   mean   most
supervised<bully>                   20       60     80     81     90    100
supervised<chang_roberts, ring>     20       60    100    101    110    120
supervised<extinction>              20       60     90     91    100    110
stamped<invitation>                 20       20    190    191    210    230
supervised<bully>                   50      150    140    141    165    190
supervised<chang_roberts, ring>     50      150    160    161    185    210
supervised<extinction>              50      150    150    151    175    200
stamped<invitation>                 50       20    220    221    256    290
supervised<bully>                  100      300    240    241    290    340
supervised<chang_roberts, ring>    100      300    260    261    310    360
supervised<extinction>             100      300    250    251    300    350
stamped<invitation>                100       20    270    271    324    390
*/
