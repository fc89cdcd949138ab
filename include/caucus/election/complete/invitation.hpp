// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/identity.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/core/process.hpp>
#include <caucus/core/time.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <variant>

namespace caucus {

/// Times, for speed alone: whatever they are, no promise of safety stands on them. Waits that ticks
/// cannot count are `never`.
struct invitation_options {
    ticks delay_max = 1;      // most messages take no longer
    ticks check_period = 0;   // between two looks around; 0: derived, 10 delays

    constexpr ticks check_wait() const {
        return check_period != 0 ? check_period : times(10, delay_max);
    }
    /// A question and its answer.
    constexpr ticks answer_wait() const { return times(2, delay_max); }
    /// An invitation, passed on to the members of a group, and their acceptance.
    constexpr ticks accept_wait() const { return times(3, delay_max); }
    constexpr ticks ready_wait() const { return after(accept_wait(), delay_max); }
    /// Longer than two that invited each other in vain can be apart: the better one is next.
    constexpr ticks back_off(std::size_t better_ones) const {
        return times(better_ones, times(10, delay_max));
    }

    /// From when on messages come in time, to when one group remains.
    constexpr ticks healed_within(std::size_t nodes) const {
        return times(4, after(after(check_wait(), answer_wait()),
                              after(back_off(nodes), ready_wait())));
    }

    constexpr invitation_options checked() const {
        if (delay_max == 0) refuse("invitation: delay_max is 0; a message takes at least one tick");
        if (delay_max > never >> 32) refuse("invitation: delay_max ", delay_max, " is no bound");
        return *this;
    }
};

/// A group, unlike any other ever: a leader counts the groups of its life, and lives are numbered.
template <class Id>
struct group_id {
    Id leader;
    incarnation life;
    std::uint32_t number = 0;

