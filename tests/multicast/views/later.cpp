// SPDX-License-Identifier: MIT
#include <caucus/multicast/views/later.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace caucus;

TEST_CASE("later_messages: in order, so many of each port, the oldest go first") {
    detail::later_messages<std::string> kept;
    for (const char* word : {"a", "b", "c"}) kept.keep(word, port{0}, 2);
    kept.keep("x", port{1}, 2);
    kept.keep("d", port{0}, 2);
    CHECK(kept.size() == 3);
    std::string all;
    for (const auto& each : kept.take_all()) all += each.what;
    CHECK(all == "cxd");
    CHECK(kept.size() == 0);
}
