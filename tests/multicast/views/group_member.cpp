// SPDX-License-Identifier: MIT
// What is seen from outside is tested in tests/multicast/views.cpp, and every rule by exploration.
#include <caucus/multicast/views/group_member.hpp>

#include <doctest/doctest.h>

#include <support/outbox.hpp>

#include <array>
#include <variant>

using namespace caucus;
using messages = caucus::detail::view_messages<int, int>;
using outbox = support::outbox<messages::message, messages::outcome>;
template <bool by_majority>
using member_of = caucus::detail::group_member<int, int, by_majority, every_rule>;

namespace {
constexpr life reborn{incarnation{1}, 0};

template <bool by_majority>
member_of<by_majority> one_of(int self, std::array<int, 2> peers, std::array<int, 3> members,
                               outbox& env) {
    member_of<by_majority> m{self, peers, members, views_options{}, every_rule{}};
    m.start(env);
    return m;
}
}  // namespace

TEST_CASE("group_member: who is heard to be back is told again what its links may have lost") {
    outbox env;
    // 1 and the later life of 2 have a view; 0 has not yet heard from that itself.
    auto m = one_of<false>(0, {1, 2}, {0, 1, 2}, env);
    m.hear(messages::decide{{1, {{0, {}}, {1, {}}, {2, reborn}}, {{}, {}, {}}, {{2, reborn}}}},
           port{0}, env);
    CHECK(m.broadcast(5, env) == answer::accepted);
    CHECK(m.broadcast(6, env) == answer::accepted);
    CHECK(env.words() == "0:data 1:data 0:data 1:data");
    SUBCASE("its messages") {
        m.hear(messages::nudge{{}, reborn}, port{1}, env);
        CHECK(env.words() == "1:data 1:data 1:decide");
        m.hear(messages::nudge{{}, reborn}, port{1}, env);
        CHECK(env.words() == "1:decide");   // that was no news
    }
    SUBCASE("that it leaves, and asks for a new view") {
        CHECK(m.depart(env) == answer::accepted);
        CHECK(env.words() == "0:leaving 1:leaving 0:prepare 1:prepare");
        m.hear(messages::nudge{{}, reborn}, port{1}, env);
        CHECK(env.words() == "1:data 1:data 1:leaving 1:prepare 1:nudge 1:decide");
    }
}
TEST_CASE("group_member: a later life is a suspicion of the one before, for those who wait, too") {
    outbox env;
    SUBCASE("blocked by it, one asks whoever leads now") {
        auto m = one_of<false>(2, {0, 1}, {0, 1, 2}, env);
        m.hear(messages::prepare{0, {1, 0}}, port{0}, env);
        CHECK(env.words() == "0:answered");
        m.hear(messages::nudge{{}, reborn}, port{0}, env);
        CHECK(env.words() == "1:nudge");
        m.hear(messages::nudge{{}, reborn}, port{0}, env);
        CHECK(env.words() == "");
    }
    SUBCASE("an attempt waits for it no longer, whoever is to lead") {
        auto m = one_of<true>(1, {0, 2}, {0, 1, 2}, env);
        m.on(suspect{port{0}, {}}, env);
        CHECK(env.words() == "0:prepare 1:prepare");
        m.on(trust{port{0}, {}}, env);
        m.hear(messages::answered{0, {1, 1}, {{}, {}, {}}, {}}, port{0}, env);
        env.words();
        m.hear(messages::joining{reborn, false}, port{1}, env);
        CHECK(env.words() == "0:propose 1:propose 0:nudge");
    }
    SUBCASE("a joiner asks all others: it may be a member, and only the dead knew") {
        member_of<true> m{0, std::array{1, 2}, std::array{1, 2}, views_options{}, every_rule{}};
        CHECK(m.join(env) == answer::accepted);
        CHECK(env.words() == "0:joining 1:joining");
        m.hear(messages::nudge{{}, reborn}, port{0}, env);
        CHECK(env.words() == "0:joining 1:joining");
        m.hear(messages::nudge{{}, life{incarnation{1}, 1}}, port{0}, env);
        CHECK(env.words() == "0:joining");
    }
}
TEST_CASE("group_member: a joiner that was admitted and left out again joins under another life") {
    outbox env;
    member_of<true> m{0, std::array{1, 2}, std::array{1, 2}, views_options{}, every_rule{}};
    CHECK(m.join(env) == answer::accepted);
    m.hear(messages::decide{{1, {{1, {}}}, {{}, {}}, {{1, {}}, {2, {}}}}}, port{0}, env);
    CHECK(m.who().life == life{});   // a view from before it asked
    env.words();
    m.hear(messages::decide{{5, {{1, {}}}, {{}, {}}, {{0, {}}, {1, {}}}}}, port{0}, env);
    CHECK(m.is_waiting());
    CHECK(m.who().life == life{{}, 1});
    CHECK(env.words() == "0:joining 1:joining");
}
TEST_CASE("group_member: whoever asks in a life that was admitted and is over is told so") {
    outbox env;
    auto m = one_of<true>(0, {1, 2}, {0, 1, 2}, env);
    m.hear(messages::decide{{1, {{0, {}}, {1, {}}}, {{}, {}, {}}, {{0, {}}, {1, {}}, {2, {}}}}},
           port{0}, env);
    m.hear(messages::joining{life{}, false}, port{1}, env);
    CHECK(env.words() == "1:decide");
    m.hear(messages::nudge{{}, life{}}, port{1}, env);
    CHECK(env.words() == "1:decide");
    m.hear(messages::nudge{{}, reborn}, port{1}, env);   // never admitted: there is nothing to tell
    CHECK(env.words() == "");
}
