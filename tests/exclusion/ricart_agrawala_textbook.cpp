// SPDX-License-Identifier: MIT
// The textbook's process, beside the shipped one: how many states it has, and in how few steps each
// of its omissions lets two in.
#include <caucus/exclusion/ricart_agrawala.hpp>

#include <caucus/topology/complete.hpp>
#include <support/exclusion_suite.hpp>
#include <support/textbook_lock.hpp>
#include <support/witness.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

using namespace caucus;
using namespace support;

namespace {

using asking_textbook = client<textbook_lock>;

auto textbooks(std::uint8_t entries, textbook_ways ways = {}) {
    return [=](node v) {
        textbook_lock lock;
        lock.id = static_cast<std::uint8_t>(v.index);
        lock.ways = ways;
        return client{lock, sections{.entries = entries}};
    };
}
verdict all_of(std::uint8_t entries, textbook_ways ways, explore_options<asking_textbook> how) {
    how.reduce = reduction::none;
    how.timers = timers::any_time;
    how.properties = {always(at_most_one_inside)};
    return explore(complete{3}, textbooks(entries, ways), how);
}
constexpr textbook_ways by_the_book{};
constexpr textbook_ways careful{.tags = true, .set = true};

}  // namespace

TEST_CASE("ricart_agrawala, textbook: its states are as many as other tools count, n = 3") {
    const verdict once = all_of(1, by_the_book, {});
    CHECK(once.holds);
    check_counts(once, 2'049, 5'488);
    const verdict any_order = all_of(1, by_the_book, {.fifo = false});
    CHECK(any_order.holds);
    check_counts(any_order, 2'822, 9'005);
    const verdict twice = all_of(2, by_the_book, {});
    CHECK(twice.holds);
    check_counts(twice, 25'674, 71'372);
}

TEST_CASE("ricart_agrawala, textbook: a set of replies with tags holds where one comes twice") {
    const verdict v = all_of(1, careful, {.faults = {.duplicates = 1}});
    CHECK(v.holds);
    check_counts(v, 23'709, 78'515);
}

TEST_CASE("ricart_agrawala, textbook: each omission lets two in: ties, the counter, tags") {
    const verdict ties = all_of(2, {.ids_break_ties = false}, {});
    CHECK_FALSE(ties.holds);
    CHECK(ties.counterexample.size() == 10);
    for (const bool tags : {false, true}) {
        const verdict counter = all_of(1, {.tags = tags}, {.faults = {.duplicates = 1}});
        CHECK_FALSE(counter.holds);
        CHECK(counter.counterexample.size() == 10);
    }
    const verdict no_tags = all_of(2, {.set = true}, {.faults = {.duplicates = 1}});
    CHECK_FALSE(no_tags.holds);
    CHECK(no_tags.counterexample.size() == 16);
}

namespace {

/// Are wishes granted in the order in which they happened? Applications may say that they have
/// asked.
template <class Make>
verdict order_of(Make lock_at, std::uint8_t entries, std::uint8_t remarks, bool fifo) {
    const auto make = [=](node v) {
        return client{witness{lock_at(v), v.index, 3, remarks}, {.entries = entries}};
    };
    const auto somebody_knew = [](const auto& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            for (const std::uint8_t each : g[v].process().before_its_request())
                if (each != 0 && g[v].holds()) return true;
        return false;
    };
    return explore(complete{3}, make,
                   {.properties = {always(in_causal_order{}), sometimes(somebody_knew)},
                    .fifo = fifo,
                    .timers = timers::any_time});
}
const auto shipped = [](node v) { return ricart_agrawala{static_cast<int>(v.index)}; };

}  // namespace

TEST_CASE("ricart_agrawala: served in happened-before order, unless applications talk: 8 events") {
    check_verified(order_of(shipped, 1, 0, true));
    check_verified(order_of(shipped, 1, 0, false));
    const verdict overtakes = order_of(shipped, 1, 1, false);
    CHECK_FALSE(overtakes.holds);
    CHECK(overtakes.counterexample.size() == 8);
    // On links in order a remark comes after the wish that it is about: only hearsay is too early.
    const verdict hearsay = order_of(shipped, 1, 1, true);
    CHECK_FALSE(hearsay.holds);
    CHECK(hearsay.counterexample.size() == 16);
}
TEST_CASE("ricart_agrawala: replies without a clock, as in the paper: out of order in 14 events") {
    const auto by_the_paper = [](node v) {
        textbook_lock lock;
        lock.id = static_cast<std::uint8_t>(v.index);
        return lock;
    };
    const verdict v = order_of(by_the_paper, 2, 0, true);
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 14);
}
TEST_CASE("ricart_agrawala: with their clocks, in happened-before order, two entries each, n = 3") {
    check_verified(order_of(shipped, 2, 0, true));
}
