// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/port.hpp>
#include <caucus/topology/topology.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace caucus {

// Whom each node of a complete network asks, so that any two ask somebody in common:
//
//     const grid_quorums quorum{100};
//     events net{complete{100}, [&](node v) { return maekawa{v.index, quorum(v)}; }};
//
// nodes() says for how many nodes they are; quorum(v) names the ports of v's, without v itself,
// which is always one of them. In the first two a node is in as many quorums as its own has nodes.

namespace detail {
/// On complete{nodes}: port p of node v leads to v+1+p.
constexpr port port_towards(node to, node from, std::size_t nodes) {
    return port{(to.index + nodes - from.index - 1) % nodes};
}
constexpr void check_is_one_of(std::size_t nodes, node v) {
    if (v.index >= nodes) refuse("quorums: of node ", v.index, " there is none, of ", nodes);
}
}  // namespace detail

/// The nodes stand row by row in a square, the last rows of which may be short or missing: a node
/// asks its row and its column. 2·sqrt(n)-1 are a quorum if n is a square.
class grid_quorums {
    constexpr void each_member(node v, auto act) const {
        const std::size_t own = v / width_;
        for (std::size_t row = 0; row * width_ < nodes_; ++row) {
            const std::size_t first = row * width_ + (row == own ? 0 : v % width_);
            const std::size_t end = row == own ? first + width_ : first + 1;
            for (std::size_t u = first; u < end && u < nodes_; ++u) act(u);
        }
    }

public:
    constexpr explicit grid_quorums(std::size_t nodes)
        : nodes_(detail::checked_nodes("grid_quorums", nodes)) {
        while (width_ * width_ < nodes_) ++width_;
    }

    constexpr std::size_t nodes() const { return nodes_; }
    /// Of two nodes in different rows the one in the last row may miss the other's column; but its
    /// own column the other's row has, being full.
    constexpr std::vector<port> operator()(node v) const {
        detail::check_is_one_of(nodes_, v);
        std::vector<port> quorum;
        each_member(v, [&](std::size_t u) { if (u > v) quorum.push_back(towards(u, v)); });
        each_member(v, [&](std::size_t u) { if (u < v) quorum.push_back(towards(u, v)); });
        return quorum;
    }

private:
    constexpr port towards(std::size_t to, node from) const {
        return detail::port_towards(node{to}, from, nodes_);
    }
    std::size_t nodes_;
    std::size_t width_ = 1;
};

/// The lines of a projective plane of prime order q: q²+q+1 nodes in quorums of q+1, any two of
/// which have exactly one node in common. There are no smaller ones.
///
/// Node v asks v+d for every d of a set in which each difference occurs once (Singer, Trans. AMS
/// 43, 1938): the exponents of those powers of x, modulo a cubic polynomial over q, that lie in the
/// plane without x², if only every (q²+q+1)th power is a number.
class plane_quorums {
public:
    constexpr explicit plane_quorums(std::size_t order) : nodes_(order * order + order + 1) {
        check(order);
        for (std::size_t i = 0; steps_.empty(); ++i)
            steps_ = steps_of({i / (order * order), i / order % order, i % order}, order);
    }

    constexpr std::size_t nodes() const { return nodes_; }
    constexpr std::vector<port> operator()(node v) const {
        detail::check_is_one_of(nodes_, v);
        std::vector<port> quorum;
        for (const std::size_t step : steps_)
            if (step != 0) quorum.push_back(port{step - 1});
        return quorum;
    }

private:
    /// square·x² + linear·x + number
    struct polynomial { std::size_t square, linear, number; };

    static constexpr void check(std::size_t order) {
        bool is_prime = order >= 2;
        for (std::size_t i = 2; i * i <= order; ++i) is_prime = is_prime && order % i != 0;
        if (!is_prime) refuse("plane_quorums: the order ", order, " is not a prime");
        if (order > 1000) refuse("plane_quorums: the order ", order, "; at most 1000");
    }
    /// x³ = cube. None if the powers of x come to a number too early: then not all are found.
    constexpr std::vector<std::size_t> steps_of(polynomial cube, std::size_t q) const {
        std::vector<std::size_t> steps;
        polynomial power{0, 0, 1};
        for (std::size_t i = 0; i < nodes_; ++i) {
            if (power.square == 0) {
                if (i != 0 && power.linear == 0) return {};
                steps.push_back(i);
            }
            power = {(power.linear + power.square * cube.square) % q,
                     (power.number + power.square * cube.linear) % q,
                     power.square * cube.number % q};
        }
        if (power.square != 0 || power.linear != 0) steps.clear();
        return steps;
    }

    std::size_t nodes_;
    std::vector<std::size_t> steps_{};
};

/// Given ones: lists[v] are the nodes of v's quorum. Refuses those that do not keep nodes apart.
class listed_quorums {
public:
    constexpr explicit listed_quorums(std::vector<std::vector<std::size_t>> lists)
        : lists_(std::move(lists)) {
        std::vector<std::vector<char>> in(nodes(), std::vector<char>(nodes(), 0));
        for (std::size_t v = 0; v < nodes(); ++v) mark(v, in[v]);
        for (std::size_t u = 0; u < nodes(); ++u)
            for (std::size_t v = 0; v < u; ++v)
                if (!meet(lists_[u], in[v]))
                    refuse("quorums: those of nodes ", v, " and ", u, " have no node in common");
    }

    constexpr std::size_t nodes() const { return lists_.size(); }
    constexpr std::vector<port> operator()(node v) const {
        detail::check_is_one_of(nodes(), v);
        std::vector<port> quorum;
        for (const std::size_t u : lists_[v])
            if (u != v) quorum.push_back(detail::port_towards(node{u}, v, nodes()));
        return quorum;
    }

private:
    constexpr void mark(std::size_t v, std::vector<char>& in) const {
        for (const std::size_t u : lists_[v]) {
            if (u >= nodes())
                refuse("quorums: node ", v, " asks node ", u, " of ", nodes(), " nodes");
            if (in[u] != 0) refuse("quorums: node ", v, " asks node ", u, " twice");
            in[u] = 1;
        }
        if (in[v] == 0) refuse("quorums: node ", v, " is not in its own quorum");
    }
    static constexpr bool meet(const std::vector<std::size_t>& a, const std::vector<char>& b) {
        for (const std::size_t u : a)
            if (b[u] != 0) return true;
        return false;
    }

    std::vector<std::vector<std::size_t>> lists_;
};

}  // namespace caucus
