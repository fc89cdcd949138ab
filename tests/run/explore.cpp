// SPDX-License-Identifier: MIT
#include <caucus/run/explore.hpp>

#include <doctest/doctest.h>

#include "../laws/topology.hpp"
#include "../support/graphs.hpp"
#include "../support/instances.hpp"
#include "mutants.hpp"

#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/two_way_ring.hpp>
#include <caucus/wave/echo.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace caucus;
using laws::refusal;
using mutants::bug;

namespace {

template <class P>
const auto by_index = [](node v) { return P{static_cast<int>(v.index)}; };

const auto by_falling_index = [](node v) { return chang_roberts{-static_cast<int>(v.index)}; };

template <class P>
std::vector<property<P>> an_election() {
    return {always(at_most_one_leader), sometimes(someone_leads), finally(all_agree)};
}

/// The fewest and the most messages over all schedules, orders of ids and sets of k initiators.
std::pair<std::uint64_t, std::uint64_t> extinction_costs(auto topology, std::size_t k) {
    std::pair<std::uint64_t, std::uint64_t> ends{never, 0};
    support::each_subset(topology.nodes(), [&](const std::vector<std::size_t>& set) {
        if (set.size() != k) return;
        const auto v = explore(topology, by_index<extinction<int>>,
                               {.initiators = set, .properties = an_election<extinction<int>>(),
                                .orders = all_permutations});
        CHECK(v.verified());
        ends = {std::min(ends.first, v.messages.least), std::max(ends.second, v.messages.most)};
    });
    const std::uint64_t announcements = topology.nodes() - 1;
    return {ends.first - announcements, ends.second - announcements};
}
using costs = std::pair<std::uint64_t, std::uint64_t>;

/// Answers a message differently every other time, though nothing that it may see has changed.
struct moody {
    using message = int;
    using timer = nothing;
    using outcome = nothing;

    int is = 0;
    void start(auto& env) { env.send(next, 1); }
    void on(int m, port, auto&) {
        static int calls = 0;
        is = m + calls++ % 2;
    }
};

bool same_in_all(const verdict& a, const verdict& b) {
    return a.holds == b.holds && a.complete == b.complete && a.limit == b.limit &&
           a.states == b.states && a.transitions == b.transitions && a.depth == b.depth &&
           a.messages.least == b.messages.least && a.messages.most == b.messages.most &&
           a.counterexample.text() == b.counterexample.text() && a.reductions == b.reductions;
}

}  // namespace

TEST_CASE("chang_roberts: one leader, the best, all agree; any start, order, schedule, n <= 4") {
    using P = chang_roberts<int>;
    for (const std::size_t n : {1u, 2u, 3u, 4u}) {
        CAPTURE(n);
        for (const starting when : {starting::at_once, starting::any_time}) {
            auto properties = an_election<P>();
            properties.push_back(always(the_best_leads));
            const auto v = explore(ring{n}, by_index<P>, {.initiators = any_subset,
                                                          .properties = properties,
                                                          .starting = when,
                                                          .orders = all_permutations});
            CHECK(v.verified());
            CHECK(v.messages.least == P::messages({n, n, 1}).least);
            CHECK(v.messages.most == P::messages({n, n, n}).most);
        }
    }
}

TEST_CASE("chang_roberts: the card's ends are reached, k initiators, any order, n <= 5") {
    using P = chang_roberts<int>;
    for (const std::size_t n : {1u, 2u, 3u, 4u, 5u}) {
        std::vector<costs> ends(n + 1, {never, 0});
        support::each_subset(n, [&](const std::vector<std::size_t>& set) {
            const auto v = explore(ring{n}, by_index<P>, {.initiators = set,
                                                          .orders = all_permutations});
            costs& mine = ends[set.size()];
            mine = {std::min(mine.first, v.messages.least), std::max(mine.second, v.messages.most)};
        });
        for (std::size_t k = 1; k <= n; ++k) {
            CAPTURE(n);
            CAPTURE(k);
            CHECK(ends[k] == costs{P::messages({n, n, k}).least, P::messages({n, n, k}).most});
        }
    }
}

TEST_CASE("extinction: one leader, all agree; every graph, any start, fifo or not, n <= 3") {
    using P = extinction<int>;
    for (const std::size_t n : {1u, 2u, 3u}) {
        support::each_connected_graph(n, [&](const graph& g) {
            for (const bool fifo : {true, false}) {
                const auto v = explore(g, by_index<P>, {.initiators = any_subset,
                                                        .properties = an_election<P>(),
                                                        .fifo = fifo,
                                                        .starting = starting::any_time,
                                                        .orders = all_permutations});
                CHECK(v.verified());
            }
        });
    }
}

TEST_CASE("extinction: fewest and most messages, k initiators: triangle, star and ring of four") {
    const costs triangle[] = {{6, 6}, {8, 9}, {10, 11}};
    const costs star_of_four[] = {{6, 6}, {7, 11}, {8, 14}, {9, 16}};
    const costs ring_of_four[] = {{8, 8}, {10, 12}, {12, 15}, {14, 17}};
    for (std::size_t k = 1; k <= 3; ++k) CHECK(extinction_costs(complete{3}, k) == triangle[k - 1]);
    for (std::size_t k = 1; k <= 4; ++k) {
        CAPTURE(k);
        CHECK(extinction_costs(star{4}, k) == star_of_four[k - 1]);
        CHECK(extinction_costs(two_way_ring{4}, k) == ring_of_four[k - 1]);
    }
}

