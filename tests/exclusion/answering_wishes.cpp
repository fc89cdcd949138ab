// SPDX-License-Identifier: MIT
#include <caucus/exclusion/answering_wishes.hpp>

#include <caucus/election/appointed.hpp>
#include <caucus/exclusion/coordinator.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/star.hpp>

#include <archetypes.hpp>
#include <doctest/doctest.h>
#include <support/coordinators.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

using namespace caucus;
using support::under_node_0;

namespace {

using telling = coordinator<appointed<int>, tells_place>;
static_assert(telling::per_entry(5).most == 4);
static_assert(coordinator<appointed<int>, grants_only>::per_entry(5).most == 3);
static_assert(!kind_of<queued, coordinator<appointed<int>, grants_only>::outcome>);

using places = std::vector<std::pair<std::uint32_t, std::size_t>>;
/// Who has been told, in this order, how many are before it.
template <class Env>
places told(const Env& env) {
    places all;
    for (const auto& sent : env.outbox)
        if (const auto* m = std::get_if<telling::place>(&sent.message))
            all.push_back({static_cast<std::uint32_t>(sent.out.index()), m->ahead});
    return all;
}

}  // namespace

TEST_CASE("coordinator, tells_place: who has to wait hears how many are before it") {
    events net{star{4}, under_node_0(star{4}, tells_place{}), {.delay = unit{}}};
    for (const std::size_t v : {1u, 2u, 0u, 3u}) {
        CHECK(net.call(v, request::enter{}) == answer::accepted);
        net.run();
    }
    const auto ahead = [&](std::size_t v) -> std::size_t {
        for (const auto& o : net.outcomes())
            if (const auto* q = std::get_if<queued>(&o.outcome); q && o.node == v) return q->ahead;
        return 0;
    };
    CHECK(ahead(1) == 0);
    CHECK(ahead(2) == 1);
    CHECK(ahead(0) == 2);
    CHECK(ahead(3) == 3);
    CHECK(net.run().by_kind("place") == 2);   // the server's own wish costs nothing
    CHECK(net.outcomes().size() == 4);
}

TEST_CASE("coordinator, tells_place: a new leader says so when it has heard from all, not before") {
    const epoch<int> before{0, 10, {}}, reign{0, 10, {1}};
    const ticket first{{}, 1};
    for (const bool one_is_inside : {true, false}) {
        CAPTURE(one_is_inside);
        telling server{appointed{10, std::vector{20, 30, 40}, 10}, tells_place{}};
        archetype::environment<telling> env;
        env.ports = 3;
        dispatch(server, recovered<>{incarnation{1}, {}}, env);
        server.on(telling::wish{reign, first}, port{1}, env);
        server.on(telling::wish{reign, first}, port{2}, env);
        CHECK(told(env).empty());   // not `queued{0}`
        if (one_is_inside) {
            server.on(telling::stay{reign, first, {before, 9}}, port{0}, env);
            CHECK(told(env) == places{{1, 1}, {2, 2}});
        } else {
            server.on(telling::wish{reign, first}, port{0}, env);
            CHECK(told(env) == places{{0, 2}, {2, 1}});   // and who came first is inside
        }
        CHECK(server.request(env) == answer::accepted);
        CHECK(told(env).size() == 2);
        REQUIRE(env.heard.size() == 1);
        CHECK(std::get<queued>(env.heard[0]).ahead == 3);
    }
}
