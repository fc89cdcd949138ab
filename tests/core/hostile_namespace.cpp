// SPDX-License-Identifier: MIT
// What the library calls with users' types must be the library's own, whatever stands beside them.
#include <caucus/election/complete/bully.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/layer/grouped.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/layer/repaired_ring.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/layer/synchronizer.hpp>
#include <caucus/run/endpoint.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/replay.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/trace/trace_hash.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <doctest/doctest.h>

#include <compare>
#include <string>
#include <variant>
#include <vector>

namespace hostile {

struct name {
    int number = 0;
    friend auto operator<=>(const name&, const name&) = default;
};

// Better matches than any template: called by mistake, they say that all names are the same.
constexpr int compare(const name&, const name&) { return 0; }
constexpr bool same(const name&, const name&) { return true; }
constexpr std::uint64_t hash(const name&, std::uint64_t = 0) { return 7; }
inline void print(std::string& out, const name&) { out += "hostile"; }

// And templates as general as the library's: called by mistake, they do not compile.
#define CAUCUS_TEST_TRAP(function)                                           \
    template <class A> void function(const A&) = delete;                     \
    template <class A> void function(A&) = delete;                           \
    template <class A, class B> void function(const A&, const B&) = delete;  \
    template <class A, class B> void function(A&, const B&) = delete;        \
    template <class A, class B> void function(A&, B&) = delete;              \
    template <class A, class B> void function(const A&, B&&) = delete;       \
    template <class A, class B, class C> void function(A&, const B&, C&) = delete;  \
    template <class... All> void function(All&&...) = delete;
CAUCUS_TEST_TRAP(compare)
CAUCUS_TEST_TRAP(same)
CAUCUS_TEST_TRAP(hash)
CAUCUS_TEST_TRAP(print)
CAUCUS_TEST_TRAP(each_scalar)
CAUCUS_TEST_TRAP(fields_of)
CAUCUS_TEST_TRAP(wire_bits)
CAUCUS_TEST_TRAP(visit_kind)
CAUCUS_TEST_TRAP(kind_index)
CAUCUS_TEST_TRAP(kind_name)
CAUCUS_TEST_TRAP(dispatch)
CAUCUS_TEST_TRAP(tell)
CAUCUS_TEST_TRAP(stable_sort)
CAUCUS_TEST_TRAP(sort_in_place)
CAUCUS_TEST_TRAP(report_inner)
CAUCUS_TEST_TRAP(overflows)
CAUCUS_TEST_TRAP(checked_across)
CAUCUS_TEST_TRAP(check_model)
CAUCUS_TEST_TRAP(objection_of)
CAUCUS_TEST_TRAP(objection_to_peers)
CAUCUS_TEST_TRAP(times)
CAUCUS_TEST_TRAP(leaps)
CAUCUS_TEST_TRAP(sent_later)
CAUCUS_TEST_TRAP(refuse)
CAUCUS_TEST_TRAP(covers)
CAUCUS_TEST_TRAP(after)
CAUCUS_TEST_TRAP(mix)
CAUCUS_TEST_TRAP(peer_ids)
CAUCUS_TEST_TRAP(is_a_ring)
CAUCUS_TEST_TRAP(replay)
CAUCUS_TEST_TRAP(explore)
CAUCUS_TEST_TRAP(layer)
CAUCUS_TEST_TRAP(get)
CAUCUS_TEST_TRAP(get_if)
CAUCUS_TEST_TRAP(tie)
CAUCUS_TEST_TRAP(apply)
CAUCUS_TEST_TRAP(visit)
CAUCUS_TEST_TRAP(swap)
CAUCUS_TEST_TRAP(move)
CAUCUS_TEST_TRAP(forward)
CAUCUS_TEST_TRAP(exchange)
CAUCUS_TEST_TRAP(begin)
CAUCUS_TEST_TRAP(end)
CAUCUS_TEST_TRAP(size)

/// A process of a user's: the greatest name goes round until nobody knows a greater one.
struct gossip {
    struct rumour { name greatest; };
    struct pause {};
    using message = std::variant<rumour>;
    using timer = std::variant<pause>;
    using outcome = rumour;

    name mine{};
    bool told = false;

