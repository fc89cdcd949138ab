// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port.hpp>
#include <caucus/core/process.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>

namespace support {

/// Lamport, CACM 21(7), 1978, as textbooks print it: the arrival of a message is an event, too, so
/// the clock is then the greatest seen, and one more. On complete{n}, n at most Nodes.
template <std::size_t Nodes>
struct textbook_lamport {
    struct wish { std::uint8_t stamp; };
    struct acknowledgement { std::uint8_t stamp; };
    struct released { std::uint8_t stamp; };
    using message = std::variant<wish, acknowledgement, released>;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;

    std::uint8_t id = 0;
    std::uint8_t clock = 0;
    std::uint8_t mine = 0;      // 0: wants nothing
    bool in = false;
    std::array<std::uint8_t, Nodes> queue{};   // by node; 0: not in it
    std::array<std::uint8_t, Nodes> last{};    // the latest stamp seen

    void start(auto&) {}
    void request(auto& env) {
        mine = ++clock;
        queue[id] = mine;
        env.broadcast(wish{mine});
        try_enter(env);
    }
    void release(auto& env) {
        queue[id] = 0;
        mine = 0;
        in = false;
        ++clock;
        env.broadcast(released{clock});
    }
    bool holds() const { return in; }
    bool waits() const { return mine != 0 && !in; }

    void on(wish m, caucus::port from, auto& env) {
        hear(m.stamp, from, env);
        queue[node_behind(from, env)] = m.stamp;
        ++clock;
        env.send(from, acknowledgement{clock});
        try_enter(env);
    }
    void on(acknowledgement m, caucus::port from, auto& env) {
        hear(m.stamp, from, env);
        try_enter(env);
    }
    void on(released m, caucus::port from, auto& env) {
        hear(m.stamp, from, env);
        queue[node_behind(from, env)] = 0;
        try_enter(env);
    }

private:
    std::size_t node_behind(caucus::port p, auto& env) const {
        return (id + 1 + p.index()) % (env.degree() + 1);
    }
    void hear(std::uint8_t stamp, caucus::port from, auto& env) {
        clock = static_cast<std::uint8_t>((clock < stamp ? stamp : clock) + 1);
        std::uint8_t& latest = last[node_behind(from, env)];
        if (latest < stamp) latest = stamp;
    }
    bool comes_first(std::uint8_t stamp, std::size_t of) const {
        return stamp != mine ? stamp < mine : of < id;
    }
    void try_enter(auto& env) {
        if (!waits()) return;
        for (std::size_t u = 0; u <= env.degree(); ++u)
            if (u != id && (comes_first(last[u], u) ||
                            (queue[u] != 0 && comes_first(queue[u], u))))
                return;
        in = true;
    }
};

}  // namespace support
