// SPDX-License-Identifier: MIT
#include <caucus/core/layer_kinds.hpp>

#include <support/least.hpp>

#include <type_traits>
#include <variant>

using namespace caucus;

namespace {

struct own {};
struct other {};
struct timed : support::greeter {
    struct fuse {};
    using timer = fuse;
    using outcome = std::variant<int, char>;
};
struct door : support::greeter {
    using requests = std::variant<request::enter>;
};

static_assert(std::is_same_v<kinds_with<true, int, own>, std::variant<own, int>>);
static_assert(std::is_same_v<kinds_with<false, int, own>, std::variant<own>>);

static_assert(std::is_same_v<timers_over<support::greeter>, nothing>);
static_assert(std::is_same_v<timers_over<support::greeter, own>, std::variant<own>>);
static_assert(std::is_same_v<timers_over<timed, own>, std::variant<own, inner_timer<timed::fuse>>>);

static_assert(std::is_same_v<outcomes_over<support::greeter>, nothing>);
static_assert(std::is_same_v<outcomes_over<support::greeter, own>, std::variant<own>>);
static_assert(std::is_same_v<outcomes_over<timed>, std::variant<int, char>>);
static_assert(
    std::is_same_v<outcomes_over<timed, own, other>, std::variant<int, char, own, other>>);
static_assert(std::is_same_v<outcomes_over<timed, char>, std::variant<int, char>>);

static_assert(!lists_its_requests<detail::requests_over<support::greeter>>);
static_assert(std::is_same_v<detail::requests_over<door>::requests,
                             std::variant<request::enter, request::start>>);

}  // namespace
