// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/dispatch.hpp>
#include <caucus/core/process.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace caucus::exploration {

/// P, whose messages also carry the length of the longest chain of messages that led to them.
/// Exploring this gives the longest causal chain over all schedules.
template <class P>
class chained {
public:
    struct message {
        typename P::message inner;
        std::uint32_t place = 0;
    };
    using timer = typename P::timer;
    using outcome = typename P::outcome;
    using kept = kept_by<P>;

    explicit chained(P process) : process_(std::move(process)) {}

    void start(auto& env) {
        auto w = inside(env);
        static_cast<void>(process_.start(w));
    }
    void on(const message& m, port from, auto& env) {
        if (reached_ < m.place) reached_ = m.place;
        auto w = inside(env);
        dispatch(process_, m.inner, from, w);
    }
    template <class Kind>
        requires kind_of<Kind, timer>
    void on(const Kind& t, auto& env) {
        auto w = inside(env);
        process_.on(t, w);
    }
    void on(suspect s, auto& env) { pass(s, env); }
    void on(trust t, auto& env) { pass(t, env); }
    void on(const recovered<kept>& r, auto& env) { pass(r, env); }

    static constexpr auto fields(auto& self) { return std::tie(self.process_, self.reached_); }

private:
    template <class Env>
    struct within {
        chained& self;
        Env& env;

        within(chained& s, Env& e) : self(s), env(e) {}
        std::size_t degree() const { return env.degree(); }
        void send(port p, const typename P::message& m) {
            env.send(p, message{m, self.reached_ + 1});
        }
        void broadcast(const typename P::message& m) {
            env.broadcast(message{m, self.reached_ + 1});
        }
        void arm(const timer& t, ticks delay) { env.arm(t, delay); }
        void disarm(const timer& t) { env.disarm(t); }
        std::size_t choose(std::size_t k) { return env.choose(k); }
        void report(const outcome& o) { env.report(o); }
        void keep(const kept& value) { env.keep(value); }
    };

    template <class Env>
    within<Env> inside(Env& env) { return {*this, env}; }

    void pass(const auto& word, auto& env) {
        auto w = inside(env);
        tell(process_, word, w);
    }

    P process_;
    std::uint32_t reached_ = 0;
};

}  // namespace caucus::exploration
