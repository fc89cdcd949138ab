// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/request.hpp>

#include <cstdint>
#include <tuple>
#include <variant>

namespace caucus {

/// What every exclusion can be asked.
using section_requests = std::variant<request::enter, request::leave, request::cancel>;

/// Where one node stands to the critical section. Requests out of turn are refused, and change
/// nothing.
class section {
public:
    constexpr bool is_waiting() const { return state_ == state::waiting; }
    constexpr bool is_inside() const { return state_ == state::inside; }
    constexpr bool is_outside() const { return state_ == state::outside; }

    constexpr answer ask() {
        if (is_inside()) return answer::already_inside;
        if (is_waiting()) return answer::already_waiting;
        state_ = state::waiting;
        return answer::accepted;
    }
    constexpr answer leave() {
        if (!is_inside()) return answer::not_inside;
        state_ = state::outside;
        return answer::accepted;
    }
    constexpr answer cancel() {
        if (!is_waiting()) return answer::not_waiting;
        state_ = state::outside;
        return answer::accepted;
    }
    /// Whoever waits is let in.
    constexpr void enter() { state_ = state::inside; }
    /// Whatever it was, it is outside now: its grant was taken away.
    constexpr void revoke() { state_ = state::outside; }

    static constexpr auto fields(auto& self) { return std::tie(self.state_); }

private:
    enum class state : std::uint8_t { outside, waiting, inside };
    state state_ = state::outside;
};

}  // namespace caucus
