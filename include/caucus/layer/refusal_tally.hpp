// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/request.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace caucus {

/// As a number of retries: until it is accepted.
inline constexpr std::uint8_t for_ever = 255;

/// How often an application was refused, by answer, and whether it tries again.
///
/// Who retries or asks for ever may be refused any number of times: then the counts are no part of
/// what explore takes for the state, which would have no end, and properties must not read them.
class refusal_tally {
public:
    struct count {
        answer said{};
        std::uint64_t times = 0;
    };

    /// Takes note of an answer. False: it was refused once more than it is to be retried.
    constexpr bool note(answer said, std::uint8_t retries, bool asks_for_ever = false) {
        if (said == answer::accepted) {
            in_a_row_ = 0;
            return true;
        }
        const bool unbounded = retries == for_ever || asks_for_ever;
        ++(unbounded ? place(unseen_, said) : place(counts_, said)).times;
        if (retries == for_ever) return true;
        const bool patient = in_a_row_ < retries;
        in_a_row_ = static_cast<std::uint8_t>(patient ? in_a_row_ + 1 : 0);
        return patient;
    }

    constexpr std::uint64_t by(answer a) const {
        return sum([a](const count& c) { return c.said == a; });
    }
    constexpr std::uint64_t total() const {
        return sum([](const count&) { return true; });
    }

    static constexpr auto fields(auto& self) { return std::tie(self.in_a_row_, self.counts_); }

private:
    constexpr std::uint64_t sum(auto counts) const {
        std::uint64_t times = 0;
        for (const auto* list : {&counts_, &unseen_})
            for (const count& c : *list)
                if (counts(c)) times += c.times;
        return times;
    }
    /// In order of answers: the same refusals in another order are the same value.
    static constexpr count& place(std::vector<count>& counts, answer said) {
        std::size_t i = 0;
        while (i < counts.size() && counts[i].said < said) ++i;
        if (i == counts.size() || counts[i].said != said)
            counts.insert(counts.begin() + static_cast<std::ptrdiff_t>(i), count{said});
        return counts[i];
    }

    std::uint8_t in_a_row_ = 0;
    std::vector<count> counts_{};
    std::vector<count> unseen_{};   // of what is retried for ever
};

}  // namespace caucus
