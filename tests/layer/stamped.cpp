// SPDX-License-Identifier: MIT
#include <caucus/layer/stamped.hpp>

#include <caucus/election/complete/invitation.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>
#include <support/told.hpp>
#include <support/unstarted.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

using namespace caucus;

namespace {

const std::vector ids{10, 20, 30, 40};
constexpr supervised_options every_ten{.beat = 10};

const auto inviting = [](node v) {
    return stamped{invitation{ids[v], peer_ids(complete{4}, v, ids), {.delay_max = 3}},
                      every_ten};
};

using stamped_groups = decltype(inviting(node{0}));
static_assert(perpetual<stamped_groups>);
static_assert(stamped_groups::assumes.topology == shape::complete);
static_assert(stamped_groups::timers(3) == 6);

/// Whoever suspects anybody leads, and tells the others to follow: an election by hand.
struct appointed {
    struct follow { int whom; };
    using message = follow;
    using timer = nothing;
    using outcome = nothing;
    static constexpr bool perpetual = true;

    int self = 0;
    std::optional<int> whom{};

    constexpr void start(auto&) {}
    constexpr void on(suspect, auto& env) {
        whom = self;
        env.broadcast(follow{self});
    }
    constexpr void on(follow f, port, auto&) { whom = f.whom; }
    constexpr int id() const { return self; }
    constexpr bool is_leader() const { return whom == self; }
    constexpr std::optional<int> leader() const { return whom; }
};

/// Listens, and draws no conclusions.
struct attentive : appointed {
    constexpr explicit attentive(int own) : appointed{own} {}
    using appointed::on;
    constexpr void on(suspect, auto&) {}
    constexpr void on(trust, auto&) {}
};

const auto by_hand_alone = [](node v) { return stamped{appointed{ids[v]}, every_ten}; };
void appoint(auto& net, std::size_t v) { net.suspect(v, port{0}); }

struct deaf_environment {
    int reports = 0;
    std::size_t degree() const { return 1; }
    void send(port, const auto&) {}
    void broadcast(const auto&) {}
    void arm(const auto&, ticks) {}
    void disarm(const auto&) {}
    void report(const auto&) { ++reports; }
};

}  // namespace

TEST_CASE("stamped<invitation>: one group, one leader, one epoch that all know") {
    events net{complete{4}, inviting, {.delay = uniform{1, 3}}};
    net.start_all();
    net.run_for(1000);
    for (std::size_t v = 0; v < 4; ++v) {
        CHECK(net[v].leader() == net[0].leader());
        CHECK(net[v].epoch() == net[0].epoch());
        CHECK(net[v].is_leader() == (net[v].leader() == ids[v]));
    }
    CHECK(net[0].leader());
}

TEST_CASE("stamped<invitation>: alone at once; parted, joined again, in ever greater epochs") {
    events alone{complete{1}, [](node) {
                     return stamped{invitation{7, std::vector<int>{}, {.delay_max = 3}},
                                       every_ten};
                 }};
    alone.start(0);
    CHECK(alone[0].epoch() == epoch<int>{1, 7, {}});

    events net{complete{4}, inviting, {.delay = uniform{1, 3}}};
    net.start_all();
    net.run_for(1000);
    const epoch<int> before = *net[0].epoch();
    net.partition({0, 1});
    net.run_for(1000);
    CHECK(net[0].epoch() == net[1].epoch());
    CHECK(net[2].epoch() == net[3].epoch());
    CHECK_FALSE(net[0].epoch() == net[2].epoch());
    net.unite();
    net.run_for(1000);
    for (std::size_t v = 1; v < 4; ++v) CHECK(net[v].epoch() == net[0].epoch());
    CHECK(before < *net[0].epoch());
}

TEST_CASE("stamped<invitation>: who is asked before it starts takes part once it has started") {
    events net{complete{4}, inviting, {.delay = uniform{1, 3}}};
    net.start(0);
    net.run_for(100);               // its questions reach those who sleep
    CHECK(net[0].is_leader());
    CHECK_FALSE(net[1].leader());
    net.start_all();
    net.run_for(3000);
    for (std::size_t v = 1; v < 4; ++v) {
        REQUIRE(net[v].epoch());
        CHECK(*net[v].epoch() == *net[0].epoch());
    }
}

TEST_CASE("stamped: every reign has an epoch of its own, in every life") {
    events net{complete{3}, by_hand_alone, {.delay = unit{}}};
    net.start_all();
    CHECK_FALSE(net[0].leader());
    appoint(net, 1);
    net.run_for(5);
    CHECK(net[0].epoch() == epoch<int>{1, 20, {}});
    appoint(net, 2);
    net.run_for(5);
    for (std::size_t v = 0; v < 3; ++v) CHECK(net[v].epoch() == epoch<int>{2, 30, {}});
    net.crash(2);
    net.restart(2);
    appoint(net, 2);                       // it has forgotten the numbers, but not which life it is
    net.run_for(15);
    CHECK(net[2].is_leader());
    CHECK(net[2].epoch() == net[0].epoch());
    CHECK(epoch<int>{2, 30, {0}} < *net[0].epoch());
    CHECK(net[0].epoch()->incarnation == incarnation{1});
}

