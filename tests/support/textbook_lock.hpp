// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port.hpp>
#include <caucus/core/process.hpp>

#include <cstdint>
#include <variant>

namespace support {

/// Ricart & Agrawala, CACM 24(1), 1981, with the textbook's reply counter. For at most nine nodes.
struct textbook_lock {
    struct wish { std::uint8_t stamp; std::uint8_t id; };
    struct reply {};
    using message = std::variant<wish, reply>;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;
    enum class phase : std::uint8_t { idle, wants, in };

    std::uint8_t id = 0;
    std::uint8_t clock = 0;
    std::uint8_t stamp = 0;
    std::uint8_t needed = 0;
    std::uint8_t deferred = 0;   // a bit a port
    phase now = phase::idle;

    void start(auto&) {}
    void request(auto& env) {
        stamp = ++clock;
        now = phase::wants;
        needed = static_cast<std::uint8_t>(env.degree());
        env.broadcast(wish{stamp, id});
    }
    void release(auto& env) {
        now = phase::idle;
        stamp = 0;
        for (const caucus::port p : caucus::ports(env.degree()))
            if ((deferred >> p.index() & 1) != 0) env.send(p, reply{});
        deferred = 0;
    }
    bool holds() const { return now == phase::in; }

    void on(wish w, caucus::port from, auto& env) {
        if (clock < w.stamp) clock = w.stamp;
        const bool mine_first = stamp != w.stamp ? stamp < w.stamp : id < w.id;
        if (now == phase::in || (now == phase::wants && mine_first))
            deferred = static_cast<std::uint8_t>(deferred | 1u << from.index());
        else
            env.send(from, reply{});
    }
    void on(reply, caucus::port, auto&) {
        if (now == phase::wants && --needed == 0) now = phase::in;
    }
};

}  // namespace support
