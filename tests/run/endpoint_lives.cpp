// SPDX-License-Identifier: MIT
// What happens to a process that is killed and run again, and to one that is set up wrongly.
#define CAUCUS_ASSERT(condition) static_cast<void>(condition)   // as in a release build
#include <caucus/run/endpoint.hpp>

#include <caucus/detector/heartbeat.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/layer/supervised.hpp>

#include <doctest/doctest.h>

#include "../laws/topology.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace caucus;
using laws::refusal;

namespace {

/// Endpoints over links that take one tick, each of which can be killed and run anew.
template <class P>
class cluster {
public:
    struct wires {
        static constexpr caucus::guarantee guarantees = perfect_links;
        std::size_t degree() const { return net->size() - 1; }
        void send(port p, const typename P::message& m) {
            const std::size_t to = (self + 1 + p.index()) % net->size();
            net->under_way_.push_back({to, port{net->size() - 2 - p.index()}, m});
        }
        cluster* net;
        std::size_t self;
    };
    struct ear {
        void report(const typename P::outcome& o) { heard.push_back(o); }
        std::vector<typename P::outcome> heard = {};
    };
    struct disk {
        void keep(const kept_by<P>& value) { last = value; }
        std::optional<kept_by<P>> last = {};
    };
    struct seat {
        wires channel;
        ear listener{};
        disk memory{};
        std::unique_ptr<endpoint<P, wires, cluster, ear, disk>> self{};
    };

    cluster(std::size_t nodes, std::function<P(std::size_t)> make) : make_(std::move(make)) {
        for (std::size_t v = 0; v < nodes; ++v) seats_.push_back({{this, v}});
    }
    std::size_t size() const { return seats_.size(); }
    ticks now() const { return time_; }
    seat& operator[](std::size_t v) { return seats_[v]; }

    auto& run(std::size_t v) {
        seat& s = seats_[v];
        s.self = std::make_unique<endpoint<P, wires, cluster, ear, disk>>(
            make_(v), s.channel, *this, s.listener, s.memory);
        return *s.self;
    }
    void kill(std::size_t v) { seats_[v].self.reset(); }

    void pass(ticks duration) {
        for (; duration != 0; --duration) {
            ++time_;
            for (const letter& l : std::exchange(under_way_, {}))
                if (seats_[l.to].self) seats_[l.to].self->receive(l.at, l.content);
            for (seat& s : seats_)
                if (s.self) s.self->advance();
        }
    }

private:
    struct letter {
        std::size_t to;
        port at;
        typename P::message content;
    };

    std::function<P(std::size_t)> make_;
    std::vector<seat> seats_;
    std::vector<letter> under_way_;
    ticks time_ = 0;
};

struct two_wires {
    static constexpr caucus::guarantee guarantees = perfect_links;
    static std::size_t degree() { return 2; }
    void send(port, const auto&) {}
};

std::vector<int> others(std::size_t v, std::size_t nodes) {
    std::vector<int> ids;
    for (std::size_t p = 1; p < nodes; ++p) ids.push_back(static_cast<int>((v + p) % nodes));
    return ids;
}

/// Has no ear for `recovered`, and says so when it is started.
struct forgetful {
    using message = nothing;
    using timer = nothing;
    using outcome = int;
    static void start(auto& env) { env.report(1); }
};

/// Says what it is told of whom.
struct hears {
    using message = nothing;
    using timer = nothing;
    using outcome = std::pair<bool, std::optional<incarnation>>;
    static void start(auto&) {}
    static void on(suspect s, auto& env) { env.report(outcome{true, s.life}); }
    static void on(trust t, auto& env) { env.report(outcome{false, t.life}); }
};

/// The reigns of its own that a node has told of.
template <class Outcomes>
std::vector<caucus::epoch<int>> own_reigns(const Outcomes& heard, int id) {
    std::vector<caucus::epoch<int>> told;
    for (const auto& each : heard)
        if (const auto* i = std::get_if<installed<int>>(&each); i && i->epoch.leader == id)
            told.push_back(i->epoch);
    return told;
}

}  // namespace

TEST_CASE("endpoint: after kill -9, begin makes a reign of its own; start would tell an old one") {
    using process = supervised<extinction<int>>;
    const auto make = [](std::size_t v) {
        return process{extinction{static_cast<int>(v)}, {.beat = 20}};
    };
    const auto reigns_of_the_last = [&](bool begins) {
        cluster<process> net{3, make};
        for (std::size_t v = 0; v < 3; ++v) net.run(v).begin({});
        net.pass(500);
        REQUIRE(net[2].self->process().is_leader());
        for (std::size_t v = 0; v < 3; ++v) net.kill(v);   // the whole cluster, as a power cut does
        net.pass(5);
        for (std::size_t v = 0; v < 3; ++v) {
            auto& again = net.run(v);
            if (begins) again.begin({1});
            else again.start();
        }
        net.pass(1000);
        REQUIRE(net[2].self->process().is_leader());
        return own_reigns(net[2].listener.heard, 2);
    };
    const auto mistaken = reigns_of_the_last(false);
    REQUIRE(mistaken.size() == 2);
    CHECK(mistaken[0] == mistaken[1]);
    const auto right = reigns_of_the_last(true);
    REQUIRE(right.size() == 2);
    CHECK(right[0] < right[1]);
}

