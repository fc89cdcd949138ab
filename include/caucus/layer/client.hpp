// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/layer.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace caucus {

struct client_options {
    std::uint8_t entries = 1;   // how often it asks
    ticks thinking = 1;         // before each request
    ticks staying = 1;          // inside, before it leaves
};

template <class P>
concept needs_an_exclusion__with_holds = requires(const P& p) {
    { p.holds() } -> std::convertible_to<bool>;
};

/// An application for tests and exploration: asks for the critical section, enters, leaves, asks
/// again. Its decisions are timers, so that an explorer may make them at any time.
///
/// Model     what P assumes
/// Cost      none of its own
template <class P>
class client : public layer_over<client<P>, P> {
    static_assert(needs_an_exclusion__with_holds<P>, "needs_an_exclusion__with_holds");
    using base = layer_over<client, P>;
    friend base;
    using base::process_;

public:
    struct ask {};
    struct leave {};
    using message = typename P::message;
    using timer = timers_over<P, ask, leave>;
    using outcome = typename P::outcome;
    template <class Env>
    using inside = renaming_environment<client, Env>;

    static constexpr model assumes = assumptions_of<P>();
    static constexpr std::size_t timers(std::size_t degree) {
        return 2 + detail::timers_armed_by<P>(degree);
    }

    constexpr explicit client(P process, client_options options = {})
        : base(std::move(process)), options_(options), left_(options.entries) {}

    using base::on;
    constexpr void on(ask, auto& env) {
        --left_;
        static_cast<void>(base::ask(caucus::request::enter{}, env));
    }
    constexpr void on(leave, auto& env) {
        staying_ = false;
        static_cast<void>(base::ask(caucus::request::leave{}, env));
        think(env);
    }

    constexpr std::size_t entries_left() const { return left_; }

    static constexpr auto fields(auto& self) {
        return std::tie(self.process_, self.options_, self.left_, self.started_, self.staying_);
    }

private:
    constexpr answer answer_start(auto& env) {
        if (started_) return answer::accepted;
        started_ = true;
        const answer said = base::answer_start(env);
        think(env);
        return said;
    }
    constexpr void run_inside(auto& env, auto act) {
        base::run_inside(env, act);
        if (!process_.holds() || staying_) return;
        staying_ = true;
        env.arm(timer{leave{}}, options_.staying);
    }
    constexpr void think(auto& env) {
        if (left_ != 0) env.arm(timer{ask{}}, options_.thinking);
    }

    client_options options_;
    std::uint8_t left_;
    bool started_ = false;
    bool staying_ = false;
};

template <class P>
client(P) -> client<P>;
template <class P>
client(P, client_options) -> client<P>;

}  // namespace caucus
