// SPDX-License-Identifier: MIT
#include <caucus/layer/supervised.hpp>

#include <caucus/election/complete/bully.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/peterson.hpp>
#include <caucus/layer/repaired_ring.hpp>
#include <caucus/run/endpoint.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/ring.hpp>
#include <support/told.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace caucus;
using support::told_by;

namespace {

const std::vector ids{10, 20, 30, 40, 50};
constexpr supervised_options quick{.beat = 10, .timeout = 35, .election_max = 60};

template <class... Policies>
auto bullies(std::size_t n, supervised_options options, Policies... policies) {
    return [=](node v) {
        const std::vector<int> known(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(n));
        return supervised{bully{known[v], peer_ids(complete{n}, v, known), {.delay_max = 3}},
                          options, policies...};
    };
}
auto five(events_options options, auto... policies) {
    options.delay = uniform{1, 3};
    events net{complete{5}, bullies(5, quick, policies...), std::move(options)};
    net.start_all();
    return net;
}

using supervised_ring = supervised<chang_roberts<int>>;
static_assert(perpetual<supervised_ring>);
static_assert(supervised_ring::assumes.topology == shape::one_way_ring);
static_assert(supervised_ring::timers(4) == 7);
static_assert(kinds_of<supervised_ring::message> == 2);
static_assert(std::is_same_v<kept_by<supervised_ring>, nothing>);
static_assert(!std::is_same_v<kept_by<supervised<bully<int>, majority>>, nothing>);
static_assert(std::is_same_v<decltype(supervised{bully{1, std::vector{2}}, majority{}}),
                             supervised<bully<int>, majority>>);

// Lost messages were measured to cost supervised<bully> elections only: any channel will do for it.
static_assert(bully<int>::assumes.links == caucus::guarantee::reliable);
static_assert(supervised<bully<int>>::assumes.links == caucus::guarantee::none);
static_assert(supervised<bully<int>, majority>::assumes.links == caucus::guarantee::none);
static_assert(supervised_ring::assumes.links == caucus::guarantee::reliable);
struct careless_channel {
    static constexpr caucus::guarantee guarantees = caucus::guarantee::none;
    std::size_t sent = 0;
    std::size_t degree() const { return 1; }
    void send(port, const auto&) { ++sent; }
};
struct stopped_clock {
    ticks now() const { return 0; }
};

/// An election at compile time: everybody knows the epoch.
static_assert([] {
    rounds sim{complete{3}, [](node v) {
                   return supervised{repaired_ring{chang_roberts{int(v) + 1}}, {.beat = 0}};
               }};
    sim.start_all();
    static_cast<void>(sim.run(limits{.max_rounds = 8}));
    return sim[2].is_leader() && *sim[0].epoch() == epoch<int>{1, 3, {}} &&
           *sim[1].epoch() == *sim[2].epoch();
}());

}  // namespace

TEST_CASE("supervised: elects, and everybody is told the leader and the epoch, once") {
    auto net = five({});
    net.run_for(100);
    for (std::size_t v = 0; v < 5; ++v) {
        CHECK(net[v].leader() == 50);
        CHECK(net[v].epoch() == epoch<int>{1, 50, {}});
        CHECK(net[v].is_leader() == (v == 4));
    }
    CHECK(net.outcomes().size() == 5);
    net.start_all();                 // a second start changes nothing
    net.run_for(1000);
    CHECK(net.outcomes().size() == 5);
}

TEST_CASE("supervised<bully>: an endpoint takes it over a channel that promises nothing") {
    careless_channel channel;
    stopped_clock clock;
    auto listener = [](const auto&) {};
    endpoint self{supervised{bully{1, std::vector{2}, {.delay_max = 3}}, quick}, channel, clock,
                  listener};
    self.start();
    CHECK(channel.sent == 1);
}

