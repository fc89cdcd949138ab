// SPDX-License-Identifier: MIT
#include <caucus/core/contained_process.hpp>

#include <support/least.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <type_traits>
#include <utility>

using namespace caucus;

namespace {

/// Answers all that can be asked, and has something to say of itself.
struct talker : support::greeter, support::three_ports_only {
    static constexpr bool tosses_coins = true;
    static constexpr bool all_must_start = true;
    static constexpr bool breaks_if_late = true;
    int id() const { return number; }
    const std::optional<int>& leader() const { return known; }
    bool is_leader() const { return known == number; }
    bool is_follower() const { return known != number; }
    bool is_eligible() const { return !known; }
    int epoch() const { return 5; }
    bool holds() const { return started; }
    bool suspects(port p) const { return p == port{2}; }
    std::size_t ring_size() const { return 9; }
    std::size_t ring_size_most() const { return 13; }
    ticks delay_most() const { return 11; }
    std::optional<int> known{};
};

template <class P, class Held>
struct shell : detail::contained_process<shell<P, Held>, P, Held> {
    explicit shell(P p) : detail::contained_process<shell, P, Held>(std::move(p)) {}
};
using plain = shell<support::greeter, support::greeter>;

static_assert(shell<talker, talker>::tosses_coins && shell<talker, talker>::all_must_start);
static_assert(breaks_if_late<shell<talker, talker>> && !breaks_if_late<plain>);
static_assert(!shell<talker, talker>::perpetual && !plain::tosses_coins);
template <class T>
concept answers_anything = requires(const T& t) { t.id(); } ||
                           requires(const T& t) { t.peers(); } ||
                           requires(const T& t) { t.leader(); } ||
                           requires(const T& t) { t.is_leader(); } ||
                           requires(const T& t) { t.is_follower(); } ||
                           requires(const T& t) { t.is_eligible(); } ||
                           requires(const T& t) { t.epoch(); } ||
                           requires(const T& t) { t.holds(); } ||
                           requires(const T& t) { t.suspects(port{}); } ||
                           requires(const T& t) { t.ring_size(); } ||
                           requires(const T& t) { t.ring_size_most(); } ||
                           requires(const T& t) { t.delay_most(); };
static_assert(answers_anything<shell<talker, talker>> && !answers_anything<plain>);
static_assert(sizeof(plain) == sizeof(support::greeter));

template <class T>
void check_answers(const T& held) {
    CHECK(held.process().id() == 4);
    CHECK(held.id() == 4);
    CHECK(held.leader() == std::optional{4});
    CHECK(held.is_leader());
    CHECK_FALSE(held.is_follower());
    CHECK_FALSE(held.is_eligible());
    CHECK(held.epoch() == 5);
    CHECK(!held.holds());
    CHECK(held.suspects(port{2}));
    CHECK(held.ring_size() == 9);
    CHECK(held.ring_size_most() == 13);
    CHECK(held.delay_most() == 11);
    CHECK(held.objection(3) == nullptr);
    CHECK(held.objection(2) == support::three_ports_only::words);
}

}  // namespace

TEST_CASE("contained process: what can be asked of it can be asked of what contains it") {
    talker inside;
    inside.number = 4;
    inside.known = 4;
    check_answers(shell<talker, talker>{inside});
    check_answers(shell<talker, std::optional<talker>>{inside});
    CHECK(plain{support::greeter{}}.objection(7) == nullptr);
}
