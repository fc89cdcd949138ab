// SPDX-License-Identifier: MIT
#include <caucus/core/version.hpp>

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>

static_assert(caucus::version >= caucus::version_number{0, 2, 0});
static_assert(caucus::version_number{0, 10, 0} > caucus::version_number{0, 9, 9});

TEST_CASE("version: the headers and the package say the same") {
    std::ifstream file{CAUCUS_SOURCE_DIR "/CMakeLists.txt"};
    std::stringstream text;
    text << file.rdbuf();
    const auto part = [](unsigned n) { return std::to_string(n); };
    const std::string expected = "project(caucus VERSION " + part(caucus::version.major_part) +
                                 "." + part(caucus::version.minor_part) + "." +
                                 part(caucus::version.patch_part) + " ";
    CHECK(text.str().find(expected) != std::string::npos);
}
