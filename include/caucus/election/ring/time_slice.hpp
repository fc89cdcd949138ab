// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/time.hpp>
#include <caucus/election/ring/ring_election.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <variant>

namespace caucus {

/// What the algorithm must know of time. What it concludes from silence stands on this bound.
struct time_slice_options {
    ticks delay_max = 1;   // no message takes longer; 1 on `rounds`
};

/// Time is cut into slices, one lap long: slice x belongs to id x, and only its node may break the
/// silence in it. The first to do so is the least, and all hear of it before the next slice.
///
/// Model     one-way ring of known size, unique ids 0, 1, 2 …; reliable links, any order;
///           synchronous: delays up to a stated bound, starts at most that far apart
/// Safety    at most one leader, with the least id of those that started
/// Liveness  if any node starts, every node learns the leader, x·n delays later if x is that id
/// Cost      n, the announcement included; time n·(x+1) for the least id x
/// Faults    a crashed node breaks the ring; late messages, late starts or a ring longer than n:
///           several leaders
/// Source    Lynch, Distributed Algorithms, 1996, 3.6 (TimeSlice)
///
/// No policies: silence speaks for the least id alone, and the first word is the announcement.
template <class Id>
class time_slice : public ring_election<Id, least> {
    static_assert(needs_ids_that_are_whole_numbers<Id>, "needs_ids_that_are_whole_numbers");

    using base = ring_election<Id, least>;
    using base::decided, base::self_;

public:
    using message = std::variant<typename base::elected>;
    struct own_slice {};
    using timer = own_slice;

    static constexpr model assumes = {shape::one_way_ring, guarantee::reliable, naming::distinct,
                                      timing::synchronous, false};
    static constexpr winner elects = winner::best_caller;
    static constexpr cost messages(size s) {
        const std::uint64_t n = s.initiators == 0 ? 0 : s.nodes;
        return {n, n, static_cast<double>(n)};
    }

    /// Refuses ids below 0, and those whose slice ends later than ticks can count.
    constexpr time_slice(Id self, std::size_t nodes, time_slice_options options = {})
        : base(self, least{}), nodes_(static_cast<std::uint32_t>(nodes)),
          slice_(lap(nodes, options.delay_max)) {
        if (self < Id{}) refuse("time_slice: the ids are 0, 1, 2, ...; one is negative");
        // Half of all ticks are left for those that start late.
        if (static_cast<ticks>(self) >= never / 2 / slice_)
            refuse("time_slice: the slice of id ", static_cast<std::size_t>(self),
                   ", each of ", static_cast<std::size_t>(slice_), " ticks, would never come");
    }

    constexpr void start(environment_for<time_slice> auto& env) {
        if (started_ || decided()) return;   // a second start would put its slice off
        started_ = true;
        if (self_ == Id{}) this->conclude(self_, env);
        else env.arm(own_slice{}, static_cast<ticks>(self_) * slice_);
    }

    constexpr void on(own_slice, environment_for<time_slice> auto& env) {
        this->conclude(self_, env);
    }

    constexpr void on(typename base::elected m, port from, environment_for<time_slice> auto& env) {
        env.disarm(own_slice{});   // or there would be as many leaders as ids
        base::on(m, from, env);
    }

    /// What it was told: simulations and explore refuse a ring of another size.
    constexpr std::size_t ring_size() const { return nodes_; }

    static constexpr auto fields(auto& self) {
        return std::tuple_cat(base::fields(self), std::tie(self.started_, self.slice_));
    }

private:
    static constexpr ticks lap(std::size_t nodes, ticks delay_max) {
        if (nodes == 0 || delay_max == 0 || delay_max > never / nodes)
            refuse("time_slice: no lap of ", nodes, " nodes, ",
                   static_cast<std::size_t>(delay_max), " ticks each");
        return nodes * delay_max;
    }

    bool started_ = false;
    std::uint32_t nodes_;
    ticks slice_;
};

}  // namespace caucus