TEST_CASE("supervised: n = 1 leads at once, n = 2 survives either") {
    events alone{complete{1}, bullies(1, quick)};
    alone.start(0);
    CHECK(alone[0].is_leader());
    alone.run_for(1000);
    CHECK(alone.outcomes().size() == 1);
    for (const std::size_t victim : {0u, 1u}) {
        events pair{complete{2}, bullies(2, quick)};
        pair.start_all();
        pair.run_for(100);
        pair.crash(victim);
        pair.run_for(200);
        CHECK(pair[1 - victim].is_leader());
    }
}

TEST_CASE("supervised: whoever is woken by a beat alone does not wait for ever") {
    for (const bool started : {false, true}) {
        CAPTURE(started);
        events net{complete{3}, bullies(3, {.beat = 2, .timeout = 35, .election_max = 60}),
                   {.delay = unit{}, .faults = fault_plan{}.cut(0, 1, 0, 1).cut(0, 2, 0, 9)}};
        net.start(0);
        net.run_for(3);             // 1 has heard a beat of one who has no leader yet
        net.crash(0);
        if (started) net.start(1);
        net.run_for(400);
        CHECK(net[1].leader() == 30);
        CHECK(net[2].leader() == 30);
    }
}

TEST_CASE("supervised: when the leader dies the next best leads, in a greater epoch") {
    auto net = five({});
    net.run_for(100);
    net.crash(4);
    net.run_for(200);
    for (std::size_t v = 0; v < 4; ++v) CHECK(net[v].leader() == 40);
    CHECK(epoch<int>{1, 50, {}} < *net[0].epoch());
    CHECK(net[3].is_leader());
}

TEST_CASE("supervised: a follower's death is nobody's business") {
    auto net = five({});
    net.run_for(100);
    net.crash(0);
    net.run_for(1000);
    CHECK(net.outcomes().size() == 5);
    CHECK(net[1].suspects(port{3}));
    CHECK_FALSE(net[1].suspects(port{2}));
}

TEST_CASE("supervised: a partition has a leader on each side in epochs of their own; then one") {
    auto net = five({});
    net.run_for(100);
    net.partition({0, 4});
    net.run_for(300);
    CHECK(net[4].is_leader());                 // it never heard of anything else
    CHECK(net[3].is_leader());
    CHECK(*net[4].epoch() < *net[3].epoch());
    CHECK(net[0].leader() == 50);
    CHECK(net[1].leader() == 40);
    net.unite();
    net.run_for(100);
    for (std::size_t v = 0; v < 5; ++v) CHECK(net[v].leader() == 40);   // the greater epoch
    bool told = false;
    for (const auto& r : net.outcomes())
        if (const auto* d = std::get_if<deposed<int>>(&r.outcome))
            told = told || (r.node == 4 && d->epoch == epoch<int>{1, 50, {}});
    CHECK(told);
}

// Whoever leads is told when it leads no more, and once.

TEST_CASE("supervised: a leader that is drawn into another's election is told that it is deposed") {
    auto net = five({});
    net.run_for(100);
    for (std::size_t v = 1; v < 5; ++v) net.cut(v, 0);    // node 0 hears nobody and is heard
    net.run_for(300);
    for (std::size_t v = 1; v < 5; ++v) net.mend(v, 0);
    net.run_for(300);
    CHECK(net[4].is_leader());
    CHECK(told_by(net, 4) == "installed 1:50, deposed 1:50, installed 2:50");
}

TEST_CASE("supervised: a leader that holds an election itself is told that it is deposed") {
    events net{path{2}, [](node v) { return supervised{extinction{ids[v]}, {.beat = 0}}; },
               {.delay = unit{}}};
    net.start(1);
    net.run_for(100);
    net.suspect(1, port{0});
    net.run_for(100);
    CHECK(told_by(net, 1) == "installed 1:20, deposed 1:20, installed 2:20");
}

TEST_CASE("supervised, majority: a leader that hears too few is told deposed, then stalled") {
    auto net = five({}, majority{});
    net.run_for(100);
    net.partition({4});
    net.run_for(300);
    CHECK(told_by(net, 4) == "installed 1:50, deposed 1:50, stalled");
    net.unite();
    net.run_for(300);
    CHECK(told_by(net, 4).starts_with("installed 1:50, deposed 1:50, stalled, installed "));
}

