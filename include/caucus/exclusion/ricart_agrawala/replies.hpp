// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port_set.hpp>
#include <caucus/core/suspected_ports.hpp>
#include <caucus/exclusion/ricart_agrawala/models.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>

namespace caucus::detail {

/// To whom a reply is owed, and to which wish, by the number that the wish goes by. Of each
/// neighbour the latest: its earlier ones were granted, or cancelled.
template <class Storage>
class owed_replies {
public:
    constexpr bool contains(port p) const { return p < wishes_.size() && wishes_[p] != 0; }
    constexpr void note(port p, std::uint64_t wish, std::size_t degree) {
        if (wishes_.size() == 0) wishes_.resize(degree, 0);
        if (wishes_[p] < wish) wishes_[p] = wish;   // an older one may come late, or again
    }
    /// All of them: reply(port, wish).
    constexpr void pay(auto reply) {
        for (const port p : ports(wishes_.size()))
            if (wishes_[p] != 0) reply(p, wishes_[p]);
        wishes_.clear();
    }

    static constexpr auto fields(auto& self) { return std::tie(self.wishes_); }

private:
    typename Storage::template sequence<std::uint64_t> wishes_{};   // by port; no wish has number 0
};

/// Whose reply is not waited for. Of `answering`: those that a detector suspects, and those that
/// have not acknowledged the present wish in time.
template <class Model, class Storage>
class absentees {
public:
    constexpr explicit absentees(answering how) : how_(how.checked()) {}

    constexpr std::size_t size() const { return excused_.size(); }
    constexpr bool contains(port p) const { return excused_.contains(p); }
    constexpr ticks delay_most() const { return how_.delay_max; }

    /// A wish was sent to all, also to the suspected: who is trusted again has heard of it.
    template <class Timer>
    constexpr void begin(const Timer& silence, auto& env) {
        excused_ = suspected_.all();
        if (env.degree() != 0) env.arm(silence, how_.answer_wait());
    }
    template <class Timer>
    constexpr void end(const Timer& silence, auto& env) {
        excused_.clear();
        deferring_.clear();
        env.disarm(silence);
    }

    constexpr void has_replied(port p) { excused_.erase(p); }
    constexpr void has_deferred(port p) { deferring_.insert(p); }
    /// The time is over in which all that live answer, and that one has not replied.
    constexpr void was_silent(port p) {
        if (!deferring_.contains(p)) excused_.insert(p);
    }
    constexpr void suspect(const caucus::suspect& s, bool is_missed) {
        if (suspected_.hear(s) && is_missed) excused_.insert(s.whom);
    }
    constexpr void trust(const caucus::trust& t) {
        if (suspected_.hear(t)) excused_.erase(t.whom);
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.suspected_, self.excused_, self.deferring_);
    }

private:
    answering how_;
    suspected_ports<Storage> suspected_;
    port_set<Storage> excused_;     // from replying to the present wish
    port_set<Storage> deferring_;   // it has said so
};

/// Who waits for all has none.
template <class Storage>
class absentees<plain, Storage> {
public:
    constexpr explicit absentees(plain) {}
    static constexpr std::size_t size() { return 0; }
    static constexpr bool contains(port) { return false; }
    static constexpr void begin(const auto&, auto&) {}
    static constexpr void end(const auto&, auto&) {}
    static constexpr void has_replied(port) {}
};

}  // namespace caucus::detail
