// SPDX-License-Identifier: MIT
#include <caucus/election/role.hpp>

#include <caucus/core/dispatch.hpp>
#include <caucus/election/complete/afek_gafni.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/franklin.hpp>
#include <caucus/election/ring/hirschberg_sinclair.hpp>
#include <caucus/election/ring/itai_rodeh.hpp>
#include <caucus/election/ring/le_lann.hpp>
#include <caucus/election/ring/peterson.hpp>
#include <caucus/election/ring/peterson_alternating.hpp>
#include <caucus/election/ring/two_way.hpp>
#include <caucus/layer/candid.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <doctest/doctest.h>
#include <support/instances.hpp>
#include <support/voter.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// Of how many is that the role?
std::size_t count(const auto& g, election_role r) {
    std::size_t so_many = 0;
    for (std::size_t v = 0; v < g.nodes(); ++v) so_many += role_of(g[v]) == r;
    return so_many;
}
bool all_have_decided(const auto& g) {
    return count(g, election_role::leader) == 1 &&
           count(g, election_role::follower) == g.nodes() - 1;
}

/// An election that remembers whether it has ever been a follower.
template <class P>
struct noting {
    using message = typename P::message;
    using timer = typename P::timer;
    using outcome = typename P::outcome;

    P self;
    bool followed = false;

    void start(auto& env) {
        self.start(env);
        followed = followed || self.is_follower();
    }
    void on(const auto& m, port from, auto& env) {
        self.on(m, from, env);
        followed = followed || self.is_follower();
    }
    const auto& id() const { return self.id(); }
    bool is_leader() const { return self.is_leader(); }
    bool is_follower() const { return self.is_follower(); }
    bool is_eligible() const { return self.is_eligible(); }
    auto leader() const { return self.leader(); }
    static constexpr auto fields(auto& p) { return std::tie(p.self, p.followed); }
};

/// Who has been a follower neither leads, nor may yet be elected.
struct followers_stay_followers {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].followed && (!g[v].is_follower() || g[v].is_leader())) return false;
        return true;
    }
};
struct one_follows_before_any_leads {
    bool operator()(const auto& g) const {
        return count(g, election_role::follower) != 0 && count(g, election_role::leader) == 0;
    }
};
struct one_leads_and_the_rest_follow {
    bool operator()(const auto& g) const { return all_have_decided(g); }
};
struct one_is_eligible {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].is_eligible()) return true;
        return false;
    }
};

struct none_is_eligible {
    bool operator()(const auto& g) const { return !one_is_eligible{}(g); }
};
template <class Election>
concept says_who_is_eligible = requires(const Election& p) { p.is_eligible(); };

struct each_has_one_part {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].is_eligible() + g[v].is_follower() + g[v].is_leader() != 1) return false;
        return true;
    }
};

/// All start on three nodes: each may be elected, until it follows or leads.
template <template <class...> class Election, class... Policies>
void check_parts(const auto& topology) {
    const auto make = [](node v) {
        return Election<int, Policies...>{static_cast<int>(v.index) + 1, Policies{}...};
    };
    CHECK(explore(topology, make, {.initiators = all, .properties = {always(each_has_one_part{})},
                                   .orders = all_permutations}).verified());
}

/// Every order and schedule on three nodes: who follows does so for good, some know it before
/// anybody leads, and in the end all have decided and nobody may yet be elected.
template <template <class...> class Election, class... Policies>
void check_roles(const auto& topology, initiators who = any_subset) {
    using P = noting<Election<int, Policies...>>;
    const auto make = [](node v) {
        return P{Election<int, Policies...>{static_cast<int>(v.index) + 1, Policies{}...}};
    };
    const verdict v = explore(topology, make,
                              {.initiators = who,
                               .properties = {always(followers_stay_followers{}),
                                              sometimes(one_follows_before_any_leads{}),
                                              sometimes(one_is_eligible{}),
                                              finally(one_leads_and_the_rest_follow{}),
                                              finally(none_is_eligible{})},
                               .orders = all_permutations});
    CAPTURE(v.counterexample.text());
    CHECK(v.verified());
}

/// Theorem 2.2, in lock-step: in how many rounds all have decided, counting the one of the starts.
template <class... Policies>
std::size_t rounds_to_decide(const std::vector<int>& ids) {
    rounds sim{ring{ids.size()}, [&](node v) { return chang_roberts{ids[v], Policies{}...}; }};
    sim.start_all();
    std::size_t so_many = 1;
    for (; !all_have_decided(sim); ++so_many) static_cast<void>(sim.run_for(1));
    return so_many;
}

}  // namespace

TEST_CASE("role: of an election that says no more, it follows from the leader") {
    CHECK(role_of(voter{1}) == election_role::undecided);
    CHECK(role_of(voter{1, 3}) == election_role::follower);
    CHECK(role_of(voter{3, 3}) == election_role::leader);
}

