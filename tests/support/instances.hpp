// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/model.hpp>
#include <caucus/core/port.hpp>
#include <caucus/core/random.hpp>
#include <caucus/run/delay.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace support {

using sizes = std::vector<std::size_t>;

/// Sanitizers take ten times as long and look for other things: they may leave out the largest n.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CAUCUS_TESTS_ARE_SANITIZED
#endif
#endif
#if defined(CAUCUS_TESTS_ARE_SANITIZED) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// 1 … n in sending order: ascending, descending, or shuffled by a seed.
inline std::vector<int> ascending(std::size_t n) {
    std::vector<int> ids(n);
    std::iota(ids.begin(), ids.end(), 1);
    return ids;
}
inline std::vector<int> descending(std::size_t n) {
    std::vector<int> ids = ascending(n);
    std::reverse(ids.begin(), ids.end());
    return ids;
}
inline std::vector<int> shuffled(std::size_t n, std::uint64_t seed) {
    std::vector<int> ids = ascending(n);
    caucus::random_source{seed}.shuffle(ids);
    return ids;
}

/// The port that leads from one node to the other on a complete network.
inline caucus::port way(std::size_t from, std::size_t to, std::size_t nodes) {
    return caucus::port{(to + nodes - from - 1) % nodes};
}

/// Node 0 starts, twice, and one round later node 1, which it has reached by then.
inline auto report_of_late_starts(auto& sim) {
    sim.start(0);
    sim.start(0);
    sim.run({.max_rounds = 1});
    sim.start(1);
    return sim.run();
}

/// Every order of the ids 1 … n.
inline void each_permutation(std::size_t n, auto visit) {
    std::vector<int> ids = ascending(n);
    do visit(ids);
    while (std::next_permutation(ids.begin(), ids.end()));
}

/// Every non-empty set of the nodes 0 … n-1, as a sorted list.
inline void each_subset(std::size_t n, auto visit) {
    for (std::size_t bits = 1; bits < std::size_t{1} << n; ++bits) {
        std::vector<std::size_t> set;
        for (std::size_t v = 0; v < n; ++v)
            if ((bits >> v & 1) != 0) set.push_back(v);
        visit(set);
    }
}

inline std::vector<std::size_t> everybody(std::size_t n) {
    std::vector<std::size_t> all(n);
    for (std::size_t v = 0; v < n; ++v) all[v] = v;
    return all;
}

/// The greatest id among those nodes.
inline int best_of(const std::vector<int>& ids, const std::vector<std::size_t>& nodes) {
    int best = ids[nodes[0]];
    for (const std::size_t v : nodes) best = std::max(best, ids[v]);
    return best;
}

/// Who should lead by the card of such a process: the best of those that start, or of all.
template <class P>
int elected_by_card(const P&, const std::vector<int>& ids, const sizes& starters) {
    constexpr bool all = P::elects == caucus::winner::best_of_all;
    return all ? *std::max_element(ids.begin(), ids.end()) : best_of(ids, starters);
}

inline int least_of(const std::vector<int>& ids, const std::vector<std::size_t>& nodes) {
    int least = ids[nodes[0]];
    for (const std::size_t v : nodes) least = std::min(least, ids[v]);
    return least;
}

/// Makes the nodes of an election by their ids: one type of maker for each type of process.
template <template <class...> class Election, class... Policies>
struct electing {
    std::vector<int> ids;

    constexpr Election<int, Policies...> operator()(caucus::node v) const {
        return Election<int, Policies...>{ids[v], Policies{}...};
    }
};

/// One starter, and each of the others with probability 1/3.
inline std::vector<std::size_t> some_of(std::size_t n, caucus::random_source& dice) {
    std::vector<std::size_t> starters{static_cast<std::size_t>(dice.below(n))};
    for (std::size_t v = 0; v < n; ++v)
        if (v != starters[0] && dice.below(3) == 0) starters.push_back(v);
    return starters;
}

/// Delays of every temper, the hostile ones too: `adversary` lets everything wait that comes from
/// an even node for a long time, but for one message in eight.
inline std::vector<caucus::delay_model> every_delay() {
    const auto adversary = [](const caucus::hop& h, caucus::random_source& bits) -> caucus::ticks {
        return h.from.index % 2 == 0 && bits.below(8) != 0 ? 50 : 1;
    };
    return {caucus::unit{}, caucus::uniform{1, 10}, caucus::exponential{8},
            caucus::heavy_tailed{1, 2000}, caucus::by_hand{adversary}};
}

struct average {
    double sum = 0;
    double squares = 0;
    double count = 0;

    void add(double x) {
        sum += x;
        squares += x * x;
        ++count;
    }
    double mean() const { return sum / count; }
    double variance() const { return squares / count - mean() * mean(); }
};

}  // namespace support
