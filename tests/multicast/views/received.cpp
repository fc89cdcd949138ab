// SPDX-License-Identifier: MIT
#include <caucus/multicast/views/received.hpp>

#include <doctest/doctest.h>

#include <support/outbox.hpp>

#include <variant>

using namespace caucus;
using messages = caucus::detail::view_messages<int, int>;

TEST_CASE("received_messages: the rest is what is missing, of each sender in order") {
    const view<int> now{4, {{10, {}}, {20, {}}}};
    support::outbox<messages::message, messages::outcome> env;
    caucus::detail::received_messages<int, int> r;
    r.begin(2);
    r.deliver(1, 5, now, env);
    CHECK(r.is_full(1));
    CHECK_FALSE(r.is_full(2));
    r.deliver_rest({{1}, {5, 6}, {7}}, now, env);
    CHECK(r.rows() == caucus::detail::messages_by_rank<int>{{1}, {5, 6}});
    REQUIRE(env.reported.size() == 3);
    const auto& last = std::get<delivered<int, int>>(env.reported[2]);
    CHECK(last.from == 20);
    CHECK(last.payload == 6);
    r.send_all_of(1, port{0}, 4, env);
    REQUIRE(env.sent.size() == 2);
    const auto& again = std::get<messages::data>(env.sent[1].second);
    CHECK(again.view == 4);
    CHECK(again.number == 1);
    CHECK(again.payload == 6);
    r.forget();
    CHECK(r.rows().empty());
}
