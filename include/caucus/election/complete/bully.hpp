// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/identity.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/process.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/core/time.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
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
        return answer_timeout != 0 ? answer_timeout : 2 * delay_max + processing_max;
    }
    /// Whoever answered has finished its own election by then, or died.
    constexpr ticks coordinator_wait() const {
        if (coordinator_timeout != 0) return coordinator_timeout;
        return answer_wait() + 2 * delay_max + processing_max;
    }
};

/// Whoever misses the coordinator asks all better ones; if none answers, it takes over.
///
/// Model     complete network, unique ids known to all; reliable links, bounded delay, any order
/// Safety    at most one leader alive, while delays keep the stated bound and nobody returns;
///           a better node that returns takes over at once: for one delay there are two
/// Liveness  if a node starts or suspects its leader, every live node learns the best live id
/// Cost      coordinator dead, found by the i-th of n: (n-i)²+n-2; n-1 at best, n²-n-1 at worst
/// Faults    any number of crashes and recoveries; late messages or a partition: several leaders
/// Source    Garcia-Molina, IEEE ToC C-31(1), 1982, in the textbooks' form
///
/// `Storage` of the peers' ids: a std::array of them stays in place, other ranges go to the heap.
/// `Prefer`  prefer(a, b): a beats b. Default greatest.
template <class Id, class Storage = heap_storage, class Prefer = greatest>
class bully {
    static_assert(needs_distinct_ids__angluin__see_itai_rodeh<Id>,
                  "needs_distinct_ids__angluin__see_itai_rodeh");
    static_assert(needs_an_id_type_that_is_regular<Id>, "needs_an_id_type_that_is_regular");

public:
    struct election {};
    struct answer {};
    struct coordinator {};
    using message = std::variant<election, answer, coordinator>;
    struct answer_overdue {};
    struct coordinator_overdue {};
    using timer = std::variant<answer_overdue, coordinator_overdue>;
    using outcome = elected<Id>;

    static constexpr model assumes = {shape::complete, link::reliable, naming::distinct,
                                      timing::bounded_delay};

    /// peers[p] is the id behind port p.
    template <class Range>
    constexpr bully(Id self, const Range& peers, bully_options options = {}, Prefer prefer = {})
        : self_(self), leader_(self), options_(options), prefer_(prefer) {
        static_assert(needs_peers_that_fit__give_a_std_array<Storage, Range>,
                      "needs_peers_that_fit__give_a_std_array");
        CAUCUS_ASSERT(options.delay_max > 0);
        for (const auto& peer : peers) {
            CAUCUS_ASSERT(!(peer == self));   // equal ids: neither would yield
            peers_.push_back(peer);
        }
    }

    constexpr void start(environment_for<bully> auto& env) {
        if (phase_ == phase::idle) hold_election(env);
    }
    constexpr void on(suspect s, environment_for<bully> auto& env) {
        if (is_stranger(s.whom) || phase_ != phase::idle || !known_) return;
        if (peers_[s.whom] == leader_) hold_election(env);
    }
    constexpr void on(const recovered<>&, environment_for<bully> auto& env) { hold_election(env); }

    constexpr void on(election, port from, environment_for<bully> auto& env) {
        if (is_stranger(from) || is_better(from)) return;   // the better are asked, they do not ask
        env.send(from, answer{});
        if (phase_ != phase::idle) return;    // without this every question starts another election
        if (is_leader() && !any_better()) env.send(from, coordinator{});
        else hold_election(env);
    }

    constexpr void on(answer, port from, environment_for<bully> auto& env) {
        if (is_stranger(from) || phase_ != phase::awaiting_answer) return;
        env.disarm(answer_overdue{});
        phase_ = phase::awaiting_coordinator;
        env.arm(coordinator_overdue{}, options_.coordinator_wait());
    }

    constexpr void on(coordinator, port from, environment_for<bully> auto& env) {
        if (is_stranger(from)) return;
        if (is_better(from)) return become_idle(peers_[from], env);
        if (phase_ == phase::idle) hold_election(env);   // a worse one claims the chair: contest it
    }

    constexpr void on(answer_overdue, environment_for<bully> auto& env) { take_over(env); }
    constexpr void on(coordinator_overdue, environment_for<bully> auto& env) { hold_election(env); }

    constexpr const Id& id() const { return self_; }
    constexpr const auto& peers() const { return peers_; }
    constexpr bool is_leader() const { return decided() && leader_ == self_; }
    constexpr std::optional<Id> leader() const {
        return decided() ? std::optional<Id>{leader_} : std::nullopt;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.leader_, self.known_, self.phase_);
    }

private:
    enum class phase : std::uint8_t { idle, awaiting_answer, awaiting_coordinator };

    constexpr bool decided() const { return known_ && phase_ == phase::idle; }
    constexpr bool is_stranger(port p) const { return p >= peers_.size(); }
    constexpr bool is_better(port p) const { return prefer_(peers_[p], self_); }
    constexpr bool any_better() const {
        for (const port p : ports(peers_.size()))
            if (is_better(p)) return true;
        return false;
    }

    constexpr void hold_election(auto& env) {
        if (!any_better()) return take_over(env);
        env.disarm(coordinator_overdue{});
        phase_ = phase::awaiting_answer;
        for (const port p : ports(peers_.size()))
            if (is_better(p)) env.send(p, election{});
        env.arm(answer_overdue{}, options_.answer_wait());
    }

    constexpr void take_over(auto& env) {
        become_idle(self_, env);
        for (const port p : ports(peers_.size()))
            if (!is_better(p)) env.send(p, coordinator{});
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
    bool known_ = false;   // is there a leader to speak of?
    phase phase_ = phase::idle;
    [[no_unique_address]] Prefer prefer_;
};

template <class Id, class Range, class Prefer = greatest>
bully(Id, const Range&, bully_options = {}, Prefer = {})
    -> bully<Id, storage_for<Range>, Prefer>;

}  // namespace caucus
