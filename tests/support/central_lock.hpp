// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/outcome.hpp>
#include <caucus/core/port.hpp>
#include <caucus/core/process.hpp>
#include <caucus/core/request.hpp>

#include <cstddef>
#include <variant>
#include <vector>

namespace support {

/// A lock at the centre of a star, or behind any other port: the others ask, the centre lets them
/// in one by one, as they came.
///
/// `Numbered` each wish has a number, and a grant says which it grants. Without, a grant that
///            crosses a cancellation lets in whoever has asked again by then.
template <bool Numbered = true>
struct central_lock {
    struct wish { int number; };
    struct grant { int number; };
    struct done { int number; };
    using message = std::variant<wish, grant, done>;
    using timer = caucus::nothing;
    using outcome = std::variant<caucus::entered<>, caucus::left>;
    using requests = std::variant<caucus::request::start, caucus::request::enter,
                                  caucus::request::leave, caucus::request::cancel>;
    enum class state : unsigned char { idle, waiting, inside };
    struct turn {
        caucus::port who;
        int number;
    };

    state is = state::idle;
    int number = 0;
    std::vector<turn> queue{};   // the first is inside, or let in
    caucus::port centre{0};

    static constexpr void start(auto&) {}
    constexpr caucus::answer request(auto& env) {
        if (is == state::waiting) return caucus::answer::already_waiting;
        if (is == state::inside) return caucus::answer::already_inside;
        is = state::waiting;
        number += Numbered;
        env.send(centre, wish{number});
        return caucus::answer::accepted;
    }
    constexpr caucus::answer release(auto& env) {
        if (is != state::inside) return caucus::answer::not_inside;
        is = state::idle;
        env.report(caucus::left{});
        env.send(centre, done{number});
        return caucus::answer::accepted;
    }
    constexpr caucus::answer cancel(auto& env) {
        if (is != state::waiting) return caucus::answer::not_waiting;
        is = state::idle;
        env.send(centre, done{number});
        return caucus::answer::accepted;
    }
    constexpr bool holds() const { return is == state::inside; }
    /// A leaf that waits does so for the centre.
    constexpr bool awaits(caucus::port p) const { return is == state::waiting && p == centre; }

    constexpr void on(wish w, caucus::port from, auto& env) {
        queue.push_back({from, w.number});
        if (queue.size() == 1) env.send(from, grant{w.number});
    }
    constexpr void on(grant g, caucus::port, auto& env) {
        if (is != state::waiting || g.number != number) return;
        is = state::inside;
        env.report(caucus::entered{});
    }
    constexpr void on(done d, caucus::port from, auto& env) {
        for (std::size_t i = 0; i < queue.size(); ++i)
            if (queue[i].who == from && queue[i].number == d.number) {
                queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(i));
                if (i == 0 && !queue.empty()) env.send(queue[0].who, grant{queue[0].number});
                return;
            }
    }
};

}  // namespace support