TEST_CASE("stamped: a new life beats before anybody has said a word to it") {
    using beat_due = decltype(by_hand_alone(node{0}))::beat_due;
    events net{complete{3}, by_hand_alone, {.delay = unit{}}};
    CHECK(net.armed(1).empty());
    net.crash(1);
    net.restart(1);
    REQUIRE(net.armed(1).size() == 1);
    CHECK(visit_kind(net.armed(1)[0], []<class Kind>(const Kind&) {
        return std::is_same_v<Kind, beat_due>;
    }));
}

TEST_CASE("stamped: who lags behind is told so, and stamps anew") {
    events net{complete{2}, by_hand_alone, {.delay = unit{}}};
    net.start_all();
    net.cut(1, 0);
    for (int i = 0; i < 5; ++i) {          // node 1 leads again and again; 0 never hears of it
        appoint(net, 1);
        net.run_for(2);
        appoint(net, 0);
        net.run_for(2);
    }
    CHECK(net[0].epoch() == epoch<int>{1, 10, {}});
    CHECK_FALSE(net[1].leader());          // follows 10, whose epoch is older than its own last
    net.mend(1, 0);
    net.run_for(15);
    CHECK(net[0].is_leader());
    CHECK(net[0].epoch() == net[1].epoch());
    CHECK(epoch<int>{5, 20, {}} < *net[0].epoch());
    const std::string number = std::to_string(net[0].epoch()->number);   // and the old one is over
    CHECK(support::told_by(net, 0) == "installed 1:10, deposed 1:10, installed " + number + ":10");
    std::vector<std::uint64_t> numbers;
    for (const auto& r : net.outcomes())
        if (const auto* i = std::get_if<installed<int>>(&r.outcome); i != nullptr && r.node == 1)
            numbers.push_back(i->epoch.number);
    for (std::size_t i = 1; i < numbers.size(); ++i) CHECK(numbers[i - 1] < numbers[i]);
    CHECK(numbers.size() >= 5);
}

TEST_CASE("stamped: a number too far ahead to be honest is ignored") {
    using process = decltype(by_hand_alone(node{0}));
    events net{complete{2}, by_hand_alone, {.delay = unit{}}};
    net.start_all();
    appoint(net, 1);
    net.run_for(5);
    for (const std::uint64_t number : {last_number, leap_most + 2})
        for (std::size_t v = 0; v < 2; ++v) {
            const epoch<int> far{number, 20, {}};
            net.call(v, arrival<process::message>{process::stamp{far}, port{0}});
            net.call(v, arrival<process::message>{process::overtaken{far}, port{0}});
        }
    net.run_for(100);
    for (std::size_t v = 0; v < 2; ++v) CHECK(net[v].epoch() == epoch<int>{1, 20, {}});
    CHECK(net.outcomes().size() == 2);
}

TEST_CASE("nightly: stamped: the last number is not followed by the first" *
          doctest::skip()) {
    deaf_environment env;
    auto process = by_hand_alone(node{1});
    using stamp = decltype(process)::stamp;
    process.start(env);
    for (std::uint64_t number = 0; number != last_number;) {   // as few steps as it takes
        number = last_number - number > leap_most ? number + leap_most : last_number;
        process.on(stamp{{number, 10, {}}}, port{0}, env);
    }
    process.on(suspect{port{0}}, env);
    CHECK(process.process().is_leader());
    CHECK_FALSE(process.is_leader());
    CHECK(env.reports == 0);
}

TEST_CASE("stamped: all schedules of two that each may lead, one loss") {
    using process = decltype(by_hand_alone(node{0}));
    const auto fenced = [](const global_state<process>& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            for (std::size_t u = 0; u < v; ++u)
                if (g[u].is_leader() && g[v].is_leader() && *g[u].epoch() == *g[v].epoch())
                    return false;
        return true;
    };
    const verdict v = explore(complete{2}, by_hand_alone,
        {.initiators = {0}, .properties = {always(fenced), sometimes(someone_leads)},
         .faults = {.losses = 1, .wrong_suspicions = 2}, .fifo = false,
         .max_states = 100'000, .count_messages = false});
    CHECK(v.holds);
    CHECK(v.complete);
    MESSAGE(v.states, " states");
}

TEST_CASE("stamped: around an election that is deaf to detectors it is deaf, too") {
    using env = support::whole_environment<stamped_groups>;
    static_assert(!listens_to<stamped_groups, suspect, env>);
    static_assert(!listens_to<stamped_groups, trust, env>);
}

TEST_CASE("stamped: a detector's word before the start: nothing happens") {
    support::check_words_before_start(stamped{attentive{ids[0]}, every_ten}, 3);
}
