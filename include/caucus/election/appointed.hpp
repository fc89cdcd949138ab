// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/epoch.hpp>
#include <caucus/core/error.hpp>
#include <caucus/core/identity.hpp>
#include <caucus/core/objection.hpp>
#include <caucus/core/port.hpp>
#include <caucus/core/process.hpp>
#include <caucus/core/storage.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <variant>

namespace caucus {

/// Nobody is elected: all know from the beginning who leads. If it dies, nobody leads; back from a
/// crash, it leads in a new epoch, and says so.
///
/// Model     the leader is everybody's neighbour, as in a star or a complete network; unique ids;
///           reliable links, any order, duplicates too; nobody joins later
/// Safety    one leader, and an epoch for each of its lives
/// Liveness  all know the epoch at once; after a crash of the leader one delay after its return;
///           whoever else returns, two delays later, once the leader is there
/// Cost      0; for each return of the leader a message to each neighbour, for each other two
/// Faults    any crash and return; as long as the leader is dead, nobody leads
///
/// `Storage` of the peers' ids: a std::array of them stays in place, other ranges go to the heap.
template <class Id, class Storage = heap_storage>
class appointed {
    static_assert(detail::ids_can_elect<Id>());

public:
    struct inquiry {};                            // in which of its lives does the leader lead?
    struct serving { caucus::incarnation life; }; // in this one
    using message = std::variant<inquiry, serving>;
    using timer = nothing;
    using outcome = nothing;

    static constexpr model assumes = {shape::graph, guarantee::reliable, naming::distinct};
    /// If nobody crashes.
    static constexpr cost messages(size) { return {0, 0, 0.0}; }

    /// peers[p] is the id behind port p; the leader is one of them, or this node itself.
    template <class Range>
    constexpr appointed(Id self, const Range& peers, Id leader) : self_(self), leader_(leader) {
        static_assert(needs_peers_that_fit__give_a_std_array<Storage, Range>,
                      "needs_peers_that_fit__give_a_std_array");
        for (const auto& peer : peers) peers_.push_back(peer);
    }

    static constexpr void start(auto&) {}
    constexpr void on(const recovered<>& r, environment_for<appointed> auto& env) {
        if (is_leader()) become_leader(r.incarnation, env);
        else inquire(env);
    }
    constexpr void on(inquiry, port from, environment_for<appointed> auto& env) {
        if (is_leader() && from < peers_.size()) env.send(from, serving{*reign_});
    }
    constexpr void on(serving s, port from, environment_for<appointed> auto&) {
        if (!leads(from)) return;
        if (reign_ && s.life < *reign_) return;   // said in a former life
        reign_.emplace(s.life);
    }

    constexpr const Id& id() const { return self_; }
    constexpr const auto& peers() const { return peers_; }
    constexpr bool is_leader() const { return leader_ == self_; }
    constexpr std::optional<Id> leader() const {
        return reign_ ? std::optional<Id>{leader_} : std::nullopt;
    }
    constexpr std::optional<caucus::epoch<Id>> epoch() const {
        if (!reign_) return std::nullopt;
        return caucus::epoch<Id>{0, leader_, *reign_};
    }
    /// Nobody, in no other life, has led before.
    constexpr bool succeeds_nobody() const { return reign_ == incarnation{}; }
    /// It has come back, and waits to hear in which epoch the leader leads.
    constexpr bool awaits(port p) const { return !reign_ && leads(p); }
    constexpr const char* objection(std::size_t degree) const {
        bool known = is_leader();
        for (const port p : ports(peers_.size())) known = known || leads(p);
        if (!known) return "appointed: its leader is not among its peers";
        return objection_to_peers(self_, peers_, degree);
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.leader_, self.reign_);
    }

private:
    constexpr bool leads(port p) const { return p < peers_.size() && peers_[p] == leader_; }
    constexpr void become_leader(caucus::incarnation life, auto& env) {
        reign_.emplace(life);
        env.broadcast(serving{life});
    }
    constexpr void inquire(auto& env) {
        reign_.reset();
        for (const port p : ports(peers_.size()))
            if (leads(p)) env.send(p, inquiry{});
    }

    Id self_;
    Id leader_;
    typename Storage::template sequence<Id> peers_;
    std::optional<incarnation> reign_{incarnation{}};   // the life in which the leader leads
};

template <class Id, class Range>
appointed(Id, const Range&, Id) -> appointed<Id, storage_for<Range>>;

}  // namespace caucus
