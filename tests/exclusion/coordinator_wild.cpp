// SPDX-License-Identifier: MIT
#include <caucus/exclusion/coordinator.hpp>

#include <caucus/election/appointed.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/layer/supervised.hpp>

#include <doctest/doctest.h>
#include <support/wild.hpp>

using namespace caucus;

namespace {

int best_of(int id, const auto& peers) {
    for (const int peer : peers) id = id < peer ? peer : id;
    return id;
}

}  // namespace

TEST_CASE("coordinator: strangers may say anything, to the server and to its clients") {
    support::disturb(150, support::wild_networks, [](std::size_t, int id, const auto& peers) {
        return client{coordinator{appointed{id, peers, best_of(id, peers)}, tells_place{}},
                      sections{.entries = 5}};
    });
}

TEST_CASE("coordinator, supervised: strangers may say anything, and stamp epochs of their own") {
    support::disturb(50, support::wild_networks, [](std::size_t, int id, const auto& peers) {
        return client{coordinator{supervised{bully{id, peers, {.delay_max = 5}}, {.beat = 20}}},
                      sections{.entries = 5}};
    });
}
