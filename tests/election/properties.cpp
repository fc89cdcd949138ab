// SPDX-License-Identifier: MIT
#include <caucus/election/properties.hpp>

#include <support/voter.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

using namespace caucus;
using support::voter;

namespace {

/// The least global state: some voters; those not in the mask are dead.
struct assembly {
    std::vector<voter> voters;
    std::uint64_t living = ~std::uint64_t{0};

    std::size_t nodes() const { return voters.size(); }
    bool alive(std::size_t v) const { return (living >> v & 1) != 0; }
    const voter& operator[](std::size_t v) const { return voters[v]; }
};
bool holds(const auto& predicate, std::vector<voter> voters, std::uint64_t alive = ~0ull) {
    return predicate(assembly{std::move(voters), alive});
}

}  // namespace

TEST_CASE("properties: elections are judged by their live nodes") {
    const std::vector<voter> undecided{{1}, {2}, {3}};
    const std::vector<voter> agreed{{1, 3}, {2, 3}, {3, 3}};
    const std::vector<voter> split{{1, 3}, {2, 2}, {3, 3}};
    CHECK(holds(at_most_one_leader, undecided));
    CHECK(holds(at_most_one_leader, agreed));
    CHECK_FALSE(holds(at_most_one_leader, split));
    CHECK(holds(at_most_one_leader, split, 0b101));
    CHECK_FALSE(holds(someone_leads, undecided));
    CHECK(holds(someone_leads, agreed));
    CHECK_FALSE(holds(someone_leads, agreed, 0b011));
    CHECK_FALSE(holds(all_agree, undecided));
    CHECK(holds(all_agree, agreed));
    CHECK_FALSE(holds(all_agree, split));
    CHECK(holds(all_agree, split, 0b101));
    CHECK(holds(the_best_leads, undecided));
    CHECK(holds(the_best_leads, agreed));
    CHECK_FALSE(holds(the_best_leads, split));
    CHECK(holds(the_best_leads, split, 0b010));
    CHECK(holds(the_best_leads_t<least>{}, {{1, 1}, {2, 1}}));
    CHECK_FALSE(holds(the_best_leads_t<least>{}, {{1, 2}, {2, 2}}));
}

TEST_CASE("properties: what they observe changes exactly when leader or leadership does") {
    const auto seen = [](const voter& v) { return at_most_one_leader.observes(v); };
    CHECK(seen({1}) == seen({2}));
    CHECK(seen({1, 3}) == seen({2, 3}));
    CHECK(seen({1, 3}) != seen({1}));
    CHECK(seen({1, 3}) != seen({1, 2}));
    CHECK(seen({3, 3}) != seen({1, 3}));
}
