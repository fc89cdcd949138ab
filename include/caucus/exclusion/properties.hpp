// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace caucus {

// What exclusion promises, as predicates over a global state g: g.nodes(), g.alive(v), and g[v] the
// process of node v. Wrap them in always, sometimes or finally and give them to `explore`.

namespace detail {

/// What exclusion is judged by: who waits, and who is inside.
struct exclusion_property {
    static constexpr bool any_node = true;
    static std::uint64_t observes(const auto& process) {
        return (process.holds() ? 2u : 0u) + (process.waits() ? 1u : 0u);
    }
    static std::size_t inside(const auto& g) {
        std::size_t count = 0;
        for (std::size_t v = 0; v < g.nodes(); ++v) count += g.alive(v) && g[v].holds();
        return count;
    }
    static std::size_t waiting(const auto& g) {
        std::size_t count = 0;
        for (std::size_t v = 0; v < g.nodes(); ++v) count += g.alive(v) && g[v].waits();
        return count;
    }
};

}  // namespace detail

struct at_most_one_inside_t : detail::exclusion_property {
    bool operator()(const auto& g) const { return inside(g) <= 1; }
};
/// Safety: no two live nodes are inside.
inline constexpr at_most_one_inside_t at_most_one_inside;

struct nobody_waits_t : detail::exclusion_property {
    bool operator()(const auto& g) const { return waiting(g) == 0; }
};
/// Liveness, with `finally`: everyone who has asked has entered, or has cancelled.
inline constexpr nobody_waits_t nobody_waits;

struct someone_is_inside_t : detail::exclusion_property {
    bool operator()(const auto& g) const { return inside(g) != 0; }
};
inline constexpr someone_is_inside_t someone_is_inside;

struct several_wait_t : detail::exclusion_property {
    bool operator()(const auto& g) const { return waiting(g) >= 2; }
};
/// With `sometimes`: else nobody was ever in another's way.
inline constexpr several_wait_t several_wait;

}  // namespace caucus
