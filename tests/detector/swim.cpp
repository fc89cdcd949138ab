// SPDX-License-Identifier: MIT
#include <caucus/detector/swim.hpp>

#include <caucus/election/complete/bully.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>
#include <archetypes.hpp>
#include <laws/detector.hpp>
#include <support/least.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <variant>
#include <vector>

using namespace caucus;
using support::bystander;
using support::greeter;

namespace {

using watcher = swim<bystander>;
using version = member_version;
constexpr swim_options quick{.round_trip = 10, .period = 40, .suspicion = 200};

struct by_probes {
    uniform delays{1, 5};
    ticks notices = 16 * 40;
    auto make() const { return swim{bystander{}, quick}; }
};
struct by_random_probes : by_probes {
    ticks notices = 60 * 40;
    auto make() const { return swim{bystander{}, quick, at_random{}}; }
};

/// One member of n, by hand: what it sends and arms is written down.
struct member_by_hand {
    explicit member_by_hand(std::size_t n, swim_options o = quick) : self{bystander{}, o} {
        env.ports = n - 1;
        self.start(env);
    }
    void hear(port from, version sender, member_update u = {port{99}, {}, {}}) {
        watcher::ping p{port{0}, 1, {sender, {}}};
        if (u.whom != port{99}) p.says.news.push_back(u);
        self.on(p, from, env);
    }
    /// An update on the member behind our port `whom`, from the one behind our port 0.
    void hear_of(port whom, standing as, version at) {
        const std::size_t n = env.ports + 1;
        hear(port{0}, {}, {port{(whom + n - 1) % n}, as, at});
    }
    gossip last_said() const {
        return visit_kind(env.sent.back().second, [](const auto& m) { return m.says; });
    }

    struct {
        std::size_t ports = 0;
        std::vector<std::pair<port, watcher::message>> sent{};
        std::vector<watcher::timer> armed{};
        std::size_t degree() const { return ports; }
        void send(port p, const watcher::message& m) { sent.emplace_back(p, m); }
        void broadcast(const watcher::message&) {}
        void arm(const watcher::timer& t, ticks) { disarm(t); armed.push_back(t); }
        void disarm(const watcher::timer& t) {
            std::erase_if(armed, [&](const auto& each) { return same(each, t); });
        }
        std::size_t choose(std::size_t) { return 0; }
    } env;
    watcher self;
};

constexpr std::uint64_t pings_at_compile_time() {
    rounds sim{complete{3}, [](node) { return swim{greeter{}, quick, inplace_storage<2>{}}; }};
    sim.start(0);
    const report r = sim.run_for(100);
    return r.by_kind("ping") == r.by_kind("ack") && !sim[1].suspects(port{0}) ? r.messages : 0;
}

}  // namespace

// Shape

static_assert(process<watcher> && perpetual<watcher> && tosses_coins<watcher>);
static_assert(!reads_clock<watcher> && watcher::timers(5) == 7);
static_assert(pings_at_compile_time() > 10);
static_assert(std::is_same_v<decltype(swim{bystander{}, at_random{}}), swim<bystander, at_random>>);

TEST_CASE("swim: nonsense is refused") {
    CHECK_NOTHROW(swim{bystander{}, {.round_trip = 30, .period = 90, .suspicion = 90}});
    CHECK_THROWS_WITH((swim{bystander{}, {.round_trip = 30, .period = 89}}),
                      "swim: a period of 89 ticks has no room for three round trips of 30");
    CHECK_THROWS_AS((swim{bystander{}, {.round_trip = 0}}), error);
    CHECK_THROWS_WITH((swim{bystander{}, {.suspicion = 99}}),
                      "swim: within 99 ticks nobody can refute a suspicion");
}

TEST_CASE("swim: what the process inside objects to, it does") {
    struct fussy : greeter, support::three_ports_only {};
    CHECK(swim{fussy{}}.objection(3) == nullptr);
    CHECK(swim{fussy{}}.objection(2) == fussy::words);
    CHECK(swim{bystander{}}.objection(2) == nullptr);
}

// Safety and liveness

TEST_CASE("swim: the laws of detectors") { laws::detector(by_probes{}); }
TEST_CASE("swim: the laws of detectors, probing at random") { laws::detector(by_random_probes{}); }

