// SPDX-License-Identifier: MIT
#include <caucus/core/inner_environment.hpp>

#include <caucus/core/layer.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <support/least.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

using namespace caucus;

namespace {

/// A layer that doubles numbers on their way out and hides the last port.
template <class P>
class doubling : public layer_over<doubling<P>, P> {
    using base = layer_over<doubling, P>;

public:
    using message = typename P::message;
    using timer = nothing;
    using outcome = nothing;
    template <class Env>
    struct inside : inner_environment<inside<Env>, doubling, Env> {
        constexpr inside(Env& env, doubling&) : inner_environment<inside, doubling, Env>(env) {}
        constexpr std::size_t degree() const { return this->outer_.degree() - 1; }
        constexpr void send(port p, const message& m) {
            this->outer_.send(p, message{2 * m.number});
        }
    };

    constexpr explicit doubling(P process) : base(std::move(process)) {}
    static constexpr auto fields(auto& self) { return std::tie(self.process_); }
};

}  // namespace

TEST_CASE("inner_environment: a broadcast inside goes to the ports that the layer shows") {
    rounds sim{complete{4}, [](node) { return doubling{support::greeter{3}}; }};
    sim.start(0);
    CHECK(sim.run().messages == 2);
    CHECK(sim[1].process().heard == std::vector{6});
    CHECK(sim[2].process().heard == std::vector{6});
    CHECK(sim[3].process().heard.empty());
}
