// SPDX-License-Identifier: MIT
#include <caucus/multicast/total_order.hpp>

#include <doctest/doctest.h>

#include "../archetypes.hpp"

#include <support/plain_cast.hpp>

#include <caucus/layer/candid.hpp>
#include <caucus/multicast/causal_order.hpp>
#include <caucus/multicast/views.hpp>
#include <caucus/run/delay.hpp>
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
using support::plain_cast;

namespace {

template <class Policy>
using atomic = total_order<views<int>, Policy>;
template <class Policy>
using bare = total_order<plain_cast<int>, Policy>;

static_assert(process<atomic<sequencer>> && process<bare<moving_token>>);
static_assert(atomic<sequencer>::delivers == ordering::total);
static_assert(std::is_same_v<total_order<views<int>>::policy_type, sequencer>);
static_assert(std::is_same_v<atomic<moving_token>::with_payload<char>,
                             total_order<views<char>, moving_token>>);
static_assert(std::is_same_v<atomic<sequencer>::outcome, views<int>::outcome>);
static_assert(request_to<request::join, atomic<sequencer>>);
static_assert(request_to<request::broadcast<int>, atomic<sequencer>>);
static_assert(!request_to<request::join, bare<sequencer>>);
static_assert(atomic<sequencer>::assumes.links == perfect_links);

// No order, no fields: an id is compared for equality alone, a payload is copied.
template <class Policy>
using least_group = total_order<views<archetype::parcel, archetype::id>, Policy>;

template <class Process>
using network = events<complete, Process>;

template <class Policy>
network<atomic<Policy>> atomic_net(std::size_t slots, std::size_t members,
                                   total_order_options how = {}, views_options group = {}) {
    return {complete{slots},
            [=](node v) {
                std::vector<int> ids;
                for (std::size_t u = 0; u < slots; ++u) ids.push_back(static_cast<int>(u));
                const std::vector<int> first(ids.begin(),
                                             ids.begin() + static_cast<std::ptrdiff_t>(members));
                return atomic<Policy>{
                    views<int>{ids[v], peer_ids(complete{slots}, v, ids), first, group}, how};
            },
            {.delay = unit{}, .detector = eventual{.wrong = 0}}};
}
/// Ids fall with the nodes: node n-1 is the first member.
template <class Policy>
network<bare<Policy>> bare_net(std::size_t n, total_order_options how = {}, std::size_t room = 99) {
    return {complete{n},
            [=](node v) {
                std::vector<int> ids;
                for (std::size_t u = 0; u < n; ++u) ids.push_back(static_cast<int>(n - u));
                return bare<Policy>{plain_cast<int>{ids[v], peer_ids(complete{n}, v, ids), room},
                                    how};
            },
            {.delay = unit{}}};
}
answer say(auto& net, std::size_t v, int payload) {
    return net.call(v, request::broadcast<int>{payload});
}
/// What a node was told, one word each: [01] is a view of 0 and 1, 7 was delivered.
std::string told(const auto& net, std::size_t v) {
    std::string words;
    for (const auto& o : net.outcomes()) {
        if (o.node.index != v) continue;
        if (!words.empty()) words += ' ';
        visit_kind(o.outcome, [&]<class Kind>(const Kind& k) {
            if constexpr (std::is_same_v<Kind, view<int>>) {
                words += '[';
                for (const auto& m : k.members) words += std::to_string(m.id);
                words += ']';
            } else if constexpr (std::is_same_v<Kind, delivered<int, int>>) {
                words += std::to_string(k.payload);
            } else {
                const text name = kind_name<Kind>();
                words += std::string(name.data(), name.size());
            }
        });
    }
    return words;
}
std::uint64_t spent(auto& net, auto act) {
    const std::uint64_t before = net.run().messages;
    act();
    return net.run().messages - before;
}
void each_policy(auto check) {
    SUBCASE("sequencer") { check(sequencer{}); }
    SUBCASE("moving_token") { check(moving_token{}); }
    SUBCASE("agreed_priorities") { check(agreed_priorities{}); }
}

}  // namespace

