// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/input.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/policy.hpp>
#include <caucus/core/process.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/exclusion/fence.hpp>
#include <caucus/exclusion/section.hpp>
#include <caucus/exclusion/section_verbs.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <variant>

namespace caucus {

/// One token in a tree in which every node knows by which port it is nearer to it. Wishes go that
/// way, from queue to queue; the token comes back by it, and turns the way round as it goes.
///
/// Model     tree, no ids, one node that has the token at first; reliable links, any order,
///           duplicates too
/// Safety    at most one node is inside: it has the token. That counts its steps and the entries,
///           so that every fence is above all before it
/// Liveness  whoever asks enters, if nobody stays inside for ever; not in the order of asking
/// Cost      alone: twice the distance to the token. All the time by all: 4(n-1)/n each, or less
///           where who has left asks again before it hears of others. At most 2·diameter each
/// Faults    a crash or a lost message blocks all that are cut off from the token, or all if it is
///           lost; who comes back is out, not_a_member, and silent: it knows not where the token is
/// Source    Raymond, ACM TOCS 7(1), 1989
///
/// storage   heap_storage or inplace_storage<ports>. Default heap_storage: any degree.
template <class... Policies>
class raymond
    : public section_verbs<raymond<Policies...>, policy<storage, heap_storage, Policies...>> {
    static_assert(roles<storage>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using store = policy<storage, heap_storage, Policies...>;

    using verbs = section_verbs<raymond, store>;
    friend verbs;
    using verbs::section_;

public:
    struct wish { std::uint64_t count; };        // the token's, when it last came from there
    struct privilege { std::uint64_t count; };
    using message = std::variant<wish, privilege>;
    using timer = nothing;
    using outcome = section_outcomes<caucus::fence<>, store>;
    using requests = section_requests;

    static constexpr model assumes = {shape::tree, guarantee::reliable, naming::anonymous};
    static constexpr cost per_entry(std::size_t nodes);
    static constexpr cost messages(size s);

    /// `token`   behind which port it is, or nothing for the one node that has it. For all nodes of
    ///           a topology `ports_towards` tells it.
    constexpr explicit raymond(std::optional<port> token, Policies...) : token_(token) {}

    /// Whoever has forgotten knows only where the token was at first: perhaps it would be a second.
    constexpr void on(const recovered<>&, environment_for<raymond> auto&) { section_.expel(); }

    constexpr void on(wish m, port from, environment_for<raymond> auto& env) {
        if (section_.is_expelled() || is_stranger(from, env)) return;
        if (overflows<store, outcome>(env)) return;
        if (is_queued(from) || m.count < newest(from)) return;   // a copy
        queue_.push_back(from);
        assign_privilege(env);
        make_request(env);
    }

    constexpr void on(privilege m, port from, environment_for<raymond> auto& env) {
        if (section_.is_expelled() || token_ != from || overflows<store, outcome>(env)) return;
        if (m.count <= newest(from) || detail::is_absurd_count(m.count)) return;
        note(from, m.count);
        token_ = here;
        asked_ = false;
        count_ = m.count;
        assign_privilege(env);
        make_request(env);
    }

    /// Of its last entry.
    constexpr const caucus::fence<>& fence() const { return fence_; }
    /// By which port it is nearer to the token; by none if it has it.
    constexpr std::optional<port> way_to_token() const { return token_; }
    constexpr bool has_token() const { return token_ == here; }
    /// Does anybody wait here, or behind other ports, for what is to come from that one?
    constexpr bool awaits(port p) const { return token_ == p && queue_.size() != 0; }

    constexpr const char* objection(std::size_t degree) const {
        if (token_ && *token_ >= degree) return "the token is to be behind a port that it has not";
        return nullptr;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.token_, self.queue_, self.asked_, self.section_, self.count_,
                        self.crossed_, self.fence_);
    }

private:
    /// A neighbour, or this node itself.
    using direction = std::optional<port>;
    static constexpr direction here{};

    static constexpr bool is_stranger(port p, auto& env) { return p >= env.degree(); }
    /// With which count the token has crossed that link last, there or back. A wish of earlier days
    /// is a copy that nobody waits for, and such a privilege would be a second token.
    constexpr std::uint64_t newest(port p) const { return p < crossed_.size() ? crossed_[p] : 0; }
    constexpr void note(port p, std::uint64_t count) {
        if (crossed_.size() <= p) crossed_.resize(p + 1, 0);
        crossed_[p] = count;
    }
    constexpr std::size_t place_of(direction who) const {
        std::size_t place = 0;
        while (place < queue_.size() && queue_[place] != who) ++place;
        return place;
    }
    constexpr bool is_queued(direction who) const { return place_of(who) != queue_.size(); }
    constexpr direction take_from_queue(std::size_t place) {
        const direction taken = queue_[place];
        for (; place + 1 < queue_.size(); ++place) queue_[place] = queue_[place + 1];
        queue_.pop_back();
        return taken;
    }

    constexpr void become_waiting(auto& env) {
        queue_.push_back(here);
        assign_privilege(env);
        make_request(env);
    }
    constexpr void become_outside(auto& env) {
        assign_privilege(env);
        make_request(env);
    }
    /// What it has asked for comes all the same, and is there for the next one who wants it.
    constexpr void give_up(auto&) { take_from_queue(place_of(here)); }

    /// Whoever is first in the queue is let in here, or gets the token.
    constexpr void assign_privilege(auto& env) {
        if (!has_token() || section_.is_inside() || queue_.size() == 0) return;
        token_ = take_from_queue(0);
        ++count_;
        if (token_ == here) return enter(env);
        note(*token_, count_);
        env.send(*token_, privilege{count_});
    }
    /// One wish calls the token for all in the queue; the others' turn is when it has gone on.
    constexpr void make_request(auto& env) {
        if (has_token() || asked_ || queue_.size() == 0) return;
        asked_ = true;
        env.send(*token_, wish{count_});
    }
    constexpr void enter(auto& env) {
        section_.enter();
        fence_.count = count_;
        env.report(outcome{entered<caucus::fence<>>{fence_}});
    }

    direction token_;
    typename detail::one_more<store>::type::template sequence<direction> queue_;
    bool asked_ = false;       // for the token, and it has not come yet
    std::uint64_t count_ = 0;  // of the token's steps and entries, when it was here last
    typename store::template sequence<std::uint64_t> crossed_{};
    caucus::fence<> fence_;
};

template <class... Policies>
raymond(std::optional<port>, Policies...) -> raymond<Policies...>;

/// There and back over every link, at most.
template <class... Policies>
constexpr cost raymond<Policies...>::per_entry(std::size_t nodes) {
    return {0, nodes == 0 ? 0 : 2 * (std::uint64_t{nodes} - 1)};
}

/// s.initiators: the entries that are asked for in the run, those included that are cancelled.
/// Between two of them the token goes straight on, called by one wish a step.
template <class... Policies>
constexpr cost raymond<Policies...>::messages(size s) {
    const std::uint64_t way = s.diameter != 0 ? s.diameter : s.nodes - 1;
    return {0, 2 * way * s.initiators};
}

}  // namespace caucus
