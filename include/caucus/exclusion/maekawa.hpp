// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/identity.hpp>
#include <caucus/core/input.hpp>
#include <caucus/core/model.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/policy.hpp>
#include <caucus/core/process.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/exclusion/arbiter.hpp>
#include <caucus/exclusion/collected_votes.hpp>
#include <caucus/exclusion/fence.hpp>
#include <caucus/exclusion/section.hpp>
#include <caucus/exclusion/section_verbs.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <variant>

namespace caucus {

/// Each node asks its quorum, some others and itself, for their votes, of which each has one at a
/// time. Any two quorums have a node in common, so no two nodes have all of theirs. A later wish
/// hands votes back to an earlier one, or they would wait for each other.
///
/// Model     complete network, unique ids, quorums known to all of which any two intersect
///           (quorums.hpp); reliable links, fifo, duplicates too; no crashes
/// Safety    at most one node is inside; each entry's fence is greater than all earlier ones: the
///           common voter of both heard the earlier with the release, and told it with its grant
/// Liveness  everyone who asks enters, or cancels, if nobody stays for ever
/// Cost      quorums of K, the node itself among them: 3(K-1) an entry if nobody else asks, about
///           4(K-1) if all always do, 6(K-1) at most; 2 delays from one node to the next
/// Faults    a crashed node stops those whose quorum it is in, and whoever waits for what it had;
///           candid says so. Who comes back is out, not_a_member, and silent: it knows not who has
///           its vote, and a second one would let two in. Over links in any order: deadlock
/// Source    Maekawa, TOCS 3(2), 1985, corrected by Sanders, TOCS 5(3), 1987
///
/// `Storage` of the quorum, as in bully, and of as many as ask this node: it reports more.
/// prefer    prefer(a, b): of equal clocks, a's wish comes first. Default least, as in the paper.
template <identity Id, class Storage = heap_storage, class... Policies>
class maekawa : public section_verbs<maekawa<Id, Storage, Policies...>> {
    static_assert(detail::ids_can_elect<Id>());
    static_assert(roles<preference>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using prefer = policy<preference, least, Policies...>;

    using verbs = section_verbs<maekawa>;
    friend verbs;
    using verbs::section_;

public:
    struct wish { stamp<Id> when; };   // the paper's request; its locked is a grant
    using message = std::variant<wish, voting::grant, voting::failed, voting::inquire,
                                 voting::yield, voting::release>;
    using timer = nothing;
    using fence_type = caucus::fence<>;
    using outcome = section_outcomes<fence_type, Storage>;
    using requests = section_requests;
    using verbs::waits;

    static constexpr model assumes = {shape::complete, guarantee::reliable | guarantee::fifo,
                                      naming::distinct, timing::asynchronous, false};
    /// Of one entry, with a quorum of so many, the node itself among them.
    static constexpr cost per_entry(std::size_t quorum);
    /// Of so many entries, or cancelled wishes, as `initiators`, with any quorums.
    static constexpr cost messages(size s);

    /// The ports of its quorum, without the node itself, which is always part of it.
    template <class Range, class... Given>
        requires(... && detail::fits_one_of<Given, Policies...>)
    constexpr maekawa(Id self, const Range& quorum, Given... policies)
        : self_(self), arbiter_(pick<preference, prefer>(policies...)) {
        static_assert(needs_peers_that_fit__give_a_std_array<Storage, Range>,
                      "needs_peers_that_fit__give_a_std_array");
        for (const auto& p : quorum) add(port{p});
    }

    /// Its vote is lost with it.
    constexpr void on(const recovered<>&, environment_for<maekawa> auto&) { section_.expel(); }

    // As a voter

    constexpr void on(const wish& m, port from, environment_for<maekawa> auto& env) {
        if (!may_vote_for(from, env)) return;
        if (!clock_.learn(m.when.clock)) return;   // too far ahead to be believed
        if (arbiter_.has_room_for(from)) return arbiter_.wish(m.when, from, by(env));
        if constexpr (Storage::bounded) env.report(outcome{overflow{arbiter_.room_for(from)}});
    }
    constexpr void on(voting::yield m, port from, environment_for<maekawa> auto& env) {
        if (may_vote_for(from, env)) arbiter_.yield(m, from, by(env));
    }
    constexpr void on(voting::release m, port from, environment_for<maekawa> auto& env) {
        if (may_vote_for(from, env)) arbiter_.release(m, from, by(env));
    }

    // As one who asks

    constexpr void on(voting::grant m, port from, environment_for<maekawa> auto& env) {
        hear(m, from, env);
    }
    constexpr void on(voting::failed m, port from, environment_for<maekawa> auto& env) {
        hear(m, from, env);
    }
    constexpr void on(voting::inquire m, port from, environment_for<maekawa> auto& env) {
        hear(m, from, env);
    }

    constexpr const Id& id() const { return self_; }
    constexpr const auto& quorum() const { return quorum_; }
    constexpr const fence_type& fence() const { return fence_; }
    /// For a vote, or for whoever has this node's and keeps another waiting.
    constexpr bool awaits(port p) const {
        return (waits() && votes_.asks(p) && !votes_.has(p)) || arbiter_.awaits(p);
    }
    constexpr const char* objection(std::size_t degree) const {
        for (std::size_t i = 0; i < quorum_.size(); ++i) {
            if (quorum_[i] >= degree) return "its quorum names a port that it does not have";
            if (i != 0 && quorum_[i - 1] == quorum_[i]) return "its quorum names a port twice";
        }
        return nullptr;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.quorum_, self.section_, self.clock_, self.asked_,
                        self.heard_, self.fence_, self.votes_, self.arbiter_);
    }

private:
    /// Not for a stranger; not any more if it has forgotten who has its vote.
    constexpr bool may_vote_for(port p, auto& env) const {
        return !section_.is_expelled() && p < env.degree();
    }
    constexpr void become_waiting(auto& env) {
        asked_ = clock_.tick();
        votes_.ask(quorum_);
        const stamp<Id> when{asked_, self_};
        for (const port p : quorum_) env.send(p, wish{when});
        arbiter_.wish(when, std::nullopt, by(env));
    }
    constexpr void become_outside(auto& env) {
        const voting::release m{asked_, fence_.count};
        votes_.clear();
        asked_ = heard_ = 0;
        for (const port p : quorum_) env.send(p, m);
        arbiter_.release(m, std::nullopt, by(env));
    }

