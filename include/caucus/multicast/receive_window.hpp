// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/storage.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace caucus {

/// What a receiver has of one sender, whose messages are numbered: all before `expected` have been
/// handed over or passed over, that one has not come, and of those after it some have, too early.
///
/// `Storage` of those that are early; bounded storage must hold as many as `take` is allowed.
template <class Payload, class Storage = heap_storage>
class receive_window {
public:
    struct early {
        std::uint64_t number;
        Payload payload;
        static constexpr auto fields(auto& e) { return std::tie(e.number, e.payload); }
    };
    /// No sender gets so far: a greater number is a lie, or was garbled.
    static constexpr std::uint64_t number_max = ~std::uint64_t{0} >> 1;

    constexpr explicit receive_window(std::uint64_t first = 0) : expected_(first) {}

    constexpr std::uint64_t expected() const { return expected_; }
    /// One more than the greatest number that has come, if any is early; else the expected one.
    constexpr std::uint64_t end() const {
        return early_.size() == 0 ? expected_ : early_[early_.size() - 1].number + 1;
    }
    /// So many are here too early.
    constexpr std::size_t size() const { return early_.size(); }
    constexpr bool contains(std::uint64_t number) const {
        for (const early& e : early_)
            if (e.number == number) return true;
        return false;
    }
    /// Bit i: has the message come that is i + 1 after the expected one? Of the next 64.
    constexpr std::uint64_t bits() const {
        std::uint64_t found = 0;
        for (const early& e : early_)
            if (const std::uint64_t ahead = e.number - expected_ - 1; ahead < 64)
                found |= std::uint64_t{1} << ahead;
        return found;
    }
    /// one(first, count): of the numbers before `end` that have not come, one run after the other.
    constexpr void each_gap(std::uint64_t end, auto one) const {
        std::uint64_t first = expected_;
        for (const early& e : early_) {
            if (e.number >= end) break;
            if (first < e.number) one(first, e.number - first);
            first = e.number + 1;
        }
        if (first < end) one(first, end - first);
    }

    /// Takes a message and hands over, deliver(payload), all whose turn it is. One that is old, or
    /// here already, or `most` or more ahead of the expected one changes nothing.
    constexpr void take(std::uint64_t number, const Payload& payload, std::size_t most,
                        auto deliver) {
        if (number < expected_ || number - expected_ >= most || contains(number)) return;
        early_.push_back(early{number, payload});
        for (std::size_t i = early_.size() - 1; i != 0 && number < early_[i - 1].number; --i)
            std::swap(early_[i], early_[i - 1]);
        hand_over(deliver);
    }
    /// Nothing before that number comes any more: what is here is handed over, and where something
    /// is missing, miss(count) in its place.
    constexpr void pass_over(std::uint64_t before, auto deliver, auto miss) {
        if (before > number_max) return;
        while (expected_ < before) {
            const std::uint64_t from = expected_;
            expected_ = early_.size() != 0 && early_[0].number < before ? early_[0].number : before;
            miss(expected_ - from);
            hand_over(deliver);
        }
    }

    static constexpr auto fields(auto& self) { return std::tie(self.expected_, self.early_); }

private:
    constexpr void hand_over(auto deliver) {
        while (early_.size() != 0 && early_[0].number == expected_) {
            const Payload payload = std::move(early_[0].payload);
            for (std::size_t i = 1; i < early_.size(); ++i) early_[i - 1] = std::move(early_[i]);
            early_.pop_back();
            ++expected_;
            deliver(payload);
        }
    }

    std::uint64_t expected_;
    typename Storage::template sequence<early> early_{};   // in order of numbers
};

}  // namespace caucus
