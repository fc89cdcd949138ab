// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/search.hpp>

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/exploration/handlers.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <vector>

using namespace caucus;
using namespace caucus::exploration;

namespace {

using candidate = chang_roberts<int>;

struct outcome {
    std::size_t states;
    std::uint64_t transitions;
    std::uint64_t depth;
    std::uint32_t broken;
    std::string stopped_by;
    std::vector<std::uint32_t> successors;
    std::vector<std::size_t> awaited;   // properties that were to be true sometimes, and never were
};

outcome run(std::size_t n, search_plan plan, const std::vector<property<candidate>>& properties) {
    handlers<candidate> known{[n](node v) { return candidate{static_cast<int>(n - v.index)}; }};
    const property_set_of<candidate> claims{known.values(), properties};
    world w{wiring{ring{n}}, {}, known};
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    search s{w, claims, plan};
    w.roots(order, (std::uint64_t{1} << n) - 1, 0,
            [&](const auto& row, std::uint64_t h, std::uint64_t messages, const auto&) {
                return s.add_root(row, h, messages, {7});
            });
    s.run([](const auto&) {});
    outcome o{s.states(), s.transitions, s.depth, s.broken_state(),
              s.stopped_by == nullptr ? "" : s.stopped_by, {}, s.still_awaited()};
    if (o.broken != s.none) {
        const auto way = s.way_to(o.broken);
        CHECK(way.origin.order == 7);
        o.successors = way.successors;
    }
    return o;
}

}  // namespace

TEST_CASE("search: every state once, breadth first, and the same for any number of threads") {
    const std::vector<property<candidate>> none_at_all;
    for (std::size_t threads = 1; threads <= 3; ++threads) {
        const outcome o = run(6, {.threads = threads}, none_at_all);
        CHECK(o.states == 435);
        CHECK(o.transitions == 1293);
        CHECK(o.depth == 27);   // 21 elections and 6 announcements, one delivery at a time
    }
}

TEST_CASE("search: stops at the first state that breaks a property, as near as any") {
    const std::vector<property<candidate>> claims{
        always([](const auto& g) { return !g[0].is_leader(); })};
    const outcome o = run(4, {}, claims);
    CHECK(o.successors.size() == 10);   // in the worst order all ids are ahead of 4's
    const outcome again = run(4, {.threads = 2}, claims);
    CHECK(again.successors == o.successors);
    CHECK(again.states == o.states);
}

TEST_CASE("search: awaits what is to be true sometimes, and nothing else, until it is") {
    const auto first_leads = [](const auto& g) { return g[0].is_leader(); };
    const auto two_lead = [](const auto& g) { return g[0].is_leader() && g[1].is_leader(); };
    const auto is_there = [](const auto& g) { return g.nodes() == 3; };
    CHECK(run(3, {}, {always(is_there), sometimes(first_leads), finally(first_leads),
                      sometimes(two_lead)}).awaited == std::vector<std::size_t>{3});
}

TEST_CASE("search: says which limit stopped it") {
    const std::vector<property<candidate>> none_at_all;
    CHECK(run(7, {.max_states = 100}, none_at_all).stopped_by == "max_states");
    CHECK(run(7, {.max_depth = 3}, none_at_all).stopped_by == "max_depth");
    CHECK(run(7, {.max_bytes = 1000}, none_at_all).stopped_by == "max_memory");
    CHECK(run(5, {.max_depth = 20}, none_at_all).depth == 20);
}

TEST_CASE("search: sleep sets keep every state, ample sets one interleaving of a ring") {
    const std::vector<property<candidate>> none_at_all;
    const outcome sleep = run(6, {.reduce = reduction::sleep}, none_at_all);
    CHECK(sleep.states == 435);
    CHECK(sleep.transitions == 434);
    const outcome ample = run(6, {.reduce = reduction::ample}, none_at_all);
    CHECK(ample.states == 28);
    CHECK(ample.transitions == 27);
}
