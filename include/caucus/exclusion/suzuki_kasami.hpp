// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/identity.hpp>
#include <caucus/core/input.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/policy.hpp>
#include <caucus/core/process.hpp>
#include <caucus/core/sort.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/exclusion/fence.hpp>
#include <caucus/exclusion/section.hpp>
#include <caucus/exclusion/section_verbs.hpp>
#include <caucus/logical/lamport_clock.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <variant>

namespace caucus {

/// Whoever has the token may enter. A node without it tells all others that it wishes to, by a
/// number of its own; the token says which wishes have been seen to, and who is next.
///
/// Model     complete network, unique ids known to all; reliable links, any order, duplicates too
/// Safety    at most one node is inside: there is one token, and a copy of it is told by its count,
///           which rises with each entry and whenever the token is passed on. So do fences: an
///           entry's is the token's count. They have gaps
/// Liveness  everyone who asks enters if everyone who is inside leaves: after n-1 others at most,
///           once the holder knows of it. Not in the order in which they asked, even if one knew of
///           the other's wish
/// Cost      of an entry 0 for whoever has the token, else n: n-1 on average if only one wants it,
///           whoever that is. One that is cancelled costs as much, and the next of that node is
///           then free until the token has come for the first. One message delay from one that
///           leaves to the next that enters
/// Faults    the crash of whoever has the token, or is to have it, loses it: all block. No node
///           knows who has it, so a waiting one awaits all: candid says stalled if any of them is
///           suspected. The crash of another is harmless. Who comes back is out, not_a_member: it
///           does not know which numbers its wishes had, nor a copy of the token from the token.
///           A message that is lost blocks its sender, or all
/// Source    Suzuki & Kasami, TOCS 3(4), 1985
///
/// `Storage` of the peers' ids, and of what the token holds: a std::array of them stays in place.
/// preference prefer(a, b): of those whose wishes it has not seen to yet, a is next. The most
///           preferred of all has the token at first. Default least: the paper's order of numbers.
template <class Id, class Storage = heap_storage, class... Policies>
class suzuki_kasami : public section_verbs<suzuki_kasami<Id, Storage, Policies...>> {
    static_assert(detail::ids_can_elect<Id>());
    static_assert(roles<preference>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using prefer = policy<preference, least, Policies...>;
    template <class T>
    using sequence = typename Storage::template sequence<T>;
    using numbers = typename detail::one_more<Storage>::type::template sequence<std::uint64_t>;

    using verbs = section_verbs<suzuki_kasami>;
    friend verbs;
    using verbs::section_;

public:
    using fence_type = caucus::fence<>;

    struct wish { std::uint64_t number = 0; };   // the paper's request: RN of its sender
    /// The paper's privilege. A wish is seen to when it is queued; in the paper, when it is served.
    struct token {
        std::uint64_t count = 0;
        numbers seen_to{};       // LN: the last wish of each node, most preferred node first
        sequence<Id> queue{};    // Q
    };
    using message = std::variant<wish, token>;
    using timer = nothing;
    using outcome = std::variant<entered<fence_type>, left>;
    using requests = section_requests;

    static constexpr model assumes = {shape::complete, guarantee::reliable, naming::distinct,
                                      timing::asynchronous, false};
    /// Of a run in which `initiators` entries are asked for.
    static constexpr cost messages(size s) {
        return {0, per_entry(s.nodes).most * s.initiators};
    }
    /// The mean: one node alone wants to enter, any with equal chance.
    static constexpr cost per_entry(std::size_t nodes) {
        if (nodes < 2) return {0, 0, 0.0};
        return {0, nodes, static_cast<double>(nodes - 1)};
    }

    /// peers[p] is the id behind port p. Policies that are named as types need not be given again.
    template <class Range, class... Given>
        requires(... && detail::fits_one_of<Given, Policies...>)
    constexpr suzuki_kasami(Id self, const Range& peers, Given... policies)
        : self_(self), prefer_(pick<preference, prefer>(policies...)) {
        static_assert(needs_peers_that_fit__give_a_std_array<Storage, Range>,
                      "needs_peers_that_fit__give_a_std_array");
        for (const auto& peer : peers) {
            CAUCUS_ASSERT(!(peer == self));
            by_preference_.push_back(port{peers_.size()});
            peers_.push_back(peer);
            rank_ += prefer_(peer, self_);
        }
        sort_in_place(by_preference_, [&](port a, port b) {
            return prefer_(peers_[a], peers_[b]);
        });
        heard_.resize(peers_.size(), lamport_clock{});
        if (rank_ != 0) return;
        token_.emplace();
        token_->seen_to.resize(peers_.size() + 1, 0);
    }

    constexpr void on(const wish& m, port from, environment_for<suzuki_kasami> auto& env) {
        if (is_stranger(from) || !heard_[from].learn(m.number)) return;
        if (token_ && !section_.is_inside()) pass_on(env);
    }

    constexpr void on(const token& m, port from, environment_for<suzuki_kasami> auto& env) {
        if (is_stranger(from) || is_malformed(m) || is_copy(m)) return;
        last_ = m.count;
        wishes_ = false;
        // Somebody may have wished in its name: others hear only what has a higher number.
        own_.learn(m.seen_to[rank_]);
        token_.emplace(m);
        if (section_.is_waiting()) enter(env);
        else pass_on(env);
    }

    constexpr void on(const recovered<>&, environment_for<suzuki_kasami> auto&) {
        token_.reset();     // whoever it was made as: else there would be two
        section_.expel();   // others would take its wishes for old ones
    }

    constexpr bool has_token() const { return token_.has_value(); }
    /// Of its last entry.
    constexpr const fence_type& fence() const { return fence_; }
    constexpr const Id& id() const { return self_; }
    constexpr const auto& peers() const { return peers_; }
    /// Any of them may have the token.
    constexpr bool awaits(port p) const { return section_.is_waiting() && !is_stranger(p); }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.section_, self.own_, self.wishes_, self.heard_,
                        self.token_, self.last_, self.fence_);
    }

private:
    // Nobody gets that far: it is a stranger's token, and its count would wrap.
    static constexpr std::uint64_t count_max = std::uint64_t{1} << 63;

