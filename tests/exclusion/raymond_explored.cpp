// SPDX-License-Identifier: MIT
#include <caucus/exclusion/raymond.hpp>

#include <caucus/layer/client.hpp>
#include <caucus/layer/load.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/star.hpp>

#include <doctest/doctest.h>
#include <support/raymonds.hpp>
#include <support/textbook_raymond.hpp>
#include <support/witness.hpp>

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// A path, one end has the token. As many entries each.
auto textbook(std::uint8_t entries) {
    return [=](node v) {
        textbook_raymond p;
        if (v != 0) p.holder = v == 1 ? prev : port{0};
        return client{p, {.entries = entries}};
    };
}
const auto one_inside = [](const auto& g) {
    std::size_t inside = 0;
    for (std::size_t v = 0; v < g.nodes(); ++v) inside += g[v].holds();
    return inside <= 1;
};

/// Of holders and privileges under way there is one, and whoever follows the pointers comes to it.
template <class Topology>
struct pointers_lead_to_the_token {
    Topology links;

    bool operator()(const auto& g) const {
        std::size_t tokens = 0;
        std::vector<char> seen(g.nodes(), 0);   // has it, or gets it
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].process().has_token()) seen[v] = 1, ++tokens;
        g.each_in_flight([&](node, node to, const auto& m) {
            if (!std::holds_alternative<raymond<>::privilege>(m)) return;
            seen[to] = 1;
            ++tokens;
        });
        if (tokens != 1) return false;
        for (std::size_t from = 0; from < g.nodes(); ++from) {
            std::size_t v = from;
            for (std::size_t steps = 0; steps < g.nodes() && seen[v] == 0; ++steps)
                v = links.across(node{v}, *g[v].process().way_to_token()).node;
            if (seen[v] == 0) return false;
        }
        return true;
    }
};
using explored_options = explore_options<client<raymond<>>>;

template <class Topology>
verdict pointers_explored(const Topology& t, std::size_t holder, std::uint8_t entries) {
    return explore(t, clients(raymonds(t, holder), sections{.entries = entries}),
                   {.properties = {always("one token", pointers_lead_to_the_token<Topology>{t})},
                    .fifo = false, .timers = timers::any_time});
}
void check_cost(const verdict& v, std::size_t nodes, std::size_t diameter, std::size_t entries) {
    const cost proven =
        raymond<>::messages({.nodes = nodes, .initiators = entries, .diameter = diameter});
    CHECK(proven.contains(v.messages.least));
    CHECK(proven.contains(v.messages.most));
}

}  // namespace

// Paper

TEST_CASE("raymond: the textbook's states and transitions, a path of 3, an end has the token") {
    const auto counted = [](std::uint8_t entries) {
        return explore(path{3}, textbook(entries),
                       {.properties = {always(one_inside)}, .reduce = reduction::none,
                        .timers = timers::any_time});
    };
    check_counts(counted(1), 142, 251);
    check_counts(counted(2), 860, 1'719);
}

TEST_CASE("raymond: the textbook lets two in after one repeated message, 8 events") {
    const verdict v =
        explore(path{3}, textbook(1),
                {.properties = {always(one_inside)}, .reduce = reduction::none,
                 .faults = {.duplicates = 1}, .timers = timers::any_time});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 8);
}

TEST_CASE("raymond: does not serve in the order of asking, from two entries on, 8 events") {
    const auto told = [](std::uint8_t entries) {
        return [=, make = raymonds(path{3}, 0)](node v) {
            return client{witness{make(v), v.index, 3, 0}, {.entries = entries}};
        };
    };
    const auto judged = [&](std::uint8_t entries) {
        return explore(path{3}, told(entries),
                       {.properties = {always(in_causal_order{})}, .timers = timers::any_time});
    };
    CHECK(judged(1).verified());
    const verdict v = judged(2);
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 8);
    CHECK(v.counterexample.shortest);
}

// Safety and liveness

TEST_CASE("raymond: exclusion, all are served, any order, two entries each, a path, n <= 3") {
    for (std::size_t n = 1; n <= 3; ++n)
        for (std::size_t holder = 0; holder < n; ++holder) {
            const verdict v = explored(path{n}, raymonds(path{n}, holder), sections{.entries = 2},
                                       {.fifo = false});
            check_verified(v);
            check_cost(v, n, n - 1, 2 * n);
        }
}

TEST_CASE("raymond: exclusion, all are served, any order, a star of 4, from a leaf") {
    const verdict v = explored(star{4}, raymonds(star{4}, 1), sections{}, {.fifo = false});
    check_verified(v);
    check_cost(v, 4, 2, 4);
}

TEST_CASE("raymond: a copied message changes nothing, nor the cost: one in two entries or two") {
    for (const std::uint8_t entries : {std::uint8_t{1}, std::uint8_t{2}}) {
        explored_options how{.faults = {.duplicates = static_cast<std::uint8_t>(3 - entries)},
                             .fifo = false};
        const verdict v =
            explored(path{3}, raymonds(path{3}, 0), sections{.entries = entries}, how);
        check_verified(v);
        const verdict undisturbed = explored(path{3}, raymonds(path{3}, 0),
                                             sections{.entries = entries}, {.fifo = false});
        CHECK(v.messages.least == undisturbed.messages.least);
        CHECK(v.messages.most == undisturbed.messages.most);
    }
}

TEST_CASE("raymond: all pointers lead to the one token, in every state, any order") {
    check_verified(pointers_explored(path{3}, 0, 2));
    check_verified(pointers_explored(path{3}, 1, 2));
    check_verified(pointers_explored(star{4}, 1, 1));
}
