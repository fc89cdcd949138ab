// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/visited.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace caucus;
using exploration::rows;
using exploration::visited;

TEST_CASE("rows: come out as they went in, before and after an index outgrows two bytes") {
    rows some{3};
    std::vector<std::vector<std::uint32_t>> expected;
    for (std::uint32_t i = 0; i < 50; ++i) {
        expected.push_back({i, i == 30 ? 70000 : 2 * i, 65535 - i});
        some.push(expected.back().data());
    }
    some.pop();
    REQUIRE(some.size() == 49);
    for (std::size_t i = 0; i < 49; ++i) {
        std::vector<std::uint32_t> row(3);
        some.load(i, row.data());
        CHECK(row == expected[i]);
    }
}

TEST_CASE("visited: numbers states as they are found and knows them again, ten thousand of them") {
    for (const fingerprint kind : {fingerprint::bits64, fingerprint::bits128, fingerprint::exact}) {
        visited seen{kind, 2};
        for (std::uint32_t round = 0; round < 2; ++round) {
            for (std::uint32_t i = 0; i < 10000; ++i) {
                const std::uint32_t row[] = {i, i / 3};
                CHECK(seen.contains(mix(i + 1)) == (round == 1));
                const auto found = seen.find_or_add(mix(i + 1), row);
                CHECK(found.index == i);
                CHECK(found.fresh == (round == 0));
            }
        }
        CHECK(seen.size() == 10000);
    }
}

TEST_CASE("visited: two states with one 64-bit print are one to it, not to 128 bits or exactly") {
    const std::uint32_t a[] = {1, 2};
    const std::uint32_t b[] = {2, 1};
    for (const fingerprint kind : {fingerprint::bits64, fingerprint::bits128, fingerprint::exact}) {
        visited seen{kind, 2};
        CHECK(seen.find_or_add(42, a).fresh);
        CHECK(seen.find_or_add(42, b).fresh == (kind != fingerprint::bits64));
        CHECK_FALSE(seen.find_or_add(42, a).fresh);
    }
}

TEST_CASE("visited: of one print, states that differ in any single place are told apart") {
    for (const fingerprint kind : {fingerprint::bits128, fingerprint::exact}) {
        for (const std::size_t width : {1u, 2u, 5u}) {
            visited seen{kind, width};
            std::vector<std::uint32_t> row(width, 1);
            CHECK(seen.find_or_add(42, row.data()).index == 0);
            for (std::uint32_t place = 0; place < width; ++place) {
                CAPTURE(place);
                row.assign(width, 1);
                row[place] = 2;
                CHECK(seen.find_or_add(42, row.data()).fresh);
                CHECK(seen.find_or_add(42, row.data()).index == place + 1);
            }
        }
    }
}
