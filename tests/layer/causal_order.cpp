// SPDX-License-Identifier: MIT
#include <caucus/layer/client.hpp>

#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/two_way_ring.hpp>
#include <support/central_lock.hpp>
#include <support/witness.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <variant>

// Are requests served in the order in which they happened? Applications that talk to each other
// behind the algorithm's back find out.

using namespace caucus;

namespace {

/// One token goes round, `next` to `next`; who wants keeps it for a while.
struct token_lock {
    struct token {};
    using message = token;
    using timer = nothing;
    using outcome = nothing;
    using requests = std::variant<request::start, request::enter, request::leave>;
    bool has_it = false;
    bool wants = false;
    bool in = false;

    void start(auto& env) {
        if (has_it) env.send(next, token{});
        has_it = false;
    }
    void request(auto&) { wants = true; }
    void release(auto& env) {
        in = false;
        env.send(next, token{});
    }
    bool holds() const { return in; }
    void on(token, port, auto& env) {
        in = wants;
        wants = false;
        if (!in) env.send(next, token{});
    }
};

/// All ask, and say so to their neighbours up to so many times.
auto central(std::uint8_t asks, std::uint8_t remarks) {
    return [=](node v) {
        const std::uint8_t entries = v.index == 0 ? std::uint8_t{0} : asks;
        support::central_lock<> lock;
        lock.centre = port{v.index == 0 ? 0 : 2 - v.index};
        return client{support::witness{lock, v.index, 3, remarks}, {.entries = entries}};
    };
}
auto passing(std::uint8_t remarks) {
    return [=](node v) {
        return client{support::witness{token_lock{v.index == 0}, v.index, 3, remarks},
                      {.entries = 1}};
    };
}

verdict judged(auto topology, auto make) {
    const auto somebody_knew = [](const auto& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            for (const std::uint8_t each : g[v].process().before_its_request())
                if (each != 0 && g[v].holds()) return true;
        return false;
    };
    return explore(topology, make, {.properties = {always(support::in_causal_order{}),
                                                   sometimes(somebody_knew)},
                                    .timers = timers::any_time});
}

}  // namespace

TEST_CASE("causal order: a lock in the centre keeps it unless applications talk: 6 events") {
    CHECK(judged(complete{3}, central(2, 0)).verified());
    const verdict v = judged(complete{3}, central(1, 1));
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 6);
}

TEST_CASE("causal order: so does a token that goes round: 5 events") {
    CHECK(judged(two_way_ring{3}, passing(0)).verified());
    const verdict v = judged(two_way_ring{3}, passing(1));
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 5);
}
