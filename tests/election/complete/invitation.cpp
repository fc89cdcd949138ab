// SPDX-License-Identifier: MIT
// Broken promises throw here, so that tests can see them.
#define CAUCUS_ASSERT(condition) ((condition) ? void() : throw #condition)
#include <caucus/election/complete/invitation.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>

#include <doctest/doctest.h>
#include <support/groups.hpp>
#include <support/instances.hpp>
#include <support/trace.hpp>
#include <support/unstarted.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

using process_type = invitation<int>;
constexpr ticks lost = 1'000'000'000;   // so late that the run is over

constexpr int grouped_at_compile_time(std::array<int, 3> ids) {
    rounds sim{complete{3}, [&](node v) {
        return invitation{ids[v], peer_ids(complete{3}, v, ids)};
    }};
    sim.start_all();
    sim.run_for(40);
    return sim[0].group() == sim[1].group() && sim[1].group() == sim[2].group()
               ? sim[0].leader().value_or(0) : 0;
}

/// Until `heals` two sides hear nothing of each other, and some messages are lost or late.
by_hand troubled(std::vector<int> sides, ticks heals, ticks delay_max, std::uint64_t lost_in_four) {
    return {[=](const hop& h, random_source& bits) -> ticks {
        if (h.sent >= heals) return 1 + bits.below(delay_max);
        if (sides[h.from] != sides[h.to] || bits.below(4) < lost_in_four) return lost;
        const ticks wished = 1 + bits.below(bits.below(4) == 0 ? 20 * delay_max : delay_max);
        return std::min(wished, heals + delay_max - h.sent);
    }};
}

}  // namespace

// Shape

static_assert(process<process_type> && perpetual<process_type>);
static_assert(process_type::assumes.links == guarantee::none);
static_assert(grouped_at_compile_time({17, 4, 42}) == 42);
static_assert(std::is_same_v<decltype(invitation{1, std::array{2, 3}}),
                             invitation<int, inplace_storage<2>>>);
static_assert(std::is_same_v<decltype(invitation{1, std::vector{2}, {}, least{}}),
                             invitation<int, heap_storage, least>>);
static_assert(std::is_same_v<decltype(invitation{1, std::vector{2}, least{}}),
                             invitation<int, heap_storage, least>>);
static_assert(std::is_same_v<decltype(invitation{1, std::vector{2}}), process_type>);
static_assert(std::is_same_v<decltype(invitation{1, std::vector{2}, invitation_options{}}),
                             process_type>);
static_assert(std::is_same_v<decltype(invitation{1, std::vector{2}, {.delay_max = 2}, least{}}),
                             invitation<int, heap_storage, least>>);
static_assert(sizeof(invitation<std::uint16_t, inplace_storage<4>>) <= 136);

static_assert(std::is_same_v<decltype(invitation(1, std::vector{2}, {})),
                             decltype(invitation{1, std::vector{2}})>);

TEST_CASE("invitation: the waits follow from the delay; without one they are refused") {
    constexpr invitation_options options{.delay_max = 50};
    static_assert(options.check_wait() == 500 && options.answer_wait() == 100);
    static_assert(options.accept_wait() == 150 && options.ready_wait() == 200);
    static_assert(options.back_off(0) == 0 && options.back_off(2) == 1000);
    static_assert(options.healed_within(3) == 4 * (500 + 100 + 1500 + 200));
    static_assert(invitation_options{.delay_max = 50, .check_period = 7}.check_wait() == 7);
    // Too long for ticks to count: never, and no wrap.
    static_assert(invitation_options{.delay_max = 50, .check_period = never}.healed_within(3) ==
                  never);
    static_assert(options.back_off(never / 500 + 1) == never);
    constexpr invitation_options slow{.delay_max = never / 2 + 1};
    static_assert(slow.check_wait() == never && slow.answer_wait() == never);
    static_assert(slow.accept_wait() == never && slow.ready_wait() == never);
    static_assert(slow.healed_within(3) == never);
    const auto made = [](invitation_options o) { return invitation{1, std::vector{2}, o}; };
    CHECK_THROWS_WITH(made({.delay_max = 0}),
                      "invitation: delay_max is 0; a message takes at least one tick");
    CHECK_THROWS_AS(made({.delay_max = never}), error);
    CHECK_NOTHROW(made({.delay_max = never >> 32}));
}

