// SPDX-License-Identifier: MIT
#include <caucus/exclusion/properties.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace caucus;

namespace {

struct stand {
    bool inside;
    bool waiting;
    bool holds() const { return inside; }
    bool waits() const { return waiting; }
};
struct moment {
    std::vector<stand> all;
    std::size_t dead = 99;
    std::size_t nodes() const { return all.size(); }
    bool alive(std::size_t v) const { return v < all.size() ? v != dead : nobody(); }
    const stand& operator[](std::size_t v) const { return all.at(v); }

private:
    /// That node does not exist: asking for it is a mistake.
    static bool nobody() { throw std::out_of_range("no such node"); }
};
constexpr stand out{false, false};
constexpr stand in{true, false};
constexpr stand wants{false, true};

}  // namespace

TEST_CASE("at_most_one_inside: of those that live") {
    CHECK(at_most_one_inside(moment{{out, in, wants}}));
    CHECK_FALSE(at_most_one_inside(moment{{in, out, in}}));
    CHECK(at_most_one_inside(moment{{in, out, in}, 2}));
}
TEST_CASE("nobody_waits, several_wait: those that live") {
    CHECK(nobody_waits(moment{{out, in, out}}));
    CHECK_FALSE(nobody_waits(moment{{out, in, wants}}));
    CHECK(nobody_waits(moment{{out, in, wants}, 2}));
    CHECK(several_wait(moment{{wants, in, wants}}));
    CHECK_FALSE(several_wait(moment{{wants, in, wants}, 0}));
    CHECK_FALSE(several_wait(moment{{out, in, wants}}));
}
TEST_CASE("someone_is_inside: somebody that lives") {
    CHECK(someone_is_inside(moment{{out, in}}));
    CHECK_FALSE(someone_is_inside(moment{{out, wants}}));
    CHECK_FALSE(someone_is_inside(moment{{out, in}, 1}));
}
TEST_CASE("what is observed tells apart all that the properties do") {
    const auto seen = [](stand s) { return at_most_one_inside_t::observes(s); };
    CHECK(seen(out) != seen(in));
    CHECK(seen(in) != seen(wants));
    CHECK(seen(out) != seen(wants));
}
