// SPDX-License-Identifier: MIT
#include <caucus/run/network.hpp>
#include <caucus/run/space_time.hpp>
#include <caucus/run/trace_hash.hpp>

#include <caucus/run/detection.hpp>

#include <doctest/doctest.h>

#include <tuple>

// Old include paths bring what they brought.
using moved = std::tuple<caucus::observer, caucus::limits, caucus::perfect,
                         caucus::reported<int>, caucus::trace_hash>;
static_assert(sizeof(moved) != 0);

TEST_CASE("moved: the picture of a story is drawn under the old path too") {
    CHECK(caucus::space_time(caucus::story{}).starts_with("<svg"));
}
