// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/fields.hpp>
#include <caucus/core/sort.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/core/time.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace caucus {

/// The timers that are armed. A timer is named by its value: arming it again replaces it. They are
/// due in order of time, then value.
///
/// A few timers stand in no order and are scanned. As soon as there are more they form a heap by
/// deadline, and an index finds them by their hash: every operation then takes time O(log n). When
/// few are left the index goes. Timers that cannot be taken apart into scalars are always scanned.
///
/// `Storage`  heap_storage, which allocates nothing for as many timers as were reserved;
///            inplace_storage<N> for at most N of them.
/// `Extra`    what else to remember of each timer.
template <class Timer, class Storage = heap_storage, class Extra = nothing>
class timer_table {
    static constexpr std::size_t scanned_most = 32;
    /// Room for the index; whether there can be one.
    template <class Store>
    static constexpr auto room_for_index() {
        if constexpr (!detail::describable<Timer>()) return inplace_storage<0>{};
        else if constexpr (!Store::bounded) return heap_storage{};
        else if constexpr (Store::capacity <= scanned_most) return inplace_storage<0>{};
        else return inplace_storage<std::bit_ceil(2 * Store::capacity)>{};
    }
    using index_storage = decltype(room_for_index<Storage>());
    static constexpr bool hashes = !std::is_same_v<index_storage, inplace_storage<0>>;

    struct no_hash {};
    using hash_type = std::conditional_t<hashes, std::uint32_t, no_hash>;

public:
    struct entry {
        Timer timer;
        [[no_unique_address]] hash_type hash{};   // set while there is an index
        ticks at = 0;
        [[no_unique_address]] Extra extra{};

        static constexpr auto fields(auto& self) {
            return std::tie(self.timer, self.at, self.extra);
        }
    };
    using entries = typename Storage::template sequence<entry>;

    constexpr bool empty() const { return armed_.size() == 0; }
    constexpr std::size_t count() const { return armed_.size(); }

    /// So many can then be armed at once without allocating.
    constexpr void reserve(std::size_t timers) {
        if constexpr (!Storage::bounded) {
            armed_.reserve(timers);
            if constexpr (hashes)
                if (timers > scanned_most) index_.reserve(std::bit_ceil(2 * timers));
        }
    }

    constexpr void arm(const Timer& t, ticks at, const Extra& extra = {}) {
        const hash_type hash = hash_of(t);
        const std::size_t i = position(t, hash);
        if (i != armed_.size()) {
            armed_[i].at = at;
            armed_[i].extra = extra;
        } else {
            armed_.push_back(entry{t, hash, at, extra});
            if (indexed() || armed_.size() > scanned_most) extend_index();
        }
        if (indexed()) sink(rise(i));
    }

    /// Was it armed?
    constexpr bool disarm(const Timer& t) {
        const std::size_t i = position(t, hash_of(t));
        if (i == armed_.size()) return false;
        remove(i);
        return true;
    }
    constexpr void clear() {
        index_.clear();
        armed_.clear();
    }

    /// nullptr if it is not armed.
    constexpr const entry* find(const Timer& t) const {
        const std::size_t i = position(t, hash_of(t));
        return i == armed_.size() ? nullptr : &armed_[i];
    }

    /// The one that is due first; there must be one.
    constexpr const entry& first() const { return armed_[first_position()]; }
    constexpr Timer take_first() {
        const std::size_t i = first_position();
        Timer due = armed_[i].timer;
        remove(i);
        return due;
    }

    /// In no particular order; and in the order in which they are due.
    constexpr const entries& all() const { return armed_; }
    constexpr entries in_order() const {
        entries sorted = armed_;
        sort_in_place(sorted, comes_before);
        return sorted;
    }

    /// Tables with the same timers armed are the same, whatever happened before.
    static constexpr auto fields(const timer_table& self) { return std::tuple{self.in_order()}; }

private:
    static constexpr bool comes_before(const entry& a, const entry& b) {
        return a.at != b.at ? a.at < b.at : caucus::compare(a.timer, b.timer) < 0;
    }

    constexpr bool indexed() const { return hashes && index_.size() != 0; }
    constexpr hash_type hash_of([[maybe_unused]] const Timer& t) const {
        if constexpr (hashes) return indexed() ? hashed(t) : 0;
        else return {};
    }
    static constexpr std::uint32_t hashed(const Timer& t) {
        return static_cast<std::uint32_t>(caucus::hash(t));
    }

