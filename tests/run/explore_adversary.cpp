// SPDX-License-Identifier: MIT
// What properties see of a state, and what explore may do to processes beyond the usual faults:
// each finds a planted mistake that is missed without it.
#include <caucus/run/explore.hpp>

#include <doctest/doctest.h>

#include "textbook.hpp"

#include <caucus/topology/ring.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

using namespace caucus;

namespace {

using textbook::one_token;
using textbook::token_ring;

token_ring ring_of_tokens(node v) { return {static_cast<int>(v.index), v == 0}; }

/// Hands a ball on as soon as it comes, so often.
struct juggler {
    using message = int;
    using timer = nothing;
    using outcome = nothing;
    int left = 2;

    void start(auto& env) { env.send(next, left); }
    void on(int throws, port, auto& env) {
        if (throws != 0) env.send(next, throws - 1);
    }
};

}  // namespace

TEST_CASE("lectures: a timer before its time makes a second token, in 3 events or 4, n <= 3") {
    for (const std::size_t n : {2u, 3u}) {
        for (const reduction reduce : {reduction::none, reduction::every}) {
            const auto v = explore(ring{n}, ring_of_tokens,
                                   {.properties = {always("one token", one_token{})},
                                    .reduce = reduce, .timers = timers::any_time});
            CHECK_FALSE(v.holds);
            CHECK(v.counterexample.size() == n + 1);
            CHECK(v.counterexample.property == "one token");
            CHECK(v.counterexample.text().find("one token is false after:\n") == 0);
        }
    }
}

TEST_CASE("explore: reductions leave out nothing that a property sees of messages or timers") {
    // No process ever changes: what is seen of processes alone would allow to leave out everything.
    const auto crowded = [](std::size_t v) {
        return [v](const global_state<juggler>& g) {
            std::size_t coming = 0;
            g.each_in_flight([&](node, node to, int) { coming += to == v; });
            return coming == 2;
        };
    };
    for (const reduction reduce : {reduction::none, reduction::sleep, reduction::ample,
                                   reduction::every}) {
        const auto v = explore(ring{2}, [](node) { return juggler{}; },
                               {.properties = {sometimes("two to 0", crowded(0)),
                                               sometimes("two to 1", crowded(1))},
                                .reduce = reduce});
        CHECK(v.verified());
        CHECK(v.reductions.find("ample") == std::string::npos);
    }
    const auto two_wait = [](const global_state<token_ring>& g) {
        std::size_t waiting = 0;
        for (std::size_t v = 0; v < g.nodes(); ++v)
            g.each_armed(v, [&](const token_ring::timer& t) {
                waiting += std::holds_alternative<token_ring::token_overdue>(t);
            });
        return waiting == 2;
    };
    for (const reduction reduce : {reduction::none, reduction::every}) {
        const auto v = explore(ring{2}, ring_of_tokens,
                               {.properties = {always([&](const auto& g) { return !two_wait(g); })},
                                .reduce = reduce});
        CHECK_FALSE(v.holds);
        CHECK(v.counterexample.size() == 1);   // node 0 leaves, and waits for the token itself
    }
}
