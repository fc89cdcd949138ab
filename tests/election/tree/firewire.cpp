// SPDX-License-Identifier: MIT
#include <caucus/election/tree/firewire.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/star.hpp>

#include <doctest/doctest.h>
#include <support/trace.hpp>
#include <support/delayed.hpp>
#include <support/graphs.hpp>
#include <support/identifying.hpp>
#include <support/instances.hpp>
#include <support/ring_runs.hpp>
#include <support/trees.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// In the end: one root, and every way up leads there.
template <class Topology>
struct all_ways_lead_to_the_root {
    const Topology* topology;
    bool operator()(const auto& g) const {
        struct view {
            const decltype(g)& state;
            const Topology& where;
            std::size_t nodes() const { return state.nodes(); }
            const auto& operator[](std::size_t v) const { return state[v]; }
            const Topology& topology() const { return where; }
        };
        std::size_t root = g.nodes();
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].is_leader()) root = v;
        return root != g.nodes() && spans(view{g, *topology}, root);
    }
};

constexpr bool elects_at_compile_time(std::uint64_t seed) {
    rounds sim{tree{0, 0, 0, 1, 1}, [](node) { return firewire{}; }, {.seed = seed}};
    sim.start_all();
    const report r = sim.run();
    std::size_t roots = 0;
    for (std::size_t v = 0; v < 5; ++v) roots += sim[v].is_leader();
    return roots == 1 && r.within_proven() && sim[4].leader();
}
constexpr int elected_at_compile_time(std::array<int, 4> ids) {
    rounds sim{path{4}, [&](node v) { return firewire{ids[v]}; }};
    sim.start_all();
    const report r = sim.run();
    return r.within_proven() ? *sim[0].leader() : 0;
}

}  // namespace

// Shape

static_assert(process<firewire<>> && process<firewire<int>>);
static_assert(elects_at_compile_time(1) && elects_at_compile_time(2));
static_assert(elected_at_compile_time({9, 4, 3, 8}) == 4);   // of the two that meet
static_assert(std::is_same_v<decltype(firewire{}), firewire<anonymous>>);
static_assert(std::is_same_v<decltype(firewire{{}, silent{}}), firewire<anonymous, silent>>);
static_assert(std::is_same_v<decltype(firewire{7, least{}}), firewire<int, least>>);
static_assert(std::is_same_v<decltype(firewire{7, least{}, silent{}}),
                             firewire<int, least, silent>>);
static_assert(std::is_same_v<decltype(firewire{7, silent{}, least{}}),
                             firewire<int, silent, least>>);
static_assert(std::is_same_v<decltype(firewire{7, {.reaction = 3}}), firewire<int>>);
static_assert(std::is_same_v<decltype(firewire{7, firewire_options{}, silent{}}),
                             firewire<int, silent>>);
static_assert(std::is_same_v<decltype(firewire{silent{}}), firewire<anonymous, silent>>);
static_assert(std::is_same_v<decltype(firewire{silent{}, inplace_storage<2>{}}),
                             firewire<anonymous, silent, inplace_storage<2>>>);
static_assert(std::is_same_v<decltype(firewire{inplace_storage<2>{}, silent{}}),
                             firewire<anonymous, inplace_storage<2>, silent>>);
static_assert(std::is_same_v<decltype(firewire{firewire_options{}}), firewire<>>);
static_assert(std::is_same_v<decltype(firewire{{.reaction = 3}}), firewire<>>);
static_assert(std::is_same_v<decltype(firewire{{.reaction = 3}, silent{}, inplace_storage<2>{}}),
                             firewire<anonymous, silent, inplace_storage<2>>>);