TEST_CASE("role, Theorem 2.2: leader and followers have decided after n+1 rounds, every order") {
    for (std::size_t n = 1; n <= 6; ++n)
        each_permutation(n, [&](const std::vector<int>& ids) {
            CHECK(rounds_to_decide<max_seen>(ids) == n + 1);
            CHECK(rounds_to_decide<max_seen, silent>(ids) == n + 1);
        });
    // Who forgets what it has seen is told by the lap: the last before the leader, in round 2n-1.
    CHECK(rounds_to_decide<>({1, 2, 3, 4}) == 2 * 4);
}

TEST_CASE("role: silent or not, one leads and the rest follow, on every ring of three") {
    check_roles<chang_roberts, max_seen>(ring{3});
    check_roles<chang_roberts, max_seen, silent>(ring{3});
    check_roles<two_way, silent>(two_way_ring{3});
    check_roles<franklin, silent>(two_way_ring{3});
    check_roles<peterson>(ring{3});
    check_roles<peterson_alternating>(ring{3});
    check_parts<chang_roberts, max_seen, silent>(ring{3});
    check_parts<peterson, silent>(ring{3});
    check_parts<peterson_alternating, silent>(ring{3});
}

TEST_CASE("role: who remembers no better id is eligible until it is told; silent, it cannot say") {
    static_assert(says_who_is_eligible<chang_roberts<int>>);
    static_assert(says_who_is_eligible<chang_roberts<int, max_seen, silent>>);
    static_assert(!says_who_is_eligible<chang_roberts<int, silent>>);
    static_assert(!says_who_is_eligible<candid<chang_roberts<int, silent>>>);
    static_assert(says_who_is_eligible<hirschberg_sinclair<int>>);
    static_assert(!says_who_is_eligible<hirschberg_sinclair<int, silent>>);
    check_roles<chang_roberts>(ring{3});
    check_roles<le_lann, join, silent>(ring{3});
    rounds sim{ring{3}, [](node v) { return chang_roberts{static_cast<int>(v.index), silent{}}; }};
    sim.start_all();
    sim.run();
    CHECK(count(sim, election_role::undecided) == 2);
    CHECK(count(sim, election_role::leader) == 1);
}

TEST_CASE("role: peterson, silent: the node that meets its support is elected, and no other") {
    check_roles<peterson, silent>(ring{3});
    check_roles<peterson_alternating, silent>(ring{3});
    for (std::size_t n = 1; n <= 6; ++n)
        each_permutation(n, [&](const std::vector<int>& ids) {
            rounds sim{ring{n}, [&](node v) { return peterson{ids[v], silent{}}; }};
            sim.start_all();
            CHECK(count(sim, election_role::undecided) == n);
            CHECK(sim[0].is_eligible());
            sim.run();
            CHECK(all_have_decided(sim));
            CHECK_FALSE(sim[0].is_eligible());
        });
}

TEST_CASE("role: peterson, printed and silent: the owner of the best id is elected") {
    each_permutation(6, [&](const std::vector<int>& ids) {
        rounds sim{ring{6}, [&](node v) { return peterson{ids[v], printed{}, silent{}}; }};
        sim.start_all();
        const std::size_t best = static_cast<std::size_t>(
            std::max_element(ids.begin(), ids.end()) - ids.begin());
        for (; count(sim, election_role::leader) == 0; static_cast<void>(sim.run_for(1)))
            CHECK(role_of(sim[best]) == election_role::undecided);   // though it may relay
        CHECK(role_of(sim[best]) == election_role::leader);
        CHECK(count(sim, election_role::leader) == 1);
    });
}

TEST_CASE("role: on graphs and complete networks a node follows when a better one has it") {
    check_roles<extinction>(path{3});
    check_roles<afek_gafni, silent>(complete{3});
    check_parts<extinction>(path{3});
    check_parts<afek_gafni, silent>(complete{3});
}

TEST_CASE("role: itai_rodeh: who is passive follows, one leads") {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        rounds sim{ring{5}, [](node) { return itai_rodeh{5}; }, {.seed = seed}};
        sim.start_all();
        CHECK(sim[0].is_eligible());
        sim.run_until([&] { return count(sim, election_role::leader) == 1; });
        CHECK(all_have_decided(sim));   // before the news has gone round
        CHECK_FALSE(sim[1].is_eligible());
    }
}

TEST_CASE("role: a layer says what the election inside says") {
    rounds sim{ring{3}, [](node v) {
        return candid{chang_roberts{static_cast<int>(v.index), max_seen{}, silent{}}};
    }};
    sim.start_all();
    CHECK(sim[0].is_eligible());
    CHECK(count(sim, election_role::undecided) == 3);
    sim.run();
    CHECK(all_have_decided(sim));
    CHECK_FALSE(sim[0].is_eligible());
}
