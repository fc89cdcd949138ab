// SPDX-License-Identifier: MIT
#include <caucus/multicast/srm.hpp>

#include <support/srm_runs.hpp>
#include <support/wild.hpp>

#include <doctest/doctest.h>

#include "../archetypes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

using in_the_paper = srm<std::string>;
static_assert(process<in_the_paper> && process<srm_member>);
static_assert(perpetual<in_the_paper> && !perpetual<srm_member>);
static_assert(reads_clock<in_the_paper> && !reads_clock<srm_member>);
static_assert(tosses_coins<srm_member>);
static_assert(in_the_paper::delivers == ordering::any);
static_assert(in_the_paper::assumes.links == guarantee::none);
static_assert(std::is_same_v<srm_member::with_payload<char>,
                             srm<char, int, given_distances<>, sessions_after_news>>);
static_assert(request_to<request::broadcast<std::string>, in_the_paper>);
static_assert(!request_to<request::join, in_the_paper>);
using small = srm<int, int, inplace_storage<3>, given_distances<int, inplace_storage<3>>>;
static_assert(small::storage_type::capacity == 10);
static_assert(srm_member::per_broadcast(5).contains(4) && *srm_member::per_broadcast(5).mean == 4);

/// A member whose surroundings are played by hand; its dice fall as high as they can.
struct desk : archetype::environment<srm_member>, archetype::loaded_dice {
    srm_member self;

    explicit desk(srm_options how = {}, unsigned sessions = 1)
        : self{7, how, given_distances<>{10}, sessions_after_news{sessions}} {
        ports = 1;
    }
    using data = srm_member::data;
    using packet_due = srm_member::packet_due;
    static srm_member::packet_name name(int source, std::uint64_t number, std::uint32_t life = 0) {
        return {source, {life}, number};
    }
    void hear(const auto& m) { self.on(m, port{0}, *this); }
    void hear_data(int source, std::uint64_t number, std::uint32_t life = 0) {
        hear(data{name(source, number, life), static_cast<int>(number)});
    }
    /// The delay of the timer of that packet, of the first source but itself; 0: there is none.
    ticks due_in(std::uint64_t number, std::size_t source = 1) const {
        ticks found = 0;
        for (const auto& a : armed)
            if (const auto* t = std::get_if<packet_due>(&a.timer))
                if (t->number == number && t->source == source) found = a.delay;
        return found;
    }
    std::size_t packet_timers() const {
        return static_cast<std::size_t>(std::count_if(armed.begin(), armed.end(), [](auto& a) {
            return std::holds_alternative<packet_due>(a.timer);
        }));
    }
    void expire(std::uint64_t number, std::size_t source = 1) {
        disarm(packet_due{source, number});
        self.on(packet_due{source, number}, *this);
    }
    template <class Kind>
    std::size_t said() const {
        return static_cast<std::size_t>(std::count_if(outbox.begin(), outbox.end(), [](auto& l) {
            return std::holds_alternative<Kind>(l.message);
        }));
    }
    template <class Kind>
    std::vector<Kind> told() const {
        std::vector<Kind> found;
        for (const auto& o : heard)
            if (const auto* k = std::get_if<Kind>(&o)) found.push_back(*k);
        return found;
    }
    std::uint64_t missed() const {
        std::uint64_t sum = 0;
        for (const auto& m : told<caucus::missed<int>>()) sum += m.count;
        return sum;
    }
};
using request_message = srm_member::repair_request;
using repair_message = srm_member::repair;
using session_message = srm_member::session;

/// The mean of some numbers, and its standard error.
struct sample_mean {
    double sum = 0, squares = 0;
    double count = 0;
    void add(double x) {
        sum += x;
        squares += x * x;
        ++count;
    }
    double mean() const { return sum / count; }
    double error() const { return std::sqrt((squares / count - mean() * mean()) / (count - 1)); }
    bool agrees_with(double expected) const { return std::abs(mean() - expected) <= 3 * error(); }
};

