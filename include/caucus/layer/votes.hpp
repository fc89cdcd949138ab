// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port_set.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>

namespace caucus {

/// One node's votes in numbered elections: the one that it gave last, and those that it got. One
/// vote a number: with two, two majorities could do with one voter in common.
template <class Storage = heap_storage>
class votes {
public:
    /// The highest number in which this node has voted.
    constexpr std::uint64_t last() const { return last_; }
    /// Again for the same candidate is the same vote: it may have been lost.
    constexpr bool may_give(std::uint64_t number, port candidate) const {
        return number > last_ || (number == last_ && candidate_ == candidate);
    }
    constexpr void give(std::uint64_t number, port candidate) {
        last_ = number;
        candidate_ = candidate;
    }
    /// After a crash: whom it voted for it has forgotten, so nobody gets that vote again.
    constexpr void remember(std::uint64_t number) { give(number, port{~0u}); }

    constexpr void begin_count() { got_.clear(); }
    constexpr void count(port voter) { got_.insert(voter); }
    /// Those of others, and its own.
    constexpr std::size_t got() const { return got_.size() + 1; }

    static constexpr auto fields(auto& self) {
        return std::tie(self.last_, self.candidate_, self.got_);
    }

private:
    std::uint64_t last_ = 0;
    port candidate_{};
    port_set<Storage> got_{};
};

}  // namespace caucus
