// SPDX-License-Identifier: MIT
#include <caucus/layer/relay_counter.hpp>

#include <doctest/doctest.h>

#include <cstddef>

using namespace caucus;

namespace {
struct passed { int message; std::size_t relays; };
}  // namespace

TEST_CASE("relay_counter: the same message is passed on by one more, any other is new") {
    relay_counter<passed> relays;
    CHECK(relays.relays_of(7) == 0);   // nothing is being handled
    relays.while_handling({7, 4}, [&] {
        CHECK(relays.relays_of(7) == 5);
        CHECK(relays.relays_of(8) == 0);
    });
    CHECK(relays.relays_of(7) == 0);
}

TEST_CASE("relay_counter: a stranger's count does not begin again at none") {
    relay_counter<passed> relays;
    relays.while_handling({7, ~std::size_t{0}},
                          [&] { CHECK(relays.relays_of(7) == ~std::size_t{0}); });
}
