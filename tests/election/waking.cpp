// SPDX-License-Identifier: MIT
#include <caucus/election/waking.hpp>

#include <caucus/core/dispatch.hpp>
#include <caucus/core/random.hpp>
#include <caucus/election/complete/afek_gafni.hpp>
#include <caucus/election/graph/adoption.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/graph/ghs.hpp>
#include <caucus/election/graph/traversal_election.hpp>
#include <caucus/election/graph/waiting.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/franklin.hpp>
#include <caucus/election/ring/hirschberg_sinclair.hpp>
#include <caucus/election/ring/le_lann.hpp>
#include <caucus/election/ring/peterson.hpp>
#include <caucus/election/ring/peterson_alternating.hpp>
#include <caucus/election/ring/renewed.hpp>
#include <caucus/election/ring/replacing.hpp>
#include <caucus/election/ring/two_way.hpp>
#include <caucus/election/tree/tree_wave.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <doctest/doctest.h>
#include <support/ring_runs.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// Any message under way may be the next, links are fifo: who leads in the end? No executor, so
/// that many elections are cheap to compile.
template <class P, class Topology>
int leader_of(const Topology& t, std::vector<P> nodes, const sizes& starters, std::uint64_t seed) {
    random_source dice{seed};
    std::vector<notes<P>> desks(nodes.size());
    for (std::size_t v = 0; v < nodes.size(); ++v) desks[v].ports = t.degree(node{v});
    for (const std::size_t v : starters) nodes[v].start(desks[v]);
    for (;;) {
        sizes busy;
        for (std::size_t v = 0; v < nodes.size(); ++v)
            if (!desks[v].out.empty()) busy.push_back(v);
        if (busy.empty()) break;
        const node v{busy[dice.below(busy.size())]};
        auto& out = desks[v].out;
        const port way = out[dice.below(out.size())].out;
        const auto first = std::find_if(out.begin(), out.end(),
                                        [way](const auto& letter) { return letter.out == way; });
        const typename P::message m = first->message;
        out.erase(first);
        const far_end far = t.across(v, way);
        dispatch(nodes[far.node], m, far.port, desks[far.node]);
    }
    for (const P& p : nodes)
        if (p.is_leader()) return p.id();
    return 0;
}

/// What is true of who leads on every order of ids, start set and seed: the most one may promise.
template <class Topology>
winner seen(const Topology& t, auto make) {
    bool best_of_all = true;
    bool best_caller = true;
    bool some_caller = true;
    each_permutation(t.nodes(), [&](const std::vector<int>& ids) {
        each_subset(t.nodes(), [&](const sizes& starters) {
            for (std::uint64_t seed = 1; seed <= 4; ++seed) {
                std::vector<decltype(make(t, node{0}, ids))> nodes;
                for (std::size_t v = 0; v < t.nodes(); ++v) nodes.push_back(make(t, node{v}, ids));
                const int leader = leader_of(t, nodes, starters, seed);
                const auto has_called = [&](std::size_t v) { return ids[v] == leader; };
                REQUIRE(leader != 0);
                best_of_all = best_of_all && leader == static_cast<int>(t.nodes());
                best_caller = best_caller && leader == best_of(ids, starters);
                some_caller =
                    some_caller && std::any_of(starters.begin(), starters.end(), has_called);
            }
        });
    });
    if (best_of_all) return winner::best_of_all;
    if (best_caller) return winner::best_caller;
    return some_caller ? winner::some_caller : winner::some_node;
}

/// Runs show what the card says.
template <template <class...> class Election, class... Policies>
void check_winner(const auto& t) {
    using P = Election<int, Policies...>;
    CHECK(seen(t, [](const auto&, node v, const std::vector<int>& ids) {
              return electing<Election, Policies...>{ids}(v);
          }) == P::elects);
}

/// Of three callers of nine.
template <class Wake>
constexpr std::pair<std::size_t, std::size_t> candidates() {
    const size s{.nodes = 9, .initiators = 3};
    return {Wake::candidates_least(s), Wake::candidates_most(s)};
}

}  // namespace

static_assert(candidates<suppress>() == std::pair<std::size_t, std::size_t>{3, 9});
static_assert(candidates<join>() == std::pair<std::size_t, std::size_t>{9, 9});
static_assert(candidates<relay_only>() == std::pair<std::size_t, std::size_t>{3, 3});
static_assert(suppress::joins(true) && !suppress::joins(false));
static_assert(join::joins(true) && join::joins(false));
static_assert(!relay_only::joins(true) && !relay_only::joins(false));
static_assert(joins_or_relays<> && joins_or_relays<least, join> && !joins_or_relays<suppress>);

TEST_CASE("waking: the best of all leads, or the best caller, as the card says: rings of four") {
    check_winner<le_lann>(ring{4});
    check_winner<chang_roberts>(ring{4});
    check_winner<chang_roberts, relay_only>(ring{4});
    check_winner<replacing>(ring{4});
    check_winner<renewed>(ring{4});
    check_winner<peterson>(ring{4});
    check_winner<peterson_alternating>(ring{4});
    check_winner<two_way>(two_way_ring{4});
    check_winner<franklin>(two_way_ring{4});
    check_winner<franklin, join>(two_way_ring{4});
    check_winner<hirschberg_sinclair>(two_way_ring{4});
}

TEST_CASE("waking: the best of all, the best caller, a caller or any node leads, as the card says: "
          "trees, graphs and complete networks of four") {
    check_winner<tree_wave>(path{4});
    check_winner<tree_wave, silent>(path{4});
    check_winner<extinction>(complete{4});
    check_winner<extinction, join>(complete{4});
    check_winner<adoption>(complete{4});
    check_winner<waiting>(complete{4});
    check_winner<traversal_election>(complete{4});
    check_winner<afek_gafni>(complete{4});
    check_winner<afek_gafni, join>(complete{4});
    CHECK(seen(path{4}, [](const auto& t, node v, const std::vector<int>& ids) {
              return ghs{ids[v], peer_ids(t, v, ids)};
          }) == ghs<int>::elects);
}
