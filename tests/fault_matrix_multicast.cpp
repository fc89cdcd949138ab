// SPDX-License-Identifier: MIT
// The rows of tests/fault_matrix.md for multicast.
#include <caucus/layer/reliable.hpp>
#include <caucus/multicast/acked.hpp>
#include <caucus/multicast/nacked.hpp>
#include <caucus/multicast/srm.hpp>
#include <caucus/multicast/views.hpp>
#include <support/cast_faults.hpp>

#include <doctest/doctest.h>

using namespace caucus;
using namespace support;

TEST_CASE("fault matrix: multicast, acknowledged") {
    check_cast_row("acked", [](const cast_site& where, node v) {
        return acked<int>{static_cast<int>(v.index), where.peers(v)};
    });
    check_cast_row("acked, drop_oldest", [](const cast_site& where, node v) {
        return acked<int, int, drop_oldest>{static_cast<int>(v.index), where.peers(v),
                                            {.window = 2}};
    });
}
TEST_CASE("fault matrix: multicast, asked for") {
    check_cast_row("nacked", [](const cast_site&, node v) {
        return nacked<int>{static_cast<int>(v.index)};
    });
}
TEST_CASE("fault matrix: multicast, asked for and repaired by all") {
    check_cast_row("srm", [](const cast_site&, node v) {
        return srm<int>{static_cast<int>(v.index)};
    });
}
TEST_CASE("fault matrix: multicast, with views") {
    const auto group = [](const cast_site& where, node v) {
        return views<int>{static_cast<int>(v.index), where.peers(v), where.ids()};
    };
    check_cast_row("views", group);
    check_cast_row("reliable<views>", [=](const cast_site& where, node v) {
        return reliable{group(where, v), {.resend_after = 50}};
    });
    check_cast_row("reliable<views, majority>", [](const cast_site& where, node v) {
        return reliable{views<int, int, majority>{static_cast<int>(v.index), where.peers(v),
                                                  where.ids()},
                        {.resend_after = 50}};
    });
}
