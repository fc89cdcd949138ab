// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/election/complete/bully.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>

#include <doctest/doctest.h>
#include <support/instances.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace support {

template <class... Policies>
auto nodes_with(const std::vector<int>& ids, caucus::bully_options options = {}) {
    return [&ids, options](caucus::node v) {
        const caucus::complete all{ids.size()};
        return caucus::bully{ids[v], peer_ids(all, v, ids), options, Policies{}...};
    };
}

std::size_t leaders_alive(const auto& net) {
    std::size_t count = 0;
    for (std::size_t v = 0; v < net.nodes(); ++v) count += net.alive(v) && net[v].is_leader();
    return count;
}

void check_agreed(const auto& net) {
    int best = 0;
    for (std::size_t v = 0; v < net.nodes(); ++v)
        if (net.alive(v)) best = std::max(best, net[v].id());
    for (std::size_t v = 0; v < net.nodes(); ++v)
        if (net.alive(v)) CHECK(net[v].leader() == best);
}

/// Ids rise with the nodes, unit delays; the last one leads. What an event costs from then on.
template <class... Policies>
struct established {
    explicit established(std::size_t n)
        : ids(ascending(n)),
          net(caucus::complete{n}, nodes_with<Policies...>(ids), {.delay = caucus::unit{}}) {
        net.start(n - 1);
        before = net.run();
        CHECK(before.messages == n - 1);
        check_agreed(net);
    }
    /// Messages since, of all kinds or of one.
    std::uint64_t cost() {
        const caucus::report after = net.run();
        return after.messages - before.messages;
    }
    std::uint64_t cost_of(caucus::text kind) {
        return net.run().by_kind(kind) - before.by_kind(kind);
    }

    std::vector<int> ids;
    caucus::events<caucus::complete, decltype(nodes_with<Policies...>(ids))> net;
    caucus::report before;
};

/// The best of n is dead, and only the i-th finds out: how many delays until all have a new leader,
/// if every message takes just as long as it may.
template <class... Policies>
caucus::ticks latencies(std::size_t n, std::size_t i, caucus::ticks delay) {
    const std::vector<int> ids = ascending(n);
    caucus::events net{caucus::complete{n}, nodes_with<Policies...>(ids, {.delay_max = delay}),
                       {.delay = caucus::uniform{delay, delay}}};
    net.start(n - 1);
    net.run();
    const caucus::ticks died = net.now();
    net.crash(n - 1);
    net.suspect(i - 1, way(i - 1, n - 1, n));
    net.run();
    check_agreed(net);
    return (net.outcomes().back().at - died) / delay;
}

/// An environment that only takes notes, with two ports.
template <class P>
struct bully_notes {
    std::vector<std::pair<std::size_t, typename P::message>> out{};
    std::vector<int> told{};
    std::vector<caucus::ticks> waits{};

    std::size_t degree() const { return 2; }
    void send(caucus::port p, const typename P::message& m) { out.emplace_back(p, m); }
    void broadcast(const typename P::message& m) {
        for (const caucus::port p : caucus::ports(2)) send(p, m);
    }
    void arm(const typename P::timer&, caucus::ticks delay) { waits.push_back(delay); }
    void disarm(const typename P::timer&) {}
    void report(const typename P::outcome& o) { told.push_back(o.leader); }
};

}  // namespace support
