// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/fields.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace caucus::exploration {

/// The part of a table that does not depend on the type of its values: hashes and indices.
class numbering {
public:
    std::uint64_t hash_of(std::uint32_t index) const { return hashes_[index]; }
    std::size_t size() const { return hashes_.size(); }
    std::size_t bytes() const { return 8 * hashes_.capacity() + 4 * slots_.capacity() + held_; }

protected:
    /// The index under which `is_it(index)` is true, or that of a new entry.
    std::uint32_t find_or_add(std::uint64_t h, auto is_it) {
        if (2 * (hashes_.size() + 1) > slots_.size()) grow();
        std::size_t slot = h & (slots_.size() - 1);
        for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
            const std::uint32_t index = slots_[slot] - 1;
            if (hashes_[index] == h && is_it(index)) return index;
        }
        hashes_.push_back(h);
        slots_[slot] = static_cast<std::uint32_t>(hashes_.size());
        return static_cast<std::uint32_t>(hashes_.size() - 1);
    }

private:
    void grow() {
        slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), 0);
        for (std::uint32_t index = 0; index < hashes_.size(); ++index) {
            std::size_t slot = hashes_[index] & (slots_.size() - 1);
            while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = index + 1;
        }
    }

    std::vector<std::uint64_t> hashes_;
    std::vector<std::uint32_t> slots_;   // index + 1; 0 is free

protected:
    std::size_t held_ = 0;               // bytes of the values
};

/// Every distinct value once, named by a small index: equal values have equal indices.
template <class T>
class table : public numbering {
public:
    const T& operator[](std::uint32_t index) const { return values_[index]; }
    /// All of them, by index; until the next one is added.
    const T* data() const { return values_.data(); }

    std::uint32_t index_of(const T& value) {
        const std::uint32_t index = find_or_add(
            caucus::hash(value), [&](std::uint32_t i) { return caucus::same(values_[i], value); });
        if (index == values_.size()) {
            values_.push_back(value);
            held_ = sizeof(T) * values_.capacity();
        }
        return index;
    }

private:
    std::vector<T> values_;
};

/// The remembered results of a function, by a key of two words.
template <class Value>
class memo {
public:
    const Value* find(std::uint64_t a, std::uint64_t b) const {
        if (slots_.empty()) return nullptr;
        const std::uint32_t slot = slots_[place(a, b)];
        return slot == 0 ? nullptr : &entries_[slot - 1].value;
    }
    const Value& insert(std::uint64_t a, std::uint64_t b, Value value) {
        if (2 * (entries_.size() + 1) > slots_.size()) grow();
        entries_.push_back({a, b, std::move(value)});
        slots_[place(a, b)] = static_cast<std::uint32_t>(entries_.size());
        return entries_.back().value;
    }
    std::size_t size() const { return entries_.size(); }
    std::size_t bytes() const {
        return sizeof(entry) * entries_.capacity() + 4 * slots_.capacity();
    }

private:
    struct entry {
        std::uint64_t a;
        std::uint64_t b;
        Value value;
    };

    std::size_t place(std::uint64_t a, std::uint64_t b) const {
        std::size_t slot = mix(a, b) & (slots_.size() - 1);
        for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
            const entry& e = entries_[slots_[slot] - 1];
            if (e.a == a && e.b == b) break;
        }
        return slot;
    }
    void grow() {
        slots_.assign(slots_.empty() ? 64 : 2 * slots_.size(), 0);
        for (std::size_t i = 0; i < entries_.size(); ++i)
            slots_[place(entries_[i].a, entries_[i].b)] = static_cast<std::uint32_t>(i + 1);
    }

    std::vector<entry> entries_;
    std::vector<std::uint32_t> slots_;
};

}  // namespace caucus::exploration
