// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/random.hpp>
#include <caucus/run/explore_options.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace caucus::exploration {

/// Rows of small indices: two bytes each while that is enough, then four.
class rows {
public:
    explicit rows(std::size_t width) : width_(width) {}
    /// Only while there are none.
    void of_width(std::size_t width) { width_ = width; }

    std::size_t size() const { return wide_ ? fours_.size() / width_ : twos_.size() / width_; }
    std::size_t bytes() const { return 2 * twos_.capacity() + 4 * fours_.capacity(); }

    void push(const std::uint32_t* row) {
        if (!wide_) {
            std::uint32_t bits = 0;
            for (std::size_t i = 0; i < width_; ++i) bits |= row[i];
            if (bits >> 16 != 0) widen();
        }
        if (wide_) {
            fours_.insert(fours_.end(), row, row + width_);
        } else {
            twos_.resize(twos_.size() + width_);
            std::uint16_t* to = twos_.data() + twos_.size() - width_;
            for (std::size_t i = 0; i < width_; ++i) to[i] = static_cast<std::uint16_t>(row[i]);
        }
    }
    void load(std::size_t index, std::uint32_t* row) const {
        if (wide_) {
            const std::uint32_t* from = fours_.data() + index * width_;
            for (std::size_t i = 0; i < width_; ++i) row[i] = from[i];
        } else {
            const std::uint16_t* from = twos_.data() + index * width_;
            for (std::size_t i = 0; i < width_; ++i) row[i] = from[i];
        }
    }
    void pop() {
        if (wide_) fours_.resize(fours_.size() - width_);
        else twos_.resize(twos_.size() - width_);
    }
    /// With rows of the same width.
    void swap(rows& other) {
        std::swap(wide_, other.wide_);
        twos_.swap(other.twos_);
        fours_.swap(other.fours_);
    }
    void clear() {
        twos_.clear();
        fours_.clear();
    }

private:
    void widen() {
        fours_.resize(twos_.size());
        for (std::size_t i = 0; i < twos_.size(); ++i) fours_[i] = twos_[i];
        twos_ = {};
        wide_ = true;
    }

    std::size_t width_;
    bool wide_ = false;
    std::vector<std::uint16_t> twos_;
    std::vector<std::uint32_t> fours_;
};

/// The states seen so far, numbered in the order in which they were found.
class visited {
public:
    struct answer {
        std::uint32_t index;
        bool fresh;
    };

    visited(fingerprint kind, std::size_t width) : kind_(kind), rows_(width), row_(width) {}

    std::size_t size() const { return prints_.size(); }
    std::size_t bytes() const {
        return 8 * (slots_.capacity() + prints_.capacity() + seconds_.capacity()) + rows_.bytes();
    }

    void prefetch(std::uint64_t print) const {
        if (!slots_.empty()) __builtin_prefetch(&slots_[print & (slots_.size() - 1)]);
    }
    /// Compares 64 bits only: `false` is certain, `true` may be another state with the same print.
    bool contains(std::uint64_t print) const {
        if (slots_.empty()) return false;
        for (std::size_t slot = print & mask();; slot = (slot + 1) & mask()) {
            if (slots_[slot] == 0) return false;
            if (is_print(slots_[slot], print)) return true;
        }
    }
    answer find_or_add(std::uint64_t print, const std::uint32_t* row) {
        if (4 * (prints_.size() + 1) > 3 * slots_.size()) grow();
        for (std::size_t slot = print & mask();; slot = (slot + 1) & mask()) {
            if (slots_[slot] == 0) {
                slots_[slot] = upper(print) | (prints_.size() + 1);
                prints_.push_back(print);
                if (kind_ == fingerprint::bits128) seconds_.push_back(second(row));
                if (kind_ == fingerprint::exact) rows_.push(row);
                return {static_cast<std::uint32_t>(prints_.size() - 1), true};
            }
            if (is_print(slots_[slot], print) && confirmed(index_in(slots_[slot]), row))
                return {index_in(slots_[slot]), false};
        }
    }

private:
    static constexpr std::uint64_t upper(std::uint64_t print) { return print >> 32 << 32; }
    static constexpr std::uint32_t index_in(std::uint64_t slot) {
        return static_cast<std::uint32_t>(slot) - 1;
    }
    std::size_t mask() const { return slots_.size() - 1; }
    bool is_print(std::uint64_t slot, std::uint64_t print) const {
        return upper(slot) == upper(print) && prints_[index_in(slot)] == print;
    }
    bool confirmed(std::uint32_t index, const std::uint32_t* row) {
        if (kind_ == fingerprint::bits64) return true;
        if (kind_ == fingerprint::bits128) return seconds_[index] == second(row);
        rows_.load(index, row_.data());
        for (std::size_t i = 0; i < row_.size(); ++i)
            if (row_[i] != row[i]) return false;
        return true;
    }
    std::uint64_t second(const std::uint32_t* row) const {
        std::uint64_t h = 0x243f6a8885a308d3u;
        for (std::size_t i = 0; i < row_.size(); ++i) h = mix(h, row[i]);
        return h;
    }

    void grow() {
        std::vector<std::uint64_t>(slots_.empty() ? 1024 : 2 * slots_.size(), 0).swap(slots_);
        for (std::size_t i = 0; i < prints_.size(); ++i) {
            std::size_t slot = prints_[i] & mask();
            while (slots_[slot] != 0) slot = (slot + 1) & mask();
            slots_[slot] = upper(prints_[i]) | (i + 1);
        }
    }

    fingerprint kind_;
    std::vector<std::uint64_t> slots_;    // the upper half of the fingerprint, and the index + 1
    std::vector<std::uint64_t> prints_;
    std::vector<std::uint64_t> seconds_;
    rows rows_;
    std::vector<std::uint32_t> row_;
};

}  // namespace caucus::exploration