// By coin no policy has a state: the order in the type and in the call need not be the same.
static_assert(!firewire<anonymous, silent, heap_storage>{heap_storage{}, silent{}}.is_leader());
static_assert(tosses_coins<firewire<>> && !tosses_coins<firewire<int>>);
static_assert(std::is_same_v<firewire<int>::timer, std::variant<firewire<int>::reaction_due>>);
static_assert(firewire<>::assumes.names == naming::anonymous);
static_assert(firewire<>::assumes.time == timing::bounded_delay);
static_assert(firewire<int>::assumes.names == naming::distinct);
static_assert(firewire<int>::assumes.time == timing::asynchronous);
static_assert(firewire<>::assumes.links == guarantee::reliable);
static_assert(firewire<int>::assumes.links == guarantee::reliable);
static_assert(sizeof(firewire<std::uint16_t>::be_my_parent) == 2);   // by id without a mark
static_assert(sizeof(firewire<std::uint16_t, inplace_storage<8>>) <= 40);
static_assert(sizeof(firewire<anonymous, inplace_storage<8>>) <= 80);

// Paper

TEST_CASE("firewire: two nodes, the coins fall alike once: two collisions, step by step") {
    std::vector<journal::line> lines;
    journal c;
    c.lines = &lines;
    // fast, 7 into the window, and fast, 3 into it; then slow and fast, at its beginning
    const std::size_t falls[2][4] = {{0, 7, 1, 0}, {0, 3, 0, 0}};
    std::size_t drawn[2] = {};
    const auto coins = [&](node v, std::size_t) { return falls[v][drawn[v]++]; };
    events net{path{2}, with({.reaction = 0}), {.delay = uniform{100, 100}, .coins = coins}, c};
    net.start_all();
    const report r = net.run();
    CHECK(in_order(lines) ==
          "0: 0 be_my_parent by 0\n"
          "0: 1 be_my_parent by 0\n"
          "100: 0 waits 247\n"
          "100: 1 waits 243\n"
          "343: 1 be_my_parent by 0\n"
          "347: 0 be_my_parent by 0\n"        // what 1 sent is still under way
          "443: 0 waits 570\n"
          "447: 1 waits 240\n"
          "687: 1 be_my_parent by 0\n"        // comes at 787, when 0 still waits
          "1013: 0 you_are_my_child by 0\n"
          "1013: 0 knows\n"
          "1013: 0 elected by 0\n"
          "1113: 1 knows\n");
    CHECK(r.by_kind("be_my_parent") == 1 + 2 * 2);
    CHECK(net[1].parent() == port{0});
    check_identified(net);
}

// Safety and liveness

TEST_CASE("firewire: if coins are fair, one leads and all ways lead there: real time, every tree, "
          "n <= 7; reacting at once or not") {
    for (std::size_t n = 1; n <= 7; ++n) {
        each_tree(n, [&](const tree& t) {
            for (const ticks reaction : {ticks{0}, ticks{1}}) {
                const auto make = [&](node) {
                    return delayed<firewire<>, 1>{firewire{{coin_alone, 1, reaction}}};
                };
                const all_ways_lead_to_the_root<tree> lead_up{&t};
                const auto explore_from = [&](initiators who, starting when) {
                    const verdict v = explore(t, make, {.initiators = who,
                                                        .properties = {always(at_most_one_leader),
                                                                       finally(lead_up),
                                                                       finally(all_agree)},
                                                        .starting = when});
                    CHECK(v.verified());
                    return v;
                };
                const verdict v = explore_from(leaves(t), starting::at_once);
                // In lock-step: a single centre hears of all its children before it reacts.
                const bool collides = reaction == 0 ? n > 1 : diameter(t) % 2 == 1;
                CHECK(v.messages.least == 3 * (n - 1) + (collides ? 2 : 0));
                CHECK(v.messages.most == (collides ? never : 3 * (n - 1)));
                if (n <= 5) explore_from(all, starting::any_time);
            }
        });
    }
}

TEST_CASE("firewire: a real clock with windows two ticks wide, every tree, n <= 4") {
    for (std::size_t n = 1; n <= 4; ++n) {
        each_tree(n, [&](const tree& t) {
            const auto make = [&](node) {
                return delayed<firewire<>, 2>{firewire{{{5, 6, 11, 12}, 2, 0}}};
            };
            const all_ways_lead_to_the_root<tree> lead_up{&t};
            CHECK(explore(t, make, {.initiators = leaves(t),
                                    .properties = {always(at_most_one_leader), finally(lead_up),
                                                   finally(all_agree)}})
                      .verified());
        });
    }
}

