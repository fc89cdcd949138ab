// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/random.hpp>
#include <caucus/core/time.hpp>

#include <cstddef>
#include <vector>

namespace caucus::simulation {

/// A T for each arc, which is T{} until it is asked for. Where arcs are many more than nodes, only
/// those are stored of which there is something to say: a table by open addressing, at most half
/// full. When it is full it forgets whatever is_idle(now).
template <class T>
class per_arc {
public:
    per_arc(std::size_t arcs, std::size_t node_count)
        : arcs_(arcs), dense_(arcs <= dense_most || arcs / 8 <= node_count) {}

    /// Good until the next one is asked for.
    T& at(std::size_t arc, ticks now) {
        if (!dense_) return stored(arc, now);
        if (values_.empty()) values_.resize(arcs_);
        return values_[arc];
    }
    /// nullptr if it is as it was.
    const T* find(std::size_t arc) const {
        if (values_.empty()) return nullptr;
        if (dense_) return &values_[arc];
        const std::size_t slot = slot_of(arc);
        return keys_[slot] == vacant ? nullptr : &values_[slot];
    }
    /// Room for how many there is.
    std::size_t stored_most() const { return values_.size(); }
    void clear() {
        keys_.clear();
        values_.clear();
        used_ = 0;
    }

private:
    static constexpr std::size_t dense_most = std::size_t{1} << 20;
    static constexpr std::size_t vacant = ~std::size_t{0};

    std::size_t slot_of(std::size_t arc) const {
        std::size_t slot = mix(arc) & (keys_.size() - 1);
        while (keys_[slot] != vacant && keys_[slot] != arc) slot = (slot + 1) & (keys_.size() - 1);
        return slot;
    }
    T& stored(std::size_t arc, ticks now) {
        if (2 * used_ >= keys_.size()) make_room(now);
        const std::size_t slot = slot_of(arc);
        if (keys_[slot] == vacant) {
            keys_[slot] = arc;
            ++used_;
        }
        return values_[slot];
    }
    void make_room(ticks now) {
        std::size_t busy = 0;
        for (std::size_t i = 0; i < keys_.size(); ++i)
            if (keys_[i] != vacant && values_[i].is_idle(now)) keys_[i] = vacant;
            else if (keys_[i] != vacant) ++busy;
        std::size_t slots = 64;
        while (slots < 3 * busy) slots *= 2;
        std::vector<std::size_t> old_keys(slots, vacant);
        std::vector<T> old_values(slots);
        old_keys.swap(keys_);
        old_values.swap(values_);
        used_ = busy;
        for (std::size_t i = 0; i < old_keys.size(); ++i) {
            if (old_keys[i] == vacant) continue;
            const std::size_t slot = slot_of(old_keys[i]);
            keys_[slot] = old_keys[i];
            values_[slot] = old_values[i];
        }
    }

    std::size_t arcs_;
    bool dense_;
    std::size_t used_ = 0;
    std::vector<std::size_t> keys_;   // of the values, unless there is one for every arc
    std::vector<T> values_;
};

}  // namespace caucus::simulation
