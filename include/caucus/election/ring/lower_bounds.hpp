// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/model.hpp>

#include <cstddef>

namespace caucus {

// What no election on a ring can better, in messages without the announcement. Both hold for
// asynchronous rings of unknown size, all of whose nodes start, and say n·log n: a linear number
// of messages takes synchrony and ids that are counted with, not only compared (time_slice).

/// On one-way rings, on average over all orders of the ids: n·H(n). chang_roberts needs just that.
///
/// Source    Pachl, Korach & Rotem, JACM 31(4), 1984
constexpr double least_mean_on_one_way_rings(std::size_t nodes) {
    return static_cast<double>(nodes) * harmonic(nodes);
}

/// On any ring, for the worst order and schedule, n a power of two above 1: n·lg(n)/4 + 1/2.
///
/// Source    Burns, Indiana University TR 91, 1980; as in Attiya & Welch, Distributed Computing,
///           2004, section 3.3: M(2) = 1, M(n) = 2M(n/2) + (n/2 - 1)/2
constexpr double least_worst_on_rings(std::size_t nodes) {
    double messages = 1;
    for (std::size_t n = 4; n <= nodes; n *= 2)
        messages = 2 * messages + (static_cast<double>(n) / 2 - 1) / 2;
    return messages;
}

}  // namespace caucus
