// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/environment.hpp>
#include <caucus/run/exploration/table.hpp>

namespace caucus::exploration {

/// All distinct values that have come up in an exploration, each with an index.
template <class P>
struct value_tables {
    table<P> processes;
    table<typename P::message> messages;
    table<typename P::timer> timer_values;
    table<typename P::outcome> outcomes;
    table<kept_by<P>> kept_values;
};

}  // namespace caucus::exploration
