// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace caucus {

/// Who decides about the order of messages: a role of policies.
struct ordering_by {};

/// The rules of `total_order` by name; the comment says what each demands.
enum class order_rule : std::uint8_t {
    V1,   // what is left of a view is delivered before the next view is reported
    V2,   // what was sent in an earlier view is dropped
    V3,   // what was sent in a later one waits for it
    S1,   // what no sequencer has ordered is handed in again in the next view
    S2,   // a sequencer that has not ordered it by then forgets it
    T1,   // a token is good for one view
    T2,   // what has a place waits for all places before it
    T3,   // a wish for the token is passed on to where the token went
    A1,   // of two equal priorities the one that the junior member has proposed is greater
    A2,   // what is proposed is greater than all that was agreed
    A3,   // nothing is delivered before its priority is agreed
    A4,   // which it is when all have proposed one
    A5,   // at the end of a view what was agreed comes first, by priority
    A6    // and then the rest by sender and number
};

/// Which rules are obeyed. There is no reason to leave one out, but to see what happens then, in a
/// test: so it is no option, and a policy that is not listed.
struct obeying_order {};
struct every_order_rule {
    using decides = obeying_order;
    static constexpr bool has(order_rule) { return true; }
};

}  // namespace caucus
