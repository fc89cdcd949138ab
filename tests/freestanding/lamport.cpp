// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/exclusion/lamport.hpp>
#include <caucus/topology/complete.hpp>

#include <cstdint>

// All five want to enter at once, and leave in order of their ids: without a heap.

using lock = caucus::lamport<std::uint16_t, caucus::inplace_storage<4>>;
static_assert(sizeof(lock) <= 168);

int main() {
    using caucus::answer;
    freestanding::armed = true;
    freestanding::network<lock, caucus::complete, 5, 64> net{
        caucus::complete{5}, [](caucus::node v) { return lock{freestanding::ids[v]}; }};
    bool good = true;
    for (std::size_t v = 0; v < 5; ++v) net.begin(v);
    for (std::size_t v = 0; v < 5; ++v)
        good = good && net.call(v, caucus::request::enter{}) == answer::accepted;
    net.run();
    std::uint64_t count = 0;
    for (const std::size_t v : {2u, 0u, 4u, 3u, 1u}) {
        good = good && net[v].holds() && net[v].fence().count == ++count;
        good = good && net.call(v, caucus::request::leave{}) == answer::accepted;
        net.run();
    }
    good = good && net.messages() == 5 * 12 && net.outcomes() == 2 * 5;
    freestanding::armed = false;
    return good ? 0 : 1;
}
