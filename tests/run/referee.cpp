// SPDX-License-Identifier: MIT
#include <caucus/run/referee.hpp>

#include <caucus/layer/client.hpp>
#include <caucus/run/agreement.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/replay.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/run/swarm.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/two_way_ring.hpp>
#include <laws/referee.hpp>
#include <support/central_lock.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

using namespace caucus;

namespace {

using outcome = std::variant<entered<>, left, revoked, stalled>;
using reports = std::vector<std::pair<std::size_t, outcome>>;

/// A referee that does not hear of crashes.
struct deaf : exclusive<> {
    static void crashed(ticks, node) {}
    static void restarted(ticks, node, incarnation) {}
};

/// A lock that the dead lose: who is suspected is passed over. A wrong suspicion would let in two.
struct generous_lock : support::central_lock<> {
    using support::central_lock<>::on;
    void on(suspect s, auto& env) {
        for (std::size_t i = 0; i < queue.size(); ++i)
            if (queue[i].who == s.whom) return on(done{queue[i].number}, s.whom, env);
    }
    static auto fields(auto& self) {
        return std::tie(self.is, self.number, self.queue, self.centre);
    }
};
/// A referee to whom it matters which node is which.
struct minds_who : same_prefix<left> {
    static constexpr bool any_node = false;
};
/// Reports so late that it has entered, and nothing else ever; never: it does not.
struct enters_once {
    struct due {};
    using message = nothing;
    using timer = due;
    using outcome = entered<>;
    ticks delay = 0;
    void start(auto& env) {
        if (delay != never) env.arm(due{}, delay);
    }
    void on(due, auto& env) { env.report(entered{}); }
};
auto generous_clients(node v) {
    return client{generous_lock{}, sections{.entries = v.index == 0 ? std::uint8_t{0}
                                                                    : std::uint8_t{200},
                                            .thinking = 5, .staying = 5, .again = true},
                  outcome_log<>{}};
}

struct counts_violations : observer {
    bool holds() const { return true; }
    std::vector<int> violations() const { return {}; }
};
struct finds_nothing : observer {
    bool holds() const { return true; }
    std::vector<violation> violations() const { return {}; }
};

}  // namespace

static_assert(referee<exclusive<>> && referee<together<exclusive<>, exclusive<>>>);
static_assert(!referee<observer>);
// A list of anything else is not what swarm::judge, and together, could report.
static_assert(!referee<counts_violations> && referee<finds_nothing>);
static_assert(!together<exclusive<>, same_prefix<left>>::at_rest);
static_assert(together<exclusive<>, same_set<left>>::at_rest);
static_assert(together<exclusive<>, same_set<left>>::any_node);
static_assert(!together<exclusive<>, deaf, minds_who>::any_node);

TEST_CASE("exclusive: the laws of referees") {
    laws::referee_laws(exclusive{}, reports{{0, entered{}}, {0, left{}}, {1, entered{}},
                                            {2, stalled{}}, {1, revoked{}}, {2, entered{}},
                                            {0, entered{}}, {0, left{}}}, 3);
    laws::referee_laws(together{exclusive{}, same_prefix<left>{}},
                       reports{{0, entered{}}, {0, left{}}, {1, entered{}}, {2, entered{}}}, 3);
}

TEST_CASE("together: what is broken and stays so is told apart from what may still be mended") {
    together both{exclusive{}, same_set<left>{2}};
    both.reported(1, node{0}, outcome{entered{}});
    both.reported(2, node{0}, outcome{left{}});
    CHECK(both.violations().size() == 1);   // the other has not left, so far
    CHECK(both.lasting_violations().empty());
    both.reported(3, node{0}, outcome{entered{}});
    both.reported(4, node{1}, outcome{entered{}});
    CHECK(both.violations().size() == 2);
    REQUIRE(both.lasting_violations().size() == 1);
    CHECK(both.lasting_violations()[0].at == 4);
    const together nested{both, exclusive{}};
    CHECK(decltype(nested)::at_rest);
    CHECK(nested.lasting_violations().size() == 1);
}

TEST_CASE("exclusive: who enters twice is inside once; together hears of crashes, too") {
    together both{exclusive{}, same_prefix<left>{}};
    both.reported(1, node{0}, outcome{entered{}});
    both.reported(2, node{0}, outcome{entered{}});
    CHECK(both.holds());
    both.crashed(3, node{0});
    both.reported(4, node{1}, outcome{entered{}});
    CHECK(both.holds());
    both.restarted(5, node{1}, {1});
    both.reported(6, node{0}, outcome{entered{}});
    CHECK(both.holds());
    both.reported(7, node{1}, outcome{entered{}});
    CHECK(both.violations().size() == 1);
}

TEST_CASE("exclusive: who is inside, by a function of one's own") {
    const auto says = [](const auto& kind) {
        if constexpr (requires { kind.waiting_for; }) return presence::inside;
        else return presence::unchanged;
    };
    exclusive mine{says};
    mine.reported(3, node{0}, outcome{stalled{}});
    mine.reported(4, node{2}, outcome{entered{}});
    CHECK(mine.holds());
    mine.reported(5, node{1}, outcome{stalled{}});
    REQUIRE(mine.violations().size() == 1);
    CHECK(mine.violations()[0].at == 5);
    CHECK(mine.violations()[0].who.index == 1);
    CHECK(mine.violations()[0].other.index == 0);
    CHECK(mine.entries() == 2);
}

