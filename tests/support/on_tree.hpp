// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/election/tree/tree_wave.hpp>
#include <caucus/layer/on_tree.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/wave/spanning_tree.hpp>
#include <support/hanging.hpp>
#include <support/instances.hpp>

#include <cstddef>
#include <vector>

// What the tests of elections on the registry's tree share. Node 0 is the registry.

namespace support {

inline caucus::spanning_tree<> place_of(std::size_t v, std::size_t n, std::size_t connections) {
    if (v == 0) return caucus::spanning_tree{};
    return caucus::spanning_tree{way(v, 0, n), connections};
}

/// The trees in a simulation or an explored state, for what is asked of trees.
template <class G>
class trees_of {
public:
    explicit trees_of(const G& g) : g_(g) {}
    std::size_t nodes() const { return g_.nodes(); }
    bool alive(std::size_t v) const { return g_.alive(v); }
    const auto& operator[](std::size_t v) const { return g_[v].tree(); }

private:
    const G& g_;
};

/// All who live, but for the registry, follow one of them, in one epoch.
struct one_leads_t {
    bool operator()(const auto& g) const {
        std::size_t leaders = 0;
        std::size_t living = 0;
        const auto first = reign(g);
        for (std::size_t v = 1; v < g.nodes(); ++v) {
            if (!g.alive(v)) continue;
            ++living;
            leaders += g[v].is_leader();
            if (!g[v].epoch() || g[v].epoch() != first) return false;
        }
        return leaders == (living != 0 ? 1 : 0) && (!g.alive(0) || !g[0].leader());
    }
    static auto reign(const auto& g) {
        for (std::size_t v = 1; v < g.nodes(); ++v)
            if (g.alive(v)) return g[v].epoch();
        return g[0].epoch();
    }
};
inline constexpr one_leads_t one_leads;

struct best_leads_t {
    bool operator()(const auto& g) const {
        if (!one_leads(g)) return false;
        const auto leading = one_leads_t::reign(g);
        for (std::size_t v = 1; v < g.nodes(); ++v)
            if (g.alive(v) && leading->leader < g[v].id()) return false;
        return true;
    }
};
inline constexpr best_leads_t best_leads;

/// No two lead in one epoch.
struct one_an_epoch_t {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            for (std::size_t w = 0; w < v; ++w)
                if (g.alive(v) && g.alive(w) && g[v].is_leader() && g[w].is_leader() &&
                    g[v].epoch() == g[w].epoch())
                    return false;
        return true;
    }
};
inline constexpr one_an_epoch_t one_an_epoch;

constexpr caucus::supervised_options quiet(std::size_t nodes) {
    return {.beat = 0, .timeout = 200, .election_max = 600, .reach = nodes};
}
/// Whoever is better than the leader calls an election: so the best leads.
using by_wave = caucus::on_tree<caucus::supervised<caucus::tree_wave<int>, caucus::preemptive>>;
using ballots = by_wave::process_type;
inline ballots supervised_wave(int id, const caucus::supervised_options& options) {
    return ballots{caucus::tree_wave{id}, options, caucus::preemptive{}};
}

/// Node 0 is the registry; the others, with these ids, join.
template <class P = by_wave>
auto nodes_with(const std::vector<int>& ids, std::size_t connections) {
    return [=](caucus::node v) {
        const std::size_t n = ids.size() + 1;
        return P{supervised_wave(v == 0 ? 0 : ids[v - 1], quiet(n)), place_of(v, n, connections)};
    };
}
constexpr caucus::ticks settling = 20'000;

/// They join one after the other.
template <class P = by_wave>
auto built(const std::vector<int>& ids, std::size_t connections,
           caucus::events_options options = {}) {
    const std::size_t n = ids.size() + 1;
    caucus::events net{caucus::complete{n}, nodes_with<P>(ids, connections), options};
    for (std::size_t v = 1; v < n; ++v) {
        net.start(v);
        net.run_for(200);
    }
    net.run_for(settling);
    return net;
}
/// All who live hang in one tree and follow their best.
bool is_settled(const auto& g) { return best_leads(g) && all_hang(trees_of{g}); }

}  // namespace support
