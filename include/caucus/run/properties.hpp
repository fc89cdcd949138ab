// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>
#include <caucus/core/text.hpp>
#include <caucus/election/properties.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

namespace caucus {

namespace exploration {

/// What is under way on the arcs of an explored system, where each content of an arc has a number.
class arc_contents {
public:
    virtual std::size_t messages_in(std::uint32_t content) const = 0;

protected:
    ~arc_contents() = default;
};

}  // namespace exploration

/// All nodes at one moment of an exploration: a row of numbers, one for the process of each node
/// and one for the content of each arc.
template <class P>
class global_state {
public:
    global_state(const P* processes, const exploration::arc_contents& contents,
                 const std::uint32_t* row, std::size_t nodes, std::size_t arcs,
                 std::uint64_t alive)
        : processes_(processes), contents_(contents), row_(row), nodes_(nodes), arcs_(arcs),
          alive_(alive) {}

    std::size_t nodes() const { return nodes_; }
    bool alive(std::size_t v) const { return (alive_ >> v & 1) != 0; }
    /// The process of node v. What a dead node was is forgotten, unless the option remember_dead
    /// says otherwise: ask alive(v) first.
    const P& operator[](std::size_t v) const { return processes_[row_[v]]; }
    /// Messages under way.
    std::size_t in_flight() const {
        std::size_t count = 0;
        for (std::size_t arc = 0; arc < arcs_; ++arc)
            count += contents_.messages_in(row_[nodes_ + arc]);
        return count;
    }

private:
    const P* processes_;   // by number
    const exploration::arc_contents& contents_;
    const std::uint32_t* row_;
    std::size_t nodes_;
    std::size_t arcs_;
    std::uint64_t alive_;
};

/// always: in every state. sometimes: in at least one, so that an idle algorithm cannot pass.
/// finally: in every state in which nothing more happens, and on every fair cycle.
enum class mode : std::uint8_t { always, sometimes, finally };

namespace exploration {

/// A predicate, and when it is to be true. Becomes a property as soon as the processes are known.
template <class Predicate>
struct claim {
    caucus::mode mode;
    Predicate holds;
};

}  // namespace exploration

template <class Predicate>
exploration::claim<Predicate> always(Predicate p) { return {mode::always, std::move(p)}; }
template <class Predicate>
exploration::claim<Predicate> sometimes(Predicate p) { return {mode::sometimes, std::move(p)}; }
template <class Predicate>
exploration::claim<Predicate> finally(Predicate p) { return {mode::finally, std::move(p)}; }

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
    property(exploration::claim<Predicate> c)
        : mode_(c.mode), name_(name_of<Predicate>()), holds_(c.holds) {
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

}  // namespace caucus
