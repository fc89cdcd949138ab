// SPDX-License-Identifier: MIT
#include <caucus/election/graph/wave_election.hpp>

#include <caucus/core/fields.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>

#include <doctest/doctest.h>
#include <support/wave_runs.hpp>

#include <tuple>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// The least election by waves, for one initiator: it shows what it is made of.
template <class... Policies>
struct lone_wave : wave_election<int, Policies...> {
    using base = wave_election<int, Policies...>;
    using typename base::explorer, typename base::echo;

    constexpr explicit lone_wave(int self, Policies... policies) : base(self, policies...) {}

    constexpr void start(auto& env) {
        if (!this->may_join(env)) return;
        this->become_candidate(env);
        this->ebb_when_settled(env);
    }
    constexpr void on(explorer m, port from, auto& env) {
        if (this->may_join(env)) this->become_engaged(m.mark, from, env);
        else this->settle(from);
        this->ebb_when_settled(env);
    }
    constexpr void on(echo, port from, auto& env) {
        if (this->settle_as_child(from)) this->ebb_when_settled(env);
    }
    using base::on;
    using base::beats, base::become_engaged, base::waves_at_most;
};

using wave = lone_wave<>;

constexpr int elected_at_compile_time() {
    rounds sim{complete{4}, [](node v) { return wave{static_cast<int>(v.index)}; }};
    sim.start(2);
    sim.run();
    return *sim[0].leader();
}

}  // namespace

static_assert(process<wave>);
static_assert(elected_at_compile_time() == 2);

TEST_CASE("wave_election: one wave floods, ebbs back, and its initiator tells its tree") {
    each_connected_graph(4, [](const graph& g) {
        rounds sim{g, [](node v) { return wave{static_cast<int>(v.index) + 1}; }};
        CHECK_FALSE(sim[0].leader().has_value());
        CHECK_FALSE(sim[0].parent().has_value());
        sim.start(1);
        const report r = sim.run();
        CHECK(r.messages == 2 * g.links() + 3);
        CHECK(r.by_kind("elected") == 3);
        CHECK(spans(sim, 1));
        for (std::size_t v = 0; v < 4; ++v) {
            CHECK(sim[v].leader() == 2);
            CHECK(sim[v].is_leader() == (v == 1));
            CHECK(sim[v].id() == static_cast<int>(v) + 1);
        }
    });
}

TEST_CASE("wave_election: each answer counts once, and only where one is awaited") {
    notes<wave> env;
    wave root{5};
    root.on(wave::echo{5}, port{0}, env);      // nobody was asked
    root.on(wave::elected{9}, port{0}, env);   // a stranger's
    CHECK(env.out.empty());
    CHECK_FALSE(root.leader().has_value());
    root.start(env);
    CHECK(env.out.size() == 2);
    CHECK_FALSE(root.parent().has_value());
    for (int twice = 0; twice < 2; ++twice) root.on(wave::echo{5}, port{1}, env);
    CHECK(env.told == 0);
    root.on(wave::explorer{5}, port{0}, env);   // crossed ours: no child
    CHECK(env.told == 1);
    REQUIRE(env.out.size() == 3);
    CHECK(env.out[2].out == port{1});
    root.on(wave::elected{9}, port{0}, env);    // decided is decided
    CHECK(root.is_leader());
    CHECK(env.told == 1);
}

TEST_CASE("wave_election: a new wave owes nothing to the old one") {
    notes<wave> env;
    wave p{1};
    p.start(env);
    p.on(wave::echo{1}, port{1}, env);
    p.become_engaged(7, port{0}, env);
    CHECK(p.parent() == port{0});
    wave fresh{1};
    fresh.become_engaged(7, port{0}, env);
    CHECK(same(p, fresh));
    p.on(wave::elected{9}, port{0}, env);   // the news counts, not the mark
    CHECK(p.leader() == 9);
}

TEST_CASE("wave_election: what is proven: 2|E|, one more for each other initiator, n-1 told") {
    const cost none = wave::waves_at_most(0, {.nodes = 4, .links = 5});
    CHECK((none.least == 0 && none.most == 0 && none.mean == 0.0));
    const cost one = wave::waves_at_most(10, {.nodes = 4, .links = 5, .initiators = 1});
    CHECK((one.least == 13 && one.most == 13 && one.mean == 13.0));
    const cost three = wave::waves_at_most(30, {.nodes = 4, .links = 5, .initiators = 3});
    CHECK((three.least == 15 && three.most == 33 && !three.mean));
}

TEST_CASE("wave_election: the preference decides, and every field tells states apart") {
    CHECK(wave{1}.beats(2, 1));
    CHECK(lone_wave<least>{1, least{}}.beats(1, 2));
    notes<wave> env;
    wave a{3};
    wave b{3};
    CHECK(same(a, b));
    CHECK_FALSE(same(a, wave{4}));
    a.start(env);
    CHECK_FALSE(same(a, b));
    b.start(env);
    a.on(wave::echo{3}, port{0}, env);
    CHECK_FALSE(same(a, b));
    b.on(wave::explorer{3}, port{0}, env);
    CHECK_FALSE(same(a, b));                   // a child, and none
    wave c{3};
    wave d{3};
    c.become_engaged(7, port{0}, env);
    d.become_engaged(8, port{0}, env);
    CHECK_FALSE(same(c, d));
}
