// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/identity.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/process.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/core/suspected_ports.hpp>
#include <caucus/core/time.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <variant>

namespace caucus {

/// What the algorithm must know of time. All it concludes from silence stands on these bounds.
struct bully_options {
    ticks delay_max = 1;            // no message takes longer
    ticks processing_max = 0;       // no answer is longer in the making
    ticks answer_timeout = 0;       // T;  0: derived, the least safe one
    ticks coordinator_timeout = 0;  // T'; 0: derived, the least safe one

    /// An answer is back by then, or there is nobody to give it.
    constexpr ticks answer_wait() const {
        return answer_timeout != 0 ? answer_timeout : round_trip();
    }
    /// Whoever answered has finished its own election by then, or died.
    constexpr ticks coordinator_wait() const {
        return coordinator_timeout != 0 ? coordinator_timeout : after(answer_wait(), round_trip());
    }
    /// Whoever asked this node while it was dead has won by then, and all have heard of it.
    constexpr ticks settling_wait() const { return after(answer_wait(), delay_max); }

    /// Refuses waits that end before what they wait for can have come.
    constexpr bully_options checked() const {
        if (delay_max == 0) refuse("bully: delay_max is 0; a message takes at least one tick");
        if (delay_max > never / 8 || processing_max > never / 8)
            refuse("bully: delay_max ", delay_max, " or processing_max ", processing_max,
                   " is no bound: the waits would overflow");
        if (answer_timeout > never / 2)
            refuse("bully: answer_timeout ", answer_timeout, " never ends: T' would overflow");
        if (answer_wait() < round_trip())
            refuse("bully: answer_timeout ", answer_wait(), " ends before an answer can be back; "
                   "need 2*delay_max+processing_max, ", round_trip());
        if (coordinator_wait() < answer_wait() + round_trip())
            refuse("bully: coordinator_timeout ", coordinator_wait(), " ends before the better one "
                   "can have won; need T+2*delay_max+processing_max, ",
                   answer_wait() + round_trip());
        return *this;
    }

private:
    constexpr ticks round_trip() const { return after(times(2, delay_max), processing_max); }
};

/// Whom a node asks when it holds an election.
struct asking {};
struct ask_all { using decides = asking; };          // all better ones, dead or alive
struct skip_suspected { using decides = asking; };   // not those that it takes for dead

/// Whoever misses the coordinator asks all better ones; if none answers, it takes over. In a
/// partition each side elects its own leader: fence what it leads, or supervise with a majority.
///
/// Model     complete network, unique ids known to all; reliable links, bounded delay, any order,
///           duplicates too
/// Safety    at most one leader alive, while delays keep the stated bound; but a better node that
///           returns takes over: for one delay there are two (non_preemptive: never)
/// Liveness  if a node starts or suspects its leader, every live node learns the best live id
///           (non_preemptive: or that of a leader that lives)
/// Cost      coordinator dead, found by the i-th of n: (n-i)²+n-2; n-1 at best, n²-n-1 at worst;
///           after T and two delays, or one if it is the best left (skip_suspected: n-2 messages
///           and one delay at best)
/// Faults    any number of crashes and recoveries; late messages or a partition: several leaders
///           (skip_suspected: a wrong suspicion, too; taken back, the better one contests it)
/// Source    Garcia-Molina, IEEE ToC C-31(1), 1982, in the textbooks' form
///
/// `Storage` of the peers' ids: a std::array of them stays in place, other ranges go to the heap.
/// prefer    prefer(a, b): a beats b. Default greatest.
/// taking_over preemptive or non_preemptive. Default preemptive: the best leads, as in the paper.
/// asking    ask_all or skip_suspected. Default ask_all: no suspicion makes a second leader.
template <class Id, class Storage = heap_storage, class... Policies>
class bully {
    static_assert(detail::ids_can_elect<Id>());
    static_assert(roles<preference, taking_over, asking>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using prefer = policy<preference, greatest, Policies...>;
    static constexpr bool preempts = chooses<preemptive, preemptive, Policies...>;
    static constexpr bool skips = chooses<skip_suspected, ask_all, Policies...>;

public:
    /// Which question, asked in which life: an answer repeats it, so late ones are recognised.
    struct attempt {
        incarnation life;
        std::uint32_t number = 0;

        friend constexpr bool operator==(const attempt&, const attempt&) = default;
    };
    struct election { attempt of; };
    struct answer { attempt to; };
    struct coordinator {};
    struct inquiry { attempt of; };    // who leads?
    struct incumbent { attempt to; };  // I do
    using message =
        std::conditional_t<preempts, std::variant<election, answer, coordinator>,
                           std::variant<election, answer, coordinator, inquiry, incumbent>>;
    struct answer_overdue {};
    struct coordinator_overdue {};
    using timer = std::variant<answer_overdue, coordinator_overdue>;
    using outcome = elected<Id>;

    static constexpr model assumes = {shape::complete, guarantee::reliable, naming::distinct,
                                      timing::bounded_delay, false};
    static constexpr winner elects = preempts ? winner::best_of_all : winner::some_node;
    static constexpr bool outlives_peers = true;
    // A lost message can make several leaders; under `supervised` each has an epoch of its own.
    static constexpr bool loss_costs_elections = true;
    static constexpr cost messages(size s);
    static constexpr cost time(size s);

    /// peers[p] is the id behind port p. Policies that are named as types need not be given again.
    template <class Range, class... Given>
        requires(... && detail::fits_one_of<Given, Policies...>)
    constexpr bully(Id self, const Range& peers, bully_options options = {}, Given... policies)
        : self_(self), leader_(self), options_(options.checked()),
          prefer_(pick<preference, prefer>(policies...)) {
        static_assert(needs_peers_that_fit__give_a_std_array<Storage, Range>,
                      "needs_peers_that_fit__give_a_std_array");
        for (const auto& peer : peers) {
            CAUCUS_ASSERT(!(peer == self));   // equal ids: neither would yield
            peers_.push_back(peer);
        }
    }

    /// The same, with all options left out.
    template <class Range, detail::fits_one_of<Policies...> First,
              detail::fits_one_of<Policies...>... Rest>
    constexpr bully(Id self, const Range& peers, First first, Rest... rest)
        : bully(self, peers, {}, first, rest...) {}

    constexpr void start(environment_for<bully> auto& env) {
        if (phase_ == phase::idle) hold_election(env);
    }
    constexpr void on(suspect s, environment_for<bully> auto& env) {
        if (is_stranger(s.whom) || !given_up_.hear(s)) return;
        if (phase_ != phase::idle || !known_) return;
        if (peers_[s.whom] == leader_) hold_election(env);
    }
    constexpr void on(trust t, environment_for<bully> auto& env) requires skips {
        const bool was_given_up = given_up_.contains(t.whom);
        if (is_stranger(t.whom) || !given_up_.hear(t)) return;
        if (!was_given_up || !is_better(t.whom)) return;
        // Without these two it might never hear of the leader that was made in its stead.
        if (is_leader()) env.send(t.whom, coordinator{});   // it contests that
        if (phase_ == phase::awaiting_answer) ask_better_ones(options_.settling_wait(), env);
    }
    constexpr void on(const recovered<>& r, environment_for<bully> auto& env) {
        current_.life = r.incarnation;
        // If it took over at once, news of one that won meanwhile could come after its own.
        if constexpr (preempts) ask_better_ones(options_.settling_wait(), env);
        else inquire(env);
    }

    constexpr void on(election m, port from, environment_for<bully> auto& env) {
        if (is_stranger(from) || is_better(from)) return;   // better ones never ask
        env.send(from, answer{m.of});
        if (phase_ != phase::idle) return;    // without this every question starts another election
        if (is_leader() && !(preempts && anyone_to_ask())) return env.send(from, coordinator{});
        // It follows a worse one: a wrong suspicion must not depose that, if it lives.
        if (!preempts && prefer_(self_, leader_)) inquire(env);
        else hold_election(env);
    }

    constexpr void on(answer m, port from, environment_for<bully> auto& env) {
        if (is_stranger(from) || is_stale(m.to) || phase_ != phase::awaiting_answer) return;
        become_awaiting_coordinator(env);
    }

    constexpr void on(coordinator, port from, environment_for<bully> auto& env) {
        if (is_stranger(from)) return;
        if (is_better(from)) return follow(from, env);
        if (phase_ == phase::idle) hold_election(env);   // a worse node says it leads: contest it
    }

    constexpr void on(inquiry m, port from, environment_for<bully> auto& env) {
        if (is_stranger(from)) return;
        if (is_leader()) return env.send(from, incumbent{m.of});
        // It returned after it was asked, too late to answer: without this two could win.
        if (phase_ == phase::awaiting_answer && is_better(from)) become_awaiting_coordinator(env);
    }

    constexpr void on(incumbent m, port from, environment_for<bully> auto& env) {
        if (is_stranger(from) || is_stale(m.to) || phase_ != phase::inquiring) return;
        follow(from, env);
    }

    constexpr void on(answer_overdue, environment_for<bully> auto& env) {
        if (phase_ == phase::inquiring) hold_election(env);
        else take_over(env);
    }
    constexpr void on(coordinator_overdue, environment_for<bully> auto& env) { hold_election(env); }

    constexpr const Id& id() const { return self_; }
    constexpr const auto& peers() const { return peers_; }
    /// What it was told of its network: simulations report the messages that take longer.
    constexpr ticks delay_most() const { return options_.delay_max; }
    constexpr bool is_leader() const { return decided() && leader_ == self_; }
    constexpr std::optional<Id> leader() const {
        return decided() ? std::optional<Id>{leader_} : std::nullopt;
    }

    static constexpr auto fields(auto& self) {
        const auto state =
            std::tie(self.self_, self.leader_, self.known_, self.phase_, self.current_);
        if constexpr (skips) return std::tuple_cat(state, std::tie(self.given_up_));
        else return state;
    }

private:
    enum class phase : std::uint8_t { idle, awaiting_answer, awaiting_coordinator, inquiring };

    /// Who asks all need not remember whom it takes for dead.
    struct nobody {
        static constexpr bool hear(const suspect&) { return true; }
        static constexpr void erase(port) {}
        static constexpr bool contains(port) { return false; }
    };

    constexpr bool decided() const { return known_ && phase_ == phase::idle; }
    constexpr bool is_stranger(port p) const { return p >= peers_.size(); }
    /// An answer to an earlier question or an earlier life: whoever gave it may have died since.
    constexpr bool is_stale(const attempt& a) const { return !(a == current_); }
    constexpr bool is_better(port p) const { return prefer_(peers_[p], self_); }
    constexpr bool is_asked(port p) const { return is_better(p) && !given_up_.contains(p); }
    constexpr bool anyone_to_ask() const {
        for (const port p : ports(peers_.size()))
            if (is_asked(p)) return true;
        return false;
    }

    constexpr void hold_election(auto& env) {
        if (!anyone_to_ask()) return take_over(env);
        ask_better_ones(options_.answer_wait(), env);
    }
    constexpr void ask_better_ones(ticks wait, auto& env) {
        become_asking(phase::awaiting_answer, wait, env);
        for (const port p : ports(peers_.size()))
            if (is_asked(p)) env.send(p, election{current_});
    }
    constexpr void inquire(auto& env) {
        become_asking(phase::inquiring, options_.settling_wait(), env);
        if constexpr (!preempts) env.broadcast(inquiry{current_});
    }
    constexpr void become_asking(phase as, ticks wait, auto& env) {
        env.disarm(coordinator_overdue{});
        phase_ = as;
        ++current_.number;
        env.arm(answer_overdue{}, wait);
    }
    constexpr void become_awaiting_coordinator(auto& env) {
        env.disarm(answer_overdue{});
        phase_ = phase::awaiting_coordinator;
        env.arm(coordinator_overdue{}, options_.coordinator_wait());
    }

    constexpr void take_over(auto& env) {
        become_idle(self_, env);
        for (const port p : ports(peers_.size()))
            if (!is_better(p)) env.send(p, coordinator{});
    }
    constexpr void follow(port leader, auto& env) {
        given_up_.erase(leader);   // it lives; unasked, it would be deposed at the next question
        if (decided() && leader_ == peers_[leader]) return;   // repeated: it is no news
        become_idle(peers_[leader], env);
    }
    constexpr void become_idle(const Id& leader, auto& env) {
        env.disarm(answer_overdue{});
        env.disarm(coordinator_overdue{});
        phase_ = phase::idle;
        known_ = true;
        leader_ = leader;
        env.report(outcome{leader});
    }

    Id self_;
    Id leader_;
    typename Storage::template sequence<Id> peers_;
    bully_options options_;
    attempt current_;
    bool known_ = false;   // is there a leader to speak of?
    phase phase_ = phase::idle;
    [[no_unique_address]] std::conditional_t<skips, suspected_ports<Storage>, nobody> given_up_;
    [[no_unique_address]] prefer prefer_;
};

template <class Id, class Range, class... Policies>
bully(Id, const Range&, bully_options = {}, Policies...)
    -> bully<Id, storage_for<Range>, Policies...>;
template <class Id, class Range, detail::other_than<bully_options> First, class... Rest>
bully(Id, const Range&, First, Rest...) -> bully<Id, storage_for<Range>, First, Rest...>;

/// Nobody crashes or is suspected, and no message is late. At least: the k best start, and each of
/// them holds one election. At most: the k worst start, and each question finds its node idle
/// again. Then a node holds an election for every way up to it, from one that started over better
/// and better ones: 2^(i-1) ways to the i-th of n if all start.
template <class Id, class Storage, class... Policies>
constexpr cost bully<Id, Storage, Policies...>::messages(size s) {
    const std::uint64_t n = s.nodes;
    const std::uint64_t k = s.initiators;
    if (k == 0 || n < 2) return {0, 0, 0.0};
    const std::uint64_t least = n + k * k - 2;
    if (n > 60) return {least, never};   // more than can be counted
    // Questions, answers, and what the best says to each, if so many of the worst start.
    const auto elections = [n](std::uint64_t worst) {
        const std::uint64_t without = worst < n ? n - worst : 1;
        return 5 * ((std::uint64_t{1} << (n - 1)) - (std::uint64_t{1} << (without - 1))) -
               2 * (n - without);
    };
    // Instead of the k-th worst the best may start, after it was elected, and tell all again.
    const std::uint64_t again = elections(k - 1) + n - 1;
    return {least, n - 2 + (again > elections(k) ? again : elections(k))};
}

/// Unit delays, all initiators start together, and else as above.
template <class Id, class Storage, class... Policies>
constexpr cost bully<Id, Storage, Policies...>::time(size s) {
    if (s.initiators == 0 || s.nodes < 2) return {0, 0, 0.0};
    return {s.initiators == 1 ? std::uint64_t{1} : 2, s.nodes};
}

}  // namespace caucus
