// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/policy.hpp>
#include <caucus/core/port.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace caucus {

/// A vector of at most N elements that lives where it is declared. Elements past `size()` are
/// default-constructed, so that the whole is a regular value in constant evaluation too.
template <class T, std::size_t N>
class inplace_sequence {
public:
    constexpr std::size_t size() const { return size_; }
    static constexpr std::size_t capacity() { return N; }
    constexpr const T* begin() const { return elements_; }
    constexpr const T* end() const { return elements_ + size_; }
    constexpr T* begin() { return elements_; }
    constexpr T* end() { return elements_ + size_; }
    constexpr T& operator[](std::size_t i) { CAUCUS_ASSERT(i < size_); return elements_[i]; }
    constexpr const T& operator[](std::size_t i) const {
        CAUCUS_ASSERT(i < size_);
        return elements_[i];
    }

    constexpr void push_back(const T& value) {
        CAUCUS_ASSERT(size_ < N);
        elements_[size_++] = value;
    }
    constexpr void pop_back() {
        CAUCUS_ASSERT(size_ != 0);
        elements_[--size_] = T{};
    }
    constexpr void resize(std::size_t size, const T& value) {
        CAUCUS_ASSERT(size <= N);
        for (std::size_t i = size; i < size_; ++i) elements_[i] = T{};
        for (std::size_t i = size_; i < size; ++i) elements_[i] = value;
        size_ = static_cast<std::uint32_t>(size);
    }
    constexpr void clear() { resize(0, T{}); }

private:
    T elements_[N] = {};
    std::uint32_t size_ = 0;
};

/// Room for nothing takes no room.
template <class T>
class inplace_sequence<T, 0> {
public:
    static constexpr std::size_t size() { return 0; }
    static constexpr std::size_t capacity() { return 0; }
    static constexpr T* begin() { return nullptr; }
    static constexpr T* end() { return nullptr; }
    constexpr T& operator[](std::size_t) const { return *begin(); }
    constexpr void push_back(const T&) { CAUCUS_ASSERT(false); }
    constexpr void pop_back() { CAUCUS_ASSERT(false); }
    constexpr void resize([[maybe_unused]] std::size_t size, const T&) { CAUCUS_ASSERT(size == 0); }
    constexpr void clear() {}
};

/// Per-neighbour state on the heap: any degree. The default, since a simulation has all degrees.
struct heap_storage {
    using decides = storage;
    template <class T>
    using sequence = std::vector<T>;
    static constexpr bool bounded = false;
    static constexpr bool holds(std::size_t) { return true; }
};

/// Per-neighbour state inside the process, for at most N ports: no allocation, ever. A node with
/// more ports than that reports `overflow` and stays out.
template <std::size_t N>
struct inplace_storage {
    using decides = storage;
    template <class T>
    using sequence = inplace_sequence<T, N>;
    static constexpr bool bounded = true;
    static constexpr std::size_t capacity = N;
    static constexpr bool holds(std::size_t degree) { return degree <= N; }
};

namespace detail {

template <class Range>
struct storage_of {
    using type = heap_storage;
};
template <class T, std::size_t N>
struct storage_of<std::array<T, N>> {
    using type = inplace_storage<N>;
};
template <class T, std::size_t N>
struct storage_of<inplace_sequence<T, N>> {
    using type = inplace_storage<N>;
};

/// The same storage, with room for the node itself beside its neighbours.
template <class Storage>
struct one_more {
    using type = Storage;
};
template <std::size_t N>
struct one_more<inplace_storage<N>> {
    using type = inplace_storage<N + 1>;
};

}  // namespace detail

/// Where a copy of the range lives, by its type: one that is in place itself stays in place.
template <class Range>
using storage_for = typename detail::storage_of<Range>::type;

/// The heap holds any range; bounded storage one whose size is known at compile time, if it fits.
template <class Storage, class Range>
constexpr bool surely_holds() {
    if constexpr (!Storage::bounded) return true;
    else if constexpr (!storage_for<Range>::bounded) return false;
    else return Storage::holds(storage_for<Range>::capacity);
}

template <class Storage, class Range>
concept needs_peers_that_fit__give_a_std_array = surely_holds<Storage, Range>();

/// An outcome: the storage chosen for this process is too small for its surroundings.
struct overflow {
    std::size_t needed = 0;
};

}  // namespace caucus
