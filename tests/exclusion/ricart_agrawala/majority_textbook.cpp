// SPDX-License-Identifier: MIT
// The lecture's second improvement to the letter: what majority would be without inquire and yield.
#include <caucus/exclusion/ricart_agrawala/majority.hpp>

#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <support/exclusion_suite.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// The lecture's "a simple majority suffices", to the letter: asks all, and whoever is asked gives
/// its vote to the first, until it is given back.
struct scattered_votes {
    struct wish {};
    struct vote {};
    struct done {};
    using message = std::variant<wish, vote, done>;
    using timer = nothing;
    using outcome = nothing;
    enum class phase : std::uint8_t { idle, wants, in };

    phase now = phase::idle;
    std::uint8_t votes = 0;
    std::vector<port> queue = {};   // the first has this node's vote; it is a port itself, too

    static void start(auto&) {}
    void request(auto& env) {
        now = phase::wants;
        votes = 0;
        env.broadcast(wish{});
        on(wish{}, port{env.degree()}, env);
    }
    void release(auto& env) {
        now = phase::idle;
        env.broadcast(done{});
        on(done{}, port{env.degree()}, env);
    }
    bool holds() const { return now == phase::in; }
    bool waits() const { return now == phase::wants; }

    void on(wish, port from, auto& env) {
        queue.push_back(from);
        if (queue.size() == 1) give(env);
    }
    void on(vote, port, auto& env) {
        if (now == phase::wants && ++votes == (env.degree() + 1) / 2 + 1) now = phase::in;
    }
    void on(done, port from, auto& env) {
        const bool had_it = queue.front() == from;
        std::vector<port> rest;
        for (const port p : queue)
            if (p != from) rest.push_back(p);
        queue = rest;
        if (had_it && !queue.empty()) give(env);
    }

private:
    void give(auto& env) {
        if (queue.front() == env.degree()) on(vote{}, queue.front(), env);
        else env.send(queue.front(), vote{});
    }
};

}  // namespace

TEST_CASE("scattered votes: safe, but some wait for ever: why majority calls votes back") {
    const auto make = [](node) { return client{scattered_votes{}, sections{}}; };
    const verdict v = explore(complete{3}, make, {.properties = {always(at_most_one_inside),
                                                                 finally(all_served{})},
                                                  .timers = timers::any_time});
    CHECK_FALSE(v.holds);   // two ask at once, or three
    const verdict safe = explore(complete{3}, make, {.properties = {always(at_most_one_inside),
                                                                    sometimes(someone_is_inside)},
                                                     .timers = timers::any_time});
    check_verified(safe);
}

TEST_CASE("scattered votes: of five, three ask: a majority by chance in 1/3; all ask: never") {
    std::size_t decided = 0;
    const std::size_t runs = 600;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        for (const std::size_t askers : {std::size_t{3}, std::size_t{5}}) {
            events net{complete{5}, [](node) { return scattered_votes{}; },
                       {.seed = seed, .delay = uniform{1, 1'000'000}}};
            for (std::size_t v = 0; v < askers; ++v)
                static_cast<void>(net.call(v, request::enter{}));
            net.run();
            std::size_t inside = 0;
            for (std::size_t v = 0; v < 5; ++v) inside += net[v].holds();
            if (askers == 5) CHECK(inside == 0);
            else decided += inside;
        }
    }
    const double expected = static_cast<double>(runs) / 3;
    CHECK(std::abs(static_cast<double>(decided) - expected) < 4 * std::sqrt(expected * 2 / 3));
}
