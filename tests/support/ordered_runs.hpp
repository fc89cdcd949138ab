// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/random.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/layer/load.hpp>
#include <caucus/multicast/deliveries.hpp>
#include <caucus/multicast/properties.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/swarm.hpp>
#include <caucus/topology/complete.hpp>

#include <support/casts.hpp>
#include <support/lives_watch.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// Multicasts and orders over them, with ids 0, 1, … and payloads that are numbers: every schedule
// of a few messages, and many runs of many.

namespace support {

using casting = caucus::script<caucus::request::broadcast<int>>;
/// Whatever M is, with an application that sends and remembers.
template <class M>
using caster = caucus::client<M, casting, caucus::deliveries_log>;

/// So many messages of each node: those of node v are 10v, 10v + 1, …
template <class Make>
auto casters(const Make& make, std::vector<std::size_t> counts) {
    return [make, counts](caucus::node v) {
        std::vector<caucus::request::broadcast<int>> wants;
        for (std::size_t i = 0; v < counts.size() && i < counts[v]; ++i)
            wants.push_back({static_cast<int>(10 * v + i)});
        using made = decltype(make(v));
        return caster<made>{make(v), casting{wants, {.retries = 0, .again = true}}, {}};
    };
}

/// Somebody holds something back.
struct holds_back {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].process().held() != 0) return true;
        return false;
    }
};
/// All have been delivered so many.
struct delivers_all {
    std::size_t count;
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].log().delivered() != count) return false;
        return true;
    }
};

struct storm_tally {
    std::uint64_t runs = 0;
    std::uint64_t bad = 0;
    std::uint64_t unsettled = 0;
    std::uint64_t delivered = 0;
    std::uint64_t missed = 0;
    std::uint64_t came_back = 0;   // runs in which somebody did
};

/// One run: everybody sends until it heals; then nothing but what `after` says. What was delivered
/// is judged, and if nobody came back or missed anything, also whether all was.
struct storm {
    caucus::ordering order = caucus::ordering::causal;
    bool without_gaps = true;
    bool settles = true;
    caucus::ticks heals_at = 2000;
    caucus::ticks after = 20'000;

    void run(std::uint64_t seed, std::size_t nodes, const auto& make,
             const caucus::events_options& how, storm_tally& sum) const {
        using namespace caucus;
        using watch = counting_watch;
        events net{complete{nodes}, make, how, watch{nodes}};
        net.start_all();
        random_source bits{mix(seed, 0x6f72646572u)};
        int sent = 0;
        while (net.now() < heals_at) {
            net.run_for(1 + bits.below(60));
            for (std::uint64_t burst = 1 + bits.below(3); burst != 0; --burst) {
                const auto v = static_cast<std::size_t>(bits.below(nodes));
                if (!net.alive(v)) continue;
                const answer said = net.watcher().ask(net, v, request::broadcast<int>{++sent});
                if constexpr (kind_of<request::join, requests_of<decltype(make(node{0}))>>)
                    if (said == answer::not_a_member)
                        static_cast<void>(net.watcher().ask(net, v, request::join{}));
            }
        }
        net.run_for(after);
        const auto judge = net.watcher().judged(net);
        const char* broken = judge.broken(order, without_gaps && net.watcher().missed == 0);
        const char* unsettled = judge.unsettled();
        const bool back = net.watcher().anybody_came_back();
        if (broken == nullptr && settles && !back && net.watcher().missed == 0)
            broken = unsettled;
        if (broken != nullptr) if (sum.bad < 3) MESSAGE("seed ", seed, ": ", std::string(broken));
        ++sum.runs;
        sum.bad += broken != nullptr;
        sum.unsettled += unsettled != nullptr;
        sum.came_back += back;
        sum.missed += net.watcher().missed;
        for (std::size_t v = 0; v < nodes; ++v) sum.delivered += net.watcher().of(v).delivered();
    }

private:
    struct counting_watch : lives_watch<caucus::deliveries<int, int>> {
        using lives_watch::lives_watch;
        std::uint64_t missed = 0;
        void reported(caucus::ticks at, caucus::node v, const auto& outcome) {
            caucus::visit_kind(outcome, [&](const auto& kind) {
                if constexpr (requires { kind.count; }) missed += kind.count;
            });
            lives_watch::reported(at, v, outcome);
        }
    };
};

}  // namespace support
