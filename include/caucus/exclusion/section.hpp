// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/outcome.hpp>
#include <caucus/core/request.hpp>

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <variant>

namespace caucus {

/// What every exclusion can be asked.
using section_requests = std::variant<request::enter, request::leave, request::cancel>;

/// What an exclusion says, and that it has too little room, where its storage is bounded.
template <class Fence, class Storage>
using section_outcomes =
    std::conditional_t<Storage::bounded, std::variant<entered<Fence>, left, overflow>,
                       std::variant<entered<Fence>, left>>;

/// Where one node stands to the critical section. Requests out of turn are refused, and change
/// nothing.
class section {
public:
    constexpr bool is_waiting() const { return state_ == state::waiting; }
    constexpr bool is_inside() const { return state_ == state::inside; }
    constexpr bool is_outside() const { return state_ == state::outside; }
    constexpr bool is_expelled() const { return state_ == state::expelled; }

    constexpr answer ask() {
        if (is_expelled()) return answer::not_a_member;
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
    /// For good: it came back from a crash and does not know what it has asked, or promised.
    constexpr void expel() { state_ = state::expelled; }

    static constexpr auto fields(auto& self) { return std::tie(self.state_); }

private:
    enum class state : std::uint8_t { outside, waiting, inside, expelled };
    state state_ = state::outside;
};

}  // namespace caucus