TEST_CASE("supervised: a leader that hears of a greater epoch is told deposed before it follows") {
    auto net = five({});
    net.run_for(100);
    net.partition({4});
    net.run_for(300);
    CHECK(net[3].is_leader());
    net.unite();
    net.run_for(100);
    const std::string number = std::to_string(net[3].epoch()->number);
    // Alone it was not told of anything: nobody leads in its place there.
    CHECK(told_by(net, 4) == "installed 1:50, deposed 1:50, installed " + number + ":40");
}

TEST_CASE("supervised: a life begins once: told of another, a leader goes on in its own") {
    auto net = five({});
    net.run_for(100);
    net.call(4, recovered<nothing>{incarnation{1}, std::nullopt});
    net.run_for(1000);
    CHECK(net[4].is_leader());
    CHECK(net[4].epoch() == epoch<int>{1, 50, {}});
    CHECK(net.outcomes().size() == 5);
}

TEST_CASE("supervised: a leader that returns in another life leads no more, unless preemptive") {
    const auto after_return = [](auto... policies) {
        auto net = five({.faults = fault_plan{}.crash(4, 100).restart(4, 500)}, policies...);
        net.run_for(400);
        CHECK(net[0].leader() == 40);
        net.run_for(600);
        for (std::size_t v = 1; v < 5; ++v) CHECK(net[v].leader() == net[0].leader());
        return net[0].epoch();
    };
    CHECK(after_return()->leader == 40);
    CHECK(after_return(non_preemptive{})->leader == 40);
    const auto taken_over = after_return(preemptive{});
    CHECK(taken_over->leader == 50);
    CHECK(taken_over->incarnation == incarnation{1});
}

TEST_CASE("supervised: a leader that dies and is back before anybody noticed starts over") {
    auto net = five({.faults = fault_plan{}.crash(4, 100).restart(4, 105)});
    net.run_for(400);
    for (std::size_t v = 0; v < 5; ++v) {
        CHECK(net[v].leader() == net[0].leader());
        CHECK(epoch<int>{1, 50, {}} < *net[v].epoch());
        CHECK_FALSE(net[v].epoch() == epoch<int>{1, 50, {}});
    }
}

TEST_CASE("supervised: who comes late follows, though it is better") {
    events net{complete{5}, bullies(5, quick), {.delay = uniform{1, 3},
               .faults = fault_plan{}.crash(4, 0)}};
    net.start_all();
    net.run_for(200);
    net.restart(4);
    net.run_for(200);
    for (std::size_t v = 0; v < 5; ++v) CHECK(net[v].leader() == 40);
}

TEST_CASE("supervised: a cut between two is bridged by the others, one-way or both") {
    for (const bool both : {false, true}) {
        auto net = five({});
        net.run_for(100);
        net.cut(4, 0);
        if (both) net.cut(0, 4);
        net.run_for(1000);
        CHECK(net[0].leader() == 50);
        CHECK(net[0].suspects(port{3}));
        CHECK(net.outcomes().size() == 5);     // nobody held an election
    }
}

TEST_CASE("supervised: an election in which somebody falls silent is held again without it") {
    // On a path the best id sits at the far end, and the middle dies while waves are on their way.
    supervised_options options = quick;
    options.reach = 5;
    events net{path{5}, [&](node v) { return supervised{extinction{ids[v]}, options}; },
               {.delay = uniform{4, 4}}};
    net.start_all();
    net.run_for(6);
    net.crash(2);
    net.run_for(500);
    CHECK(net[0].leader() == 20);      // whoever noticed: its wave was the only one
    CHECK(net[1].is_leader());
    CHECK(net[3].is_leader());
    CHECK(net[4].leader() == 40);
    net.restart(2);                            // and the two halves meet again
    net.run_for(2000);
    for (std::size_t v = 1; v < 5; ++v) CHECK(net[v].leader() == net[0].leader());
}

