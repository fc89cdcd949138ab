// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/kind.hpp>
#include <caucus/core/text.hpp>
#include <caucus/election/properties.hpp>
#include <caucus/topology/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace caucus {

namespace exploration {

/// What is under way and what is armed in an explored system, where each content of an arc and each
/// set of timers has a number.
class surroundings {
public:
    /// The numbers of the messages, on fifo links in the order in which they were sent.
    virtual const std::vector<std::uint32_t>& messages_in(std::uint32_t content) const = 0;
    virtual std::size_t timers_in(std::uint32_t set) const = 0;
    /// The number of the i-th of them.
    virtual std::uint32_t timer_in(std::uint32_t set, std::size_t i) const = 0;
    virtual far_end sender(std::size_t arc) const = 0;
    virtual far_end addressee(std::size_t arc) const = 0;

protected:
    ~surroundings() = default;
};

/// The values that the numbers stand for.
template <class P>
struct known_values {
    const P* processes;
    const typename P::message* messages;
    const typename P::timer* timers;
};

}  // namespace exploration

/// All nodes at one moment of an exploration: a row of numbers, one for the process of each node,
/// one for the content of each arc, and one for the armed timers of each node if there are timers.
template <class P>
class global_state {
public:
    using message = typename P::message;
    using timer = typename P::timer;

    global_state(const exploration::known_values<P>& known, const exploration::surroundings& around,
                 const std::uint32_t* row, std::size_t nodes, std::size_t arcs,
                 std::uint64_t alive)
        : known_(known), around_(around), row_(row), nodes_(nodes), arcs_(arcs), alive_(alive) {}

    std::size_t nodes() const { return nodes_; }
    bool alive(std::size_t v) const { return (alive_ >> v & 1) != 0; }
    /// The process of node v. What a dead node was is forgotten, unless the option remember_dead
    /// says otherwise: ask alive(v) first.
    const P& operator[](std::size_t v) const { return known_.processes[row_[v]]; }

    /// Messages under way.
    std::size_t in_flight() const {
        looked_beyond_ = true;
        std::size_t count = 0;
        for (std::size_t arc = 0; arc < arcs_; ++arc)
            count += around_.messages_in(row_[nodes_ + arc]).size();
        return count;
    }
    /// Calls f(node from, node to, const message&) for each of them, or with a fourth argument, the
    /// port at which it will arrive, if f takes one. Arc by arc, on fifo links oldest first.
    template <class F>
    void each_in_flight(F f) const {
        looked_beyond_ = true;
        for (std::size_t arc = 0; arc < arcs_; ++arc) {
            for (const std::uint32_t number : around_.messages_in(row_[nodes_ + arc])) {
                const node from = around_.sender(arc).node;
                const far_end to = around_.addressee(arc);
                const message& m = known_.messages[number];
                if constexpr (std::is_invocable_v<F&, node, node, const message&, port>)
                    f(from, to.node, m, to.port);
                else
                    f(from, to.node, m);
            }
        }
    }
    /// Calls f(const timer&) for each armed timer of node v.
    template <class F>
    void each_armed([[maybe_unused]] std::size_t v, [[maybe_unused]] F f) const {
        looked_beyond_ = true;
        if constexpr (kinds_of<timer> != 0) {
            const std::uint32_t set = row_[nodes_ + arcs_ + v];
            for (std::size_t i = 0; i < around_.timers_in(set); ++i)
                f(known_.timers[around_.timer_in(set, i)]);
        }
    }

    /// Has anybody asked for more than processes, that is, for messages or timers?
    bool looked_beyond_processes() const { return looked_beyond_; }

private:
    exploration::known_values<P> known_;
    const exploration::surroundings& around_;
    const std::uint32_t* row_;
    std::size_t nodes_;
    std::size_t arcs_;
    std::uint64_t alive_;
    mutable bool looked_beyond_ = false;
};

/// always: in every state. sometimes: in at least one, so that an idle algorithm cannot pass.
/// finally: in every state in which nothing more happens, and on every fair cycle: one on which no
/// message, and no timer, is passed over for ever that could come all along; see caucus::timers.
enum class mode : std::uint8_t { always, sometimes, finally };

