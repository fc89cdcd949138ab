// SPDX-License-Identifier: MIT
#include <caucus/exclusion/token_ring.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/ring.hpp>
#include <support/exclusion_suite.hpp>
#include <support/token_rings.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <variant>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

using lock = token_ring<int>;

std::vector<int> numbered(std::size_t n) {
    std::vector<int> ids(n);
    std::iota(ids.begin(), ids.end(), 1);
    return ids;
}
auto ring_of(std::size_t n, token_ring_options common) {
    common.nodes = n;
    return [=](node v) {
        token_ring_options own = common;
        own.has_token = v == 0;
        return token_ring{static_cast<int>(v.index) + 1, own};
    };
}
/// Everybody always wants to enter.
auto eager(std::size_t n) {
    return [=](node v) {
        return client{ring_of(n, {.delay_max = 10})(v), sections{.entries = 250}};
    };
}

}  // namespace

TEST_CASE("token_ring: one message an entry if all always want to, and no bound if nobody does") {
    for (const std::size_t n : {3u, 5u, 10u}) {
        CAPTURE(n);
        events busy{ring{n}, eager(n), {.delay = uniform{1, 10}}, exclusive{}};
        busy.start_all();
        const report warm = busy.run_for(50 * n);
        const std::size_t before = busy.watcher().entries();
        const report later = busy.run_for(400 * n);
        const std::size_t entries = busy.watcher().entries() - before;
        CHECK(entries > 40 * n);
        CHECK(later.messages - warm.messages >= entries - 1);   // where the time ends
        CHECK(later.messages - warm.messages <= entries + 1);
        CHECK(busy.watcher().holds());

        rounds idle{ring{n}, ring_of(n, {.hold = 0})};
        idle.start_all();
        CHECK(idle.run({.max_rounds = 100}).messages >= 100);
        rounds rested{ring{n}, ring_of(n, {.hold = 9})};
        rested.start_all();
        CHECK(rested.run({.max_rounds = 100}).messages == 10);   // a tenth of that
    }
}

TEST_CASE("token_ring: alone one waits 0 to n-1 hops, however many ticks each takes") {
    const std::size_t n = 6;
    for (std::size_t passed = 0; passed < n; ++passed) {
        rounds sim{ring{n}, ring_of(n, {.hold = 3})};
        sim.start_all();
        const auto is_at = [&](std::size_t v) { return [&, v] { return sim[v].has_token(); }; };
        sim.run_until(is_at(passed));
        for (std::size_t v = 0; v < n; ++v) {
            rounds copy{sim};
            const std::uint64_t before = copy.run_for(0).messages;
            static_cast<void>(copy.call(v, request::enter{}));
            const report r = copy.run_until([&] { return copy[v].holds(); });
            CHECK(r.messages - before == (v + n - passed) % n);
        }
    }
}

TEST_CASE("token_ring: whoever waits is served within n-1 other sections") {
    std::size_t most = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        random_source dice{seed};
        const std::size_t n = 1 + dice.below(6);
        events net{ring{n}, ring_of(n, {.delay_max = 10, .stay_max = 12}),
                   {.seed = seed, .delay = uniform{1, 10}, .fifo = seed % 2 == 0}};
        net.start_all();
        std::vector<std::size_t> others(n, 0);
        std::vector<ticks> inside(n, 0);
        std::size_t heard = 0;
        for (ticks t = 0; t < 600; ++t) {
            for (std::size_t v = 0; v < n; ++v) {
                if (net[v].holds() && (++inside[v] == 10 || dice.below(5) == 0))
                    static_cast<void>(net.call(v, request::leave{}));
                if (!net[v].waits() && dice.below(8) == 0)
                    static_cast<void>(net.call(v, request::enter{}));
            }
            net.run_for(1);
            for (; heard < net.outcomes().size(); ++heard) {
                const auto& o = net.outcomes()[heard];
                if (!std::holds_alternative<entered<lock::fence_type>>(o.outcome)) continue;
                CHECK(others[o.node] < n);
                most = std::max(most, others[o.node]);
                inside[o.node] = others[o.node] = 0;
                for (std::size_t u = 0; u < n; ++u) others[u] += net[u].waits();
            }
        }
        CHECK(heard > 20);
    }
    CHECK(most == 5);   // n-1 of the greatest n: the bound is met
}