    friend constexpr bool operator==(const group_id&, const group_id&) = default;
};

/// An outcome: this node belongs to a group now, as its leader or not. It may be one of several.
template <class Id>
struct grouped_under {
    Id leader;
    group_id<Id> group;
};

/// Every node leads a group, if only its own; leaders look for others and invite them to merge.
/// There is one leader per group, not one leader: in a partition, or for a while, several groups.
///
/// Model     complete network, unique ids known to all; messages may be lost, repeated, late
/// Safety    who belongs to a group is known to its leader as a member, as long as that leads it
/// Liveness  if from some moment on messages keep delay_max, none is lost and nobody dies or
///           returns, one group is left after healed_within(n), and for good
/// Cost      a merger of g groups with m nodes: m-1 invite, m-1 accept, m-1 ready; polls n-1 each
/// Faults    any: crashes, returns without memory, loss, partition; groups split and merge again
/// Source    Garcia-Molina, IEEE ToC C-31(1), 1982 (the invitation algorithm)
///
/// The paper keeps a counter on disk to tell groups apart; here lives are numbered, which the
/// surroundings do. Its acknowledgements are members' questions: who got no answer leaves.
///
/// `Storage` of the peers' ids: a std::array of them stays in place, other ranges go to the heap.
/// prefer    prefer(a, b): a invites sooner than b. Default greatest. If nobody beats anybody, all
///           that meet invite each other at once, for ever.
template <class Id, class Storage = heap_storage, class... Policies>
class invitation {
    static_assert(detail::ids_can_elect<Id>());
    static_assert(roles<preference>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using prefer = policy<preference, greatest, Policies...>;

public:
    using group_type = group_id<Id>;
    struct are_you_coordinator {};
    struct coordinator {};                           // yes
    struct invite { group_type group; };
    struct accept { group_type group; };
    struct ready { group_type group; };
    struct are_you_there { group_type group; };
    struct here { group_type group; };               // and you are in it
    struct gone { group_type group; };
    using message = std::variant<are_you_coordinator, coordinator, invite, accept, ready,
                                 are_you_there, here, gone>;
    struct check_due {};         // a leader looks for others, a member for its leader
    struct answers_due {};
    struct merge_due {};
    struct accepts_due {};
    struct ready_overdue {};
    using timer = std::variant<check_due, answers_due, merge_due, accepts_due, ready_overdue>;
    using outcome = grouped_under<Id>;
    static constexpr bool perpetual = true;
    static constexpr bool elects_again = true;

    static constexpr model assumes = {shape::complete, guarantee::none, naming::distinct,
                                      timing::asynchronous, false};
    static constexpr winner elects = winner::some_node;

    /// peers[p] is the id behind port p.
    template <class Range, class... Given>
        requires(... && detail::fits_one_of<Given, Policies...>)
    constexpr invitation(Id self, const Range& peers, invitation_options options = {},
                         Given... policies)
        : self_(self), group_{self, {}, 0}, options_(options.checked()),
          prefer_(pick<preference, prefer>(policies...)) {
        static_assert(needs_peers_that_fit__give_a_std_array<Storage, Range>,
                      "needs_peers_that_fit__give_a_std_array");
        for (const auto& peer : peers) {
            CAUCUS_ASSERT(!(peer == self));   // equal ids: two groups with one name
            peers_.push_back(peer);
        }
    }

    /// The same, with all options left out.
    template <class Range, detail::fits_one_of<Policies...> First,
              detail::fits_one_of<Policies...>... Rest>
    constexpr invitation(Id self, const Range& peers, First first, Rest... rest)
        : invitation(self, peers, {}, first, rest...) {}

    constexpr void start(environment_for<invitation> auto& env) {
        if (phase_ == phase::resting) become_alone(env);
    }
    constexpr void on(const recovered<>& r, environment_for<invitation> auto& env) {
        life_ = r.incarnation;
        become_alone(env);
    }

    constexpr void on(check_due, environment_for<invitation> auto& env) {
        if (is_leader()) {
            found_.clear();   // answers that came after the last look are too old
            env.broadcast(are_you_coordinator{});
        } else {
            env.send(leader_, are_you_there{group_});
        }
        env.arm(answers_due{}, options_.answer_wait());
    }
    constexpr void on(are_you_coordinator, port from, environment_for<invitation> auto& env) {
        if (is_leader()) env.send(from, coordinator{});
    }
    constexpr void on(coordinator, port from, environment_for<invitation> auto&) {
        if (is_leader() && !is_stranger(from)) found_.insert(from);
    }
    constexpr void on(are_you_there m, port from, environment_for<invitation> auto& env) {
        // This leader is inviting it right now; told `gone`, it would miss the new group.
        if (phase_ == phase::inviting) return;
        const bool is_here = is_leader() && m.group == group_ && members_.contains(from);
        if (is_here) env.send(from, here{m.group});
        else env.send(from, gone{m.group});
    }
    constexpr void on(here m, port, environment_for<invitation> auto& env) {
        if (phase_ == phase::following && m.group == group_) become_settled(env);
    }
    constexpr void on(gone m, port, environment_for<invitation> auto& env) {
        if (phase_ == phase::following && m.group == group_) become_alone(env);
    }
    constexpr void on(answers_due, environment_for<invitation> auto& env) {
        if (!is_leader()) become_alone(env);
        else if (found_.empty()) env.arm(check_due{}, options_.check_wait());
        else env.arm(merge_due{}, options_.back_off(better_ones()));
    }

    constexpr void on(merge_due, environment_for<invitation> auto& env) {
        phase_ = phase::inviting;
        name_group();
        for (const port p : ports(peers_.size()))
            if (found_.contains(p) || members_.contains(p)) env.send(p, invite{group_});
        members_.clear();
        env.arm(accepts_due{}, options_.accept_wait());
    }
    constexpr void on(invite m, port from, environment_for<invitation> auto& env) {
        const std::optional<port> leader = port_of(m.group.leader);
        if (is_stranger(from) || !leader || !is_normal() || is_old(m.group)) return;
        for (const port p : ports(peers_.size()))
            if (members_.contains(p) && p != *leader) env.send(p, m);
        become_joining(m.group, *leader, env);
    }
    constexpr void on(accept m, port from, environment_for<invitation> auto&) {
        // Who accepts too late will hear nothing, and leave.
        if (phase_ == phase::inviting && m.group == group_ && !is_stranger(from))
            members_.insert(from);
    }
    constexpr void on(accepts_due, environment_for<invitation> auto& env) {
        for (const port p : ports(peers_.size()))
            if (members_.contains(p)) env.send(p, ready{group_});
        become_leading(env);
    }
    constexpr void on(ready m, port, environment_for<invitation> auto& env) {
        if (phase_ != phase::joining || m.group != group_) return;
        phase_ = phase::following;
        become_settled(env);
        env.report(outcome{group_.leader, group_});
    }
    constexpr void on(ready_overdue, environment_for<invitation> auto& env) { become_alone(env); }

    constexpr const Id& id() const { return self_; }
    constexpr const auto& peers() const { return peers_; }
    constexpr bool is_leader() const { return phase_ == phase::leading; }
    /// Empty while a group is being formed: nobody may rely on the old one any more.
    constexpr std::optional<Id> leader() const {
        return is_normal() ? std::optional<Id>{group_.leader} : std::nullopt;
    }
    constexpr const group_type& group() const { return group_; }
    /// Who belongs to the group, as its leader knows it: all that do, and perhaps some who left.
    constexpr bool has_member(port p) const { return members_.contains(p); }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.phase_, self.group_, self.life_, self.number_,
                        self.members_, self.found_, self.leader_);
    }

private:
    /// The paper's Normal is leading or following, Election inviting, Reorganization joining.
    enum class phase : std::uint8_t { resting, leading, inviting, joining, following };

