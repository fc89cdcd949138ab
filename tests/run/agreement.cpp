// SPDX-License-Identifier: MIT
#include <caucus/run/agreement.hpp>

#include <caucus/layer/client.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <laws/referee.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

using namespace caucus;

namespace {

struct delivered { int text; };
using outcome = std::variant<delivered, stalled>;
using reports = std::vector<std::pair<std::size_t, outcome>>;

/// What is broadcast reaches all, and each on its own way.
struct plain_broadcast {
    struct note { int text; };
    using message = note;
    using timer = nothing;
    using outcome = delivered;
    using requests = std::variant<request::start, request::broadcast<int>>;
    bool started = false;

    void start(auto&) { started = true; }
    void broadcast(int text, auto& env) {
        env.broadcast(note{text});
        env.report(delivered{text});
    }
    void on(note n, port, auto& env) { env.report(delivered{n.text}); }
};

auto says_its_number(node v) {
    return client{plain_broadcast{},
                  script{in_order(request::broadcast<int>{static_cast<int>(v.index)})},
                  outcome_log<>{}};
}
/// Only node 0 has anything to say.
auto first_speaks(node v) {
    script twice{in_order(request::broadcast<int>{7}, request::broadcast<int>{8})};
    return client{plain_broadcast{}, v.index == 0 ? twice : decltype(twice){{}}, outcome_log<>{}};
}

}  // namespace

static_assert(referee<same_prefix<delivered>> && referee<same_set<delivered>>);

TEST_CASE("same_prefix, same_set: the laws of referees") {
    laws::referee_laws(same_prefix<delivered>{},
                       reports{{0, delivered{1}}, {1, stalled{}}, {1, delivered{1}},
                               {1, delivered{2}}, {2, delivered{1}}, {0, delivered{3}},
                               {0, delivered{2}}}, 3);
    laws::referee_laws(same_set<delivered>{2},
                       reports{{0, delivered{1}}, {1, delivered{2}}, {1, delivered{1}},
                               {0, delivered{2}}, {1, delivered{2}}}, 2);
    const auto parity = [](const auto& kind) -> std::optional<int> {
        if constexpr (requires { kind.text; }) return kind.text % 2;
        else return std::nullopt;
    };
    laws::referee_laws(same_prefix<int, decltype(parity)>{parity},
                       reports{{0, delivered{1}}, {1, delivered{3}}, {0, stalled{}},
                               {1, delivered{2}}, {0, delivered{5}}}, 2);
}

TEST_CASE("same_prefix: says who differs from whom; the dead count, and a new life begins anew") {
    same_prefix<delivered> r;
    r.reported(1, node{0}, outcome{delivered{5}});
    r.crashed(2, node{0});
    r.reported(3, node{2}, outcome{delivered{6}});
    REQUIRE(r.violations().size() == 1);
    CHECK(r.violations()[0].at == 3);
    CHECK(r.violations()[0].who.index == 2);
    CHECK(r.violations()[0].other.index == 0);
    r.restarted(4, node{0}, {1});
    r.reported(5, node{0}, outcome{delivered{5}});
    CHECK(r.violations().size() == 1);
}

TEST_CASE("same_set: of the living, in any order, each as often; who is silent counts") {
    same_set<delivered> r{3};
    for (const int text : {1, 2}) r.reported(1, node{0}, outcome{delivered{text}});
    for (const int text : {2, 1}) r.reported(1, node{1}, outcome{delivered{text}});
    CHECK(r.violations().size() == 1);   // node 2
    r.crashed(2, node{2});
    CHECK(r.holds());
    r.restarted(3, node{2}, {1});
    CHECK_FALSE(r.holds());
    for (const int text : {1, 2, 2}) r.reported(4, node{2}, outcome{delivered{text}});
    CHECK_FALSE(r.holds());
}

TEST_CASE("same_set: who is absent does not count, until it arrives; told through together") {
    together both{same_set<delivered>{2}, same_set<delivered>{2}};
    both.absent(0, node{1});
    both.reported(1, node{0}, outcome{delivered{1}});
    CHECK(both.holds());
    both.arrived(2, node{1});
    CHECK_FALSE(both.holds());
    both.reported(3, node{1}, outcome{delivered{1}});
    CHECK(both.holds());
}

TEST_CASE("same_prefix, same_set: in events, and over the logs in explore") {
    events net{complete{3}, says_its_number, {}, same_set<delivered>{3}};
    net.start_all();
    net.run_until([&] { return net[0].log().size() == 1; });
    CHECK_FALSE(net.watcher().holds());   // it is not over
    CHECK(net.run().stopped == stop::quiescent);
    CHECK(net.watcher().holds());

    const auto explored = [](auto make, auto property) {
        return explore(complete{2}, make, {.properties = {property}, .timers = timers::any_time});
    };
    CHECK(explored(says_its_number, finally(same_set<delivered>{2})).verified());
    CHECK_FALSE(explored(says_its_number, always(same_prefix<delivered>{})).holds);
    CHECK(explored(first_speaks, always(same_prefix<delivered>{})).verified());
    CHECK_FALSE(explored(first_speaks, always(same_set<delivered>{2})).holds);
}
