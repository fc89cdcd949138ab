// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/exclusion/token_ring.hpp>
#include <caucus/topology/ring.hpp>

#include <cstdint>

// The token goes round, one enters and stays: the others miss it, and elect in vain.

using lock = caucus::token_ring<std::uint16_t>;
static_assert(sizeof(lock) <= 160 && sizeof(lock::message) <= 32);

int main() {
    using caucus::answer;
    freestanding::armed = true;
    freestanding::network<lock, caucus::ring, 6, 64> net{caucus::ring{6}, [](caucus::node v) {
        return lock{freestanding::ids[v], {.nodes = 6, .has_token = v == 2, .delay_max = 40}};
    }};
    for (std::size_t v = 0; v < 6; ++v) net.begin(v);
    bool good = net.call(1, caucus::request::enter{}) == answer::accepted && net[1].waits();
    good = good && net.call(4, caucus::request::enter{}) == answer::accepted;
    good = good && net.call(4, caucus::request::cancel{}) == answer::accepted;
    net.run();
    good = good && net[1].holds() && net[1].fence().epoch.leader == 1 && net[1].fence().count == 1;
    good = good && net[0].is_electing() && net.messages() > 5;
    good = good && net.call(1, caucus::request::leave{}) == answer::accepted;
    good = good && !net[1].has_token() && net.outcomes() == 2;
    freestanding::armed = false;
    return good ? 0 : 1;
}
