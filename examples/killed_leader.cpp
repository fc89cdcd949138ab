// SPDX-License-Identifier: MIT
// What happens when the leader dies? A bully election over in-process queues, driven by timers:
// node 3 leads, is killed, node 0 finds out, and the best of the living takes over.
#include <caucus/election/complete/bully.hpp>
#include <caucus/run/endpoint.hpp>

#include <array>
#include <cstdio>
#include <deque>
#include <vector>

constexpr std::size_t n = 4;
using process = caucus::bully<int, caucus::inplace_storage<n - 1>>;   // no heap in here

struct letter {
    caucus::ticks due;
    std::size_t to;
    caucus::port by;
    process::message what;
};

struct world {
    caucus::ticks now = 0;
    std::deque<letter> wire;
    bool alive[n] = {true, true, true, true};
};

struct wire_of {
    static constexpr caucus::guarantee guarantees = caucus::guarantee::reliable;
    world* all;
    std::size_t self;

    std::size_t degree() const { return n - 1; }
    void send(caucus::port p, const process::message& m) {   // port p leads to self+1+p: 20 ms away
        all->wire.push_back({all->now + 20, (self + 1 + p) % n, caucus::port{n - 2 - p}, m});
    }
};

struct wall_clock {
    world* all;
    caucus::ticks now() const { return all->now; }
};

struct printer {
    world* all;
    std::size_t self;
    void report(const process::outcome& o) {
        std::printf("%3d ms: node %zu follows %d\n", static_cast<int>(all->now), self, o.leader);
    }
};

int main() {
    world all;
    std::vector<wire_of> wires;
    std::vector<printer> printers;
    for (std::size_t v = 0; v < n; ++v) wires.push_back({&all, v}), printers.push_back({&all, v});
    wall_clock clock{&all};
    std::vector<caucus::endpoint<process, wire_of, wall_clock, printer>> nodes;
    for (std::size_t v = 0; v < n; ++v) {
        std::array<int, n - 1> peers{};
        for (std::size_t p = 0; p < n - 1; ++p) peers[p] = static_cast<int>((v + 1 + p) % n);
        nodes.emplace_back(process{static_cast<int>(v), peers, {.delay_max = 20}}, wires[v], clock,
                           printers[v]);
    }

    nodes[3].start();
    for (; all.now < 300; ++all.now) {   // a millisecond a turn
        if (all.now == 100) {
            std::printf("100 ms: node 3 is killed, node 0 notices\n");
            all.alive[3] = false;
            nodes[0].suspect(caucus::port{2});
        }
        while (!all.wire.empty() && all.wire.front().due <= all.now) {
            const letter l = all.wire.front();
            all.wire.pop_front();
            if (all.alive[l.to]) nodes[l.to].receive(l.by, l.what);
        }
        for (std::size_t v = 0; v < n; ++v)
            if (all.alive[v]) nodes[v].advance();   // or sleep until next_deadline()
    }
}

/* Output:
  0 ms: node 3 follows 3
 20 ms: node 0 follows 3
 20 ms: node 1 follows 3
 20 ms: node 2 follows 3
100 ms: node 3 is killed, node 0 notices
160 ms: node 2 follows 2
180 ms: node 0 follows 2
180 ms: node 1 follows 2
*/