TEST_CASE("total_order: ids and payloads need nothing but to be copied, and ids to be equal") {
    each_policy([]<class Policy>(Policy) {
        const archetype::id a = archetype::id::ranked(1);
        const archetype::id b = archetype::id::ranked(2);
        using least = least_group<Policy>;
        least one{views<archetype::parcel, archetype::id>{a, std::array{b}, std::array{a, b}}};
        archetype::environment<least> env;
        env.ports = 1;
        CHECK(one.broadcast(archetype::parcel::of(7), env) == answer::not_a_member);
        one.start(env);
        CHECK(one.broadcast(archetype::parcel::of(7), env) == answer::accepted);
        CHECK(env.outbox.size() == 1);
        CHECK(one.id() == a);
    });
}
TEST_CASE("total_order: a broadcast, a newcomer, a leaver: all are told the same") {
    each_policy([]<class Policy>(Policy) {
        auto net = atomic_net<Policy>(3, 2);
        net.start_all();
        CHECK(say(net, 1, 5) == answer::accepted);
        static_cast<void>(net.run());
        CHECK(say(net, 2, 6) == answer::not_a_member);
        CHECK(net.call(2, request::join{}) == answer::accepted);
        static_cast<void>(net.run());
        CHECK(say(net, 2, 7) == answer::accepted);
        static_cast<void>(net.run());
        CHECK(say(net, 0, 8) == answer::accepted);
        static_cast<void>(net.run());
        CHECK(net.call(0, request::depart{}) == answer::accepted);
        static_cast<void>(net.run());
        CHECK(say(net, 0, 9) == answer::not_a_member);
        CHECK(say(net, 2, 9) == answer::accepted);
        static_cast<void>(net.run());
        CHECK(told(net, 0) == "[01] 5 [012] 7 8 departed");
        CHECK(told(net, 1) == "[01] 5 [012] 7 8 [12] 9");
        CHECK(told(net, 2) == "[012] 7 8 [12] 9");
        CHECK(net.call(0, request::join{}) == answer::accepted);
        static_cast<void>(net.run());
        CHECK(say(net, 0, 10) == answer::accepted);
        static_cast<void>(net.run());
        CHECK(told(net, 0) == "[01] 5 [012] 7 8 departed [120] 10");
        net.crash(1);
        static_cast<void>(net.run());
        net.restart(1);
        static_cast<void>(net.run());
        CHECK(say(net, 1, 11) == answer::not_a_member);
        CHECK(net.call(1, request::join{}) == answer::accepted);
        static_cast<void>(net.run());
        CHECK(say(net, 1, 12) == answer::accepted);
        static_cast<void>(net.run());
        CHECK(told(net, 2) == "[012] 7 8 [12] 9 [120] 10 [20] [201] 12");
    });
}
TEST_CASE("total_order: what the dead sequencer has not ordered is delivered in the next view") {
    auto net = atomic_net<sequencer>(3, 3);
    net.start_all();
    static_cast<void>(net.run());
    CHECK(say(net, 1, 1) == answer::accepted);
    CHECK(say(net, 2, 2) == answer::accepted);
    net.crash(0);
    static_cast<void>(net.run_for(2));
    CHECK(say(net, 2, 3) == answer::blocked);
    static_cast<void>(net.run());
    CHECK(told(net, 1) == "[012] [12] 1 2");
    CHECK(told(net, 2) == told(net, 1));
}
TEST_CASE("total_order: a lost token is made anew") {
    auto net = atomic_net<moving_token>(3, 3);
    net.start_all();
    static_cast<void>(net.run());
    CHECK(say(net, 1, 1) == answer::accepted);
    net.crash(0);
    static_cast<void>(net.run());
    CHECK(say(net, 2, 2) == answer::accepted);
    static_cast<void>(net.run());
    CHECK(told(net, 1) == "[012] [12] 1 2");
    CHECK(told(net, 2) == told(net, 1));
}
TEST_CASE("total_order: what was not agreed is delivered by sender and number before the view") {
    auto net = atomic_net<agreed_priorities>(3, 3);
    net.start_all();
    static_cast<void>(net.run());
    CHECK(say(net, 2, 2) == answer::accepted);
    CHECK(say(net, 1, 1) == answer::accepted);
    net.crash(0);
    static_cast<void>(net.run());
    CHECK(told(net, 1) == "[012] 1 2 [12]");
    CHECK(told(net, 2) == told(net, 1));
}

