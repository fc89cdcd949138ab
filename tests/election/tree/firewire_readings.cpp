// SPDX-License-Identifier: MIT
// What goes wrong if firewire's rules are taken as they are often told.
#include <caucus/election/tree/firewire.hpp>

#include <caucus/run/explore.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/star.hpp>

#include <doctest/doctest.h>
#include <support/delayed.hpp>
#include <support/trees.hpp>

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// faithful: as it should be. new_contention: being asked while it waits makes a node wait anew.
/// inner_roots: a node with one port only never becomes the root.
enum class reading : std::uint8_t { faithful, new_contention, inner_roots };

template <reading Reading>
struct told {
    struct be_my_parent {};
    struct you_are_my_child {};
    using message = std::variant<be_my_parent, you_are_my_child>;
    struct window_over {};
    using timer = std::variant<window_over>;
    using outcome = nothing;
    static constexpr bool tosses_coins = true;
    enum class role : std::uint8_t { gathering, asking, waiting, asked_first, child, root };

    std::uint32_t children = 0;   // a bit a port
    port upward{};
    role is = role::gathering;

    void start(auto& env) {
        if (is == role::gathering) look(env);
    }
    void on(be_my_parent, port from, auto& env) {
        if (is == role::gathering) {
            children |= 1u << from.index();
            look(env);
        } else if (is == role::asking && from == upward) {
            contend(env);
        } else if (is == role::waiting) {
            if (Reading == reading::new_contention) contend(env);
            else is = role::asked_first;
        }
    }
    void on(you_are_my_child, port, auto&) { is = role::child; }
    void on(window_over, auto& env) {
        if (is == role::asked_first && may_lead(env)) return lead(upward, env);
        is = role::asking;
        env.send(upward, be_my_parent{});
    }

    void look(auto& env) {
        std::vector<port> left;
        for (const port p : ports(env.degree()))
            if ((children >> p.index() & 1) == 0) left.push_back(p);
        if (left.size() > 1 || (left.empty() && !may_lead(env))) return;
        for (const port p : ports(env.degree()))
            if ((children >> p.index() & 1) != 0) env.send(p, you_are_my_child{});
        if (left.empty()) return lead(std::nullopt, env);
        is = role::asking;
        upward = left[0];
        env.send(upward, be_my_parent{});
    }
    void contend(auto& env) {
        is = role::waiting;
        env.arm(window_over{}, env.choose(2) == 0 ? 4 : 9);
    }
    void lead(std::optional<port> beaten, auto& env) {
        is = role::root;
        if (beaten) env.send(*beaten, you_are_my_child{});
    }
    static bool may_lead(auto& env) { return Reading != reading::inner_roots || env.degree() != 1; }

    bool is_leader() const { return is == role::root; }
    std::optional<anonymous> leader() const {
        return is_leader() ? std::optional{anonymous{}} : std::nullopt;
    }
};

/// In real time, with delays of one tick.
template <reading Reading>
verdict explored(const auto& t, initiators who, starting when = starting::at_once) {
    return explore(t, [](node) { return delayed<told<Reading>, 1>{}; },
                   {.initiators = who,
                    .properties = {always(at_most_one_leader), finally(someone_leads)},
                    .starting = when});
}

}  // namespace

TEST_CASE("firewire: as it should be, every tree, n <= 5") {
    for (std::size_t n = 1; n <= 5; ++n) {
        each_tree(n, [&](const tree& t) {
            CHECK(explored<reading::faithful>(t, leaves(t)).verified());
            if (n <= 4) CHECK(explored<reading::faithful>(t, all, starting::any_time).verified());
        });
    }
}

TEST_CASE("firewire: being asked again while waiting taken for a new contention: they ask in turn "
          "for ever, however the coins fall") {
    for (std::size_t n = 2; n <= 4; ++n) {
        const verdict v = explored<reading::new_contention>(path{n}, {0, n - 1});
        CHECK_FALSE(v.holds);
        CHECK(v.counterexample.property == "someone_leads");
        CHECK(v.counterexample.loop_from.has_value());
    }
}

TEST_CASE("firewire: 'only inner nodes can become the root': two nodes have none, nor has a tree "
          "with a late leaf") {
    CHECK_FALSE(explored<reading::inner_roots>(path{2}, all).holds);
    CHECK_FALSE(explored<reading::inner_roots>(star{3}, {1, 2}).holds);   // a leaf is asked first
    CHECK_FALSE(explored<reading::inner_roots>(star{4}, {1, 2, 3}, starting::any_time).holds);
}

TEST_CASE("firewire: a leaf can become the root: of two nodes always, late or by coin else") {
    const auto a_leaf_leads = [](const tree& t, starting when, ticks reaction) {
        const auto make = [&](node) {
            return delayed<firewire<>, 1>{firewire{{{4, 4, 9, 9}, 1, reaction}}};
        };
        const std::vector<std::size_t> outside = leaves(t);
        const auto leaf_leads = [=](const auto& g) {
            for (const std::size_t v : outside)
                if (g[v].is_leader()) return true;
            return false;
        };
        return explore(t, make, {.initiators = outside, .properties = {sometimes(leaf_leads)},
                                 .starting = when})
            .verified();
    };
    for (std::size_t n = 2; n <= 5; ++n) {
        each_tree(n, [&](const tree& t) {
            CHECK(a_leaf_leads(t, starting::any_time, 1));                  // late
            // By coin, next to it: in lock-step the centres of the tree meet.
            CHECK(a_leaf_leads(t, starting::at_once, 1) == (n == 2));
        });
    }
    CHECK(a_leaf_leads(tree{0, 0, 0}, starting::at_once, 0));
}
