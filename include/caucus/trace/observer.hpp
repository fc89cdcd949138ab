// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port.hpp>
#include <caucus/core/request.hpp>
#include <caucus/core/time.hpp>

namespace caucus {

/// Somebody who watches a simulation: inherit and hide what interests you. Costs nothing if unused.
struct observer {
    constexpr void handled(ticks, node, const auto& /*input*/) {}
    constexpr void sent(ticks, node, port, const auto& /*message*/) {}
    constexpr void armed(ticks, node, const auto& /*timer*/, ticks /*delay*/) {}
    constexpr void disarmed(ticks, node, const auto& /*timer*/) {}
    constexpr void refused(ticks, node, const auto& /*request*/, answer) {}
    constexpr void reported(ticks, node, const auto& /*outcome*/) {}
    /// In events. A restart comes before whatever the new life does. Who leaves for good is said
    /// to have crashed; who is absent from the beginning is said to be before anybody starts.
    constexpr void crashed(ticks, node) {}
    constexpr void restarted(ticks, node, const auto& /*incarnation*/) {}
    constexpr void absent(ticks, node) {}
    constexpr void arrived(ticks, node) {}
};

}  // namespace caucus