    constexpr name id() const { return mine; }
    constexpr void start(auto& env) { env.arm(pause{}, 2); }
    constexpr void on(pause, auto& env) {
        told = true;
        env.send(caucus::next, rumour{mine});
        env.report(rumour{mine});
    }
    constexpr void on(const rumour& r, caucus::port, auto& env) {
        if (r.greatest <= mine) return;
        mine = r.greatest;
        env.send(caucus::next, r);
    }
};

}  // namespace hostile

namespace {

using hostile::name;

struct wire {
    std::size_t degree() const { return 2; }
    void send(caucus::port, const auto&) { ++sent; }
    int sent = 0;
};
struct wrist_watch {
    caucus::ticks now() const { return time; }
    caucus::ticks time = 0;
};

}  // namespace

TEST_CASE("hostile namespace: same, compare, hash and print are the library's own") {
    const name one{1};
    const name two{2};
    static_assert(caucus::same(name{1}, name{1}) && !caucus::same(name{1}, name{2}));
    CHECK(caucus::compare(one, two) < 0);
    CHECK(caucus::hash(one) != caucus::hash(two));
    CHECK_FALSE(caucus::same(std::vector{one}, std::vector{two}));
    std::string out;
    caucus::print(out, std::vector{one, two});
    CHECK(out == "[name{1}, name{2}]");
}

TEST_CASE("hostile namespace: a user's process in every executor") {
    const auto make = [](caucus::node v) { return hostile::gossip{name{static_cast<int>(v)}}; };
    caucus::rounds sim{caucus::ring{4}, make, {}, caucus::trace_hash{}};
    sim.start_all();
    sim.run();
    caucus::events net{caucus::ring{4}, make, {.detail = caucus::detail_level::on}};
    net.start_all();
    net.run();
    for (std::size_t v = 0; v < 4; ++v) {
        CHECK(sim[v].mine == name{3});
        CHECK(net[v].mine == name{3});
    }
    const auto all_know = caucus::finally(
        [](const auto& g) { return g[0].mine == name{2} && g[1].mine == name{2}; });
    const caucus::verdict v = caucus::explore(
        caucus::ring{3}, make, {.initiators = caucus::all, .properties = {all_know}});
    CHECK(v.holds);
    CHECK(v.complete);
    const auto never_told = caucus::always([](const auto& g) { return !g[0].told; });
    const caucus::verdict w = caucus::explore(
        caucus::ring{3}, make, {.initiators = caucus::all, .properties = {never_told}});
    CHECK_FALSE(w.holds);
    CHECK_FALSE(w.counterexample.text().empty());
}

TEST_CASE("hostile namespace: an endpoint's timers are told apart by the library's own order") {
    wire out;
    wrist_watch clock;
    int heard = 0;
    const auto listener = [&](const auto&) { ++heard; };
    caucus::endpoint self{
        caucus::reliable{caucus::extinction{name{3}}}, out, clock, listener};
    self.start();
    self.advance(1000);
    CHECK(out.sent >= 2);
}

TEST_CASE("hostile namespace: elections and layers over such ids") {
    const auto id = [](caucus::node v) { return name{static_cast<int>(v) + 1}; };
    caucus::rounds ring{caucus::ring{4}, [&](caucus::node v) {
        return caucus::chang_roberts{id(v)};
    }};
    ring.start_all();
    ring.run();
    CHECK(ring[0].leader() == name{4});

    const auto peers = [&](caucus::node v) {
        std::vector<name> all;
        for (std::size_t p = 0; p < 3; ++p) all.push_back(id(caucus::node{(v + 1 + p) % 4}));
        return all;
    };
    caucus::events net{caucus::complete{4}, [&](caucus::node v) {
        return caucus::supervised{caucus::bully{id(v), peers(v), {.delay_max = 10}}, {.beat = 50}};
    }};
    net.start_all();
    net.run_for(1000);
    CHECK(net[0].leader() == name{4});

    caucus::events mended{caucus::complete{4}, [&](caucus::node v) {
        return caucus::supervised{caucus::repaired_ring{caucus::chang_roberts{id(v)}},
                                  {.beat = 50}};
    }};
    mended.start_all();
    mended.run_for(1000);
    CHECK(mended[0].leader() == name{4});

    caucus::events graph{caucus::two_way_ring{4}, [&](caucus::node v) {
        return caucus::synchronizer{caucus::extinction{id(v)}};
    }};
    graph.start_all();
    graph.run({.max_messages = 10'000});
    CHECK(graph[0].leader() == name{4});
}