TEST_CASE("supervised: a broken one-way ring stalls and says so; over repaired_ring it does not") {
    supervised_options options = quick;
    options.reach = 5;
    events net{ring{5}, [&](node v) { return supervised{chang_roberts{ids[v]}, options}; }};
    net.start_all();
    net.run_for(200);
    CHECK(net[0].leader() == 50);
    net.crash(4);
    net.run_for(2000);
    std::size_t stalls = 0;
    for (const auto& r : net.outcomes()) stalls += std::holds_alternative<stalled>(r.outcome);
    CHECK(stalls >= 1);
    CHECK(stalls <= 4);                        // each says it once
    net.run_for(60 * 300);
    for (const auto& r : net.outcomes())
        stalls -= std::holds_alternative<stalled>(r.outcome);
    CHECK(stalls == 0);                        // however long it takes
    for (std::size_t v = 0; v < 4; ++v) CHECK_FALSE(net[v].leader());
    net.restart(4);
    net.run_for(2000);
    for (std::size_t v = 0; v < 5; ++v) CHECK(net[v].leader());

    events repaired{complete{5}, [](node v) {
                        return supervised{repaired_ring{chang_roberts{ids[v]}}, quick};
                    }};
    repaired.start_all();
    repaired.run_for(200);
    repaired.crash(4);
    repaired.run_for(500);
    for (std::size_t v = 0; v < 4; ++v) CHECK(repaired[v].leader() == 40);
}

