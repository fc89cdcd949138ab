// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/core/request.hpp>
#include <caucus/exclusion/suzuki_kasami.hpp>
#include <caucus/topology/complete.hpp>

#include <array>
#include <cstdint>

// All five want to enter at once, and then one after the other leaves: without a heap.

using lock = caucus::suzuki_kasami<std::uint16_t, caucus::inplace_storage<4>>;
static_assert(sizeof(lock) <= 248);

lock make(caucus::node v) {
    std::array<std::uint16_t, 4> peers{};
    for (std::size_t p = 0; p < 4; ++p) peers[p] = freestanding::ids[(v + 1 + p) % 5];
    return caucus::suzuki_kasami{freestanding::ids[v], peers};
}

int main() {
    using caucus::answer;
    freestanding::armed = true;
    freestanding::network<lock, caucus::complete, 5, 64> net{caucus::complete{5}, make};
    bool good = net[2].has_token();   // id 1
    for (std::size_t v = 0; v < 5; ++v) net.begin(v);
    for (std::size_t v = 0; v < 5; ++v)
        good = good && net.call(v, caucus::request::enter{}) == answer::accepted;
    net.run();
    // As their ids 1, 3, 5, 7, 9 go. The count rises when one enters, and when it hands over.
    std::uint64_t count = 1;
    for (const std::size_t v : {2u, 0u, 4u, 3u, 1u}) {
        good = good && net[v].holds() && net[v].fence().count == count;
        good = good && net.call(v, caucus::request::leave{}) == answer::accepted;
        net.run();
        count += 2;
    }
    good = good && net.messages() == 4 * 5 && net.outcomes() == 2 * 5;
    freestanding::armed = false;
    return good ? 0 : 1;
}
