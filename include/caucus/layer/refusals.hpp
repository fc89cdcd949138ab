// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/request.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace caucus {

/// As a number of retries: until it is accepted.
inline constexpr std::uint8_t for_ever = 255;

/// How often an application was refused, by answer, and whether it tries again.
///
/// Who retries for ever may be refused any number of times: then the counts are no part of what
/// explore takes for the state, which would have no end, and properties must not read them.
class refusals {
public:
    /// Takes note of an answer. False: it was refused once more than it is to be retried.
    constexpr bool note(answer said, std::uint8_t retries) {
        if (said == answer::accepted) {
            in_a_row_ = 0;
            return true;
        }
        ++(retries == for_ever ? unseen_ : counts_)[static_cast<std::size_t>(said)];
        if (retries == for_ever) return true;
        if (in_a_row_ < retries) {
            ++in_a_row_;
            return true;
        }
        in_a_row_ = 0;
        return false;
    }

    constexpr std::uint64_t by(answer a) const {
        const auto i = static_cast<std::size_t>(a);
        return counts_[i] + unseen_[i];
    }
    constexpr std::uint64_t total() const {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < answers; ++i) sum += counts_[i] + unseen_[i];
        return sum;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.in_a_row_, self.counts_);
    }

private:
    static constexpr std::size_t answers = static_cast<std::size_t>(answer::not_running) + 1;

    std::uint8_t in_a_row_ = 0;
    std::array<std::uint64_t, answers> counts_{};
    std::array<std::uint64_t, answers> unseen_{};   // of those that are retried for ever
};

}  // namespace caucus
