// SPDX-License-Identifier: MIT
#include <caucus/election/ring/ring_election.hpp>

#include <caucus/core/fields.hpp>

#include <doctest/doctest.h>

#include <tuple>
#include <variant>
#include <vector>

using namespace caucus;

namespace {

/// The least ring election: whoever starts has won.
template <class... Policies>
struct by_decree : ring_election<int, Policies...> {
    using base = ring_election<int, Policies...>;
    using message = std::variant<typename base::elected>;

    constexpr explicit by_decree(int self, Policies... policies) : base(self, policies...) {}
    constexpr void start(auto& env) { this->conclude(this->self_, env); }
    using base::beats;
    using base::on;
};

template <class... Policies>
by_decree(int, Policies...) -> by_decree<Policies...>;

/// A racing election that shows what it decides.
template <class Default, class... Policies>
struct racer : racing_election<int, Default, Policies...> {
    using base = racing_election<int, Default, Policies...>;
    explicit racer(int self, Policies... policies) : base(self, policies...) {}
    using typename base::role;
    using base::is_own, base::may_start, base::relays, base::role_, base::wakes_to_join;
};

struct notes {
    std::vector<int> sent;
    std::vector<int> told;
    void send(port, const auto& m) { sent.push_back(m.leader); }
    void report(const elected<int>& e) { told.push_back(e.leader); }
};

}  // namespace

TEST_CASE("ring_election: nobody knows, then the first, then all; the lap ends where it began") {
    by_decree<> first{7};
    by_decree<> second{9};
    CHECK_FALSE(first.leader().has_value());
    CHECK_FALSE(first.is_leader());
    notes env;
    first.start(env);
    CHECK(first.is_leader());
    second.on({7}, prev, env);
    CHECK_FALSE(second.is_leader());
    CHECK(second.leader() == 7);
    CHECK(second.id() == 9);
    CHECK(env.sent == std::vector{7, 7});
    first.on({7}, prev, env);    // home
    second.on({8}, prev, env);   // decided is decided
    CHECK(second.leader() == 7);
    CHECK(env.sent == std::vector{7, 7});
    CHECK(env.told == std::vector{7, 7});
}

TEST_CASE("ring_election: the node whose id is announced leads, whoever found out") {
    by_decree<> named{3};
    notes env;
    named.on({3}, prev, env);
    CHECK(named.is_leader());
    CHECK(env.sent == std::vector{3});
}

TEST_CASE("ring_election: silent sends nothing, and the preference decides who beats whom") {
    by_decree only{3, silent{}, least{}};
    notes env;
    only.start(env);
    CHECK(only.is_leader());
    CHECK(env.sent.empty());
    CHECK(only.beats(1, 2));
    CHECK(by_decree<>{3}.beats(2, 1));
}

TEST_CASE("ring_election: every field tells states apart") {
    notes env;
    by_decree<> a{3};
    by_decree<> b{3};
    CHECK(same(a, b));
    CHECK_FALSE(same(a, by_decree<>{4}));
    a.on({5}, prev, env);
    CHECK_FALSE(same(a, b));
    b.on({6}, prev, env);
    CHECK_FALSE(same(a, b));
}

TEST_CASE("racing_election: who wakes to join, who relays, and who may still start") {
    racer<suppress> better{5};
    CHECK(better.may_start());
    CHECK(better.wakes_to_join(3));
    CHECK_FALSE(better.is_own(5));           // not before it is a candidate
    better.role_ = racer<suppress>::role::candidate;
    CHECK(better.is_own(5));
    CHECK_FALSE(better.may_start());
    CHECK_FALSE(better.wakes_to_join(3));    // it is awake

    racer<suppress> worse{5};
    CHECK_FALSE(worse.wakes_to_join(7));
    CHECK_FALSE(worse.may_start());          // a relay
    CHECK_FALSE(worse.wakes_to_join(3));
    CHECK_FALSE(same(worse, racer<suppress>{5}));

    racer<suppress> told{5};
    notes env;
    told.on({9}, prev, env);
    CHECK_FALSE(told.may_start());           // it has slept through the election

    racer<suppress, join> eager{5, join{}};
    CHECK(eager.wakes_to_join(7));
    CHECK_FALSE(racer<relay_only>{5}.wakes_to_join(3));
    CHECK(racer<relay_only>::relays);
    CHECK_FALSE(racer<suppress, join>::relays);
}
