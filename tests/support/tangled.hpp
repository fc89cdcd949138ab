// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/random.hpp>
#include <caucus/topology/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace support {

/// Everyone linked to everyone, the ports of each node in an order of its own.
class tangled {
public:
    static constexpr caucus::shape kind = caucus::shape::complete;
    static constexpr bool one_inlet = false;

    /// How many such networks of n nodes there are; the i-th of them, or one of them by a seed.
    static std::size_t count(std::size_t n) {
        std::size_t orders = 1;
        for (std::size_t i = 2; i < n; ++i) orders *= i;
        std::size_t all = 1;
        for (std::size_t v = 0; v < n; ++v) all *= orders;
        return all;
    }
    static tangled nth(std::size_t n, std::size_t i) {
        tangled t{n};
        for (std::size_t v = 0; v < n; ++v) {
            for (std::size_t p = 1; p + 1 < n; ++p, i /= p)
                std::swap(t.at(v, p), t.at(v, i % (p + 1)));
        }
        return t;
    }
    static tangled by_seed(std::size_t n, std::uint64_t seed) {
        tangled t{n};
        caucus::random_source dice{seed};
        for (std::size_t v = 0; v < n; ++v)
            for (std::size_t p = 1; p + 1 < n; ++p)
                std::swap(t.at(v, p), t.at(v, dice.below(p + 1)));
        return t;
    }

    std::size_t nodes() const { return nodes_; }
    std::size_t links() const { return arcs() / 2; }
    std::size_t arcs() const { return nodes_ * (nodes_ - 1); }
    std::size_t degree(caucus::node) const { return nodes_ - 1; }
    std::size_t arc(caucus::node v, caucus::port p) const { return v * (nodes_ - 1) + p; }
    caucus::far_end across(caucus::node v, caucus::port p) const {
        const std::size_t to = ahead_[arc(v, p)];
        std::size_t back = 0;
        while (ahead_[to * (nodes_ - 1) + back] != v) ++back;
        return {caucus::node{to}, caucus::port{back}};
    }
    bool connected() const { return true; }
    bool acyclic() const { return nodes_ < 3; }

private:
    explicit tangled(std::size_t n) : nodes_(n) {
        for (std::size_t v = 0; v < n; ++v)
            for (std::size_t p = 0; p + 1 < n; ++p) ahead_.push_back((v + 1 + p) % n);
    }
    std::size_t& at(std::size_t v, std::size_t p) { return ahead_[v * (nodes_ - 1) + p]; }

    std::size_t nodes_;
    std::vector<std::size_t> ahead_;
};

/// Levels never fall: whoever has l now or had it before counts.
struct few_get_far {
    static std::uint64_t observes(const auto& p) { return p.level(); }
    bool operator()(const auto& g) const {
        for (std::size_t level = 1; level < g.nodes(); ++level) {
            std::size_t reached = 0;
            for (std::size_t v = 0; v < g.nodes(); ++v) reached += g[v].level() >= level;
            if (reached > g.nodes() / (level + 1)) return false;
        }
        return true;
    }
};

}  // namespace support
