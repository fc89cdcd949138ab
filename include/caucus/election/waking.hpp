// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/model.hpp>
#include <caucus/core/policy.hpp>

#include <cstddef>

namespace caucus {

/// What a sleeping node does when the first message of an election reaches it. With s.initiators
/// callers, so many are candidates in the end, at least and at most.
struct waking {};
struct suppress {      // joins only if its own id beats the one that woke it
    using decides = waking;
    static constexpr winner elects = winner::best_of_all;
    static constexpr bool joins(bool beats_the_waker) { return beats_the_waker; }
    static constexpr std::size_t candidates_least(size s) { return s.initiators; }
    static constexpr std::size_t candidates_most(size s) { return s.nodes; }
};
struct join {          // joins in any case
    using decides = waking;
    static constexpr winner elects = winner::best_of_all;
    static constexpr bool joins(bool) { return true; }
    static constexpr std::size_t candidates_least(size s) { return s.nodes; }
    static constexpr std::size_t candidates_most(size s) { return s.nodes; }
};
struct relay_only {    // never joins, and passes everything on: the best *initiator* wins
    using decides = waking;
    static constexpr winner elects = winner::best_caller;
    static constexpr bool joins(bool) { return false; }
    static constexpr std::size_t candidates_least(size s) { return s.initiators; }
    static constexpr std::size_t candidates_most(size s) { return s.initiators; }
};

/// Where nobody is asked whose id is better: to join or not is all that a woken node can do.
template <class... Policies>
inline constexpr bool joins_or_relays = !chooses<suppress, relay_only, Policies...>;

}  // namespace caucus
