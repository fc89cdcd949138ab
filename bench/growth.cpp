// SPDX-License-Identifier: MIT
// How state spaces grow with n, with and without reductions, until a run is expected to take longer
// or to need more memory than allowed:
//
//   growth [--seconds=10] [--gib=1] [--threads=1] [--reduce=none|every]
#include <caucus/election/complete/bully.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using namespace caucus;

struct allowance {
    double seconds = 10;
    double gib = 1;
    std::size_t threads = 1;
    std::vector<reduction> reductions = {reduction::none, reduction::every};

    std::uint64_t bytes() const { return static_cast<std::uint64_t>(gib * (1u << 30)); }
};

/// One row for each n, as long as the next one is expected to fit; `run(n, options…)` explores.
void grow(const char* system, const char* how, std::size_t first, const allowance& allowed,
          auto run) {
    double before = 0;
    for (std::size_t n = first; n <= 64; n += n < 16 ? 1 : n) {
        const verdict v = run(n);
        const double mib = static_cast<double>(v.states) * v.bytes_per_state / (1u << 20);
        std::printf("%-28s %-9s %3zu %12llu %13llu %9.2f %9.1f  %s\n", system, how, n,
                    static_cast<unsigned long long>(v.states),
                    static_cast<unsigned long long>(v.transitions), v.seconds, mib,
                    v.complete ? (v.holds ? "holds" : "does not hold") : v.limit.c_str());
        std::fflush(stdout);
        const double states = static_cast<double>(v.states);
        const double factor = before == 0 ? 1 : states / before;
        before = states;
        const bool fits = v.seconds * factor < allowed.seconds &&
                          mib * factor < 1024 * allowed.gib;
        if (!v.complete || !fits) return;
    }
}

void all_systems(const allowance& allowed) {
    for (const reduction r : allowed.reductions) {
        const char* how = r == reduction::none ? "none" : "every";
        const auto descending = [](std::size_t n) {
            return [n](node v) { return chang_roberts{static_cast<int>(n - v.index)}; };
        };
        grow("chang_roberts, worst order", how, 2, allowed, [&](std::size_t n) {
            return explore(ring{n}, descending(n),
                           {.properties = {always(at_most_one_leader)}, .reduce = r,
                            .max_memory = allowed.bytes(), .count_messages = false,
                            .threads = allowed.threads});
        });
        grow("chang_roberts, all orders", how, 2, allowed, [&](std::size_t n) {
            return explore(ring{n}, descending(n),
                           {.initiators = any_subset,
                            .properties = {always(at_most_one_leader)}, .reduce = r,
                            .orders = all_permutations, .max_memory = allowed.bytes(),
                            .count_messages = false, .threads = allowed.threads});
        });
        const auto waves = [](node v) { return extinction{static_cast<int>(v.index)}; };
        const auto election = [&](auto topology) {
            return explore(topology, waves,
                           {.properties = {always(at_most_one_leader)}, .reduce = r,
                            .max_memory = allowed.bytes(), .count_messages = false,
                            .threads = allowed.threads});
        };
        grow("extinction, two-way ring", how, 2, allowed,
             [&](std::size_t n) { return election(two_way_ring{n}); });
        grow("extinction, complete", how, 2, allowed,
             [&](std::size_t n) { return election(complete{n}); });
        for (const std::uint8_t crashes : {std::uint8_t{0}, std::uint8_t{1}}) {
            grow(crashes == 0 ? "bully" : "bully, one crash", how, 2, allowed, [&](std::size_t n) {
                std::vector<int> ids;
                for (std::size_t v = 0; v < n; ++v) ids.push_back(static_cast<int>(v));
                return explore(
                    complete{n},
                    [&](node v) { return bully{ids[v], peer_ids(complete{n}, v, ids)}; },
                    {.properties = {always(at_most_one_leader)}, .reduce = r,
                     .faults = {.crashes = crashes}, .max_memory = allowed.bytes(),
                     .count_messages = false, .threads = allowed.threads});
            });
        }
    }
}

}  // namespace

int main(int count, char** words) {
    allowance allowed;
    for (int i = 1; i < count; ++i) {
        const auto value = [&](const char* name) -> const char* {
            const std::size_t length = std::strlen(name);
            return std::strncmp(words[i], name, length) == 0 ? words[i] + length : nullptr;
        };
        if (const char* seconds = value("--seconds=")) allowed.seconds = std::atof(seconds);
        if (const char* gib = value("--gib=")) allowed.gib = std::atof(gib);
        if (const char* reduce = value("--reduce="))
            allowed.reductions = {*reduce == 'n' ? reduction::none : reduction::every};
        if (const char* threads = value("--threads="))
            allowed.threads = static_cast<std::size_t>(std::atoi(threads));
    }
    std::printf("%-28s %-9s %3s %12s %13s %9s %9s\n", "system", "reduction", "n", "states",
                "transitions", "seconds", "MiB");
    all_systems(allowed);
}

// The last rows with --seconds=300 --gib=8, one thread, beside other work on two cores. A reduction
// that changes nothing is left out: timers that wait for the messages, and crashes, allow none.
//
// system                       reduction   n       states   transitions   seconds       MiB
// chang_roberts, worst order   none       16    129644806    1037158336    306.00    4887.7  holds
// chang_roberts, worst order   every      64         2145          2144      0.04       1.0  holds
// chang_roberts, all orders    none        8     81378319     255453799     72.69    4802.9  holds
// chang_roberts, all orders    every       8     11821875      11626052     18.38     760.8  holds
// extinction, two-way ring     none        9     27751065     226746473     44.92    1351.1  holds
// extinction, two-way ring     every       9     27751065      39730280    164.87    1636.3  holds
// extinction, complete         none        4       647690       3742916      0.60      43.2  holds
// extinction, complete         every       4       647690       1103755      1.29      49.0  holds
// bully                        none        4        59352        326304      0.06       6.0  holds
// bully                        none        5    134218474    1205312808    323.91    8903.4  memory
// bully, one crash             none        4       103371        764327      0.27       6.0  holds
// bully, one crash             none        5     93446495     906626230    695.84    8192.0  memory
