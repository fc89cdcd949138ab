// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace caucus {

/// A place in a topology. Only executors know it; algorithms see ports and ids.
/// Converts to its index, so `ids[v]` compiles, and not back: an index is never taken for a node.
struct node {
    std::size_t index = 0;

    constexpr operator std::size_t() const { return index; }
    friend constexpr bool operator==(node, node) = default;
};

/// A node's local name for one of its links, 0 … degree-1: all that an algorithm can address.
class port {
public:
    constexpr port() = default;
    template <std::integral I>
    constexpr explicit port(I index) : index_(static_cast<std::uint32_t>(index)) {}

    constexpr std::size_t index() const { return index_; }
    constexpr operator std::size_t() const { return index_; }
    friend constexpr bool operator==(port, port) = default;

private:
    std::uint32_t index_ = 0;
};

/// The ports of every ring: messages leave by `next`; on a one-way ring they only arrive by `prev`.
inline constexpr port next{0};
inline constexpr port prev{1};

/// Where what came in by this port of a ring goes on.
constexpr port opposite(port p) { return p == next ? prev : next; }

/// Where a link ends: the node there, and the port by which it arrives.
struct far_end {
    caucus::node node;
    caucus::port port;

    friend constexpr bool operator==(far_end, far_end) = default;
};

/// The ports 0 … degree-1, for a range-based for.
class ports {
public:
    constexpr explicit ports(std::size_t degree) : degree_(degree) {}

    class iterator {
    public:
        constexpr explicit iterator(std::size_t index) : index_(index) {}
        constexpr port operator*() const { return port{index_}; }
        constexpr iterator& operator++() { ++index_; return *this; }
        friend constexpr bool operator==(iterator, iterator) = default;

    private:
        std::size_t index_;
    };

    constexpr iterator begin() const { return iterator{0}; }
    constexpr iterator end() const { return iterator{degree_}; }

private:
    std::size_t degree_;
};

}  // namespace caucus
