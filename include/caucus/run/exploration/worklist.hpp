// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/exploration/expansion.hpp>
#include <caucus/run/exploration/visited.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace caucus::exploration {

/// A state that is to be expanded.
struct job {
    std::uint64_t hash;
    std::uint32_t index;
};

/// A transition that was found; its end may be known already.
struct successor {
    std::uint64_t hash;
    std::uint64_t sleep;     // the actions that need not be tried there; see reductions
    std::uint32_t from;
    std::uint32_t ordinal;   // among the successors of `from`
    std::uint32_t sent;
    action what;
};

/// States that are to be expanded, one after the other.
struct worklist {
    static constexpr std::uint64_t everything = ~std::uint64_t{0};

    explicit worklist(std::size_t width) : rows(width) {}
    void push(const std::uint32_t* row, job j) {
        rows.push(row);
        jobs.push_back(j);
    }
    void swap(worklist& other) {
        rows.swap(other.rows);
        jobs.swap(other.jobs);
        only.swap(other.only);
    }
    std::uint64_t only_of(std::size_t i) const { return only.empty() ? everything : only[i]; }
    std::size_t size() const { return jobs.size(); }
    bool empty() const { return jobs.empty(); }
    void clear() {
        rows.clear();
        jobs.clear();
        only.clear();
    }
    std::size_t bytes() const {
        return rows.bytes() + sizeof(job) * jobs.capacity() + 8 * only.capacity();
    }

    exploration::rows rows;
    std::vector<job> jobs;
    std::vector<std::uint64_t> only;   // sleep sets: the actions left to try
};

/// The results of one thread: the successors of its states, one state after the other.
struct findings {
    static constexpr std::uint32_t unknown = ~std::uint32_t{0};

    findings() = default;
    explicit findings(std::size_t width) { of_width(width); }
    void of_width(std::size_t width) {
        rows.of_width(width);
        row.resize(width);
    }
    void clear() {
        rows.clear();
        found.clear();
        ends.clear();
    }
    std::size_t bytes() const { return rows.bytes() + sizeof(successor) * found.capacity(); }
    /// Forgets what was found since there were `size` successors.
    void forget_from(std::size_t size) {
        while (found.size() > size) {
            found.pop_back();
            rows.pop();
        }
    }

    exploration::rows rows{0};
    std::vector<successor> found;
    std::vector<std::uint32_t> ends;   // of each state's successors, or `unknown`: a handler is new
    expansion::state row;              // the state that is being expanded
    expansion::scratch room;
    bool reduced = false;              // something was left out
};

}  // namespace caucus::exploration