TEST_CASE("endpoint: after kill -9, reliable goes on after begin, and says what start has done") {
    using process = reliable<extinction<int>>;
    const auto make = [](std::size_t v) { return reliable{extinction{static_cast<int>(v)}}; };
    const auto after_a_kill = [&](bool begins) {
        cluster<process> net{2, make};
        for (std::size_t v = 0; v < 2; ++v) net.run(v).begin({});
        net.pass(100);
        CHECK(net[0].self->process().leader() == 1);
        net.kill(0);
        auto& again = net.run(0);
        if (begins) again.begin({1});
        again.start();
        net.pass(1000);
        std::size_t told = 0;
        for (std::size_t v = 0; v < 2; ++v)
            for (const auto& each : net[v].listener.heard)
                told += std::holds_alternative<reused_life>(each);
        return told;
    };
    CHECK(after_a_kill(false) == 2);
    CHECK(after_a_kill(true) == 0);
}

TEST_CASE("endpoint: one without an ear for its lives is started in each, inside layers too") {
    const auto starts_in_life = [](std::uint32_t life, auto around) {
        two_wires channel;
        struct {
            static ticks now() { return 0; }
        } clock;
        int starts = 0;
        const auto listener = [&](const auto&) { ++starts; };
        endpoint self{around(forgetful{}), channel, clock, listener};
        self.begin({life});
        return starts;
    };
    const auto bare = [](auto p) { return p; };
    const auto watched = [](auto p) { return heartbeat{p}; };
    const auto reliably = [](auto p) { return reliable{heartbeat{p}}; };
    for (const std::uint32_t life : {0u, 1u, 2u}) {
        CHECK(starts_in_life(life, bare) == 1);
        CHECK(starts_in_life(life, watched) == 1);
        CHECK(starts_in_life(life, reliably) == 1);
    }
    static_assert(goes_on_after_a_crash<supervised<extinction<int>>>);
    static_assert(!goes_on_after_a_crash<reliable<heartbeat<forgetful>>>);
}

TEST_CASE("endpoint: a majority's node does not come back without its vote") {
    using process = supervised<bully<int>, majority>;
    const auto make = [](std::size_t v) {
        return process{bully{static_cast<int>(v), others(v, 3)}, {.beat = 20}, majority{}};
    };
    cluster<process> net{3, make};
    for (std::size_t v = 0; v < 3; ++v) net.run(v).begin({});
    net.pass(500);
    REQUIRE(net[0].memory.last);
    net.kill(0);
    CHECK(refusal([&] { net.run(0).begin({1}); }) ==
          "endpoint: the process keeps something: in life 1 begin(life, kept) must say what, "
          "or std::nullopt if that was nothing yet");
    net.run(0).begin({1}, net[0].memory.last);
    net.pass(500);
    CHECK(net[0].self->process().leader() == 2);
}

TEST_CASE("endpoint: what is set up wrongly is refused before anything is sent, by name") {
    two_wires channel;
    struct { ticks now() const { return 0; } } clock;
    const auto listener = [](const auto&) {};
    const auto refused = [&](auto process) {
        return refusal([&] { endpoint self{process, channel, clock, listener}; });
    };
    CHECK(refused(bully{1, std::vector{2, 3}}) == "not refused");
    CHECK(refused(bully{1, std::vector{2, 1}}) == "endpoint: its own id is among its peers");
    CHECK(refused(bully{1, std::vector{2, 2}}) == "endpoint: two of its peers have the same id");
    CHECK(refused(bully{1, std::vector{2, 3, 4}}) ==
          "endpoint: it knows more peers, or fewer, than it has ports");
    CHECK(refused(supervised{bully{1, std::vector{2, 1}}}) ==
          "endpoint: its own id is among its peers");
    const bully fine{1, std::vector{2, 3}};
    CHECK(refused(supervised{fine, {.beat = 10, .timeout = 11}}) == "not refused");
    CHECK(refused(supervised{fine, {.beat = 10, .timeout = 10}}) ==
          "endpoint: supervised: the timeout is not longer than the beat: all would be suspected");
    CHECK(refused(reliable{bully{1, std::vector{2}}}) ==
          "endpoint: it knows more peers, or fewer, than it has ports");
}

TEST_CASE("endpoint: the detector's words may name the life they speak of") {
    cluster<hears> net{3, [](std::size_t) { return hears{}; }};
    auto& self = net.run(0);
    self.suspect(port{0});
    self.suspect(port{0}, ticks{5});
    self.suspect(port{1}, incarnation{2});
    self.trust(port{1}, incarnation{3}, 6);
    self.trust(port{1});
    self.trust(port{1}, ticks{7});
    self.suspect(port{2}, incarnation{1});   // nobody is there
    self.trust(port{2}, incarnation{1});
    const std::vector<hears::outcome> expected{{true, {}}, {true, {}}, {true, incarnation{2}},
                                               {false, incarnation{3}}, {false, {}}, {false, {}}};
    CHECK(net[0].listener.heard == expected);
}