/// Everybody but the source misses a packet, and hears the next at the same time.
struct star_loss {
    sample_mean requests;
    sample_mean first;   // how long until the first request, in distances
    std::size_t repairs = 0;
};
star_loss lose_on_a_star(std::size_t members, double c2, std::size_t runs) {
    constexpr ticks d = 10'000;
    star_loss found;
    srm_group group{.members = members, .delay = on_a_star(d),
                    .options = {.c2 = c2, .d1 = 1, .d2 = 1, .members = members, .window = 4,
                                .interval = 1'000'000}};
    for (group.seed = 1; group.seed <= runs; ++group.seed) {
        bool deaf = true;
        auto net = group.net([&](std::size_t) { return deaf; });
        cast_from(net, 0, 1);
        deaf = false;
        cast_from(net, 0, 2);
        static_cast<void>(net.run());
        const mending& seen = net.watcher();
        found.requests.add(static_cast<double>(seen.requests.size()));
        found.first.add(static_cast<double>(seen.requests.at(0).at - d) / d);
        found.repairs += seen.repairs.size();
        for (std::size_t v = 1; v < members; ++v) CHECK(heard(net, v).size() == 2);
    }
    return found;
}
void meets_the_formulas(std::size_t members, double c2, std::size_t runs) {
    const star_loss found = lose_on_a_star(members, c2, runs);
    CAPTURE(members);
    CAPTURE(found.requests.mean());
    CHECK(found.requests.agrees_with(srm_member::mean_requests(members, c2)));
    CHECK(found.first.agrees_with(2 + c2 / static_cast<double>(members)));
    CHECK(found.repairs == runs);
}

}  // namespace

TEST_CASE("srm: ids and payloads need nothing but to be copied, and ids to be equal or not") {
    using least = srm<archetype::parcel, archetype::id, given_distances<archetype::id>>;
    struct surroundings : archetype::environment<least>, archetype::loaded_dice {};
    least one{archetype::id::ranked(1)};
    surroundings env;
    env.ports = 1;
    one.start(env);
    CHECK(one.broadcast(archetype::parcel::of(7), env) == answer::accepted);
    one.on(least::data{{archetype::id::ranked(2), {}, 1}, archetype::parcel::of(8)}, port{0}, env);
    one.on(least::repair_request{{archetype::id::ranked(1), {}, 0}, archetype::id::ranked(2)},
           port{0}, env);
    CHECK(env.heard.size() == 2);
    CHECK(one.missing() == 1);
    CHECK(one.kept() == 2);
}

TEST_CASE("srm: nonsense is refused") {
    const auto refuses = [](srm_options how) { CHECK_THROWS_AS(srm_member(1, how), error); };
    refuses({.c1 = -1});
    refuses({.c2 = 1001});
    refuses({.c1 = 0, .c2 = 0});
    refuses({.d1 = NAN});
    refuses({.d2 = -0.5});
    refuses({.members = 0});
    refuses({.window = 0});
    refuses({.window = std::size_t{1} << 20});
    refuses({.interval = 0});
    refuses({.rounds = 0});
    refuses({.rounds = 251});
    refuses({.doublings = 17});
    CHECK_NOTHROW(srm_member(1, {.c1 = 0, .d1 = 1000, .members = 1, .window = 1}));
    CHECK_THROWS_AS(small(1, {.members = 4, .window = 3}), error);
    CHECK_THROWS_AS(small(1, {.members = 3, .window = 4}), error);
    CHECK_NOTHROW(small(1, {.members = 3, .window = 3}));
}

TEST_CASE("srm: of another payload, in the same group, where nothing has happened") {
    const srm_group group{.members = 3, .delay = on_a_chain(9)};
    auto net = group.net();
    cast_from(net, 0, 1);
    static_cast<void>(net.run());
    const srm_member::with_payload<std::string> other{net[1]};
    CHECK(other.id() == 1);
    CHECK(other.distance_to(2) == 9);
    CHECK(other.sources() == 1);
    CHECK(other.kept() == 0);
}

