// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/election/appointed.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/exclusion/coordinator.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/topology/complete.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

using room = caucus::inplace_storage<4>;
using fixed = caucus::coordinator<caucus::appointed<std::uint16_t, room>, room>;
using supervision = caucus::supervised<caucus::bully<std::uint16_t, room>, room>;
using led = caucus::coordinator<supervision, room, caucus::tells_place>;
static_assert(sizeof(fixed) <= 448);

/// Asks when it is started, and leaves as soon as it is inside.
template <class P>
struct visitor : P {
    explicit visitor(P process) : P(process) {}
    using P::on;

    bool was_inside = false;

    caucus::answer on(const caucus::request::start& r, auto& env) {
        const caucus::answer said = P::on(r, env);
        static_cast<void>(P::request(env));
        look(env);
        return said;
    }
    void on(const typename P::wish& m, caucus::port from, auto& env) {
        P::on(m, from, env);
        look(env);
    }
    void on(const typename P::done& m, caucus::port from, auto& env) {
        P::on(m, from, env);
        look(env);
    }
    void on(const typename P::grant& m, caucus::port from, auto& env) {
        P::on(m, from, env);
        look(env);
    }

private:
    void look(auto& env) {
        if (!P::holds()) return;
        was_inside = true;
        static_cast<void>(P::release(env));
    }
};

std::array<std::uint16_t, 4> peers_of(caucus::node v) {
    std::array<std::uint16_t, 4> peers{};
    for (std::size_t p = 0; p < 4; ++p) peers[p] = freestanding::ids[(v + 1 + p) % 5];
    return peers;
}

int main() {
    const auto all_were_inside = [](const auto& net) {
        for (std::size_t v = 0; v < 5; ++v)
            if (!net[v].was_inside || net[v].waits() || net[v].holds()) return false;
        return net.overflows() == 0;
    };
    const int by_server = freestanding::all_elect<visitor<fixed>, 5>(
        caucus::complete{5},
        [](caucus::node v) {
            return visitor<fixed>{fixed{{freestanding::ids[v], peers_of(v), freestanding::ids[1]},
                                        room{}}};
        },
        [&](const auto& net) { return all_were_inside(net) && net.messages() == 3 * 4; });
    const int by_leader = freestanding::all_elect<visitor<led>, 5>(
        caucus::complete{5},
        [](caucus::node v) {
            const supervision election{caucus::bully{freestanding::ids[v], peers_of(v),
                                                     {.delay_max = 40}}, {.beat = 400}, room{}};
            return visitor<led>{led{election, room{}, caucus::tells_place{}}};
        },
        all_were_inside);
    return by_server * 2 + by_leader;
}