// Paper

TEST_CASE("invitation: two find each other, the better one invites, the other asks after it") {
    std::vector<journal::line> lines;
    journal j;
    j.lines = &lines;
    const std::vector<int> ids{1, 2};
    events net{complete{2}, inviting(ids, {.check_period = 20}), {.delay = unit{}}, j};
    net.start_all();
    net.run_for(50);
    CHECK(in_order(lines) == "0: 0 knows 1\n"
                             "0: 0 waits 20\n"
                             "0: 1 knows 2\n"
                             "0: 1 waits 20\n"
                             "20: 0 are_you_coordinator by 0\n"
                             "20: 0 waits 2\n"
                             "20: 1 are_you_coordinator by 0\n"
                             "20: 1 waits 2\n"
                             "21: 0 coordinator by 0\n"
                             "21: 1 coordinator by 0\n"
                             "22: 0 waits 10\n"          // one is better
                             "22: 1 waits 0\n"           // nobody is
                             "23: 1 invite by 0\n"
                             "23: 1 waits 3\n"
                             "24: 0 accept by 0\n"
                             "24: 0 waits 4\n"
                             "26: 1 ready by 0\n"
                             "26: 1 knows 2\n"
                             "26: 1 waits 20\n"
                             "27: 0 waits 20\n"
                             "27: 0 knows 2\n"
                             "46: 1 are_you_coordinator by 0\n"
                             "46: 1 waits 2\n"
                             "47: 0 are_you_there by 0\n"
                             "47: 0 waits 2\n"
                             "48: 1 here by 0\n"
                             "48: 1 waits 20\n"
                             "49: 0 waits 20\n");
    CHECK(net[1].is_leader());
    CHECK(net[1].has_member(port{0}));
    CHECK(net[0].group() == group_id<int>{2, {}, 2});
}

// Safety and liveness

TEST_CASE("invitation: every schedule, timers at any time; loss, repetition, amnesia, n = 2") {
    const std::vector<int> ids{1, 2};
    using process = short_sighted<>;
    for (const fault_budget faults :
         {fault_budget{}, fault_budget{.losses = 1, .duplicates = 1},
          fault_budget{.crashes = 1, .restarts = 1}, fault_budget{.crashes = 1, .amnesias = 1}}) {
        const verdict v =
            explore(complete{2}, [&](node u) { return process{ids[u], {ids[1 - u]}, 1}; },
                    {.properties = {always(leaders_know_their_members{}), sometimes(one_group{})},
                     .faults = faults, .fifo = false, .timers = timers::any_time});
        CAPTURE(v.counterexample.text());
        CHECK(v.verified());
    }
}

TEST_CASE("invitation: every schedule, timers at any time, one looks around, n = 3") {
    const std::vector<int> ids{1, 2, 3};
    using process = short_sighted<>;
    for (std::size_t who = 0; who < 3; ++who)
        for (const fault_budget faults :
             {fault_budget{.losses = 1}, fault_budget{.duplicates = 1}}) {
            const auto make = [&](node u) {
                return process{ids[u], peer_ids(complete{3}, u, ids), u == who ? 1 : 0};
            };
            const verdict v =
                explore(complete{3}, make,
                        {.properties = {always(leaders_know_their_members{}),
                                        sometimes(one_group{})},
                         .faults = faults, .fifo = false, .timers = timers::any_time});
            CAPTURE(v.counterexample.text());
            CHECK(v.verified());
        }
}

TEST_CASE("invitation: for ever, messages before timers: one group in the end, whatever was lost, "
          "n <= 3") {
    for (const std::size_t n : {2u, 3u})
        for (const fault_budget faults :
             {fault_budget{}, fault_budget{.losses = 1}, fault_budget{.losses = 2},
              fault_budget{.duplicates = 1}, fault_budget{.crashes = 1}}) {
            const std::vector<int> ids = ascending(n);
            const verdict v = explore(complete{n}, inviting(ids),
                                      {.properties = {always(leaders_know_their_members{}),
                                                      sometimes(one_group{}), finally(one_group{})},
                                       .faults = faults, .fifo = false});
            CAPTURE(v.counterexample.text());
            CHECK(v.verified());
        }
}