    constexpr bool is_stranger(port p) const { return p >= peers_.size(); }
    /// Two tokens are not the token, so one that has it takes no other. Who has forgotten what came
    /// takes none.
    constexpr bool is_copy(const token& m) const {
        return token_ || m.count <= last_ || section_.is_expelled();
    }
    constexpr bool is_malformed(const token& m) const {
        return m.count > count_max || m.seen_to.size() != peers_.size() + 1 ||
               m.queue.size() > peers_.size();
    }

    constexpr void become_waiting(auto& env) {
        if (token_) return enter(env);
        if (wishes_) return;   // one that was cancelled still brings the token
        wishes_ = true;
        env.broadcast(wish{own_.tick()});
    }
    constexpr void become_outside(auto& env) { pass_on(env); }
    constexpr void give_up(auto&) {}

    constexpr void enter(auto& env) {
        section_.enter();
        fence_.count = ++token_->count;
        env.report(outcome{entered{fence_}});
    }

    constexpr void pass_on(auto& env) {
        queue_new_wishes();
        while (token_->queue.size() != 0) {
            const std::optional<port> first = port_of(take_first());
            if (!first) continue;   // a stranger's token: nobody here has that id
            ++token_->count;
            env.send(*first, *token_);
            return token_.reset();
        }
    }
    /// RN[j] = LN[j]+1 in the paper. Here more than one may be new: what stands for a wish that
    /// nobody made is overtaken by the next that somebody does.
    constexpr void queue_new_wishes() {
        for (std::size_t i = 0; i < by_preference_.size(); ++i) {
            const port p = by_preference_[i];
            std::uint64_t& seen_to = token_->seen_to[i < rank_ ? i : i + 1];
            if (heard_[p].now() <= seen_to || is_queued(peers_[p])) continue;
            if (token_->queue.size() == peers_.size()) return;   // full of what is nobody's id
            seen_to = heard_[p].now();
            token_->queue.push_back(peers_[p]);
        }
    }
    constexpr bool is_queued(const Id& who) const {
        for (const Id& each : token_->queue)
            if (each == who) return true;
        return false;
    }
    constexpr Id take_first() {
        const Id first = token_->queue[0];
        sequence<Id> rest{};
        for (std::size_t i = 1; i < token_->queue.size(); ++i) rest.push_back(token_->queue[i]);
        token_->queue = rest;
        return first;
    }
    constexpr std::optional<port> port_of(const Id& who) const {
        for (const port p : ports(peers_.size()))
            if (peers_[p] == who) return p;
        return std::nullopt;
    }

    Id self_;
    sequence<Id> peers_{};
    sequence<port> by_preference_{};
    std::size_t rank_ = 0;   // how many are preferred to it
    lamport_clock own_{};    // RN of this node
    bool wishes_ = false;    // all have been told, and the token has not come
    sequence<lamport_clock> heard_{};   // RN, by port
    std::optional<token> token_{};
    std::uint64_t last_ = 0;   // count of the token when it came last
    fence_type fence_{};
    [[no_unique_address]] prefer prefer_;
};

template <class Id, class Range, class... Policies>
suzuki_kasami(Id, const Range&, Policies...)
    -> suzuki_kasami<Id, storage_for<Range>, Policies...>;

}  // namespace caucus
