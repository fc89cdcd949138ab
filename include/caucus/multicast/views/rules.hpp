// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace caucus {

/// The rules of `views` by name; the comment says what each demands.
enum class rule : std::uint8_t {
    P1,    // whoever has promised an attempt refuses smaller ones
    P2,    // what was accepted in the highest attempt is proposed again
    P3,    // nothing is decided before a quorum has accepted it
    P4,    // nothing is proposed before all unsuspected have answered
    F1,    // who has answered delivers nothing more in this view, but what is agreed
    F2,    // nor does it send
    F3,    // agreed is what any of them has received
    F4,    // and that is delivered before the next view
    B1,    // messages of a later view wait for it
    B2,    // so do its prepare and propose
    D1,    // who prepares an old view is sent the last decision
    D2,    // who nudges from an old view, too
    D3,    // blocked, and a suspicion: nudge the coordinator
    D4,    // prepared for a later view: nudge
    D5,    // by majority: nudge at any suspicion
    D8,    // a decision is told those, too, whom it leaves out
    D9,    // whoever has nudged in a view is told when it ends
    D10,   // a nudge from a later view waits
    D11,   // by majority: nudge at trust, if a change is needed
    D12,   // by majority: nudge when a view begins, if a change is needed
    D13,   // who says stalled asks everybody
    N1,    // who refuses says so
    N2,    // who has promised a suspect leads anew
    N3,    // who has installed a view leads if there is more to change
    J1,    // who waits asks again at every suspicion
    J2,    // who is no member remembers joiners, too
    J3,    // a new member that asks again is sent the decision
    J4,    // who waits and was admitted and left out again joins anew
    J5,    // a joiner that asks again has nudged
    J6,    // who waits asks whom it trusts again
    J7,    // a suspect's wish to join is remembered
    J8,    // whoever asks in a life that was admitted and is no member is sent the decision
    I1,    // no life is admitted twice
    I2,    // a newer life of a member: the older one is over
    I3,    // whoever returns from a crash says so
    I4     // and is told again what was sent to it before that was heard
};

/// Which rules are obeyed. There is no reason to leave one out, but to see what happens then, in a
/// test: so it is no option, and a policy that is not listed.
struct obeying {};
struct every_rule {
    using decides = obeying;
    static constexpr bool has(rule) { return true; }
};

}  // namespace caucus
