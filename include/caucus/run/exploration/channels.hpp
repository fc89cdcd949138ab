// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/exploration/table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace caucus::exploration {

/// All contents that an arc has had, each with an index; 0 is the empty arc. Pushing and popping
/// are computed once and looked up afterwards.
class channels {
public:
    explicit channels(bool fifo) : fifo_(fifo) { contents_.index_of({}); }

    const std::vector<std::uint32_t>& operator[](std::uint32_t content) const {
        return contents_[content];
    }
    std::uint64_t hash_of(std::uint32_t content) const { return contents_.hash_of(content); }
    std::size_t size() const { return contents_.size(); }

    std::optional<std::uint32_t> push(std::uint32_t content, std::uint32_t message, bool learn) {
        if (const auto* known = pushed_.find(content, message)) return *known;
        if (!learn) return std::nullopt;
        std::vector<std::uint32_t> longer = contents_[content];
        const auto at =
            fifo_ ? longer.end() : std::upper_bound(longer.begin(), longer.end(), message);
        longer.insert(at, message);
        return pushed_.insert(content, message, index_of(longer));
    }

    /// The content without the message in that place; on fifo links that is the first.
    std::optional<std::uint32_t> pop(std::uint32_t content, std::size_t place, bool learn) {
        if (const auto* known = popped_.find(content, place)) return *known;
        if (!learn) return std::nullopt;
        std::vector<std::uint32_t> shorter = contents_[content];
        shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(place));
        return popped_.insert(content, place, index_of(shorter));
    }

    /// The content with one more message in that place.
    std::uint32_t insert(std::uint32_t content, std::size_t place, std::uint32_t message) {
        std::vector<std::uint32_t> longer = contents_[content];
        longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(place), message);
        return index_of(longer);
    }

    std::size_t bytes() const {
        return contents_.bytes() + pushed_.bytes() + popped_.bytes() + messages_;
    }

private:
    std::uint32_t index_of(const std::vector<std::uint32_t>& content) {
        const std::size_t before = contents_.size();
        const std::uint32_t index = contents_.index_of(content);
        if (index == before) messages_ += 4 * content.size();
        return index;
    }

    bool fifo_;
    table<std::vector<std::uint32_t>> contents_;
    memo<std::uint32_t> pushed_;
    memo<std::uint32_t> popped_;
    std::size_t messages_ = 0;   // bytes
};

}  // namespace caucus::exploration
