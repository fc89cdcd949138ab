// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/dispatch.hpp>
#include <caucus/core/inner_environment.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/layer/relay_counter.hpp>

#include <cstddef>
#include <type_traits>

namespace caucus {

/// What P sees, an election that a layer numbers and holds again. Its messages travel as ballots:
/// with the election's number, and on rings with a count of those who have passed them on
/// unchanged, since one that nobody takes home would go round for ever. It sees the ports of those
/// who take part. Its timers are on a list, and end with the election. Of what it reports only
/// troubles pass: who leads, the layer says.
///
/// The layer has a message `ballot{number, message, relays}` and lets this environment, a friend,
/// use process_, number_, timers_ (inner_timers), members_ (visible_ports), relays_most(), and
/// `how` with the constants hides_the_silent and sits_on_a_ring.
template <class Layer, class Env>
class ballot_environment final
    : public inner_environment<ballot_environment<Layer, Env>, Layer, Env> {
    using P = typename Layer::process_type;
    using ballot = typename Layer::ballot;
    using timer = typename Layer::timer;
    using outcome = typename Layer::outcome;

public:
    constexpr ballot_environment(Env& env, Layer& layer)
        : inner_environment<ballot_environment, Layer, Env>(env), layer_(layer) {}

    constexpr std::size_t degree() const {
        return Layer::how::hides_the_silent ? layer_.members_.size() : this->outer_.degree();
    }
    constexpr void deliver(const ballot& b, port from) {
        const port at = Layer::how::hides_the_silent ? layer_.members_.inner(from) : from;
        relays_.while_handling(b, [&] { dispatch(*layer_.process_, b.message, at, *this); });
    }
    constexpr void send(port p, const typename P::message& m) {
        const std::size_t relays = Layer::how::sits_on_a_ring ? relays_.relays_of(m) : 0;
        if (relays > layer_.relays_most()) return;
        const port out = Layer::how::hides_the_silent ? layer_.members_.outer(p) : p;
        this->outer_.send(out, ballot{layer_.number_, m, relays});
    }
    constexpr void arm(const typename P::timer& t, ticks delay) {
        layer_.timers_.template arm<timer>(t, delay, this->outer_);
    }
    constexpr void disarm(const typename P::timer& t) {
        layer_.timers_.template disarm<timer>(t, this->outer_);
    }
    constexpr void report(const typename P::outcome& o) {
        visit_kind(o, [&](const auto& kind) {
            using told = std::remove_cvref_t<decltype(kind)>;
            if constexpr (std::is_same_v<told, overflow> || std::is_same_v<told, stalled>)
                this->outer_.report(outcome{kind});
        });
    }

private:
    Layer& layer_;
    relay_counter<ballot> relays_{};
};

}  // namespace caucus
