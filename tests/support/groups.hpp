// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/election/complete/invitation.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>
#include <support/instances.hpp>

#include <cstddef>
#include <optional>
#include <tuple>
#include <vector>

// What the tests of groups ask, of a simulation or of a state of an exploration.

namespace support {

template <class... Prefer>
auto inviting(const std::vector<int>& ids, caucus::invitation_options options = {}) {
    return [&ids, options](caucus::node v) {
        const caucus::complete all{ids.size()};
        return caucus::invitation{ids[v], peer_ids(all, v, ids), options, Prefer{}...};
    };
}

/// Who follows a leader in a group that it leads is on its list. And one group has one leader.
struct leaders_know_their_members {
    bool operator()(const auto& g) const {
        const std::size_t n = g.nodes();
        for (std::size_t v = 0; v < n; ++v) {
            if (!g.alive(v) || !g[v].leader() || g[v].is_leader()) continue;
            for (std::size_t u = 0; u < n; ++u) {
                if (u == v || !g.alive(u) || !g[u].leader()) continue;
                if (g[u].group() != g[v].group()) continue;
                if (g[u].leader() != g[v].leader()) return false;
                if (g[u].is_leader() && !g[u].has_member(way(u, v, n)))
                    return false;
            }
        }
        return true;
    }
};

/// All that live are in one group, and it is not just being formed.
struct one_group {
    bool operator()(const auto& g) const {
        std::optional<std::size_t> first;
        for (std::size_t v = 0; v < g.nodes(); ++v) {
            if (!g.alive(v)) continue;
            if (!g[v].leader()) return false;
            if (!first) first = v;
            if (g[v].group() != g[*first].group()) return false;
        }
        return true;
    }
};

/// Looks around a few times and then no more: so that what it can do is finite. Its lives are
/// numbered, or it believes that each is its first.
template <bool Numbered = true>
struct short_sighted : caucus::invitation<int> {
    using base = caucus::invitation<int>;
    using base::on;
    int checks_left;

    short_sighted(int id, const std::vector<int>& peers, int checks)
        : base(id, peers), checks_left(checks) {}
    // Constrained as the base's: else that would be the better match.
    void on(check_due t, caucus::environment_for<base> auto& env) {
        if (checks_left == 0) return;
        --checks_left;
        base::on(t, env);
    }
    void on(const caucus::recovered<>& r, caucus::environment_for<base> auto& env) {
        base::on(caucus::recovered<>{Numbered ? r.incarnation : caucus::incarnation{}, {}}, env);
    }
    static constexpr auto fields(auto& self) {
        return std::tuple_cat(base::fields(self), std::tie(self.checks_left));
    }
};

}  // namespace support
