// SPDX-License-Identifier: MIT
#include <caucus/run/simulation/lots.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using namespace caucus;
using namespace caucus::simulation;

namespace {

std::vector<std::uint64_t> draws_of(lots& from, std::size_t v, int count) {
    std::vector<std::uint64_t> draws;
    for (int i = 0; i < count; ++i) draws.push_back(from.draw(node{v}, 4).bits());
    return draws;
}

}  // namespace

static_assert(lots{7}.seed() == 7);
static_assert(lots{7}.draw(node{2}, 4).bits() == random_source{mix(mix(7, 2), 0)}.bits());

TEST_CASE("lots: pinned draws of seed 7, the same on every compiler") {
    lots subject{7};
    CHECK(draws_of(subject, 0, 2) ==
          std::vector<std::uint64_t>{7297232271363144285u, 6056423240414286659u});
    CHECK(draws_of(subject, 3, 2) ==
          std::vector<std::uint64_t>{11695742618369473188u, 5394679011612916652u});
}

TEST_CASE("lots: what a node draws does not depend on the others' draws") {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        CAPTURE(seed);
        lots alone{seed};
        const std::vector<std::uint64_t> expected = draws_of(alone, 1, 50);
        lots crowd{seed};
        std::vector<std::uint64_t> drawn;
        for (int i = 0; i < 50; ++i) {
            draws_of(crowd, 0, i % 3);
            drawn.push_back(crowd.draw(node{1}, 4).bits());
            draws_of(crowd, 3, i % 2);
        }
        CHECK(drawn == expected);
    }
}

TEST_CASE("lots: nodes, seeds and successive draws differ") {
    lots one{1}, two{2};
    const auto a = draws_of(one, 0, 3), b = draws_of(one, 1, 3), c = draws_of(two, 0, 3);
    CHECK(a != b);
    CHECK(a != c);
    CHECK(a[0] != a[1]);
    CHECK(a[1] != a[2]);
}

TEST_CASE("lots: fair over the nodes, 40,000 of them with one toss each, seed 11") {
    lots subject{11};
    int heads = 0;
    for (std::size_t v = 0; v < 40'000; ++v)
        heads += static_cast<int>(subject.draw(node{v}, 40'000).below(2));
    CHECK(heads > 20'000 - 400);   // four standard deviations
    CHECK(heads < 20'000 + 400);
}
