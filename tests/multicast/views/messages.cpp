// SPDX-License-Identifier: MIT
#include <caucus/multicast/views/messages.hpp>

#include <caucus/core/fields.hpp>

#include <doctest/doctest.h>

#include <string>
#include <variant>

using namespace caucus;
using messages = caucus::detail::view_messages<int, std::string>;

TEST_CASE("view_messages: described to the last field: equal if all is equal") {
    const messages::answered one{3, {1, 0}, {{"a"}, {}}, {}};
    messages::answered other = one;
    CHECK(same(messages::message{one}, messages::message{other}));
    other.received[1].push_back("b");
    CHECK_FALSE(same(messages::message{one}, messages::message{other}));
    CHECK_FALSE(same(messages::nudge{{}, {}}, messages::nudge{0, {}}));
    static_assert(std::variant_size_v<messages::message> == 10);
}
