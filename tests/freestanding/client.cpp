// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/appointed.hpp>
#include <caucus/exclusion/coordinator.hpp>
#include <caucus/exclusion/token_ring.hpp>
#include <caucus/layer/candid.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/ring.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

// Applications enter three times each; their timers are in place, beside those of the exclusion.

using freestanding::ids;
using room = caucus::inplace_storage<4>;
using server = caucus::coordinator<caucus::appointed<std::uint16_t, room>, room>;
using served = caucus::client<caucus::candid<server>>;
using passing = caucus::client<caucus::token_ring<std::uint16_t>>;
static_assert(served::storage_type::capacity == 2);
static_assert(passing::storage_type::capacity == 2 + 3);

constexpr caucus::sections thrice{.entries = 3, .thinking = 7, .staying = 3};

template <class P, std::size_t Nodes>
bool all_enter(auto topology, auto make) {
    freestanding::armed = true;
    freestanding::network<P, decltype(topology), Nodes, 64> net{topology, make};
    for (std::size_t v = 0; v < Nodes; ++v) net.begin(v);
    net.run();
    bool good = true;
    for (std::size_t v = 0; v < Nodes; ++v)
        good = good && net[v].is_through() && !net[v].waits() && !net[v].holds() &&
               net[v].refused().total() == 0;
    freestanding::armed = false;
    return good && net.outcomes() == Nodes * 3 * 2;
}

int main() {
    const bool by_server = all_enter<served, 5>(caucus::complete{5}, [](caucus::node v) {
        std::array<std::uint16_t, 4> peers{};
        for (std::size_t p = 0; p < 4; ++p) peers[p] = ids[(v + 1 + p) % 5];
        return served{caucus::candid{server{{ids[v], peers, ids[1]}, room{}}}, thrice};
    });
    const bool by_token = all_enter<passing, 6>(caucus::ring{6}, [](caucus::node v) {
        return passing{{ids[v], {.nodes = 6, .has_token = v == 2, .delay_max = 40}}, thrice};
    });
    return by_server && by_token ? 0 : 1;
}
