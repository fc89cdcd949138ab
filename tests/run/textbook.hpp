// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port_set.hpp>
#include <caucus/core/process.hpp>

#include <cstddef>
#include <cstdint>
#include <variant>

/// Algorithms as other tools have modelled them, to compare the sizes of their state spaces.
namespace textbook {

using caucus::next;
using caucus::nothing;
using caucus::port;
using caucus::ports;

/// ChangRoberts.tla of tlaplus/Examples: the smallest id wins, and tells nobody.
struct tla {
    enum class state : std::uint8_t { candidate, lost, won };
    using message = int;
    using timer = nothing;
    using outcome = nothing;

    int id = 0;
    bool initiator = false;
    state is = state::candidate;
    bool started = false;

    void start(auto& env) {
        started = true;
        if (initiator) env.send(next, id);
        else is = state::lost;
    }
    void on(int candidate, port, auto& env) {
        if (is != state::lost && candidate == id) is = state::won;
        if (is != state::lost && candidate >= id) return;
        is = state::lost;
        env.send(next, candidate);
    }
};

/// Ricart and Agrawala 1981, with an application that asks and leaves whenever it likes.
struct ricart_agrawala {
    struct request { int stamp; int id; };
    struct reply {};
    struct ask {};
    struct leave {};
    enum class state : std::uint8_t { idle, wants, inside };
    using message = std::variant<request, reply>;
    using timer = std::variant<ask, leave>;
    using outcome = nothing;

    int id = 0;
    int requests_left = 1;
    bool ids_break_ties = true;
    state is = state::idle;
    int clock = 0;
    int stamp = 0;
    std::size_t replies_needed = 0;
    caucus::port_set<> deferred = {};

    bool inside() const { return is == state::inside; }
    bool is_through() const { return is == state::idle && requests_left == 0; }

    void start(auto& env) { env.arm(ask{}, 1); }
    void on(ask, auto& env) {
        --requests_left;
        is = state::wants;
        stamp = ++clock;
        replies_needed = env.degree();
        env.broadcast(request{stamp, id});
    }
    void on(request m, port from, auto& env) {
        if (m.stamp > clock) clock = m.stamp;
        const bool earlier = stamp < m.stamp || (ids_break_ties && stamp == m.stamp && id < m.id);
        if (is == state::inside || (is == state::wants && earlier)) deferred.insert(from);
        else env.send(from, reply{});
    }
    void on(reply, port, auto& env) {
        if (--replies_needed != 0) return;
        is = state::inside;
        env.arm(leave{}, 1);
    }
    void on(leave, auto& env) {
        is = state::idle;
        stamp = 0;
        for (const port p : ports(env.degree()))
            if (deferred.contains(p)) env.send(p, reply{});
        deferred.clear();
        if (requests_left != 0) env.arm(ask{}, 1);
    }
};

struct exclusion {
    bool operator()(const auto& g) const {
        std::size_t inside = 0;
        for (std::size_t v = 0; v < g.nodes(); ++v) inside += g[v].inside();
        return inside <= 1;
    }
};

/// The bully with a perfect detector instead of timers: ids 0 … 2, node v has id v, 2 leads.
struct watchful_bully {
    struct election {};
    struct answer {};
    struct coordinator {};
    enum class phase : std::uint8_t { idle, asking, waiting };
    using message = std::variant<election, answer, coordinator>;
    using timer = nothing;
    using outcome = nothing;
    static constexpr std::size_t n = 3;

    std::size_t id = 0;
    phase is = phase::idle;
    std::size_t leader = n - 1;
    std::uint32_t silent = 0;     // asking: who of the better ones may still answer, a bit an id
    std::size_t answered = n;     // waiting: who has

    std::size_t behind(port p) const { return (id + 1 + p) % n; }
    port towards(std::size_t other) const { return port{(other + n - id - 1) % n}; }

    void start(auto& env) { hold_election(env); }
    void on(election, port from, auto& env) {
        env.send(from, answer{});
        if (is != phase::idle) return;
        if (leader == id && id == n - 1) env.send(from, coordinator{});
        else hold_election(env);
    }
    void on(answer, port from, auto&) {
        if (is != phase::asking) return;
        become(phase::waiting, leader);
        answered = behind(from);
    }
    void on(coordinator, port from, auto& env) {
        if (behind(from) > id) become(phase::idle, behind(from));
        else if (is == phase::idle) hold_election(env);
    }
    void on(caucus::suspect s, auto& env) {
        const std::size_t dead = behind(s.whom);
        if (is == phase::idle && dead == leader) return hold_election(env);
        if (is == phase::waiting && dead == answered) return hold_election(env);
        if (is != phase::asking) return;
        silent &= ~(1u << dead);
        if (silent == 0) take_over(env);
    }

private:
    void hold_election(auto& env) {
        if (id == n - 1) return take_over(env);
        become(phase::asking, leader);
        for (std::size_t better = id + 1; better < n; ++better) {
            silent |= 1u << better;
            env.send(towards(better), election{});
        }
    }
    void take_over(auto& env) {
        become(phase::idle, id);
        for (std::size_t worse = 0; worse < id; ++worse) env.send(towards(worse), coordinator{});
    }
    void become(phase p, std::size_t whom) {
        is = p;
        leader = whom;
        silent = 0;
        answered = n;
    }
};

}  // namespace textbook