TEST_CASE("exclusive: the dead are not inside; a referee that does not hear of them miscounts") {
    const auto run = [](auto watcher, bool comes_back) {
        events net{star{3}, generous_clients, {.detector = perfect{3}}, watcher};
        net.start_all();
        net.run_until([&] { return net[1].holds(); });
        net.crash(1);
        if (comes_back) {
            net.run_for(50);
            net.restart(1);
        }
        net.run_for(500);
        CHECK(net.watcher().entries() > 10);
        return net.watcher().violations().size();
    };
    CHECK(run(exclusive{}, false) == 0);
    CHECK(run(exclusive{}, true) == 0);
    CHECK(run(deaf{}, false) > 10);
}

TEST_CASE("together: does not mind which node is which if none of them does, in explore too") {
    // Equal nodes on a ring that all start: rotations are left out only if nobody minds them.
    const auto states = [](auto watcher) {
        return explore(two_way_ring{4}, [](node) {
                           return client{enters_once{7}, script<request::start>{{}},
                                         outcome_log<>{}};
                       }, {.properties = {always("rule", watcher)},
                           .timers = timers::any_time}).states;
    };
    const same_prefix<left> nothing_left;
    const std::uint64_t as_ever = states(minds_who{});
    CHECK(states(nothing_left) < as_ever);
    CHECK(states(together{nothing_left, nothing_left}) == states(nothing_left));
    CHECK(states(together{nothing_left, minds_who{}}) == as_ever);
}

TEST_CASE("exclusive: in swarm, in replay and over the logs in explore the same") {
    using request::cancel, request::enter, request::leave;
    const script twice{in_order(enter{}, cancel{}, enter{}, leave{}),
                       {.thinking = 3, .retries = 0}};
    const auto sound = [=](node v) {
        return client{support::central_lock<true>{}, v.index == 0 ? decltype(twice){{}} : twice,
                      outcome_log<>{}};
    };
    const auto flawed = [=](node v) {
        return client{support::central_lock<false>{}, v.index == 0 ? decltype(twice){{}} : twice,
                      outcome_log<>{}};
    };
    const auto explored = [](auto make) {
        return explore(star{3}, make, {.properties = {always(exclusive{})},
                                       .timers = timers::any_time});
    };
    CHECK(explored(sound).verified());
    const verdict v = explored(flawed);
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 9);

    auto again = replay(v.counterexample, star{3}, flawed, exclusive{});
    REQUIRE(again.watcher().violations().size() == 1);
    CHECK(again.watcher().entries() == 2);
    CHECK_FALSE(exclusive{}(again));

    const swarm calm{.heals_at = 100, .crashes_max = 0, .storms = 1};
    const swarm_findings many = calm.judge(60, star{4}, flawed, exclusive{}, 400);
    CHECK(many.runs == 60);
    CHECK(many.failures.size() > 0);
    CHECK(many.failures.size() < 60);
    const swarm_findings none = calm.judge(60, star{4}, sound, exclusive{}, 400);
    CHECK(none.holds());
    CHECK(none.outcomes > 60);
}

TEST_CASE("swarm: a referee that is at rest is not believed before a run has come to rest") {
    const swarm calm{.heals_at = 20, .crashes_max = 0, .storms = 1};
    const auto judged = [&](ticks last, ticks after_healing, auto watcher) {
        return calm.judge(20, complete{3}, [=](node v) {
            return enters_once{v.index == 0 ? 10 : v.index == 1 ? 30 : last};
        }, watcher, after_healing);
    };
    const same_set<entered<>> of_all{3};
    const swarm_findings early = judged(200, 80, of_all);
    CHECK(early.failures.empty());
    CHECK(early.undecided.size() == 20);
    CHECK(early.undecided.back() == 20);
    CHECK_FALSE(early.holds());
    CHECK(judged(200, 500, of_all).holds());
    const swarm_findings flawed = judged(never, 80, of_all);
    CHECK(flawed.failures.size() == 20);
    CHECK(flawed.undecided.empty());
    // What is broken for good is told at once, even if other words are still out.
    CHECK(judged(200, 80, together{of_all, exclusive{}}).failures.size() == 20);
    CHECK(judged(200, 80, together{of_all, same_prefix<left>{}}).undecided.size() == 20);
    CHECK(judged(200, 80, same_prefix<left>{}).holds());
}

TEST_CASE("exclusive: many runs with crashes, of which the referee must hear") {
    const auto overlaps = [](auto watcher) {
        std::size_t found = 0;
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            random_source bits{seed};
            fault_plan plan;
            for (ticks at = 100; at < 3000; at += 300 + bits.below(100)) {
                const auto v = static_cast<std::size_t>(1 + bits.below(3));
                plan.crash(v, at).restart(v, at + 200);
            }
            events net{star{4}, generous_clients,
                       {.seed = seed, .faults = plan, .detector = perfect{5}}, watcher};
            net.start_all();
            net.run_for(3000);
            CHECK(net.watcher().entries() > 50);
            found += net.watcher().violations().size();
        }
        return found;
    };
    CHECK(overlaps(exclusive{}) == 0);
    CHECK(overlaps(deaf{}) > 100);
}

TEST_CASE("referees: a log that has missed something is judged by nobody") {
    const auto make = [](node v) {
        return client{support::central_lock<>{}, {.entries = std::uint8_t(v.index != 0)},
                      outcome_log<inplace_storage<1>>{}};
    };
    CHECK_THROWS_WITH_AS(
        static_cast<void>(explore(star{2}, make, {.properties = {always(exclusive{})}})),
        "referee: the log of node 1 is full and has missed some outcomes", error);
    CHECK_THROWS_AS(static_cast<void>(explore(star{2}, make,
                                              {.properties = {always(same_prefix<outcome>{})}})),
                    error);
    CHECK(same_prefix<outcome>{}.values(3).empty());
}