    constexpr bool is_late(std::uint64_t to) const { return !waits() || to != asked_; }

    /// What its own arbiter says it hears at once.
    constexpr auto by(auto& env) {
        return [&](port_or_self whom, const auto& m) {
            if (whom) env.send(*whom, m);
            else hear(m, whom, env);
        };
    }
    constexpr void hear(voting::grant m, port_or_self from, auto& env) {
        if (is_late(m.to) || !votes_.grant(m, from)) return;
        detail::learn_count(heard_, m.fence);
        if (votes_.has_all()) become_inside(env);
    }
    constexpr void hear(voting::failed m, port_or_self from, auto& env) {
        if (!is_late(m.to)) votes_.fail(from, handing_back(env));
    }
    /// Who is inside answers nobody: the release will.
    constexpr void hear(voting::inquire m, port_or_self from, auto& env) {
        if (waits()) votes_.inquire(m, from, handing_back(env));
    }
    constexpr auto handing_back(auto& env) {
        return [&](port_or_self whom, voting::yield m) {
            if (whom) env.send(*whom, m);
            else arbiter_.yield(m, whom, by(env));
        };
    }

    constexpr void become_inside(auto& env) {
        section_.enter();
        votes_.clear();
        fence_.count = heard_ + 1;
        env.report(outcome{entered{fence_}});
    }
    /// In order of ports.
    constexpr void add(port p) {
        quorum_.push_back(p);
        for (std::size_t i = quorum_.size() - 1; i > 0 && p < quorum_[i - 1]; --i) {
            quorum_[i] = quorum_[i - 1];
            quorum_[i - 1] = p;
        }
    }

    Id self_;
    typename Storage::template sequence<port> quorum_{};
    lamport_clock clock_;
    std::uint64_t asked_ = 0;   // when; 0: nothing
    std::uint64_t heard_ = 0;   // the greatest fence, of the voters
    fence_type fence_;
    collected_votes<Storage> votes_;
    arbiter<Id, Storage, prefer> arbiter_;
};

template <identity Id, class Range, class... Policies>
maekawa(Id, const Range&, Policies...) -> maekawa<Id, storage_for<Range>, Policies...>;

/// Each voter: wish, grant, release; and, for another that waits there or is overtaken, either one
/// `failed`, or inquire, yield and another grant.
template <identity Id, class Storage, class... Policies>
constexpr cost maekawa<Id, Storage, Policies...>::per_entry(std::size_t quorum) {
    const std::uint64_t others = quorum == 0 ? 0 : quorum - 1;
    return {3 * others, 6 * others};
}

template <identity Id, class Storage, class... Policies>
constexpr cost maekawa<Id, Storage, Policies...>::messages(size s) {
    return {0, s.initiators * per_entry(s.nodes).most};
}

}  // namespace caucus
