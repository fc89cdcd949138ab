// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/fields.hpp>
#include <caucus/core/policy.hpp>
#include <caucus/core/random.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace caucus {

// What elections promise, as predicates over a global state g: g.nodes(), g.alive(v), and g[v] the
// process of node v. Wrap them in always, sometimes or finally and give them to `explore`.

namespace detail {

/// What elections are judged by: who thinks it leads, and whom each follows.
struct election_property {
    static constexpr bool any_node = true;
    static std::uint64_t observes(const auto& process) {
        const auto leader = process.leader();
        return mix(process.is_leader(), leader ? caucus::hash(*leader) | 1 : 0);
    }
};

}  // namespace detail

struct at_most_one_leader_t : detail::election_property {
    bool operator()(const auto& g) const {
        std::size_t leaders = 0;
        for (std::size_t v = 0; v < g.nodes(); ++v) leaders += g.alive(v) && g[v].is_leader();
        return leaders <= 1;
    }
};
/// No two live nodes both believe that they lead.
inline constexpr at_most_one_leader_t at_most_one_leader;

struct someone_leads_t : detail::election_property {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && g[v].is_leader()) return true;
        return false;
    }
};
inline constexpr someone_leads_t someone_leads;

struct all_agree_t : detail::election_property {
    bool operator()(const auto& g) const {
        std::optional<std::size_t> first;
        for (std::size_t v = 0; v < g.nodes(); ++v) {
            if (!g.alive(v)) continue;
            const auto leader = g[v].leader();
            if (!leader) return false;
            if (!first) first = v;
            else if (!(*leader == *g[*first].leader())) return false;
        }
        return true;
    }
};
/// Every live node knows the leader, and it is the same.
inline constexpr all_agree_t all_agree;

/// Whoever is known as leader has the best id of all live nodes.
template <class Prefer = greatest>
struct the_best_leads_t : detail::election_property {
    static std::uint64_t observes(const auto& process) {
        return mix(detail::election_property::observes(process), caucus::hash(process.id()));
    }
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v) {
            if (!g.alive(v)) continue;
            const auto leader = g[v].leader();
            for (std::size_t u = 0; leader && u < g.nodes(); ++u)
                if (g.alive(u) && Prefer{}(g[u].id(), *leader)) return false;
        }
        return true;
    }
};
inline constexpr the_best_leads_t<> the_best_leads;

}  // namespace caucus
