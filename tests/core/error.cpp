// SPDX-License-Identifier: MIT
#include <caucus/core/error.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <string>

static std::string refusal(auto... parts) {
    try {
        caucus::refuse(parts...);
    } catch (const std::exception& e) {
        return e.what();
    }
}

TEST_CASE("refuse: throws the words and numbers in the order given") {
    CHECK(refusal("edge ", std::size_t{10}, "-", std::size_t{0}, " twice") == "edge 10-0 twice");
    CHECK(refusal(std::numeric_limits<std::size_t>::max()) == "18446744073709551615");
}

TEST_CASE("error: a text too long is cut, not overrun") {
    const std::string kept(239, 'x');
    CHECK(refusal((kept + "yz").c_str()) == kept);
    CHECK(refusal(kept.c_str(), std::size_t{7}) == kept);
}
