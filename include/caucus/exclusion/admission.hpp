// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/input.hpp>
#include <caucus/core/port.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/exclusion/fence.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>

namespace caucus {

/// Which wish, of which life of the node whose wish it is: later ones are greater.
struct ticket {
    incarnation life{};
    std::uint64_t number = 0;

    friend constexpr auto operator<=>(const ticket&, const ticket&) = default;
};

/// The books of a central server: who is inside, who waits, in the order in which they asked, and
/// of whom it does not know yet. Members are ports; the server itself stands behind the last.
///
/// What members say may come twice or in any order: a wish that is over stays over, and a later
/// wish of the same member ends the earlier one.
template <class Fence, class Storage = heap_storage>
class admission {
    template <class T>
    using sequence = typename detail::one_more<Storage>::type::template sequence<T>;

public:
    /// Nothing is known of so many members, and nobody wants anything.
    constexpr void open(std::size_t members) {
        close();
        members_.resize(members, member{});
    }
    constexpr void close() {
        members_.clear();
        queue_.clear();
        holder_.reset();
        awaited_.clear();
    }

    /// Nobody enters before that member has said where it stands, or is excused.
    constexpr void await(port who) { awaited_.insert(who); }
    constexpr void excuse(port who) { awaited_.erase(who); }
    constexpr bool awaits_anyone() const { return !awaited_.empty(); }

    /// Or one too far ahead to be believed: after it no wish of that member would be a later one.
    constexpr bool is_over(const ticket& t, port who) const {
        const ticket& due = members_[who].due;
        return t < due || t.number - (t.life == due.life ? due.number : 0) > leap_max;
    }
    /// Is the wish a new one?
    constexpr bool wish(const ticket& t, port who) {
        learn(t, who);
        if (waits(who) || holder() == who) return false;
        members_[who].waits = true;
        queue_.push_back(who);
        return true;
    }
    /// It has left, or does not want to enter any more, or must not.
    constexpr void done(const ticket& t, port who) {
        learn(t, who);
        drop(who);
        members_[who].due.number = t.number + 1;
    }
    /// It is inside already: another has let it in. Of two that are, the one whose fence is older
    /// is returned: no resource listens to it any more.
    constexpr std::optional<port> stay(const ticket& t, const Fence& f, port who) {
        learn(t, who);
        drop(who);
        if (holder_ && f < holder_->fence) return who;
        const std::optional<port> other = holder();
        holder_.emplace(place{who, f});
        return other;
    }

    /// Whose turn it is, of those who may enter; nobody's as long as another is inside.
    constexpr std::optional<port> next(auto may_enter) const {
        if (holder_ || awaits_anyone()) return std::nullopt;
        for (const port p : queue_)
            if (may_enter(p)) return p;
        return std::nullopt;
    }
    constexpr void let_in(port who, const Fence& f) {
        drop(who);
        holder_.emplace(place{who, f});
    }

    constexpr std::optional<port> holder() const {
        return holder_ ? std::optional<port>{holder_->who} : std::nullopt;
    }
    constexpr bool waits(port who) const { return members_[who].waits; }
    /// Of its last wish that was heard of.
    constexpr const ticket& ticket_of(port who) const { return members_[who].due; }
    /// How many are to leave before that one can enter, if nobody gives up.
    constexpr std::size_t ahead_of(port who) const {
        return place_of(who) + (holder_ ? std::size_t{1} : std::size_t{0});
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.members_, self.queue_, self.holder_, self.awaited_);
    }

private:
    /// Nobody has so many wishes that its server does not hear of.
    static constexpr std::uint64_t leap_max = std::uint64_t{1} << 32;

    struct member {
        ticket due{};        // earlier ones are over
        bool waits = false;
    };
    struct place {
        port who;
        Fence fence;
    };

    constexpr void learn(const ticket& t, port who) {
        excuse(who);
        if (!(members_[who].due < t)) return;
        drop(who);   // it would not have asked again before it was outside
        members_[who].due = t;
    }
    constexpr void drop(port who) {
        if (holder() == who) holder_.reset();
        if (!waits(who)) return;
        for (std::size_t i = place_of(who) + 1; i < queue_.size(); ++i) queue_[i - 1] = queue_[i];
        queue_.pop_back();
        members_[who].waits = false;
    }
    constexpr std::size_t place_of(port who) const {
        std::size_t i = 0;
        while (i < queue_.size() && !(queue_[i] == who)) ++i;
        return i;
    }

    sequence<member> members_{};
    sequence<port> queue_{};
    std::optional<place> holder_{};
    port_set<Storage> awaited_{};
};

}  // namespace caucus
