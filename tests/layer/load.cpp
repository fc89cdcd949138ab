// SPDX-License-Identifier: MIT
#include <caucus/layer/load.hpp>

#include <doctest/doctest.h>

#include <set>
#include <type_traits>
#include <variant>
#include <vector>

using namespace caucus;

namespace {

using request::broadcast;
using request::cancel;
using request::enter;
using request::leave;

/// What a load asks next, by name.
std::vector<text> asked(auto& load, const std::vector<answer>& answers) {
    std::vector<text> names;
    for (const answer a : answers) {
        const answer said = load.ask([&]<class Request>(const Request&) {
            names.push_back(kind_name<Request>());
            return a;
        });
        static_cast<void>(load.goes_on(said, a != answer::blocked));   // blocked: no patience
    }
    return names;
}

struct dice {
    random_source bits{7};
    std::size_t choose(std::size_t k) { return static_cast<std::size_t>(bits.below(k)); }
};

}  // namespace

static_assert(std::is_same_v<decltype(in_order(enter{}, leave{}, enter{})),
                             std::vector<std::variant<enter, leave>>>);
static_assert(std::is_same_v<decltype(open{0.5}), open<enter>>);
template <class Load>
constexpr bool decides = requires { requires Load::decides; };
static_assert(!decides<sections> && decides<at_any_time<sections>>);
static_assert(decides<script<enter>> && decides<closed> && decides<open<>>);

TEST_CASE("sections: an accepted request is an entry, a refused one is none") {
    sections twice{.entries = 2};
    CHECK(twice.goes_on(answer::blocked, true));
    CHECK(twice.entries == 2);
    CHECK_FALSE(twice.goes_on(answer::blocked, false));
    CHECK_FALSE(twice.goes_on(answer::accepted, true));
    CHECK(twice.entries == 1);
    CHECK_FALSE(twice.goes_on(answer::accepted, true));
    CHECK_FALSE(twice.wants());
}

TEST_CASE("loads: what asks for ever does so after a crash, too; the others only if they say so") {
    CHECK(closed{}.again);
    CHECK(open{0.5}.again);
    CHECK_FALSE(sections{}.again);
    CHECK_FALSE(script{in_order(enter{})}.again);
}

TEST_CASE("script: one after the other; retried while there is patience, then passed over") {
    script say{in_order(enter{}, broadcast<int>{3}, cancel{}, leave{})};
    CHECK(say.left() == 4);
    using a = answer;
    const std::vector<text> names = asked(
        say, {a::not_waiting, a::accepted, a::blocked, a::no_room, a::accepted, a::accepted});
    CHECK(names == std::vector<text>{"enter", "enter", "broadcast", "cancel", "cancel", "leave"});
    CHECK_FALSE(say.wants());
}

TEST_CASE("script: leave waits for an entry that was asked for, unless that was cancelled") {
    script plain{in_order(enter{}, leave{})};
    CHECK_FALSE(plain.goes_on(answer::accepted, true));
    CHECK(plain.is_to_leave());

    script cancelled{in_order(enter{}, cancel{}, leave{})};
    CHECK(cancelled.goes_on(answer::accepted, true));
    CHECK(cancelled.goes_on(answer::accepted, true));
    CHECK_FALSE(cancelled.is_to_leave());

    script too_late{in_order(enter{}, cancel{}, leave{})};   // it was let in before
    CHECK(too_late.goes_on(answer::accepted, true));
    CHECK_FALSE(too_late.goes_on(answer::not_waiting, false));
    CHECK(too_late.is_to_leave());

    script only{in_order(leave{})};
    CHECK_FALSE(only.is_to_leave());
}

TEST_CASE("between: one length, or all from the least to the most") {
    dice env;
    CHECK(between{5}.draw(env) == 5);
    std::set<ticks> drawn;
    for (int i = 0; i < 200; ++i) drawn.insert(between{3, 6}.draw(env));
    CHECK(drawn == std::set<ticks>{3, 4, 5, 6});
}

TEST_CASE("open: one ask in so many ticks on average, at times none for long; a queue") {
    dice env;
    const open slow{0.05};
    ticks sum = 0;
    ticks longest = 0;
    for (int i = 0; i < 4000; ++i) {
        const ticks wait = slow.think_time(env);
        sum += wait;
        if (longest < wait) longest = wait;
    }
    CHECK(sum > 4000 * 19);
    CHECK(sum < 4000 * 21);
    CHECK(longest > 100);
    CHECK(open{1.0}.think_time(env) == 1);
    CHECK(slow.objection() == nullptr);
    CHECK(open{0.0}.objection() != nullptr);
    CHECK(open{1.5}.objection() != nullptr);

    open queue{1.0, between{1}, broadcast<int>{3}};
    queue.arrive();
    queue.arrive();
    CHECK_FALSE(queue.goes_on(answer::blocked, true));
    CHECK(queue.goes_on(answer::accepted, true));
    CHECK_FALSE(queue.goes_on(answer::accepted, true));
    CHECK(queue.waiting == 0);
}

TEST_CASE("at_any_time: the same load, and another value where the load is another") {
    const at_any_time a{sections{.entries = 2}};
    const at_any_time b{sections{.entries = 3}};
    CHECK(a.entries == 2);
    CHECK_FALSE(same(a, b));
    CHECK(same(a, at_any_time{sections{.entries = 2}}));
}
