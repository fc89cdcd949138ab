// SPDX-License-Identifier: MIT
// What a group is for: examples/ shows it, and here it is explored.
#include <caucus/run/explore.hpp>

#include <caucus/core/random.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/multicast/total_order.hpp>
#include <caucus/multicast/views.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>

#include <doctest/doctest.h>

#include "../../examples/support/by_group.hpp"
#include "../../examples/support/counter_replica.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

using namespace caucus;

namespace {

using group = views<word>;
using cautious = views<word, int, majority>;
using asks = std::variant<request::broadcast<word>, request::depart>;
const asks wish = request::broadcast<word>{word::wish};
const asks done = request::broadcast<word>{word::done};
const asks depart = request::depart{};

template <class Group = group>
Group group_of(std::size_t nodes, node v) {
    std::vector<int> ids;
    for (std::size_t u = 0; u < nodes; ++u) ids.push_back(static_cast<int>(u));
    return Group{ids[v], peer_ids(complete{nodes}, v, ids), ids};
}

using member_client = client<cautious, script<asks>, leader_by_view<int>>;
using locker = client<total_order<group>, script<asks>, lock_by_order<int>>;

/// In the order of nodes, what each asks.
using plan = std::vector<std::vector<asks>>;
auto members(plan p) {
    return [=](node v) {
        return member_client{group_of<cautious>(p.size(), v), script{p[v], {.retries = 0}},
                             leader_by_view{static_cast<int>(v.index)}};
    };
}
auto lockers(plan p) {
    return [=](node v) {
        return locker{total_order{group_of(p.size(), v)}, script{p[v], {.retries = for_ever}},
                      lock_by_order{static_cast<int>(v.index)}};
    };
}

std::size_t how_many(const auto& g, auto is_meant) {
    std::size_t count = 0;
    for (std::size_t v = 0; v < g.nodes(); ++v) count += g.alive(v) && is_meant(g[v].log());
    return count;
}
constexpr auto leads = [](const auto& log) { return log.is_leader(); };
constexpr auto holds = [](const auto& log) { return log.holds(); };

constexpr auto one_leads_at_most = [](const auto& g) { return how_many(g, leads) <= 1; };
constexpr auto two_lead = [](const auto& g) { return how_many(g, leads) > 1; };
constexpr auto one_is_inside_at_most = [](const auto& g) { return how_many(g, holds) <= 1; };
constexpr auto node_2_is_inside = [](const auto& g) { return g[2].log().holds(); };
/// Those that live follow one of them.
constexpr auto all_follow_one = [](const auto& g) {
    std::optional<int> leader;
    for (std::size_t v = 0; v < g.nodes(); ++v) {
        if (!g.alive(v) || !g[v].log().leader()) continue;
        if (leader && leader != g[v].log().leader()) return false;
        leader = g[v].log().leader();
    }
    return !leader || g.alive(static_cast<std::size_t>(*leader));
};
constexpr auto nobody_waits_or_stays = [](const auto& g) {
    return how_many(g, [](const auto& log) { return log.is_waiting() || log.holds(); }) == 0;
};

}  // namespace

TEST_CASE("leader_by_view: one leads, also when it leaves, and all follow a live one, n = 3") {
    explore_options<member_client> how{.properties = {always("one leads", one_leads_at_most),
                                                      finally("all follow one", all_follow_one)},
                                       .faults = {.crashes = 1, .fragile = true},
                                       .detector = eventual{.wrong = 0}};
    const verdict killed = explore(complete{3}, members({{}, {}, {}}), how);
    CAPTURE(killed.counterexample.text());
    CHECK(killed.verified());
    how.faults.crashes = 0;   // two members are no majority of two, when one dies
    const verdict left = explore(complete{3}, members({{depart}, {}, {}}), how);
    CAPTURE(left.counterexample.text());
    CHECK(left.verified());
}
TEST_CASE("leader_by_view: wrongly expelled, a leader leads on until it is told, beside the next") {
    const verdict v = explore(complete{3}, members({{}, {}, {}}),
                              {.properties = {sometimes("two lead", two_lead),
                                              finally("all follow one", all_follow_one)},
                               .detector = eventual{.wrong = 1}});
    CAPTURE(v.counterexample.text());
    CHECK(v.verified());
}