namespace exploration {

/// A predicate, and when it is to be true. Becomes a property as soon as the processes are known.
template <class Predicate>
struct claim {
    caucus::mode mode;
    Predicate holds;
    std::string name = {};   // else that of its type
};

}  // namespace exploration

template <class Predicate>
exploration::claim<Predicate> always(Predicate p) { return {mode::always, std::move(p)}; }
template <class Predicate>
exploration::claim<Predicate> sometimes(Predicate p) { return {mode::sometimes, std::move(p)}; }
template <class Predicate>
exploration::claim<Predicate> finally(Predicate p) { return {mode::finally, std::move(p)}; }

// With a name, by which a counterexample calls it: always("one token", f).
template <class Predicate>
exploration::claim<Predicate> always(std::string name, Predicate p) {
    return {mode::always, std::move(p), std::move(name)};
}
template <class Predicate>
exploration::claim<Predicate> sometimes(std::string name, Predicate p) {
    return {mode::sometimes, std::move(p), std::move(name)};
}
template <class Predicate>
exploration::claim<Predicate> finally(std::string name, Predicate p) {
    return {mode::finally, std::move(p), std::move(name)};
}

/// A claim about the global states of processes P, whatever its predicate's type.
///
/// A predicate may say what it looks at: `observes(process)` gives a number for all that matters
/// of one process. Events that leave every such number alone can then be left out by reductions;
/// of a predicate without it, every event is assumed to matter. So one that looks at messages or
/// timers, too, must not have it, and is refused. And it may say, with a static `any_node` that is
/// true, that it does not care which node is which.
template <class P>
class property {
public:
    template <class Predicate>
        requires std::is_invocable_r_v<bool, const Predicate&, const global_state<P>&>
    property(exploration::claim<Predicate> c)
        : mode_(c.mode), name_(c.name.empty() ? name_of<Predicate>() : c.name), holds_(c.holds) {
        if constexpr (requires { requires Predicate::any_node; }) any_node_ = true;
        if constexpr (requires(const P& p) { c.holds.observes(p); })
            observes_ = [p = c.holds](const P& process) -> std::uint64_t {
                return p.observes(process);
            };
    }

    caucus::mode mode() const { return mode_; }
    const std::string& name() const { return name_; }
    bool holds(const global_state<P>& g) const {
        const bool it_does = holds_(g);
        if (observes_ && g.looked_beyond_processes())
            refuse("explore: ", name_.c_str(), " says what it observes of a process, and looks at ",
                   "messages or timers, too: let it not say so");
        return it_does;
    }
    bool says_what_it_observes() const { return static_cast<bool>(observes_); }
    std::uint64_t observed(const P& p) const { return observes_(p); }
    bool is_about_any_node() const { return any_node_; }

private:
    template <class Predicate>
    static std::string name_of() {
        const text name = kind_name<Predicate>();
        std::string plain(name.data(), name.size());
        // clang calls a lambda by its place in the file: "22)" is left of that.
        const bool is_lambda = plain.find("lambda") != std::string::npos || plain.ends_with(")");
        if (is_lambda || plain.empty()) return "the property";
        if (plain.size() > 2 && plain.ends_with("_t")) plain.resize(plain.size() - 2);
        return plain;
    }

    caucus::mode mode_;
    std::string name_;
    std::function<bool(const global_state<P>&)> holds_;
    std::function<std::uint64_t(const P&)> observes_;
    bool any_node_ = false;
};

/// How far to explore: everywhere, or no further than the states in which a predicate holds. It may
/// say what it observes and that it is about any node, as that of a property.
template <class P>
class region {
public:
    region() = default;
    /// The first half: a copy must not ask what a global state is, for P may be no process at all.
    template <class Predicate>
        requires(!std::is_same_v<Predicate, region> &&
                 std::is_invocable_r_v<bool, const Predicate&, const global_state<P>&>)
    region(Predicate p) : inside_(exploration::claim<Predicate>{mode::always, std::move(p)}) {}

    const std::optional<property<P>>& inside() const { return inside_; }

private:
    std::optional<property<P>> inside_;
};

}  // namespace caucus
