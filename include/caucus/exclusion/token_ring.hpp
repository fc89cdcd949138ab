// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/epoch.hpp>
#include <caucus/core/error.hpp>
#include <caucus/core/identity.hpp>
#include <caucus/core/input.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/policy.hpp>
#include <caucus/core/process.hpp>
#include <caucus/core/time.hpp>
#include <caucus/exclusion/fence.hpp>
#include <caucus/exclusion/section.hpp>
#include <caucus/exclusion/section_verbs.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <variant>

namespace caucus {

/// What a node must know to tell a token that is lost from one that is late. Wrong bounds cost
/// messages and exclusion, but never make two tokens of one generation. Simulations refuse a ring
/// with more nodes, and report the messages that take longer.
struct token_ring_options {
    std::size_t nodes = 0;      // on the ring, at most
    bool has_token = false;     // one node begins with it
    ticks delay_max = 1;        // no message takes longer, its handling included
    ticks stay_max = 1;         // nobody is inside for longer
    ticks hold = 1;             // how long an idle node keeps the token; 0: it passes it on at once
    std::size_t rank = 0;       // who misses the token waits a lap and a half longer for each rank
    ticks token_wait = 0;       // of rank 0; 0: derived, the least safe one
    ticks election_wait = 0;    // 0: derived, so that the new token has come by then

    /// Who has passed the token on has it back by then, or it is lost.
    constexpr ticks token_due() const {
        const ticks of_rank_0 = token_wait != 0 ? token_wait : after(lap(), 1);
        return after(of_rank_0, times(rank, after(lap(), message_lap())));
    }
    /// Whoever takes part in an election has seen the new token by then, or the election has died.
    constexpr ticks election_due() const {
        return election_wait != 0 ? election_wait : after(after(times(2, message_lap()), lap()), 1);
    }

