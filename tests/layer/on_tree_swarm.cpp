// SPDX-License-Identifier: MIT
// Every election for trees and graphs on the tree that spanning_tree keeps, while nodes join, die,
// come back and lose their parents.
#include <caucus/layer/on_tree.hpp>

#include <caucus/election/graph/adoption.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/graph/traversal_election.hpp>
#include <caucus/election/graph/waiting.hpp>
#include <caucus/election/tree/firewire.hpp>
#include <caucus/election/tree/tree_wave.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <support/court.hpp>
#include <support/instances.hpp>
#include <support/on_tree.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

using namespace caucus;

namespace {

constexpr ticks noticed = 2000;   // a crash, by all, and all that was sent to the dead is gone
constexpr std::size_t steps = 40;

struct result {
    std::uint64_t runs = 0;
    std::size_t failures = 0;
    std::size_t reigns = 0;
    std::size_t joins = 0;
    std::size_t crashes = 0;
    std::size_t dead_roots = 0;
    std::size_t returns = 0;
    std::size_t lost_parents = 0;
};

/// Whatever may happen to a tree, one thing at a time, at random.
template <class Net>
class misfortunes {
public:
    misfortunes(Net& net, random_source& bits, result& r)
        : net_(net), bits_(bits), r_(r), joined_(net.nodes(), 0), died_at_(net.nodes(), 0) {}

    void strike() {
        const std::size_t v = 1 + bits_.below(net_.nodes() - 1);   // the registry stays alive
        switch (bits_.below(4)) {
            case 0: return join(v);
            case 1: return net_.alive(v) ? crash(v) : restart(v);
            case 2: return lose_parent(v);
            default: return find_again(bits_.below(lost_.size() + 1));
        }
    }
    void end() {
        for (std::size_t v = 1; v < net_.nodes(); ++v) join(v);
        while (!lost_.empty()) find_again(0);
    }

private:
    struct link {
        std::size_t from;
        port way;
    };

    void join(std::size_t v) {
        if (joined_[v] != 0 || !net_.alive(v)) return;
        joined_[v] = 1;
        ++r_.joins;
        net_.start(v);
    }
    void crash(std::size_t v) {
        if (joined_[v] == 0) return;
        ++r_.crashes;
        r_.dead_roots += net_[v].tree().is_root();
        died_at_[v] = net_.now();
        net_.crash(v);
    }
    void restart(std::size_t v) {
        if (net_.now() < died_at_[v] + noticed) return;
        ++r_.returns;
        net_.restart(v);
    }
    void lose_parent(std::size_t v) {
        if (!net_.alive(v) || !net_[v].tree().parent()) return;
        ++r_.lost_parents;
        lost_.push_back({v, *net_[v].tree().parent()});
        net_.suspect(v, lost_.back().way);
    }
    void find_again(std::size_t i) {
        if (i >= lost_.size()) return;
        const link found = lost_[i];
        lost_.erase(lost_.begin() + static_cast<std::ptrdiff_t>(i));
        const bool both = net_.alive(found.from) &&
                          net_.alive(support::behind(found.from, found.way, net_.nodes()));
        if (both) net_.trust(found.from, found.way);
    }

    Net& net_;
    random_source& bits_;
    result& r_;
    std::vector<char> joined_;
    std::vector<ticks> died_at_;
    std::vector<link> lost_{};
};

delay_model any_delay(random_source& bits) {
    switch (bits.below(3)) {
        case 0: return unit{};
        case 1: return uniform{1, 20};
        default: return heavy_tailed{1, 100};
    }
}

/// `elect(id, options)` makes the supervised election; `judge` says whether it came out well.
void run_once(result& r, std::uint64_t seed, auto elect, auto judge) {
    random_source bits{mix(seed, 0x74726565u)};
    const std::size_t n = seed % 50 == 0 ? 40 : 2 + bits.below(9);
    const std::size_t connections = 1 + bits.below(3);
    const supervised_options options{.beat = 0, .timeout = 300, .election_max = 4000, .reach = n};
    const std::vector<int> ids = support::shuffled_ids(n, seed);
    const auto make = [&](node v) {
        return on_tree{elect(ids[v], options), support::place_of(v, n, connections)};
    };
    events net{complete{n}, make,
               {.seed = seed, .delay = any_delay(bits), .detector = perfect{1 + bits.below(50)}},
               support::court{ids}};
    misfortunes all{net, bits, r};
    for (std::size_t i = 0; i < steps; ++i) {
        all.strike();
        net.run_for(bits.below(bits.below(2) == 0 ? 20 : 1000));
    }
    all.end();
    net.run_for(4 * options.settled_after());
    const std::size_t reigns = net.watcher().reigns;
    bool fine = support::all_hang(support::trees_of(net)) && judge(net);
    net.run_for(4 * options.settled_after());
    net.watcher().compare_with(net);
    fine = fine && judge(net) && net.watcher().reigns == reigns && net.watcher().violations.empty();
    if (!fine && r.failures++ < 10) MESSAGE("fails with seed ", seed);
    r.reigns += reigns;
    ++r.runs;
}

void check(const result& r) {
    MESSAGE(r.runs, " runs, ", r.reigns, " reigns, ", r.joins, " joins, ", r.crashes,
            " crashes, ", r.dead_roots, " of them of roots, ", r.returns, " returns, ",
            r.lost_parents, " lost parents; ", r.failures, " failures");
    CHECK(r.failures == 0);
    CHECK(r.reigns > r.runs);
    CHECK(r.dead_roots > r.runs / 4);
    CHECK(r.returns > r.runs / 4);
    CHECK(r.lost_parents > r.runs);
}

/// The best of all who hang in the tree leads.
void by_wave(std::uint64_t runs) {
    result r;
    for (std::uint64_t seed = 1; seed <= runs; ++seed)
        run_once(r, seed, [](int id, const supervised_options& options) {
            return supervised{tree_wave{id}, options, preemptive{}};
        }, support::best_leads);
    check(r);
}
/// Whoever leads stays, as long as it is there: one leader, and not always the best.
template <template <class...> class Election>
void by(std::uint64_t runs) {
    result r;
    for (std::uint64_t seed = 1; seed <= runs; ++seed)
        run_once(r, seed, [](int id, const supervised_options& options) {
            return supervised{Election<int>{id}, options};
        }, support::one_leads);
    check(r);
}
void by_all_others(std::uint64_t runs) {
    SUBCASE("tree_wave") { by<tree_wave>(runs); }
    SUBCASE("firewire") { by<firewire>(runs); }
    SUBCASE("extinction") { by<extinction>(runs); }
    SUBCASE("adoption") { by<adoption>(runs); }
    SUBCASE("waiting") { by<waiting>(runs); }
    SUBCASE("traversal_election") { by<traversal_election>(runs); }
}

}  // namespace

TEST_CASE("on_tree<supervised<tree_wave>>: joins, crashes, returns, lost parents: the best leads") {
    by_wave(support::sanitized ? 40 : 400);
}
TEST_CASE("on_tree: so it is with every election for trees and graphs: one leader") {
    by_all_others(support::sanitized ? 20 : 100);
}
TEST_CASE("nightly: on_tree<supervised<tree_wave>>, 100,000 runs" * doctest::skip()) {
    by_wave(100'000);
}
TEST_CASE("nightly: on_tree, every election for trees and graphs, 20,000 runs" * doctest::skip()) {
    by_all_others(20'000);
}
