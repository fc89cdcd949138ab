// SPDX-License-Identifier: MIT
// What does an election cost on average, and how far off is a single run? A thousand rings of 64
// nodes with random ids for each algorithm, on all cores, beside what is proven of every run.
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/franklin.hpp>
#include <caucus/election/ring/peterson.hpp>
#include <caucus/run/random_ids.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/run/sample.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <cstdint>
#include <cstdio>

using caucus::node;

constexpr std::size_t n = 64;

template <class Ring>
void sample(const char* name, auto elect) {
    const auto run = [=](std::uint64_t seed) {
        const auto make = [ids = caucus::random_ids(n, seed), elect](node v) {
            return elect(ids[v]);
        };
        return caucus::rounds{Ring{n}, make};
    };
    const caucus::sample_report r = caucus::sample(1000, run);
    std::printf("%-14s%7.1f%7.1f%6llu%6llu%6llu%6llu%9.1f\n", name, r.messages.mean, r.messages.sd,
                static_cast<unsigned long long>(r.messages.least),
                static_cast<unsigned long long>(r.messages.most),
                static_cast<unsigned long long>(r.proven->least),
                static_cast<unsigned long long>(r.proven->most), r.rounds.mean);
}

int main() {
    std::puts("messages:        mean     sd least  most  proven  to     rounds");
    sample<caucus::ring>("chang_roberts", [](int id) { return caucus::chang_roberts{id}; });
    sample<caucus::ring>("peterson", [](int id) { return caucus::peterson{id}; });
    sample<caucus::two_way_ring>("franklin", [](int id) { return caucus::franklin{id}; });
}

/* Output:
messages:        mean     sd least  most  proven  to     rounds
chang_roberts   368.0   34.0   288   520   191  2144    128.0
peterson        629.0   40.2   512   768   256   896    205.7
franklin        693.0   40.2   576   832   320   960    176.4
*/
