// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/storage.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>

namespace caucus {

/// A set of ports. The first 64 live in one word; only nodes of larger degree need more.
template <class Storage = heap_storage>
class port_set {
public:
    constexpr bool contains(port p) const {
        if (p.index() < word_bits) return (first_ >> p.index() & 1u) != 0;
        const std::size_t word = p.index() / word_bits - 1;
        return word < rest_.size() && (rest_[word] >> p.index() % word_bits & 1u) != 0;
    }
    constexpr bool empty() const { return size_ == 0; }
    constexpr std::size_t size() const { return size_; }

    /// Is the port new? Repeated ones change nothing.
    constexpr bool insert(port p) {
        if (contains(p)) return false;
        word_of(p) |= bit(p);
        ++size_;
        return true;
    }
    constexpr bool erase(port p) {
        if (!contains(p)) return false;
        word_of(p) &= ~bit(p);
        --size_;
        // Equal sets have equal fields, whatever they held before.
        while (rest_.size() != 0 && rest_[rest_.size() - 1] == 0) rest_.pop_back();
        return true;
    }
    constexpr void clear() {
        first_ = 0;
        size_ = 0;
        rest_.clear();
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.first_, self.size_, self.rest_);
    }

private:
    static constexpr std::size_t word_bits = 64;

    static constexpr std::uint64_t bit(port p) { return std::uint64_t{1} << p.index() % word_bits; }
    constexpr std::uint64_t& word_of(port p) {
        if (p.index() < word_bits) return first_;
        const std::size_t word = p.index() / word_bits - 1;
        if (rest_.size() <= word) rest_.resize(word + 1, 0);
        return rest_[word];
    }

    template <class S>
    struct words {
        using type = typename S::template sequence<std::uint64_t>;
    };
    template <std::size_t N>
    struct words<inplace_storage<N>> {
        using type = inplace_sequence<std::uint64_t, (N + word_bits - 1) / word_bits - (N != 0)>;
    };

    std::uint64_t first_ = 0;
    std::uint32_t size_ = 0;
    [[no_unique_address]] typename words<Storage>::type rest_{};
};

}  // namespace caucus
