// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/environment.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/request.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/exclusion/section.hpp>

namespace caucus {

/// How a process of an exclusion is asked: the base of all of them, which refuses requests out of
/// turn, `class some_lock : public section_verbs<some_lock<Id>>`. What an accepted one comes to is
/// the algorithm's:
///
///   become_waiting(env)   the node wants to enter; it may be able to at once
///   become_outside(env)   it has left
///   give_up(env)          it wants no more; unless said otherwise, as if it had left
///
/// `Storage` if it is in place, no_room is the answer where there are more ports than it holds.
template <class Process, class Storage = heap_storage>
class section_verbs {
public:
    constexpr answer request(environment_for<Process> auto& env) {
        if (self().is_out(env)) return answer::no_room;
        const answer said = section_.ask();
        if (said == answer::accepted) self().become_waiting(env);
        return said;
    }
    constexpr answer release(environment_for<Process> auto& env) {
        const answer said = section_.leave();
        if (said != answer::accepted) return said;
        env.report(typename Process::outcome{left{}});
        self().become_outside(env);
        return said;
    }
    /// At any time while it waits.
    constexpr answer cancel(environment_for<Process> auto& env) {
        const answer said = section_.cancel();
        if (said == answer::accepted) self().give_up(env);
        return said;
    }

    constexpr bool holds() const { return section_.is_inside(); }
    constexpr bool waits() const { return section_.is_waiting(); }

protected:
    /// For ever, as it has too little room for its ports.
    constexpr bool is_out(auto& env) {
        return overflows<Storage, typename Process::outcome>(env);
    }
    constexpr void give_up(auto& env) { self().become_outside(env); }

    section section_;

private:
    constexpr Process& self() { return static_cast<Process&>(*this); }
};

}  // namespace caucus