    /// Refuses waits that end before what they wait for can have come.
    constexpr token_ring_options checked() const {
        if (nodes == 0) refuse("token_ring: nodes is 0; how long a lap takes depends on them");
        if (rank >= nodes) refuse("token_ring: rank ", rank, " of ", nodes, " nodes; begin at 0");
        if (delay_max == 0) refuse("token_ring: delay_max is 0; a message takes at least one tick");
        if (times(4, times(nodes, lap())) > never / 8 || token_wait > never / 8)
            refuse("token_ring: delay_max ", delay_max, ", stay_max ", stay_max, ", hold ", hold,
                   " or token_wait ", token_wait, " is no bound: the waits would overflow");
        if (token_due() <= lap())
            refuse("token_ring: token_wait ", token_wait, " ends before the token can be back; "
                   "need more than nodes*(stay_max+delay_max), or hold for stay_max, ", lap());
        if (election_due() <= times(2, message_lap()))
            refuse("token_ring: election_wait ", election_wait, " ends before the best one can "
                   "have won; need more than 2*nodes*delay_max, ", times(2, message_lap()));
        return *this;
    }

private:
    constexpr ticks lap() const {
        return times(nodes, after(stay_max < hold ? hold : stay_max, delay_max));
    }
    constexpr ticks message_lap() const { return times(nodes, delay_max); }
};

/// One token goes round; whoever has it may enter, once a visit. Who misses it has a new one made,
/// of a later generation, by the best of all nodes; where two meet, the older one is destroyed.
///
/// Model     one-way ring of known size, unique ids; bounded delay and stay; links may lose, and
///           deliver in any order, but not repeat
/// Safety    one token per generation, and one node inside per generation, whatever is lost, late
///           or crashes. If bounds hold and nobody crashes there is one token, and so exclusion.
///           Else two nodes may be inside at once (n = 3: after 11 events, or 12 or 13, as ids
///           stand): what they use must be `fenced`. Who meets a newer token inside is `revoked`
/// Liveness  once nothing is lost any more and the bounds hold, everyone who asks enters, after at
///           most n-1 others; in the order of the ring, not of the requests
/// Cost      1 message an entry if all always want to enter, no bound if nobody does; a wait of up
///           to n-1 hops and n-1 stays; n to n(n+1)/2 for a new token, n if ranks follow ids
/// Faults    lost tokens and elections; a crashed node breaks the ring: wrap it in repaired_ring,
///           with a hold of 1 at least: what goes round it at once and unchanged is taken for lost.
///           No `awaits` for candid: it waits for a time, not for a node, and whoever misses the
///           token makes another
/// Source    Le Lann, IFIP Congress, 1977; the textbooks' timer and election; generations after
///           Chang & Roberts's election, CACM 22(5), 1979
///
/// prefer    prefer(a, b): a beats b. Default greatest: the best makes the new token.
///
/// A generation is an epoch: its number, who made its token, and in which life. Nobody else can
/// make it, and its maker makes no second of that number. A fence is the generation and how many
/// have entered with its token: tokens are passed on, so fences of one generation rise.
template <class Id, class... Policies>
class token_ring : public section_verbs<token_ring<Id, Policies...>> {
    static_assert(detail::ids_can_elect<Id>());
    static_assert(roles<preference>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using prefer = policy<preference, greatest, Policies...>;

    using verbs = section_verbs<token_ring>;
    friend verbs;
    using verbs::section_;

public:
    using generation_type = epoch<Id>;
    using fence_type = caucus::fence<generation_type>;

    struct token { generation_type of; std::uint64_t entries = 0; };
    struct election { std::uint64_t number = 0; Id candidate{}; };   // for the token of that number
    using message = std::variant<token, election>;
    struct token_overdue {};
    struct election_overdue {};
    struct held_long_enough {};
    using timer = std::variant<token_overdue, election_overdue, held_long_enough>;
    using outcome = std::variant<entered<fence_type>, left, revoked>;
    using requests = std::variant<request::start, request::enter, request::leave, request::cancel>;

    static constexpr bool perpetual = true;
    static constexpr model assumes = {shape::one_way_ring, guarantee::no_duplicates,
                                      naming::distinct, timing::bounded_delay, false};
    /// Of the token, from one entry to the next; `never`: no bound.
    static constexpr cost per_entry(std::size_t) { return {1, never}; }
    /// Of an election; the lap in which all see the new token is n more.
    static constexpr cost recovery(std::size_t n) { return {n, n * (n + 1) / 2}; }

    template <class... Given>
        requires(... && detail::fits_one_of<Given, Policies...>)
    constexpr token_ring(Id self, token_ring_options options, Given... policies)
        : self_(self), options_(options.checked()), has_token_(options.has_token),
          prefer_(pick<preference, prefer>(policies...)) {
        if (has_token_) newest_ = {1, self_, life_};
    }

    /// Begins to watch, or to pass the token; everything that happens to a node does so, too.
    constexpr void start(environment_for<token_ring> auto& env) { wake_up(env); }

    constexpr void on(const recovered<>& r, environment_for<token_ring> auto& env) {
        life_ = r.incarnation;
        // The one it began with has died with its first life, or goes round without it.
        has_token_ = false;
        newest_ = {};
        wake_up(env);
    }

    constexpr void on(const token& t, port from, environment_for<token_ring> auto& env) {
        if (is_stranger(from) || is_absurd(t.of.number)) return;
        if (detail::is_absurd_count(t.entries)) return;
        wake_up(env);
        if (t.of < newest_) return;                       // a newer one was here: destroyed
        if (has_token_ && t.of == newest_) return;        // repeated: it is in its hands
        become_holder(t.of, t.entries, env);
    }

    constexpr void on(const election& e, port from, environment_for<token_ring> auto& env) {
        if (is_stranger(from) || is_absurd(e.number)) return;
        wake_up(env);
        if (is_decided(e.number) || is_needless(e.number)) return;
        if (e.candidate == self_) {
            // If the token has come by meanwhile, it takes no part in it any more.
            if (electing_ == e.number) become_holder({e.number, self_, life_}, 0, env);
            return;
        }
        if (electing_ < e.number) {
            become_elector(e.number, env);
            if (prefer_(self_, e.candidate)) env.send(next, election{e.number, self_});
        }
        if (electing_ == e.number && prefer_(e.candidate, self_)) env.send(next, e);
    }

    constexpr void on(token_overdue, environment_for<token_ring> auto& env) { hold_election(env); }
    constexpr void on(election_overdue, environment_for<token_ring> auto& env) {
        hold_election(env);
    }
    constexpr void on(held_long_enough, environment_for<token_ring> auto& env) { pass_on(env); }

    constexpr const Id& id() const { return self_; }
    /// Of the last entry.
    constexpr const fence_type& fence() const { return fence_; }
    constexpr bool has_token() const { return has_token_; }
    /// Of the newest token that was here, or is; number 0: none was.
    constexpr const generation_type& generation() const { return newest_; }
    constexpr bool is_electing() const { return electing_ != 0; }
    /// What it was told of its network, for executors that check it. An endpoint sees one neighbour
    /// and no ring: it cannot.
    constexpr std::size_t ring_size_most() const { return options_.nodes; }
    constexpr ticks delay_most() const { return options_.delay_max; }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.life_, self.awake_, self.has_token_, self.newest_,
                        self.entries_, self.electing_, self.section_, self.fence_);
    }

private:
    /// No run makes so many tokens that a node misses: after the last number there is no next.
    static constexpr std::uint64_t leap_max = std::uint64_t{1} << 32;

