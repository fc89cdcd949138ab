// SPDX-License-Identifier: MIT
#include <caucus/exclusion/admission.hpp>

#include <caucus/core/fields.hpp>
#include <caucus/exclusion/fence.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>

using namespace caucus;

namespace {

using books = admission<fence<>>;
constexpr auto everybody = [](port) { return true; };
constexpr ticket first{{}, 1}, second{{}, 2}, reborn{{1}, 0};
constexpr port a{0}, b{1}, c{2};

constexpr books of_three() {
    books line;
    line.open(3);
    return line;
}
void let_next_in(books& line, std::uint64_t count) {
    const std::optional<port> who = line.next(everybody);
    REQUIRE(who);
    line.let_in(*who, {0, count});
}

}  // namespace

static_assert(first < second && second < reborn && !(first < first) && first == ticket{{}, 1});
static_assert([] {
    books line = of_three();
    return line.wish(first, b) && line.next(everybody) == b && !line.next([](port) {
        return false;
    });
}());

TEST_CASE("admission: one at a time, in the order of wishes") {
    books line = of_three();
    CHECK_FALSE(line.next(everybody));
    CHECK(line.wish(first, c));
    CHECK(line.wish(first, a));
    CHECK(line.wish(first, b));
    CHECK((line.waits(a) && line.ahead_of(c) == 0 && line.ahead_of(b) == 2));
    let_next_in(line, 1);
    CHECK(line.holder() == c);
    CHECK((!line.waits(c) && line.ahead_of(a) == 1 && line.ahead_of(b) == 2));
    CHECK_FALSE(line.next(everybody));
    line.done(first, c);
    CHECK_FALSE(line.holder());
    CHECK(line.next([](port p) { return p != a; }) == b);   // passes over whom it must
    CHECK(line.next(everybody) == a);
}

TEST_CASE("admission: what comes twice or late changes nothing") {
    books line = of_three();
    CHECK(line.wish(first, a));
    CHECK_FALSE(line.wish(first, a));
    let_next_in(line, 1);
    CHECK_FALSE(line.wish(first, a));   // nor while it is inside
    CHECK(line.holder() == a);
    line.done(first, a);
    CHECK(line.is_over(first, a));
    CHECK_FALSE(line.is_over(second, a));
    CHECK_FALSE(line.is_over(first, b));
}

TEST_CASE("admission: a number too far ahead to be believed shuts out nobody") {
    books line = of_three();
    constexpr std::uint64_t far = std::uint64_t{1} << 32;
    CHECK_FALSE(line.is_over({{}, far}, b));
    CHECK(line.is_over({{}, far + 1}, b));   // after it no wish would be a later one
    CHECK(line.is_over({{}, ~std::uint64_t{0}}, b));
    CHECK(line.wish(second, b));
    CHECK_FALSE(line.is_over({{}, far + 2}, b));
    CHECK(line.is_over({{}, far + 3}, b));
    CHECK_FALSE(line.is_over({{1}, far}, b));    // in another life numbers begin anew
    CHECK(line.is_over({{1}, far + 1}, b));
}

TEST_CASE("admission: a later wish, or a later life, ends the earlier one") {
    books line = of_three();
    CHECK(line.wish(first, a));
    let_next_in(line, 1);
    CHECK(line.wish(second, a));   // its leave is still to come
    CHECK_FALSE(line.holder());
    CHECK(line.waits(a));
    line.done(reborn, a);
    CHECK_FALSE(line.waits(a));
    CHECK(line.is_over(second, a));
    CHECK_FALSE(line.next(everybody));
    CHECK(line.ticket_of(a) == ticket{{1}, 1});
}

TEST_CASE("admission: who gives up leaves the order of the others as it was") {
    books line = of_three();
    for (const port p : {a, b, c}) CHECK(line.wish(first, p));
    line.done(first, b);
    CHECK(line.next(everybody) == a);
    line.done(first, a);
    CHECK(line.next(everybody) == c);
}

TEST_CASE("admission: nobody enters before all are heard or excused") {
    books line = of_three();
    for (const port p : {a, b, c}) line.await(p);
    CHECK(line.wish(first, a));
    line.done(ticket{}, b);
    CHECK(line.awaits_anyone());
    CHECK_FALSE(line.next(everybody));
    line.excuse(c);
    CHECK_FALSE(line.awaits_anyone());
    CHECK(line.next(everybody) == a);
    line.open(3);
    line.await(a);
    CHECK_FALSE(line.stay(first, {0, 7}, a));
    CHECK_FALSE(line.awaits_anyone());
    CHECK(line.holder() == a);
}

TEST_CASE("admission: of two that are inside the one with the older fence must go") {
    books line = of_three();
    CHECK_FALSE(line.stay(first, {1, 4}, a));
    CHECK(line.stay(first, {1, 3}, b) == b);
    CHECK(line.holder() == a);
    CHECK(line.stay(first, {1, 5}, c) == a);
    CHECK(line.holder() == c);
    CHECK_FALSE(line.stay(first, {1, 5}, c));   // said twice
    CHECK(line.holder() == c);
}

TEST_CASE("admission: closed, it is as if nothing had been") {
    books line = of_three();
    for (const port p : {a, b}) CHECK(line.wish(first, p));
    let_next_in(line, 1);
    line.await(c);
    line.close();
    CHECK(caucus::same(line, books{}));
    line.open(3);
    CHECK(caucus::same(line, of_three()));
    CHECK(line.wish(first, a));
    line.await(b);
    line.open(3);   // anew, without an end
    CHECK(caucus::same(line, of_three()));
}

TEST_CASE("admission: in place there is room for the neighbours and the node itself") {
    admission<fence<>, inplace_storage<2>> line;
    line.open(3);
    for (const port p : {a, b, c}) {
        line.await(p == c ? a : p);
        CHECK(line.wish(first, p));
    }
    CHECK(line.ahead_of(c) == 2);
    static_assert(sizeof line <= 144);
}
