// SPDX-License-Identifier: MIT
// An endpoint has room for as many timers as its process says, and refuses one more: each layer
// runs here over a process with timers of its own, until all are armed that can be at once.
#include <caucus/run/endpoint.hpp>

#include <caucus/detector/heartbeat.hpp>
#include <caucus/detector/swim.hpp>
#include <caucus/layer/candid.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/layer/grouped.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/layer/repaired_ring.hpp>
#include <caucus/layer/stamped.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/layer/synchronizer.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

using namespace caucus;

namespace {

constexpr std::size_t links = 3;

/// An election without end: it greets everybody, and waits for two things for ever. `Where` is the
/// network that it is for.
template <shape Where, bool Endless = false>
struct waiting_twice {
    struct greeting {};
    struct tea {};
    struct cake {};
    using message = greeting;
    using timer = std::variant<tea, cake>;
    using outcome = nothing;
    static constexpr bool perpetual = Endless;
    static constexpr model assumes = {Where, guarantee::none};

    bool inside = false;   // the critical section

    constexpr void start(auto& env) {
        env.broadcast(greeting{});
        env.arm(tea{}, 5);
        env.arm(cake{}, 5);
    }
    constexpr void on(greeting, port, auto&) {}
    constexpr void on(tea, auto& env) { env.arm(tea{}, 5); }
    constexpr void on(cake, auto& env) { env.arm(cake{}, 5); }
    constexpr int id() const { return 1; }
    constexpr bool is_leader() const { return false; }
    constexpr std::optional<int> leader() const { return {}; }
    constexpr void request(auto&) { inside = true; }
    constexpr void release(auto&) { inside = false; }
    constexpr bool holds() const { return inside; }
};
/// As many timers as it was made with: only the instance knows how many those are. Claims `fewer`
/// than it arms.
template <shape Where = shape::graph, bool Endless = false>
struct waiting_often : waiting_twice<Where, Endless> {
    struct guest { std::size_t number; };
    using timer = guest;

    std::size_t guests = 0;
    std::size_t fewer = 0;

    constexpr explicit waiting_often(std::size_t n, std::size_t less = 0)
        : guests(n), fewer(less) {}
    constexpr std::size_t timers(std::size_t ports) const { return guests + ports - fewer; }
    constexpr void start(auto& env) {
        for (std::size_t i = 0; i < guests + env.degree(); ++i) env.arm(guest{i}, 5);
    }
    constexpr void on(typename waiting_twice<Where, Endless>::greeting, port, auto&) {}
    constexpr void on(guest g, auto& env) { env.arm(g, 5); }
};
/// The same, with room for 16 in place.
struct waiting_in_place : waiting_often<> {
    using waiting_often<>::waiting_often;
    using storage_type = inplace_storage<16>;
};

using anywhere = waiting_twice<shape::graph>;
using everywhere = waiting_twice<shape::complete>;

/// Nobody answers.
template <class P>
struct abyss {
    static constexpr guarantee guarantees = perfect_links;
    std::size_t degree() const { return links; }
    void send(port, const typename P::message&) {}
};
struct standing_clock {
    ticks now() const { return 0; }
};
struct deaf_listener {
    void operator()(const auto&) {}
};
struct first_lot {
    std::size_t choose(std::size_t) { return 0; }
};

/// Runs it for a while in which nobody is heard. One timer too many, and the endpoint throws.
template <class P>
bool fits(P process, ticks duration = 2000) {
    abyss<P> channel;
    standing_clock clock;
    deaf_listener listener;
    first_lot lots;
    endpoint self{std::move(process), channel, clock, listener, lots};
    self.start(0);
    for (ticks now = 1; now < duration; ++now) self.advance(now);
    return true;
}

}  // namespace

static_assert(heartbeat<anywhere>::timers(links) == 1 + links + 2);
static_assert(swim<anywhere>::timers(links) == 2 + links + 2);
static_assert(supervised<anywhere>::timers(links) == 3 + links + 2);
static_assert(stamped<waiting_twice<shape::graph, true>>::timers(links) == 1 + 2);
static_assert(reliable<anywhere>::timers(links) == links + 2);
static_assert(candid<anywhere>::timers(links) == 2);
static_assert(repaired_ring<waiting_twice<shape::one_way_ring>>::timers(links) == 2);
static_assert(grouped<anywhere, std::array<anywhere, 2>>::timers(links) == 4);
static_assert(client<anywhere>::timers(links) == 2 + 2);
static_assert(std::is_same_v<synchronizer<anywhere>::timer, nothing>);
// Of layers in layers.
static_assert(heartbeat<reliable<anywhere>>::timers(links) == 1 + links + links + 2);
static_assert(reliable<heartbeat<supervised<candid<anywhere>>>>::timers(links) ==
              links + (1 + links) + (3 + links) + 2);
static_assert(repaired_ring<reliable<waiting_twice<shape::two_way_ring>>>::timers(links) == 2 + 2);
// In place there is exactly room for them.
static_assert(heartbeat<anywhere, inplace_storage<links>>::storage_type::capacity ==
              1 + links + 2);
