// SPDX-License-Identifier: MIT
// Planted bugs: each is caught, with a short story.
#include <caucus/run/explore.hpp>

#include <doctest/doctest.h>

#include "mutants.hpp"

#include <caucus/core/port_set.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/graph.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/wave/echo.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

using namespace caucus;
using mutants::bug;

namespace {

struct nothing_under_way {
    bool operator()(const auto& g) const { return g.in_flight() == 0; }
};

template <class P>
std::vector<property<P>> election_properties() {
    return {always(at_most_one_leader), always(the_best_leads), sometimes(someone_leads),
            finally(all_agree), finally(nothing_under_way{})};
}
/// The wave of a leader has been everywhere.
struct leaders_are_known {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            for (std::size_t u = 0; g[v].is_leader() && u < g.nodes(); ++u)
                if (mark_of(g[u]) != g[v].id()) return false;
        return true;
    }
    static int mark_of(const auto& p) {
        if constexpr (requires { p.best; }) return p.best;
        else return std::get<1>(fields_of(p));
    }
};

/// The process of each node, with its index as id; a mutant has its bug.
template <class P>
auto with_ids(auto... bugs) {
    return [=](node v) { return P{static_cast<int>(v.index), bugs...}; };
}

template <class P>
verdict on_ring(auto make, std::vector<property<P>> properties = election_properties<P>()) {
    return explore(ring{3}, make,
                   {.initiators = any_subset, .properties = properties,
                    .starting = starting::any_time, .orders = all_permutations});
}
/// Here the best of those that start wins.
verdict on_path(auto make, fault_budget faults = {}) {
    return explore(path{3}, make,
                   {.initiators = any_subset,
                    .properties = {always(at_most_one_leader), always(leaders_are_known{}),
                                   sometimes(someone_leads), finally(all_agree)},
                    .faults = faults, .starting = starting::any_time, .orders = all_permutations});
}
/// Those that heard of an election know how it ended. (All who started may have died at once.)
struct nobody_waits {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && waits(g[v])) return false;
        return true;
    }
    static bool waits(const mutants::electing& p) { return p.is_waiting(); }
    static bool waits(const bully<int>& p) {
        return static_cast<int>(std::get<3>(fields_of(p))) != 0;   // its phase
    }
};
verdict on_mesh(auto make) {
    return explore(complete{3}, make,
                   {.initiators = any_subset,
                    .properties = {always(at_most_one_leader), always(the_best_leads),
                                   sometimes(someone_leads), finally(nobody_waits{})},
                    .faults = {.crashes = 2}});
}

/// echo, on which nobody folds anything: who has taken part is what matters.
struct wave {
    struct explorer {};
    struct reply {};
    enum class role : std::uint8_t { asleep, initiator, engaged, replied, completed };
    using message = std::variant<explorer, reply>;
    using timer = nothing;
    using outcome = nothing;

    bug has = bug::none;
    role is = role::asleep;
    port parent = {};
    port_set<> heard = {};

    bool has_completed() const { return is == role::completed; }
    bool took_part() const { return is != role::asleep; }

    void start(auto& env) {
        is = role::initiator;
        env.broadcast(explorer{});
    }
    void on(explorer, port from, auto& env) {
        if (is == role::asleep) engage(from, env);
        else if (has == bug::deaf_to_explorers) return;
        hear(from, env);
    }
    void on(reply, port from, auto& env) { hear(from, env); }

private:
    void engage(port from, auto& env) {
        is = role::engaged;
        parent = from;
        for (const port p : ports(env.degree()))
            if (p != parent || has == bug::explores_parent) env.send(p, explorer{});
        if (has == bug::replies_at_once) env.send(parent, reply{});
    }
    void hear(port from, auto& env) {
        if (!heard.insert(from) || heard.size() != env.degree()) return;
        if (is != role::initiator && has != bug::replies_at_once) env.send(parent, reply{});
        is = is == role::initiator ? role::completed : role::replied;
    }
};

struct complete_means_all {
    bool operator()(const auto& g) const {
        bool awake = true;
        for (std::size_t v = 0; v < g.nodes(); ++v) awake = awake && took_part(g[v]);
        return awake || !g[0].has_completed();
    }
    static bool took_part(const auto& p) {
        if constexpr (requires { p.took_part(); }) return p.took_part();
        else return p.has_completed() || p.parent();
    }
};
struct first_completes {
    bool operator()(const auto& g) const { return g[0].has_completed(); }
};
verdict on_tailed_triangle(auto make) {
    return explore(graph{4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}}}, make,
                   {.initiators = {0},
                    .properties = {always(complete_means_all{}), finally(first_completes{})}});
}

