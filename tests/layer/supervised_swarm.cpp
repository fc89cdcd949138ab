// SPDX-License-Identifier: MIT
#include <caucus/layer/supervised.hpp>

#include <caucus/election/complete/bully.hpp>
#include <caucus/election/complete/invitation.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/layer/repaired_ring.hpp>
#include <caucus/layer/stamped.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/peers.hpp>
#include <support/court.hpp>
#include <support/instances.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace caucus;

namespace {

constexpr supervised_options on_complete{.beat = 100, .timeout = 350, .election_max = 1000};
constexpr std::uint64_t runs_a_day = support::sanitized ? 40 : 1000;
constexpr std::uint64_t runs_a_night = 100'000;

std::size_t nodes_of(std::uint64_t seed) { return 3 + seed % 7; }

void check(const char* name, const support::swarm_result& r) {
    MESSAGE(std::string(name), ": ", r.runs, " runs, ", r.reigns, " reigns, ", r.losses,
            " losses of leadership told and ", r.untold, " not, ", r.partings,
            " runs with more than one, slowest agreement ", r.slowest, " ticks after healing");
    for (std::size_t i = 0; i < r.failures.size() && i < 10; ++i) MESSAGE(r.failures[i]);
    CHECK(r.failures.size() == 0);
    CHECK(r.untold == 0);
    CHECK(r.losses > r.runs / 4);
    CHECK(r.partings > r.runs / 4);
}

/// What a swarm on complete networks does.
struct plan {
    const char* name;
    swarm how{};
    bool one_per_number = false;
    ticks (*settled_after)(std::size_t nodes) = [](std::size_t) {
        return on_complete.settled_after();
    };
};

/// One run on 3 … 9 nodes, with the election that `elect(id, peers)` makes.
template <class Elect>
void run_once(support::swarm_result& result, const plan& p, std::uint64_t seed, Elect elect) {
    const complete t{nodes_of(seed)};
    const std::vector<int> ids = support::shuffled_ids(t.nodes(), seed);
    const auto make = [&](node v) { return elect(ids[v], peer_ids(t, v, ids)); };
    swarm each = p.how;
    if (p.one_per_number) each.survivors_min = t.nodes() / 2 + 1;
    support::swarm_run(result, p.name, each, seed, t, make, p.settled_after(t.nodes()),
                       support::court{ids, p.one_per_number});
}
template <class Elect>
support::swarm_result run_all(const plan& p, std::uint64_t runs, Elect elect) {
    support::swarm_result result;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) run_once(result, p, seed, elect);
    return result;
}

const auto bullying = [](int id, const auto& peers) {
    return supervised{bully{id, peers, {.delay_max = 20}}, on_complete};
};

const auto voting = [](int id, const auto& peers) {
    return supervised{bully{id, peers, {.delay_max = 20}}, on_complete, majority{}};
};
const plan voters{"supervised<bully, majority>", {.amnesia = false}, true};

void bullies(std::uint64_t runs, const swarm& how = {}) {
    const plan p{"supervised<bully>", how};
    check(p.name, run_all(p, runs, bullying));
}
void rings(std::uint64_t runs, const swarm& how = {}) {
    const plan p{"supervised<repaired_ring<chang_roberts>>", how};
    check(p.name, run_all(p, runs, [](int id, const auto&) {
        return supervised{repaired_ring{chang_roberts{id}}, on_complete};
    }));
}
void majorities(std::uint64_t runs, const swarm& how = {}) {
    plan p = voters;
    p.how = how;
    p.how.amnesia = false;
    check(p.name, run_all(p, runs, voting));
}

/// Clocks drift, so that a delay of 20 may seem longer; and what was sent before healing is late.
constexpr invitation_options unhurried{.delay_max = 21};
void invitations(std::uint64_t runs, const swarm& how = {}) {
    const plan p{"stamped<invitation>", how, false, [](std::size_t nodes) {
        return unhurried.healed_within(nodes) + 2 * on_complete.beat + 10 * swarm{}.delay_max;
    }};
    check(p.name, run_all(p, runs, [](int id, const auto& peers) {
        return stamped{invitation{id, peers, unhurried}, on_complete};
    }));
}
void extinctions(std::uint64_t runs, const swarm& how = {}) {
    support::swarm_result result;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        const std::size_t n = nodes_of(seed);
        const std::size_t links = n - 1 + mix(seed) % (n * (n - 1) / 2 - n + 2);
        const graph t = random_sparse_graph(n, links, seed);
        const std::vector<int> ids = support::shuffled_ids(n, seed);
        supervised_options options = on_complete;
        options.reach = n;
        const auto make = [&](node v) { return supervised{extinction{ids[v]}, options}; };
        support::swarm_run(result, "supervised<extinction>", how, seed, t, make,
                           options.settled_after(), support::court{ids});
    }
    check("supervised<extinction>", result);
}
/// So many in all. Not all nodes are always part of the system.
void comings_and_goings(std::uint64_t runs) {
    const swarm how{.newcomers_max = 3, .leavers_max = 2};
    for (const auto each : {bullies, rings, extinctions, invitations, majorities})
        each(runs / 5, how);
}

}  // namespace

TEST_CASE("supervised<bully>: a swarm of faults, n = 3 … 9") { bullies(runs_a_day); }
TEST_CASE("supervised<chang_roberts over repaired_ring>: a swarm") { rings(runs_a_day); }
TEST_CASE("supervised<extinction>: a swarm on random graphs") { extinctions(runs_a_day); }
TEST_CASE("stamped<invitation>: a swarm") { invitations(runs_a_day); }
TEST_CASE("supervised<bully, majority>: a swarm, one leader a number") { majorities(runs_a_day); }

TEST_CASE("supervised, stamped: nodes that come late and leave, in a swarm of faults") {
    comings_and_goings(runs_a_day);
}

TEST_CASE("supervised<bully, majority>: a voter that is ahead in numbers says so") {
    support::swarm_result r;   // the candidate counted up to it, one election_max each
    plan one_storm = voters;   // in which these two seeds found it
    one_storm.how.storms = 1;
    for (const std::uint64_t seed : {37'933u, 39'641u}) run_once(r, one_storm, seed, voting);
    CHECK(r.failures.size() == 0);
}

TEST_CASE("supervised<bully>: were epochs bare numbers, two would lead in one of them") {
    const auto r = run_all({"bare numbers", {}, true}, runs_a_day / 4, bullying);
    CHECK(r.failures.size() > r.runs / 50);
    MESSAGE(r.failures.size(), " times in ", r.runs, " runs, such as ", r.failures.at(0));
}

TEST_CASE("nightly: supervised<bully>, 100,000 swarm runs" * doctest::skip()) {
    bullies(runs_a_night);
}
TEST_CASE("nightly: supervised<chang_roberts over repaired_ring>, 100,000 swarm runs" *
          doctest::skip()) {
    rings(runs_a_night);
}
TEST_CASE("nightly: supervised<extinction>, 100,000 swarm runs" * doctest::skip()) {
    extinctions(runs_a_night);
}
TEST_CASE("nightly: supervised<bully, majority>, 100,000 swarm runs" * doctest::skip()) {
    majorities(runs_a_night);
}
TEST_CASE("nightly: stamped<invitation>, 100,000 swarm runs" * doctest::skip()) {
    invitations(runs_a_night);
}
TEST_CASE("nightly: supervised, stamped: nodes that come and go, 100,000 swarm runs" *
          doctest::skip()) {
    comings_and_goings(runs_a_night);
}
