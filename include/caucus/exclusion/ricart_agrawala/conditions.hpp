// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>
#include <caucus/core/port.hpp>

#include <cstddef>
#include <type_traits>

namespace caucus {

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