TEST_CASE("firewire: by coin, messages twice, a real clock, delays of one or two ticks, so in any "
          "order: one leads and all ways lead there: one twice, every tree, n <= 4; two, n <= 3") {
    const auto check = [](const tree& t, std::uint8_t duplicates) {
        const auto make = [](node) {
            return delayed<firewire<>, 2, 1>{firewire{{{5, 5, 10, 10}, 2, 0}}};
        };
        const all_ways_lead_to_the_root<tree> lead_up{&t};
        const verdict v = explore(t, make, {.initiators = leaves(t),
                                            .properties = {always(at_most_one_leader),
                                                           finally(lead_up), finally(all_agree)},
                                            .faults = {.duplicates = duplicates}});
        CHECK_MESSAGE(v.verified(), v.counterexample.text());
    };
    for (std::size_t n = 2; n <= (sanitized ? 3 : 4); ++n)
        each_tree(n, [&](const tree& t) { check(t, n <= 3 ? 2 : 1); });
}

TEST_CASE("firewire: by coin, two messages twice, before anybody has waited long enough, links in "
          "any order, every tree, n <= 5") {
    for (std::size_t n = 2; n <= (sanitized ? 4 : 5); ++n) {
        each_tree(n, [&](const tree& t) {
            const all_ways_lead_to_the_root<tree> lead_up{&t};
            const verdict v = explore(t, with({coin_alone, 1, 0}),
                                      {.initiators = leaves(t),
                                       .properties = {always(at_most_one_leader), finally(lead_up),
                                                      finally(all_agree)},
                                       .faults = {.duplicates = 2}, .fifo = false});
            CHECK_MESSAGE(v.verified(), v.counterexample.text());
        });
    }
}

TEST_CASE("firewire: never two roots, whatever the delays and waits, links in any order, every "
          "tree, n <= 6; starts at any time, n <= 5") {
    for (std::size_t n = 1; n <= 6; ++n) {
        each_tree(n, [&](const tree& t) {
            for (const ticks reaction : {ticks{0}, ticks{1}}) {
                const auto explore_from = [&](initiators who, starting when) {
                    CHECK(explore(t, with({coin_alone, 1, reaction}),
                                  {.initiators = who,
                                   .properties = {always(at_most_one_leader),
                                                  sometimes(someone_leads)},
                                   .fifo = false, .timers = timers::any_time, .starting = when})
                              .verified());
                };
                explore_from(leaves(t), starting::at_once);
                if (n <= 5) explore_from(all, starting::any_time);
            }
        });
    }
}

TEST_CASE("firewire: by id: the better of the two that meet leads, links in any order, every tree, "
          "n <= 6; starts at any time, n <= 5; messages twice, n <= 4; reacting at once or not") {
    for (std::size_t n = 1; n <= 6; ++n) {
        each_tree(n, [&](const tree& t) {
            ticks reaction = 0;
            const auto explored = [&](initiators who, starting when, std::uint8_t duplicates) {
                const all_ways_lead_to_the_root<tree> lead_up{&t};
                return explore(t, by_id<>{shuffled(n, n), reaction},
                               {.initiators = who,
                                .properties = {always(at_most_one_leader), finally(lead_up),
                                               finally(all_agree)},
                                .faults = {.duplicates = duplicates}, .fifo = false,
                                .starting = when});
            };
            const verdict v = explored(leaves(t), starting::at_once, 0);
            CHECK(v.verified());
            CHECK(v.messages.least == (n == 1 ? 0 : 3 * (n - 1) + 1));   // two always meet
            CHECK(v.messages.most == v.messages.least);
            if (n <= 5) {
                const verdict late = explored(all, starting::any_time, 0);
                CHECK(late.verified());
                CHECK(late.messages.least == 3 * (n - 1));               // a late leaf is the root
                CHECK(late.messages.most == v.messages.most);
            }
            if (n <= 4) CHECK(explored(leaves(t), starting::at_once, 1).verified());
            reaction = 1;
            const verdict listening = explored(leaves(t), starting::at_once, n <= 4 ? 1 : 0);
            CHECK(listening.verified());
            // Timers wait for messages: as in lock-step, but for the order of timers of one tick.
            if (diameter(t) % 2 == 0) CHECK(listening.messages.least == 3 * (n - 1));
            if (n <= 4) CHECK(explored(all, starting::any_time, 0).verified());
        });
    }
}

