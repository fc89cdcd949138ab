// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/state_space.hpp>

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/exploration/handlers.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

using namespace caucus;
using namespace caucus::exploration;

namespace {

using candidate = chang_roberts<int>;
using state = state_space::state;

handlers<candidate> candidates{[](node v) { return candidate{9 - static_cast<int>(v.index)}; }};
handlers<candidate> twins{[](node) { return candidate{1}; }};

state_space on_ring(std::size_t n, handler_memo& known = candidates) {
    return {wiring{ring{n}}, {}, known};
}

/// Sends two messages and arms two timers.
struct waiter {
    using message = int;
    using timer = char;
    using outcome = nothing;
    int none = 0;
    void start(auto& env) {
        for (const int m : {8, 7}) env.send(next, m);
        for (const char t : {'a', 'b'}) env.arm(t, 1);
    }
    void on(int, port, auto&) {}
    void on(char, auto&) {}
};

/// A user's ring: arc v leads to node v.
struct numbered_by_far_end : ring {
    using ring::ring;
    std::size_t arc(node v, port p) const { return across(v, p).node; }
};

}  // namespace

TEST_CASE("state_space: a process a node, a content an arc, a fate; alarms if there are timers") {
    const state_space w = on_ring(3);
    CHECK(w.nodes() == 3);
    CHECK(w.arcs() == 3);
    CHECK(w.width() == 3 + 3 + 1);
    CHECK(w.end_of(2) == far_end{node{0}, prev});
    CHECK(w.origin_of(2) == far_end{node{2}, next});
}

TEST_CASE("state_space: shows to properties what its numbers stand for") {
    handlers<waiter> waiters{[](node) { return waiter{}; }};
    state_space w{wiring{ring{2}}, {}, waiters};
    const surroundings& shown = w;
    state s(w.width(), 0);
    s.back() = w.fates().index_of({.alive = 0b11});
    s[0] = s[1] = waiters.made(node{0});
    const auto& started = *waiters.endings(s[1], 1, {stimulus::kind::start}, true);
    REQUIRE(w.apply(started[0], started[0].effects.size(), 1, s, true));
    CHECK(shown.messages_in(s[2]).empty());
    REQUIRE(shown.messages_in(s[3]).size() == 2);
    CHECK(waiters.values().messages[shown.messages_in(s[3])[0]] == 8);
    CHECK(waiters.values().messages[shown.messages_in(s[3])[1]] == 7);
    CHECK(shown.timers_in(s[4]) == 0);
    REQUIRE(shown.timers_in(s[5]) == 2);
    CHECK(waiters.values().timer_values[shown.timer_in(s[5], 1)] == 'b');
    CHECK(shown.sender(1) == far_end{node{1}, next});
    CHECK(shown.addressee(1) == far_end{node{0}, prev});
}

TEST_CASE("state_space: rings are rings, and nothing else is") {
    CHECK(on_ring(3).is_a_ring());
    CHECK(state_space{wiring{two_way_ring{4}}, {}, candidates}.is_a_ring());
    CHECK_FALSE(state_space{wiring{path{3}}, {}, candidates}.is_a_ring());
}

TEST_CASE("state_space: a ring whose arcs are numbered by their far ends is rotated as none") {
    const state_space w{wiring{numbered_by_far_end{3}}, {}, candidates};
    CHECK(w.end_of(2) == far_end{node{2}, prev});
    CHECK(w.origin_of(2) == far_end{node{1}, next});
    // Rotated by arc, what node 1 has sent would be found where node 2 sends.
    CHECK_FALSE(w.is_a_ring());
}

TEST_CASE("state_space: a ring is rotated to its least row, the same for all rotations of a row") {
    state_space w = on_ring(4, twins);
    CHECK(w.all_made_equal());
    CHECK_FALSE(on_ring(4).all_made_equal());
    state s(w.width(), 0);
    for (std::uint32_t v = 0; v < 4; ++v) s[v] = (v * 2 + 1) % 4;
    for (std::uint32_t a = 0; a < 4; ++a) s[4 + a] = a == 2 ? 1 : 0;
    state least = s;
    w.rotate_to_least(least);
    for (std::size_t shift = 0; shift < 4; ++shift) {
        state rotated = s;
        for (std::size_t v = 0; v < 4; ++v) {
            rotated[v] = s[(v + shift) % 4];
            rotated[4 + v] = s[4 + (v + shift) % 4];
        }
        const std::size_t back = w.rotate_to_least(rotated);
        CHECK(rotated == least);
        CHECK(rotated[0] == s[(back + shift) % 4]);
    }
}

TEST_CASE("state_space: what belongs to no node decides nothing when all else is symmetric") {
    const state_space w = on_ring(4, twins);
    state s(w.width() + 3, 0);    // what stands behind the row would be less than the fate
    s[w.width() - 1] = 5;
    const state before = s;
    CHECK(w.rotate_to_least(s) == 0);
    CHECK(s == before);
}

TEST_CASE("state_space: more nodes than bits are refused") {
    CHECK_THROWS_WITH(on_ring(65), "explore: 65 nodes, and 64 at most");
}
