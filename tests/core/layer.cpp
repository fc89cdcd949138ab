// SPDX-License-Identifier: MIT
#include <caucus/core/layer.hpp>

#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <support/doubling.hpp>
#include <support/least.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <type_traits>
#include <vector>

using namespace caucus;
using support::doubling;

namespace {

/// Answers each verb in its own way.
struct verbs : support::greeter {
    constexpr answer request(auto&) { return answer::already_waiting; }
    constexpr answer release(auto&) { return answer::not_inside; }
    constexpr answer cancel(auto&) { return answer::not_waiting; }
    constexpr answer join(auto&) { return answer::not_a_member; }
    constexpr answer depart(auto&) { return answer::blocked; }
    constexpr answer broadcast(int payload, auto&) {
        return payload == 7 ? answer::no_room : answer::accepted;
    }
};
struct silence {
    std::size_t degree() const { return 2; }
    void send(port, const support::greeter::message&) {}
};

template <class T>
concept has_a_verb = requires(T& t, silence& env) { t.request(env); } ||
                     requires(T& t, silence& env) { t.release(env); } ||
                     requires(T& t, silence& env) { t.cancel(env); } ||
                     requires(T& t, silence& env) { t.join(env); } ||
                     requires(T& t, silence& env) { t.depart(env); } ||
                     requires(T& t, silence& env) { t.broadcast(7, env); };
static_assert(has_a_verb<doubling<verbs>> && !has_a_verb<doubling<support::greeter>>);

static_assert(listens_to<doubling<support::bystander>, suspect, silence>);
static_assert(!listens_to<doubling<support::greeter>, suspect, silence>);

}  // namespace

TEST_CASE("layer: the verbs can be called by name, and P answers") {
    auto asked = layer<doubling>(doubling{verbs{}});
    silence env;
    CHECK(asked.request(env) == answer::already_waiting);
    CHECK(asked.release(env) == answer::not_inside);
    CHECK(asked.cancel(env) == answer::not_waiting);
    CHECK(asked.join(env) == answer::not_a_member);
    CHECK(asked.depart(env) == answer::blocked);
    CHECK(asked.broadcast(7, env) == answer::no_room);
    CHECK(asked.broadcast(8, env) == answer::accepted);
}

TEST_CASE("layer: a layer around itself by name, where deduction would copy") {
    const auto twice = layer<doubling>(layer<doubling>(support::greeter{1}));
    static_assert(std::is_same_v<decltype(twice), const doubling<doubling<support::greeter>>>);
    static_assert(std::is_same_v<decltype(doubling{doubling{support::greeter{1}}}),
                                 doubling<support::greeter>>);
    rounds sim{complete{4}, [&](node) { return twice; }};
    sim.start(0);
    CHECK(sim.run().messages == 1);
    CHECK(sim[1].process().process().heard == std::vector{4});
}
