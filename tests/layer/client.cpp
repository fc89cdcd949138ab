// SPDX-License-Identifier: MIT
#include <caucus/layer/client.hpp>

#include <caucus/layer/reliable.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/star.hpp>

#include <laws/layer.hpp>

#include <doctest/doctest.h>

#include <cstddef>

using namespace caucus;

namespace {

/// A lock at the centre of a star: leaves ask, the centre grants one at a time. With a fuse that
/// it arms when asked, to see that the timers of the process inside arrive there.
struct turnstile {
    struct ask {};
    struct grant {};
    struct done {};
    using message = std::variant<ask, grant, done>;
    struct fuse {};
    using timer = fuse;
    using outcome = nothing;

    bool in = false;
    bool busy = false;
    unsigned waiting = 0;
    int fused = 0;
    int asked = 0;

    void start(auto& env) { env.arm(fuse{}, 3); }
    void request(auto& env) {
        ++asked;
        env.send(port{0}, ask{});
    }
    void release(auto& env) {
        in = false;
        env.send(port{0}, done{});
    }
    bool holds() const { return in; }
    void on(fuse, auto&) { ++fused; }
    void on(ask, port from, auto& env) {
        if (busy) waiting |= 1u << from.index();
        else env.send(from, grant{});
        busy = true;
    }
    void on(grant, port, auto&) { in = true; }
    void on(done, port, auto& env) {
        busy = waiting != 0;
        for (const port p : ports(env.degree())) {
            if ((waiting >> p.index() & 1) == 0) continue;
            waiting &= ~(1u << p.index());
            return env.send(p, grant{});
        }
    }
};

auto leaf_or_centre(std::uint8_t entries) {
    return [=](node v) {
        return client{turnstile{},
                      {.entries = v.index == 0 ? std::uint8_t{0} : entries, .thinking = 2}};
    };
}

}  // namespace

static_assert(client<turnstile>::timers(3) == 3);

TEST_CASE("client: the laws of layers") {
    laws::layer_laws([](auto process) { return client{process, {.entries = 2}}; });
}

TEST_CASE("client: asks as often as it was told to, enters, leaves, and then is silent") {
    events net{star{4}, leaf_or_centre(5), {.seed = 3}};
    net.start_all();
    net.start_all();
    const report r = net.run();
    CHECK(r.stopped == stop::quiescent);
    CHECK(r.messages == 3 * 5 * 3);   // ask, grant, done: three leaves, five entries each
    for (std::size_t v = 1; v < 4; ++v) {
        CHECK(net[v].entries_left() == 0);
        CHECK(net[v].process().asked == 5);
        CHECK(net[v].process().fused == 1);
        CHECK_FALSE(net[v].holds());
    }
}

TEST_CASE("client: requests go through layers") {
    const auto make = [](node v) {
        const client_options options{.entries = v.index == 0 ? std::uint8_t{0} : std::uint8_t{4}};
        return client{reliable{turnstile{}}, options};
    };
    events net{star{4}, make, {.delay = heavy_tailed{1, 100}, .fifo = false}};
    net.start_all();
    CHECK(net.run().stopped == stop::quiescent);
    for (std::size_t v = 1; v < 4; ++v) {
        CHECK(net[v].process().process().asked == 4);
        CHECK_FALSE(net[v].holds());
    }
}

TEST_CASE("client: on every schedule one is inside at most, and all have been when it is over") {
    const auto one_inside = [](const auto& g) {
        std::size_t inside = 0;
        for (std::size_t v = 0; v < g.nodes(); ++v) inside += g[v].holds();
        return inside <= 1;
    };
    const auto all_done = [](const auto& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].entries_left() != 0 || g[v].holds()) return false;
        return true;
    };
    const auto someone_inside = [](const auto& g) { return g[1].holds() || g[2].holds(); };
    const verdict v = explore(star{3}, leaf_or_centre(1),
                              {.properties = {always(one_inside), finally(all_done),
                                              sometimes(someone_inside)},
                               .timers = timers::any_time});
    CHECK(v.verified());
    CHECK(v.messages.least == 6);
    CHECK(v.messages.most == 6);
}
