// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/multicast/views/messages.hpp>
#include <caucus/multicast/views/roster.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace caucus::detail {

// Whatever arrives must not be able to make a member keep more than it is to, count past what can
// be counted, or look for members that do not exist.

template <class Id, class Payload, class Rules>
constexpr bool is_sound(const change<Id, Payload>& c, const roster<Id, Rules>& who,
                        std::size_t messages_max) {
    const bool is_next = who.is_member() && c.number == who.now.number + 1;
    return c.number != std::numeric_limits<std::uint64_t>::max() && who.knows_all(c.members) &&
           who.knows_all(c.born) && are_at_most(c.before, who.slots(), messages_max) &&
           (!is_next || c.before.size() == who.now.members.size());
}

/// To one that has asked the members of that view.
template <class Id, class Payload, class Rules>
constexpr bool is_sound(const std::optional<vote<Id, Payload>>& accepted,
                        const messages_by_rank<Payload>& received, const roster<Id, Rules>& who,
                        std::size_t messages_max) {
    if (received.size() != who.now.members.size()) return false;
    if (!are_at_most(received, who.slots(), messages_max)) return false;
    return !accepted || (accepted->what.number == who.now.number + 1 &&
                         is_sound(accepted->what, who, messages_max));
}

}  // namespace caucus::detail
