// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/outcome.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/core/process.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <variant>

namespace caucus {

/// A wave floods the graph and ebbs back, folding every node's value into one at the initiator.
///
/// Model     any connected graph, no ids, one initiator; reliable links, any order, duplicates too
/// Safety    the initiator completes once at most, after all took part; parents span a tree
/// Liveness  if exactly one node starts, it completes
/// Cost      exactly 2|E|: an explorer and a reply over tree edges, two explorers over the others
/// Faults    a crashed node or a lost message stops the wave; two initiators mix their waves
/// Source    Chang, IEEE TSE 8(4), 1982; Segall, IEEE TIT 29(1), 1983
///
/// folding   fold(a, b), associative and commutative. Default maximum; echo{1, sum{}} counts nodes.
/// storage   heap_storage or inplace_storage<ports>. Default heap_storage: any degree.
template <class Value, class... Policies>
class echo {
    static_assert(roles<folding, storage>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using fold = policy<folding, maximum, Policies...>;
    using store = policy<storage, heap_storage, Policies...>;

public:
    struct explorer {};
    struct reply { Value value; };
    using message = std::variant<explorer, reply>;
    using timer = nothing;
    using outcome = outcome_within<completed<Value>, store>;

    static constexpr model assumes = {shape::graph, guarantee::reliable, naming::anonymous};
    static constexpr cost messages(size s) {
        const std::uint64_t wave = s.initiators == 0 ? 0 : 2 * s.links;
        return {wave, wave, static_cast<double>(wave)};
    }

    constexpr explicit echo(Value value, Policies... policies)
        : value_(value), fold_(pick<folding, maximum>(policies...)) {}

    constexpr void start(environment_for<echo> auto& env) {
        if (role_ != role::asleep || overflows<store, outcome>(env)) return;
        role_ = role::initiator;
        env.broadcast(explorer{});
        ebb_when_complete(env);
    }

    constexpr void on(explorer, port from, environment_for<echo> auto& env) {
        if (role_ == role::asleep) {
            if (overflows<store, outcome>(env)) return;
            become_engaged(from, env);
        }
        hear(from, env);
    }

    constexpr void on(reply m, port from, environment_for<echo> auto& env) {
        // Nobody was asked, or it is a copy, which would be folded in twice.
        if (role_ == role::asleep || heard_.contains(from)) return;
        value_ = fold_(value_, m.value);
        hear(from, env);
    }

    constexpr const Value& value() const { return value_; }
    constexpr bool has_completed() const { return role_ == role::completed; }
    constexpr std::optional<port> parent() const {
        const bool has_parent = role_ == role::engaged || role_ == role::replied;
        return has_parent ? std::optional<port>{parent_} : std::nullopt;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.value_, self.heard_, self.parent_, self.role_);
    }

private:
    enum class role : std::uint8_t { asleep, initiator, engaged, replied, completed };

    constexpr void become_engaged(port parent, auto& env) {
        role_ = role::engaged;
        parent_ = parent;
        for (const port p : ports(env.degree()))
            if (p != parent) env.send(p, explorer{});
    }

    constexpr void hear(port from, auto& env) {
        if (heard_.insert(from)) ebb_when_complete(env);
    }
    constexpr void ebb_when_complete(auto& env) {
        if (heard_.size() != env.degree()) return;
        if (role_ == role::initiator) {
            role_ = role::completed;
            env.report(outcome{completed<Value>{value_}});
        } else {
            role_ = role::replied;
            env.send(parent_, reply{value_});
        }
    }

    Value value_;
    port_set<store> heard_;
    port parent_;
    role role_ = role::asleep;
    [[no_unique_address]] fold fold_;
};

template <class Value, class... Policies>
echo(Value, Policies...) -> echo<Value, Policies...>;

}  // namespace caucus
