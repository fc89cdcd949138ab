// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/dispatch.hpp>
#include <caucus/core/process.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <variant>

namespace caucus {

struct client_options {
    std::uint8_t entries = 1;   // how often it asks
    ticks thinking = 1;         // before each request
    ticks staying = 1;          // inside, before it leaves
};

/// An application for tests and exploration: asks for the critical section, enters, leaves, asks
/// again. Its decisions are timers, so that an explorer may make them at any time.
///
/// Model     what P assumes
/// Cost      none of its own
template <class P>
class client {
public:
    struct ask {};
    struct leave {};
    struct inner { typename P::timer timer; };
    using message = typename P::message;
    using timer = std::conditional_t<kinds_of<typename P::timer> == 0, std::variant<ask, leave>,
                                     std::variant<ask, leave, inner>>;
    using outcome = typename P::outcome;
    using kept = kept_by<P>;

    constexpr explicit client(P process, client_options options = {})
        : process_(std::move(process)), options_(options), left_(options.entries) {}

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
    constexpr void on(suspect s, auto& env) { pass(s, env); }
    constexpr void on(trust t, auto& env) { pass(t, env); }
    constexpr void on(const recovered<kept>& r, auto& env) { pass(r, env); }

    constexpr const P& process() const { return process_; }
    constexpr bool holds() const { return process_.holds(); }
    constexpr std::size_t entries_left() const { return left_; }

    static constexpr auto fields(auto& self) {
        return std::tie(self.process_, self.options_, self.left_, self.started_, self.staying_);
    }

private:
    /// The environment of the process inside: as outside, but for the names of its timers.
    template <class Env>
    class inside {
    public:
        constexpr explicit inside(Env& outer) : outer_(outer) {}
        constexpr std::size_t degree() const { return outer_.degree(); }
        constexpr void send(port p, const message& m) { outer_.send(p, m); }
        constexpr void broadcast(const message& m) { outer_.broadcast(m); }
        constexpr void arm(const typename P::timer& t, ticks delay) {
            outer_.arm(timer{inner{t}}, delay);
        }
        constexpr void disarm(const typename P::timer& t) { outer_.disarm(timer{inner{t}}); }
        constexpr std::size_t choose(std::size_t k) { return outer_.choose(k); }
        constexpr void report(const outcome& o) { outer_.report(o); }
        constexpr void keep(const kept_by<P>& value) { outer_.keep(value); }

    private:
        Env& outer_;
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

    P process_;
    client_options options_;
    std::uint8_t left_;
    bool started_ = false;
    bool staying_ = false;
};

template <class P>
client(P, client_options) -> client<P>;

}  // namespace caucus
