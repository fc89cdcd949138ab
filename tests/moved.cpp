// SPDX-License-Identifier: MIT
#include <caucus/run/network.hpp>
#include <caucus/run/space_time.hpp>
#include <caucus/run/trace_hash.hpp>

#include <caucus/run/detection.hpp>

#include <doctest/doctest.h>

#include <string>

// Old include paths bring what they brought.
static_assert(sizeof(caucus::observer) && sizeof(caucus::limits) && sizeof(caucus::perfect));
static_assert(sizeof(caucus::reported<int>) && sizeof(caucus::trace_hash));

TEST_CASE("moved: the picture of a story is drawn under the old path too") {
    CHECK(caucus::space_time(caucus::story{}).starts_with("<svg"));
}