TEST_CASE("supervised on a ring that repeats messages: elections that fail do not swamp it") {
    // Doubled, peterson's candidates all give up, and what they sent meets relays only.
    supervised_options options = quick;
    options.reach = 4;
    options.election_max = 400;
    events net{ring{4}, [&](node v) { return supervised{peterson{ids[v]}, options}; },
               {.delay = unit{}, .faults = fault_plan{}.links({.duplication = 0.3}).heal(1500),
                .outside_model = true}};
    net.start_all();
    CHECK(net.run(limits{.max_rounds = 3000, .max_messages = 50'000}).messages < 50'000);
    for (std::size_t v = 0; v < 4; ++v) CHECK(net[v].leader());
}

TEST_CASE("supervised, majority: a minority has no leader and says stalled; one leader a number") {
    auto net = five({}, majority{});
    net.run_for(100);
    CHECK(net[4].is_leader());
    net.partition({0, 4});
    net.run_for(300);
    CHECK_FALSE(net[4].is_leader());           // it hears too few
    CHECK_FALSE(net[0].leader());
    CHECK(net[3].is_leader());
    CHECK(net[1].leader() == 40);
    bool told = false;
    for (const auto& r : net.outcomes())
        told = told || (r.node == 4 && std::holds_alternative<stalled>(r.outcome));
    CHECK(told);
    net.unite();
    net.run_for(300);
    for (std::size_t v = 1; v < 5; ++v) CHECK(net[v].leader() == net[0].leader());
}

TEST_CASE("supervised, majority: three of five are enough, two are not") {
    auto net = five({.faults = fault_plan{}.crash(4, 100).crash(3, 300).crash(2, 500)}, majority{});
    net.run_for(300);
    CHECK(net[0].leader() == 40);
    net.run_for(200);
    CHECK(net[0].leader() == 30);
    net.run_for(500);
    CHECK_FALSE(net[0].leader());
    CHECK_FALSE(net[1].leader());
}

TEST_CASE("supervised, majority: two of five alive say stalled once, and send no ballots") {
    events net{complete{5}, bullies(5, quick, majority{}),
               {.delay = unit{}, .faults = fault_plan{}.crash(2, 0).crash(3, 0).crash(4, 0)}};
    net.start_all();
    const auto ballots = net.run_for(500).by_kind("ballot");
    CHECK(net.run_for(20'000).by_kind("ballot") == ballots);
    CHECK(told_by(net, 0) == "stalled");
    CHECK(told_by(net, 1) == "stalled");
    net.restart(2);
    net.run_for(500);
    CHECK(net[0].leader() == net[1].leader());
    CHECK(net[0].leader());
}

TEST_CASE("supervised: a detector's word at a node that has not started changes nothing there") {
    const auto unstarted = [](auto... policies) {
        events net{complete{3}, bullies(3, quick, policies...), {.delay = unit{}}};
        for (const port p : ports(2)) net.suspect(0, p);
        for (const port p : ports(2)) net.trust(0, p);
        net.suspect(0, port{1});
        const report r = net.run_for(10'000);
        CHECK(r.messages == 0);
        CHECK(net.armed(0).empty());
        CHECK(net.outcomes().empty());
        CHECK_FALSE(net[0].leader());
        CHECK(net[0].suspects(port{1}));   // it is remembered
        CHECK_FALSE(net[0].suspects(port{0}));
    };
    unstarted();
    unstarted(majority{});
    events quiet{complete{3}, bullies(3, {.beat = 0}), {.delay = unit{}}};
    quiet.suspect(0, port{0});
    quiet.trust(0, port{0});
    CHECK(quiet.run_for(10'000).messages == 0);
    CHECK(quiet.outcomes().empty());
}

TEST_CASE("supervised, majority: votes of those who are heard no more make no leader") {
    const auto slow_votes = [](const hop& h, random_source&) {
        return ticks{h.to == 2 && h.sent < 5 ? 50u : 1u};   // later than the silence of the dead
    };
    events net{complete{3}, bullies(3, quick, majority{}),
               {.delay = by_hand{slow_votes}, .faults = fault_plan{}.crash(0, 5).crash(1, 5)}};
    net.start(2);
    net.run_for(1000);
    CHECK_FALSE(net[2].leader());
    REQUIRE(net.outcomes().size() == 1);
    CHECK(std::holds_alternative<stalled>(net.outcomes()[0].outcome));
}

TEST_CASE("supervised without beats: the last words of one suspected before do not bind for ever") {
    events net{complete{2}, bullies(2, {.beat = 0, .timeout = 20, .election_max = 200}),
               {.delay = uniform{3, 3}}};
    net.start_all();
    static_cast<void>(net.run_until([&] { return net[1].is_leader(); }));
    net.crash(1);
    net.suspect(0, port{0});       // sooner than its epoch is heard
    net.run_for(4);
    CHECK(net[0].leader() == 20);
    net.run_for(100);
    CHECK(net[0].is_leader());
}

TEST_CASE("supervised without beats: who are parted and told of it meet again when they trust") {
    const auto all_pairs = [](auto act) {
        for (const std::size_t v : {0u, 1u}) {
            act(v, port{1 - v});               // of node 2
            act(2u, port{v});
        }
    };
    events net{complete{3}, bullies(3, {.beat = 0, .timeout = 20, .election_max = 60}),
               {.delay = unit{}}};
    net.start_all();
    net.run_for(100);
    CHECK(net[2].is_leader());
    net.partition({2});
    all_pairs([&](std::size_t v, port p) { net.suspect(v, p); });
    net.run_for(100);
    CHECK(net[1].is_leader());
    CHECK(net[2].is_leader());
    net.unite();
    all_pairs([&](std::size_t v, port p) { net.trust(v, p); });
    net.run_for(100);
    for (std::size_t v = 0; v < 3; ++v) CHECK(net[v].epoch() == net[1].epoch());
    const std::size_t told = net.outcomes().size();
    net.suspect(1, port{1});
    net.crash(0);
    net.restart(0);                            // and who returns is told by those who trust it
    net.trust(1, port{1});
    net.run_for(2);
    CHECK(net[0].epoch() == net[1].epoch());
    net.run_for(1000);
    CHECK(net[0].epoch() == net[1].epoch());
    CHECK(net.outcomes().size() == told + 1);  // nobody held an election
}

TEST_CASE("supervised: a beat over every link and direction each period, and nothing else") {
    auto net = five({});
    net.run_for(1000);
    const auto before = net.run_for(0).messages;
    const report r = net.run_for(1000);
    CHECK(r.messages - before == 5 * 4 * 100);
    CHECK(r.by_kind("ballot") + r.by_kind("beat") == r.messages);
}

// What no honest node sends

TEST_CASE("supervised: a number too far ahead to be honest is ignored, wherever it stands") {
    auto net = five({}, majority{});
    net.run_for(100);
    using process = std::remove_cvref_t<decltype(net[0])>;
    using message = process::message;
    const auto hear = [&](const auto& m) { net.call(4, arrival<message>{m, port{0}}); };
    const std::uint64_t last = ~std::uint64_t{0};
    for (const std::uint64_t number : {last, last - 1, (std::uint64_t{1} << 40) + 2}) {
        hear(process::ballot{number, process::ballot{}.message});
        hear(process::beat{number, std::nullopt, 0});
        hear(process::beat{1, epoch<int>{number, 10, {}}, 0});
        hear(process::ask{number});
        hear(process::vote{number});
    }
    net.run_for(1000);
    CHECK(net[4].is_leader());
    CHECK(told_by(net, 4) == "installed 1:50");
    hear(process::beat{(std::uint64_t{1} << 40) + 1, std::nullopt, 0});   // the next may be so far
    net.run_for(100);
    net.crash(4);
    net.run_for(1000);
    CHECK(net[0].epoch()->number == (std::uint64_t{1} << 40) + 2);
}

TEST_CASE("supervised: an epoch in its name that it has not stamped makes nobody a leader") {
    for (const std::uint64_t number : {1u, 7u}) {
        auto net = five({.faults = fault_plan{}.crash(4, 0)});
        net.run_for(200);
        using process = std::remove_cvref_t<decltype(net[0])>;
        CHECK(net[3].is_leader());
        net.call(1, arrival<process::message>{process::beat{9, epoch<int>{number, 20, {}}, 0},
                                              port{0}});
        CHECK_FALSE(net[1].is_leader());
        net.run_for(1000);
        CHECK(net[1].leader() == 40);
    }
}

TEST_CASE("supervised: when numbers run out it waits and says so; epochs do not begin again") {
    using process = decltype(bullies(3, quick, majority{})(node{0}));
    events net{complete{3}, bullies(3, quick, majority{}), {.delay = unit{}}};
    net.call(0, recovered<process::kept>{incarnation{1}, process::promise{~std::uint64_t{0}, {}}});
    net.run_for(1000);
    CHECK(told_by(net, 0).starts_with("stalled"));
    CHECK_FALSE(net[0].leader() == 10);
    net.start(1);
    net.start(2);
    net.run_for(1000);
    CHECK(net[1].leader() == 30);              // the others ignore such a number
    CHECK(net[0].leader() == 30);
}

// Every schedule

TEST_CASE("supervised<bully>: all schedules of 2 and 3 with a crash that is found out, no beats") {
    using process = decltype(bullies(3, quick)(node{0}));
    const auto fenced = [](const global_state<process>& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            for (std::size_t u = 0; u < v; ++u)
                if (g.alive(u) && g.alive(v) && g[u].is_leader() && g[v].is_leader() &&
                    *g[u].epoch() == *g[v].epoch())
                    return false;
        return true;
    };
    const auto all_know = [](const global_state<process>& g) {
        std::optional<int> leader;
        for (std::size_t v = 0; v < g.nodes(); ++v) {
            if (!g.alive(v)) continue;
            if (!g[v].leader() || (leader && g[v].leader() != leader)) return false;
            leader = g[v].leader();
        }
        return true;
    };
    for (const std::size_t n : {2u, 3u}) {
        CAPTURE(n);
        const verdict v = explore(complete{n}, bullies(n, {.beat = 0, .election_max = 100}),
            {.initiators = any_subset,
             .properties = {always(fenced), sometimes(someone_leads), finally(all_know)},
             .faults = {.crashes = 1}, .perfect_detector = true, .max_states = 400'000});
        MESSAGE(n, " nodes: ", v.states, " states");
        CHECK(v.holds);
        CHECK(v.complete);
        if (!v.holds) MESSAGE(v);
    }
}