TEST_CASE("token_ring: a new token costs n to n(n+1)/2 messages of election, and a lap") {
    for (std::size_t n = 1; n <= 5; ++n) {
        CAPTURE(n);
        cost measured{never, 0};
        std::vector<int> ids = numbered(n);
        do {
            for (unsigned early = 1; early < 1u << n; ++early) {
                events net{ring{n},
                           [&](node v) { return token_ring{ids[v], {.nodes = n, .hold = 0}}; },
                           {.delay = unit{}, .timers_by_hand = true}};
                net.start_all();
                for (std::size_t v = 0; v < n; ++v)
                    if ((early >> v & 1) != 0) net.expire(v, lock::token_overdue{});
                const auto restored = [&] {
                    std::size_t knowing = 0;
                    for (std::size_t v = 0; v < n; ++v)
                        knowing += net[v].generation().number == 1 && !net[v].is_electing();
                    return knowing == n;
                };
                report r = net.run_until(restored);
                CHECK(r.by_kind("token") == n);   // it has left the last one, too
                measured.least = std::min(measured.least, r.by_kind("election"));
                measured.most = std::max(measured.most, r.by_kind("election"));
                r = net.run_for(2 * n);
                CHECK(r.by_kind("election") <= measured.most);   // nothing of it goes on
            }
        } while (std::next_permutation(ids.begin(), ids.end()));
        CHECK(measured.least == lock::recovery(n).least);
        CHECK(measured.most == lock::recovery(n).most);
    }
}

TEST_CASE("token_ring: if ranks follow ids, the best alone misses a lost token: n messages") {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        random_source dice{seed};
        const std::size_t n = 2 + dice.below(6);
        std::vector<int> ids = numbered(n);
        for (std::size_t i = n; i > 1; --i) std::swap(ids[i - 1], ids[dice.below(i)]);
        const auto cost_with = [&](bool ranked) {
            const auto make = [&](node v) {
                const std::size_t rank = n - static_cast<std::size_t>(ids[v]);
                return token_ring{ids[v], {.nodes = n, .has_token = v == 0, .delay_max = 10,
                                           .rank = ranked ? rank : 0}};
            };
            const std::size_t lost = 2 * n + dice.below(n);   // that message, a token
            std::size_t sent = 0;
            events net{ring{n}, make,
                       {.seed = seed, .delay = uniform{1, 10},
                        .copies = [&](const hop&) { return std::size_t{sent++ != lost}; }}};
            net.start_all();
            return net.run_for(40 * 11 * n).by_kind("election");
        };
        CHECK(cost_with(true) == n);
        CHECK(cost_with(false) >= n);
    }
}

TEST_CASE("token_ring: ten thousand ask at once: each enters, a message each") {
    const std::size_t n = 10'000;
    const auto all_at_once = [](node v) {
        return client{token_ring{static_cast<int>(v.index),
                                 {.nodes = 10'000, .has_token = v == 0, .delay_max = 10}},
                      sections{}};
    };
    events net{ring{n}, all_at_once, {.delay = uniform{1, 10}, .keep_outcomes = false},
               exclusive{}};
    net.start_all();
    const report r = net.run_until([&] { return net.watcher().entries() == n; });
    CHECK(r.messages <= n + 1);
    CHECK(r.by_kind("election") == 0);
    CHECK(net.watcher().holds());
}

// Outside the model

TEST_CASE("token_ring: two that were told to begin with the token: one of the two is destroyed") {
    for (std::size_t n = 2; n <= 5; ++n) {
        rounds sim{ring{n}, [&](node v) {
            return token_ring{static_cast<int>(v.index), {.nodes = n, .has_token = v <= 1}};
        }};
        sim.start_all();
        sim.run({.max_rounds = 10 * n});
        std::size_t newest = 0;
        for (std::size_t v = 0; v < n; ++v) newest += sim[v].generation().leader == 1;
        CHECK(newest == n);
        const std::uint64_t before = sim.run_for(0).messages;
        CHECK(sim.run_for(20).messages == before + 10);   // a single one, held for a tick each
    }
}

TEST_CASE("token_ring: nobody was told: the best makes the first one") {
    rounds sim{ring{4}, [](node v) {
        return token_ring{static_cast<int>(v.index), {.nodes = 4}};
    }};
    sim.start_all();
    sim.run({.max_rounds = 40});
    for (std::size_t v = 0; v < 4; ++v) CHECK(sim[v].generation().leader == 3);
}
