// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/identity.hpp>
#include <caucus/core/input.hpp>
#include <caucus/core/model.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/policy.hpp>
#include <caucus/core/process.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/exclusion/fence.hpp>
#include <caucus/exclusion/section.hpp>
#include <caucus/exclusion/section_verbs.hpp>
#include <caucus/logical/lamport_clock.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <variant>

namespace caucus {

/// Every node keeps the queue of all wishes, in order of their stamps. One enters when its own is
/// the first, and all others have said something later: then no earlier one can be under way.
///
/// Model     complete network, unique ids; reliable links, fifo, duplicates too; no crashes
/// Safety    at most one node is inside; each entry's fence is one more than the last one's, which
///           came with its release, and without that the first place in the queue was not free
/// Liveness  everyone who asks enters, or cancels, if nobody stays for ever; in order of stamps, so
///           in the order in which they asked as far as messages of the algorithm can tell
/// Cost      3(n-1) an entry, or a wish that is cancelled; 1 delay from one node to the next
/// Faults    a crashed node stops all; candid says so. Who comes back is out, not_a_member, and
///           silent: it may have been inside with a fence that nobody knows, and whoever it talked
///           to would not wait for its release. Over links in any order, or that lose a message, be
///           it in a partition or to one that is not there yet, two may be inside with one fence
/// Source    Lamport, CACM 21(7), 1978
///
/// `Storage` of the others' wishes.
/// prefer    prefer(a, b): of equal clocks, a's wish comes first. Default least, as in the paper.
template <identity Id, class Storage = heap_storage, class... Policies>
class lamport : public section_verbs<lamport<Id, Storage, Policies...>, Storage> {
    static_assert(detail::ids_can_elect<Id>());
    static_assert(roles<preference>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using prefer = policy<preference, least, Policies...>;
    using verbs = section_verbs<lamport, Storage>;
    friend verbs;
    using verbs::section_;

public:
    struct wish { stamp<Id> at; };
    struct acknowledgement { stamp<Id> at; };
    struct released { stamp<Id> at; std::uint64_t fence; };
    using message = std::variant<wish, acknowledgement, released>;
    using timer = nothing;
    using fence_type = caucus::fence<>;
    using outcome = section_outcomes<fence_type, Storage>;
    using requests = section_requests;
    using verbs::waits;

    static constexpr model assumes = {shape::complete, guarantee::reliable | guarantee::fifo};
    static constexpr cost per_entry(std::size_t nodes);
    /// Of so many entries, or cancelled wishes, as `initiators`.
    static constexpr cost messages(size s);

    constexpr explicit lamport(Id self, Policies... policies)
        : self_(self), prefer_(pick<preference, prefer>(policies...)) {}

    /// Others wait for whatever it owes them, as for the dead.
    constexpr void on(const recovered<>&, environment_for<lamport> auto&) { section_.expel(); }

    constexpr void on(const wish& m, port from, environment_for<lamport> auto& env) {
        if (!is_news(m.at, from, env)) return;
        others_[from].wish = m.at.clock;
        clock_.tick();   // after it has learned: else the answer would be earlier than the wish
        env.send(from, acknowledgement{now()});
        enter_if_first(env);
    }
    constexpr void on(const acknowledgement& m, port from, environment_for<lamport> auto& env) {
        if (is_news(m.at, from, env)) enter_if_first(env);
    }
    constexpr void on(const released& m, port from, environment_for<lamport> auto& env) {
        if (!is_news(m.at, from, env)) return;
        others_[from].wish = 0;
        detail::learn_count(known_, m.fence);
        enter_if_first(env);
    }

    constexpr const Id& id() const { return self_; }
    constexpr const fence_type& fence() const { return fence_; }
    /// For a word later than its own wish, or for one with an earlier wish to leave.
    constexpr bool awaits(port p) const {
        return waits() && p < others_.size() && !is_behind(others_[p]);
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.section_, self.clock_, self.mine_, self.others_,
                        self.known_, self.fence_);
    }

private:
    /// What is known of a neighbour.
    struct other {
        stamp<Id> last{};         // of all that it has said
        std::uint64_t wish = 0;   // when it asked; 0: it wants nothing
    };

    constexpr stamp<Id> now() const { return {clock_.now(), self_}; }
    constexpr bool precedes_mine(const stamp<Id>& s) const {
        return s.clock != mine_ ? mine_ > s.clock : prefer_(s.id, self_);
    }
    constexpr bool is_behind(const other& u) const {
        return !precedes_mine(u.last) && (u.wish == 0 || !precedes_mine({u.wish, u.last.id}));
    }

    constexpr void become_waiting(auto& env) {
        others_.resize(env.degree(), other{});
        mine_ = clock_.tick();
        env.broadcast(wish{now()});
        enter_if_first(env);
    }
    constexpr void become_outside(auto& env) {
        mine_ = 0;
        clock_.tick();
        env.broadcast(released{now(), known_});
    }

    /// What one node says has ever later stamps: what is not later is a copy, and may be of a wish
    /// that was released since. Of what is too far ahead to be believed, all that follows would be.
    constexpr bool is_news(const stamp<Id>& at, port from, auto& env) {
        if (section_.is_expelled() || overflows<Storage, outcome>(env)) return false;
        // Under its own id: of two with one stamp neither would be behind, and both would enter.
        if (from >= env.degree() || at.id == self_) return false;
        others_.resize(env.degree(), other{});
        if (at.clock <= others_[from].last.clock || !clock_.learn(at.clock)) return false;
        others_[from].last = at;
        return true;
    }

    constexpr void enter_if_first(auto& env) {
        if (!waits()) return;
        for (const other& u : others_)
            if (!is_behind(u)) return;
        section_.enter();
        fence_.count = ++known_;
        env.report(outcome{entered{fence_}});
    }

    Id self_;
    lamport_clock clock_;
    std::uint64_t mine_ = 0;    // when it asked; 0: it wants nothing
    typename Storage::template sequence<other> others_{};
    std::uint64_t known_ = 0;   // the greatest fence of all who have left, or have cancelled
    fence_type fence_;          // of its last entry
    [[no_unique_address]] prefer prefer_;
};

template <identity Id, class... Policies>
lamport(Id, Policies...) -> lamport<Id, heap_storage, Policies...>;

/// A wish to each of the others, an acknowledgement of each, a release to each.
template <identity Id, class Storage, class... Policies>
constexpr cost lamport<Id, Storage, Policies...>::per_entry(std::size_t nodes) {
    const std::uint64_t exactly = nodes == 0 ? 0 : 3 * (std::uint64_t{nodes} - 1);
    return {exactly, exactly};
}

template <identity Id, class Storage, class... Policies>
constexpr cost lamport<Id, Storage, Policies...>::messages(size s) {
    const std::uint64_t exactly = s.initiators * per_entry(s.nodes).most;
    return {exactly, exactly};
}

}  // namespace caucus
