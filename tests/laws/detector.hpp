// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/random.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>
#include <support/instances.hpp>
#include <support/least.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

// The laws of failure detectors that are layers, over a process that writes down what it hears. A
// harness has make(), a node's process; `delays`, which it stands without a wrong suspicion;
// `notices`, the time in which everybody notices any change when messages take no longer.

namespace laws {

/// What u has heard of the neighbour behind port p.
inline std::vector<bool> words_on(const auto& process, caucus::port p) {
    std::vector<bool> heard;
    for (const auto& word : process.process().words)
        if (word.whom == p) heard.push_back(word.suspected);
    return heard;
}
inline std::size_t words_in(const auto& net) {
    std::size_t count = 0;
    for (std::size_t v = 0; v < net.nodes(); ++v) count += net[v].process().words.size();
    return count;
}

/// Suspicion first, then they alternate, and the last word is what the detector says when asked.
inline void check_alternate(const auto& net) {
    for (std::size_t v = 0; v < net.nodes(); ++v) {
        for (const caucus::port p : caucus::ports(net.nodes() - 1)) {
            bool suspected = false;
            bool alternate = true;
            for (const bool word : words_on(net[v], p)) {
                alternate = alternate && word != suspected;
                suspected = word;
            }
            CHECK(alternate);
            CHECK(net[v].suspects(p) == suspected);
        }
    }
}
/// Every word names a life, none goes back to a former one, and trust is in the present one.
inline void check_lives(const auto& net) {
    const std::size_t n = net.nodes();
    for (std::size_t v = 0; v < n; ++v) {
        const auto& heard = net[v].process();
        for (std::size_t u = 0; u < n; ++u) {
            if (u == v || !net.alive(v)) continue;
            caucus::incarnation latest{};
            bool named = true;
            bool in_order = true;
            bool trusted = false;
            for (std::size_t i = 0; i < heard.words.size(); ++i) {
                if (heard.words[i].whom != support::way(v, u, n)) continue;
                named = named && heard.lives[i].has_value();
                if (!named) break;
                in_order = in_order && latest <= *heard.lives[i];
                latest = *heard.lives[i];
                trusted = !heard.words[i].suspected;
            }
            CHECK(named);
            CHECK(in_order);
            if (trusted) CHECK(latest == net.incarnation(u));
        }
    }
}
/// Every live node suspects exactly the dead.
inline void check_true(const auto& net) {
    const std::size_t n = net.nodes();
    for (std::size_t v = 0; v < n; ++v)
        for (std::size_t u = 0; u < n; ++u)
            if (u != v && net.alive(v)) {
                CAPTURE(v);
                CAPTURE(u);
                CHECK(net[v].suspects(support::way(v, u, n)) == !net.alive(u));
            }
}
/// The truth is known, and for so long nobody says anything else.
inline void check_settled(auto& net, caucus::ticks quiet) {
    check_true(net);
    check_alternate(net);
    check_lives(net);
    const std::size_t so_far = words_in(net);
    net.run_for(quiet);
    CHECK(words_in(net) == so_far);
}

/// A bully, one of four with the ids 4, 1, 3 and 2.
template <class... Policies>
auto quick_bully(caucus::node v) {
    static const std::vector<int> ids{4, 1, 3, 2};
    return caucus::bully{ids[v], peer_ids(caucus::complete{4}, v, ids), {.delay_max = 10},
                         Policies{}...};
}
/// Those four inside detectors: 4 leads, and 3 when its node has crashed.
inline void check_follows_the_best(auto& net) {
    net.start(1);
    net.run_for(500);
    for (std::size_t v = 0; v < 4; ++v) CHECK(net[v].process().leader() == 4);
    net.crash(0);
    net.run_for(500);
    for (std::size_t v = 1; v < 4; ++v) CHECK(net[v].process().leader() == 3);
}

inline void nobody_suspects_when_nothing_fails(auto harness) {
    for (const std::size_t n : {1u, 2u, 3u, 5u, 9u}) {
        for (const std::uint64_t seed : {1u, 2u, 3u}) {
            CAPTURE(n);
            CAPTURE(seed);
            caucus::events net{caucus::complete{n}, [&](caucus::node) { return harness.make(); },
                               {.seed = seed, .delay = harness.delays, .fifo = seed % 2 == 0}};
            if (seed == 3) net.start(0);   // the others are woken
            else net.start_all();
            net.start(0);
            const caucus::report r = net.run_for(20 * harness.notices);
            CHECK(words_in(net) == 0);
            CHECK((n == 1 || r.messages > 0));
        }
        caucus::rounds sim{caucus::complete{n}, [&](caucus::node) { return harness.make(); }};
        sim.start_all();
        sim.run_for(5 * harness.notices);
        CHECK(words_in(sim) == 0);
    }
}

/// Strong completeness.
inline void the_dead_are_suspected_by_everybody_for_good(auto harness) {
    for (const std::size_t n : {2u, 3u, 6u}) {
        for (std::size_t dead = 1; dead < n; dead += 2) {
            for (std::uint64_t seed = 1; seed <= 6; ++seed) {
                CAPTURE(n);
                CAPTURE(dead);
                CAPTURE(seed);
                caucus::events net{caucus::complete{n},
                                   [&](caucus::node) { return harness.make(); },
                                   {.seed = seed, .delay = harness.delays}};
                net.start_all();
                net.run_for(harness.notices + 7 * seed);
                for (std::size_t v = 0; v < dead; ++v) net.crash(v);
                net.run_for(harness.notices);
                check_true(net);
                for (std::size_t v = dead; v < n; ++v)
                    CHECK(net[v].process().words.size() == dead);
                net.run_for(10 * harness.notices);
                for (std::size_t v = dead; v < n; ++v)
                    CHECK(net[v].process().words.size() == dead);
                check_alternate(net);
            }
        }
    }
}

/// Eventual accuracy: what chaos brings about is over some time after the chaos is.
inline void wrong_suspicions_end_when_the_chaos_does(auto harness) {
    std::size_t wrong = 0;
    for (std::uint64_t seed = 1; seed <= (support::sanitized ? 4 : 12); ++seed) {
        CAPTURE(seed);
        const std::size_t n = 2 + seed % 4;
        const caucus::ticks chaos = 6 * harness.notices;
        const auto rule = [=](const caucus::hop& h, caucus::random_source& bits) {
            if (h.sent >= chaos) return harness.delays.draw(bits);
            if (bits.below(10) < 4) return caucus::never;   // lost
            return 1 + bits.below(harness.notices);
        };
        caucus::events net{caucus::complete{n}, [&](caucus::node) { return harness.make(); },
                           {.seed = seed, .delay = caucus::by_hand{rule}, .fifo = false}};
        net.start_all();
        net.run_for(chaos);
        wrong += words_in(net);
        net.run_for(4 * harness.notices);
        check_settled(net, 20 * harness.notices);
    }
    CHECK(wrong > 0);
}

/// Long dead or back at once: everybody notices that it was away, and trusts it.
inline void a_restart_is_noticed_and_forgiven(auto harness) {
    for (const caucus::ticks away : {caucus::ticks{1}, 3 * harness.notices}) {
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            CAPTURE(away);
            CAPTURE(seed);
            const std::size_t n = 1 + seed;
            caucus::events net{caucus::complete{n}, [&](caucus::node) { return harness.make(); },
                               {.seed = seed, .delay = harness.delays, .fifo = seed % 2 == 0}};
            net.start_all();
            for (std::size_t lives = 1; lives <= 3; ++lives) {
                net.run_for(harness.notices + seed);
                net.crash(0);
                net.run_for(away);
                net.restart(0);
                net.run_for(2 * harness.notices);
                check_true(net);
                check_alternate(net);
                for (std::size_t v = 1; v < n; ++v)
                    CHECK(words_on(net[v], support::way(v, 0, n)).size() == 2 * lives);
            }
        }
    }
}

