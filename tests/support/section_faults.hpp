// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>
#include <caucus/core/model.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/layer/candid.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/peers.hpp>
#include <support/exclusion_suite.hpp>
#include <support/fault_matrix.hpp>
#include <support/instances.hpp>
#include <support/stacks.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// The rows of tests/fault_matrix.md for exclusion: all ask, some more than once, and something goes
// wrong meanwhile.

namespace support {

/// Where the processes of a run stand, for whoever makes one of them.
template <class Topology>
struct site {
    Topology links;
    std::vector<int> ids;
    std::size_t holder;   // of the token at first, or whoever else is to be special

    std::size_t nodes() const { return links.nodes(); }
    std::vector<int> peers(caucus::node v) const { return peer_ids(links, v, ids); }
};

/// Whoever can say whom it waits for is asked.
template <class P>
auto audible(P process) {
    if constexpr (caucus::detail::says_whom_it_awaits<P>) return caucus::candid{std::move(process)};
    else return process;
}

/// A stack has trouble for so long, and settles.
inline constexpr regime troubled{.runs = 100, .trouble = 1000, .settling = 20'000};

template <class Make>
constexpr auto over_reliable(Make make) {
    return [=](const auto& where, caucus::node v) {
        return caucus::reliable{make(where, v), {.resend_after = 50}};
    };
}

/// Have two entries of a run the same fence?
template <class Fence>
bool fence_repeats(const auto& net) {
    std::vector<Fence> seen;
    bool repeats = false;
    for (const auto& each : net.outcomes())
        caucus::visit_kind(each.outcome, [&](const auto& kind) {
            if constexpr (std::is_same_v<decltype(kind), const caucus::entered<Fence>&>) {
                for (const Fence& other : seen) repeats = repeats || other == kind.fence;
                seen.push_back(kind.fence);
            }
        });
    return repeats;
}

/// One run of applications that enter twice each. `make(site, v)` is the process of node v.
template <class Place, class Make>
void enter_amid(cell& result, fault what, std::uint64_t seed, const regime& how, Place place,
                Make make) {
    using namespace caucus;
    const std::size_t n = nodes_of_run(seed);
    const site where{place(n, seed), shuffled(n, seed), static_cast<std::size_t>(mix(seed)) % n};
    const auto application = [&](node v) {
        return client{audible(make(where, v)),
                      sections{.entries = 2, .thinking = 1 + seed % 20, .staying = 5}};
    };
    using process = decltype(make(where, node{}));
    const auto everybody = [](const auto& net, std::size_t but) {
        for (std::size_t v = 0; v < net.nodes(); ++v)
            if (v != but && net.alive(v) &&
                (!net[v].is_through() || net[v].waits() || net[v].holds()))
                return false;
        return true;
    };
    constexpr std::size_t nobody = ~std::size_t{0};
    using moment = std::function<bool()>;   // one type: run_until is compiled once
    const limits enough{.max_rounds = 200'000, .max_messages = 60'000};

    const auto network = [&](events_options options) {
        return events{where.links, application, std::move(options), watch<process>()};
    };

    rehearsal known;
    known.winner = where.holder;
    {
        auto net = network({.seed = seed, .fifo = how.fifo, .outside_model = true});
        net.start_all();
        net.run_until(moment{[&] { return everybody(net, nobody); }}, enough);
        known.over = net.now();
    }
    const bool by_hand = what == fault::crash || what == fault::crash_of_winner;
    misfortune drawn = draw(by_hand ? fault::none : what, seed, where.links, known, how);
    if (by_hand && how.detector) drawn.options.detector = perfect{5};
    auto net = network(drawn.options);
    net.start_all();

    random_source dice{mix(seed, 0x73656374u)};
    if (what == fault::crash) {   // of somebody who is not inside
        net.run_for(dice.below(known.over + 1));
        while (net[drawn.victim].holds()) drawn.victim = (drawn.victim + 1) % n;
        net.crash(drawn.victim);
    }
    if (what == fault::crash_of_winner) {   // inside, at one of the entries
        const std::uint64_t entry = 1 + dice.below(2 * n);
        const auto& seen = net.watcher().template get<0>();
        net.run_until(moment{[&] { return seen.entries() >= entry; }}, enough);
        for (std::size_t v = 0; v < n; ++v)
            if (net[v].holds()) drawn.victim = v;
        net.crash(drawn.victim);
    }
    if (drawn.back != never) {
        net.run_until(moment{[] { return false; }}, {.max_rounds = drawn.back});
        net.start(drawn.victim);
    }
    limits end = enough;
    if (how.settling != 0) end.max_rounds = drawn.over + how.settling;
    // Whoever comes back with nothing, and is not asked to start, wants nothing.
    const std::size_t idle = what == fault::amnesia && drawn.back == never ? drawn.victim : nobody;
    const moment calm = [&] { return net.now() >= drawn.over && everybody(net, idle); };
    net.run_until(calm, end);

    finding found = everybody(net, idle) ? finding::tolerated : finding::blocks;
    if (!net.watcher().holds()) found = finding::several;
    if (fence_repeats<fence_type_of<process>>(net)) found = finding::unfenced;
    ++result.runs[static_cast<std::size_t>(found)];
    result.unsaid += found == finding::blocks && !says_stalled(net);
}

/// Measures a row of the table of exclusion, and compares it with the page.
template <class Place, class Make>
void check_section_row(const std::string& name, Place place, Make make,
                       regime how = {.runs = 400}) {
    using topology = decltype(place(std::size_t{}, std::uint64_t{}));
    using process = decltype(make(std::declval<const site<topology>&>(), caucus::node{}));
    how.fifo = covers(caucus::assumptions_of<process>().links, caucus::guarantee::fifo);
    compare_row<process>(name, [&](fault what) {
        cell result;
        for (std::uint64_t seed = 1; seed <= how.runs_here(); ++seed)
            enter_amid(result, what, seed, how, place, make);
        return result;
    });
}

}  // namespace support
