// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/cycles.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

using namespace caucus;
using namespace caucus::exploration;

namespace {

struct drawing : state_graph {
    drawing(std::size_t states, std::vector<std::pair<std::uint32_t, edge>> list) {
        std::stable_sort(list.begin(), list.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::uint32_t s = 0; s <= states; ++s) {
            const auto before = [&](const auto& e) { return e.first < s; };
            offsets.push_back(
                static_cast<std::uint64_t>(std::count_if(list.begin(), list.end(), before)));
        }
        for (const auto& [from, e] : list) edges.push_back(e);
    }
};
struct root {
    std::uint32_t index;
    std::uint64_t messages;
};

}  // namespace

TEST_CASE("components: the same as mutual reachability, on random graphs, in reverse order") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        random_source dice{seed};
        const std::size_t n = 1 + dice.below(9);
        std::vector<std::pair<std::uint32_t, edge>> list;
        std::vector<std::vector<char>> reach(n, std::vector<char>(n, 0));
        for (std::size_t i = 0; i < n; ++i) reach[i][i] = 1;
        for (std::size_t e = dice.below(2 * n + 1); e > 0; --e) {
            const auto a = static_cast<std::uint32_t>(dice.below(n));
            const auto b = static_cast<std::uint32_t>(dice.below(n));
            list.push_back({a, {b, 0, 0}});
            reach[a][b] = 1;
        }
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < n; ++j)
                    if (reach[i][k] && reach[k][j]) reach[i][j] = 1;
        const drawing d{n, list};
        const components c{d};
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                CHECK((c.of[i] == c.of[j]) == (reach[i][j] && reach[j][i]));
                if (reach[i][j]) CHECK(c.of[j] <= c.of[i]);
            }
        }
    }
}

TEST_CASE("count_messages: shortest and longest way to an end; a cycle that sends has no longest") {
    const drawing d{4, {{0, {1, 2, 0}}, {0, {2, 1, 1}}, {1, {3, 0, 0}}, {2, {3, 5, 0}}}};
    const auto ended = [](std::uint32_t s) { return s == 3; };
    const bounds b = count_messages(d, std::vector<root>{{0, 10}}, ended);
    CHECK(b.least == 12);
    CHECK(b.most == 16);

    const drawing idle{2, {{0, {0, 0, 0}}, {0, {1, 4, 1}}}};
    const auto second = [](std::uint32_t s) { return s == 1; };
    const bounds i = count_messages(idle, std::vector<root>{{0, 0}}, second);
    CHECK(i.least == 4);
    CHECK(i.most == 4);

    const drawing busy{2, {{0, {0, 1, 0}}, {0, {1, 4, 1}}}};
    const bounds o = count_messages(busy, std::vector<root>{{0, 0}}, second);
    CHECK(o.least == 4);
    CHECK(o.most == never);
}

TEST_CASE("fair_cycle_without: starving is no livelock, and no coin falls the same way for ever") {
    const std::vector<action> acts(3);
    const auto nowhere = [](std::uint32_t s) { return s == 9; };
    const auto at_two = [](std::uint32_t s) { return s == 2; };
    const auto must = [](const action&) { return true; };
    const auto may = [](const action&) { return false; };
    // 0 <-> 1 by action 0; action 1 is possible in both and leads away to 2.
    const drawing d{3, {{0, {1, 0, 0}}, {1, {0, 0, 0}}, {0, {2, 0, 1}}, {1, {2, 0, 1}}}};
    CHECK_FALSE(fair_cycle_without(d, acts, at_two, must).has_value());
    CHECK(fair_cycle_without(d, acts, at_two, may).has_value());
    // Possible in one of the two only: it may be passed over for ever.
    const drawing once{3, {{0, {1, 0, 0}}, {1, {0, 0, 0}}, {1, {2, 0, 1}}}};
    CHECK(fair_cycle_without(once, acts, at_two, must).has_value());
    // The same action, once to 0 and once to 2: a coin.
    const drawing coin{3, {{0, {0, 0, 2}}, {0, {2, 0, 2}}}};
    CHECK_FALSE(fair_cycle_without(coin, acts, at_two, must).has_value());
    CHECK_FALSE(fair_cycle_without(drawing(1, {}), acts, nowhere, must).has_value());
}

