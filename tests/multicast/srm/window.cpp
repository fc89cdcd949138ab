// SPDX-License-Identifier: MIT
#include <caucus/multicast/srm/window.hpp>

#include <caucus/core/fields.hpp>

#include <doctest/doctest.h>

#include <cstdint>

using namespace caucus;
using stage = detail::packet_stage;

namespace {

template <class Storage>
using window_in = detail::packet_window<int, char, Storage>;

constexpr bool is_of(stage s, bool missing, bool timed) {
    detail::packet_at_member<char> p;
    p.at = s;
    return p.is_missing() == missing && p.is_timed() == timed;
}
static_assert(is_of(stage::missing, true, true) && is_of(stage::backing_off, true, true));
static_assert(is_of(stage::held, false, false) && is_of(stage::given_up, false, false));
static_assert(is_of(stage::to_repair, false, true) && is_of(stage::repaired, false, true));

template <class Storage>
void slides() {
    window_in<Storage> w{7, incarnation{2}, 3};
    CHECK(w.source() == 7);
    CHECK(w.life() == incarnation{2});
    CHECK(w.end() == 0);
    CHECK_FALSE(w.covers(0));
    w.advance_to(2);
    CHECK(w.first() == 0);
    CHECK((w.covers(0) && w.covers(1) && !w.covers(2)));
    w[0].content = 'a';
    w[1].content = 'b';
    w.advance_to(4);
    CHECK(w.first() == 1);
    CHECK((!w.covers(0) && w.covers(3)));
    CHECK(w[1].content == 'b');
    CHECK((!w[2].content && !w[3].content));
    w[3].content = 'd';
    w.advance_to(6);
    CHECK(w[3].content == 'd');
    CHECK((!w[4].content && !w[5].content));
    w.advance_to(std::uint64_t{1} << 60);
    CHECK(w.first() == (std::uint64_t{1} << 60) - 3);
    for (std::uint64_t n = w.first(); n < w.end(); ++n) CHECK_FALSE(w[n].content.has_value());
}

}  // namespace

TEST_CASE("packet_window: the last so many, those that are new without content") {
    slides<heap_storage>();
    slides<inplace_storage<3>>();
}
TEST_CASE("packet_window: the same if it knows the same") {
    window_in<heap_storage> a{7, {}, 3};
    window_in<heap_storage> b{7, {}, 3};
    a.advance_to(2);
    CHECK_FALSE(same(a, b));
    b.advance_to(2);
    CHECK(same(a, b));
    a[1].content = 'x';
    CHECK_FALSE(same(a, b));
}
