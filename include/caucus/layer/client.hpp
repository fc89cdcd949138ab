// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/inner.hpp>

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
class client : public layer_over<P> {
    static_assert(needs_an_exclusion__with_holds<P>, "needs_an_exclusion__with_holds");
    using layer_over<P>::process_;
    template <class Env>
    class inside;

public:
    struct ask {};
    struct leave {};
    using inner = inner_timer<typename P::timer>;
    using message = typename P::message;
    using timer = timers_over<P, ask, leave>;
    using outcome = typename P::outcome;
    using typename layer_over<P>::kept;

    static constexpr model assumes = assumptions_of<P>();
    static constexpr std::size_t timers(std::size_t degree) {
        return 2 + detail::timers_armed_by<P>(degree);
    }

    constexpr explicit client(P process, client_options options = {})
        : layer_over<P>(std::move(process)), options_(options), left_(options.entries) {}

    constexpr void start(auto& env) {
        if (started_) return;
        started_ = true;
        if constexpr (requires(inside<std::remove_reference_t<decltype(env)>> e) {
                          process_.start(e);
                      })
            with_inside(env, [&](auto& within) { static_cast<void>(process_.start(within)); });
        think(env);
    }
    constexpr void on(ask, auto& env) {
        --left_;
        with_inside(env, [&](auto& within) { static_cast<void>(process_.request(within)); });
    }
    constexpr void on(leave, auto& env) {
        staying_ = false;
        with_inside(env, [&](auto& within) { static_cast<void>(process_.release(within)); });
        think(env);
    }
    constexpr void on(const inner& t, auto& env) {
        with_inside(env, [&](auto& within) {
            dispatch(process_, expiry<typename P::timer>{t.timer}, within);
        });
    }
    template <class Kind>
        requires kind_of<Kind, message>
    constexpr void on(const Kind& m, port from, auto& env) {
        with_inside(env, [&](auto& within) { process_.on(m, from, within); });
    }

    /// The detector's word, and life after a crash: as far as the process listens.
    template <class Env>
    constexpr void on(suspect s, Env& env) requires listens_to<P, suspect, inside<Env>> {
        pass(s, env);
    }
    template <class Env>
    constexpr void on(trust t, Env& env) requires listens_to<P, trust, inside<Env>> {
        pass(t, env);
    }
    constexpr void on(const recovered<kept>& r, auto& env) { pass(r, env); }

    constexpr std::size_t entries_left() const { return left_; }

    static constexpr auto fields(auto& self) {
        return std::tie(self.process_, self.options_, self.left_, self.started_, self.staying_);
    }

private:
    /// The environment of the process inside: as outside, but for the names of its timers.
    template <class Env>
    class inside : public inner_environment<inside<Env>, Env> {
    public:
        using inner_environment<inside, Env>::inner_environment;
        constexpr void send(port p, const message& m) { this->outer_.send(p, m); }
        constexpr void arm(const typename P::timer& t, ticks delay) {
            this->outer_.arm(timer{inner{t}}, delay);
        }
        constexpr void disarm(const typename P::timer& t) { this->outer_.disarm(timer{inner{t}}); }
        constexpr void report(const outcome& o) { this->outer_.report(o); }
    };

    template <class Env>
    constexpr void with_inside(Env& env, auto act) {
        inside<Env> within{env};
        act(within);
        if (!process_.holds() || staying_) return;
        staying_ = true;
        env.arm(timer{leave{}}, options_.staying);
    }
    constexpr void pass(const auto& word, auto& env) {
        with_inside(env, [&](auto& within) { tell(process_, word, within); });
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
client(P, client_options) -> client<P>;

}  // namespace caucus
