// SPDX-License-Identifier: MIT
// In which order a coordinator lets in those who ask.
#include <caucus/exclusion/coordinator.hpp>

#include <caucus/layer/client.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>

#include <doctest/doctest.h>
#include <support/coordinators.hpp>
#include <support/exclusion_suite.hpp>
#include <support/witness.hpp>

#include <cstddef>
#include <cstdint>

using namespace caucus;
using namespace support;

namespace {

/// Node 0 serves, and asks for nothing.
verdict order_of(std::uint8_t entries, std::uint8_t remarks, bool fifo) {
    const auto make = [=, server = under_node_0(complete{3})](node v) {
        return client{witness{server(v), v.index, 3, remarks},
                      {.entries = v == 0 ? std::uint8_t{0} : entries}};
    };
    const auto somebody_knew = [](const auto& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            for (const std::uint8_t each : g[v].process().before_its_request())
                if (each != 0 && g[v].holds()) return true;
        return false;
    };
    return explore(complete{3}, make,
                   {.properties = {always(in_causal_order{}), sometimes(somebody_knew)},
                    .fifo = fifo,
                    .timers = timers::any_time});
}

}  // namespace

TEST_CASE("coordinator: requests are served in causal order unless applications talk: 6 events") {
    for (const bool fifo : {true, false}) {
        CAPTURE(fifo);
        check_verified(order_of(2, 0, fifo));
        const verdict v = order_of(1, 1, fifo);
        CHECK_FALSE(v.holds);
        CHECK(v.counterexample.size() == 6);
    }
}
