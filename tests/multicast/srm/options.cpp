// SPDX-License-Identifier: MIT
#include <caucus/multicast/srm/options.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <type_traits>

using namespace caucus;

static_assert(endless_sessions::perpetual && !sessions_after_news::perpetual);
static_assert(detail::log10(1) == 0 && detail::log10(10) == 1 && detail::log10(1000) == 3);
static_assert(std::is_same_v<detail::room_for_packets<heap_storage>::type, heap_storage>);
static_assert(std::is_same_v<detail::room_for_packets<inplace_storage<4>>::type,
                             inplace_storage<17>>);

TEST_CASE("log10: as the standard library's, but for a millionth") {
    for (double x = 1; x < 1e7; x *= 1.37) {
        CAPTURE(x);
        CHECK(std::abs(detail::log10(x) - std::log10(x)) < 1e-6);
    }
}
