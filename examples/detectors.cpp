// SPDX-License-Identifier: MIT
// How soon is a dead neighbour suspected, and how often a live one? Detectors on eight nodes with
// a beat (or probe) every 100 ms, delays of 10 ms on average, and links that lose some messages.
#include <caucus/core/random.hpp>
#include <caucus/detector/heartbeat.hpp>
#include <caucus/detector/phi_accrual.hpp>
#include <caucus/detector/swim.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>

#include <cstdio>

using caucus::ticks;

constexpr std::size_t nodes = 8;
constexpr int runs = 20, periods = 50;
constexpr ticks beat = 100, calm = periods * beat - beat / 2, aftermath = 30 * beat;

/// Counts suspicions and remembers when the last one of each neighbour began.
struct diary {
    using message = caucus::nothing;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;
    int suspicions = 0;
    ticks since[nodes - 1] = {};

    void start(auto&) {}
    void on(caucus::suspect s, auto& env) {
        ++suspicions;
        since[s.whom] = env.now();
    }
};

template <class... Judge>
auto beating(Judge... judge) {
    return [=] { return caucus::heartbeat{diary{}, {.beat = beat}, judge...}; };
}
auto phi(double threshold, ticks pause = 0) {
    return beating(caucus::phi_accrual<>{{.threshold = threshold, .expected = beat,
                                          .pause = pause}});
}
auto probing(std::uint8_t helpers) {
    return [=] {
        return caucus::swim{diary{}, {.round_trip = 33, .period = beat, .helpers = helpers}};
    };
}

void row(const char* name, auto make) {
    std::printf("%-22s", name);
    double messages = 0;
    for (const unsigned loss : {0u, 1u, 5u, 10u, 20u}) {
        double took = 0, wrong = 0;
        for (std::uint64_t seed = 1; seed <= runs; ++seed) {
            const auto delay = [=](const caucus::hop&, caucus::random_source& bits) {
                if (bits.below(100) < loss) return caucus::never;   // a loss is a very long delay
                return caucus::exponential{10}.draw(bits);
            };
            caucus::events net{caucus::complete{nodes}, [&](caucus::node) { return make(); },
                               {.seed = seed, .delay = caucus::by_hand{delay}, .fifo = false}};
            net.start_all();
            if (const auto r = net.run_for(calm); loss == 0)
                messages += static_cast<double>(r.messages) / (runs * nodes * periods);
            for (std::size_t v = 0; v < nodes; ++v) wrong += net[v].process().suspicions;
            net.crash(0);
            net.run_for(aftermath);
            for (std::size_t v = 1; v < nodes; ++v) {   // port p leads to v+1+p
                const ticks since = net[v].process().since[nodes - 1 - v];
                took += since < calm ? 0 : static_cast<double>(since - calm);
            }
        }
        std::printf(" %5.0f %6.2f", took / (runs * (nodes - 1)),
                    100 * wrong / (runs * periods * nodes * (nodes - 1)));
    }
    std::printf(" %6.2f\n", messages);
}

int main() {
    std::printf("detection in ms; wrong suspicions per 100 periods and neighbour; "
                "messages per period and node\n");
    std::printf("%-22s %12s %12s %12s %12s %12s %6s\n", "loss", "0 %", "1 %", "5 %", "10 %", "20 %",
                "cost");
    row("timeout 1.2 beats", beating(caucus::fixed_timeout{120}));
    row("timeout 1.5 beats", beating(caucus::fixed_timeout{150}));
    row("timeout 2.5 beats", beating(caucus::fixed_timeout{250}));
    row("timeout 3.5 beats", beating(caucus::fixed_timeout{350}));
    row("timeout 5.5 beats", beating(caucus::fixed_timeout{550}));
    row("1.2 beats, growing", beating(caucus::fixed_timeout{120, 20}));
    row("phi 1", phi(1));
    row("phi 3", phi(3));
    row("phi 8", phi(8));
    row("phi 12", phi(12));
    row("phi 3, pause 1 beat", phi(3, beat));
    row("swim, no helpers", probing(0));
    row("swim, 1 helper", probing(1));
    row("swim, 3 helpers", probing(3));
}

/* Output:
detection in ms; wrong suspicions per 100 periods and neighbour; messages per period and node
loss                            0 %          1 %          5 %         10 %         20 %   cost
timeout 1.2 beats         79   5.72    79   6.55    78   9.83    71  13.37    63  19.26   7.00
timeout 1.5 beats        109   0.21   109   1.12   107   4.71    99   8.68    89  15.36   7.00
timeout 2.5 beats        209   0.00   209   0.01   207   0.25   198   0.85   186   3.01   7.00
timeout 3.5 beats        309   0.00   309   0.00   307   0.01   298   0.09   285   0.58   7.00
timeout 5.5 beats        509   0.00   509   0.00   507   0.00   498   0.00   485   0.03   7.00
1.2 beats, growing       102   2.32   108   2.94   131   5.59   147   8.01   164  10.80   7.00
phi 1                     75   7.59    75   8.37    74  11.37    68  14.62    61  19.94   7.00
phi 3                    102   0.54   102   1.44   100   5.03    93   8.91    86  15.30   7.00
phi 8                    138   0.02   143   0.67   162   2.62   186   4.03   261   5.22   7.00
phi 12                   158   0.00   169   0.34   216   1.23   267   1.62   382   1.87   7.00
phi 3, pause 1 beat      203   0.00   211   0.01   237   0.19   257   0.47   300   1.05   7.00
swim, no helpers         258   0.02   272   1.61   255   6.15   226   9.69   243  12.23   2.00
swim, 1 helper           251   0.00   262   0.20   250   2.07   247   5.20   245  11.15   2.60
swim, 3 helpers          222   0.00   231   0.00   255   0.20   239   0.92   218   6.12   3.77
*/
