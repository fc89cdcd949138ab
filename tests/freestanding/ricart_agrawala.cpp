// SPDX-License-Identifier: MIT
#include "network.hpp"

#include <caucus/exclusion/ricart_agrawala.hpp>
#include <caucus/topology/complete.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <variant>

template <class... Model>
using process = caucus::ricart_agrawala<std::uint16_t, caucus::inplace_storage<4>, Model...>;
static_assert(sizeof(process<>) <= 128);

/// Enters twice, and leaves at once.
template <class P>
struct eager : P {
    using requests = std::variant<caucus::request::start>;
    using P::P;

    void start(auto& env) { pass(env); }
    void on(const auto& m, caucus::port from, auto& env) {
        P::on(m, from, env);
        pass(env);
    }
    void on(typename P::timer t, auto& env) requires requires(P& p) { p.on(t, env); } {
        P::on(t, env);
        pass(env);
    }
    bool is_through() const { return left_ == 0 && !this->holds() && !this->waits(); }

private:
    void pass(auto& env) {
        if (this->holds()) static_cast<void>(P::release(env));
        if (left_ == 0 || this->waits()) return;
        --left_;
        static_cast<void>(P::request(env));
    }
    int left_ = 2;
};

/// All five do, and none of them is short of room.
template <class... Model>
bool all_enter(std::size_t messages_least, std::size_t messages_most, Model... model) {
    using asking = eager<process<Model...>>;
    const int failed = freestanding::elects<asking, 5>(
        caucus::complete{5},
        [=](caucus::node v) { return asking{freestanding::ids[v], model...}; },
        std::array{0, 1, 2, 3, 4},
        [=](const auto& net) {
            for (std::size_t v = 0; v < 5; ++v)
                if (!net[v].is_through()) return false;
            return net.outcomes() == 20 && net.overflows() == 0 &&
                   net.messages() >= messages_least && net.messages() <= messages_most;
        });
    return failed == 0;
}

int main() {
    // Messages go one at a time: a tick is no delay bound.
    const bool good = all_enter(80, 80) &&
                      all_enter(80, 120, caucus::answering{.delay_max = 1'000}) &&
                      all_enter(60, 120, caucus::majority{}) &&
                      all_enter(0, 80, caucus::carvalho_roucairol{});
    return good ? 0 : 1;
}