    constexpr bool is_stranger(port p) const { return p >= peers_.size(); }
    constexpr bool is_normal() const {
        return phase_ == phase::leading || phase_ == phase::following;
    }
    /// A repeated message: this node is in that group already, or in a later one of that leader.
    constexpr bool is_old(const group_type& g) const {
        if (g.leader != group_.leader) return false;
        return g.life != group_.life ? g.life < group_.life : g.number <= group_.number;
    }
    constexpr std::optional<port> port_of(const Id& id) const {
        for (const port p : ports(peers_.size()))
            if (peers_[p] == id) return p;
        return std::nullopt;
    }
    constexpr std::size_t better_ones() const {
        std::size_t count = 0;
        for (const Id& peer : peers_) count += prefer_(peer, self_) ? 1 : 0;
        return count;
    }
    constexpr void name_group() { group_ = {self_, life_, ++number_}; }

    /// The paper's recovery: a group of its own.
    constexpr void become_alone(auto& env) {
        disarm_all(env);
        name_group();
        members_.clear();
        become_leading(env);
    }
    constexpr void become_leading(auto& env) {
        phase_ = phase::leading;
        found_.clear();
        env.report(outcome{self_, group_});
        env.arm(check_due{}, options_.check_wait());
    }
    constexpr void become_joining(const group_type& group, port leader, auto& env) {
        disarm_all(env);
        phase_ = phase::joining;
        group_ = group;
        leader_ = leader;
        members_.clear();
        found_.clear();
        env.send(leader, accept{group});
        env.arm(ready_overdue{}, options_.ready_wait());
    }
    constexpr void become_settled(auto& env) {
        disarm_all(env);
        env.arm(check_due{}, options_.check_wait());
    }
    constexpr void disarm_all(auto& env) {
        env.disarm(check_due{});
        env.disarm(answers_due{});
        env.disarm(merge_due{});
        env.disarm(ready_overdue{});
    }

    Id self_;
    typename Storage::template sequence<Id> peers_;
    group_type group_;
    incarnation life_;
    std::uint32_t number_ = 0;     // of the last group that this node has named in this life
    port_set<Storage> members_;    // a leader's
    port_set<Storage> found_;      // other leaders, in the last look around
    port leader_;                  // a member's
    invitation_options options_;
    phase phase_ = phase::resting;
    [[no_unique_address]] prefer prefer_;
};

template <class Id, class Range, class... Policies>
invitation(Id, const Range&, invitation_options = {}, Policies...)
    -> invitation<Id, storage_for<Range>, Policies...>;
template <class Id, class Range, detail::other_than<invitation_options> First, class... Rest>
invitation(Id, const Range&, First, Rest...)
    -> invitation<Id, storage_for<Range>, First, Rest...>;

}  // namespace caucus
