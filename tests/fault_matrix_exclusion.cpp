// SPDX-License-Identifier: MIT
// The rows of tests/fault_matrix.md for exclusion.
#include <caucus/exclusion/raymond.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/topology/ports_towards.hpp>
#include <support/section_faults.hpp>
#include <support/stacks.hpp>

#include <doctest/doctest.h>

using namespace caucus;
using support::check_section_row;

namespace {

/// A stack has trouble for so long, and settles.
constexpr support::regime troubled{.runs = 100, .trouble = 1000, .settling = 20'000};

constexpr auto tokens_in_trees = [](const auto& where, node v) {
    return raymond{ports_towards(where.links, node{where.holder})[v]};
};

}  // namespace

TEST_CASE("fault matrix: exclusion in trees") {
    check_section_row("raymond", support::trees, tokens_in_trees);
    check_section_row("reliable<raymond>", support::trees, [](const auto& where, node v) {
        return reliable{tokens_in_trees(where, v), {.resend_after = 50}};
    }, troubled);
}
