// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/layer.hpp>
#include <caucus/core/process.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace caucus::exploration {

/// P, whose messages also carry the length of the longest chain of messages that led to them.
/// Exploring this gives the longest causal chain over all schedules.
template <class P>
class chained : public layer_over<chained<P>, P> {
    using base = layer_over<chained, P>;

public:
    struct message {
        typename P::message inner;
        std::uint32_t place = 0;
    };
    using timer = typename P::timer;
    using outcome = typename P::outcome;
    template <class Env>
    class inside : public inner_environment<inside<Env>, chained, Env> {
    public:
        inside(Env& env, const chained& layer)
            : inner_environment<inside, chained, Env>(env), place_(layer.reached_ + 1) {}
        void send(port p, const typename P::message& m) {
            this->outer_.send(p, message{m, place_});
        }

    private:
        std::uint32_t place_;
    };

    explicit chained(P process) : base(std::move(process)) {}

    using base::on;
    void on(const message& m, port from, auto& env) {
        if (reached_ < m.place) reached_ = m.place;
        base::run_inside(env, [&](auto& within) {
            dispatch(this->process_, m.inner, from, within);
        });
    }

    static constexpr auto fields(auto& self) { return std::tie(self.process_, self.reached_); }

private:
    std::uint32_t reached_ = 0;
};

}  // namespace caucus::exploration