TEST_CASE("way_round: a way round a livelock starves nobody and ends where it began") {
    const std::vector<action> acts(3);
    const auto never_holds = [](std::uint32_t) { return false; };
    const auto must = [](const action&) { return true; };
    // Two coins that lie on either side: action 0 turns the one, action 1 the other.
    const drawing d{4, {{0, {1, 0, 0}}, {1, {0, 0, 0}}, {2, {3, 0, 0}}, {3, {2, 0, 0}},
                        {0, {2, 0, 1}}, {2, {0, 0, 1}}, {1, {3, 0, 1}}, {3, {1, 0, 1}}}};
    const auto l = fair_cycle_without(d, acts, never_holds, must);
    REQUIRE(l.has_value());
    CHECK(l->states.size() == 4);
    for (std::uint32_t at = 0; at < 4; ++at) {
        const auto round = way_round(d, *l, at, acts, must);
        std::uint32_t here = at;
        unsigned taken = 0;
        for (const std::uint64_t e : round) {
            CHECK((d.offsets[here] <= e && e < d.offsets[here + 1]));
            taken |= 1u << d.edges[e].act;
            here = d.edges[e].to;
        }
        CHECK(here == at);
        CHECK(taken == 3);
    }
    const drawing self{1, {{0, {0, 0, 0}}}};
    const auto loop = fair_cycle_without(self, acts, never_holds, must);
    REQUIRE(loop.has_value());
    CHECK(way_round(self, *loop, 0, acts, must).size() == 1);
}

TEST_CASE("fair_cycle_over: what is not fair for a reason of one's own is passed over") {
    const std::vector<action> acts(2);
    const auto may = [](const action&) { return false; };
    // Two cycles, 0 <-> 1 and 2 <-> 3, and a way from the one to the other.
    const drawing d{4, {{0, {1, 0, 0}}, {1, {0, 0, 0}}, {1, {2, 0, 1}}, {2, {3, 0, 0}},
                        {3, {2, 0, 0}}}};
    const auto found = [&](std::uint32_t unfair, std::vector<std::uint8_t> usable) {
        std::vector<std::uint32_t> states;
        const auto is_fair = [&](const std::vector<std::uint32_t>& members, const auto& stays) {
            for (const std::uint32_t s : members)
                if (s == unfair) return false;
            CHECK(stays[2] == 0);
            return true;
        };
        if (const auto l = fair_cycle_over(std::move(usable), d, acts, may, is_fair))
            states = l->states;
        std::sort(states.begin(), states.end());
        return states;
    };
    CHECK(found(0, {1, 1, 1, 1, 1}) == std::vector<std::uint32_t>{2, 3});
    CHECK(found(2, {1, 1, 1, 1, 1}) == std::vector<std::uint32_t>{0, 1});
    CHECK(found(2, {0, 1, 1, 1, 1}).empty());
}

TEST_CASE("way_round: takes the edges that it is told to, each once at least") {
    const std::vector<action> acts(1);
    const auto must = [](const action&) { return true; };
    // One action with three sides, of which one comes back by way of 1.
    const drawing d{2, {{0, {0, 0, 0}}, {0, {1, 0, 0}}, {1, {0, 0, 0}}, {1, {1, 0, 0}}}};
    const livelock l{{0, 1}, {1, 1, 1, 1}};
    CHECK(way_round(d, l, 0, acts, must) == std::vector<std::uint64_t>{0});
    CHECK(way_round(d, l, 0, acts, must, {3}) == std::vector<std::uint64_t>{0, 1, 3, 2});
    CHECK(way_round(d, l, 0, acts, must, {0}) == std::vector<std::uint64_t>{0});
    CHECK(way_round(d, l, 1, acts, must, {0, 1}) == std::vector<std::uint64_t>{2, 0, 1});
}

TEST_CASE("any_cycle_without: fair or not, but without p") {
    const drawing d{3, {{0, {1, 0, 0}}, {1, {0, 0, 0}}, {1, {2, 0, 1}}}};
    CHECK(any_cycle_without(d, [](std::uint32_t s) { return s == 2; }));
    CHECK_FALSE(any_cycle_without(d, [](std::uint32_t s) { return s == 1; }));
    CHECK_FALSE(any_cycle_without(d, [](std::uint32_t s) { return s == 0; }));
    const auto nowhere = [](std::uint32_t) { return false; };
    const drawing line{3, {{0, {1, 0, 0}}, {1, {2, 0, 0}}, {0, {2, 0, 1}}}};
    CHECK_FALSE(any_cycle_without(line, nowhere));
    const drawing self{2, {{0, {1, 0, 0}}, {1, {1, 0, 0}}}};
    CHECK(any_cycle_without(self, nowhere));
    CHECK_FALSE(any_cycle_without(self, [](std::uint32_t s) { return s == 1; }));
}
