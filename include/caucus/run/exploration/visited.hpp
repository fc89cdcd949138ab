// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace caucus::exploration {

/// Rows of small indices: two bytes each while that is enough, then four.
class rows {
public:
    explicit rows(std::size_t width) : width_(width) {}

    std::size_t size() const { return wide_ ? fours_.size() / width_ : twos_.size() / width_; }
    std::size_t bytes() const { return 2 * twos_.capacity() + 4 * fours_.capacity(); }

    void push(const std::uint32_t* row) {
        if (!wide_) {
            std::uint32_t all = 0;
            for (std::size_t i = 0; i < width_; ++i) all |= row[i];
            if (all >> 16 != 0) widen();
        }
        if (wide_) fours_.insert(fours_.end(), row, row + width_);
        else for (std::size_t i = 0; i < width_; ++i) twos_.push_back(static_cast<std::uint16_t>(row[i]));
    }
    void load(std::size_t index, std::uint32_t* row) const {
        if (wide_) for (std::size_t i = 0; i < width_; ++i) row[i] = fours_[index * width_ + i];
        else for (std::size_t i = 0; i < width_; ++i) row[i] = twos_[index * width_ + i];
    }
    void clear() {
        twos_.clear();
        fours_.clear();
    }
    void swap(rows& other) {
        twos_.swap(other.twos_);
        fours_.swap(other.fours_);
        const bool mine = wide_;
        wide_ = other.wide_;
        other.wide_ = mine;
    }

private:
    void widen() {
        fours_.assign(twos_.begin(), twos_.end());
        twos_ = {};
        wide_ = true;
    }

    std::size_t width_;
    bool wide_ = false;
    std::vector<std::uint16_t> twos_;
    std::vector<std::uint32_t> fours_;
};

/// The states seen so far, by fingerprint, numbered in the order in which they were found. Two
/// states with the same fingerprint are taken for one: after n states that has happened to some
/// pair with a probability of at most n²/2^65 (64 bits).
class visited {
public:
    struct answer {
        std::uint32_t index;
        bool fresh;
    };

    std::size_t size() const { return prints_.size(); }
    std::size_t bytes() const { return 8 * (slots_.capacity() + prints_.capacity()); }

    void prefetch(std::uint64_t print) const {
        if (!slots_.empty()) __builtin_prefetch(&slots_[print & (slots_.size() - 1)]);
    }
    bool contains(std::uint64_t print) const {
        if (slots_.empty()) return false;
        const std::uint64_t tag = print >> 32 << 32;
        for (std::size_t slot = print & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
            const std::uint64_t here = slots_[slot];
            if (here == 0) return false;
            if (here >> 32 << 32 == tag && prints_[static_cast<std::uint32_t>(here) - 1] == print) return true;
        }
    }
    answer find_or_add(std::uint64_t print) {
        if (4 * (prints_.size() + 1) > 3 * slots_.size()) grow();
        const std::uint64_t tag = print >> 32 << 32;
        for (std::size_t slot = print & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
            const std::uint64_t here = slots_[slot];
            if (here == 0) {
                prints_.push_back(print);
                slots_[slot] = tag | prints_.size();
                return {static_cast<std::uint32_t>(prints_.size() - 1), true};
            }
            const auto index = static_cast<std::uint32_t>(here) - 1;
            if (here >> 32 << 32 == tag && prints_[index] == print) return {index, false};
        }
    }

private:
    void grow() {
        std::vector<std::uint64_t>(slots_.empty() ? 1024 : 2 * slots_.size(), 0).swap(slots_);
        for (std::size_t i = 0; i < prints_.size(); ++i) {
            std::size_t slot = prints_[i] & (slots_.size() - 1);
            while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = prints_[i] >> 32 << 32 | (i + 1);
        }
    }

    std::vector<std::uint64_t> slots_;    // the upper half of the fingerprint, and the index + 1
    std::vector<std::uint64_t> prints_;
};

}  // namespace caucus::exploration