static_assert(swim<anywhere, inplace_storage<links>>::storage_type::capacity == 2 + links + 2);
static_assert(reliable<anywhere, inplace_storage<links>>::storage_type::capacity == links + 2);

TEST_CASE("endpoint: a detector over a process with timers has room for all of them") {
    CHECK(fits(heartbeat{anywhere{}}));
    CHECK(fits(heartbeat{anywhere{}, inplace_storage<links>{}}));
    CHECK(fits(swim{everywhere{}}));   // who never answers is suspected, all three at once
    CHECK(fits(swim{everywhere{}, inplace_storage<links>{}}));
}

TEST_CASE("endpoint: a layer over a process with timers has room for all of them") {
    CHECK(fits(supervised{anywhere{}}));
    CHECK(fits(stamped{waiting_twice<shape::graph, true>{}}));
    CHECK(fits(reliable{anywhere{}}));
    CHECK(fits(reliable{anywhere{}, {.window = 1}, inplace_storage<links>{}}));
    CHECK(fits(candid{anywhere{}}));
    CHECK(fits(repaired_ring{waiting_twice<shape::one_way_ring>{}}));
    CHECK(fits(grouped{anywhere{}, anywhere{}}));
    CHECK(fits(client{anywhere{}, {.entries = 3}}));
    CHECK(fits(synchronizer{anywhere{}}));
}

TEST_CASE("endpoint: layers in layers have room for the timers of all") {
    CHECK(fits(reliable{heartbeat{supervised{candid{anywhere{}}}}}));
    CHECK(fits(swim{reliable{heartbeat{everywhere{}}}}));
    CHECK(fits(heartbeat{grouped{reliable{anywhere{}}, reliable{anywhere{}}}}));
}

namespace {

template <class T>
concept counts_by_type = requires { T::timers(links); };
static_assert(counts_by_type<heartbeat<anywhere>> && !counts_by_type<heartbeat<waiting_often<>>>);
static_assert(!counts_by_type<heartbeat<reliable<waiting_often<>>>>);
constexpr waiting_often<> often{40};
static_assert(heartbeat{often}.timers(links) == 1 + links + 40 + links);
static_assert(heartbeat{reliable{often}}.timers(links) == 1 + links + links + 40 + links);
static_assert(repaired_ring{waiting_often<shape::two_way_ring>{40}}.timers(links) == 40 + 2);
static_assert(grouped{waiting_often<>{40}, waiting_often<>{50}}.timers(links) ==
              40 + 50 + 2 * links);

// Where the layer's are in place, those of P are if it has room in place for itself.
template <class P>
using in_place = typename heartbeat<P, inplace_storage<links>>::storage_type;
static_assert(std::is_same_v<in_place<waiting_often<>>, heap_storage>);
static_assert(std::is_same_v<in_place<waiting_in_place>, inplace_storage<links + 1 + 16>>);
static_assert(grouped<waiting_in_place, std::array<waiting_in_place, 2>>::storage_type::capacity ==
              2 * 16);
template <class P, std::size_t Timers>
constexpr bool in_place_for = std::is_same_v<typename P::storage_type, inplace_storage<Timers>>;
static_assert(in_place_for<client<waiting_in_place>, 16 + 2>);
static_assert(in_place_for<client<waiting_in_place, script<request::enter>>, 16 + 1>);
static_assert(in_place_for<candid<client<anywhere>>, 2 + 2>);
static_assert(in_place_for<repaired_ring<waiting_twice<shape::one_way_ring>>, 2>);
static_assert(in_place_for<stamped<waiting_twice<shape::graph, true>>, 2 + 1>);
static_assert(std::is_same_v<client<waiting_often<>>::storage_type, heap_storage>);

/// With one timer less than is armed, the endpoint refuses.
template <class P>
void check_room(auto make) {
    CHECK(fits(make(P{9})));
    CHECK_THROWS_AS(fits(make(P{9, 1})), error);
}

}  // namespace

TEST_CASE("endpoint: a layer asks the instance inside, if only that knows its timers") {
    check_room<waiting_often<>>([](auto p) { return heartbeat{p}; });
    check_room<waiting_often<shape::complete>>([](auto p) { return swim{p}; });
    check_room<waiting_often<shape::graph, true>>([](auto p) { return stamped{p}; });
    check_room<waiting_often<shape::one_way_ring>>([](auto p) { return repaired_ring{p}; });
    check_room<waiting_often<>>([](auto p) { return grouped{p, p}; });
    CHECK(fits(supervised{waiting_often<>{9}}));
    CHECK(fits(supervised{waiting_in_place{9}, inplace_storage<links>{}}));
    CHECK(fits(reliable{waiting_often<>{9}}));
}

TEST_CASE("endpoint: so do layers in layers") {
    check_room<waiting_often<>>([](auto p) { return heartbeat{grouped{p, p}}; });
    check_room<waiting_often<shape::graph, true>>([](auto p) { return heartbeat{stamped{p}}; });
    CHECK(fits(heartbeat{reliable{waiting_often<>{9}}}));
    CHECK(fits(reliable{heartbeat{supervised{waiting_often<>{9}}}}));
}
