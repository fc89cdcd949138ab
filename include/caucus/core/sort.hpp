// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace caucus {

/// Sorts a vector, equal elements keeping their order; `comes_before` is a strict weak order.
/// Constant-evaluable, which std::stable_sort is not, without the 20,000 lines of <algorithm>.
template <class T, class Less>
constexpr void stable_sort(std::vector<T>& v, Less comes_before) {
    constexpr std::size_t few = 24;
    bool in_order = true;
    for (std::size_t i = 1; i < v.size() && in_order; ++i) in_order = !comes_before(v[i], v[i - 1]);
    if (in_order) return;
    if (v.size() <= few) {   // by insertion, without a second buffer
        for (std::size_t i = 1; i < v.size(); ++i)
            for (std::size_t j = i; j > 0 && comes_before(v[j], v[j - 1]); --j)
                std::swap(v[j], v[j - 1]);
        return;
    }

    std::vector<T> merged;
    merged.reserve(v.size());
    for (std::size_t width = 1; width < v.size(); width *= 2) {
        for (std::size_t low = 0; low < v.size(); low += 2 * width) {
            const std::size_t middle = low + width < v.size() ? low + width : v.size();
            const std::size_t high = middle + width < v.size() ? middle + width : v.size();
            std::size_t left = low;
            std::size_t right = middle;
            while (left < middle || right < high) {
                const bool take_right =
                    left == middle || (right < high && comes_before(v[right], v[left]));
                merged.push_back(std::move(v[take_right ? right++ : left++]));
            }
        }
        v.swap(merged);
        merged.clear();
    }
}

/// Sorts any sequence where it stands, equal elements in any order; a heap sort, so that a node
/// without a heap can have it too.
template <class Sequence, class Less>
constexpr void sort_in_place(Sequence& v, Less comes_before) {
    const auto sink = [&](std::size_t at, std::size_t size) {
        for (std::size_t child = 2 * at + 1; child < size; at = child, child = 2 * at + 1) {
            if (child + 1 < size && comes_before(v[child], v[child + 1])) ++child;
            if (!comes_before(v[at], v[child])) return;
            std::swap(v[at], v[child]);
        }
    };
    for (std::size_t i = v.size() / 2; i > 0; --i) sink(i - 1, v.size());
    for (std::size_t last = v.size(); last > 1; --last) {
        std::swap(v[0], v[last - 1]);
        sink(0, last - 1);
    }
}

/// As std::erase_if, in less code.
template <class T>
constexpr void erase_where(std::vector<T>& v, auto is_it) {
    std::size_t left = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
        if (is_it(v[i])) continue;
        if (left != i) v[left] = std::move(v[i]);
        ++left;
    }
    while (v.size() != left) v.pop_back();
}

}  // namespace caucus
