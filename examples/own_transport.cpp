// SPDX-License-Identifier: MIT
// How do I run it over my own transport? Write a channel, a clock and a listener; the endpoint does
// the rest. Here the transport is a row of mailboxes; yours is UDP, CAN, MPI or a game's netcode.
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/endpoint.hpp>

#include <cstdio>
#include <deque>
#include <string>
#include <vector>

using process = caucus::chang_roberts<std::string>;

std::vector<std::deque<process::message>> mailboxes(3);

struct to_the_right {   // a channel: what it promises, how many ports, how to send
    static constexpr caucus::guarantee guarantees =
        caucus::guarantee::reliable | caucus::guarantee::fifo;
    std::size_t self;

    std::size_t degree() const { return 1; }
    void send(caucus::port, const process::message& m) { mailboxes[(self + 1) % 3].push_back(m); }
};

struct no_clock {       // a ring election needs no time; a real one returns milliseconds, say
    caucus::ticks now() const { return 0; }
};

struct announcer {      // a listener: what the application wants to know
    const char* name;
    void report(const process::outcome& o) {
        std::printf("%s: %s leads\n", name, o.leader.c_str());
    }
};

int main() {
    to_the_right channels[]{{0}, {1}, {2}};
    announcer listeners[]{{"ada"}, {"bob"}, {"cyd"}};
    no_clock clock;
    std::vector<caucus::endpoint<process, to_the_right, no_clock, announcer>> nodes;
    for (std::size_t v = 0; v < 3; ++v)
        nodes.emplace_back(process{listeners[v].name}, channels[v], clock, listeners[v]);

    nodes[0].start();
    for (bool busy = true; busy;) {   // your event loop: hand over whatever came in
        busy = false;
        for (std::size_t v = 0; v < 3; ++v) {
            if (mailboxes[v].empty()) continue;
            const process::message m = mailboxes[v].front();
            mailboxes[v].pop_front();
            nodes[v].receive(caucus::prev, m);
            busy = true;
        }
    }
}

/* Output:
cyd: cyd leads
ada: cyd leads
bob: cyd leads
*/
