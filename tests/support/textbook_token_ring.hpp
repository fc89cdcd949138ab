// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port.hpp>
#include <caucus/core/process.hpp>

#include <cstddef>
#include <cstdint>
#include <variant>

namespace support {

/// The lectures' token ring (001, section 4.2.3): whoever misses the token has a new one made by
/// Chang and Roberts's election. Whoever has the token is inside, until it decides to leave.
struct textbook_token_ring {
    struct token {};
    struct election { int candidate; };
    struct leave {};
    struct token_overdue {};
    struct really_lost {};
    using message = std::variant<token, election>;
    using timer = std::variant<leave, token_overdue, really_lost>;
    using outcome = caucus::nothing;

    int id = 0;
    bool holds = false;           // the token, and is inside
    bool calm = false;            // nobody misses the token while it takes part in an election
    bool looks_first = false;     // an expiry is two events: between them `accurate` looks
    bool electing = false;
    bool looking = false;

    void start(auto& env) {
        if (holds) env.arm(leave{}, 1);
        else env.arm(token_overdue{}, 100);
    }
    void on(leave, auto& env) {
        holds = false;
        env.send(caucus::next, token{});
        env.arm(token_overdue{}, 100);
    }
    void on(token_overdue, auto& env) {
        if (!looks_first) return start_election(env);
        looking = true;
        env.arm(really_lost{}, 1);
    }
    void on(really_lost, auto& env) {
        looking = false;
        start_election(env);
    }
    void on(token, caucus::port, auto& env) { use(env); }
    void on(election m, caucus::port, auto& env) {
        if (!electing) {
            electing = true;
            if (calm) stop_waiting(env);
            if (id > m.candidate) env.send(caucus::next, election{id});
        }
        if (m.candidate > id) env.send(caucus::next, m);
        if (m.candidate == id) use(env);   // the new one; the old one may be alive
    }

private:
    void start_election(auto& env) {
        electing = true;
        env.send(caucus::next, election{id});
    }
    void use(auto& env) {
        electing = false;
        stop_waiting(env);
        holds = true;
        env.arm(leave{}, 1);
    }
    void stop_waiting(auto& env) {
        looking = false;
        env.disarm(token_overdue{});
        env.disarm(really_lost{});
    }
};

/// In somebody's hands or under way.
inline std::size_t tokens_of_the_textbook(const auto& g) {
    using process = textbook_token_ring;
    std::size_t tokens = 0;
    for (std::size_t v = 0; v < g.nodes(); ++v) tokens += g[v].holds;
    g.each_in_flight([&](caucus::node, caucus::node, const process::message& m) {
        tokens += std::holds_alternative<process::token>(m);
    });
    return tokens;
}

struct one_textbook_token {
    bool operator()(const auto& g) const { return tokens_of_the_textbook(g) <= 1; }
};

/// Nobody looks while there is a token: so nobody misses one that is alive.
struct accurate {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].looking) return tokens_of_the_textbook(g) == 0;
        return true;
    }
};

}  // namespace support
