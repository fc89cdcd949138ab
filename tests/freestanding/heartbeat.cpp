// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/core/kind.hpp>
#include <caucus/detector/heartbeat.hpp>

#include <cstddef>

/// Counts what it hears.
struct tally {
    using message = caucus::nothing;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;
    int suspicions = 0, trusts = 0;
    void start(auto&) {}
    void on(caucus::suspect, auto&) { ++suspicions; }
    void on(caucus::trust, auto&) { ++trusts; }
};

using process = caucus::heartbeat<tally, caucus::fixed_timeout, caucus::inplace_storage<4>>;
static_assert(sizeof(process) <= 128);

struct wires {
    std::size_t degree() const { return 4; }
    void send(caucus::port, const process::message&) { ++sent; }
    int sent = 0;
};
struct steady {
    caucus::ticks now() const { return time; }
    caucus::ticks time = 0;
};
struct ear {
    void report(const process::outcome&) {}
};

int main() {
    freestanding::armed = true;
    wires channel;
    steady clock;
    ear listener;
    caucus::endpoint self{process{tally{}, {.beat = 10}, caucus::fixed_timeout{25},
                                  caucus::inplace_storage<4>{}},
                          channel, clock, listener};
    self.start();
    for (; clock.time < 100; ++clock.time) {   // the first of four beats, but not from 40 to 80
        if (clock.time % 10 == 5 && (clock.time < 40 || clock.time > 80))
            self.receive(caucus::port{0}, process::message{process::beat{}});
        self.advance();
    }
    const tally& heard = self.process().process();
    const bool good = channel.sent == 4 * 10 && heard.suspicions == 3 + 1 && heard.trusts == 1 &&
                      !self.process().suspects(caucus::port{0}) &&
                      self.process().suspects(caucus::port{3});
    freestanding::armed = false;
    return good ? 0 : 1;
}
