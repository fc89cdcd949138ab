// SPDX-License-Identifier: MIT
#include <caucus/multicast/views/sound.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

using namespace caucus;
using caucus::detail::is_sound;
using change = caucus::detail::change<int, int>;
using vote = caucus::detail::vote<int, int>;
using rows = caucus::detail::messages_by_rank<int>;

TEST_CASE("is_sound: what lists strangers, is too much, too short, or beyond counting is not") {
    const caucus::detail::roster<int, every_rule> who{1, std::array{0, 2}, std::array{0, 1},
                                                      every_rule{}};
    const change right{1, {{1, {}}}, {{7}, {}}, {{0, {}}}};
    const auto but = [&](auto alter) {
        change c = right;
        alter(c);
        return is_sound(c, who, 2);
    };
    CHECK(is_sound(right, who, 2));
    CHECK_FALSE(but([](change& c) { c.members.push_back({9, {}}); }));
    CHECK_FALSE(but([](change& c) { c.born.push_back({9, {}}); }));
    CHECK_FALSE(but([](change& c) { c.before[1] = {1, 2, 3}; }));
    CHECK_FALSE(but([](change& c) { c.before.pop_back(); }));
    CHECK_FALSE(but([](change& c) { c.number = std::numeric_limits<std::uint64_t>::max(); }));
    CHECK(but([](change& c) { c.number = 5; c.before.resize(3); }));   // of another view
    CHECK_FALSE(but([](change& c) { c.number = 5; c.before.resize(4); }));

    const std::optional<vote> none;
    CHECK(is_sound(none, rows{{}, {1}}, who, 2));
    CHECK_FALSE(is_sound(none, rows{{}}, who, 2));
    CHECK_FALSE(is_sound(none, rows{{1, 2, 3}, {}}, who, 2));
    CHECK(is_sound(std::optional{vote{{1, 0}, right}}, rows{{}, {}}, who, 2));
    change leaps = right;
    leaps.number = 2;
    CHECK_FALSE(is_sound(std::optional{vote{{1, 0}, leaps}}, rows{{}, {}}, who, 2));
}
