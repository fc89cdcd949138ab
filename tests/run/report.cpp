// SPDX-License-Identifier: MIT
#include <caucus/run/report.hpp>

#include <doctest/doctest.h>

#include "../laws/topology.hpp"
#include "subjects.hpp"

#include <caucus/election/complete/bully.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
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
using laws::refusal;

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

/// Two kinds with one name.
struct namesakes {
    struct first { struct word {}; };
    struct second { struct word {}; };
    using message = std::variant<first::word, second::word>;
    using timer = nothing;
    using outcome = nothing;

    constexpr void start(auto& env) {
        env.send(next, first::word{});
        env.send(next, second::word{});
        env.send(next, second::word{});
    }
    constexpr void on(const auto&, port, auto&) {}
};
/// Sends once whenever it is started or comes back, as is proven of a single start.
struct repeating {
    struct word {};
    using message = word;
    using timer = nothing;
    using outcome = word;
    static constexpr cost messages(size s) { return {s.initiators, s.initiators}; }

    std::size_t number;
    constexpr void start(auto& env) { env.send(next, word{}); }
    constexpr void on(word w, port, auto& env) { env.report(w); }
    constexpr void on(const recovered<>&, auto& env) { start(env); }
};
/// Starts again at a detector's word, of one kind or the other, or never.
struct alarmed : repeating {
    bool at_suspicions = false;
    bool at_trust = false;
    using repeating::on;
    constexpr void on(suspect, auto& env) {
        if (at_suspicions) start(env);
    }
    constexpr void on(trust, auto& env) {
        if (at_trust) start(env);
    }
};
/// Sends nothing, ever; or would like to, later.
struct mute {
    using message = nothing;
    struct alarm {};
    using timer = alarm;
    using outcome = nothing;
    ticks delay = 0;
    constexpr void start(auto& env) {
        if (delay != 0) env.arm(alarm{}, delay);
    }
    constexpr void on(alarm, auto&) {}
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
        CHECK(refusal([&] { static_cast<void>(r.by_kind("election")); }) ==
              "report: no message kind election; there are explorer, echo, elected");
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

TEST_CASE("report: what is proven of one election is not stated of two") {
    const auto make = [](node v) { return chang_roberts{10 - v.index}; };
    rounds late{ring{10}, make};
    late.start(0);
    late.run_for(3);
    late.start(7);                          // still the same election
    CHECK(late.run().within_proven());
    late.start(8);                          // no effect: it knows the leader
    CHECK(late.run().proven.has_value());

    rounds fresh{ring{5}, [](node v) { return repeating{v.index}; }};
    fresh.start_all();
    CHECK(fresh.run().within_proven());
    fresh.start_all();
    const report two = fresh.run();
    CHECK(two.messages == 10);
    CHECK_FALSE(two.proven.has_value());
    CHECK_FALSE(two.within_proven());

    rounds same_node{ring{5}, [](node v) { return repeating{v.index}; }};
    same_node.start(0);
    same_node.start(0);
    CHECK_FALSE(same_node.run().proven.has_value());

    rounds other_node{ring{5}, [](node v) { return repeating{v.index}; }};
    other_node.start(0);
    CHECK(other_node.run().proven.has_value());
    other_node.start(3);                    // all had come to rest, with an outcome
    CHECK_FALSE(other_node.run().proven.has_value());

    events reborn{ring{5}, [](node v) { return repeating{v.index}; }};
    reborn.start(0);
    CHECK(reborn.run().proven.has_value());
    reborn.crash(1);
    CHECK(reborn.run().proven.has_value());
    reborn.restart(1);                      // and sends again
    CHECK_FALSE(reborn.run().proven.has_value());
}

TEST_CASE("report: nor where anything follows from a detector's word: it may begin another") {
    const auto after_words = [](bool at_suspicions, bool at_trust, auto words) {
        events net{complete{3}, [=](node v) {
            return alarmed{{v.index}, at_suspicions, at_trust};
        }, {.detector = perfect{2}}};
        net.start(0);
        CHECK(net.run().within_proven());
        words(net);
        return net.run().proven.has_value();
    };
    const auto by_hand = [](auto& net) {
        net.suspect(1, port{0});
        net.trust(1, port{0});
    };
    const auto by_detector = [](auto& net) { net.crash(2); };
    CHECK(after_words(false, false, by_hand));
    CHECK_FALSE(after_words(true, false, by_hand));
    CHECK_FALSE(after_words(false, true, by_hand));
    CHECK(after_words(false, false, by_detector));
    CHECK_FALSE(after_words(true, false, by_detector));

    events unasked{complete{3}, [](node v) { return alarmed{{v.index}, true, false}; }};
    unasked.suspect(1, port{0});   // before any start
    CHECK_FALSE(unasked.run().proven);

    // bully: each death of a leader is another election.
    const std::vector<int> ids{1, 2, 3, 4};
    events net{complete{4}, [&](node v) {
        std::vector<int> peers;
        for (std::size_t i = 1; i < 4; ++i) peers.push_back(ids[(v + i) % 4]);
        return bully{ids[v], peers};
    }, {.delay = unit{}, .detector = perfect{2}}};
    net.start(0);
    CHECK(net.run().within_proven());
    for (const std::size_t v : {3u, 2u, 1u}) {
        net.crash(v);
        CHECK_FALSE(net.run().proven);
    }
    CHECK(net[0].is_leader());
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
    const report large = of_ring(4097, detail_level::automatic);
    CHECK_FALSE(large.detailed);
    CHECK(large.longest_chain == never);   // and not 0, which would be an answer
    for (const report::counts& each : {large.by_node, large.by_link})
        CHECK(refusal([&] { static_cast<void>(each[7]); }) ==
              "report: nothing was counted by node or link; make the simulation with "
              "detail_level::on");
    CHECK(of_ring(4096, detail_level::automatic).detailed);
    CHECK(refusal([] { static_cast<void>(of_ring(10, detail_level::on).by_node[10]); }) ==
          "report: there is no place 10 among 10");
    rounds silent{ring{3}, [](node) { return mute{}; }};
    CHECK(silent.run().longest_chain == 0);   // counted, and none there
    CHECK(of_ring(4097, detail_level::on).by_link.size() == 4097);
    const report off = of_ring(10, detail_level::off), on = of_ring(10, detail_level::on);
    CHECK(off.by_link.empty());
    CHECK(off.messages == on.messages);
    CHECK(off.bits == on.bits);
}

static_assert([] {
    rounds sim{ring{3}, [](node) { return namesakes{}; }};
    sim.start(0);
    const report r = sim.run();
    return r.by_kind("word") == 3 && r.by_kind<namesakes::first::word>() == 1 &&
           r.by_kind<namesakes::second::word>() == 2;
}());

TEST_CASE("report: by_kind by type tells namesakes apart; strangers are refused by both") {
    rounds sim{ring{3}, [](node v) { return chang_roberts{static_cast<int>(v.index)}; }};
    sim.start_all();
    const report r = sim.run();
    CHECK(r.by_kind<chang_roberts<int>::election>() == r.by_kind("election"));
    CHECK(r.by_kind<chang_roberts<int>::election>() > 0);
    CHECK(refusal([&] { static_cast<void>(r.by_kind<chang_roberts<char>::election>()); })
              .starts_with("report: no message kind election; there are "));
    CHECK(refusal([&] { static_cast<void>(r.by_kind("elction")); })
              .starts_with("report: no message kind elction; there are election, "));
    rounds silent{ring{3}, [](node) { return mute{}; }};
    CHECK(refusal([&] { static_cast<void>(silent.run().by_kind("word")); }) ==
          "report: no message kind word; there are none");
}

TEST_CASE("report: what would come after the end of time has not come to rest") {
    const auto racer = [](node v) { return chang_roberts{v.index}; };
    const auto for_ever = by_hand{[](const hop&, random_source&) { return never; }};
    for (const ticks span : {never, ticks{1000}}) {
        events net{ring{3}, racer, {.delay = for_ever}};
        net.start(0);
        const report r = net.run_for(span);
        CHECK(r.stopped == stop::limit);
        CHECK(r.messages == 1);
        CHECK(net.now() == (span == never ? 0 : 1000));
    }
    events late{ring{3}, racer, {.delay = by_hand{[](const hop&, random_source&) {
        return never - 100;
    }}}};
    late.start(0);
    CHECK(late.run().stopped == stop::limit);   // the second hop leads beyond
    CHECK(late.now() == never - 100);

    for (const ticks delay : {never, never - 1, ticks{7}}) {
        CAPTURE(delay);
        const stop expected = delay == never ? stop::limit : stop::quiescent;
        events net{ring{3}, [&](node) { return mute{delay}; }};
        rounds sim{ring{3}, [&](node) { return mute{delay}; }};
        events by_hand_only{ring{3}, [&](node) { return mute{delay}; }, {.timers_by_hand = true}};
        net.start(0);
        sim.start(0);
        by_hand_only.start(0);
        CHECK(net.run().stopped == expected);
        CHECK(sim.run().stopped == expected);
        CHECK(by_hand_only.run().stopped == stop::quiescent);
    }

    rounds last{ring{3}, racer};
    static_cast<void>(last.run_for(never - 1));
    last.start(0);
    CHECK(last.run().stopped == stop::limit);
    events slow{ring{3}, [](node) { return mute{ticks{1} << 63}; },
                {.faults = fault_plan{}.drift(0, -600'000)}};
    slow.start(0);
    CHECK(slow.run().stopped == stop::limit);
}
