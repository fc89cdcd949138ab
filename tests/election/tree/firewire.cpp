// SPDX-License-Identifier: MIT
#include <caucus/election/tree/firewire.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/star.hpp>

#include <doctest/doctest.h>
#include <support/journal.hpp>
#include <support/delayed.hpp>
#include <support/graphs.hpp>
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

/// Windows without width: the coin is all that chance has to say.
constexpr contention_windows coin_alone{4, 4, 9, 9};

auto with(firewire_options options) {
    return [=](node) { return firewire{options}; };
}
template <class... Policies>
using by_id = electing<firewire, Policies...>;

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

std::size_t root_of(const auto& sim) {
    std::size_t root = sim.nodes();
    for (std::size_t v = 0; v < sim.nodes(); ++v)
        if (sim[v].is_leader()) root = v;
    return root;
}

/// One root, and all know of it, said so once and have a parent on the way there.
void check_identified(const auto& sim) {
    std::size_t roots = 0;
    for (std::size_t v = 0; v < sim.nodes(); ++v) {
        roots += sim[v].is_leader();
        CHECK(sim[v].leader().has_value());
    }
    REQUIRE(roots == 1);
    CHECK(spans(sim, root_of(sim)));
    CHECK(sim.outcomes().size() == sim.nodes());
}

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
static_assert(tosses_coins<firewire<>> && !tosses_coins<firewire<int>>);
static_assert(std::is_same_v<firewire<int>::timer, nothing>);
static_assert(firewire<>::assumes.names == naming::anonymous);
static_assert(firewire<>::assumes.time == timing::bounded_delay);
static_assert(firewire<int>::assumes.names == naming::distinct);
static_assert(firewire<int>::assumes.time == timing::asynchronous);
static_assert(covers(firewire<>::assumes.links, link::no_duplicates));
static_assert(!covers(firewire<int>::assumes.links, link::no_duplicates));
static_assert(sizeof(firewire<std::uint16_t, inplace_storage<8>>) <= 32);
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
    events net{path{2}, with({}), {.delay = uniform{100, 100}, .coins = coins}, c};
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
          "n <= 6; starts at any time, n <= 5; messages twice, n <= 4") {
    for (std::size_t n = 1; n <= 6; ++n) {
        each_tree(n, [&](const tree& t) {
            const auto explored = [&](initiators who, starting when, std::uint8_t duplicates) {
                const all_ways_lead_to_the_root<tree> lead_up{&t};
                return explore(t, by_id<>{shuffled(n, n)},
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
        });
    }
}

TEST_CASE("firewire: one root on random trees, any delays within bounds, by coin and by id") {
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        CAPTURE(seed);
        const std::size_t n = 1 + random_source{seed}.below(40);
        const graph t = random_tree(n, seed);
        const ticks reaction = seed % 3 == 0 ? seed % 50 : 0;
        events net{t, with({.reaction = reaction}),
                   {.seed = seed, .delay = uniform{1, 100}, .fifo = seed % 2 == 0}};
        net.start_all();
        CHECK(net.run().within_proven());
        check_identified(net);
        for (const delay_model& delay : every_delay()) {
            events by_ids{t, by_id<least>{shuffled(n, seed)},
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
    rounds alone{star{1}, with({})};
    alone.start(0);
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

// Outside the model

TEST_CASE("firewire: windows that make no sense, or no sense with such delays, are refused") {
    const auto refused = [](contention_windows w, ticks delay_max, const std::string& why) {
        CHECK_THROWS_WITH(static_cast<void>(firewire{{w, delay_max, 0}}),
                          ("firewire: " + why).c_str());
    };
    const std::string none = "no two windows, one after the other: ";
    refused({260, 240, 570, 600}, 1, none + "260 to 240 and 570 to 600");
    refused({240, 260, 600, 570}, 1, none + "240 to 260 and 600 to 570");
    refused({240, 260, 260, 570}, 1, none + "240 to 260 and 260 to 570");
    refused(ieee1394_1995, 120,
            "a message may take 120 ticks; twice that must be less than the first wait, "
            "240, and than what lies between the windows, 310");
    refused(ieee1394a_2000, 370,
            "a message may take 370 ticks; twice that must be less than the first wait, "
            "760, and than what lies between the windows, 740");
    refused({0, 260, 570, 600}, 0,
            "a message may take 0 ticks; twice that must be less than the first wait, "
            "0, and than what lies between the windows, 310");
    CHECK_NOTHROW(static_cast<void>(firewire{{ieee1394_1995, 119, 0}}));
    CHECK_NOTHROW(static_cast<void>(firewire{{ieee1394a_2000, 369, 0}}));
    CHECK_NOTHROW(static_cast<void>(firewire{{{241, 241, 242 + 240, 500}, 120, 0}}));
    CHECK_THROWS(static_cast<void>(firewire{{ieee1394_1995, never / 2 + 2, 0}}));
}

TEST_CASE("firewire: delays beyond the stated bound: more collisions, endless if somebody wants "
          "it so; but by chance they end, and never with two roots") {
    const verdict v = explore(path{2}, with({coin_alone, 1, 0}),
                              {.properties = {finally(someone_leads)},
                               .timers = timers::any_time});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.loop_from.has_value());
    std::uint64_t asked = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        events net{path{2}, with({}), {.seed = seed, .delay = uniform{5000, 6000}}};
        net.start_all();
        asked += net.run().by_kind("be_my_parent");
        check_identified(net);
    }
    CHECK(asked > 200 * (1 + 2 * 4));   // 2 collisions are the average within the bound
}

TEST_CASE("firewire: a cycle is refused, and if let through has no root") {
    const graph ring_with_tail{4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}}};
    CHECK_THROWS_WITH(rounds(ring_with_tail, with({})),
                      "simulation: the algorithm needs a tree, and the graph has a cycle");
    CHECK_THROWS_WITH(rounds(graph{3, {{0, 1}}}, with({})),
                      "simulation: the graph is not connected: no way from node 0 to node 2");
    rounds sim{ring_with_tail, with({}), {.outside_model = true}};
    sim.start_all();
    const report r = sim.run();
    CHECK(r.stopped == stop::quiescent);
    CHECK(r.messages == 1);          // the tail asks, and nobody ever answers
    CHECK(root_of(sim) == sim.nodes());
}

TEST_CASE("firewire: messages twice: two roots by coin") {
    const auto explored = [](std::uint8_t duplicates) {
        return explore(path{2}, with({coin_alone, 1, 0}),
                       {.properties = {always(at_most_one_leader)},
                        .faults = {.duplicates = duplicates}});
    };
    CHECK(explored(1).verified());
    CHECK_FALSE(explored(2).holds);
}

TEST_CASE("firewire: a lost message or a crashed node stops it, but never makes two roots") {
    const auto explored = [](auto property) {
        return explore(path{3}, with({coin_alone, 1, 0}),
                       {.properties = {property}, .faults = {.losses = 1},
                        .timers = timers::any_time});
    };
    CHECK(explored(always(at_most_one_leader)).verified());
    CHECK_FALSE(explored(finally(someone_leads)).holds);
    events net{star{5}, with({}), {.delay = unit{}}};
    net.crash(0);
    net.start_all();
    CHECK(net.run().stopped == stop::quiescent);
    CHECK(net.outcomes().empty());
}

TEST_CASE("firewire: equal ids are refused; where they meet neither yields") {
    CHECK_THROWS_WITH(rounds(path{2}, by_id<>{{7, 7}}),
                      "simulation: nodes 0 and 1 have the same id");
    rounds sim{path{2}, by_id<>{{7, 7}}, {.outside_model = true}};
    sim.start_all();
    CHECK(sim.run().messages == 2);
    CHECK(root_of(sim) == 2);
}

TEST_CASE("firewire: what comes twice, early or from nowhere changes nothing") {
    using process = firewire<int>;
    struct hand {
        std::vector<process::message> out{};
        std::size_t told = 0;
        std::size_t degree() const { return 3; }
        void send(port, const process::message& m) { out.push_back(m); }
        void broadcast(const process::message& m) {
            for (const port p : ports(3)) send(p, m);
        }
        void report(const process::outcome&) { ++told; }
    };
    hand env;
    process inner{5};
    inner.start(env);
    inner.on(process::you_are_my_child{}, port{0}, env);   // nobody was asked
    inner.on(process::elected{9}, port{0}, env);
    for (int twice = 0; twice < 2; ++twice) inner.on(process::be_my_parent{1}, port{0}, env);
    CHECK(env.out.empty());
    inner.on(process::be_my_parent{2}, port{1}, env);
    CHECK(env.out.size() == 3);                            // two answers, and port 2 is asked
    inner.on(process::be_my_parent{2}, port{1}, env);      // a child's, twice: no contention
    inner.on(process::you_are_my_child{}, port{1}, env);
    inner.on(process::elected{9}, port{1}, env);
    CHECK(env.out.size() == 3);
    CHECK_FALSE(inner.parent());
    CHECK_FALSE(inner.leader());
    inner.on(process::elected{9}, port{2}, env);           // overtook the answer
    CHECK(env.out.size() == 5);
    CHECK(inner.parent() == port{2});
    for (int twice = 0; twice < 2; ++twice) {
        inner.on(process::you_are_my_child{}, port{2}, env);
        inner.on(process::elected{8}, port{2}, env);
        inner.on(process::be_my_parent{1}, port{2}, env);
        inner.start(env);
    }
    CHECK(env.out.size() == 5);
    CHECK(env.told == 1);
    CHECK(inner.leader() == 9);
}

TEST_CASE("firewire: a node with more ports than its storage holds says so and stays out") {
    for (const std::size_t initiator : sizes{0, 1}) {
        rounds sim{star{6}, [](node) { return firewire{{}, inplace_storage<4>{}}; }};
        sim.start(initiator);
        sim.run();
        REQUIRE(sim.outcomes().size() == 1);
        CHECK(std::get<overflow>(sim.outcomes()[0].outcome).needed == 5);
        CHECK(root_of(sim) == 6);
    }
}