TEST_CASE("firewire: one root on random trees, any delays within bounds, by coin and by id") {
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        CAPTURE(seed);
        const std::size_t n = 1 + random_source{seed}.below(40);
        const graph t = random_tree(n, seed);
        const ticks reaction = seed % 3 == 0 ? seed % 50 : seed % 2;
        events net{t, with({.reaction = reaction}),
                   {.seed = seed, .delay = uniform{1, 100}, .fifo = seed % 2 == 0}};
        net.start_all();
        CHECK(net.run().within_proven());
        check_identified(net);
        for (const delay_model& delay : every_delay()) {
            events by_ids{t, by_id<least>{shuffled(n, seed), reaction},
                          {.seed = seed, .delay = delay, .fifo = seed % 2 == 0}};
            for (const std::size_t v : leaves(t)) {
                by_ids.start(v);
                by_ids.run_for(seed % 4);
            }
            CHECK(by_ids.run().within_proven());
            check_identified(by_ids);
            CHECK(by_ids[0].leader() == by_ids[root_of(by_ids)].id());
        }
    }
}

TEST_CASE("firewire: one root on random trees, three messages in ten come twice, any delays within "
          "bounds, by coin and by id") {
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        CAPTURE(seed);
        const std::size_t n = 1 + random_source{seed}.below(40);
        const graph t = random_tree(n, seed);
        const auto check = [&](const auto& make) {
            events net{t, make,
                       {.seed = seed, .delay = uniform{1, 100}, .fifo = seed % 2 == 0,
                        .faults = fault_plan{}.links({.duplication = 0.3})}};
            net.start_all();
            net.run();
            check_identified(net);
        };
        check(with({.reaction = seed % 3 == 0 ? seed % 50 : 0}));
        check(by_id<>{shuffled(n, seed), seed % 5});
    }
}

TEST_CASE("firewire: silent: the root alone knows, the others have a parent each") {
    const auto check = [](auto make) {
        rounds sim{path{5}, make};
        sim.start_all();
        const report r = sim.run();
        CHECK(r.within_proven());
        CHECK(r.by_kind("elected") == 0);
        CHECK(sim.outcomes().size() == 1);
        CHECK(spans(sim, root_of(sim)));
        for (std::size_t v = 0; v < 5; ++v)
            CHECK(sim[v].leader().has_value() == sim[v].is_leader());
    };
    check([](node) { return firewire{{}, silent{}}; });
    check(by_id<silent>{{1, 2, 3, 4, 5}});
}

TEST_CASE("firewire: alone, it is the root at once; a start that comes late or twice is none") {
    rounds alone{star{1}, with({.reaction = 0})};
    alone.start(0);
    CHECK(alone[0].is_leader());
    alone.start(0);
    CHECK(alone.run().messages == 0);
    CHECK(alone[0].is_leader());
    CHECK(alone.outcomes().size() == 1);
    rounds slow{star{1}, with({.reaction = 5})};
    slow.start(0);
    slow.run_for(3);
    slow.start(0);
    CHECK(slow.run().rounds == 5);   // a second start would put it off
    rounds sim{path{2}, by_id<>{{1, 2}}};
    sim.start(0);
    sim.run();
    sim.start(1);
    const report r = sim.run();
    CHECK(r.size.initiators == 1);
    CHECK(r.messages == 3);
    CHECK(sim[1].is_leader());
}

// Outside the model: see firewire_faults.cpp
