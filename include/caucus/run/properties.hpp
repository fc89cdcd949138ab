// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/fields.hpp>
#include <caucus/core/policy.hpp>
#include <caucus/run/exploration/channels.hpp>
#include <caucus/run/exploration/table.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace caucus {

/// All nodes at one moment of an exploration.
template <class P>
class global_state {
public:
    global_state(const exploration::table<P>& processes, const exploration::channels& channels,
                 const std::uint32_t* row, std::size_t nodes, std::size_t arcs, std::uint64_t alive)
        : processes_(processes), channels_(channels), row_(row), nodes_(nodes), arcs_(arcs),
          alive_(alive) {}

    std::size_t nodes() const { return nodes_; }
    bool alive(std::size_t v) const { return (alive_ >> v & 1) != 0; }
    /// The process of node v. What a dead node was is forgotten: ask alive(v) first.
    const P& operator[](std::size_t v) const { return processes_[row_[v]]; }
    /// Messages under way.
    std::size_t in_flight() const {
        std::size_t count = 0;
        for (std::size_t arc = 0; arc < arcs_; ++arc) count += channels_[row_[nodes_ + arc]].size();
        return count;
    }

private:
    const exploration::table<P>& processes_;
    const exploration::channels& channels_;
    const std::uint32_t* row_;
    std::size_t nodes_;
    std::size_t arcs_;
    std::uint64_t alive_;
};

/// always: in every state. sometimes: in at least one, so that an idle algorithm cannot pass.
/// finally: in every state in which nothing more happens, and on every fair cycle.
enum class mode : std::uint8_t { always, sometimes, finally };

template <class Predicate>
struct claim {
    caucus::mode mode;
    Predicate holds;
};

template <class Predicate>
claim<Predicate> always(Predicate p) { return {mode::always, std::move(p)}; }
template <class Predicate>
claim<Predicate> sometimes(Predicate p) { return {mode::sometimes, std::move(p)}; }
template <class Predicate>
claim<Predicate> finally(Predicate p) { return {mode::finally, std::move(p)}; }

/// A claim about the global states of processes P, whatever its predicate's type.
///
/// A predicate may say what it looks at: `observes(process)` gives a number for all that matters
/// of one process. Events that leave every such number alone can then be left out by reductions;
/// of a predicate without it, every event is assumed to matter. And it may say, with a static
/// `any_node` that is true, that it does not care which node is which.
template <class P>
class property {
public:
    template <class Predicate>
        requires std::is_invocable_r_v<bool, const Predicate&, const global_state<P>&>
    property(claim<Predicate> c) : mode_(c.mode), name_(name_of<Predicate>()), holds_(c.holds) {
        if constexpr (requires { requires Predicate::any_node; }) any_node_ = true;
        if constexpr (requires(const P& p) { c.holds.observes(p); })
            observes_ = [p = c.holds](const P& process) -> std::uint64_t {
                return p.observes(process);
            };
    }

    caucus::mode mode() const { return mode_; }
    const std::string& name() const { return name_; }
    bool holds(const global_state<P>& g) const { return holds_(g); }
    bool says_what_it_observes() const { return static_cast<bool>(observes_); }
    std::uint64_t observed(const P& p) const { return observes_(p); }
    bool is_about_any_node() const { return any_node_; }

private:
    template <class Predicate>
    static std::string name_of() {
        const text name = kind_name<Predicate>();
        std::string plain(name.data(), name.size());
        if (plain.find("lambda") != std::string::npos || plain.empty()) return "the property";
        if (plain.size() > 2 && plain.ends_with("_t")) plain.resize(plain.size() - 2);
        return plain;
    }

    caucus::mode mode_;
    std::string name_;
    std::function<bool(const global_state<P>&)> holds_;
    std::function<std::uint64_t(const P&)> observes_;
    bool any_node_ = false;
};

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
