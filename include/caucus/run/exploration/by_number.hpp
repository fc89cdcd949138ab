// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/compiled.hpp>
#include <caucus/run/exploration/handler_memo.hpp>
#include <caucus/run/exploration/property_set.hpp>
#include <caucus/run/exploration/settings.hpp>
#include <caucus/run/exploration/wiring.hpp>
#include <caucus/run/verdict.hpp>

#include <cstdint>

namespace caucus::exploration {

/// Explores processes that it knows by their numbers alone. Behind this function nothing is a
/// template of the process: it can be compiled once for all programs (see core/compiled.hpp).
verdict explore_by_number(const wiring& topology, handler_memo& known,
                          const property_set& properties, const settings& options);

}  // namespace caucus::exploration

#ifdef CAUCUS_INLINE
#include <caucus/core/time.hpp>
#include <caucus/run/exploration/chained.hpp>
#include <caucus/run/exploration/explorer.hpp>

namespace caucus::exploration {

CAUCUS_INLINE verdict run_explorer(const wiring& topology, handler_memo& known,
                                   const property_set& properties, const settings& how) {
    return explorer{topology, known, properties, how}.run();
}

/// The longest causal chain over all schedules; 0 if a limit stopped the exploration.
CAUCUS_INLINE std::uint64_t longest_chain(const wiring& topology, handler_memo& known,
                                          settings how) {
    chained in_chains{known};
    how.count_messages = false;
    const bool complete = run_explorer(topology, in_chains, property_set{}, how).complete;
    return complete ? in_chains.longest() : 0;
}

CAUCUS_INLINE verdict explore_by_number(const wiring& topology, handler_memo& known,
                                        const property_set& properties, const settings& options) {
    settings how = options;
    how.count_messages = how.count_messages || how.chains;
    verdict v = run_explorer(topology, known, properties, how);
    if (how.chains && v.complete)
        v.longest_chain = v.messages.most == never ? never : longest_chain(topology, known, how);
    return v;
}

}  // namespace caucus::exploration
#endif
