// SPDX-License-Identifier: MIT
#include <caucus/core/outcome.hpp>

#include <doctest/doctest.h>

using caucus::heap_storage;
using caucus::inplace_storage;

namespace {

using bounded = caucus::outcome_within<caucus::elected<int>, inplace_storage<3>>;
using unbounded = caucus::outcome_within<caucus::elected<int>, heap_storage>;

template <class Outcome>
struct narrow_environment {
    std::size_t ports;
    std::vector<Outcome> reports{};

    std::size_t degree() const { return ports; }
    void report(const Outcome& o) { reports.push_back(o); }
};

}  // namespace

static_assert(std::is_same_v<unbounded, caucus::elected<int>>);
static_assert(std::is_same_v<bounded, std::variant<caucus::elected<int>, caucus::overflow>>);
static_assert(caucus::completed<int>{5}.value == 5 && caucus::elected<int>{7}.leader == 7);

/// Exclusion: which outcomes begin and end a stay; others, and a fence, change nothing in that.
struct evicted {};
template <>
inline constexpr caucus::presence caucus::presence_after<evicted> = caucus::presence::outside;
static_assert(caucus::presence_after<caucus::entered<>> == caucus::presence::inside);
static_assert(caucus::presence_after<decltype(caucus::entered{5})> == caucus::presence::inside);
static_assert(caucus::presence_after<caucus::left> == caucus::presence::outside);
static_assert(caucus::presence_after<caucus::revoked> == caucus::presence::outside);
static_assert(caucus::presence_after<evicted> == caucus::presence::outside);
static_assert(caucus::presence_after<caucus::stalled> == caucus::presence::unchanged);
static_assert(caucus::entered{5}.fence == 5 && std::is_same_v<decltype(caucus::entered{}),
                                                              caucus::entered<>>);

TEST_CASE("overflows: one report with what is needed, only past the last port that fits") {
    for (std::size_t degree = 0; degree <= 5; ++degree) {
        narrow_environment<bounded> env{degree};
        CAPTURE(degree);
        CHECK(caucus::overflows<inplace_storage<3>, bounded>(env) == (degree > 3));
        REQUIRE(env.reports.size() == (degree > 3 ? 1 : 0));
        if (degree > 3) CHECK(std::get<caucus::overflow>(env.reports[0]).needed == degree);
    }
}

TEST_CASE("overflows: the heap never does") {
    narrow_environment<unbounded> env{1000};
    CHECK_FALSE(caucus::overflows<heap_storage, unbounded>(env));
    CHECK(env.reports.empty());
}
