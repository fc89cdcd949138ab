// SPDX-License-Identifier: MIT
#include <caucus/election/ring/lower_bounds.hpp>

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/franklin.hpp>
#include <caucus/election/ring/hirschberg_sinclair.hpp>
#include <caucus/election/ring/le_lann.hpp>
#include <caucus/election/ring/peterson.hpp>
#include <caucus/election/ring/peterson_alternating.hpp>
#include <caucus/election/ring/replacing.hpp>
#include <caucus/election/ring/time_slice.hpp>
#include <caucus/election/ring/two_way.hpp>

#include <doctest/doctest.h>
#include <support/election_suite.hpp>

#include <cstdint>

using namespace caucus;
using namespace support;

static_assert(least_worst_on_rings(2) == 1);
static_assert(least_worst_on_rings(16) == 16 * 4 / 4 + .5);
static_assert(least_mean_on_one_way_rings(2) == 3);

namespace {

/// Over every order of the ids, all start; announcements, which the bounds leave out, not counted.
struct counted {
    average messages;
    std::uint64_t most = 0;
};
template <class Make>
counted over_every_order(std::size_t n) {
    static_assert(process_of<Make>::assumes.uniform);
    static_assert(process_of<Make>::assumes.time == timing::asynchronous);
    counted all;
    each_ring(n, [&](const std::vector<int>& ids) {
        const report r = in_rounds(Make{ids});
        const std::uint64_t messages = r.messages - r.by_kind("elected");
        all.messages.add(static_cast<double>(messages));
        all.most = std::max(all.most, messages);
    });
    return all;
}
template <class Make>
double mean(std::size_t n) {
    return over_every_order<Make>(n).messages.mean();
}

}  // namespace

TEST_CASE("lower bounds: on average nobody betters n·H(n) on one-way rings, and chang_roberts "
          "reaches it, every order, n <= 7") {
    for (std::size_t n = 2; n <= 7; ++n) {
        CAPTURE(n);
        const double least = least_mean_on_one_way_rings(n);
        const double not_less = least * (1 - 1e-12);
        CHECK(mean<electing<chang_roberts>>(n) == doctest::Approx(least).epsilon(1e-12));
        CHECK(mean<electing<replacing>>(n) >= not_less);
        CHECK(mean<electing<le_lann>>(n) >= not_less);
        CHECK(mean<electing<peterson>>(n) >= not_less);
        CHECK(mean<electing<peterson_alternating>>(n) >= not_less);
    }
}

TEST_CASE("lower bounds: on average two_way betters n·H(n), as a two-way ring lets it, n = 7") {
    CHECK(mean<electing<two_way>>(7) < least_mean_on_one_way_rings(7));
}

TEST_CASE("lower bounds: at worst everyone needs n·lg(n)/4 + 1/2, every order, n = 2, 4, 8") {
    for (const std::size_t n : {2u, 4u, 8u}) {
        CAPTURE(n);
        const auto needs = [n](const counted& all) {
            CHECK(static_cast<double>(all.most) >= least_worst_on_rings(n));
        };
        needs(over_every_order<electing<chang_roberts>>(n));
        needs(over_every_order<electing<le_lann>>(n));
        needs(over_every_order<electing<peterson>>(n));
        needs(over_every_order<electing<peterson_alternating>>(n));
        needs(over_every_order<electing<two_way>>(n));
        needs(over_every_order<electing<franklin>>(n));
        needs(over_every_order<electing<hirschberg_sinclair>>(n));
    }
}

TEST_CASE("lower bounds: who counts with ids, and knows n and the time, goes below, n = 64") {
    using process = time_slice<unsigned>;
    CHECK_FALSE((process::assumes.uniform || process::assumes.time == timing::asynchronous));
    const std::size_t n = 64;
    rounds sim{ring{n}, [](node v) { return process{static_cast<unsigned>(v.index), n}; }};
    sim.start_all();
    const report r = sim.run();
    CHECK(r.messages == n);
    CHECK(static_cast<double>(r.messages) < least_worst_on_rings(n));
}
