// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/model.hpp>
#include <caucus/core/policy.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/core/time.hpp>

#include <cstddef>
#include <cstdint>

namespace caucus {

// Who must agree before a node of ricart_agrawala enters, as a policy of the role `quorum`; the
// fourth is `majority`.

/// All others, anew for each entry.
struct plain { using decides = quorum; };

/// All others, but whoever has agreed need not be asked again before it has asked itself.
struct carvalho_roucairol { using decides = quorum; };

/// All others that live. Each wish is acknowledged at once, by a reply or by `deferred`, so that
/// silence means death.
struct answering {
    using decides = quorum;

    ticks delay_max = 1;        // no message takes longer
    ticks processing_max = 0;   // no answer is longer in the making

    /// An answer is back by then, or there is nobody to give it.
    constexpr ticks answer_wait() const { return after(times(2, delay_max), processing_max); }

    /// Refuses bounds that are none.
    constexpr answering checked() const {
        if (delay_max == 0) refuse("answering: delay_max is 0; a message takes at least one tick");
        if (delay_max > never / 8 || processing_max > never / 8)
            refuse("answering: delay_max ", delay_max, " or processing_max ", processing_max,
                   " is no bound: the wait would overflow");
        return *this;
    }
};

template <class Id>
concept needs_ids_with_an_order__they_break_ties = requires(const Id& a, const Id& b) { a < b; };

namespace detail {

/// So many entries, each at such a cost.
constexpr cost times(std::size_t entries, cost each) {
    cost all{entries * each.least, entries * each.most};
    if (each.mean) all.mean = static_cast<double>(entries) * *each.mean;
    return all;
}

}  // namespace detail

template <class Id, class Storage = heap_storage, class... Policies>
class ricart_agrawala;

}  // namespace caucus
