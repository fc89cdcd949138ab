// SPDX-License-Identifier: MIT
#include <caucus/exclusion/ricart_agrawala.hpp>

#include <caucus/topology/complete.hpp>
#include <support/exclusion_suite.hpp>

#include <doctest/doctest.h>

using namespace caucus;
using namespace support;
namespace {
template <class... P>
auto locks(P... p) { return [=](node v) { return ricart_agrawala{static_cast<int>(v.index), p...}; }; }
}
TEST_CASE("try") {
    for (std::size_t n = 1; n <= 3; ++n) {
        check_verified(explored(complete{n}, locks(), sections{.entries = 2}));
        check_verified(explored(complete{n}, locks(carvalho_roucairol{}), sections{.entries = 2}));
        const auto m = explored(complete{n}, locks(majority{}), sections{.entries = n == 3 ? std::uint8_t{1} : std::uint8_t{2}});
        check_verified(m);
        MESSAGE(n, ": ", m.states, " ", m.messages.least, "..", m.messages.most);
    }
}
