// SPDX-License-Identifier: MIT
#include <caucus/core/epoch.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace caucus;

namespace {

struct name {
    std::string host;
    int slot = 0;
    friend bool operator==(const name&, const name&) = default;
};

}  // namespace

TEST_CASE("epoch: later elections are greater, whoever wins them") {
    static_assert(epoch<int>{1, 9, {5}} < epoch<int>{2, 1, {0}});
    static_assert(!(epoch<int>{2, 1, {0}} < epoch<int>{1, 9, {5}}));
}

TEST_CASE("epoch: the reigns of one election are told apart and ordered by leader, then by life") {
    static_assert(epoch<int>{3, 1, {7}} < epoch<int>{3, 2, {0}});
    static_assert(epoch<int>{3, 2, {0}} < epoch<int>{3, 2, {1}});
    static_assert(!(epoch<int>{3, 2, {1}} < epoch<int>{3, 2, {1}}));
    static_assert(epoch<int>{3, 2, {1}} == epoch<int>{3, 2, {1}});
    static_assert(epoch<int>{3, 2, {1}} != epoch<int>{3, 2, {2}});
}

TEST_CASE("epoch: leaders are compared by their fields, so that ids need no <") {
    CHECK(epoch<name>{1, {"a", 2}, {}} < epoch<name>{1, {"b", 1}, {}});
    CHECK(epoch<name>{1, {"a", 2}, {}} == epoch<name>{1, {"a", 2}, {}});
    CHECK_FALSE(epoch<name>{1, {"b", 1}, {}} < epoch<name>{1, {"a", 2}, {}});
}
