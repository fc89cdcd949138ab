// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/worklist.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using namespace caucus;
using namespace caucus::exploration;

TEST_CASE("worklist: gives back the rows that it was given, and where nothing is said tries all") {
    worklist w{2};
    CHECK(w.empty());
    const std::uint32_t rows[][2] = {{1, 2}, {3, 70000}};   // the second needs wider rows
    w.push(rows[0], {11, 0});
    w.push(rows[1], {12, 1});
    CHECK(w.size() == 2);
    for (std::uint32_t i = 0; i < 2; ++i) {
        std::vector<std::uint32_t> row(2);
        w.rows.load(i, row.data());
        CHECK(row == std::vector<std::uint32_t>(rows[i], rows[i] + 2));
        CHECK(w.jobs[i].index == i);
        CHECK(w.only_of(i) == worklist::everything);
    }
    w.only = {1, 6};
    CHECK(w.only_of(1) == 6);
    w.clear();
    CHECK(w.empty());
    CHECK(w.only_of(0) == worklist::everything);
}

TEST_CASE("findings: what was found for a state is forgotten, and what was found before is not") {
    findings f{2};
    const std::uint32_t rows[][2] = {{1, 2}, {3, 4}, {5, 6}};
    for (std::uint32_t i = 0; i < 3; ++i) {
        f.rows.push(rows[i]);
        f.found.push_back({i, 0, 0, i, 0, {}});
    }
    f.forget_from(1);
    REQUIRE(f.found.size() == 1);
    CHECK(f.rows.size() == 1);
    f.rows.push(rows[2]);
    f.rows.load(1, f.row.data());
    CHECK(f.row == std::vector<std::uint32_t>{5, 6});
    f.clear();
    CHECK(f.found.empty());
    CHECK(f.rows.size() == 0);
}
