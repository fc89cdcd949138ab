// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/detector/heartbeat.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/topology/complete.hpp>

#include <array>
#include <cstdint>

// What runs in production, without a heap: supervision over bare links, over links made reliable,
// and beside a failure detector.

using room = caucus::inplace_storage<4>;
using bullies = caucus::bully<std::uint16_t, room>;
using supervision = caucus::supervised<bullies, room>;
using over_bad_links = caucus::reliable<supervision, caucus::inplace_storage<8>>;
using watched = caucus::heartbeat<over_bad_links, room>;
static_assert(sizeof(supervision) <= 336);   // 16 of them for the lives of four neighbours

constexpr std::array<std::uint16_t, 5> ids{3, 9, 1, 7, 5};

supervision make(caucus::node v) {
    std::array<std::uint16_t, 4> peers{};
    for (std::size_t p = 0; p < 4; ++p) peers[p] = ids[(v + 1 + p) % 5];
    return supervision{bullies{ids[v], peers, {.delay_max = 40}}, {.beat = 400}, room{}};
}

int main() {
    const auto one_leads = [](const auto& net) {
        for (std::size_t v = 0; v < 5; ++v)
            if (net[v].leader() != 9) return false;
        return net[1].is_leader() && net[0].epoch() == net[1].epoch() && net.overflows() == 0;
    };
    const std::array starters{0, 2};
    const int bare = freestanding::elects<supervision, 5>(caucus::complete{5}, make, starters,
                                                          one_leads);
    const int reliably = freestanding::elects<over_bad_links, 5>(
        caucus::complete{5},
        [](caucus::node v) {
            return over_bad_links{make(v), {.resend_after = 100}, caucus::inplace_storage<8>{}};
        },
        starters, one_leads);
    const int beside = freestanding::elects<watched, 5>(
        caucus::complete{5},
        [](caucus::node v) {
            return watched{over_bad_links{make(v), {.resend_after = 100},
                                          caucus::inplace_storage<8>{}},
                           {.beat = 300}, room{}};
        },
        starters, one_leads);
    return bare * 4 + reliably * 2 + beside;
}
