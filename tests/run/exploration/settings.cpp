// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/settings.hpp>

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

using namespace caucus;

TEST_CASE("settings: every option of explore reaches the explorer") {
    const exploration::settings s = exploration::settings_of(explore_options<chang_roberts<int>>{
        .initiators = spontaneous, .reduce = reduction::sleep, .faults = {.crashes = 2},
        .detector = eventual{.wrong = 3}, .fifo = false, .timers = timers::any_time,
        .orders = orders::all_permutations, .max_states = 5, .max_depth = 6, .max_memory = 7,
        .count_messages = false, .recognise = fingerprint::exact, .threads = 8, .chains = true,
        .progress = true, .remember_dead = true});
    CHECK(s.initiators.what() == initiators::kind::spontaneous);
    CHECK(s.reduce == reduction::sleep);
    CHECK(s.how.faults.crashes == 2);
    CHECK(s.how.faults.wrong_suspicions == 3);
    CHECK(s.how.perfect_detector);
    CHECK(s.how.impatient);
    CHECK(s.how.remember_dead);
    CHECK_FALSE(s.how.fifo);
    CHECK(s.how.when == timers::any_time);
    CHECK(s.how.starts == starting::any_time);
    CHECK(s.how.starts_are_free);
    CHECK(s.orders == orders::all_permutations);
    CHECK(s.max_states == 5);
    CHECK(s.max_depth == 6);
    CHECK(s.max_memory == 7);
    CHECK_FALSE(s.count_messages);
    CHECK(s.recognise == fingerprint::exact);
    CHECK(s.threads == 8);
    CHECK(s.progress);
    CHECK(s.chains);
}

TEST_CASE("settings: only a detector that is not perfect is impatient, or late") {
    using options = explore_options<chang_roberts<int>>;
    const auto impatient = [](options o) { return exploration::settings_of(o).how.impatient; };
    CHECK_FALSE(impatient({}));
    CHECK_FALSE(impatient({.detector = perfect{}}));
    CHECK_FALSE(impatient({.perfect_detector = true}));
    CHECK(impatient({.detector = eventual{.wrong = 0}}));
    const fault_budget late{.late_suspicions = true};
    CHECK(impatient({.faults = late, .detector = eventual{.wrong = 0}}));
    CHECK_THROWS_AS(impatient({.faults = late}), error);
    CHECK_THROWS_AS(impatient({.faults = late, .detector = perfect{}}), error);
}

TEST_CASE("settings: more wrong suspicions than fit are refused") {
    explore_options<chang_roberts<int>> o;
    o.faults.wrong_suspicions = 200;
    o.detector = eventual{.wrong = 56};
    CHECK_THROWS_WITH_AS(static_cast<void>(exploration::settings_of(o)),
                         "explore: 256 wrong suspicions, and 255 at most", error);
}
