// SPDX-License-Identifier: MIT
#include <caucus/run/explore_options.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

using namespace caucus;

static_assert(includes(reduction::every, reduction::sleep));
static_assert(includes(reduction::every, reduction::ample));
static_assert(includes(reduction::every, reduction::rotations));
static_assert(!includes(reduction::none, reduction::every));
static_assert(includes(reduction::sleep | reduction::ample, reduction::ample));
static_assert(!includes(reduction::sleep | reduction::ample, reduction::rotations));

TEST_CASE("initiators: all by default, or a list as bits") {
    CHECK(initiators{}.what() == initiators::kind::all);
    CHECK(initiators{any_subset}.what() == initiators::kind::any_subset);
    const initiators some{0, 3};
    CHECK(some.what() == initiators::kind::given);
    CHECK(some.given() == 0b1001);
    const std::vector<std::size_t> list{1, 2};
    CHECK(initiators{list}.given() == 0b110);
}

TEST_CASE("fault_budget: any one kind makes it a faulty world") {
    CHECK_FALSE(fault_budget{}.any());
    CHECK(fault_budget{.crashes = 1}.any());
    CHECK(fault_budget{.losses = 1}.any());
    CHECK(fault_budget{.wrong_suspicions = 1}.any());
    CHECK(fault_budget{.early_expiries = 1}.any());
}

TEST_CASE("reduction: each has its name") {
    CHECK(std::string(exploration::name_of(reduction::none)) == "none");
    CHECK(std::string(exploration::name_of(reduction::sleep)) == "sleep");
    CHECK(std::string(exploration::name_of(reduction::ample)) == "ample");
    CHECK(std::string(exploration::name_of(reduction::rotations)) == "rotations");
    CHECK(std::string(exploration::name_of(reduction::every)) == "every");
}
