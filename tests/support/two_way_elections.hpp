// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <doctest/doctest.h>
#include <support/instances.hpp>
#include <support/ring_runs.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

/// Elections on two-way rings, by their ids.
namespace support {

/// On `rounds`, all of `starters` in round 0.
template <class Make>
caucus::report in_rounds(const Make& make, const std::vector<std::size_t>& starters) {
    caucus::rounds sim{caucus::two_way_ring{make.ids.size()}, make};
    for (const std::size_t v : starters) sim.start(v);
    return sim.run();
}
template <class Make>
caucus::report in_rounds(const Make& make) {
    return in_rounds(make, everybody(make.ids.size()));
}

/// The whole contract on `rounds`: it ends, the right one leads, at proven cost and in proven time.
template <class Make>
void check_in_rounds(const Make& make, const std::vector<std::size_t>& starters, int expected) {
    caucus::rounds sim{caucus::two_way_ring{make.ids.size()}, make};
    for (const std::size_t v : starters) sim.start(v);
    const caucus::report r = sim.run();
    REQUIRE(r.stopped == caucus::stop::quiescent);
    CHECK(r.within_proven());
    using process = std::invoke_result_t<const Make&, caucus::node>;
    if constexpr (requires { process::time(r.size); })
        CHECK(process::time(r.size).contains(r.rounds));
    check_elected(sim, expected);
}

/// The same on `events`; gives the number of messages.
template <class Make>
std::uint64_t check_in_events(const Make& make, const std::vector<std::size_t>& starters,
                              int expected, const caucus::events_options& options) {
    caucus::events net{caucus::two_way_ring{make.ids.size()}, make, options};
    for (const std::size_t v : starters) net.start(v);
    const caucus::report r = net.run();
    REQUIRE(r.stopped == caucus::stop::quiescent);
    CHECK(r.within_proven());
    check_elected(net, expected);
    return r.messages;
}

struct extremes {
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t most = 0;

    void add(std::uint64_t x) {
        least = std::min(least, x);
        most = std::max(most, x);
    }
};

/// Every order of the ids 1 … n up to rotation: n stands at node 0.
inline void each_ring(std::size_t n, auto visit) {
    each_permutation(n - 1, [&](std::vector<int> ids) {
        ids.insert(ids.begin(), static_cast<int>(n));
        visit(ids);
    });
}

/// What was sent and found out, a line each, by time and node, with the first field of a message.
struct story_teller : caucus::observer {
    struct line {
        caucus::ticks at;
        std::size_t node;
        std::string words;
    };
    std::vector<line>* lines = nullptr;

    template <class Kind>
    void sent(caucus::ticks at, caucus::node v, caucus::port p, const Kind& kind) {
        const caucus::text name = caucus::kind_name<Kind>();
        lines->push_back({at, v, std::string(name.data(), name.size()) + " " +
                                     std::to_string(std::get<0>(caucus::fields_of(kind))) +
                                     (p == caucus::next ? " >" : " <")});
    }
    void reported(caucus::ticks at, caucus::node v, const auto& o) {
        lines->push_back({at, v, "knows " + std::to_string(o.leader)});
    }
};
inline std::string in_order(std::vector<story_teller::line> lines) {
    std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
        return a.at != b.at ? a.at < b.at : a.node < b.node;
    });
    std::string all;
    for (const auto& l : lines)
        all += std::to_string(l.at) + ": " + std::to_string(l.node) + " " + l.words + "\n";
    return all;
}
template <class Make>
std::string told(const Make& make) {
    std::vector<story_teller::line> lines;
    story_teller teller;
    teller.lines = &lines;
    caucus::rounds sim{caucus::two_way_ring{make.ids.size()}, make, {}, teller};
    sim.start_all();
    sim.run();
    return in_order(lines);
}

/// An environment that only takes notes; its coins fall as they are told to.
template <class P>
struct notes {
    struct letter {
        caucus::port out;
        typename P::message message;
    };
    std::vector<letter> out{};
    std::size_t told = 0;
    std::size_t coin = 0;

    std::size_t degree() const { return 2; }
    void send(caucus::port p, const typename P::message& m) { out.push_back({p, m}); }
    void broadcast(const typename P::message& m) {
        send(caucus::next, m);
        send(caucus::prev, m);
    }
    std::size_t choose(std::size_t) const { return coin; }
    void report(const typename P::outcome&) { ++told; }
};

}  // namespace support
