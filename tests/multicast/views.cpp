// SPDX-License-Identifier: MIT
#include <caucus/multicast/views.hpp>

#include <doctest/doctest.h>

#include "../archetypes.hpp"

#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

using namespace caucus;

namespace {

using group = views<std::string, std::string>;
static_assert(process<group>);
static_assert(std::is_same_v<group::payload, std::string>);
static_assert(std::is_same_v<group::with_payload<int>, views<int, std::string>>);
static_assert(std::is_same_v<views<int, int, majority>::with_payload<char>,
                             views<char, int, majority>>);
static_assert(request_to<request::broadcast<std::string>, group>);
static_assert(request_to<request::join, group> && request_to<request::depart, group>);
static_assert(std::is_empty_v<every_rule>);

// No order, no fields: an id is compared for equality alone, a payload is copied.
using least_group = views<archetype::parcel, archetype::id>;

template <class... Policies>
auto numbers(std::size_t slots, std::vector<int> members, views_options how = {}) {
    return [=](node v) {
        std::vector<int> ids;
        for (std::size_t u = 0; u < slots; ++u) ids.push_back(static_cast<int>(u));
        return views<int, int, Policies...>{ids[v], peer_ids(complete{slots}, v, ids), members,
                                            how};
    };
}
template <class... Policies>
events<complete, views<int, int, Policies...>> net_of(std::size_t slots, std::vector<int> members,
                                                      views_options how = {},
                                                      detector_model d = eventual{.wrong = 0}) {
    events<complete, views<int, int, Policies...>> net{
        complete{slots}, numbers<Policies...>(slots, std::move(members), how),
        {.delay = unit{}, .detector = d}};
    net.start_all();
    static_cast<void>(net.run());
    return net;
}
std::vector<int> ids_of(const view<int>& v) {
    std::vector<int> ids;
    for (const member<int>& m : v.members) ids.push_back(m.id);
    return ids;
}
/// What a node was told, one word each: 1[01] is view 1 of 0 and 1, 0:7 is 7 from 0.
std::string told(const auto& net, std::size_t v) {
    std::string words;
    for (const auto& o : net.outcomes()) {
        if (o.node.index != v) continue;
        if (!words.empty()) words += ' ';
        visit_kind(o.outcome, [&]<class Kind>(const Kind& k) {
            if constexpr (std::is_same_v<Kind, view<int>>) {
                words += std::to_string(k.number) + '[';
                for (const int id : ids_of(k)) words += std::to_string(id);
                words += ']';
            } else if constexpr (std::is_same_v<Kind, delivered<int, int>>) {
                words += std::to_string(k.from) + ':' + std::to_string(k.payload);
            } else {
                const text name = kind_name<Kind>();
                words += std::string(name.data(), name.size());
            }
        });
    }
    return words;
}

}  // namespace

TEST_CASE("views: ids and payloads need nothing but to be copied, and ids to be equal or not") {
    const archetype::id a = archetype::id::ranked(1);
    const archetype::id b = archetype::id::ranked(2);
    least_group one{a, std::array{b}, std::array{a, b}};
    archetype::environment<least_group> env;
    env.ports = 1;
    one.start(env);
    CHECK(one.broadcast(archetype::parcel::of(7), env) == answer::accepted);
    CHECK(env.outbox.size() == 1);
    CHECK(env.heard.size() == 2);
    CHECK(one.id() == a);
}

