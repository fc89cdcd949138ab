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

    /// Also of one that is not started: then only the application is.
    template <class Env>
    constexpr void start(Env& env) {
        if (started_) return;
        started_ = true;
        if constexpr (takes<P, request::start, inside<Env>>)
            static_cast<void>(base::ask(request::start{}, env));
        think(env);
    }
    using base::on;
    constexpr void on(ask, auto& env) {
        --left_;
        if (base::ask(request::enter{}, env) != answer::accepted) ++refused_;
    }
    constexpr void on(leave, auto& env) {
        staying_ = false;
        if (base::ask(request::leave{}, env) != answer::accepted) ++refused_;
        think(env);
    }

    constexpr std::size_t entries_left() const { return left_; }
    /// Requests that were not accepted.
    constexpr std::size_t refused() const { return refused_; }

    static constexpr auto fields(auto& self) {
        return std::tie(self.process_, self.options_, self.left_, self.started_, self.staying_,
                        self.refused_);
    }

private:
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
    std::uint32_t refused_ = 0;
};

template <class P>
client(P) -> client<P>;
template <class P>
client(P, client_options) -> client<P>;

}  // namespace caucus
