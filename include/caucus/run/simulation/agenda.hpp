// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/time.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace caucus::simulation {

/// Numbers by when they are due; those of one tick in the order in which they came.
class due_heap {
public:
    constexpr bool empty() const { return all_.empty(); }
    constexpr ticks next() const { return all_.empty() ? never : all_.front().at; }

    constexpr void push(ticks at, std::size_t number) {
        std::size_t hole = all_.size();
        all_.push_back({at, pushed_++, number});
        for (; hole != 0 && all_[hole].before(all_[(hole - 1) / 4]); hole = (hole - 1) / 4)
            std::swap(all_[hole], all_[(hole - 1) / 4]);
    }
    constexpr std::size_t pop() {
        const std::size_t number = all_.front().number;
        std::swap(all_.front(), all_.back());
        all_.pop_back();
        for (std::size_t hole = 0;;) {
            std::size_t first = hole;
            for (std::size_t child = 4 * hole + 1; child <= 4 * hole + 4 && child < all_.size();
                 ++child)
                if (all_[child].before(all_[first])) first = child;
            if (first == hole) return number;
            std::swap(all_[hole], all_[first]);
            hole = first;
        }
    }
    constexpr void clear() { all_.clear(); }

private:
    struct entry {
        ticks at;
        std::uint64_t order;
        std::size_t number;

        constexpr bool before(const entry& other) const {
            return at != other.at ? at < other.at : order < other.order;
        }
    };

    std::vector<entry> all_;
    std::uint64_t pushed_ = 0;
};

/// Things that stay where they are put, each in a numbered place, until they are taken.
template <class T>
class places {
public:
    constexpr std::size_t put(T thing) {
        if (free_.empty()) {
            things_.push_back(std::move(thing));
            return things_.size() - 1;
        }
        const std::size_t place = free_.back();
        free_.pop_back();
        things_[place] = std::move(thing);
        return place;
    }
    constexpr T take(std::size_t place) {
        free_.push_back(place);
        return std::move(things_[place]);
    }
    constexpr void clear() {
        things_.clear();
        free_.clear();
    }

private:
    std::vector<T> things_;
    std::vector<std::size_t> free_;
};

/// So many vectors, none until they are made: half the code of a vector of vectors.
template <class T, std::size_t Size>
class row_of_vectors {
public:
    constexpr row_of_vectors() = default;
    constexpr row_of_vectors(row_of_vectors&& other) noexcept
        : all_(std::exchange(other.all_, nullptr)) {}
    constexpr row_of_vectors(const row_of_vectors& other) {
        if (other.all_ == nullptr) return;
        make_once();
        for (std::size_t i = 0; i < Size; ++i) all_[i] = other.all_[i];
    }
    constexpr row_of_vectors& operator=(row_of_vectors other) noexcept {
        std::swap(all_, other.all_);
        return *this;
    }
    constexpr ~row_of_vectors() { delete[] all_; }

    constexpr void make_once() {
        if (all_ == nullptr) all_ = new std::vector<T>[Size];
    }
    constexpr std::vector<T>& operator[](std::size_t i) { return all_[i]; }

private:
    std::vector<T>* all_ = nullptr;
};

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
        return far_.next();
    }

    /// `at` must not lie before the last tick taken.
    constexpr void add(ticks at, T thing) {
        buckets_.make_once();
        ++size_;
        if (at - now_ < horizon) put(at, std::move(thing));
        else far_.push(at, stored_.put(std::move(thing)));
    }

    /// Moves what is due at tick `at` into `due`, whose old buffer is kept for later buckets;
    /// `at` may lie before next(), then nothing is due.
    constexpr void take(ticks at, std::vector<T>& due) {
        due.clear();
        if (due.capacity() != 0 && spares_ != spares_most) {
            buckets_.make_once();
            buckets_[horizon + spares_++].swap(due);
        }
        now_ = at;
        while (!far_.empty() && far_.next() - now_ < horizon) {
            const ticks then = far_.next();
            put(then, stored_.take(far_.pop()));
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
        near_ = 0;
        size_ = 0;
    }

private:
    constexpr void put(ticks at, T thing) {
        std::vector<T>& bucket = buckets_[at % horizon];
        if (bucket.capacity() == 0 && spares_ != 0) bucket.swap(buckets_[horizon + --spares_]);
        bucket.push_back(std::move(thing));
        occupied_[at % horizon / 64] |= std::uint64_t{1} << at % 64;
        ++near_;
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

    static constexpr std::size_t words = horizon / 64;
    static constexpr std::size_t spares_most = 64;

    ticks now_ = 0;
    std::size_t size_ = 0;
    std::size_t near_ = 0;
    std::uint64_t occupied_[words] = {};
    row_of_vectors<T, horizon + spares_most> buckets_;   // and empty buffers for them
    std::size_t spares_ = 0;
    due_heap far_;
    places<T> stored_;   // what is far away
};

/// The same for things that are few: slower, and far less code to compile.
template <class T>
class planned {
public:
    ticks next() const { return order_.next(); }
    void add(ticks at, T thing) { order_.push(at, things_.put(std::move(thing))); }
    /// Moves all that is due by now into `due`.
    void take(ticks now, std::vector<T>& due) {
        due.clear();
        while (!order_.empty() && order_.next() <= now)
            due.push_back(things_.take(order_.pop()));
    }

private:
    due_heap order_;
    places<T> things_;
};

}  // namespace caucus::simulation
