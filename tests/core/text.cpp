// SPDX-License-Identifier: MIT
#include <caucus/core/text.hpp>

#include <doctest/doctest.h>

#include <string>

using caucus::text;

static_assert(text{}.size() == 0 && text{} == text{""} && text{}.begin() == text{}.end());
static_assert(text{"ring"}.size() == 4 && *text{"ring"}.data() == 'r');
static_assert(text{"ring"} == "ring" && text{"ring"} == text("ringing", 4));
static_assert(!(text{"ring"} == "rind") && !(text{"ring"} == "king") && !(text{"ring"} == "rin"));
static_assert(!(text{"rin"} == "ring") && !(text{} == "x"));
static_assert(text("a\0b", 3).size() == 3 && !(text("a\0b", 3) == text("a\0c", 3)));

TEST_CASE("text: begin to end are its characters, not a copy") {
    const std::string owner = "leader";
    const text view{owner.data(), 4};
    CHECK(std::string(view.begin(), view.end()) == "lead");
    CHECK(view.data() == owner.data());
}
