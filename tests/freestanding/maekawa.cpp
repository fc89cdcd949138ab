// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/exclusion/maekawa.hpp>
#include <caucus/topology/complete.hpp>

#include <array>
#include <cstdint>
#include <type_traits>

// All seven want to enter at once, one does so after the other: without a heap.

using lock = caucus::maekawa<std::uint16_t, caucus::inplace_storage<2>>;
static_assert(sizeof(lock) <= 400);
static_assert(std::is_same_v<decltype(caucus::maekawa{std::uint16_t{1},
                                                      std::array<caucus::port, 2>{}}), lock>);

int main() {
    using caucus::answer;
    freestanding::armed = true;
    freestanding::network<lock, caucus::complete, 7, 256> net{
        caucus::complete{7}, [](caucus::node v) {   // the plane of seven lines: v, v+1, v+3
            return caucus::maekawa{freestanding::ids[v],
                                   std::array{caucus::port{0}, caucus::port{2}}};
        }};
    bool good = true;
    for (std::size_t v = 0; v < 7; ++v) net.begin(v);
    for (std::size_t v = 0; v < 7; ++v)
        good = good && net.call(v, caucus::request::enter{}) == answer::accepted;
    for (std::uint64_t entry = 1; entry <= 7; ++entry) {
        net.run();
        std::size_t inside = 0;
        for (std::size_t v = 0; v < 7; ++v) {
            if (!net[v].holds()) continue;
            ++inside;
            good = good && net[v].fence().count == entry;
            good = good && net.call(v, caucus::request::leave{}) == answer::accepted;
        }
        good = good && inside == 1;
    }
    net.run();
    good = good && net.messages() >= 7 * 6 && net.messages() <= 7 * 14 && net.outcomes() == 14;
    freestanding::armed = false;
    return good ? 0 : 1;
}