// Cost

TEST_CASE("total_order: n messages by a sequencer, n-1 and 2 a move of the token, 3(n-1) agreed") {
    each_policy([]<class Policy>(Policy) {
        for (std::size_t n = 1; n <= 6; ++n) {
            CAPTURE(n);
            const cost stated = atomic<Policy>::per_broadcast(n);
            for (std::size_t v = 0; v < n; ++v) {
                auto net = atomic_net<Policy>(n, n);
                net.start_all();
                const bool is_cheap = v == 0;   // the sequencer, and whoever has the token
                const std::uint64_t once = spent(net, [&] { static_cast<void>(say(net, v, 1)); });
                CHECK(once == (is_cheap ? stated.least : stated.most));
                const std::uint64_t again = spent(net, [&] { static_cast<void>(say(net, v, 2)); });
                const bool has_token = std::is_same_v<Policy, moving_token>;
                CHECK(again == (is_cheap || has_token ? stated.least : stated.most));
                CHECK(net[n - 1].held() == 0);
            }
        }
        const std::uint64_t n = 7;
        const cost of_seven = atomic<Policy>::per_broadcast(7);
        if (std::is_same_v<Policy, sequencer>) CHECK(of_seven.most == n);
        if (std::is_same_v<Policy, sequencer>) CHECK(of_seven.least == n - 1);
        if (std::is_same_v<Policy, moving_token>) CHECK(of_seven.most == n - 1 + 2);
        if (std::is_same_v<Policy, agreed_priorities>) CHECK(of_seven.least == 3 * (n - 1));
    });
}
TEST_CASE("total_order, moving_token: all that is pending goes out for one wish and one hop") {
    auto net = atomic_net<moving_token>(5, 5);
    net.start_all();
    static_cast<void>(net.run());
    CHECK(spent(net, [&] {
              for (int i = 0; i < 9; ++i) static_cast<void>(say(net, 3, i));
          }) == 9 * 4 + 2);
    CHECK(told(net, 1) == "[01234] 0 1 2 3 4 5 6 7 8");
}

// Without views

