// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port.hpp>
#include <caucus/core/process.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>

namespace support {

/// What a textbook's lock does with replies, and with equal stamps.
struct textbook_ways {
    bool ids_break_ties = true;
    bool tags = false;   // a reply says to which wish it is, by its stamp
    bool set = false;    // replies are a set of those who sent them, else they are counted
};

/// Ricart & Agrawala, CACM 24(1), 1981, with the textbook's reply counter. For at most four nodes.
struct textbook_lock {
    struct wish { std::uint8_t stamp; std::uint8_t id; };
    struct reply { std::uint8_t to; };   // 0 without tags
    using message = std::variant<wish, reply>;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;
    enum class phase : std::uint8_t { idle, wants, in };

    std::uint8_t id = 0;
    textbook_ways ways{};
    std::uint8_t clock = 0;
    std::uint8_t stamp = 0;
    std::uint8_t needed = 0;
    std::uint8_t replied = 0;                 // a bit a port
    std::array<std::uint8_t, 3> deferred{};   // the stamp that is deferred, by port
    phase now = phase::idle;

    void start(auto&) {}
    void request(auto& env) {
        stamp = ++clock;
        now = phase::wants;
        needed = static_cast<std::uint8_t>(env.degree());
        replied = 0;
        env.broadcast(wish{stamp, id});
    }
    void release(auto& env) {
        now = phase::idle;
        stamp = 0;
        for (const caucus::port p : caucus::ports(env.degree()))
            if (deferred[p.index()] != 0) answer(p, deferred[p.index()], env);
        deferred = {};
    }
    bool holds() const { return now == phase::in; }
    bool waits() const { return now == phase::wants; }

    void on(wish w, caucus::port from, auto& env) {
        if (clock < w.stamp) clock = w.stamp;
        const bool mine_first =
            stamp != w.stamp ? stamp < w.stamp : ways.ids_break_ties && id < w.id;
        if (now == phase::in || (now == phase::wants && mine_first))
            deferred[from.index()] = w.stamp;
        else
            answer(from, w.stamp, env);
    }
    void on(reply r, caucus::port from, auto&) {
        if (now != phase::wants || (ways.tags && r.to != stamp)) return;
        const std::uint8_t bit = static_cast<std::uint8_t>(1u << from.index());
        if (ways.set && (replied & bit) != 0) return;
        if (ways.set) replied = static_cast<std::uint8_t>(replied | bit);
        if (--needed == 0) now = phase::in;
    }

private:
    void answer(caucus::port p, std::uint8_t to, auto& env) {
        env.send(p, reply{ways.tags ? to : std::uint8_t{0}});
    }
};

}  // namespace support
