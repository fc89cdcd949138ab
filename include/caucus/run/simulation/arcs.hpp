// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/compiled.hpp>
#include <caucus/core/port.hpp>
#include <caucus/topology/topology.hpp>

#include <cstddef>
#include <vector>

namespace caucus::simulation {

/// Both ends of an arc, and its number.
struct arc_ends {
    node from;
    port out;
    node to;
    port in;
    std::size_t arc = ~std::size_t{0};   // none
};

/// The arcs of a topology, for code that does not depend on its type. Stores nothing that the
/// topology can be asked; where links are one-way, that is who leads to a node.
class arc_view {
public:
    virtual std::size_t degree(node v) const = 0;
    virtual arc_ends leaving(node v, port out) const = 0;

    std::size_t size() const { return arcs_; }
    std::size_t nodes() const { return nodes_; }
    bool two_way() const { return two_way_; }

    /// The arc that comes in at that port.
    arc_ends entering(node to, port in) const;
    /// All that lead to a node, by the port at which they come in.
    std::vector<arc_ends> into(node to) const;
    /// The numbers of all arcs from one node to another.
    std::vector<std::size_t> between(std::size_t from, std::size_t to) const;
    /// The arc of that number.
    arc_ends numbered(std::size_t arc) const;
    /// The arc that leads to each node, where links are one-way.
    std::vector<arc_ends> sources() const;

protected:
    arc_view(std::size_t nodes, std::size_t arcs, bool two_way,
             const std::vector<arc_ends>& one_way_sources)
        : nodes_(nodes), arcs_(arcs), two_way_(two_way), sources_(one_way_sources) {}
    ~arc_view() = default;

private:
    std::size_t nodes_;
    std::size_t arcs_;
    bool two_way_;
    const std::vector<arc_ends>& sources_;
};

/// Looks at a topology, and at its sources() where links are one-way.
template <topology T>
class arc_view_of final : public arc_view {
public:
    static constexpr bool is_two_way = !T::one_inlet && T::kind != shape::one_way_ring;

    arc_view_of(const T& t, const std::vector<arc_ends>& one_way_sources)
        : arc_view(t.nodes(), t.arcs(), is_two_way, one_way_sources), topology_(t) {}

    std::size_t degree(node v) const override { return topology_.degree(v); }
    arc_ends leaving(node v, port out) const override {
        const far_end far = topology_.across(v, out);
        return {v, out, far.node, far.port, topology_.arc(v, out)};
    }

private:
    const T& topology_;
};

#ifdef CAUCUS_INLINE
CAUCUS_INLINE std::vector<arc_ends> arc_view::sources() const {
    std::vector<arc_ends> all;
    if (two_way_) return all;
    all.resize(nodes_);
    for (std::size_t v = 0; v < nodes_; ++v)
        for (const port p : ports(degree(node{v}))) {
            const arc_ends a = leaving(node{v}, p);
            all[a.to] = a;
        }
    return all;
}
CAUCUS_INLINE arc_ends arc_view::entering(node to, port in) const {
    if (!two_way_) return sources_[to];
    const arc_ends out = leaving(to, in);
    return leaving(out.to, out.in);
}
CAUCUS_INLINE std::vector<arc_ends> arc_view::into(node to) const {
    std::vector<arc_ends> all;
    if (!two_way_) {
        if (sources_[to].arc < arcs_) all.push_back(sources_[to]);
        return all;
    }
    for (const port p : ports(degree(to))) all.push_back(entering(to, p));
    return all;
}
CAUCUS_INLINE std::vector<std::size_t> arc_view::between(std::size_t from, std::size_t to) const {
    std::vector<std::size_t> all;
    for (const arc_ends& a : into(node{to}))
        if (a.from == from) all.push_back(a.arc);
    return all;
}
CAUCUS_INLINE arc_ends arc_view::numbered(std::size_t arc) const {
    // As our own topologies count: by node, then port.
    std::size_t v = 0;
    std::size_t rest = arc;
    for (; v < nodes_ && rest >= degree(node{v}); ++v) rest -= degree(node{v});
    if (const arc_ends likely = leaving(node{v}, port{rest}); likely.arc == arc) return likely;
    for (v = 0;; ++v)
        for (const port p : ports(degree(node{v})))
            if (const arc_ends a = leaving(node{v}, p); a.arc == arc) return a;
}
#endif

}  // namespace caucus::simulation
