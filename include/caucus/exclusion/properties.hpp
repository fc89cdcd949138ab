// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>
#include <caucus/core/port.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

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

// What holds of all other wishes when a node x of Ricart-Agrawala's algorithm is inside, in three
// groups. Its process answers asked(), the stamp of its wish, and defers(port); wishes are messages
// with a stamp `when`. The network is complete: port p of x leads to node x+1+p.

namespace detail {

/// The process of a node, without the application around it.
template <class P>
constexpr const auto& asking_process(const P& p) {
    if constexpr (requires { p.asked(); }) return p;
    else return asking_process(p.process());
}
template <class Kind>
concept has_a_stamp = requires(const Kind& k) { k.when.clock; };

struct wishes_beside_an_entry {
    enum class known : bool { no, yes };

    /// Is it true for all x inside and all other y that want to enter? holds(x, y, known to x).
    static bool all(const auto& g, auto holds) {
        bool each = true;
        for (std::size_t x = 0; x < g.nodes(); ++x) {
            if (!g.alive(x) || !g[x].holds()) continue;
            for (std::size_t y = 0; y < g.nodes(); ++y)
                if (y != x && g.alive(y) && (g[y].waits() || g[y].holds()))
                    each = each && holds(x, y, is_under_way(g, y, x) ? known::no : known::yes);
        }
        return each;
    }
    static bool is_older(const auto& g, std::size_t y, std::size_t x) {
        return asking_process(g[y]).asked() < asking_process(g[x]).asked();
    }
    static bool is_deferred(const auto& g, std::size_t y, std::size_t x) {
        return asking_process(g[x]).defers(port{(y + g.nodes() - x - 1) % g.nodes()});
    }

private:
    /// Has x still to hear of what y wishes?
    static bool is_under_way(const auto& g, std::size_t y, std::size_t x) {
        bool found = false;
        g.each_in_flight([&](auto from, auto to, const auto& message) {
            if (from != y || to != x) return;
            visit_kind(message, [&](const auto& kind) {
                if constexpr (has_a_stamp<std::remove_cvref_t<decltype(kind)>>)
                    found = found || kind.when == asking_process(g[y]).asked();
            });
        });
        return found;
    }
};

}  // namespace detail

struct known_older_wishes_are_served_t : detail::wishes_beside_an_entry {
    bool operator()(const auto& g) const {
        return all(g, [&](std::size_t x, std::size_t y, known k) {
            return k == known::no || !is_older(g, y, x);
        });
    }
};
/// Whoever is known to have asked earlier has been inside, and has left.
inline constexpr known_older_wishes_are_served_t known_older_wishes_are_served;

struct known_younger_wishes_are_deferred_t : detail::wishes_beside_an_entry {
    bool operator()(const auto& g) const {
        return all(g, [&](std::size_t x, std::size_t y, known k) {
            return k == known::no || is_older(g, y, x) || is_deferred(g, y, x);
        });
    }
};
/// Whoever is known to have asked later waits for the reply of the one inside.
inline constexpr known_younger_wishes_are_deferred_t known_younger_wishes_are_deferred;

struct unknown_wishes_are_younger_t : detail::wishes_beside_an_entry {
    bool operator()(const auto& g) const {
        return all(g, [&](std::size_t x, std::size_t y, known k) {
            return k == known::yes || is_older(g, x, y);
        });
    }
};
/// Whoever has asked, and is not yet known to have, did so later, and will wait.
inline constexpr unknown_wishes_are_younger_t unknown_wishes_are_younger;

}  // namespace caucus
