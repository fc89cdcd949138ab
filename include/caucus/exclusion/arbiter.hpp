// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/identity.hpp>
#include <caucus/core/policy.hpp>
#include <caucus/core/port.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/exclusion/fence.hpp>
#include <caucus/logical/lamport_clock.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

namespace caucus {

/// The neighbour behind a port or, if there is none, the node itself: it asks for its own vote,
/// too, without a message.
using port_or_self = std::optional<port>;

/// What is said of votes, beside the wish that asks for one. `to` and `of` are the clock of that
/// wish. A vote is counted anew each time that it is given, so that late copies are recognised:
/// without its number, a repeated grant would give what was handed back, and a repeated yield
/// would take it from whoever is inside.
struct voting {
    struct grant { std::uint64_t to; std::uint64_t vote; std::uint64_t fence; };
    struct failed { std::uint64_t to; };      // an earlier wish comes first
    struct inquire { std::uint64_t vote; };   // an earlier wish has come: can you spare it?
    struct yield { std::uint64_t vote; };     // yes
    struct release { std::uint64_t of; std::uint64_t fence; };   // left, or wants no more
};

/// A node's one vote: the earliest wish that waits has it next, and may have it of whoever has it
/// and is not inside. `collected_votes` is the other half: what a node knows of those it wants.
///
/// Model     fifo links to those who ask, duplicates too; each has one wish at a time, and the
///           clock of the next is greater
/// Safety    nobody has the vote before whoever had it has yielded or released it
/// Liveness  if all who have the vote release it, or yield it when another arbiter has failed them,
///           the earliest wish of all gets it
/// Cost      a wish causes at most six messages: wish, grant, release; and one `failed`, to itself
///           or to whoever was the first to wait, or else inquire, yield and a second grant
/// Source    Maekawa, TOCS 3(2), 1985; failed to all who are overtaken: Sanders, TOCS 5(3), 1987
///
/// `Storage` of those who have ever asked. `Prefer` decides between equal clocks.
template <identity Id, class Storage = heap_storage, class Prefer = least>
class arbiter {
public:
    constexpr explicit arbiter(Prefer prefer = {}) : prefer_(prefer) {}

    /// How much room it takes if that one asks, too: more than there is must not ask.
    constexpr std::size_t room_for(port_or_self who) const {
        return known_.size() + (who && !is_known(*who) ? 1 : 0);
    }
    constexpr bool has_room_for(port_or_self who) const {
        return !Storage::bounded || Storage::holds(room_for(who));
    }

    // What it has to say it says to `say(whom, message)`, after all else: that may call it again.

    constexpr void wish(const stamp<Id>& when, port_or_self who, auto say) {
        if (is_repeated(when, who)) return;
        if (!lock_) return give({when, who}, say);
        const bool is_first = precedes(when, lock_->when) &&
                              (waiting_.size() == 0 || precedes(when, first().when));
        if (!is_first) {
            insert({when, who, true});
            return say(who, voting::failed{when.clock});
        }
        // Without `failed` whoever is overtaken might keep its other votes for ever (Sanders).
        const std::optional<candidate> overtaken = overtake();
        insert({when, who});
        const bool asks = !std::exchange(inquired_, true);
        const candidate holder = *lock_;
        const voting::inquire question{votes_};
        if (overtaken) say(overtaken->who, voting::failed{overtaken->when.clock});
        if (asks) say(holder.who, question);
    }

    constexpr void yield(voting::yield m, port_or_self who, auto say) {
        if (!lock_ || lock_->who != who || m.vote != votes_) return;   // given back before
        candidate again = *lock_;
        again.is_told = true;   // who yields counts itself among those who failed
        insert(again);
        give(take_first(), say);
    }

    /// Also of one that waits, and wants no more.
    constexpr void release(voting::release m, port_or_self who, auto say) {
        detail::learn_count(fence_, m.fence);
        close(m.of, who);
        if (!lock_ || lock_->who != who || lock_->when.clock != m.of) return withdraw(m.of, who);
        lock_.reset();
        if (waiting_.size() != 0) give(take_first(), say);
    }

