// SPDX-License-Identifier: MIT
#include <caucus/multicast/views/agreement.hpp>

#include <doctest/doctest.h>

#include <support/outbox.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <variant>

using namespace caucus;
using messages = caucus::detail::view_messages<int, int>;
using roster = caucus::detail::roster<int, every_rule>;
using rows = caucus::detail::messages_by_rank<int>;
using outbox = support::outbox<messages::message, messages::outcome>;
template <bool by_majority>
using agreement = caucus::detail::agreement<int, int, by_majority, every_rule>;

namespace {
const roster first{0, std::array{1, 2}, std::array{0, 1, 2}, every_rule{}};
const rows nothing_yet{{}, {}, {}};
messages::change view_of(int id) { return {1, {{id, {}}}, nothing_yet, {}}; }
}  // namespace

TEST_CASE("agreement: all unsuspected answer, then all accept; a suspect is not asked") {
    roster who = first;
    outbox env;
    agreement<false> a;
    a.prepare(who, {{7}, {}, {}}, env);
    CHECK(env.words() == "0:prepare 1:prepare");
    CHECK(a.is_blocked());
    a.note(messages::answered{0, {1, 0}, {{}, {8}, {}}, {}}, port{0}, who);
    CHECK_FALSE(a.progress(who, env));
    CHECK(env.words() == "");
    CHECK(who.suspicions.hear(suspect{port{1}}));
    CHECK_FALSE(a.progress(who, env));
    CHECK(env.words() == "0:propose");
    a.note(messages::accepted{0, {2, 0}}, port{0}, who);   // another attempt's
    CHECK_FALSE(a.progress(who, env));
    a.note(messages::accepted{0, {1, 0}}, port{0}, who);
    const auto decided = a.progress(who, env);
    REQUIRE(decided.has_value());
    CHECK(decided->members.size() == 2);
    CHECK(decided->before == rows{{7}, {8}, {}});
    CHECK(env.words() == "0:decide");
}
TEST_CASE("agreement: by majority, suspects are asked, too, and more than half have to accept") {
    roster who = first;
    CHECK(who.suspicions.hear(suspect{port{1}}));
    outbox env;
    agreement<true> a;
    a.prepare(who, nothing_yet, env);
    CHECK_FALSE(a.progress(who, env));
    a.note(messages::answered{0, {1, 0}, nothing_yet, {}}, port{0}, who);
    CHECK_FALSE(a.progress(who, env));
    a.note(messages::accepted{0, {1, 0}}, port{1}, who);
    CHECK(a.progress(who, env).has_value());
    CHECK(env.words() == "0:prepare 1:prepare 0:propose 1:propose 0:decide 1:decide");
}
TEST_CASE("agreement: what was accepted in the highest attempt is proposed again") {
    outbox env;
    agreement<false> a;
    a.accept(messages::propose{0, {1, 1}, view_of(1)}, port{0}, first, env);
    CHECK(env.words() == "0:accepted");
    a.prepare(first, nothing_yet, env);
    CHECK(a.attempts() == 2);
    a.note(messages::answered{0, {2, 0}, nothing_yet, {{{1, 2}, view_of(2)}}}, port{1}, first);
    a.note(messages::answered{0, {2, 0}, nothing_yet, {}}, port{0}, first);
    env.words();
    CHECK_FALSE(a.progress(first, env));
    REQUIRE(env.sent.size() == 2);
    CHECK(std::get<messages::propose>(env.sent[0].second).what.members[0].id == 2);
    CHECK(env.words() == "0:propose 1:propose");
    a.say_again(port{1}, first, env);
    CHECK(env.words() == "1:propose");
}
TEST_CASE("agreement: who has promised refuses smaller attempts, gives up its own for greater") {
    outbox env;
    agreement<false> a;
    CHECK(a.promise(messages::prepare{0, {3, 2}}, port{1}, first, nothing_yet, env));
    CHECK_FALSE(a.promise(messages::prepare{0, {3, 1}}, port{0}, first, nothing_yet, env));
    a.accept(messages::propose{0, {3, 1}, view_of(1)}, port{0}, first, env);
    CHECK(env.words() == "1:answered 0:refused 0:refused");
    a.prepare(first, nothing_yet, env);
    CHECK(a.attempts() == 4);
    a.say_again(port{0}, first, env);
    CHECK(env.words() == "0:prepare 1:prepare 0:prepare");
    CHECK_FALSE(a.note(messages::refused{0, {3, 2}}, first));
    CHECK_FALSE(a.note(messages::refused{9, {8, 1}}, first));   // of another view
    CHECK(a.is_trying());
    CHECK(a.note(messages::refused{0, {8, 1}}, first));
    CHECK_FALSE(a.is_trying());
    a.prepare(first, nothing_yet, env);
    CHECK(a.attempts() == 9);
}
TEST_CASE("agreement: attempts beyond counting, or of nobody, are of no account") {
    constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
    outbox env;
    agreement<false> a;
    CHECK_FALSE(a.promise(messages::prepare{0, {most, 1}}, port{0}, first, nothing_yet, env));
    CHECK_FALSE(a.promise(messages::prepare{0, {1, 3}}, port{0}, first, nothing_yet, env));
    a.accept(messages::propose{0, {most, 1}, view_of(1)}, port{0}, first, env);
    CHECK_FALSE(a.note(messages::refused{0, {most, 1}}, first));
    CHECK_FALSE(a.note(messages::refused{0, {1, 3}}, first));
    CHECK(env.words() == "");
    CHECK_FALSE(a.is_blocked());
    a.prepare(first, nothing_yet, env);
    CHECK(a.attempts() == 1);
}
