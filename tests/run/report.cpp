// SPDX-License-Identifier: MIT
#include <caucus/run/report.hpp>

#include <doctest/doctest.h>

#include "subjects.hpp"

#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/ring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

using namespace caucus;

namespace {

std::uint64_t sum_of(const std::vector<std::uint64_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

/// Follows causal chains message by message, on fifo links: what arrives is what was sent first.
struct chain_oracle : observer {
    void sent(ticks, node v, port p, const auto&) {
        const std::uint64_t chain = longest_at[v] + 1;
        longest = std::max(longest, chain);
        const far_end far = where->across(v, p);
        under_way[{far.node.index, far.port.index()}].push_back(chain);
    }
    void handled(ticks, node v, const auto& in) {
        if constexpr (requires { in.message; }) {
            auto& link = under_way[{v.index, in.from.index()}];
            longest_at[v] = std::max(longest_at[v], link.front());
            link.pop_front();
        }
    }

    const graph* where = nullptr;
    std::map<std::pair<std::size_t, std::size_t>, std::deque<std::uint64_t>> under_way = {};
    std::map<std::size_t, std::uint64_t> longest_at = {};
    std::uint64_t longest = 0;
};

/// Sends one of each kind, of every width.
struct packer {
    struct empty {};
    struct pair { std::uint8_t a; std::uint32_t b; };
    struct perhaps { std::optional<std::uint16_t> value; };
    using message = std::variant<empty, pair, perhaps>;
    using timer = nothing;
    using outcome = nothing;

    void start(auto& env) {
        env.send(next, empty{});
        env.send(next, pair{1, 2});
        env.send(next, perhaps{});
        env.send(next, message{perhaps{7}});
    }
    void on(const auto&, port, auto&) {}
};
/// One kind, of varying width.
struct talker {
    struct speech { std::vector<std::uint8_t> words; };
    using message = speech;
    using timer = nothing;
    using outcome = nothing;

    void start(auto& env) { env.send(next, speech{{1, 2, 3}}); }
    void on(const speech&, port, auto&) {}
};

report of_ring(std::size_t n, detail_level detail) {
    rounds sim{ring{n}, [](node v) { return chang_roberts{v.index}; }, {.detail = detail}};
    sim.start(0);
    return sim.run();
}

}  // namespace

TEST_CASE("report: counts by kind, node and link add up to the messages") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        const auto ids = subjects::shuffled_ids(15, seed);
        const graph g = random_graph(15, 0.3, seed);
        events net{g, [&](node v) { return extinction{ids[v]}; }, {.seed = seed}};
        net.start_all();
        const report r = net.run();
        CHECK(r.by_kind("explorer") + r.by_kind("echo") + r.by_kind("elected") == r.messages);
        CHECK(r.by_kind("elected") == 14);
        CHECK(r.by_kind("election") == 0);
        REQUIRE(r.kinds.size() == 3);
        CHECK(r.kinds[0].name == "explorer");
        CHECK(sum_of(r.by_node) == r.messages);
        CHECK(sum_of(r.by_link) == r.messages);
        for (std::size_t v = 0; v < 15; ++v) {
            std::uint64_t sent = 0;
            for (const port p : ports(g.degree(node{v}))) sent += r.by_link[g.arc(node{v}, p)];
            CHECK(sent == r.by_node[v]);
        }
        CHECK(r.bits == r.messages * (8 + 32));
        CHECK(r.outcomes == net.outcomes().size());
        CHECK(r.size.links == g.links());
        CHECK(r.within_proven());
    }
}

TEST_CASE("report: the longest causal chain is what following every message finds") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        const graph g = random_graph(12, 0.3, seed);
        const auto make = [](node) { return subjects::gossip{}; };
        chain_oracle oracle;
        oracle.where = &g;
        rounds sim{g, make, {.seed = seed}, oracle};
        sim.start(seed % 12);
        CHECK(sim.run().longest_chain == sim.watcher().longest);
        for (const delay_model& delay :
             {delay_model{uniform{1, 9}}, delay_model{exponential{4}}, delay_model{unit{}}}) {
            events net{g, make, {.seed = seed, .delay = delay}, oracle};
            net.start(seed % 12);
            const report r = net.run();
            CHECK(r.longest_chain == net.watcher().longest);
            CHECK(r.longest_chain > 2);
        }
    }
}

TEST_CASE("report: on a ring, one election is one chain") {
    const report r = of_ring(8, detail_level::on);
    CHECK(r.longest_chain == 7 + 8 + 8);   // to the best, round, and round again
    CHECK(r.in_flight_most == 1);
}

TEST_CASE("report: what is in flight counts, also when the run stops before it arrives") {
    for (const bool stepwise : {false, true}) {
        rounds sim{ring{6}, [](node v) { return chang_roberts{v.index}; }};
        events net{ring{6}, [](node v) { return chang_roberts{v.index}; }};
        sim.start_all();
        net.start_all();
        const limits limit = stepwise ? limits{.max_rounds = 0} : limits{};
        CHECK(sim.run(limit).in_flight_most == 6);
        CHECK(net.run(limit).in_flight_most >= 6);
    }
}

TEST_CASE("report: bits are the width of every field, and a byte for the kind") {
    rounds sim{ring{2}, [](node) { return packer{}; }};
    sim.start(0);
    CHECK(sim.run().bits == 8 + (8 + 8 + 32) + (8 + 8) + (8 + 8 + 16));
    rounds one_kind{ring{2}, [](node) { return talker{}; }};
    one_kind.start(0);
    CHECK(one_kind.run().bits == 8 + 32 + 3 * 8);
    rounds small{ring{3}, [](node v) {
        return chang_roberts{static_cast<std::uint16_t>(v.index)};
    }};
    small.start_all();
    const report r = small.run();
    CHECK(r.bits == r.messages * (8 + 16));
}

TEST_CASE("report: proven bounds come from the card, for this size and these initiators") {
    rounds sim{ring{10}, [](node v) { return chang_roberts{10 - v.index}; }};
    sim.start_all();
    const report r = sim.run();
    REQUIRE(r.proven.has_value());
    CHECK(r.proven->most == 10 * 11 / 2 + 10);
    CHECK(r.messages == r.proven->most);
    CHECK(r.within_proven());

    CHECK_FALSE(report{}.within_proven());
    rounds plain{ring{3}, [](node) { return subjects::gossip{}; }};
    plain.start(0);
    CHECK_FALSE(plain.run().proven.has_value());
    CHECK_FALSE(plain.run().within_proven());
}

TEST_CASE("report: messages outside the bounds are not within") {
    report r;
    r.proven = cost{3, 5};
    for (const auto& [messages, inside] :
         {std::pair{2u, false}, {3u, true}, {5u, true}, {6u, false}}) {
        r.messages = messages;
        CHECK(r.within_proven() == inside);
    }
}

TEST_CASE("report: detail is kept up to 4,096 links, always, or never") {
    CHECK(of_ring(4096, detail_level::automatic).by_node.size() == 4096);
    CHECK(of_ring(4097, detail_level::automatic).by_node.empty());
    CHECK(of_ring(4097, detail_level::automatic).longest_chain == 0);
    CHECK(of_ring(4097, detail_level::on).by_link.size() == 4097);
    const report off = of_ring(10, detail_level::off), on = of_ring(10, detail_level::on);
    CHECK(off.by_link.empty());
    CHECK(off.messages == on.messages);
    CHECK(off.bits == on.bits);
}