    /// Has another the vote that somebody waits for here?
    constexpr bool awaits(port p) const {
        return lock_ && lock_->who == p && waiting_.size() != 0;
    }
    constexpr std::uint64_t fence() const { return fence_; }
    constexpr std::uint64_t votes() const { return votes_; }

    static constexpr auto fields(auto& self) {
        return std::tie(self.lock_, self.waiting_, self.known_, self.inquired_, self.votes_,
                        self.fence_);
    }

private:
    struct candidate {
        stamp<Id> when{};
        port_or_self who{};
        bool is_told = false;   // that it failed
    };
    /// The latest wish of each neighbour: copies of it, and of earlier ones, say nothing new.
    struct latest {
        port who{};
        std::uint64_t clock = 0;
        bool is_open = false;   // it has not released it
    };
    constexpr bool precedes(const stamp<Id>& a, const stamp<Id>& b) const {
        return a.clock != b.clock ? b.clock > a.clock : prefer_(a.id, b.id);
    }

    constexpr void give(const candidate& to, auto& say) {
        lock_ = to;
        inquired_ = false;
        ++votes_;
        say(to.who, voting::grant{to.when.clock, votes_, fence_});
    }
    /// Of whoever was the first to wait, if it does not know yet that it has failed.
    constexpr std::optional<candidate> overtake() {
        if (waiting_.size() == 0 || first().is_told) return std::nullopt;
        first().is_told = true;
        return first();
    }

    // The earliest wish stands last, where it is taken from.

    constexpr candidate& first() { return waiting_[waiting_.size() - 1]; }
    constexpr void insert(const candidate& c) {
        waiting_.push_back(c);
        for (std::size_t i = waiting_.size() - 1; i > 0; --i) {
            if (!precedes(waiting_[i - 1].when, waiting_[i].when)) return;
            std::swap(waiting_[i - 1], waiting_[i]);
        }
    }
    constexpr candidate take_first() {
        const candidate taken = first();
        waiting_.pop_back();
        return taken;
    }
    constexpr void withdraw(std::uint64_t wish, port_or_self who) {
        bool found = false;
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            if (found) waiting_[i - 1] = waiting_[i];
            found = found || (waiting_[i].who == who && waiting_[i].when.clock == wish);
        }
        if (found) waiting_.pop_back();
    }

    constexpr std::size_t place_of(port p) const {
        std::size_t from = 0;
        std::size_t to = known_.size();
        while (from < to) {
            const std::size_t middle = from + (to - from) / 2;
            if (known_[middle].who < p) from = middle + 1;
            else to = middle;
        }
        return from;
    }
    constexpr bool is_known(port p) const {
        const std::size_t place = place_of(p);
        return place < known_.size() && known_[place].who == p;
    }
    /// Takes note of it, if it is not. Nobody who has an open wish asks again, over reliable links:
    /// else the queue would have no bound.
    constexpr bool is_repeated(const stamp<Id>& when, port_or_self who) {
        if (!who) return false;
        const std::size_t place = place_of(*who);
        if (!is_known(*who)) add(*who, place);
        if (when.clock <= known_[place].clock || known_[place].is_open) return true;
        known_[place] = {*who, when.clock, true};
        return false;
    }
    constexpr void add(port p, std::size_t place) {
        known_.push_back({p});
        for (std::size_t i = known_.size() - 1; i > place; --i)
            std::swap(known_[i - 1], known_[i]);
    }
    constexpr void close(std::uint64_t wish, port_or_self who) {
        if (!who || !is_known(*who)) return;
        latest& last = known_[place_of(*who)];
        if (last.clock == wish) last.is_open = false;
    }

    std::optional<candidate> lock_{};
    // The node itself may wait beside all neighbours, when one of them has just yielded.
    typename detail::one_more<Storage>::type::template sequence<candidate> waiting_{};
    typename Storage::template sequence<latest> known_{};
    bool inquired_ = false;      // whoever has the vote
    std::uint64_t votes_ = 0;    // given so far: the number of the last
    std::uint64_t fence_ = 0;    // the greatest of those that were left
    [[no_unique_address]] Prefer prefer_;
};

}  // namespace caucus
