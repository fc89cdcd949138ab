// SPDX-License-Identifier: MIT
#include <caucus/core/fields.hpp>

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

using caucus::compare;
using caucus::random_source;
using caucus::same;
using caucus::wire_bits;

namespace {

enum class colour : std::uint8_t { red, green, blue };
struct empty {};
struct couple { int a; int b; };
struct nest { empty nothing; couple inner; std::optional<couple> maybe; };
struct text_list { std::vector<std::string> words; };
using message = std::variant<empty, couple, text_list>;

class secret {   // private fields, described
public:
    constexpr secret(int shown, int unmentioned) : shown_(shown), unmentioned_(unmentioned) {}
    static constexpr auto fields(auto& self) { return std::tie(self.shown_); }
    constexpr int unmentioned() const { return unmentioned_; }

private:
    int shown_;
    int unmentioned_;
};

class opaque {   // == and nothing else
public:
    constexpr explicit opaque(int value) : value_(value) {}
    friend constexpr bool operator==(opaque, opaque) = default;

private:
    int value_;
};
class ordered {   // == and <
public:
    constexpr explicit ordered(int value) : value_(value) {}
    friend constexpr bool operator==(ordered, ordered) = default;
    friend constexpr bool operator<(ordered a, ordered b) { return a.value_ < b.value_; }

private:
    int value_;
};

struct everything {   // eight fields, the most that describe themselves
    colour tint = colour::red;
    caucus::port gate{};
    message letter{};
    std::optional<std::uint16_t> maybe{};
    std::vector<std::string> words{};
    std::array<std::int8_t, 2> two{};
    std::tuple<bool, std::int64_t> row{};
    std::pair<couple, nest> inner{};
};

struct branch { int a = 0; std::vector<branch> more{}; };   // holds its like
struct knot { opaque a{0}; std::vector<knot> more{}; };
struct f1 { int a; };
struct f3 { int a, b, c; };
struct f4 { int a, b, c, d; };
struct f5 { int a, b, c, d, e; };
struct f6 { int a, b, c, d, e, f; };
struct f7 { int a, b, c, d, e, f, g; };
struct f8 { int a, b, c, d, e, f, g, h; };
struct f9 { int a, b, c, d, e, f, g, h, i; };
struct holds_array { std::array<int, 3> a; int b; };

template <class T>
std::vector<std::int64_t> stream(const T& x) {
    std::vector<std::int64_t> all;
    const auto note = [&](auto leaf) { all.push_back(static_cast<std::int64_t>(leaf)); };
    caucus::each_scalar(x, note);
    return all;
}

// Few values for each field, so that equal ones come up as well as different ones.
everything arbitrary(random_source& r) {
    const auto small = [&] { return static_cast<int>(r.below(2)); };
    const auto word = [&] { return std::string(r.below(3), 'a'); };
    const auto words = [&] {
        std::vector<std::string> all;
        for (std::uint64_t left = r.below(3); left != 0; --left) all.push_back(word());
        return all;
    };
    const auto letter = [&]() -> message {
        switch (r.below(3)) {
            case 0: return empty{};
            case 1: return couple{small(), small()};
            default: return text_list{words()};
        }
    };
    everything x;
    // Only one or two of the fields: with all eight no two values would ever be the same.
    for (int change = 0; change < 2; ++change) {
        switch (r.below(8)) {
            case 0: x.tint = static_cast<colour>(r.below(3)); break;
            case 1: x.gate = caucus::port{r.below(3)}; break;
            case 2: x.letter = letter(); break;
            case 3: if (small() != 0) x.maybe = static_cast<std::uint16_t>(small()); break;
            case 4: x.words = words(); break;
            case 5: x.two[r.below(2)] = static_cast<std::int8_t>(small() - 1); break;
            case 6: x.row = {small() != 0, small() - 1}; break;
            default: x.inner.second.maybe = couple{small(), small()}; break;
        }
    }
    return x;
}

}  // namespace

TEST_CASE("fields_of: counts the fields of aggregates of none to eight, arrays as one field") {
    constexpr auto count = []<class T>(T x) {
        return std::tuple_size_v<decltype(caucus::fields_of(x))>;
    };
    static_assert(count(empty{}) == 0 && count(f1{}) == 1 && count(couple{}) == 2);
    static_assert(count(f3{}) == 3 && count(f4{}) == 4 && count(f5{}) == 5 && count(f6{}) == 6);
    static_assert(count(f7{}) == 7 && count(f8{}) == 8 && count(holds_array{}) == 2);
    static_assert(count(std::pair{1, 2}) == 2 && count(std::tuple{1, 2, 3}) == 3);
    static_assert(caucus::detail::field_count<f9>() == 9);
}