    /// Where the timer stands; their number if it is not armed.
    constexpr std::size_t position(const Timer& t, [[maybe_unused]] hash_type hash) const {
        if constexpr (hashes)
            if (indexed()) return indexed_position(t, hash);
        const std::size_t count = armed_.size();
        for (std::size_t i = 0; i < count; ++i)
            if (caucus::same(armed_[i].timer, t)) return i;
        return count;
    }
    constexpr std::size_t indexed_position(const Timer& t, hash_type hash) const {
        for (std::size_t s = home(hash); index_[s] != 0; s = following(s))
            if (const std::size_t i = index_[s] - 1;
                armed_[i].hash == hash && caucus::same(armed_[i].timer, t))
                return i;
        return armed_.size();
    }

    constexpr void remove(std::size_t i) {
        const std::size_t last = armed_.size() - 1;
        if (indexed()) {
            take_out_of_index(i);
            if (i != last) index_[slot_of(last)] = place(i);
        }
        if (i != last) armed_[i] = std::move(armed_[last]);
        armed_.pop_back();
        if (!indexed()) return;
        if (i != last) sink(rise(i));
        if (2 * armed_.size() <= scanned_most) index_.clear();
    }

    constexpr std::size_t first_position() const {
        std::size_t first = 0;
        for (std::size_t i = 1; !indexed() && i < armed_.size(); ++i)
            if (comes_before(armed_[i], armed_[first])) first = i;
        return first;
    }

    // The heap, where there is an index: nobody comes before the one above it.

    constexpr std::size_t rise(std::size_t i) {
        for (; i != 0 && comes_before(armed_[i], armed_[(i - 1) / 2]); i = (i - 1) / 2)
            exchange(i, (i - 1) / 2);
        return i;
    }
    constexpr void sink(std::size_t i) {
        for (std::size_t below = 2 * i + 1; below < armed_.size(); below = 2 * i + 1) {
            if (below + 1 < armed_.size() && comes_before(armed_[below + 1], armed_[below]))
                ++below;
            if (!comes_before(armed_[below], armed_[i])) return;
            exchange(i, below);
            i = below;
        }
    }
    constexpr void exchange(std::size_t i, std::size_t j) {
        std::swap(index_[slot_of(i)], index_[slot_of(j)]);
        std::swap(armed_[i], armed_[j]);
    }

    // The index: a power of two of slots, at least half of them free. Each holds 1 + the position
    // of a timer, or 0. A timer's slot is the first that was free from its hash's home on.

    static constexpr std::uint32_t place(std::size_t i) {
        return static_cast<std::uint32_t>(i + 1);
    }
    constexpr std::size_t home(hash_type hash) const {
        if constexpr (hashes) return hash & (index_.size() - 1);
        else return 0;
    }
    constexpr std::size_t following(std::size_t slot) const {
        return (slot + 1) & (index_.size() - 1);
    }
    constexpr std::size_t slot_of(std::size_t i) const {
        std::size_t slot = home(armed_[i].hash);
        while (index_[slot] != place(i)) slot = following(slot);
        return slot;
    }

    constexpr void enter_into_index(std::size_t i) {
        std::size_t slot = home(armed_[i].hash);
        while (index_[slot] != 0) slot = following(slot);
        index_[slot] = place(i);
    }
    constexpr void take_out_of_index(std::size_t i) {
        std::size_t hole = slot_of(i);
        // A search stops at the hole: whoever it would no longer reach moves into it.
        for (std::size_t s = following(hole); index_[s] != 0; s = following(s)) {
            const std::size_t from_home = s - home(armed_[index_[s] - 1].hash);
            if ((from_home & (index_.size() - 1)) < ((s - hole) & (index_.size() - 1))) continue;
            index_[hole] = index_[s];
            hole = s;
        }
        index_[hole] = 0;
    }
    /// For the timer that was armed last; all of them, where there is no index or it is too small.
    constexpr void extend_index() {
        if constexpr (hashes) {
            if (2 * armed_.size() <= index_.size()) return enter_into_index(armed_.size() - 1);
            index_.clear();
            index_.resize(std::bit_ceil(2 * armed_.size()), 0);
            for (std::size_t i = 0; i < armed_.size(); ++i) {
                armed_[i].hash = hashed(armed_[i].timer);
                enter_into_index(i);
                rise(i);
            }
        }
    }

    entries armed_{};
    [[no_unique_address]] typename index_storage::template sequence<std::uint32_t> index_{};
};

}  // namespace caucus
