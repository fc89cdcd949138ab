// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/process.hpp>
#include <caucus/wave/steering.hpp>

#include <cstdint>
#include <optional>
#include <tuple>
#include <variant>

namespace caucus {

/// One token walks through the graph, depth first, and folds every node's value into one.
///
/// Model     any connected graph, no ids, one initiator; reliable links, any order, duplicates too
/// Safety    the initiator completes once at most, after all were visited; parents span a
///           depth-first tree
/// Liveness  if exactly one node starts, it completes
/// Cost      exactly 2|E|; by_path 2(n-1), of up to n ids each; as much time, one after the other
/// Faults    a crashed node or a lost message ends the walk; two initiators mix their tokens
/// Source    Cheung, IEEE TSE 9(4), 1983; Mattern, Verteilte Basisalgorithmen, 1989
///
/// folding   fold(a, b), associative: values come in the order of the visits. Default maximum;
///           traversal{1, sum{}} counts nodes.
/// steering  by_colour{}, or by_path{id, peers} where ids are unique and the neighbours' are known.
///           Default by_colour: nothing need be known.
/// storage   heap_storage or inplace_storage<ports> (by_path: <nodes>). Default heap_storage.
template <class Value, class... Policies>
class traversal {
    static_assert(roles<folding, steering, storage>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using fold = policy<folding, maximum, Policies...>;
    using steer = policy<steering, by_colour, Policies...>;
    using store = policy<storage, typename steer::own_storage, Policies...>;
    using stay = stopover<steer, store>;
    static constexpr bool knows_peers = steer::names == naming::distinct;

public:
    struct token {
        Value value;
        [[no_unique_address]] typename stay::trail visited;
    };
    using message = std::variant<token>;
    using timer = nothing;
    using outcome = outcome_within<completed<Value>, store>;

    static constexpr model assumes = {shape::graph, guarantee::reliable, steer::names};
    static constexpr cost messages(size s) {
        const std::uint64_t walked = s.initiators == 0 ? 0 : 2 * steer::links_walked(s);
        return {walked, walked, static_cast<double>(walked)};
    }
    static constexpr cost time(size s) { return messages(s); }

    constexpr explicit traversal(Value value, Policies... policies)
        : here_(pick<steering, by_colour>(policies...)), value_(value),
          fold_(pick<folding, maximum>(policies...)) {}

    constexpr void start(environment_for<traversal> auto& env) {
        if (role_ == role::unvisited) become_visited({value_, {}}, std::nullopt, env);
    }

    constexpr void on(const token& m, port from, environment_for<traversal> auto& env) {
        if (role_ == role::unvisited)
            return become_visited({fold_(m.value, value_), m.visited}, from, env);
        if (here_.awaits(from)) return pass_on(m, env);
        // A repeated token is dropped: sent back, it would be a second one.
        if (here_.turn_back(from)) env.send(from, m);
    }

    /// The node's own value; once it has completed, the fold of all.
    constexpr const Value& value() const { return value_; }
    constexpr bool has_completed() const { return role_ == role::completed; }
    constexpr std::optional<port> parent() const { return here_.parent(); }
    constexpr const auto& id() const requires knows_peers { return here_.guide().id(); }
    constexpr const auto& peers() const requires knows_peers { return here_.guide().peers(); }

    static constexpr auto fields(auto& self) {
        return std::tie(self.here_, self.value_, self.role_);
    }

private:
    enum class role : std::uint8_t { unvisited, visited, completed };

    constexpr void become_visited(token m, std::optional<port> from, auto& env) {
        if (here_.template overflows<outcome>(m.visited, env)) return;
        role_ = role::visited;
        here_.enter(m.visited, from);
        pass_on(m, env);
    }
    constexpr void pass_on(const token& m, auto& env) {
        if (const auto way = here_.way_on(m.visited, env.degree())) return env.send(*way, m);
        if (const auto back = here_.parent()) return env.send(*back, m);
        become_completed(m.value, env);
    }
    constexpr void become_completed(const Value& folded, auto& env) {
        role_ = role::completed;
        value_ = folded;
        env.report(outcome{completed<Value>{folded}});
    }

    stay here_;
    Value value_;
    role role_ = role::unvisited;
    [[no_unique_address]] fold fold_;
};

template <class Value, class... Policies>
traversal(Value, Policies...) -> traversal<Value, Policies...>;

}  // namespace caucus
