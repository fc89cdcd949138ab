// SPDX-License-Identifier: MIT
// The rows of tests/fault_matrix.md for exclusion by the consent of others.
#include <caucus/election/appointed.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/exclusion/coordinator.hpp>
#include <caucus/exclusion/lamport.hpp>
#include <caucus/exclusion/maekawa.hpp>
#include <caucus/exclusion/quorums.hpp>
#include <caucus/exclusion/ricart_agrawala.hpp>
#include <caucus/layer/supervised.hpp>
#include <support/section_faults.hpp>

#include <doctest/doctest.h>

using namespace caucus;
using namespace support;

namespace {

constexpr auto by_stamp = [](const auto& where, node v) { return lamport{where.ids[v]}; };
constexpr auto by_replies = [](const auto& where, node v) {
    return ricart_agrawala{where.ids[v]};
};
template <class Model>
constexpr auto by(Model model) {
    return [=](const auto& where, node v) { return ricart_agrawala{where.ids[v], model}; };
}
constexpr auto by_quorum = [](const auto& where, node v) {
    return maekawa{where.ids[v], grid_quorums{where.nodes()}(v)};
};

}  // namespace

TEST_CASE("fault matrix: a server that is appointed, or elected") {
    check_section_row("coordinator<appointed>", complete_networks, [](const auto& where, node v) {
        return coordinator{appointed{where.ids[v], where.peers(v), where.ids[where.holder]}};
    });
    check_section_row("coordinator<supervised<bully>>", complete_networks,
                      [](const auto& where, node v) {
                          return coordinator{supervised{
                              bully{where.ids[v], where.peers(v), {.delay_max = 20}},
                              watchful(1)}};
                      },
                      supervision);
}

TEST_CASE("fault matrix: the consent of all") {
    check_section_row("lamport", complete_networks, by_stamp);
    check_section_row("reliable<lamport>", complete_networks, over_reliable(by_stamp), troubled);
    check_section_row("ricart_agrawala", complete_networks, by_replies);
    check_section_row("ricart_agrawala, carvalho_roucairol", complete_networks,
                      by(carvalho_roucairol{}));
    check_section_row("ricart_agrawala, answering", complete_networks,
                      by(answering{.delay_max = 20}));
    check_section_row("reliable<ricart_agrawala>", complete_networks, over_reliable(by_replies),
                      troubled);
}

TEST_CASE("fault matrix: the consent of a quorum") {
    check_section_row("ricart_agrawala, majority", complete_networks, by(majority{}));
    check_section_row("maekawa", complete_networks, by_quorum);
    check_section_row("reliable<maekawa>", complete_networks, over_reliable(by_quorum), troubled);
}
