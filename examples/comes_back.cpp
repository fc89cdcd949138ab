// SPDX-License-Identifier: MIT
// How does a process come back after kill -9? Three computers on wires that promise nothing, as UDP
// does, and lose every fifth message. The leader is killed, and boots again in its second life.
#include <caucus/core/random.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/layer/repaired_ring.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/run/endpoint.hpp>

#include <cstdio>
#include <deque>
#include <optional>
#include <variant>

using ring_election = caucus::repaired_ring<caucus::chang_roberts<int>>;
using stack = caucus::supervised<caucus::reliable<ring_election>>;

struct letter {
    caucus::ticks due;
    std::size_t to;
    caucus::port by;
    stack::message what;
};

caucus::ticks now_ms = 0;
std::deque<letter> under_way;
caucus::random_source dice{1};

struct wire {   // says nothing of guarantees: what needs any does not compile on it
    std::size_t self;
    std::size_t degree() const { return 2; }
    void send(caucus::port p, const stack::message& m) {   // port p leads to self+1+p: 10 ms away
        if (dice.below(5) == 0) return;
        under_way.push_back({now_ms + 10, (self + 1 + p) % 3, caucus::port{1u - p}, m});
    }
};
struct wall_clock {
    caucus::ticks now() const { return now_ms; }
};
struct screen {
    int id;
    void report(const stack::outcome& o) {
        if (const auto* news = std::get_if<caucus::installed<int>>(&o))
            std::printf("%4d ms: %d follows %d in epoch %d\n", static_cast<int>(now_ms), id,
                        news->epoch.leader, static_cast<int>(news->epoch.number));
    }
};

struct computer {
    wire channel;
    screen listener;
    std::uint32_t boots_on_disk = 0;   // all that must outlive a crash
    wall_clock clock = {};
    std::optional<caucus::endpoint<stack, wire, wall_clock, screen>> self = {};

    void boot() {
        const caucus::incarnation life{boots_on_disk++};   // on disk before anything is sent
        const caucus::reliable election{ring_election{caucus::chang_roberts{listener.id}}};
        self.emplace(stack{election, {.beat = 100, .timeout = 550}}, channel, clock, listener);
        self->begin(life);   // starts in life 0, recovers in every later one
    }
};

int main() {
    computer all[]{{{0}, {10}}, {{1}, {20}}, {{2}, {30}}};
    for (computer& each : all) each.boot();
    for (; now_ms < 6000; ++now_ms) {
        if (now_ms == 2000) std::printf("2000 ms: 30 is killed\n"), all[2].self.reset();
        if (now_ms == 4000) std::printf("4000 ms: 30 boots again\n"), all[2].boot();
        while (!under_way.empty() && under_way.front().due <= now_ms) {
            const letter l = under_way.front();
            under_way.pop_front();
            if (all[l.to].self) all[l.to].self->receive(l.by, l.what);
        }
        for (computer& each : all)
            if (each.self) each.self->advance();
    }
}

/* Output:
 162 ms: 30 follows 30 in epoch 1
 172 ms: 10 follows 30 in epoch 1
 172 ms: 20 follows 30 in epoch 1
2000 ms: 30 is killed
2526 ms: 20 follows 20 in epoch 2
2604 ms: 10 follows 20 in epoch 2
4000 ms: 30 boots again
4010 ms: 30 follows 20 in epoch 2
*/
