// SPDX-License-Identifier: MIT
#include <caucus/multicast/views/news.hpp>

#include <doctest/doctest.h>

#include <support/outbox.hpp>

#include <array>
#include <variant>

using namespace caucus;
using messages = caucus::detail::view_messages<int, int>;
using roster = caucus::detail::roster<int, every_rule>;

TEST_CASE("news: who has asked is told once; the last decision is told again and again") {
    const roster who{1, std::array{0, 2}, std::array{0, 1, 2}, every_rule{}};
    support::outbox<messages::message, messages::outcome> env;
    caucus::detail::news<int, int, every_rule> n;
    n.tell_last(port{0}, env);
    CHECK(env.words() == "");   // it knows of none
    n.keep({1, {}, {}, {}});
    n.note_nudger(port{1});
    n.tell_nudgers({2, {}, {}, {}}, who, env);
    n.tell_nudgers({2, {}, {}, {}}, who, env);
    n.tell_last(port{0}, env);
    n.tell_last(port{0}, env);
    CHECK(env.words() == "1:decide 0:decide 0:decide");
    n.note_nudger(port{1});
    n.forget_nudgers();
    n.tell_nudgers({3, {}, {}, {}}, who, env);
    n.forget();
    n.tell_last(port{0}, env);
    CHECK(env.words() == "");
}
TEST_CASE("news: a member names its view when it asks; nobody asks a suspect, or itself") {
    roster who{1, std::array{0, 2}, std::array{0, 1, 2}, every_rule{}};
    support::outbox<messages::message, messages::outcome> env;
    using news = caucus::detail::news<int, int, every_rule>;
    news::nudge_coordinator(who, env);
    REQUIRE(env.sent.size() == 1);
    CHECK(std::get<messages::nudge>(env.sent[0].second).view == 0u);
    CHECK(env.words() == "0:nudge");
    CHECK(who.suspicions.hear(suspect{port{0}}));
    news::nudge_coordinator(who, env);
    CHECK(env.words() == "");
    news::nudge_all(who, env);
    news::ask_to_join(true, who, env);
    CHECK(env.words() == "1:nudge 1:joining");
    who.become_nobody();
    news::nudge(port{0}, who, env);
    CHECK_FALSE(std::get<messages::nudge>(env.sent[0].second).view.has_value());
}
