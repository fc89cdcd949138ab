// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/by_number.hpp>

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/exploration/handlers.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

#include <cstdint>

using namespace caucus;
using namespace caucus::exploration;

namespace {

constexpr settings plain{.initiators = initiators::kind::all, .reduce = reduction::none, .how = {},
                         .orders = orders::as_made, .max_states = ~std::uint64_t{0},
                         .max_depth = ~std::uint64_t{0}, .max_memory = ~std::uint64_t{0},
                         .count_messages = false, .recognise = fingerprint::exact, .threads = 1,
                         .progress = false};

verdict explored(const settings& how) {
    handlers<chang_roberts<int>> known{
        [](node v) { return chang_roberts{3 - static_cast<int>(v.index)}; }};
    return explore_by_number(wiring{ring{3}}, known, property_set{}, how);
}

}  // namespace

TEST_CASE("by_number: messages are counted, and chains measured, if that is asked for") {
    const verdict quick = explored(plain);
    CHECK(quick.states == 17);
    CHECK_FALSE(quick.messages.known);
    CHECK(quick.longest_chain == 0);
    settings with_chains = plain;
    with_chains.chains = true;
    const verdict v = explored(with_chains);
    CHECK(v.states == 17);
    CHECK(v.messages.known);
    CHECK(v.messages.most == 9);
    CHECK(v.longest_chain == 6);   // the best id comes home, and its announcement
}

TEST_CASE("by_number: what was not explored to its end has no longest chain") {
    settings cut_off = plain;
    cut_off.chains = true;
    cut_off.max_states = 5;
    const verdict v = explored(cut_off);
    CHECK_FALSE(v.complete);
    CHECK(v.longest_chain == 0);
}
