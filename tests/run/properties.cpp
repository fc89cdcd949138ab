// SPDX-License-Identifier: MIT
#include <caucus/run/properties.hpp>

#include <caucus/election/ring/chang_roberts.hpp>

#include <doctest/doctest.h>

#include <initializer_list>
#include <optional>
#include <vector>

using namespace caucus;

namespace {

struct voter {
    int self = 0;
    std::optional<int> follows = std::nullopt;

    int id() const { return self; }
    std::optional<int> leader() const { return follows; }
    bool is_leader() const { return follows == self; }
};

/// Some voters as one global state; those not in the mask are dead.
bool holds(const auto& predicate, const std::vector<voter>& voters, std::uint64_t alive = ~0ull) {
    exploration::table<voter> table;
    exploration::channels links{true};
    std::vector<std::uint32_t> row;
    for (const voter& v : voters) row.push_back(table.index_of(v));
    return predicate(global_state<voter>{table, links, row.data(), voters.size(), 0, alive});
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

TEST_CASE("property: knows its mode, its name, and whether its predicate says what it looks at") {
    const property<voter> known{always(at_most_one_leader)};
    CHECK(known.mode() == mode::always);
    CHECK(known.name() == "at_most_one_leader");
    CHECK(known.says_what_it_observes());
    CHECK(known.observed({1, 3}) == at_most_one_leader.observes(voter{1, 3}));
    const property<voter> own{finally([](const auto& g) { return g.nodes() == 2; })};
    CHECK(own.mode() == mode::finally);
    CHECK_FALSE(own.says_what_it_observes());
    CHECK(property<voter>{sometimes(someone_leads)}.mode() == mode::sometimes);
}

TEST_CASE("global_state: counts what is under way on all links") {
    exploration::table<voter> table;
    exploration::channels links{true};
    const std::uint32_t two = *links.push(*links.push(0, 1, true), 2, true);
    const std::vector<std::uint32_t> row{table.index_of({1}), table.index_of({2}), two, 0, two};
    const global_state<voter> g{table, links, row.data(), 2, 3, 0b01};
    CHECK(g.in_flight() == 4);
    CHECK(g.alive(0));
    CHECK_FALSE(g.alive(1));
    CHECK(g[1].id() == 2);
}
