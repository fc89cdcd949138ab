// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/fields.hpp>
#include <caucus/core/kind.hpp>
#include <caucus/core/port.hpp>
#include <caucus/core/random.hpp>
#include <caucus/core/time.hpp>
#include <caucus/trace/observer.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace caucus {

/// One number for all that happened: every input and effect of every node, in each node's own
/// order. The order between nodes leaves no mark in it.
class trace_hash : public observer {
public:
    constexpr void handled(ticks at, node v, const auto& in) {
        fold(v, at, 1, caucus::hash(in, name_of(in)));
    }
    constexpr void sent(ticks at, node v, port p, const auto& m) {
        fold(v, at, 2, caucus::hash(m, mix(p, name_of(m))));
    }
    constexpr void armed(ticks at, node v, const auto& t, ticks delay) {
        fold(v, at, 3, caucus::hash(t, delay));
    }
    constexpr void disarmed(ticks at, node v, const auto& t) { fold(v, at, 4, caucus::hash(t)); }
    constexpr void reported(ticks at, node v, const auto& o) { fold(v, at, 5, caucus::hash(o)); }

    constexpr std::uint64_t value() const {
        std::uint64_t sum = 0;
        for (std::size_t v = 0; v < of_node_.size(); ++v) sum += mix(v, of_node_[v]);
        return sum;
    }

private:
    /// Without the name, all inputs without fields are one, and so are all such messages.
    template <class T>
    static constexpr std::uint64_t name_of(const T&) {
        return std::is_class_v<T> ? caucus::hash(kind_name<T>()) : 0;
    }

    constexpr void fold(std::size_t v, ticks at, std::uint64_t what, std::uint64_t value) {
        while (of_node_.size() <= v) of_node_.push_back(0);
        of_node_[v] = mix(mix(of_node_[v], at), mix(what, value));
    }

    std::vector<std::uint64_t> of_node_;
};

}  // namespace caucus
