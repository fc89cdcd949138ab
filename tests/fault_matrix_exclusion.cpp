// SPDX-License-Identifier: MIT
// The rows of tests/fault_matrix.md for exclusion by a token.
#include <caucus/exclusion/raymond.hpp>
#include <caucus/exclusion/suzuki_kasami.hpp>
#include <caucus/exclusion/token_ring.hpp>
#include <caucus/layer/repaired_ring.hpp>
#include <caucus/topology/ports_towards.hpp>
#include <caucus/topology/ring.hpp>
#include <support/section_faults.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

using namespace caucus;
using namespace support;

namespace {

constexpr auto rings = [](std::size_t n, std::uint64_t) { return ring{n}; };

constexpr auto in_a_tree = [](const auto& where, node v) {
    return raymond{ports_towards(where.links, node{where.holder})[v]};
};
constexpr auto called_by_all = [](const auto& where, node v) {
    return suzuki_kasami{where.ids[v], where.peers(v)};
};
constexpr auto round_a_ring = [](const auto& where, node v) {
    return token_ring{where.ids[v], {.nodes = where.nodes(), .has_token = v == where.holder,
                                     .delay_max = 20, .stay_max = 5}};
};

}  // namespace

TEST_CASE("fault matrix: a token in a tree") {
    check_section_row("raymond", trees, in_a_tree);
    check_section_row("reliable<raymond>", trees, over_reliable(in_a_tree), troubled);
}

TEST_CASE("fault matrix: a token that is called by all") {
    check_section_row("suzuki_kasami", complete_networks, called_by_all);
    check_section_row("reliable<suzuki_kasami>", complete_networks, over_reliable(called_by_all),
                      troubled);
}

TEST_CASE("fault matrix: a token that goes round") {
    check_section_row("token_ring", rings, round_a_ring);
    check_section_row("repaired_ring<token_ring>", complete_networks,
                      [](const auto& where, node v) {
                          return repaired_ring{round_a_ring(where, v)};
                      });
}
