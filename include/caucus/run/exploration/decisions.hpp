// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>

#include <cstddef>
#include <utility>

namespace caucus::exploration {

// A timer that stands for what an application decides to do, and so may come at any time: its kind
// has `static constexpr bool is_decision = true`. Around a timer from inside, a layer puts a kind
// of its own with a member `timer` (inner_timer, or the numbered ones of grouped): that is a
// decision if what is inside is one.

/// Can any such timer be a decision?
template <class Timer>
constexpr bool decides() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
        return (... || []<class Kind>(const Kind*) {
            if constexpr (requires { Kind::is_decision; }) return bool{Kind::is_decision};
            else if constexpr (requires(const Kind& k) { k.timer; })
                return decides<decltype(Kind::timer)>();
            else return false;
        }(static_cast<const kind_at<Timer, I>*>(nullptr)));
    }(std::make_index_sequence<kinds_of<Timer>>{});
}

/// Is this one?
template <class Timer>
constexpr bool is_decision(const Timer& t) {
    if constexpr (!decides<Timer>()) return false;
    else
        return visit_kind(t, []<class Kind>(const Kind& k) {
            if constexpr (requires { Kind::is_decision; }) return bool{Kind::is_decision};
            else if constexpr (requires { k.timer; }) return exploration::is_decision(k.timer);
            else return false;
        });
}

}  // namespace caucus::exploration
