// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/time.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace caucus::simulation {

/// Things to be done at ticks to come. What is due within the next `horizon` ticks sits in a wheel
/// of one bucket a tick: adding and taking are O(1). What is further away waits in a heap.
/// Things due at the same tick come out in the order in which they were added.
template <class T>
class agenda {
public:
    static constexpr std::size_t horizon = 1024;

    constexpr bool empty() const { return size_ == 0; }
    constexpr std::size_t size() const { return size_; }

    /// The earliest tick with something to do, or `never`.
    constexpr ticks next() const {
        if (near_ != 0) return earliest_bucket();
        return far_.empty() ? never : far_.front().at;
    }

    /// `at` must not lie before the last tick taken.
    constexpr void add(ticks at, T thing) {
        if (buckets_.empty()) buckets_.resize(horizon);
        ++size_;
        if (at - now_ < horizon) put(at, std::move(thing));
        else push_far({at, added_++, store(std::move(thing))});
    }

    /// Moves what is due at tick `at` into `due`, whose old buffer is kept for later buckets;
    /// `at` may lie before next(), then nothing is due.
    constexpr void take(ticks at, std::vector<T>& due) {
        due.clear();
        if (due.capacity() != 0) spare_.push_back(std::move(due));
        due = {};
        now_ = at;
        while (!far_.empty() && far_.front().at - now_ < horizon) {
            put(far_.front().at, std::move(stored_[far_.front().place]));
            free_.push_back(far_.front().place);
            pop_far();
        }
        if (near_ == 0 || earliest_bucket() != at) return;
        std::vector<T>& bucket = buckets_[at % horizon];
        due.swap(bucket);
        occupied_[at % horizon / 64] &= ~(std::uint64_t{1} << at % 64);
        near_ -= due.size();
        size_ -= due.size();
    }

    /// Nothing is to be done any more; the clock and the buffers stay.
    constexpr void clear() {
        for (std::size_t word = 0; near_ != 0 && word < words; ++word)
            for (; occupied_[word] != 0; occupied_[word] &= occupied_[word] - 1)
                buckets_[word * 64 + lowest(occupied_[word])].clear();
        far_.clear();
        stored_.clear();
        free_.clear();
        near_ = 0;
        size_ = 0;
    }

private:
    /// The heap moves these about, and the things stay where they are.
    struct distant {
        ticks at;
        std::uint64_t order;
        std::size_t place;   // in stored_

        constexpr bool before(const distant& other) const {
            return at != other.at ? at < other.at : order < other.order;
        }
    };

    constexpr void put(ticks at, T thing) {
        std::vector<T>& bucket = buckets_[at % horizon];
        if (bucket.capacity() == 0 && !spare_.empty()) {
            bucket = std::move(spare_.back());
            spare_.pop_back();
        }
        bucket.push_back(std::move(thing));
        occupied_[at % horizon / 64] |= std::uint64_t{1} << at % 64;
        ++near_;
    }

    constexpr std::size_t store(T thing) {
        if (free_.empty()) {
            stored_.push_back(std::move(thing));
            return stored_.size() - 1;
        }
        const std::size_t place = free_.back();
        free_.pop_back();
        stored_[place] = std::move(thing);
        return place;
    }

    static constexpr std::size_t lowest(std::uint64_t bits) {
        return static_cast<std::size_t>(std::countr_zero(bits));
    }
    constexpr ticks earliest_bucket() const {
        const std::size_t from = now_ % horizon;
        std::size_t word = from / 64;
        std::uint64_t bits = occupied_[word] >> from % 64 << from % 64;
        for (std::size_t steps = 0; bits == 0; ++steps) {
            word = (word + 1) % words;
            bits = occupied_[word];
            // Back at the first word: what is left of it is the end of the lap.
            if (steps + 1 == words) bits &= (std::uint64_t{1} << from % 64) - 1;
        }
        const std::size_t bucket = word * 64 + lowest(bits);
        return now_ + (bucket + horizon - from) % horizon;
    }

    constexpr void push_far(distant d) {
        std::size_t hole = far_.size();
        far_.push_back(std::move(d));
        for (; hole != 0 && far_[hole].before(far_[(hole - 1) / 4]); hole = (hole - 1) / 4)
            std::swap(far_[hole], far_[(hole - 1) / 4]);
    }
    constexpr void pop_far() {
        std::swap(far_.front(), far_.back());
        far_.pop_back();
        for (std::size_t hole = 0;;) {
            std::size_t first = hole;
            for (std::size_t child = 4 * hole + 1; child <= 4 * hole + 4 && child < far_.size();
                 ++child)
                if (far_[child].before(far_[first])) first = child;
            if (first == hole) return;
            std::swap(far_[hole], far_[first]);
            hole = first;
        }
    }

    static constexpr std::size_t words = horizon / 64;

    ticks now_ = 0;
    std::size_t size_ = 0;
    std::size_t near_ = 0;
    std::uint64_t added_ = 0;
    std::uint64_t occupied_[words] = {};
    std::vector<std::vector<T>> buckets_;
    std::vector<std::vector<T>> spare_;
    std::vector<distant> far_;
    std::vector<T> stored_;             // what is far away
    std::vector<std::size_t> free_;     // places there
};

}  // namespace caucus::simulation
