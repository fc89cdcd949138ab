// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/dispatch.hpp>
#include <caucus/core/process.hpp>
#include <caucus/run/simulation/network.hpp>
#include <caucus/trace/trace_hash.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

/// Small processes that show what an executor does, and ways to look at a whole run.
namespace subjects {

/// Tosses coins, arms timers, reports and sends, at every turn; ends when the hops are used up.
struct gossip {
    struct rumour { std::uint32_t tale; std::uint32_t hops_left; };
    struct retell { std::uint32_t tale; };
    struct heard { std::uint32_t tale; };
    using message = rumour;
    using timer = retell;
    using outcome = heard;
    static constexpr bool tosses_coins = true;

    constexpr void start(auto& env) {
        env.broadcast(rumour{static_cast<std::uint32_t>(env.choose(1000)), 8});
    }
    constexpr void on(rumour m, caucus::port from, auto& env) {
        digest = caucus::mix(digest, m.tale + 1000 * from);
        env.report(heard{m.tale});
        if (m.hops_left == 0) return;
        if (env.choose(2) == 0) env.arm(retell{m.tale % 7}, 1 + env.choose(5));
        if (env.choose(3) == 0) env.disarm(retell{m.tale % 5});
        const caucus::port p{env.choose(env.degree())};
        env.send(p, rumour{m.tale + static_cast<std::uint32_t>(env.choose(2)), m.hops_left - 1});
    }
    constexpr void on(retell t, auto& env) {
        env.send(caucus::port{env.choose(env.degree())}, rumour{t.tale, 1});
    }

    std::uint64_t digest = 0;
};

/// Writes down what happens to it, in order: messages by port and number, timers by number.
/// On start it does what its script says.
struct diary {
    struct note { int number; };
    struct alarm { int number; };
    using message = note;
    using timer = alarm;
    using outcome = caucus::nothing;
    struct line {
        int port;   // -1: a timer
        int number;
        caucus::ticks at;
        friend constexpr bool operator==(const line&, const line&) = default;
    };
    struct act {
        int port;   // -1: arm the alarm
        int number;
        caucus::ticks delay = 0;
    };

    constexpr void start(auto& env) {
        for (const act& a : script) {
            if (a.port < 0) env.arm(alarm{a.number}, a.delay);
            else env.send(caucus::port{a.port}, note{a.number});
        }
    }
    constexpr void on(note m, caucus::port from, auto& env) {
        lines.push_back({static_cast<int>(from.index()), m.number, env.now()});
    }
    constexpr void on(alarm t, auto& env) { lines.push_back({-1, t.number, env.now()}); }

    std::vector<act> script = {};
    std::vector<line> lines = {};
};

inline bool same_counts(const caucus::report& a, const caucus::report& b) {
    bool same_kinds = a.kinds.size() == b.kinds.size();
    for (std::size_t i = 0; same_kinds && i < a.kinds.size(); ++i)
        same_kinds = a.kinds[i].name == b.kinds[i].name &&
                     a.kinds[i].messages == b.kinds[i].messages;
    return same_kinds && a.messages == b.messages && a.bits == b.bits && a.rounds == b.rounds &&
           a.stopped == b.stopped && a.in_flight_most == b.in_flight_most &&
           a.outcomes == b.outcomes && a.lost == b.lost && a.size.nodes == b.size.nodes &&
           a.size.links == b.size.links && a.size.initiators == b.size.initiators &&
           a.longest_chain == b.longest_chain && a.by_node == b.by_node && a.by_link == b.by_link;
}

template <class Outcome>
bool same_outcomes(const std::vector<caucus::reported<Outcome>>& a,
                   const std::vector<caucus::reported<Outcome>>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i].node != b[i].node || a[i].at != b[i].at ||
            !caucus::same(a[i].outcome, b[i].outcome))
            return false;
    return true;
}

/// 0 … n-1 in an order that the seed decides.
inline std::vector<std::uint32_t> shuffled_ids(std::size_t n, std::uint64_t seed) {
    std::vector<std::uint32_t> ids(n);
    for (std::size_t i = 0; i < n; ++i) ids[i] = static_cast<std::uint32_t>(i);
    caucus::random_source{seed}.shuffle(ids);
    return ids;
}

}  // namespace subjects