TEST_CASE("swim: nobody is suspected before its helpers have tried in vain") {
    // Nodes 0 and 1 do not reach each other; all others reach everybody.
    const auto cut = by_hand{[](const hop& h, random_source&) -> ticks {
        return h.from + h.to == 1 ? never : 2;
    }};
    for (const std::size_t n : {3u, 5u}) {
        events net{complete{n}, [](node) { return swim{bystander{}, quick}; }, {.delay = cut}};
        net.start_all();
        const report r = net.run_for(4'000);
        CHECK(r.by_kind("ping_req") > 10);
        CHECK(laws::words_in(net) == 0);
    }
    // With nobody else to ask, and not before the period is over.
    events two{complete{2}, [](node) { return swim{bystander{}, quick}; }, {.delay = cut}};
    two.start_all();
    const report r = two.run_for(quick.period - 1);
    CHECK(laws::words_in(two) == 0);
    two.run_for(1);
    CHECK(laws::words_in(two) == 2);
    CHECK(two.run_for(1'000).by_kind("ping_req") == 0);
    CHECK(r.messages == 2);
}

TEST_CASE("swim: a suspicion is of one version: the next one has all its time to refute") {
    member_by_hand m{4};
    m.hear_of(port{1}, standing::suspected, {});
    const watcher::timer fuse{watcher::suspicion{port{1}}};
    const auto ticking = [&] {
        return std::count_if(m.env.armed.begin(), m.env.armed.end(),
                             [&](const auto& t) { return same(t, fuse); });
    };
    CHECK(ticking() == 1);
    m.hear_of(port{1}, standing::alive, {{}, 0, 1});
    CHECK(ticking() == 0);

    // Dead for longer than it takes to be suspected; back just before it would be confirmed.
    events net{complete{3}, [](node) { return swim{bystander{}, quick}; }, {.delay = unit{}}};
    net.start_all();
    net.run_for(100);
    net.crash(0);
    net.run_until([&] { return net[1].suspects(port{1}) && net[2].suspects(port{0}); });
    net.run_for(100);
    net.restart(0);
    net.run_for(1'000);
    CHECK(net[1].members().as(port{1}) == standing::alive);
    CHECK(net[2].members().as(port{0}) == standing::alive);
    CHECK(net[1].members().at(port{1}) == version{{1}, 0, 0});
}

TEST_CASE("swim: a restart that forgot its life is stale until it is told") {
    member_by_hand m{3};
    m.hear_of(port{1}, standing::confirmed, {{}, 0, 4});
    m.hear(port{1}, {});                       // incarnation 0 again
    CHECK(m.self.suspects(port{1}));
    const auto news = m.last_said().news;      // the answer says so
    REQUIRE(news.size() > 0);
    CHECK((news[0].whom == port{1} && news[0].as == standing::confirmed));
    m.hear(port{1}, {{}, 1, 0});               // and the next word comes from a new stay
    CHECK_FALSE(m.self.suspects(port{1}));

    m.hear_of(port{1}, standing::confirmed, {{}, 1, 0});
    m.hear(port{1}, {{1}, 0, 0});              // what `recovered` says
    CHECK_FALSE(m.self.suspects(port{1}));
}

TEST_CASE("swim: an answer to an earlier probe is none to this one") {
    member_by_hand m{2};
    m.self.on(watcher::period_over{}, m.env);   // the first was not answered
    CHECK(m.self.suspects(port{0}));
    m.hear(port{0}, {{}, 0, 1});                // refuted
    m.self.on(watcher::period_over{}, m.env);   // it was a newer version than the one probed
    CHECK_FALSE(m.self.suspects(port{0}));
    m.self.on(watcher::ack{port{1}, 2, {}}, port{0}, m.env);   // the third is under way
    m.self.on(watcher::period_over{}, m.env);
    CHECK(m.self.suspects(port{0}));
}

TEST_CASE("swim: every message brings news; from strangers, and about nobody, there is no answer") {
    member_by_hand m{4};
    m.self.on(watcher::ping{port{3}, 1, {{{}, 0, 1}, {}}}, port{0}, m.env);
    CHECK(m.self.members().at(port{0}) == version{{}, 0, 1});
    m.self.on(watcher::ack{port{3}, 0, {{{}, 0, 2}, {}}}, port{0}, m.env);
    CHECK(m.self.members().at(port{0}) == version{{}, 0, 2});
    m.self.on(watcher::ping_req{port{0}, 1, {{{}, 0, 3}, {}}}, port{0}, m.env);
    CHECK(m.self.members().at(port{0}) == version{{}, 0, 3});
    REQUIRE(m.env.sent.size() == 3);   // a ping, the ack, and a ping for another
    CHECK(m.env.sent[2].first == port{1});
    m.self.on(watcher::ping_req{port{2}, 1, {}}, port{0}, m.env);   // to probe ourselves
    m.self.on(watcher::ping{port{3}, 1, {}}, port{3}, m.env);
    m.self.on(watcher::ping_req{port{0}, 1, {}}, port{3}, m.env);
    m.self.on(watcher::ack{port{1}, 1, {}}, port{3}, m.env);
    CHECK(m.env.sent.size() == 3);
}

TEST_CASE("swim: two halves that confirmed each other dead meet again") {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const auto halves = by_hand{[](const hop& h, random_source& bits) -> ticks {
            if (h.sent < 8'000 && (h.from < 3) != (h.to < 3)) return never;
            return 1 + bits.below(5);
        }};
        events net{complete{6}, [](node) { return swim{bystander{}, quick}; },
                   {.seed = seed, .delay = halves, .fifo = false}};
        net.start_all();
        net.run_for(8'000);
        for (std::size_t v = 0; v < 6; ++v)
            for (std::size_t u = 0; u < 6; ++u)
                if (u != v) CHECK(net[v].suspects(support::way(v, u, 6)) == ((u < 3) != (v < 3)));
        CHECK(net[0].members().as(support::way(0, 5, 6)) == standing::confirmed);
        net.run_for(1'000);
        laws::check_true(net);
        CHECK(net[0].members().own().stay + net[1].members().own().stay > 0);
    }
}

TEST_CASE("swim: the process inside is carried: bully follows the best that is not suspected") {
    events net{complete{4}, [](node v) { return swim{laws::quick_bully(v), quick}; }};
    laws::check_follows_the_best(net);
    CHECK(net.outcomes().size() >= 8 - 1);
}

// Cost

TEST_CASE("swim: two messages a period and member, whatever n is; alone, none") {
    for (const std::size_t n : {1u, 2u, 3u, 7u, 20u}) {
        events net{complete{n}, [](node) { return swim{bystander{}, quick}; },
                   {.delay = uniform{1, 5}}};
        net.start_all();
        const report r = net.run_for(25 * quick.period - 1);
        CHECK(r.messages == (n == 1 ? 0 : 2 * n * 25));
        CHECK(r.by_kind("ping") == r.by_kind("ack"));
    }
}

TEST_CASE("swim: 4k more when an answer is late, 2k when there is nobody to answer") {
    for (std::uint8_t k = 1; k <= 3; ++k) {
        swim_options o = quick;
        o.helpers = k;
        const auto first_period = [&](bool dead) {
            // Each probes its successor; node 1 answers node 0 late, and all others in time.
            const auto late = by_hand{[](const hop& h, random_source&) -> ticks {
                return h.from == node{1} && h.to == node{0} ? 15 : 2;
            }};
            events net{complete{5}, [&](node) { return swim{bystander{}, o}; },
                       {.delay = late, .coins = [](node, std::size_t) { return std::size_t{0}; }}};
            if (dead) net.crash(1);
            net.start_all();
            return net.run_for(quick.period - 1).messages;
        };
        CHECK(first_period(false) == 5 * 2 + 4u * k);
        CHECK(first_period(true) == 3 * 2 + 1 + 2u * k);
    }
}

TEST_CASE("swim: probing at random, 1/(1-(1-1/(n-1))^(n-1)) periods to the first detection") {
    for (const std::size_t n : {2u, 5u, 10u}) {
        constexpr std::uint64_t runs = 400;
        double sum = 0;
        for (std::uint64_t seed = 1; seed <= runs; ++seed) {
            events net{complete{n}, [](node) { return swim{bystander{}, quick, at_random{}}; },
                       {.seed = seed, .delay = unit{}}};
            net.start_all();
            net.run_for(2 * quick.period - 1);
            net.crash(0);
            const ticks died = net.now();
            net.run_until([&] { return laws::words_in(net) != 0; });
            sum += std::floor(static_cast<double>(net.now() - died) / quick.period);
        }
        const double p = 1 - std::pow(1 - 1.0 / static_cast<double>(n - 1),
                                      static_cast<double>(n - 1));
        const double error_of_mean = std::sqrt((1 - p) / (p * p) / runs);
        CHECK(std::abs(sum / runs - 1 / p) <= 4 * error_of_mean);
    }
}

TEST_CASE("swim: in rounds, each finds the dead by itself in 2n-2 periods at worst, reached") {
    swim_options alone = quick;
    alone.repeats = 0;   // nobody tells anybody
    for (const std::size_t n : {2u, 3u, 4u}) {
        ticks latest = 0;
        for (std::uint64_t seed = 1; seed <= 400; ++seed) {
            events net{complete{n}, [&](node) { return swim{bystander{}, alone}; },
                       {.seed = seed, .delay = unit{}}};
            net.start_all();
            net.run_for((n - 1) * quick.period + 2);   // the first ack of a round is in
            net.crash(0);
            const ticks died = net.now();
            for (std::size_t v = 1; v < n; ++v) {
                net.run_until([&] { return net[v].suspects(support::way(v, 0, n)); });
                latest = std::max(latest, net.now() - died);
            }
        }
        CHECK(latest == (2 * n - 2) * quick.period - 2);
    }
}

TEST_CASE("swim: the news is with everybody in a few times lg n periods") {
    for (const std::size_t n : {8u, 32u}) {
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            events net{complete{n}, [](node) { return swim{bystander{}, quick}; },
                       {.seed = seed, .delay = uniform{1, 5}}};
            net.start_all();
            net.run_for(200);
            net.crash(0);
            net.run_until([&] { return laws::words_in(net) != 0; });
            const ticks first = net.now();
            net.run_until([&] { return laws::words_in(net) == n - 1; });
            CHECK(static_cast<double>(net.now() - first) <=
                  2 * std::log2(static_cast<double>(n)) * quick.period);
        }
    }
}

// Outside the model

TEST_CASE("swim: too many members for its storage: it says so once and stays out") {
    events net{complete{4}, [](node) { return swim{greeter{}, quick, inplace_storage<2>{}}; }};
    net.start_all();
    net.start_all();
    CHECK(net.run_for(1'000).messages == 0);
    REQUIRE(net.outcomes().size() == 4);
    CHECK(std::get<overflow>(net.outcomes()[0].outcome).needed == 3);
}

TEST_CASE("swim: at random every target is drawn, in rounds everybody has a turn") {
    // The dice say 2, 0, 2, 2, 1, 0 …: who is probed by chance is who was drawn.
    const std::vector<std::size_t> lots{2, 0, 2, 2, 1, 0};
    const auto targets = [&](auto self) {
        using process = decltype(self);
        struct : archetype::environment<process> {
            std::vector<std::size_t> left{};
            std::vector<std::size_t> asked{};
            std::size_t choose(std::size_t k) {
                asked.push_back(k);
                const std::size_t drawn = left.empty() ? 0 : left.front();
                if (!left.empty()) left.erase(left.begin());
                return drawn < k ? drawn : k - 1;
            }
        } env;
        env.ports = 3;
        env.left = lots;
        self.start(env);
        for (std::size_t period = 1; period < lots.size(); ++period)
            self.on(typename process::period_over{}, env);
        std::vector<std::size_t> probed;
        for (const auto& letter : env.outbox)
            if (std::holds_alternative<typename process::ping>(letter.message))
                probed.push_back(letter.out.index());
        if constexpr (std::is_same_v<process, swim<bystander, at_random>>)
            CHECK(env.asked == std::vector<std::size_t>(lots.size(), 3));
        return probed;
    };
    CHECK(targets(swim{bystander{}, quick, at_random{}}) == lots);
    const std::vector<std::size_t> in_rounds = targets(swim{bystander{}, quick});
    REQUIRE(in_rounds.size() == lots.size());
    for (const std::size_t first : {0u, 3u}) {
        std::vector<std::size_t> round(in_rounds.begin() + static_cast<std::ptrdiff_t>(first),
                                       in_rounds.begin() + static_cast<std::ptrdiff_t>(first) + 3);
        std::sort(round.begin(), round.end());
        CHECK(round == std::vector<std::size_t>{0, 1, 2});
    }
}
