// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/environment.hpp>
#include <caucus/core/error.hpp>
#include <caucus/core/identity.hpp>
#include <caucus/core/model.hpp>
#include <caucus/core/policy.hpp>
#include <caucus/core/request.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/multicast/outcomes.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace caucus {

/// Best-effort broadcast: a message to each neighbour, and that is all.
///
/// Model     complete network, unique ids known to all; links without duplicates, of any order
/// Safety    each message once, and none that was not sent, in any order
/// Liveness  what links do not lose is delivered; of a sender that lives, all of it, if they lose
///           nothing
/// Cost      n-1 a broadcast
/// Faults    what is lost is lost, and nobody is told: see acked, nacked, srm; of a sender that
///           crashes some may deliver more than others: see views
/// Source    Cachin, Guerraoui & Rodrigues, Introduction to Reliable and Secure Distributed
///           Programming, 2011, 3.2
///
/// `Payload` what is sent. `Id` any identity; the default int.
/// storage   heap_storage, or inplace_storage<N> for at most N peers.
template <class Payload, class Id = int, class... Policies>
class best_effort {
    static_assert(detail::ids_can_elect<Id>());
    static_assert(roles<storage>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");

public:
    using storage_type = policy<storage, heap_storage, Policies...>;
    struct data {
        Payload payload;
        static constexpr auto fields(auto& m) { return std::tie(m.payload); }
    };
    using message = data;
    using timer = nothing;
    using outcome = delivered<Id, Payload>;
    using payload = Payload;
    using requests = std::variant<request::start, request::broadcast<Payload>>;
    template <class Other>
    using with_payload = best_effort<Other, Id, Policies...>;

    static constexpr ordering delivers = ordering::any;
    static constexpr model assumes = {shape::complete, guarantee::no_duplicates, naming::distinct,
                                      timing::asynchronous, false};
    static constexpr cost per_broadcast(std::size_t members) {
        const std::uint64_t exactly = members == 0 ? 0 : std::uint64_t{members} - 1;
        return {exactly, exactly, static_cast<double>(exactly)};
    }

    /// peers[p] is the id behind port p.
    template <class Range, detail::fits_one_of<Policies...>... Given>
    constexpr best_effort(Id self, const Range& peers, Given...) : self_(std::move(self)) {
        static_assert(needs_peers_that_fit__give_a_std_array<storage_type, Range>,
                      "needs_peers_that_fit__give_a_std_array");
        for (const auto& peer : peers) peers_.push_back(peer);
    }
    /// Another payload, the same group; nothing has happened there yet.
    template <class Other>
        requires(!std::is_same_v<Other, Payload>)
    constexpr explicit best_effort(const best_effort<Other, Id, Policies...>& like)
        : self_(like.self_), peers_(like.peers_) {}

    constexpr void start(environment_for<best_effort> auto&) {}
    constexpr answer broadcast(const Payload& p, environment_for<best_effort> auto& env) {
        env.broadcast(data{p});
        env.report(outcome{self_, p});
        return answer::accepted;
    }
    constexpr void on(const data& m, port from, environment_for<best_effort> auto& env) {
        if (from < peers_.size()) env.report(outcome{peers_[from], m.payload});
    }

    constexpr const Id& id() const { return self_; }
    constexpr const auto& peers() const { return peers_; }
    static constexpr auto fields(auto& self) { return std::tie(self.self_); }

private:
    template <class, class, class...>
    friend class best_effort;

    Id self_;
    typename storage_type::template sequence<Id> peers_{};
};

}  // namespace caucus
