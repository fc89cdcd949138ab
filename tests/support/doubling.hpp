// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/layer.hpp>

#include <cstddef>
#include <tuple>
#include <utility>

namespace support {

/// A layer that doubles numbers on their way out and hides the last port.
template <class P>
class doubling : public caucus::layer_over<doubling<P>, P> {
    using base = caucus::layer_over<doubling, P>;

public:
    using message = typename P::message;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;
    template <class Env>
    struct inside : caucus::inner_environment<inside<Env>, doubling, Env> {
        constexpr inside(Env& env, doubling&)
            : caucus::inner_environment<inside, doubling, Env>(env) {}
        constexpr std::size_t degree() const { return this->outer_.degree() - 1; }
        constexpr void send(caucus::port p, const message& m) {
            this->outer_.send(p, message{2 * m.number});
        }
    };

    constexpr explicit doubling(P process) : base(std::move(process)) {}
    static constexpr auto fields(auto& self) { return std::tie(self.process_); }
};

}  // namespace support
