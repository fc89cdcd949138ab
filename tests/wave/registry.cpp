// SPDX-License-Identifier: MIT
// What spanning_tree asks of a registry, of its own and of one that says no more than it has to.
#include <caucus/wave/spanning_tree.hpp>

#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>

#include <doctest/doctest.h>
#include <support/hanging.hpp>
#include <support/instances.hpp>
#include <support/tree_runs.hpp>

#include <cstdint>
#include <tuple>
#include <variant>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// The least registry: it names only those who stand before. Made with a port, it is a plain node.
struct elders : tree_node {
    std::vector<port> line = {};
    bool is_registry = true;

    elders() = default;
    explicit elders(port registry, std::size_t connections)
        : tree_node(registry, connections), is_registry(false) {}

    void on(const auto& kind, port from, auto& env) { tree_node::on(kind, from, env); }
    void on(enrol, port from, auto& env) {
        const std::size_t nodes = env.degree() + 1;
        std::vector<port> before;
        for (const port p : line) {
            if (p == from) return env.send(from, members{before});
            before.push_back(port{(p + nodes - from - 1) % nodes});
        }
        line.push_back(from);
        env.send(from, members{before});
    }
    void on(suspect s, auto& env) {
        if (!is_registry) return tree_node::on(s, env);
        const std::vector<port> were = line;
        std::erase(line, s.whom);
        if (line.size() == were.size()) return;
        env.send(s.whom, cut{});
        if (s.whom == were[0] && !line.empty()) env.send(line[0], members{});
    }
    void on(trust t, auto& env) { tree_node::on(t, env); }
    static constexpr auto fields(auto& self) {
        return std::tuple_cat(tree_node::fields(self), std::tie(self.line, self.is_registry));
    }
};

/// A registry's desk, with three ports: what it sends, and to whom.
struct desk {
    std::vector<port> to = {};
    std::vector<tree_node::message> out = {};

    std::size_t degree() const { return 3; }
    void send(port p, const tree_node::message& m) {
        to.push_back(p);
        out.push_back(m);
    }
    void broadcast(const tree_node::message&) {}
    void report(const tree_node::outcome&) {}

    bool sent(std::size_t i, port p, std::size_t kind) const {
        return i < out.size() && to[i] == p && out[i].index() == kind;
    }
    /// The nodes on the i-th list, the registry being node 0.
    sizes listed(std::size_t i) const {
        sizes found;
        for (const port p : std::get<tree_node::members>(out[i]).present)
            found.push_back(behind(behind(0, to[i], 4), p, 4));
        return found;
    }
};
constexpr std::size_t a_list = 1;
constexpr std::size_t a_cut = 7;

template <class Registry>
void check_registry_laws() {
    desk env;
    Registry r;
    const port first{2};
    const port second{0};
    const port third{1};
    for (int twice = 0; twice < 2; ++twice) r.on(tree_node::enrol{}, first, env);
    CHECK((env.listed(0).empty() && env.listed(1).empty()));
    for (int twice = 0; twice < 2; ++twice) r.on(tree_node::enrol{}, second, env);
    CHECK((env.listed(2) == sizes{3} && env.listed(3) == sizes{3}));
    r.on(tree_node::enrol{}, third, env);
    CHECK(env.listed(4) == sizes{3, 1});
    CHECK(env.out.size() == 5);

    for (int twice = 0; twice < 2; ++twice) r.on(suspect{first}, env);
    REQUIRE(env.out.size() == 7);
    CHECK((env.sent(5, first, a_cut) && env.sent(6, second, a_list)));
    CHECK(env.listed(6).empty());
    r.on(tree_node::enrol{}, first, env);   // it was alive, and is the last now
    CHECK(env.listed(7) == sizes{1, 2});
    r.on(suspect{third}, env);              // not the root: nobody else is told
    REQUIRE(env.out.size() == 9);
    CHECK(env.sent(8, third, a_cut));
    r.on(suspect{first}, env);              // once more, and this time it is dead
    r.on(suspect{second}, env);             // the last one: nobody is left to be the root
    REQUIRE(env.out.size() == 11);
    CHECK((env.sent(9, first, a_cut) && env.sent(10, second, a_cut)));
}

}  // namespace

static_assert(std::variant_size_v<tree_node::message> == a_cut + 1);

TEST_CASE("spanning_tree: the laws of a registry, its own and the least") {
    check_registry_laws<tree_node>();
    check_registry_laws<elders>();
}

TEST_CASE("spanning_tree: the least registry does, any schedule: joins, a crash, four nodes") {
    for (const std::size_t connections : {std::size_t{1}, all_connections})
        for (const std::uint8_t crashes : {std::uint8_t{0}, std::uint8_t{1}})
            check(explore(complete{4}, nodes_of<elders>(4, connections),
                          {.initiators = members_of(4),
                           .properties = {always(no_circle), always(at_most_one_root),
                                          finally(all_hang)},
                           .faults = {.crashes = crashes}, .perfect_detector = crashes != 0,
                           .starting = starting::any_time}));
}
