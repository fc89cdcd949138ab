// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/property_set.hpp>

#include <caucus/election/ring/chang_roberts.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using namespace caucus;
using namespace caucus::exploration;

namespace {

using candidate = chang_roberts<int>;

/// Nothing is under way and nothing armed.
struct empty_surroundings final : surroundings {
    const std::vector<std::uint32_t> none{};
    const std::vector<std::uint32_t>& messages_in(std::uint32_t) const override { return none; }
    std::size_t timers_in(std::uint32_t) const override { return 0; }
    std::uint32_t timer_in(std::uint32_t, std::size_t) const override { return 0; }
    far_end sender(std::size_t) const override { return {}; }
    far_end addressee(std::size_t) const override { return {}; }
};

struct deaf {
    void send(port, const auto&) {}
    void report(const auto&) {}
};

}  // namespace

TEST_CASE("property_set: without properties there is nothing to wait for and nothing to see") {
    const property_set none;
    CHECK(none.size() == 0);
    CHECK_FALSE(none.waits_for_the_end());
    CHECK(none.says_what_it_observes());
    CHECK(none.sees_no_difference(0, 1));
}

TEST_CASE("property_set: looks at a row of indices as the processes that they stand for") {
    value_tables<candidate> values;
    candidate leader{3};
    deaf env;
    leader.on({3}, prev, env);   // the announcement of its own id
    REQUIRE(leader.is_leader());
    const std::uint32_t fresh = values.processes.index_of(candidate{3});
    const std::uint32_t leads = values.processes.index_of(leader);
    const empty_surroundings around;
    const property_set_of<candidate> properties{values,
                                    {always(at_most_one_leader), finally(someone_leads)}};
    REQUIRE(properties.size() == 2);
    CHECK(properties.name(0) == "at_most_one_leader");
    CHECK(properties.mode(0) == mode::always);
    CHECK(properties.waits_for_the_end());
    const auto holds = [&](std::size_t i, std::vector<std::uint32_t> row, std::uint64_t alive) {
        return properties.holds(i, {around, row.data(), row.size(), 0, alive});
    };
    CHECK(holds(0, {leads, fresh}, 3));
    CHECK_FALSE(holds(0, {leads, leads}, 3));
    CHECK(holds(0, {leads, leads}, 1));      // of the dead one nothing is asked
    CHECK(holds(1, {fresh, leads}, 3));
    CHECK_FALSE(holds(1, {fresh, leads}, 1));
    CHECK(properties.says_what_it_observes());
    CHECK(properties.sees_no_difference(fresh, fresh));
    CHECK_FALSE(properties.sees_no_difference(fresh, leads));
}

TEST_CASE("property_set: a region has its say in what is seen, and only where there is one") {
    value_tables<candidate> values;
    const std::uint32_t row[] = {values.processes.index_of(candidate{3})};
    const empty_surroundings around;
    const moment now{around, row, 1, 0, 1};
    const property_set_of<candidate> everywhere{values, {always(at_most_one_leader)}};
    CHECK_FALSE(everywhere.is_bounded());
    const property_set_of<candidate> seen{values, {always(at_most_one_leader)}, someone_leads};
    CHECK(seen.is_bounded());
    CHECK(seen.size() == 1);
    CHECK_FALSE(seen.is_within(now));
    CHECK(seen.says_what_it_observes());
    CHECK(seen.is_about_any_node());
    const property_set_of<candidate> secret{values, {always(at_most_one_leader)},
                                            [](const auto& g) { return g.nodes() == 1; }};
    CHECK(secret.is_within(now));
    CHECK_FALSE(secret.says_what_it_observes());
    CHECK_FALSE(secret.is_about_any_node());
}

TEST_CASE("property_set: one property that does not say what it looks at speaks for all") {
    const value_tables<candidate> values;
    const property_set_of<candidate> properties{
        values, {always(at_most_one_leader), always([](const auto&) { return true; })}};
    CHECK_FALSE(properties.says_what_it_observes());
    CHECK_FALSE(properties.waits_for_the_end());
}