TEST_CASE("nightly: invitation: two look around, n = 3; twice, or a crash and a repetition, n = 2"
          * doctest::skip()) {
    using process = short_sighted<>;
    const auto explored = [](std::vector<int> checks, fault_budget faults) {
        const std::size_t n = checks.size();
        const std::vector<int> ids = ascending(n);
        const auto make = [&](node u) {
            return process{ids[u], peer_ids(complete{n}, u, ids), checks[u]};
        };
        const verdict v = explore(complete{n}, make,
                                  {.properties = {always(leaders_know_their_members{}),
                                                  sometimes(one_group{})},
                                   .faults = faults, .fifo = false, .timers = timers::any_time,
                                   .count_messages = false});
        CHECK(v.verified());
        return v.states;
    };
    CHECK(explored({2, 2}, {}) == 117'927);
    CHECK(explored({1, 1}, {.crashes = 1, .amnesias = 1, .duplicates = 1}) == 352'423);
    CHECK(explored({1, 1, 0}, {}) == 497'328);
}

TEST_CASE("invitation: partition, loss, lateness, crashes; then one group as soon as stated") {
    const ticks d = 10;
    ticks longest = 0;
    for (const ticks check_period : {0u, 1u, 35u, 1000u})
        for (std::uint64_t seed = 1; seed <= (sanitized ? 10 : 50); ++seed) {
            CAPTURE(seed);
            CAPTURE(check_period);
            random_source dice{seed};
            const std::size_t n = 2 + dice.below(6);
            const std::vector<int> ids = shuffled(n, seed);
            const ticks heals = 1 + dice.below(3000);
            std::vector<int> sides(n);
            for (int& side : sides) side = static_cast<int>(dice.below(2));
            fault_plan plan;
            for (std::size_t v = 0; v < n; ++v) {
                if (dice.below(3) != 0) continue;
                const ticks dies = dice.below(heals);
                plan.crash(v, dies).restart(v, dies + dice.below(heals - dies));
            }
            const invitation_options options{.delay_max = d, .check_period = check_period};
            events net{complete{n}, inviting(ids, options),
                       {.seed = seed, .delay = troubled(sides, heals, d, dice.below(4)),
                        .fifo = false, .faults = plan}};
            net.start_all();
            const auto unsafe = [&] { return !leaders_know_their_members{}(net); };
            const ticks bound = heals + options.healed_within(n);
            CHECK(net.run_until(unsafe, {.max_rounds = heals}).stopped == stop::limit);
            ticks grouped = heals;
            const auto watch = [&] {
                if (!one_group{}(net)) grouped = net.now() + 1;
                return unsafe();
            };
            CHECK(net.run_until(watch, {.max_rounds = 2 * bound}).stopped == stop::limit);
            CHECK(grouped <= bound);
            longest = std::max(longest, (grouped - heals) * 100 / options.healed_within(n));
        }
    if (!sanitized) CHECK(longest > 20);   // per cent of what is allowed
}

TEST_CASE("invitation: late, repeated and foreign messages meet a guard") {
    using p = process_type;
    struct notes {
        std::vector<std::string> out{};
        std::vector<int> told{};
        std::vector<ticks> waits{};
        std::size_t degree() const { return 3; }
        void send(port to, const p::message& m) {
            visit_kind(m, [&]<class Kind>(const Kind&) {
                const text name = kind_name<Kind>();
                out.push_back(std::string(name.data(), name.size()) + " by " +
                              std::to_string(to.index()));
            });
        }
        void broadcast(const p::message& m) {
            for (const port to : ports(3)) send(to, m);
        }
        void arm(const p::timer&, ticks delay) { waits.push_back(delay); }
        void disarm(const p::timer&) {}
        void report(const p::outcome& o) { told.push_back(o.leader); }
    } env;
    using group = group_id<int>;
    p self{5, std::vector{9, 3, 7}};
    self.on(p::are_you_coordinator{}, port{0}, env);         // it has not started
    self.on(p::invite{{9, {}, 4}}, port{0}, env);
    CHECK(env.out.empty());
    CHECK_FALSE(self.leader().has_value());
    self.start(env);
    self.start(env);
    CHECK(env.told == std::vector{5});
    const p fresh = self;
    self.on(p::invite{{9, {}, 4}}, port{3}, env);            // from where no peer is
    self.on(p::invite{{8, {}, 4}}, port{0}, env);            // of one that is no peer
    self.on(p::invite{{5, {}, 4}}, port{0}, env);            // its own
    self.on(p::coordinator{}, port{3}, env);
    self.on(p::accept{self.group()}, port{0}, env);          // nobody was invited
    self.on(p::ready{self.group()}, port{0}, env);
    self.on(p::here{self.group()}, port{0}, env);
    self.on(p::gone{self.group()}, port{0}, env);
    CHECK(env.out.empty());
    CHECK(env.waits == std::vector<ticks>{10});
    CHECK(same(self, fresh));
    CHECK(self.group() == group{5, {}, 1});
    self.on(p::coordinator{}, port{2}, env);                 // too late for the last look, and
    self.on(p::check_due{}, env);                            // not to be counted in the next
    self.on(p::answers_due{}, env);
    CHECK(env.waits == std::vector<ticks>{10, 2, 10});
    env.out.clear();
    self.on(p::coordinator{}, port{1}, env);
    self.on(p::answers_due{}, env);
    CHECK(env.waits.back() == 20);                           // two are better
    self.on(p::merge_due{}, env);
    CHECK(env.out == std::vector<std::string>{"invite by 1"});
    CHECK_FALSE(self.leader().has_value());
    self.on(p::invite{{9, {}, 4}}, port{0}, env);            // two that invite each other: neither
    self.on(p::are_you_there{{5, {}, 1}}, port{1}, env);     // it will hear from the new group
    self.on(p::are_you_coordinator{}, port{0}, env);
    self.on(p::coordinator{}, port{2}, env);
    self.on(p::accept{{5, {}, 1}}, port{2}, env);            // of the old group
    self.on(p::accept{{5, {}, 2}}, port{3}, env);
    self.on(p::accept{{5, {}, 2}}, port{1}, env);
    self.on(p::accepts_due{}, env);
    CHECK(env.out == std::vector<std::string>{"invite by 1", "ready by 1"});
    CHECK(self.has_member(port{1}));
    CHECK_FALSE(self.has_member(port{2}));
    self.on(p::accept{{5, {}, 2}}, port{2}, env);            // too late
    CHECK_FALSE(self.has_member(port{2}));
    env.out.clear();
    self.on(p::are_you_there{{5, {}, 2}}, port{1}, env);
    self.on(p::are_you_there{{5, {}, 1}}, port{1}, env);
    self.on(p::are_you_there{{5, {}, 2}}, port{2}, env);
    CHECK(env.out == std::vector<std::string>{"here by 1", "gone by 1", "gone by 2"});
    env.out.clear();
    self.on(p::invite{{9, {}, 4}}, port{2}, env);            // passed on, and on
    CHECK(env.out == std::vector<std::string>{"invite by 1", "accept by 0"});
    self.on(p::invite{{7, {}, 9}}, port{2}, env);
    self.on(p::ready{{9, {}, 3}}, port{0}, env);
    CHECK(env.out.size() == 2);
    CHECK_FALSE(self.leader().has_value());
    self.on(p::ready{{9, {}, 4}}, port{0}, env);
    CHECK(self.leader() == 9);
    self.on(p::are_you_there{{9, {}, 4}}, port{1}, env);     // who does not lead
    CHECK(env.out.back() == "gone by 1");
    const p member = self;
    self.on(p::coordinator{}, port{1}, env);
    CHECK(same(self, member));
    self.on(p::invite{{9, {}, 4}}, port{0}, env);            // repeated
    self.on(p::invite{{9, {}, 3}}, port{0}, env);            // and older still
    self.on(p::gone{{9, {}, 3}}, port{0}, env);
    CHECK(self.leader() == 9);
    self.on(p::invite{{9, {1}, 1}}, port{0}, env);           // of its next life
    CHECK(env.out.back() == "accept by 0");
    self.on(p::ready{{9, {1}, 1}}, port{0}, env);
    self.on(p::invite{{9, {0}, 7}}, port{0}, env);           // of its last one
    CHECK(self.leader() == 9);
    self.on(p::gone{{9, {1}, 1}}, port{0}, env);
    CHECK(self.leader() == 5);
    CHECK(env.told == std::vector{5, 5, 9, 9, 5});
    CHECK(self.group() == group{5, {}, 3});
    for (const std::size_t who : {1u, 2u}) {                 // who does not come along is no member
        self.on(p::coordinator{}, port{who}, env);
        self.on(p::merge_due{}, env);
        self.on(p::accept{self.group()}, port{who}, env);
        self.on(p::accepts_due{}, env);
    }
    CHECK(self.has_member(port{2}));
    CHECK_FALSE(self.has_member(port{1}));
}

// Cost

TEST_CASE("invitation: m nodes merge with m-1 of each: invite, accept, ready; n-1 polls a look") {
    for (std::size_t n = 2; n <= 9; ++n) {
        const std::vector<int> ids = ascending(n);
        std::vector<int> halves(n);
        for (std::size_t v = 0; v < n; ++v) halves[v] = v < n / 2;
        // Two groups form, and become one when the net heals; node 0 is worst and waits longest.
        const ticks heals = 1000;
        const by_hand parted{[=](const hop& h, random_source&) -> ticks {
            return h.sent < heals && halves[h.from] != halves[h.to] ? lost : 1;
        }};
        events net{complete{n}, inviting(ids), {.delay = parted, .fifo = false}};
        net.start_all();
        const report before = net.run_for(heals);
        CHECK(before.by_kind("invite") == n - 2);
        CHECK(before.by_kind("accept") == n - 2);
        CHECK(before.by_kind("ready") == n - 2);
        for (std::size_t v = 0; v < n; ++v)
            CHECK(net[v].leader() == static_cast<int>(halves[v] == 1 ? n / 2 : n));
        const report healed = net.run_for(invitation_options{}.healed_within(n));
        CHECK(healed.by_kind("invite") == n - 2 + n - 1);
        CHECK(healed.by_kind("accept") == n - 2 + n - 1);
        CHECK(healed.by_kind("ready") == n - 2 + n - 1);
        CHECK(one_group{}(net));
        const report later = net.run_for(10 * 12);   // ten looks around
        CHECK(later.by_kind("are_you_coordinator") - healed.by_kind("are_you_coordinator") ==
              10 * (n - 1));
        CHECK(later.by_kind("invite") == healed.by_kind("invite"));
    }
}

TEST_CASE("invitation: alone, n = 1, a group of its own") {
    rounds one{complete{1}, [](node) { return invitation{7, std::vector<int>{}}; }};
    one.start(0);
    CHECK(one.run_for(1000).messages == 0);
    CHECK(one[0].is_leader());
    CHECK(one.outcomes().size() == 1);
}

TEST_CASE("invitation: its own id among the peers breaks a promise, two equal peers are refused") {
    CHECK_THROWS_AS((invitation{2, std::vector{1, 2}}), const char*);
    CHECK_THROWS_AS((invitation{2, std::array{2}}), const char*);
    CHECK_NOTHROW(invitation{2, std::vector{1, 3}});
    const std::vector<int> ids{1, 2, 3};
    const auto twice = [&](node v) {
        return invitation{ids[v], v.index == 1 ? std::vector{3, 3} : peer_ids(complete{3}, v, ids)};
    };
    CHECK_THROWS_WITH(rounds(complete{3}, twice), "simulation: behind port 1 of node 1 is node 0, "
                                                  "not the peer that it was told of");
}

TEST_CASE("invitation: deaf to detectors: it asks its peers itself") {
    process_type one{1, std::vector{2, 3}};
    archetype::environment<process_type> env;
    env.ports = 2;
    static_assert(!listens_to<process_type, suspect, decltype(env)>);
    static_assert(!listens_to<process_type, trust, decltype(env)>);
    tell(one, suspect{port{0}}, env);
    CHECK(effects(env) == 0);
}