TEST_CASE("describable: whatever can be taken apart into scalars, to the last member") {
    using caucus::detail::describable;
    static_assert(describable<everything>() && describable<message>() && describable<secret>());
    static_assert(describable<empty>() && describable<f8>() && !describable<f9>());
    static_assert(!describable<opaque>() && !describable<std::vector<opaque>>());
    static_assert(!describable<std::variant<couple, std::optional<opaque>>>());
    static_assert(describable<branch>() && !describable<knot>());
    static_assert(!describable<const int*>() && !describable<std::pair<int, opaque>>());
}

TEST_CASE("fields_of: refers to the fields themselves, in order") {
    f8 x{1, 2, 3, 4, 5, 6, 7, 8};
    CHECK(caucus::fields_of(x) == std::tuple{1, 2, 3, 4, 5, 6, 7, 8});
    std::get<7>(caucus::fields_of(x)) = 9;
    CHECK(x.h == 9);
    const auto starts_with_one = [](auto y) { return std::get<0>(caucus::fields_of(y)) == 1; };
    CHECK((starts_with_one(f3{1, 2, 3}) && starts_with_one(f4{1, 2, 3, 4})));
}

TEST_CASE("compare: by the first field that differs, for aggregates of one to eight fields") {
    const auto check = []<class T>(T x) {
        const auto last = std::tuple_size_v<decltype(caucus::fields_of(x))> - 1;
        T greater_last = x;
        std::get<last>(caucus::fields_of(greater_last)) = 2;
        T greater_first = x;
        std::get<0>(caucus::fields_of(greater_first)) = 2;
        CHECK(compare(x, x) == 0);
        CHECK(compare(x, greater_last) < 0);
        CHECK(compare(greater_first, x) > 0);
        CHECK(compare(greater_last, greater_first) == (last == 0 ? 0 : -1));
    };
    check(f1{}), check(couple{}), check(f3{}), check(f4{});
    check(f5{}), check(f6{}), check(f7{}), check(f8{});
}

TEST_CASE("compare: scalars, enums, optionals, variants, sequences") {
    static_assert(compare(2, 3) < 0 && compare(3, 2) > 0 && compare(-1, 1) < 0);
    static_assert(compare(colour::red, colour::blue) < 0 && same(colour::red, colour::red));
    static_assert(compare(caucus::port{1}, caucus::port{2}) < 0);
    static_assert(compare(caucus::node{2}, caucus::node{1}) > 0 && compare(0.5, 0.25) > 0);
    using maybe = std::optional<int>;
    static_assert(compare(maybe{}, maybe{}) == 0 && compare(maybe{}, maybe{-9}) < 0);
    static_assert(compare(maybe{1}, maybe{}) > 0 && compare(maybe{1}, maybe{2}) < 0);
    CHECK(compare(message{couple{9, 9}}, message{text_list{}}) < 0);   // the earlier alternative
    CHECK(compare(message{couple{1, 2}}, message{empty{}}) > 0);
    CHECK(compare(message{couple{1, 2}}, message{couple{1, 3}}) < 0);
    using list = std::vector<int>;
    CHECK(compare(list{1}, list{1, 0}) < 0);   // a beginning of the other
    CHECK(compare(list{1, 0}, list{1}) > 0);
    CHECK(compare(list{2}, list{1, 5}) > 0);
    CHECK(same(std::array{1, 2}, std::array{1, 2}));
    CHECK(compare(std::string{"ab"}, std::string{"b"}) < 0);
    CHECK(same(std::vector{true, false}, std::vector{true, false}));
}

TEST_CASE("same: a class is what its fields function says, or what its == says") {
    static_assert(same(secret{1, 2}, secret{1, 3}) && !same(secret{1, 2}, secret{2, 2}));
    static_assert(same(opaque{1}, opaque{1}) && compare(opaque{1}, opaque{2}) > 0);
    static_assert(compare(ordered{1}, ordered{2}) < 0 && compare(ordered{2}, ordered{1}) > 0);
    static_assert(same(ordered{3}, ordered{3}) && same(empty{}, empty{}));
    CHECK(secret{1, 2}.unmentioned() == 2);
}

