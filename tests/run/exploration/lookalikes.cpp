// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/lookalikes.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>

using namespace caucus;
using namespace caucus::exploration;

namespace {

/// Copies, but cannot be assigned.
struct fixed {
    const int value;
};
using lookalikes = lookalikes_of<fixed>;
using origin = lookalikes::origin;

}  // namespace

TEST_CASE("lookalikes: all that were made of each process, and those of others not among them") {
    lookalikes all;
    CHECK(all.count(7) == 0);
    CHECK(all.find(7, 0) == nullptr);
    all.add(7, {1}, {}, origin::made);
    all.add(3, {2}, {}, origin::made);
    all.add(7, {3}, {node{4}, node{5}}, origin::made);
    CHECK(all.size() == 3);
    CHECK(all.count(7) == 2);
    CHECK(all.count(3) == 1);
    CHECK(all.count(0) == 0);
    CHECK(all.count(8) == 0);
    CHECK(all.find(7, 0)->value->value == 1);
    CHECK(all.find(7, 1)->value->value == 3);
    CHECK(all.find(7, 1)->made_by.second->index == 5);
    CHECK(all.find(7, 2) == nullptr);
    CHECK(all.bytes() >= 3 * sizeof(fixed));
}

TEST_CASE("lookalikes: of those that came about later the last, heirs before others") {
    lookalikes all;
    all.add(1, {1}, {}, origin::made);
    all.add(1, {2}, {}, origin::met);
    all.add(1, {3}, {}, origin::met);
    CHECK(all.find(1, 1)->value->value == 3);
    all.add(1, {4}, {node{0}, node{1}}, origin::inherited);
    all.add(1, {5}, {}, origin::met);
    CHECK(all.find(1, 1)->value->value == 4);
    all.add(1, {6}, {node{0}, node{2}}, origin::inherited);
    CHECK(all.find(1, 1)->value->value == 6);
    CHECK(all.find(1, 1)->made_by.second->index == 2);
    CHECK(all.find(1, 0)->value->value == 1);
    CHECK(all.count(1) == 2);
    // Not too many; what nodes begin with comes on top.
    for (std::uint32_t process = 2; process < 5000; ++process)
        all.add(process, {0}, {}, origin::met);
    CHECK(all.size() == 4096);
    all.add(6000, {7}, {}, origin::made);
    CHECK(all.count(6000) == 1);
    all.add(2, {6}, {}, origin::met);
    CHECK(all.find(2, 0)->value->value == 6);
}

TEST_CASE("makers: two nodes, two makes of one, or nobody knows") {
    CHECK(makers{node{0}, node{2}}.text() == "nodes 0 and 2");
    CHECK(makers{node{0}, node{2}}.are_two_nodes());
    CHECK(makers{node{1}, node{1}}.text() == "two makes of node 1");
    CHECK_FALSE(makers{node{1}, node{1}}.are_two_nodes());
    CHECK(makers{}.text() == "two processes");
    CHECK(makers{std::nullopt, node{2}}.text() == "two processes");
    CHECK_FALSE(makers{std::nullopt, node{2}}.are_two_nodes());
}
