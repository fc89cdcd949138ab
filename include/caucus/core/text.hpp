// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace caucus {

/// A run of characters owned by somebody else. `std::string_view` with its five members that we
/// use: the standard header would cost every user another 3,500 lines.
class text {
public:
    constexpr text() = default;
    constexpr text(const char* begin, std::size_t size) : begin_(begin), size_(size) {}
    constexpr text(const char* words) : begin_(words) {
        while (words[size_] != '\0') ++size_;
    }

    constexpr const char* data() const { return begin_; }
    constexpr std::size_t size() const { return size_; }
    constexpr const char* begin() const { return begin_; }
    constexpr const char* end() const { return begin_ + size_; }

    friend constexpr bool operator==(text a, text b) {
        if (a.size_ != b.size_) return false;
        for (std::size_t i = 0; i < a.size_; ++i)
            if (a.begin_[i] != b.begin_[i]) return false;
        return true;
    }

private:
    const char* begin_ = "";
    std::size_t size_ = 0;
};

}  // namespace caucus