// A mutant where it is at home.
verdict ring_with(bug b) {
    return on_ring<mutants::ring_election>(with_ids<mutants::ring_election>(b));
}
verdict wave_with(bug b, fault_budget faults = {}) {
    return on_path(with_ids<mutants::wave_election>(b), faults);
}
verdict mesh_with(bug b) { return on_mesh(with_ids<mutants::mesh_election>(3, b)); }
verdict echo_with(bug b) {
    return on_tailed_triangle([b](node) { return wave{b}; });
}

/// It is caught, by that property, in so many steps at most.
void caught(const verdict& v, const std::string& property, std::size_t steps) {
    CAPTURE(v.counterexample.text());
    CHECK_FALSE(v.holds);
    CHECK_FALSE(v.verified());
    CHECK(v.counterexample.property == property);
    CHECK(v.counterexample.size() <= steps);
}
void same_verdict(const verdict& shipped, const verdict& retold) {
    CHECK(shipped.verified());
    CHECK(retold.verified());
    CHECK(retold.states <= shipped.states);   // which may remember what it was before it knew
    CHECK(retold.messages.least == shipped.messages.least);
    CHECK(retold.messages.most == shipped.messages.most);
}

}  // namespace

TEST_CASE("explore: the retold algorithms are the shipped ones, state for state") {
    same_verdict(on_ring<chang_roberts<int>>(with_ids<chang_roberts<int>>()), ring_with(bug::none));
    same_verdict(on_path(with_ids<extinction<int>>()), wave_with(bug::none));
    const int ids[] = {0, 1, 2};
    const auto shipped = [&](node v) { return bully{ids[v], peer_ids(complete{3}, v, ids)}; };
    same_verdict(on_mesh(shipped), mesh_with(bug::none));
    const auto made = [](node) { return echo{1}; };
    same_verdict(on_tailed_triangle(made), echo_with(bug::none));
}

TEST_CASE("explore: finds the mistakes in chang_roberts, any start set and order, n = 3") {
    using mutants::ring_election;
    caught(on_ring<ring_election>(with_ids<ring_election>(bug::equal_passes), {finally(all_agree)}),
           "all_agree", 6);
    caught(ring_with(bug::swallows_nothing), "the_best_leads", 5);
    caught(ring_with(bug::starts_late), "all_agree", 9);
    caught(ring_with(bug::forwards_home), "nothing_under_way", 11);
    caught(ring_with(bug::relays_when_woken), "the_best_leads", 4);
    caught(ring_with(bug::misses_home), "someone_leads", 0);
    caught(ring_with(bug::announces_on_and_on), "nothing_under_way", 9);
    caught(ring_with(bug::keeps_the_news), "all_agree", 5);
}

TEST_CASE("explore: finds the mistakes in extinction, any start set and order, a path of three") {
    caught(wave_with(bug::keeps_settled), "leaders_are_known", 7);
    caught(wave_with(bug::worse_is_done), "leaders_are_known", 3);
    caught(wave_with(bug::starts_when_marked), "leaders_are_known", 6);
    caught(wave_with(bug::any_echo), "leaders_are_known", 7);
    caught(wave_with(bug::stays_candidate), "all_agree", 5);
    const fault_budget doubled{.duplicates = 1};
    CHECK(wave_with(bug::none, doubled).verified());
    caught(wave_with(bug::parent_settles, doubled), "leaders_are_known", 5);
}

TEST_CASE("explore: finds the mistakes in bully, any start set, two crashes, n = 3") {
    caught(mesh_with(bug::keeps_first_timer), "the_best_leads", 4);
    caught(mesh_with(bug::no_second_timer), "nobody_waits", 4);
    caught(mesh_with(bug::answers_nobody), "the_best_leads", 3);
    caught(mesh_with(bug::never_contests), "nobody_waits", 4);
    caught(mesh_with(bug::idle_question_ignored), "nobody_waits", 7);
}

TEST_CASE("explore: finds the mistakes in echo, one initiator, a triangle with a tail") {
    caught(echo_with(bug::replies_at_once), "complete_means_all", 4);
    caught(echo_with(bug::explores_parent), "complete_means_all", 4);
    caught(echo_with(bug::deaf_to_explorers), "first_completes", 6);
}
