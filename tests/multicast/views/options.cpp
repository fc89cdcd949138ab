// SPDX-License-Identifier: MIT
#include <caucus/multicast/views/options.hpp>

#include <doctest/doctest.h>

using namespace caucus;

TEST_CASE("views_options: room for one message at least") {
    CHECK_THROWS_WITH(static_cast<void>(views_options{.messages_max = 0}.checked()),
                      "views: messages_max is 0; nobody could send");
    static_assert(views_options{.messages_max = 1}.checked().messages_max == 1);
}
