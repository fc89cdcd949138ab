// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/heard_lives.hpp>
#include <caucus/core/input.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/core/storage.hpp>

#include <tuple>

namespace caucus {

/// Of which neighbours the failure detector's last word was that they are dead. A late word on a
/// former life changes nothing.
template <class Storage = heap_storage>
class suspected_ports {
public:
    // Is the word on the present life?

    constexpr bool hear(const suspect& s) {
        if (lives_.is_late(s)) return false;
        suspected_.insert(s.whom);
        return true;
    }
    constexpr bool hear(const trust& t) {
        if (lives_.is_late(t)) return false;
        suspected_.erase(t.whom);
        return true;
    }

    /// It has spoken itself: it lives.
    constexpr void erase(port p) { suspected_.erase(p); }

    constexpr bool contains(port p) const { return suspected_.contains(p); }
    constexpr const port_set<Storage>& all() const { return suspected_; }

    static constexpr auto fields(auto& self) { return std::tie(self.suspected_, self.lives_); }

private:
    port_set<Storage> suspected_{};
    heard_lives<Storage> lives_{};
};

}  // namespace caucus
