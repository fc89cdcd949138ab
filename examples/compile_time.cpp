// SPDX-License-Identifier: MIT
// Can an election be over before the program runs? The same headers, in constant evaluation.
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/ring.hpp>

#include <array>
#include <cstdio>

struct result {
    int leader;
    std::uint64_t messages;
};

template <std::size_t N>
constexpr result elect(std::array<int, N> ids) {
    const auto make = [&](caucus::node v) { return caucus::chang_roberts{ids[v]}; };
    caucus::rounds sim{caucus::ring{N}, make};
    sim.start_all();
    const caucus::report r = sim.run();
    return {*sim[0].leader(), r.messages};
}

constexpr result rising = elect(std::array{1, 2, 3, 4, 5, 6, 7, 8});
constexpr result falling = elect(std::array{8, 7, 6, 5, 4, 3, 2, 1});
static_assert(rising.leader == 8 && falling.leader == 8);
static_assert(rising.messages == 2 * 8 - 1 + 8, "2n-1 at best, and the announcement");
static_assert(falling.messages == 8 * 9 / 2 + 8, "n(n+1)/2 at worst, and the announcement");

int main() {
    std::printf("decided by the compiler: %d leads, after %d messages at best, %d at worst\n",
                rising.leader, static_cast<int>(rising.messages),
                static_cast<int>(falling.messages));
}

/* Output:
decided by the compiler: 8 leads, after 23 messages at best, 44 at worst
*/
