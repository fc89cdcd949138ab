// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace caucus {

/// What a topology is, and what an algorithm needs it to be. `graph` promises nothing at compile
/// time: whether it is connected, or a tree, is checked when a run is set up.
enum class shape : std::uint8_t { one_way_ring, two_way_ring, tree, complete, graph };

/// What a channel guarantees, and what an algorithm needs of it.
enum class guarantee : std::uint8_t { none = 0, reliable = 1, fifo = 2, no_duplicates = 4 };

constexpr guarantee operator|(guarantee a, guarantee b) {
    return static_cast<guarantee>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
/// Does `given` include everything in `needed`?
constexpr bool covers(guarantee given, guarantee needed) {
    return (static_cast<unsigned>(needed) & ~static_cast<unsigned>(given)) == 0;
}

/// What is left of `given` without `lost`.
constexpr guarantee without(guarantee given, guarantee lost) {
    return static_cast<guarantee>(static_cast<unsigned>(given) & ~static_cast<unsigned>(lost));
}

inline constexpr guarantee perfect_links =
    guarantee::reliable | guarantee::fifo | guarantee::no_duplicates;

/// Does a topology of shape `given` serve an algorithm made for `needed`, as far as types can tell?
constexpr bool may_serve(shape given, shape needed) {
    if (given == needed) return true;
    if (given == shape::one_way_ring) return false;
    if (needed == shape::graph) return true;
    return given == shape::graph && needed == shape::tree;
}

enum class naming : std::uint8_t { distinct, anonymous };
enum class timing : std::uint8_t { asynchronous, bounded_delay, synchronous };

/// What an algorithm assumes of the world: the first half of its card.
struct model {
    shape topology = shape::graph;
    guarantee links = guarantee::none;
    naming names = naming::distinct;
    timing time = timing::asynchronous;
    bool uniform = true;   // nobody has to tell a node how many there are
};

/// Whom an election elects, if nobody crashes. Callers are those that really start: a node that was
/// reached before it did is none.
enum class winner : std::uint8_t {
    best_of_all,   // the result does not depend on who calls
    best_caller,
    some_caller,   // delays or coins decide which
    some_node      // they decide, and it need not have called
};

/// The size of a run, for which a card states its cost.
struct size {
    std::size_t nodes = 0;
    std::size_t links = 0;       // n on a one-way ring; elsewhere the two directions count once
    std::size_t initiators = 0;  // of exclusions: entries asked for
    std::size_t diameter = 0;    // 0: not known
};

/// What is proven of a run's cost: never less than `least`, never more than `most`.
struct cost {
    std::uint64_t least = 0;
    std::uint64_t most = 0;
    std::optional<double> mean = std::nullopt;   // over random ids, where a closed form is known

    constexpr bool contains(std::uint64_t measured) const {
        return least <= measured && measured <= most;
    }
};

/// H(n) = 1 + 1/2 + … + 1/n.
constexpr double harmonic(std::size_t n) {
    double sum = 0;
    for (std::size_t i = n; i > 0; --i) sum += 1.0 / static_cast<double>(i);
    return sum;
}

}  // namespace caucus
