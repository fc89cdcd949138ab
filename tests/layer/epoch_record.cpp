// SPDX-License-Identifier: MIT
#include <caucus/layer/epoch_record.hpp>

#include <doctest/doctest.h>

using namespace caucus;

namespace {
constexpr incarnation second{1};
constexpr epoch<int> of(std::uint64_t number, int leader, incarnation life = {}) {
    return {number, leader, life};
}
}  // namespace

TEST_CASE("epoch_record: numbers rise, also with the epochs that are followed") {
    epoch_record<int> r;
    CHECK(r.next_number() == 1);
    r.hear_of(5);
    r.hear_of(3);
    CHECK(r.heard() == 5);
    r.follow(of(9, 2));
    CHECK(r.heard() == 9);
    CHECK(r.next_number() == 10);
    r.follow(of(4, 2));   // its caller has looked whether that is news
    CHECK(r.heard() == 10);
}

TEST_CASE("epoch_record: a number too far ahead is not believed, and the last one is the last") {
    epoch_record<int> r;
    CHECK(r.believes(leap_most));
    CHECK(!r.believes(leap_most + 1));
    CHECK(!r.hears(leap_most + 1));
    CHECK(r.heard() == 0);
    CHECK(r.hears(1));
    CHECK(r.heard() == 1);
    CHECK(r.believes(leap_most + 1));
    CHECK(!r.is_exhausted());
    r.hear_of(last_number);
    CHECK(r.is_exhausted());
}

TEST_CASE("epoch_record: only greater epochs are news; a greater one of this life is forged") {
    epoch_record<int> r;
    CHECK(!r.last());
    CHECK(r.is_news(of(0, 0)));
    r.begin_life(second);
    CHECK(r.stamp(3, 7) == of(3, 7, second));
    CHECK(r.is_stamped_by(7, of(8, 7, second)));
    CHECK(!r.is_stamped_by(7, of(8, 7)));
    CHECK(!r.is_stamped_by(6, of(8, 7, second)));
    CHECK(r.is_forged(7, of(1, 7, second)));
    r.follow(of(3, 7, second));
    CHECK(r.last() == of(3, 7, second));
    CHECK(!r.is_news(of(3, 7, second)));
    CHECK(!r.is_news(of(3, 6, incarnation{9})));
    CHECK(r.is_news(of(4, 0)));
    CHECK(!r.is_forged(7, of(3, 7, second)));   // its own, come back
    CHECK(r.is_forged(7, of(4, 7, second)));
    CHECK(!r.is_forged(7, of(4, 7)));           // an earlier life may have stamped it
}