TEST_CASE("srm: on a star, 1 + (G-1)/C2 - C2^-(G-1) requests, the first after C1 + C2/G") {
    CHECK(std::abs(srm_member::mean_requests(5, 2) - 2.94) < 0.005);
    CHECK(std::abs(srm_member::mean_requests(10, 2) - 5.50) < 0.005);
    CHECK(std::abs(srm_member::mean_requests(100, 10) - 10.9) < 0.005);
    meets_the_formulas(5, 2, 400);
    meets_the_formulas(10, 2, 200);
}
TEST_CASE("nightly: srm: on a star, requests as derived, up to 100 members" * doctest::skip()) {
    meets_the_formulas(2, 2, 100);
    meets_the_formulas(5, 2, 40'000);
    meets_the_formulas(5, 7, 40'000);
    meets_the_formulas(10, 2, 20'000);
    meets_the_formulas(100, 10, 2'000);
}
TEST_CASE("srm: without a random part all on a star ask, and together: that is one round") {
    srm_group group{.members = 10, .delay = on_a_star(100),
                    .options = {.c2 = 0, .d1 = 0.5, .d2 = 0, .interval = 100'000}};
    bool deaf = true;
    auto net = group.net([&](std::size_t) { return deaf; });
    cast_from(net, 0, 1);
    deaf = false;
    cast_from(net, 0, 2);
    CHECK(net.run_for(350).messages == 9 * 2 + 9 * 9);
    CHECK(net.watcher().requests.size() == 9);
    deaf = true;
    static_cast<void>(net.run_for(200));
    CHECK(net.watcher().repairs == std::vector<mending::multicast>{{450, 0}});
    deaf = false;
    static_cast<void>(net.run());
    // The second round waits twice as long, not 2^9 times as if each request had doubled it.
    CHECK(net.watcher().requests.size() == 18);
    CHECK(net.watcher().requests[9].at == 300 + 2 * 200);
    CHECK(net.watcher().repairs.size() == 2);
    CHECK(heard(net, 9) == std::vector{2, 1});
}
TEST_CASE("srm: two members, a loss: one request, one repair") {
    const star_loss found = lose_on_a_star(2, 2, 50);
    CHECK(found.requests.mean() == 1);
    CHECK(found.requests.error() == 0);
    CHECK(found.repairs == 50);
}

// The sheet says one request wherever the loss is. Next to the source it is two: the repair takes
// 2d + D1·d from the request, and the second round comes after 2·C1·d.
TEST_CASE("srm: on a chain, C1 = D1 = 1, C2 = D2 = 0: one request, one repair, next to the loss") {
    for (const std::size_t source : {0u, 3u}) {
        for (std::size_t last = source; last < 7; ++last) {
            CAPTURE(last);
            const srm_group group{.members = 8, .delay = on_a_chain(100),
                                  .options = {.c1 = 1, .c2 = 0, .d1 = 1, .d2 = 0}};
            bool lossy = true;
            auto net = group.net([&](std::size_t v) { return lossy && v > last; });
            cast_from(net, source, 1);
            lossy = false;
            cast_from(net, source, 2);
            static_cast<void>(net.run());
            const mending& seen = net.watcher();
            REQUIRE(seen.requests.size() == (last == source ? 2 : 1));
            REQUIRE(seen.repairs.size() == 1);
            for (const mending::multicast& r : seen.requests) CHECK(r.by == last + 1);
            CHECK(seen.repairs[0].by == last);
            for (std::size_t v = 0; v < 8; ++v) CHECK(heard(net, v).size() == 2);
        }
    }
}

TEST_CASE("srm: the source is gone, and any member that has the packet repairs it") {
    srm_group group{.members = 4, .delay = on_a_star(10)};
    std::size_t deaf = 3;
    auto net = group.net([&](std::size_t v) { return v == deaf; });
    cast_from(net, 0, 1);
    deaf = 9;
    static_cast<void>(net.run_for(11));
    net.crash(0);
    static_cast<void>(net.run());   // by the others' session messages it hears that there is one
    CHECK(heard(net, 3) == std::vector{1});
    CHECK(!net.watcher().repairs.empty());
    for (const mending::multicast& r : net.watcher().repairs) CHECK((r.by == 1 || r.by == 2));
}
TEST_CASE("srm: what nobody has any more is missed, after so many rounds of requests") {
    srm_group group{.members = 3, .delay = on_a_star(10), .options = {.rounds = 3}};
    bool lost = true;
    auto net = group.net([&](std::size_t) { return lost; });
    cast_from(net, 0, 1);
    lost = false;
    cast_from(net, 0, 2);
    static_cast<void>(net.run_for(11));
    net.crash(0);
    static_cast<void>(net.run());
    for (const std::size_t v : {1u, 2u}) {
        CHECK(heard(net, v) == std::vector{2});
        CHECK(missed_by(net, v) == 1);
        CHECK(net[v].missing() == 0);
    }
    CHECK(net.watcher().requests.size() >= 3);
    CHECK(net.watcher().requests.size() <= 2 * 3);
}
TEST_CASE("srm: the last packet is lost: a session message tells, also that of another member") {
    for (const bool source_is_gone : {false, true}) {
        srm_group group{.members = 3, .delay = on_a_star(10), .sessions = 2};
        std::size_t deaf = 2;
        auto net = group.net([&](std::size_t v) { return v == deaf; });
        cast_from(net, 0, 1);
        deaf = 9;
        static_cast<void>(net.run_for(500));
        CHECK(heard(net, 2).empty());
        if (source_is_gone) net.crash(0);
        static_cast<void>(net.run());
        CHECK(heard(net, 2) == std::vector{1});
    }
}
TEST_CASE("srm: repairs reach those who lost nothing, too; fewer, if they are spread out more") {
    const auto repairs = [](double d2, std::uint64_t seed) {
        const srm_group group{.members = 10, .delay = on_a_star(50), .options = {.d2 = d2},
                              .seed = seed};
        std::size_t deaf = 4;
        auto net = group.net([&](std::size_t v) { return v == deaf; });
        cast_from(net, 0, 1);
        deaf = 99;
        cast_from(net, 0, 2);
        const report r = net.run();
        for (std::size_t v = 0; v < 10; ++v) CHECK(heard(net, v).size() == 2);
        // Of 9 copies of each one was wanted, of the first that came.
        CHECK(r.by_kind("repair") == 9 * net.watcher().repairs.size());
        return net.watcher().repairs.size();
    };
    CHECK(repairs(1, 1) == 9);   // all before the first has come: they cannot know
    sample_mean spread;
    for (std::uint64_t seed = 1; seed <= 100; ++seed)
        spread.add(static_cast<double>(repairs(10, seed)));
    CHECK(spread.agrees_with(srm_member::mean_requests(10, 10)));
}
TEST_CASE("srm: without loss a broadcast costs n-1, and a session message as much") {
    const srm_group group{.members = 5, .sessions = 2};
    auto net = group.net();
    for (int i = 0; i < 7; ++i) cast_from(net, 2, i);
    const report r = net.run();
    CHECK(r.by_kind("data") == 7 * srm_member::per_broadcast(5).most);
    CHECK(r.by_kind("session") == 5 * 2 * 4);
    CHECK(r.messages == 7 * 4 + 5 * 2 * 4);
    CHECK(r.outcomes == 5 * 7);
}

TEST_CASE("srm: one timer for each packet, from the request to the end of the hold time") {
    desk d{{.group = 10}};
    d.hear_data(1, 1);
    CHECK(d.self.missing() == 1);
    CHECK(d.packet_timers() == 1);
    CHECK(d.due_in(0) == 40);   // (2 + 2) distances
    d.hear(request_message{desk::name(1, 0), 3});
    CHECK(d.due_in(0) == 40);   // twice that; in the first half requests count for nothing
    d.hear(request_message{desk::name(1, 0), 4});
    d.expire(0);
    CHECK(d.due_in(0) == 40);
    CHECK(d.said<request_message>() == 0);
    d.expire(0);
    CHECK(d.said<request_message>() == 1);
    CHECK(d.due_in(0) == 80);   // four times
    CHECK(d.packet_timers() == 1);
    d.hear(repair_message{desk::name(1, 0), 3, 0});
    CHECK(d.told<delivered<int, int>>().size() == 2);
    CHECK(d.due_in(0) == 30);
    d.hear(request_message{desk::name(1, 0), 3});   // sent before the repair came
    CHECK(d.due_in(0) == 30);
    d.expire(0);
    CHECK(d.packet_timers() == 0);
    d.hear(request_message{desk::name(1, 0), 3});
    CHECK(d.due_in(0) == 20);   // (log10 10 + log10 10) distances
    d.hear(request_message{desk::name(1, 0), 4});
    CHECK(d.packet_timers() == 1);
    d.expire(0);
    CHECK(d.said<repair_message>() == 1);
    CHECK(d.due_in(0) == 30);
    d.hear(request_message{desk::name(1, 0), 4});
    CHECK(d.due_in(0) == 30);
    d.expire(0);
    CHECK(d.packet_timers() == 0);
    CHECK(d.said<repair_message>() == 1);
}
TEST_CASE("srm: somebody else repairs it first, and then nobody does for three distances") {
    desk d;
    d.hear_data(1, 0);
    d.hear(request_message{desk::name(1, 0), 3});
    CHECK(d.packet_timers() == 1);
    d.hear(repair_message{desk::name(1, 0), 4, 0});
    CHECK(d.due_in(0) == 30);
    d.expire(0);
    CHECK(d.said<repair_message>() == 0);
    CHECK(d.told<delivered<int, int>>().size() == 1);
    d.hear_data(1, 0);   // a copy
    CHECK(d.packet_timers() == 0);
    CHECK(d.told<delivered<int, int>>().size() == 1);
}
TEST_CASE("srm: the source repairs, and then waits three times as far as the other is away") {
    desk d{{.group = 10}};
    CHECK(d.self.broadcast(5, d) == answer::accepted);
    CHECK(d.told<delivered<int, int>>().size() == 1);
    d.hear(request_message{desk::name(7, 0), 3});
    CHECK(d.due_in(0, 0) == 20);
    d.expire(0, 0);
    CHECK(d.said<repair_message>() == 1);
    CHECK(d.due_in(0, 0) == 30);   // there is no distance from itself
}
TEST_CASE("srm: a request for what it had not heard of counts for its own") {
    desk d;
    d.hear(request_message{desk::name(1, 2), 3});
    CHECK(d.self.missing() == 3);
    CHECK(d.due_in(0) == 40);
    CHECK(d.due_in(1) == 40);
    d.expire(2);   // the first half of 80
    CHECK(d.said<request_message>() == 0);
    CHECK(d.due_in(2) == 40);
    d.expire(1);
    CHECK(d.said<request_message>() == 1);
}
TEST_CASE("srm: the wait doubles so often, and no more; then it is missed, and stays so") {
    desk d{{.c2 = 0, .rounds = 4, .doublings = 2}};
    d.hear_data(1, 1);
    std::vector<ticks> waits;
    for (int i = 0; i < 4; ++i) {
        d.expire(0);
        waits.push_back(d.due_in(0));
        d.expire(0);
        waits.back() += d.due_in(0);
    }
    CHECK(waits == std::vector<ticks>{40, 80, 80, 80});
    CHECK(20 + 40 + 3 * 80 == d.self.settled_after(10));
    // The answer to the last request of all may still come, whoever sent it.
    d.hear(request_message{desk::name(1, 0), 3});
    CHECK(d.missed() == 0);
    d.expire(0);
    CHECK(d.said<request_message>() == 4);
    CHECK(d.missed() == 1);
    CHECK(d.self.missing() == 0);
    CHECK(d.told<missed<int>>()[0].from == 1);
    CHECK(d.packet_timers() == 0);
    d.hear_data(1, 0);
    d.hear(repair_message{desk::name(1, 0), 3, 0});
    d.hear(request_message{desk::name(1, 0), 3});
    CHECK(d.told<delivered<int, int>>().size() == 1);   // whoever was told so has gone on
    CHECK(d.packet_timers() == 0);
}
TEST_CASE("srm: it asks for (c1+c2)·d·(1+2+4+…) ticks at most, and then says that it is missed") {
    const auto longest = [](srm_options how, ticks d) {
        return srm_member{1, how}.settled_after(d);
    };
    CHECK(longest({}, 1) == 4 * (511 + 8 * 256));
    CHECK(longest({.rounds = 1, .doublings = 0}, 7) == 4 * 7 * 2);
    CHECK(longest({.c1 = 0.5, .c2 = 0, .rounds = 2, .doublings = 5}, 10) == 35);
    CHECK(longest({.c1 = 1000, .c2 = 1000, .rounds = 250, .doublings = 16}, never) == never);
    CHECK(longest({}, 0) == longest({}, 1));
    CHECK(longest({.c1 = 0.7, .c2 = 0.1, .rounds = 1, .doublings = 0}, 10) == 2 * (7 + 1));
    CHECK(longest({.c1 = 1, .c2 = 0, .rounds = 1, .doublings = 0}, 1) == 2 * 2);
    CHECK(longest({.c1 = 1000, .c2 = 1000, .rounds = 1, .doublings = 16}, 1 << 30) ==
          (1 + 2) * (ticks{2000} << 30));
    // As long as that, if its dice fall as high as they can, and nobody is heard.
    desk d{{.rounds = 5}};
    d.hear_data(1, 1);
    ticks waited = 0;
    for (int i = 0; d.self.missing() != 0 && i < 99; ++i) {
        waited += d.due_in(0);
        d.expire(0);
    }
    CHECK(d.missed() == 1);
    CHECK(waited == d.self.settled_after(10));
}
TEST_CASE("srm: of a distance less than a tick the waits double, too, if an answer takes longer") {
    bool deaf = true;
    srm_net net{complete{2}, [](node v) {
        return srm_member{static_cast<int>(v), {}, given_distances<>{0}, sessions_after_news{1}};
    }, {.delay = by_hand{[](const hop&, random_source&) { return ticks{25}; }},
        .copies = [&](const hop& h) -> std::size_t { return deaf && h.to.index == 1 ? 0 : 1; }}};
    cast_from(net, 0, 1);
    deaf = false;
    cast_from(net, 0, 2);
    static_cast<void>(net.run());
    CHECK(heard(net, 1) == std::vector{2, 1});
    CHECK(missed_by(net, 1) == 0);
    CHECK(net.watcher().requests.size() <= 6);
}
TEST_CASE("srm: who comes late is delivered what others keep, and told of the rest as missed") {
    srm_group group{.members = 3, .delay = on_a_star(10), .options = {.window = 4}, .sessions = 2};
    std::size_t absent = 2;
    auto net = group.net([&](std::size_t v) { return v == absent; });
    for (int i = 0; i < 10; ++i) cast_from(net, 0, i);
    static_cast<void>(net.run_for(100));
    absent = 9;
    net.crash(0);
    static_cast<void>(net.run());
    std::vector<int> found = heard(net, 2);
    std::sort(found.begin(), found.end());
    CHECK(found == std::vector{6, 7, 8, 9});
    CHECK(missed_by(net, 2) == 6);
}
TEST_CASE("srm: alone it is delivered its own, and asks nobody") {
    const srm_group group{.members = 1, .sessions = 3};
    auto net = group.net();
    cast_from(net, 0, 1);
    const report r = net.run();
    CHECK(heard(net, 0) == std::vector{1});
    CHECK(r.messages == srm_member::per_broadcast(1).most);
    CHECK(srm_member::mean_requests(1, 2) == 0);
}

TEST_CASE("srm: a window of each source: what falls out of it is missed, or no longer repaired") {
    desk d{{.window = 3}};
    d.hear_data(1, 0);
    d.hear_data(1, 3);
    CHECK(d.self.missing() == 2);
    CHECK(d.missed() == 0);
    d.hear_data(1, 4);
    CHECK(d.missed() == 1);
    CHECK(d.self.missing() == 1);
    CHECK(d.packet_timers() == 1);
    d.hear_data(1, 1);   // too late
    CHECK(d.told<delivered<int, int>>().size() == 3);
    d.hear(request_message{desk::name(1, 1), 3});
    CHECK(d.packet_timers() == 1);
    d.hear(request_message{desk::name(1, 3), 3});
    CHECK(d.packet_timers() == 2);
    d.hear_data(1, 107);   // 2, and 5 to 104
    CHECK(d.missed() == 1 + 1 + 100);
    CHECK(d.self.missing() == 2);
    CHECK(d.packet_timers() == 2);
    CHECK(d.self.kept() == 1);
    d.hear_data(2, 10);   // of one that it hears for the first time
    CHECK(d.missed() == 102 + 8);
    CHECK(d.told<missed<int>>().back().from == 2);
}
TEST_CASE("srm: its own window, too: the oldest is dropped, and nobody waits") {
    desk d{{.window = 2}};
    for (int i = 0; i < 5; ++i) CHECK(d.self.broadcast(i, d) == answer::accepted);
    CHECK(d.self.kept() == 2);
    CHECK(d.missed() == 0);
    CHECK(d.told<delivered<int, int>>().size() == 5);
    d.hear(request_message{desk::name(7, 2), 3});
    CHECK(d.packet_timers() == 0);
    d.hear(request_message{desk::name(7, 3), 3});
    CHECK(d.packet_timers() == 1);
}
TEST_CASE("srm: a later life of a source counts anew, and the former one goes on to be repaired") {
    desk d{{.members = 3}};
    d.hear_data(1, 0);
    d.hear_data(1, 0, 1);
    d.hear_data(1, 2, 0);
    CHECK(d.told<delivered<int, int>>().size() == 3);
    CHECK(d.self.sources() == 3);
    CHECK(d.self.missing() == 1);
    // No room for a fourth: a former life makes it, and what is missing of that is missed.
    d.hear_data(2, 0);
    CHECK(d.self.sources() == 3);
    CHECK(d.missed() == 1);
    CHECK(d.packet_timers() == 0);
    CHECK(d.told<delivered<int, int>>().size() == 4);
    CHECK(d.told<overflow>().empty());
    d.hear_data(3, 0);
    d.hear_data(4, 0);
    CHECK(d.told<overflow>().size() == 1);
    CHECK(d.told<overflow>()[0].needed == 4);
    CHECK(d.told<delivered<int, int>>().size() == 4);
    d.hear_data(2, 0, 1);
    CHECK(d.told<delivered<int, int>>().size() == 5);
    CHECK(d.self.sources() == 3);
}
// Others may have more room: their session messages name what was forgotten here.
TEST_CASE("srm: a former life that was forgotten stays so: nothing of it is delivered twice") {
    desk d{{.members = 4}};
    d.hear_data(1, 0);
    d.hear_data(1, 0, 1);
    d.hear_data(2, 0);
    d.hear_data(2, 0, 1);   // takes the place of the first life of 1; that of 2 is still there
    CHECK(d.told<delivered<int, int>>().size() == 4);
    d.hear(session_message{3, {}, {{1, {}, 1}}});
    d.hear_data(1, 0);
    CHECK(d.told<delivered<int, int>>().size() == 4);
    CHECK(d.self.missing() == 0);
    CHECK(d.told<overflow>().empty());
    d.hear_data(2, 1);
    CHECK(d.told<delivered<int, int>>().size() == 5);
    d.hear_data(3, 0);   // and now the other one goes
    CHECK(d.told<delivered<int, int>>().size() == 6);
    d.hear_data(2, 0);
    CHECK(d.told<delivered<int, int>>().size() == 6);
    CHECK(d.told<overflow>().empty());
}
TEST_CASE("srm: back from a crash it sends under a new name, and is delivered what others keep") {
    srm_group group{.members = 3, .delay = on_a_star(10), .sessions = 3};
    auto net = group.net();
    cast_from(net, 0, 1);
    cast_from(net, 1, 2);
    static_cast<void>(net.run_for(11));
    net.crash(1);
    net.restart(1);
    CHECK(net[1].life() == incarnation{1});
    cast_from(net, 1, 3);
    static_cast<void>(net.run());
    CHECK(heard(net, 0) == std::vector{1, 2, 3});
    CHECK(heard(net, 2) == std::vector{1, 2, 3});
    std::vector<int> both_lives = heard(net, 1);
    std::sort(both_lives.begin(), both_lives.end());
    CHECK(both_lives == std::vector{1, 1, 2, 2, 3});
    CHECK(net[0].sources() == 3);
}
TEST_CASE("srm: an incarnation used twice shows where others have what this life has not sent") {
    desk d;
    CHECK(d.self.broadcast(1, d) == answer::accepted);
    d.hear(session_message{3, {}, {{7, {}, 1}}});
    CHECK(d.told<reused_life>().empty());
    d.hear(session_message{3, {}, {{7, {}, 2}}});
    d.hear_data(7, 1);
    CHECK(d.told<reused_life>().size() == 1);
    CHECK(d.told<delivered<int, int>>().size() == 1);
    CHECK(d.packet_timers() == 0);
}

TEST_CASE("srm: session messages name all that is known, one in each interval") {
    desk d{{.interval = 77}, 2};
    CHECK(d.armed.empty());   // nothing is new yet
    d.hear_data(1, 4);
    REQUIRE(d.armed.size() == 4 + 1);
    CHECK(d.armed.back().delay == 77);
    d.self.on(srm_member::session_due{}, d);
    CHECK(d.said<session_message>() == 1);
    const auto& said = std::get<session_message>(d.outbox.back().message);
    CHECK(said.from == 7);
    REQUIRE(said.states.size() == 1);
    CHECK(said.states[0].source == 1);
    CHECK(said.states[0].end == 5);
    d.armed.clear();
    d.self.on(srm_member::session_due{}, d);
    CHECK(d.armed.empty());   // that was the second
    CHECK(d.self.broadcast(1, d) == answer::accepted);
    CHECK(d.armed.size() == 1);
    d.hear(session_message{3, {}, {{1, {}, 6}, {9, {}, 0}, {1, {}, 3}}});
    CHECK(d.self.missing() == 5);
    CHECK(d.self.sources() == 2);   // of 9 there is nothing
    desk silent{{}, 0};
    CHECK(silent.self.broadcast(1, silent) == answer::accepted);
    CHECK(silent.armed.empty());
    d.hear(session_message{7, {}, {{1, {}, 9}}});   // in its own name
    CHECK(d.self.missing() == 5);
}
TEST_CASE("srm: numbers that nobody reaches are not believed") {
    desk d;
    d.hear_data(1, std::uint64_t{1} << 62);
    d.hear_data(1, ~std::uint64_t{0});
    d.hear(session_message{3, {}, {{1, {}, ~std::uint64_t{0}}}});
    CHECK(d.self.sources() == 1);
    d.hear_data(1, (std::uint64_t{1} << 62) - 1);
    CHECK(d.self.sources() == 2);
    CHECK(d.missed() == (std::uint64_t{1} << 62) - 64);
    d.self.on(srm_member::packet_due{5, 0}, d);   // timers of nothing
    d.self.on(srm_member::packet_due{1, 7}, d);
    CHECK(d.said<request_message>() == 0);
}

TEST_CASE("srm: distances are measured: half of the round trip, whatever the clocks say") {
    using member = srm<int, int, sessions_after_news>;
    events net{complete{3}, [](node v) { return member{static_cast<int>(v)}; },
               {.delay = by_hand{[](const hop& h, random_source&) {
                    return on_a_chain(30)(h.from.index, h.to.index);
                }}}};
    static_cast<void>(net.call(0, request::broadcast<int>{1}));
    CHECK(net[0].distance_to(2) == 10);   // of the unknown
    static_cast<void>(net.run());
    for (std::size_t v = 0; v < 3; ++v)
        for (std::size_t u = 0; u < 3; ++u)
            if (u != v)
                CHECK(net[v].distance_to(static_cast<int>(u)) == on_a_chain(30)(u, v));
}

TEST_CASE("srm: wild messages break nothing, and cost no memory") {
    disturb(150, wild_networks, [](std::size_t, int id, const auto&) {
        return srm_member{id, {.members = 5, .window = 4, .interval = 20, .rounds = 3},
                          given_distances<>{2}, sessions_after_news{2}};
    }, [](auto& net) {
        for (std::size_t v = 0; v < net.nodes(); ++v) {
            CHECK(net[v].sources() <= 5);
            CHECK(net[v].kept() + net[v].missing() <= 5 * 4);
        }
    });
}
