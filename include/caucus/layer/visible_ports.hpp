// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port_set.hpp>

#include <cstddef>
#include <tuple>

namespace caucus {

/// Some of a node's ports, numbered as if there were no others: a process that waits for every
/// neighbour is shown those who are heard, and waits for nobody else.
template <class Storage = heap_storage>
class visible_ports {
public:
    constexpr bool contains(port outer) const { return shown_.contains(outer); }
    constexpr std::size_t size() const { return shown_.size(); }
    constexpr void show(port outer) { shown_.insert(outer); }
    constexpr void clear() { shown_.clear(); }
    constexpr void show_all_but(const port_set<Storage>& hidden, std::size_t degree) {
        clear();
        for (const port p : ports(degree))
            if (!hidden.contains(p)) show(p);
    }

    /// The k-th port inside is the k-th that is shown.
    constexpr port outer(port inner) const {
        port found{0};
        for (std::size_t before = inner.index();; found = port{found.index() + 1})
            if (shown_.contains(found) && before-- == 0) return found;
    }
    constexpr port inner(port outer) const {
        std::size_t before = 0;
        for (const port p : ports(outer.index())) before += shown_.contains(p);
        return port{before};
    }

    static constexpr auto fields(auto& self) { return std::tie(self.shown_); }

private:
    port_set<Storage> shown_{};
};

}  // namespace caucus
