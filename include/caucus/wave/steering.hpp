// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/identity.hpp>
#include <caucus/core/model.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/port_set.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>

namespace caucus {

/// What tells a wandering token where it has not been. A steering has a `guide`, a node's part of
/// that knowledge, whose `trail` is the token's part. Its `take` and `turn_back` say whether a port
/// was a new way, and remember it.
struct steering {};

/// Nothing need be known: nodes colour the ports by which the token came or went, and send it back
/// where it comes again by a new one. Every link is walked forth and back.
struct by_colour {
    using decides = steering;
    using own_storage = heap_storage;
    static constexpr naming names = naming::anonymous;
    static constexpr std::uint64_t links_walked(size s) { return s.links; }

    template <class Store>
    class guide {
    public:
        struct trail {};   // the nodes remember, the token need not

        constexpr explicit guide(const by_colour&) {}

        static constexpr bool has_room(const trail&) { return true; }
        constexpr void enter(trail&, std::optional<port> from) {
            coloured_.clear();
            if (from) coloured_.insert(*from);
        }
        constexpr bool take(port p, const trail&) { return coloured_.insert(p); }
        /// Uncoloured, the link would be walked a second time from this side: four messages.
        constexpr bool turn_back(port from) { return coloured_.insert(from); }

        static constexpr auto fields(auto& self) { return std::tie(self.coloured_); }

    private:
        port_set<Store> coloured_;
    };
};

/// The neighbours' ids are known, and the token lists all that it has visited: only the links of a
/// tree are walked, but a message carries up to n ids, and all together up to 3n(n-1)/2.
///
/// `Peers`  peers[p] is the id behind port p. A std::array picks in-place storage with room for one
///          more: enough in a complete network; elsewhere say inplace_storage<nodes>.
template <class Id, class Peers>
struct by_path {
    static_assert(detail::ids_can_elect<Id>());

    using decides = steering;
    using own_storage = typename detail::one_more<storage_for<Peers>>::type;
    static constexpr naming names = naming::distinct;
    static constexpr std::uint64_t links_walked(size s) { return s.nodes - 1; }

    Id self;
    Peers peers;

    template <class Store>
    class guide {
    public:
        using trail = typename Store::template sequence<Id>;

        constexpr explicit guide(const by_path& known) : self_(known.self) {
            if (!Store::holds(known.peers.size()))
                refuse("by_path: there is no room for ", known.peers.size(), " peers");
            for (const auto& peer : known.peers) peers_.push_back(peer);
        }
        constexpr const Id& id() const { return self_; }
        constexpr const auto& peers() const { return peers_; }

        static constexpr bool has_room(const trail& visited) {
            return Store::holds(visited.size() + 1);
        }
        constexpr void enter(trail& visited, std::optional<port>) const {
            visited.push_back(self_);
        }
        constexpr bool take(port p, const trail& visited) const {
            if (p >= peers_.size()) return false;   // a port without a known id
            for (const Id& id : visited)
                if (id == peers_[p]) return false;
            return true;
        }
        /// Whom the token has visited it does not come to again: this is a repetition.
        static constexpr bool turn_back(port) { return false; }

        static constexpr auto fields(auto& self) { return std::tie(self.self_, self.peers_); }

    private:
        Id self_;
        typename Store::template sequence<Id> peers_;
    };
};
template <class Id, class Peers>
by_path(Id, Peers) -> by_path<Id, Peers>;

/// One node on a token's way: where it came from, and from where it is to come back.
template <class Steering, class Store>
class stopover {
    using guide_type = typename Steering::template guide<Store>;

public:
    using trail = typename guide_type::trail;

    constexpr explicit stopover(const Steering& known) : guide_(known) {}

    /// Is there no room for this node's ports, or in the token for its id? Then it says so.
    template <class Outcome>
    constexpr bool overflows(const trail& visited, auto& env) const {
        if (caucus::overflows<Store, Outcome>(env)) return true;
        if (guide_.has_room(visited)) return false;
        if constexpr (requires { visited.size(); } && Store::bounded)
            env.report(Outcome{overflow{visited.size() + 1}});
        return true;
    }

    /// The token's first visit. What an earlier token has left here is void.
    constexpr void enter(trail& visited, std::optional<port> from) {
        guide_.enter(visited, from);
        parent_ = from;
        awaited_ = std::optional<port>{};
    }
    /// The next way for the token, from where it will come back; or none is left.
    constexpr std::optional<port> way_on(const trail& visited, std::size_t degree) {
        std::size_t p = awaited_ ? awaited_->index() + 1 : 0;
        while (p < degree && !guide_.take(port{p}, visited)) ++p;
        awaited_ = p < degree ? std::optional<port>{port{p}} : std::optional<port>{};
        return awaited_;
    }
    constexpr bool awaits(port from) const { return awaited_ == from; }
    /// Does the token, not awaited, come by a new way? That is taken then; else it is a repetition.
    constexpr bool turn_back(port from) { return guide_.turn_back(from); }

    constexpr std::optional<port> parent() const { return parent_; }
    constexpr const guide_type& guide() const { return guide_; }

    static constexpr auto fields(auto& self) {
        return std::tie(self.guide_, self.parent_, self.awaited_);
    }

private:
    guide_type guide_;
    std::optional<port> parent_;
    std::optional<port> awaited_;   // ports are taken in order: all before this one are done
};

}  // namespace caucus