TEST_CASE("total_order, without views: the order is that of the ids' least; all are delivered") {
    each_policy([]<class Policy>(Policy) {
        auto net = bare_net<Policy>(4);
        net.start_all();
        for (int i = 0; i < 16; ++i) {
            CHECK(say(net, static_cast<std::size_t>(i) % 4, i) == answer::accepted);
            if (i % 5 == 0) static_cast<void>(net.run_for(1));
        }
        static_cast<void>(net.run());
        for (std::size_t v = 1; v < 4; ++v) CHECK(told(net, v) == told(net, 0));
        CHECK(net[0].held() == 0);
        CHECK(net[0].pending() == 0);
        auto alone = bare_net<Policy>(1);
        alone.start_all();
        CHECK(spent(alone, [&] { static_cast<void>(say(alone, 0, 1)); }) == 0);
        CHECK(told(alone, 0) == "1");
    });
}
TEST_CASE("total_order, without views: the first is who has the least id") {
    auto net = bare_net<sequencer>(3);
    net.start_all();
    CHECK(spent(net, [&] { static_cast<void>(say(net, 2, 1)); }) == 2);
    CHECK(spent(net, [&] { static_cast<void>(say(net, 0, 1)); }) == 3);
}
TEST_CASE("total_order, without views: where P has no room its messages wait, and then go on") {
    each_policy([]<class Policy>(Policy) {
        auto net = bare_net<Policy>(3, {.pending_max = 3}, 1);   // one cast at a time
        net.start_all();
        std::size_t accepted = 0;
        for (int i = 0; i < 60; ++i) {
            accepted += say(net, static_cast<std::size_t>(i) % 3, i) == answer::accepted;
            if (i % 4 == 0) static_cast<void>(net.run_for(1));
        }
        CHECK(accepted > 3);
        CHECK(accepted < 60);
        static_cast<void>(net.run());
        for (std::size_t v = 1; v < 3; ++v) CHECK(told(net, v) == told(net, 0));
        std::size_t count = 0;
        for (const auto& o : net.outcomes()) count += o.node.index == 0;
        CHECK(count == accepted);
        for (std::size_t v = 0; v < 3; ++v) {
            CHECK(net[v].pending() == 0);
            CHECK(net[v].held() == 0);
        }
    });
}
TEST_CASE("total_order, without views: a crash blocks, and candid says so") {
    const auto stalls = []<class Policy>(Policy, std::size_t dead, std::size_t who) {
        events net{complete{3},
                   [](node v) {
                       const std::vector<int> ids{0, 1, 2};
                       return candid{bare<Policy>{plain_cast<int>{
                           ids[v], peer_ids(complete{3}, v, ids), 99}}};
                   },
                   {.delay = unit{}, .detector = eventual{.wrong = 0}}};
        net.start_all();
        static_cast<void>(net.run());
        if (std::is_same_v<Policy, agreed_priorities> && who != dead && who == 1)
            CHECK(say(net, who, 1) == answer::accepted);
        net.crash(dead);
        static_cast<void>(net.run());
        CHECK_FALSE(net[3 - dead - who].is_stalled());
        CHECK(say(net, who, 2) == answer::accepted);
        static_cast<void>(net.run());
        return net[who].is_stalled();
    };
    CHECK(stalls(sequencer{}, 0, 1));
    CHECK_FALSE(stalls(sequencer{}, 2, 1));
    CHECK(stalls(moving_token{}, 0, 1));
    CHECK_FALSE(stalls(moving_token{}, 1, 0));
    CHECK(stalls(agreed_priorities{}, 0, 2));
}
TEST_CASE("total_order, without views: no room for what is held: overflow, and nothing more") {
    using one = bare<moving_token>;
    one t{plain_cast<int>{1, std::array{0, 2}, 99}, {.pending_max = 1, .held_max = 3}};
    archetype::environment<one> env;
    env.ports = 2;
    t.start(env);
    const auto cast = [&](std::uint64_t place) {
        using item = caucus::detail::order_of_token<int, heap_storage>::item;
        t.on(one::carried{plain_cast<item>::data{{place, 1}}}, port{0}, env);
    };
    for (std::uint64_t place = 2; place < 5; ++place) cast(place);
    CHECK(t.held() == 3);
    CHECK(env.heard.empty());
    cast(5);
    cast(6);
    REQUIRE(env.heard.size() == 1);
    CHECK(std::holds_alternative<overflow>(env.heard[0]));
    cast(1);
    CHECK(env.heard.size() == 1);
    CHECK(t.broadcast(1, env) == answer::no_room);
    using refuses = plain_cast<int>;
    CHECK_THROWS_WITH((one{refuses{1, std::array{0, 2}, 99}, {.pending_max = 0}}),
                      "total_order: pending_max is 0; nobody could send");
    CHECK_THROWS_WITH((one{refuses{1, std::array{0, 2}, 99}, {.pending_max = 5, .held_max = 14}}),
                      "total_order: held_max is 14; 3 members may have 5 messages pending each");
}

// Outside the model