/// Crashes, restarts and chaos at random; then the truth is known, and stays.
inline void after_any_faults_the_truth_is_known(auto harness) {
    for (std::uint64_t seed = 1; seed <= (support::sanitized ? 5 : 25); ++seed) {
        CAPTURE(seed);
        caucus::random_source dice{seed};
        const std::size_t n = 2 + dice.below(5);
        const caucus::ticks chaos = 8 * harness.notices;
        const auto rule = [=](const caucus::hop& h, caucus::random_source& bits) {
            if (h.sent >= chaos) return harness.delays.draw(bits);
            if (bits.below(10) == 0) return caucus::never;
            return caucus::heavy_tailed{1, harness.notices}.draw(bits);
        };
        caucus::events net{caucus::complete{n}, [&](caucus::node) { return harness.make(); },
                           {.seed = seed, .delay = caucus::by_hand{rule}, .fifo = false}};
        net.start_all();
        while (net.now() < chaos) {
            net.run_for(1 + dice.below(harness.notices));
            const std::size_t v = dice.below(n);
            if (net.alive(v)) net.crash(v);
            else net.restart(v);
        }
        net.run_for(6 * harness.notices);
        check_settled(net, 10 * harness.notices);
    }
}

inline void detector(auto harness) {
    SUBCASE("nobody suspects when nothing fails") { nobody_suspects_when_nothing_fails(harness); }
    SUBCASE("complete") { the_dead_are_suspected_by_everybody_for_good(harness); }
    SUBCASE("accurate in the end") { wrong_suspicions_end_when_the_chaos_does(harness); }
    SUBCASE("a restart is noticed and forgiven") { a_restart_is_noticed_and_forgiven(harness); }
    SUBCASE("after any faults") { after_any_faults_the_truth_is_known(harness); }
}

}  // namespace laws