TEST_CASE("views: a broadcast, a newcomer, a leaver: all are told the same") {
    auto net = net_of<>(3, {0, 1});
    CHECK(net.call(1, request::broadcast<int>{5}) == answer::accepted);
    static_cast<void>(net.run());
    CHECK(net.call(2, request::broadcast<int>{6}) == answer::not_a_member);
    CHECK(net.call(2, request::join{}) == answer::accepted);
    CHECK(net.call(2, request::join{}) == answer::already_waiting);
    static_cast<void>(net.run());
    CHECK(net.call(2, request::join{}) == answer::already_inside);
    CHECK(net.call(2, request::broadcast<int>{7}) == answer::accepted);
    static_cast<void>(net.run());
    CHECK(net.call(0, request::depart{}) == answer::accepted);
    CHECK(net.call(0, request::depart{}) == answer::already_waiting);
    static_cast<void>(net.run());
    CHECK(net.call(0, request::depart{}) == answer::not_a_member);
    CHECK(told(net, 0) == "0[01] 1:5 1[012] 2:7 departed");
    CHECK(told(net, 1) == "0[01] 1:5 1[012] 2:7 2[12]");
    CHECK(told(net, 2) == "1[012] 2:7 2[12]");
    CHECK(net.call(0, request::join{}) == answer::accepted);
    static_cast<void>(net.run());
    CHECK(ids_of(net[0].current()) == std::vector{1, 2, 0});   // by seniority
    CHECK(net[0].life() == life{{}, 1});
}
TEST_CASE("views: nothing is sent while a change is under way; the survivors agree what was") {
    auto net = net_of<>(3, {0, 1, 2});
    CHECK(net.call(2, request::broadcast<int>{1}) == answer::accepted);
    net.crash(2);
    static_cast<void>(net.run_for(2));
    CHECK(net[0].is_blocked());
    CHECK(net.call(0, request::broadcast<int>{2}) == answer::blocked);
    static_cast<void>(net.run());
    CHECK(net.call(0, request::broadcast<int>{2}) == answer::accepted);
    static_cast<void>(net.run());
    CHECK(told(net, 0) == "0[012] 2:1 1[01] 0:2");
    CHECK(told(net, 1) == told(net, 0));
}
TEST_CASE("views: whoever returns from a crash is nobody, and joins under a greater life") {
    auto net = net_of<>(3, {0, 1, 2});
    net.crash(0);
    static_cast<void>(net.run());
    net.restart(0);
    static_cast<void>(net.run());
    CHECK_FALSE(net[0].is_member());
    CHECK(net.call(0, request::join{}) == answer::accepted);
    static_cast<void>(net.run());
    CHECK(ids_of(net[1].current()) == std::vector{1, 2, 0});
    CHECK(net[1].current().members[2].life == life{incarnation{1}, 0});
    CHECK(same(net[0].current(), net[2].current()));
}
TEST_CASE("views: whoever is back before anybody has suspected it is out nevertheless") {
    auto net = net_of<>(3, {0, 1, 2}, {}, eventual{.delay = 50, .wrong = 0});
    net.crash(2);
    static_cast<void>(net.run_for(3));
    net.restart(2);
    static_cast<void>(net.run());
    CHECK(told(net, 0) == "0[012] 1[01]");
    CHECK(told(net, 1) == told(net, 0));
}
TEST_CASE("views, majority: a minority says stalled; whoever is expelled comes back") {
    auto net = net_of<majority>(3, {0, 1, 2}, {}, no_detector{});
    net.suspect(0, port{0});   // node 1, wrongly
    static_cast<void>(net.run());
    CHECK(told(net, 1) == "0[012] expelled");
    CHECK(ids_of(net[0].current()) == std::vector{0, 2});
    net.trust(0, port{0});
    CHECK(net.call(1, request::join{}) == answer::accepted);
    static_cast<void>(net.run());
    CHECK(ids_of(net[0].current()) == std::vector{0, 2, 1});
    net.crash(0);
    net.crash(1);
    net.suspect(2, port{0});
    net.suspect(2, port{1});
    static_cast<void>(net.run());
    CHECK(net[2].is_stalled());
    CHECK(told(net, 2) == "0[012] 1[02] 2[021] stalled");
}

// Cost

namespace {

template <class... Policies>
void check_costs(std::size_t members_most) {
    using group_type = views<int, int, Policies...>;
    for (std::size_t m = 1; m <= members_most; m += m < 4 ? 1 : 6) {
        CAPTURE(m);
        std::vector<int> members;
        for (std::size_t v = 0; v < m; ++v) members.push_back(static_cast<int>(v));
        const auto spent = [](auto& net, auto act) {
            const std::uint64_t before = net.run().messages;
            act();
            return net.run().messages - before;
        };
        for (const std::size_t who : {std::size_t{0}, m / 2, m - 1}) {
            auto net = net_of<Policies...>(m, members);
            CHECK(spent(net, [&] { static_cast<void>(net.call(who, request::broadcast<int>{1})); })
                  == group_type::per_broadcast(m).most);
            CHECK(spent(net, [&] { static_cast<void>(net.call(who, request::depart{})); })
                  == group_type::per_leave(m).most);
            auto other = net_of<Policies...>(m, members);
            CHECK(spent(other, [&] { other.crash(who); }) == group_type::per_crash(m).most);
            // One of two is no majority.
            const std::size_t left = m == 2 && sizeof...(Policies) != 0 ? m : m - 1;
            if (m > 1) CHECK(other[who == 0 ? 1 : 0].current().members.size() == left);
        }
        for (std::size_t j = 1; j <= 3; ++j) {
            for (const std::size_t strangers : {0u, 2u}) {
                const std::size_t slots = m + j + strangers;
                auto net = net_of<Policies...>(slots, members);
                CHECK(spent(net, [&] {
                          for (std::size_t v = m; v < m + j; ++v)
                              static_cast<void>(net.call(v, request::join{}));
                      }) == group_type::per_join(m, j, slots).most);
                CHECK(net[0].current().members.size() == m + j);
            }
        }
    }
}

}  // namespace

TEST_CASE("views: a crash costs 5(n-2), a leaver 6(n-1), j joiners of N slots jN+5(n-1)") {
    check_costs<>(10);
    static_assert(views<int>::per_crash(4).most == 10 && views<int>::per_crash(1).most == 0);
}
TEST_CASE("views, majority: a crash costs 6n-9, joiners and leavers as much") {
    check_costs<majority>(10);
    static_assert(views<int, int, majority>::per_crash(4).most == 15);
}

// Bounds