TEST_CASE("compare, same, hash, each_scalar: the laws, over 120 random values of eight fields") {
    random_source r{7};
    std::vector<everything> all;
    for (int i = 0; i < 120; ++i) all.push_back(arbitrary(r));
    bool lawful = true;
    int equal = 0, hashed_alike = 0;
    for (const everything& a : all) {
        lawful = lawful && same(a, a);
        for (const everything& b : all) {
            const int ab = compare(a, b);
            lawful = lawful && ab == -compare(b, a) && same(a, b) == (ab == 0) &&
                     (stream(a) == stream(b)) == (ab == 0) &&
                     (ab != 0 || caucus::hash(a) == caucus::hash(b));
            equal += ab == 0 ? 1 : 0;
            hashed_alike += caucus::hash(a) == caucus::hash(b) ? 1 : 0;
            for (const everything& c : all)
                lawful = lawful && !(ab <= 0 && compare(b, c) <= 0 && compare(a, c) > 0);
        }
    }
    CHECK(lawful);
    CHECK(equal > 200);            // some are equal and not the same object,
    CHECK(equal < 120 * 60);       // most are not,
    CHECK(hashed_alike == equal);  // and no hash hides a difference
}

TEST_CASE("each_scalar: lengths and indices keep neighbours apart") {
    using list = std::vector<std::string>;
    CHECK(stream(list{"ab", "c"}) == std::vector<std::int64_t>{2, 2, 'a', 'b', 1, 'c'});
    CHECK(stream(list{"ab", "c"}) != stream(list{"a", "bc"}));
    CHECK(stream(message{couple{4, 5}}) == std::vector<std::int64_t>{1, 4, 5});
    CHECK(stream(std::optional<int>{}) == std::vector<std::int64_t>{0});
    CHECK(stream(std::optional{7}) == std::vector<std::int64_t>{1, 7});
    CHECK(stream(std::array{7, 8}) == std::vector<std::int64_t>{7, 8});   // its length is no news
    CHECK(stream(std::tuple{true, caucus::port{3}}) == std::vector<std::int64_t>{1, 3});
    CHECK(stream(nest{}) == std::vector<std::int64_t>{0, 0, 0});
    CHECK(stream(empty{}).empty());
}

TEST_CASE("hash: fixed numbers, the same on every compiler") {
    static_assert(caucus::hash(empty{}) == 0 && caucus::hash(empty{}, 5) == 5);
    static_assert(caucus::hash(42) == 12870963724712631011u);
    static_assert(caucus::hash(-1) == 4922461756044938104u);
    static_assert(caucus::hash(couple{1, 2}) == 1418322144462492395u);
    static_assert(caucus::hash(couple{1, 2}, 7) == 11593792004632723218u);
    static_assert(caucus::hash(1.5) == 152925022897520223u);
    static_assert(caucus::hash(1.5f) == caucus::hash(1.5));
    CHECK(caucus::hash(message{text_list{{"ab", "\xff"}}}) == 14197012982857624858u);
    CHECK(caucus::hash(everything{}) == 13955476347695986596u);
}

TEST_CASE("hash: order counts, width does not, zeros are one, and no number is too large") {
    static_assert(caucus::hash(couple{1, 2}) != caucus::hash(couple{2, 1}));
    static_assert(caucus::hash(std::int8_t{-3}) == caucus::hash(std::int64_t{-3}));
    static_assert(caucus::hash(-0.0) == caucus::hash(0.0));
    static_assert(caucus::hash(1e300) != caucus::hash(2e300));
    static_assert(caucus::hash(1e-30) != caucus::hash(2e-30));
    static_assert(caucus::hash(std::numeric_limits<double>::infinity()) != caucus::hash(1e300));
}

TEST_CASE("wire_bits: the width of every scalar, lengths and indices included") {
    static_assert(wire_bits(empty{}) == 0 && wire_bits(true) == 8);
    static_assert(wire_bits(std::int16_t{}) == 16);
    static_assert(wire_bits(couple{}) == 64 && wire_bits(caucus::port{}) == 32);
    CHECK(wire_bits(message{couple{1, 2}}) == 8 + 64);
    CHECK(wire_bits(std::vector<std::uint16_t>{1, 2, 3}) == 32 + 48);
    CHECK(wire_bits(std::string{"abc"}) == 32 + 24);
    CHECK(wire_bits(std::optional<int>{}) == 8);
    CHECK(wire_bits(std::optional<int>{1}) == 8 + 32);
}

TEST_CASE("fields: a variant that holds one type twice is compared by place, then by value") {
    using twice = std::variant<int, int>;
    const twice low{std::in_place_index<0>, 7};
    const twice high{std::in_place_index<1>, 3};
    CHECK(compare(low, high) < 0);
    CHECK(compare(high, twice{std::in_place_index<1>, 4}) < 0);
    CHECK(same(high, twice{std::in_place_index<1>, 3}));
    CHECK(caucus::hash(low) != caucus::hash(twice{std::in_place_index<1>, 7}));
}
