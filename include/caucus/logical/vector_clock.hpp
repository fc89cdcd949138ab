// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/policy.hpp>
#include <caucus/core/storage.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace caucus {

/// How many events of each process an event knows of: one can have been the cause of another if and
/// only if its clock is less. A copy of the clock is the stamp of the latest event.
///
///     vector_clock mine;
///     mine.tick(self);                   // an event of one's own: send a copy with the message
///     mine.learn(theirs, self);          // a message has come; by the paper this is an event,
///     mine.tick(self);                   // too
///     a < b;  a == b;  concurrent(a, b);
///
/// Processes are numbered 0, 1, …; who joins takes the next number. A clock is as long as the last
/// process that it knows an event of; of the others it knows none, so that clocks of any two
/// lengths can be compared.
///
/// Cost      an integer for each process, in each message; no shorter stamps can do the same
///           (Charron-Bost, IPL 39, 1991)
/// Overflow  a process is the only one that counts its events, so that nobody else can use up its
///           numbers: a clock that knows of events of `self` that self does not is refused
/// Source    Mattern, Parallel and Distributed Algorithms, 1989; Fidge, ACSC 10, 1988
///
/// `Storage` of the counts: heap_storage by default; inplace_storage<N> for at most N processes.
template <class Storage = heap_storage>
class vector_clock {
public:
    constexpr vector_clock() = default;
    constexpr explicit vector_clock(Storage) {}

    /// How many events of that process it knows of.
    constexpr std::uint64_t operator[](std::size_t process) const {
        return process < counts_.size() ? counts_[process] : 0;
    }
    /// It knows of no event of this process, nor of those after it.
    constexpr std::size_t size() const {
        std::size_t size = counts_.size();
        while (size != 0 && counts_[size - 1] == 0) --size;   // only a stranger's end with 0
        return size;
    }

    /// An event of that process: its number.
    constexpr std::uint64_t tick(std::size_t process) {
        CAUCUS_ASSERT(Storage::holds(process + 1));
        if (counts_.size() <= process) counts_.resize(process + 1, 0);
        CAUCUS_ASSERT(counts_[process] != ~std::uint64_t{0});
        return ++counts_[process];
    }

    /// Whatever happened before `other` has happened before the next event of `self`.
    /// False: refused, it tells of events of self that there have not been. Either that is not
    /// true, or self has forgotten them in a crash.
    constexpr bool learn(const vector_clock& other, std::size_t self) {
        if (other[self] > (*this)[self]) return false;
        const std::size_t longer = other.size();
        if (counts_.size() < longer) counts_.resize(longer, 0);
        for (std::size_t p = 0; p < longer; ++p)
            if (counts_[p] < other.counts_[p]) counts_[p] = other.counts_[p];
        return true;
    }

    /// less: can have been a cause of it. unordered: neither can have been one of the other.
    friend constexpr std::partial_ordering operator<=>(const vector_clock& a,
                                                       const vector_clock& b) {
        bool knows_less = false;
        bool knows_more = false;
        for (std::size_t p = 0; p < a.counts_.size() || p < b.counts_.size(); ++p) {
            knows_less = knows_less || a[p] < b[p];
            knows_more = knows_more || a[p] > b[p];
        }
        if (knows_less && knows_more) return std::partial_ordering::unordered;
        if (knows_less) return std::partial_ordering::less;
        return knows_more ? std::partial_ordering::greater : std::partial_ordering::equivalent;
    }
    friend constexpr bool operator==(const vector_clock& a, const vector_clock& b) {
        return (a <=> b) == 0;
    }
    friend constexpr bool concurrent(const vector_clock& a, const vector_clock& b) {
        return (a <=> b) == std::partial_ordering::unordered;
    }

    static constexpr auto fields(auto& self) { return std::tie(self.counts_); }

private:
    typename Storage::template sequence<std::uint64_t> counts_{};   // its last one is not 0
};

}  // namespace caucus