TEST_CASE("views: a full view ends, and the same members begin another: memory does not grow") {
    auto net = net_of<>(3, {0, 1, 2}, {.messages_max = 2});
    for (int i = 0; i < 7; ++i) {
        CHECK(net.call(1, request::broadcast<int>{i}) == answer::accepted);
        if (i % 2 == 1)
            CHECK(net.call(1, request::broadcast<int>{9}) == answer::no_room);
        static_cast<void>(net.run());
    }
    CHECK(told(net, 2) == "0[012] 1:0 1:1 1[012] 1:2 1:3 2[012] 1:4 1:5 3[012] 1:6");
    CHECK(told(net, 0) == told(net, 2));
    CHECK_THROWS_WITH(net_of<>(2, {0}, {.messages_max = 0}),
                      "views: messages_max is 0; nobody could send");
}
TEST_CASE("views: hostile messages are ignored, and no more than so many are kept") {
    using hostile = views<int>;
    hostile v{0, std::array{1, 2}, std::array{0, 1}, {.messages_max = 3}};
    archetype::environment<hostile> env;
    env.ports = 2;
    v.start(env);
    const auto before = [&] { return std::pair{env.outbox.size(), env.heard.size()}; };
    const auto at_first = before();
    for (int i = 0; i < 1000; ++i) v.on(hostile::data{7, 0, i}, port{0}, env);
    CHECK(v.kept_for_later() == 3 + 64);
    v.on(hostile::data{0, 5, 1}, port{0}, env);                   // a gap
    v.on(hostile::data{0, 0, 1}, port{1}, env);                   // of no member
    v.on(hostile::data{0, 0, 1}, port{9}, env);                   // of nobody
    v.on(hostile::prepare{0, {1, 0}}, port{0}, env);              // not its own attempt
    v.on(hostile::prepare{0, {1, 77}}, port{0}, env);
    v.on(hostile::prepare{0, {1, 1}}, port{1}, env);
    v.on(hostile::answered{0, {1, 0}, {{}, {}}, {}}, port{0}, env);
    v.on(hostile::accepted{0, {1, 0}}, port{0}, env);
    v.on(hostile::refused{0, {9, 99}}, port{0}, env);
    v.on(hostile::propose{0, {1, 1}, {1, {{5, {}}}, {{}, {}}, {}}}, port{0}, env);   // a stranger
    v.on(hostile::propose{0, {1, 1}, {3, {{0, {}}}, {{}, {}}, {}}}, port{0}, env);   // a leap
    v.on(hostile::decide{{1, {{0, {}}, {0, {}}}, {{}, {}}, {}}}, port{0}, env);      // twice
    v.on(hostile::decide{{1, {{0, {}}}, {{1, 2, 3, 4}, {}}, {}}}, port{0}, env);     // too many
    v.on(hostile::decide{{1, {{0, {}}}, {{}}, {}}}, port{0}, env);                   // a row short
    v.on(hostile::decide{{9, {{0, {}}}, {{}, {}}, {}}}, port{0}, env);               // a leap
    v.on(suspect{port{17}}, env);
    CHECK(before() == at_first);
    CHECK(v.current().number == 0);
    CHECK_FALSE(v.is_blocked());
}

TEST_CASE("views: the same group for another payload") {
    const views<int> of_numbers{0, std::array{1, 2}, std::array{1, 0}};
    const views<int>::with_payload<std::string> of_words{of_numbers};
    CHECK(of_words.id() == 0);
    CHECK(of_words.peers() == std::vector{1, 2});
    CHECK(ids_of(of_words.current()) == std::vector{1, 0});
}
TEST_CASE("views: reached before it is started, a member has its first view first") {
    views<int> v{0, std::array{1}, std::array{0, 1}};
    archetype::environment<views<int>> env;
    env.ports = 1;
    v.on(views<int>::data{0, 0, 3}, port{0}, env);
    v.start(env);
    REQUIRE(env.heard.size() == 2);
    CHECK(env.heard[0].index() == 0);
    CHECK(env.heard[1].index() == 1);
}

// A slow receiver

TEST_CASE("views: a member that answers nobody holds the others up, by one full view at most") {
    for (const bool suspected : {false, true}) {
        auto net = net_of<>(3, {0, 1, 2}, {.messages_max = 4}, no_detector{});
        net.pause(2);
        std::size_t taken = 0;
        for (int i = 0; i < 50; ++i) {
            taken += net.call(0, request::broadcast<int>{i}) == answer::accepted;
            taken += net.call(1, request::broadcast<int>{i}) == answer::accepted;
            static_cast<void>(net.run());
        }
        CHECK(taken >= 4);
        CHECK(taken <= 2 * 4);   // of each, until the view is full
        CHECK(net[0].is_blocked());
        if (suspected) {
            net.suspect(0, port{1});
            net.suspect(1, port{0});
        }
        net.resume(2);
        static_cast<void>(net.run());
        CHECK_FALSE(net[0].is_blocked());
        CHECK(ids_of(net[0].current()) ==
              (suspected ? std::vector{0, 1} : std::vector{0, 1, 2}));
        CHECK(net.call(0, request::broadcast<int>{50}) == answer::accepted);
    }
}
