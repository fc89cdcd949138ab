// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/policy.hpp>
#include <caucus/core/time.hpp>

#include <concepts>
#include <cstdint>

namespace caucus {

/// The role of whoever says how long a silence may last.
struct judging {};

/// What a beat says of the silence before it.
enum class sign : std::uint8_t {
    on_time,   // the next one of a neighbour that is trusted
    overdue,   // it was suspected, and wrongly: the same life goes on
    reborn     // a new life: whatever was between the two is no gap between beats
};

namespace detail {
struct least_timepiece {
    constexpr ticks now() const { return 0; }
};
}  // namespace detail

/// How long may a neighbour be silent before it is suspected?
///
/// Syntax     J::history, a described value; j.fresh() -> history; j.heard(history&, sign, env);
///            j.patience(history) -> ticks
/// Semantics  one history per neighbour; patience is counted from the last beat, or from the start
/// Models     fixed_timeout, phi_accrual
/// Laws       patience is at least 1 tick; equal histories give equal patience; a judge that asks
///            env for the time says so: `static constexpr bool reads_clock = true`
template <class J>
concept judge = std::copy_constructible<J> && std::same_as<typename J::decides, judging> &&
                requires(const J& j, typename J::history& h, detail::least_timepiece& env) {
    { j.fresh() } -> std::convertible_to<typename J::history>;
    j.heard(h, sign::on_time, env);
    { j.patience(h) } -> std::convertible_to<ticks>;
};

/// The same patience with everybody; each wrong suspicion adds `step`. With a step, and delays that
/// are bounded in the end, only finitely many suspicions are wrong: eventually perfect.
struct fixed_timeout {
    using decides = judging;
    struct history {
        ticks timeout;
    };

    ticks timeout = 500;
    ticks step = 0;

    constexpr history fresh() const { return {timeout}; }
    constexpr void heard(history& h, sign s, auto&) const {
        if (s == sign::overdue) h.timeout = after(h.timeout, step);
    }
    constexpr ticks patience(const history& h) const { return h.timeout; }
};

}  // namespace caucus
