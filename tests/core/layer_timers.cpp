// SPDX-License-Identifier: MIT
#include <caucus/core/layer_timers.hpp>

#include <support/least.hpp>

#include <doctest/doctest.h>

#include <string>
#include <type_traits>
#include <variant>

using namespace caucus;

namespace {

struct timed : support::greeter {
    struct fuse {};
    using timer = fuse;
};
static_assert(std::is_same_v<detail::room_for_timers_over<heap_storage, timed, 2>::type,
                             heap_storage>);
static_assert(std::is_same_v<detail::room_for_timers_over<inplace_storage<4>, timed, 2>::type,
                             inplace_storage<4 + 2 + 1>>);
static_assert(std::is_same_v<detail::room_for_timers_of<heap_storage, timed>, heap_storage>);
static_assert(std::is_same_v<detail::room_for_timers_of<inplace_storage<4>, timed>,
                             inplace_storage<1>>);

struct fuse { int number; };
struct own {};
using outer = std::variant<own, inner_timer<fuse>>;

/// Writes down what a layer does with the timers of the process inside.
struct diary {
    std::string told{};
    void arm(const outer& t, ticks delay) {
        told += " arm " + number(t) + " in " + std::to_string(delay);
    }
    void disarm(const outer& t) { told += " disarm " + number(t); }
    static std::string number(const outer& t) {
        return std::to_string(std::get<inner_timer<fuse>>(t).timer.number);
    }
};

// Kinds without fields have one name each, and need no heap.
static_assert(sizeof(inner_timers<std::variant<own, timed::fuse>>) <
              sizeof(inner_timers<fuse>));
static_assert(std::is_trivially_copyable_v<inner_timers<fuse, 3>>);
static_assert(std::is_empty_v<inner_timers<nothing>>);

}  // namespace

TEST_CASE("layer timers: all that are armed inside can be disarmed at once, each only once") {
    inner_timers<fuse> timers;
    diary env;
    timers.arm<outer>(fuse{1}, 5, env);
    timers.arm<outer>(fuse{2}, 6, env);
    timers.arm<outer>(fuse{3}, 7, env);
    timers.arm<outer>(fuse{2}, 8, env);
    timers.disarm<outer>(fuse{1}, env);
    timers.strike(fuse{3});
    CHECK(env.told == " arm 1 in 5 arm 2 in 6 arm 3 in 7 arm 2 in 8 disarm 1");
    env.told.clear();
    timers.disarm_all<outer>(env);
    CHECK(env.told == " disarm 2");
    timers.disarm_all<outer>(env);
    CHECK(env.told == " disarm 2");
}
