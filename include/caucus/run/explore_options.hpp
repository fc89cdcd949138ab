// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace caucus {

/// Who starts: all; a list of nodes; any_subset, every subset in turn but the empty one; or
/// spontaneous, each node at any time or never (whatever `starting` says).
class initiators {
public:
    enum class kind : std::uint8_t { all, given, any_subset, spontaneous };

    constexpr initiators(kind what = kind::all) : what_(what) {}
    initiators(std::initializer_list<std::size_t> nodes) : what_(kind::given) { add(nodes); }
    initiators(const std::vector<std::size_t>& nodes) : what_(kind::given) { add(nodes); }

    kind what() const { return what_; }
    std::uint64_t given() const { return given_; }

private:
    void add(const auto& nodes) {
        for (const std::size_t v : nodes) {
            if (v >= 64) refuse("explore: initiator ", v, " of at most 64 nodes");
            given_ |= std::uint64_t{1} << v;
        }
    }

    kind what_;
    std::uint64_t given_ = 0;
};
inline constexpr initiators::kind all = initiators::kind::all;
inline constexpr initiators::kind any_subset = initiators::kind::any_subset;
inline constexpr initiators::kind spontaneous = initiators::kind::spontaneous;

/// Which process stands where: make(v) at v, or every order of them (on rings up to rotation).
enum class orders : std::uint8_t { as_made, all_permutations };
inline constexpr orders all_permutations = orders::all_permutations;

/// What may be left out without changing the verdict.
///   sleep      if two events at different nodes can come in either order: one of the two orders.
///              No state is left out. Off if there is a `finally` among the properties.
///   ample      if a node with a single inlet can take its next message, and no property sees a
///              difference: all that could happen elsewhere before it. Leaves out states.
///   rotations  on a ring of equal nodes that all start: states that are rotations of a known one,
///              if every property says that it does not matter which node is which (`any_node`)
/// All need a system without faults and detectors. With timers, sleep needs timers::any_time, and
/// ample is off; ample needs fifo links, and sleep that there is no `within`. A reduction that does
/// not fit is not applied; the verdict says which were. A counterexample found with sleep or ample
/// is looked for again without them, no deeper than it was found, and so is as short as possible;
/// unless that search hits the limit of states: then `counterexample.shortest` is false.
enum class reduction : std::uint8_t { none = 0, sleep = 1, ample = 2, rotations = 4, every = 7 };
constexpr reduction operator|(reduction a, reduction b) {
    return static_cast<reduction>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool includes(reduction set, reduction one) {
    return (static_cast<unsigned>(set) & static_cast<unsigned>(one)) != 0;
}

namespace exploration {
/// No default: the compilers warn of a reduction without a name.
constexpr const char* name_of(reduction one) {
    switch (one) {
        case reduction::none: return "none";
        case reduction::sleep: return "sleep";
        case reduction::ample: return "ample";
        case reduction::rotations: return "rotations";
        case reduction::every: return "every";
    }
    return "";
}
}  // namespace exploration

/// How a state is recognised when it is met again.
///   bits64, bits128   by a fingerprint of that size: two states that share it are taken for one.
///                     After n states that has happened with a probability of at most n²/2^65 or
///                     n²/2^129; the verdict says how much that is.
///   exact             by itself: nothing can be missed, at the price of keeping every state
enum class fingerprint : std::uint8_t { bits64, bits128, exact };

/// When the timers of an explored system run out.
///
/// With after_messages, `fault_budget::early_expiries` lets a timer run out before its time: while
/// messages are under way, or before one that has less time left. No time passes for the others.
/// A timer that is an application's decision does not wait for anything: it runs out at any time
/// after it was armed, and no time passes for the others. Its kind says so, also inside layers:
///     struct ask { static constexpr bool is_decision = true; };
/// But decisions take time in the end: `finally` knows of no schedule on which they are made for
/// ever while another timer stays armed, and is not armed anew (run/exploration/time_fairness.hpp).
/// Messages that go on by themselves for ever do keep timers waiting.
enum class timers : std::uint8_t {
    after_messages,   // only when no message is under way, the one with the least delay left first
    any_time          // whenever armed: delays mean nothing
};

/// When the chosen initiators start.
enum class starting : std::uint8_t {
    at_once,            // before anything else
    before_receiving,   // each as an event of its own; its messages wait until then
    any_time            // each as an event of its own, perhaps after it was reached
};

/// How much may go wrong on one schedule, each kind up to its budget, between any two events. A
/// process that keeps something may also crash within a handler, after any of its effects. What is
/// said with true or false has no budget of its own: it goes with the crashes.
struct fault_budget {
    std::uint8_t crashes = 0;
    std::uint8_t restarts = 0;            // of crashed nodes, with what they kept
    std::uint8_t amnesias = 0;            // of crashed nodes, with nothing but a new incarnation
    std::uint8_t losses = 0;
    std::uint8_t duplicates = 0;
    std::uint8_t wrong_suspicions = 0;    // each followed by a `trust`, sooner or later or never
    std::uint8_t cuts = 0;                // of one direction of a link, mended later or never
    std::uint8_t early_expiries = 0;      // of timers before their time: see caucus::timers
    bool midway = false;    // whoever crashes may do so after any part of what its handler asks for
    bool fragile = false;   // of what a dead node has sent, the last on each link may be lost, and
                            // so on to the first; on links without order any
    /// With detector = eventual{}: that a life is over may be told when the next has begun, once,
    /// or never. Whoever returns is then trusted by all who hear of it, before or after that.
    bool late_suspicions = false;

    bool any() const {
        return crashes + restarts + amnesias + losses + duplicates + wrong_suspicions + cuts != 0 ||
               early_expiries != 0;
    }
};

}  // namespace caucus