    static constexpr bool is_stranger(port from) { return from != prev; }
    constexpr bool is_absurd(std::uint64_t number) const {
        return number > newest_.number && number - newest_.number > leap_max;
    }
    /// A token of that number, or a later one, has been made.
    constexpr bool is_decided(std::uint64_t number) const { return number <= newest_.number; }
    /// The token that is missed is in its hands. Without this a long stay ends with two tokens.
    constexpr bool is_needless(std::uint64_t number) const {
        return has_token_ && number == newest_.number + 1;
    }

    constexpr void become_waiting(auto& env) {
        wake_up(env);
        if (has_token_ && section_.is_waiting()) enter(env);
    }
    constexpr void become_outside(auto& env) { pass_on(env); }
    constexpr void give_up(auto&) {}

    constexpr void wake_up(auto& env) {
        if (awake_) return;
        awake_ = true;
        if (has_token_) use_token(env);
        else env.arm(timer{token_overdue{}}, options_.token_due());
    }

    constexpr void hold_election(auto& env) {
        const std::uint64_t number = newest_.number + 1;
        become_elector(electing_ < number ? number : electing_, env);
        env.send(next, election{electing_, self_});
    }
    /// While an election is under way nobody misses the token: else the late id of a worse node
    /// would make the winner begin anew.
    constexpr void become_elector(std::uint64_t number, auto& env) {
        electing_ = number;
        env.disarm(timer{token_overdue{}});
        env.arm(timer{election_overdue{}}, options_.election_due());
    }

    /// Of that token, and of no other: an older one in its hands is destroyed.
    constexpr void become_holder(const generation_type& g, std::uint64_t entries, auto& env) {
        if (section_.is_inside()) {
            section_.revoke();    // somebody may have entered with the newer token before
            env.report(outcome{revoked{}});
        }
        newest_ = g;
        entries_ = entries;
        electing_ = 0;
        has_token_ = true;
        env.disarm(timer{token_overdue{}});
        env.disarm(timer{election_overdue{}});
        use_token(env);
    }
    constexpr void use_token(auto& env) {
        if (section_.is_waiting()) enter(env);
        else if (options_.hold == 0) pass_on(env);
        else env.arm(timer{held_long_enough{}}, options_.hold);
    }
    constexpr void enter(auto& env) {
        env.disarm(timer{held_long_enough{}});
        section_.enter();
        fence_ = {newest_, ++entries_};
        env.report(outcome{entered<fence_type>{fence_}});
    }
    constexpr void pass_on(auto& env) {
        has_token_ = false;
        env.send(next, token{newest_, entries_});
        if (!is_electing()) env.arm(timer{token_overdue{}}, options_.token_due());
    }

    Id self_;
    token_ring_options options_;
    incarnation life_{};
    bool awake_ = false;
    bool has_token_ = false;
    generation_type newest_{};       // of all tokens that were here
    std::uint64_t entries_ = 0;      // with that one, as far as it knows
    std::uint64_t electing_ = 0;     // for the token of that number; 0: not at all
    fence_type fence_{};
    [[no_unique_address]] prefer prefer_;
};

template <class Id, class... Policies>
token_ring(Id, token_ring_options, Policies...) -> token_ring<Id, Policies...>;

}  // namespace caucus
