// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/dispatch.hpp>
#include <caucus/core/process.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <variant>

namespace support {

/// P behind links that take `Delay` ticks, or from `Least` to that, as chance will: whatever comes
/// waits for a timer first. Exploring it with timers `after_messages` makes time real: all that
/// happens is a timer that runs out in its turn, and what is left to the schedule is the order of
/// those that are due at the same moment. Of equal messages, two may be under way over one link if
/// the delays differ, else one.
template <class P, caucus::ticks Delay, caucus::ticks Least = Delay>
struct delayed {
    using message = typename P::message;
    struct due {
        caucus::port from;
        message what;
        bool second;
    };
    using timer = std::variant<due, typename P::timer>;
    using outcome = typename P::outcome;
    static constexpr bool tosses_coins = true;

    P process;
    bool second = false;   // of two copies

    void start(auto& env) {
        auto inner = within(env);
        process.start(inner);
    }
    template <caucus::kind_of<message> Kind>
    void on(const Kind& m, caucus::port from, auto& env) {
        if constexpr (Least == Delay) {
            env.arm(timer{due{from, message{m}, false}}, Delay);
        } else {
            second = !second;
            env.arm(timer{due{from, message{m}, second}}, Least + env.choose(Delay - Least + 1));
        }
    }
    void on(const due& d, auto& env) {
        auto inner = within(env);
        caucus::dispatch(process, d.what, d.from, inner);
    }
    void on(const typename P::timer& t, auto& env) {
        auto inner = within(env);
        caucus::dispatch(process, caucus::expiry<typename P::timer>{t}, inner);
    }

    bool is_leader() const { return process.is_leader(); }
    auto leader() const { return process.leader(); }
    auto parent() const { return process.parent(); }
    static constexpr auto fields(auto& self) { return std::tie(self.process, self.second); }

private:
    template <class Environment>
    struct inner_environment {
        Environment& outer;
        std::size_t degree() const { return outer.degree(); }
        void send(caucus::port p, const message& m) { outer.send(p, m); }
        void broadcast(const message& m) { outer.broadcast(m); }
        void arm(const typename P::timer& t, caucus::ticks delay) { outer.arm(timer{t}, delay); }
        void disarm(const typename P::timer& t) { outer.disarm(timer{t}); }
        std::size_t choose(std::size_t k) { return outer.choose(k); }
        void report(const outcome& o) { outer.report(o); }
    };
    template <class Environment>
    static inner_environment<Environment> within(Environment& env) {
        return {env};
    }
};

}  // namespace support
