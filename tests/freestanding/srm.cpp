// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/core/request.hpp>
#include <caucus/multicast/srm.hpp>
#include <caucus/topology/complete.hpp>

#include <cstddef>
#include <cstdint>

// Three members send six messages, their distances given; others measure them: without a heap.

using id = std::uint16_t;
using near = caucus::given_distances<id, caucus::inplace_storage<4>>;
using member = caucus::srm<std::uint32_t, id, caucus::inplace_storage<4>, near,
                           caucus::sessions_after_news>;
static_assert(sizeof(member) <= 1024);
static_assert(member::storage_type::capacity == 17);
using measuring = caucus::srm<std::uint32_t, id, caucus::inplace_storage<4>>;
static_assert(sizeof(measuring) <= 1152);

int main() {
    freestanding::armed = true;
    freestanding::network<member, caucus::complete, 3, 128> net{
        caucus::complete{3}, [](caucus::node v) {
            return member{freestanding::ids[v], {.members = 4, .window = 4, .interval = 50},
                          near{2}};
        }};
    for (std::size_t v = 0; v < 3; ++v) net.begin(v);
    bool good = true;
    for (std::uint32_t i = 0; i < 6; ++i) {
        const caucus::request::broadcast<std::uint32_t> next{i};
        good = good && net.call(i % 3, next) == caucus::answer::accepted;
        net.run();
    }
    good = good && net.outcomes() == 6 * 3 && net.overflows() == 0;
    for (std::size_t v = 0; v < 3; ++v)
        good = good && net[v].kept() == 6 && net[v].missing() == 0 && net[v].sources() == 3;

    freestanding::network<measuring, caucus::complete, 3, 128> others{
        caucus::complete{3}, [](caucus::node v) {
            return measuring{freestanding::ids[v], {.members = 4, .window = 4, .interval = 500}};
        }};
    for (std::size_t v = 0; v < 3; ++v) others.begin(v);
    good = good && others.call(0, caucus::request::broadcast<std::uint32_t>{7}) ==
                       caucus::answer::accepted;
    others.run();
    good = good && others.outcomes() == 3 && others[0].distance_to(freestanding::ids[1]) < 10;
    freestanding::armed = false;
    return good ? 0 : 1;
}