TEST_CASE("lock_by_order: one is inside, and everybody who asks, n = 3, two ask") {
    const verdict v = explore(complete{3}, lockers({{}, {wish, done}, {wish, done}}),
                              {.properties = {always("one inside", one_is_inside_at_most),
                                              sometimes("node 2 inside", node_2_is_inside),
                                              finally("nobody waits", nobody_waits_or_stays)},
                               .timers = timers::any_time});
    CAPTURE(v.counterexample.text());
    CHECK(v.verified());
    MESSAGE(v.states, " states");
}
TEST_CASE("lock_by_order: nor if one crashes, also inside, n = 3, two ask") {
    const explore_options<locker> how{
        .properties = {always("one inside", one_is_inside_at_most),
                       finally("nobody waits", nobody_waits_or_stays)},
        .faults = {.crashes = 1, .fragile = true},
        .detector = eventual{.wrong = 0},
        .timers = timers::any_time,
        .count_messages = false};
    const verdict v = explore(complete{3}, lockers({{}, {wish, done}, {wish, done}}), how);
    CAPTURE(v.counterexample.text());
    CHECK(v.verified());
    MESSAGE(v.states, " states");
}

namespace {

struct copies : observer {
    std::vector<counter_replica<int>> of;

    explicit copies(std::size_t first_members) {
        for (std::size_t v = 0; v < 5; ++v) of.emplace_back(static_cast<int>(v), v < first_members);
    }
    void reported(ticks, node v, const auto& outcome) { of[v].hear(outcome); }
};

/// One joins, one is killed while it sends, at any time; what all of them know at the end.
struct ends {
    std::size_t equal = 0, others = 0, unknowing = 0;
};
void count_together(std::uint64_t seed, ends& found) {
    const complete all{5};
    const std::vector ids{0, 1, 2, 3, 4};
    const std::vector first{0, 1, 2, 3};
    const auto make = [&](node v) {
        return reliable{total_order{views<change>{ids[v], peer_ids(all, v, ids), first}},
                        {.resend_after = 32}};
    };
    events net{all, make,
               {.seed = seed, .delay = uniform{1, 12},
                .faults = fault_plan{}.links({.loss = 0.05}),
                .detector = eventual{.delay = 40, .wrong = 0}}, copies{4}};
    auto& copy = net.watcher().of;
    random_source dice{seed};
    const std::size_t killed = dice.below(4), dies = 100 + dice.below(100);
    net.start_all();
    for (std::size_t i = 0; i < 1000; ++i) {
        net.run_for(5);
        if (i == dies) net.crash(killed).after_sends(dice.below(4));
        if (i == 140) static_cast<void>(net.call(4, request::join{}));
        for (std::size_t v = 0; v < 5; ++v)
            if (const auto s = copy[v].to_tell();
                s && net.call(v, request::broadcast<change>{*s}) == answer::accepted)
                copy[v].told();
        if (i >= 300) continue;
        const auto v = i == dies ? killed : static_cast<std::size_t>(dice.below(5));
        static_cast<void>(net.call(v, request::broadcast<change>{add{static_cast<int>(i)}}));
    }
    std::optional<int> total;
    bool are_equal = true;
    for (std::size_t v = 0; v < 5; ++v) {
        if (!net.alive(v)) continue;
        found.unknowing += !copy[v].total();
        if (total && copy[v].total()) are_equal = are_equal && total == copy[v].total();
        if (copy[v].total()) total = copy[v].total();
    }
    ++(are_equal ? found.equal : found.others);
}

}  // namespace

TEST_CASE("counter_replica: all copies are equal, a newcomer's too, whoever is killed when") {
    ends found;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) count_together(seed, found);
    CHECK(found.equal == 100);
    CHECK(found.others == 0);
    CHECK(found.unknowing == 0);
}