TEST_CASE("echo: the initiator completes, with everyone's value, at 2|E|; every graph n <= 4") {
    for (const std::size_t n : {1u, 2u, 3u, 4u}) {
        support::each_connected_graph(n, [&](const graph& g) {
            const auto counted = [](const global_state<echo<std::size_t, sum>>& s) {
                return s[0].has_completed() && s[0].value() == s.nodes();
            };
            const auto v = explore(g, [](node) { return echo{std::size_t{1}, sum{}}; },
                                   {.initiators = {0}, .properties = {finally(counted)}});
            CHECK(v.verified());
            CHECK(v.messages.least == 2 * g.links());
            CHECK(v.messages.most == 2 * g.links());
        });
    }
}

TEST_CASE("explore: one result for any number of threads, right systems and wrong ones") {
    const auto with = [](std::size_t threads, reduction r, auto topology, auto make, auto claim) {
        return explore(topology, make, {.properties = {claim}, .reduce = r, .threads = threads});
    };
    const auto compare = [&](reduction r, auto topology, auto make, auto claim) {
        const verdict one = with(1, r, topology, make, claim);
        CHECK(same_in_all(one, with(2, r, topology, make, claim)));
        CHECK(same_in_all(one, with(3, r, topology, make, claim)));
    };
    const auto greedy = [](node v) {
        return mutants::ring_election{static_cast<int>(v.index), bug::swallows_nothing};
    };
    const auto hasty = [](node v) {
        return mutants::wave_election{static_cast<int>(v.index), bug::worse_is_done};
    };
    for (const reduction r : {reduction::none, reduction::sleep, reduction::every}) {
        compare(r, ring{8}, by_index<chang_roberts<int>>, always(at_most_one_leader));
        compare(r, ring{5}, greedy, always(at_most_one_leader));
        compare(r, two_way_ring{4}, by_index<extinction<int>>, finally(all_agree));
        compare(r, two_way_ring{4}, hasty, finally(all_agree));
    }
}

TEST_CASE("explore: fingerprints of 64 and 128 bits and exact states find the same") {
    for (const reduction r : {reduction::none, reduction::sleep, reduction::every}) {
        const auto with = [&](fingerprint f) {
            return explore(two_way_ring{4}, by_index<extinction<int>>,
                           {.properties = {always(at_most_one_leader)}, .reduce = r,
                            .recognise = f});
        };
        const verdict exact = with(fingerprint::exact);
        CHECK(exact.verified());
        CHECK(same_in_all(exact, with(fingerprint::bits64)));
        CHECK(same_in_all(exact, with(fingerprint::bits128)));
        CHECK(exact.omissions_bound == 0);
        const double bound = with(fingerprint::bits64).omissions_bound;
        CHECK(bound < 1e-9);
        CHECK(with(fingerprint::bits128).omissions_bound < bound);
    }
}

TEST_CASE("explore: whoever stops early says why, and does not say verified") {
    const auto stopped = [](explore_options<chang_roberts<int>> options) {
        options.properties = {always(at_most_one_leader), sometimes(someone_leads),
                              finally(all_agree)};
        options.reduce = reduction::none;
        const auto v = explore(ring{8}, by_falling_index, options);
        CHECK_FALSE(v.complete);
        CHECK_FALSE(v.verified());
        CHECK_FALSE(v.messages.known);
        CHECK(v.counterexample.empty());
        return v.limit;
    };
    CHECK(stopped({.max_states = 100}) == "max_states");
    CHECK(stopped({.max_depth = 5}) == "max_depth");
    CHECK(stopped({.max_memory = 50'000}) == "max_memory");
    const auto enough = explore(ring{3}, by_index<chang_roberts<int>>,
                                {.max_states = 1000, .max_depth = 100, .max_memory = 1 << 24});
    CHECK(enough.verified());
    CHECK(enough.limit.empty());
}

TEST_CASE("explore: a handler that does two things for one input is found out") {
    const auto v = explore(ring{2}, [](node) { return moody{}; });
    CHECK_FALSE(v.deterministic);
    CHECK_FALSE(v.holds);
    CHECK_FALSE(v.verified());
}

TEST_CASE("explore: refuses initiators that are not there, and networks that are too large") {
    const auto make = by_index<chang_roberts<int>>;
    CHECK(refusal([&] { explore(ring{3}, make, {.initiators = {3}}); }) ==
          "explore: an initiator is not among the 3 nodes");
    CHECK(refusal([&] { explore(ring{65}, make); }) != "not refused");
    CHECK(refusal([&] { explore(ring{64}, make, {.reduce = reduction::ample}); }) == "not refused");
}

TEST_CASE("explore: with reductions, a ring of 64 takes about as many states as messages") {
    const auto v = explore(ring{64}, by_falling_index,
                           {.properties = {always(at_most_one_leader), sometimes(someone_leads)}});
    CHECK(v.verified());
    CHECK(v.messages.most == 64 * 65 / 2 + 64);
    CHECK(v.states <= v.messages.most + 64);
}

TEST_CASE("explore: what ample sets save on a ring of six: all interleavings but one") {
    using P = chang_roberts<int>;
    using counts = std::vector<std::uint64_t>;
    const auto counted = [](reduction reduce, const property<P>& p) {
        const verdict v = explore(ring{6}, by_falling_index, {.properties = {p}, .reduce = reduce});
        CHECK(v.verified());
        CHECK(v.reductions == (reduce == reduction::none ? "none" : "ample"));
        return counts{v.states, v.transitions, v.depth};
    };
    // A `finally` asks for cycles, too: if one were found, all would be explored again in full.
    for (const property<P>& p : {property<P>{finally(all_agree)}, {always(at_most_one_leader)}}) {
        CHECK(counted(reduction::none, p) == counts{435, 1293, 27});
        CHECK(counted(reduction::ample, p) == counts{28, 27, 27});
    }
}
