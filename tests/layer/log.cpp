// SPDX-License-Identifier: MIT
#include <caucus/layer/log.hpp>

#include <caucus/core/fields.hpp>

#include <doctest/doctest.h>

#include <type_traits>

using namespace caucus;

namespace {
struct counter {
    int heard = 0;
    void hear(int) { ++heard; }
};
}  // namespace

static_assert(std::is_empty_v<no_log>);
static_assert(std::is_same_v<detail::log_of<counter, int>::type, counter>);
static_assert(std::is_same_v<detail::log_of<outcome_log<>, int>::type,
                             kept_outcomes<int, heap_storage>>);

TEST_CASE("outcome_log: keeps what it hears, in order, and different pasts are different values") {
    kept_outcomes<int, heap_storage> log, other;
    for (const int i : {3, 1, 2}) log.hear(i);
    CHECK(log.outcomes() == std::vector{3, 1, 2});
    CHECK(log.size() == 3);
    CHECK(log[1] == 1);
    for (const int i : {3, 2, 1}) other.hear(i);
    CHECK_FALSE(same(log, other));
}

TEST_CASE("outcome_log: in place it keeps the first, and says that there was more") {
    kept_outcomes<int, inplace_storage<2>> log, full;
    for (const int i : {3, 1}) full.hear(i);
    CHECK_FALSE(full.has_missed_some());
    for (const int i : {3, 1, 2}) log.hear(i);
    CHECK(log.size() == 2);
    CHECK(log.has_missed_some());
    CHECK_FALSE(same(log, full));   // else explore would take the one for the other
}