TEST_CASE("total_order: hostile messages, foreign views: nothing happens, and no more is kept") {
    each_policy([]<class Policy>(Policy) {
        using hostile = atomic<Policy>;
        hostile t{views<int>{0, std::array{1, 2}, std::array{0, 1}}, {.pending_max = 3}};
        archetype::environment<hostile> env;
        env.ports = 2;
        t.start(env);
        CHECK(env.heard.size() == 1);
        const auto flood = [&](auto make) {
            for (std::uint64_t k = 0; k < 1000; ++k) {
                t.on(make(7 + k), port{0}, env);   // of a later view
                t.on(make(0), port{1}, env);       // of no member
                t.on(make(0), port{9}, env);       // of nobody
            }
            CHECK(t.held() == 3 + 2 + 2);
        };
        using order = std::remove_cvref_t<decltype(t.order())>;
        if constexpr (requires { typename order::submission; })
            flood([](std::uint64_t view) { return typename order::submission{view, 1}; });
        if constexpr (requires { typename order::wish; })
            flood([](std::uint64_t view) { return typename order::wish{view, 1, 1, 0}; });
        if constexpr (requires { typename order::proposal; })
            flood([](std::uint64_t view) { return typename order::proposal{view, 0, ~view}; });
        CHECK(env.heard.size() == 1);
        CHECK(env.outbox.empty());
    });
}
TEST_CASE("total_order: who has missed something is out, until it has left and joined anew") {
    using inside = causal_order<views<int>>;
    const auto late = [](const hop& h, random_source&) -> ticks {
        return h.from == 0u && h.to == 2u && h.sent < 100 ? 60 : 1;
    };
    const auto member = [](node v) {
        const std::vector ids{0, 1, 2};
        return total_order{inside{views<int>{ids[v], peer_ids(complete{3}, v, ids), ids},
                                  {.held_max = 1}},
                           moving_token{}};
    };
    events net{complete{3}, member, {.delay = by_hand{late}, .detector = eventual{.wrong = 0}}};
    net.start_all();
    CHECK(say(net, 0, 1) == answer::accepted);
    static_cast<void>(net.run_for(5));
    for (int i = 2; i < 5; ++i) CHECK(say(net, 1, i) == answer::accepted);   // 2 has no room
    static_cast<void>(net.run_for(200));
    CHECK(told(net, 1) == "[012] 1 2 3 4");
    CHECK(told(net, 2) == "[012] missed");
    CHECK(say(net, 2, 5) == answer::no_room);
    for (int i = 0; i < 2; ++i) {
        if (i == 0) CHECK(net.call(2, request::depart{}) == answer::accepted);
        else CHECK(net.call(2, request::join{}) == answer::accepted);
        static_cast<void>(net.run_for(200));
    }
    CHECK(say(net, 2, 6) == answer::accepted);
    static_cast<void>(net.run_for(200));
    CHECK(told(net, 2) == "[012] missed departed [012] 6");
    CHECK(told(net, 1) == "[012] 1 2 3 4 [01] [012] 6");
}
TEST_CASE("total_order: the same group for another payload") {
    const auto net = atomic_net<moving_token>(3, 2);
    const total_order<views<std::string>, moving_token> of_words{net[0]};
    CHECK(of_words.id() == 0);
    CHECK(of_words.peers() == std::vector{1, 2});
    const total_order by_token{plain_cast<int>{1, std::array{0, 2}, 99}, moving_token{}};
    static_assert(std::is_same_v<decltype(by_token), const bare<moving_token>>);
    const total_order<plain_cast<std::string>, moving_token> bare_words{by_token};
    CHECK(bare_words.id() == 1);
    CHECK_FALSE(bare_words.order().has_token());
    const total_order other{plain_cast<int>{1, std::array{0, 2}, 99}, {.pending_max = 3},
                            agreed_priorities{}};
    static_assert(std::is_same_v<decltype(other), const bare<agreed_priorities>>);
}
