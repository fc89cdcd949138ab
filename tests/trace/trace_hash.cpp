// SPDX-License-Identifier: MIT
#include <caucus/trace/trace_hash.hpp>

#include <doctest/doctest.h>

#include "../run/subjects.hpp"

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/ring.hpp>

#include <cstdint>
#include <set>
#include <variant>

using namespace caucus;
using subjects::diary;

namespace {

struct yes { int number = 0; };
struct no { int number = 0; };
struct bare {};
struct naked {};

constexpr std::uint64_t hash_of(auto observe) {
    trace_hash h;
    observe(h);
    return h.value();
}

template <class... Observations>
std::size_t different(Observations... observe) {
    return std::set<std::uint64_t>{hash_of(observe)...}.size();
}

}  // namespace

static_assert(hash_of([](trace_hash&) {}) == 0);
static_assert(hash_of([](trace_hash& h) { h.sent(1, node{0}, next, yes{1}); }) ==
              hash_of([](trace_hash& h) { h.sent(1, node{0}, next, yes{1}); }));

TEST_CASE("trace_hash: every part of an observation counts") {
    CHECK(different([](auto& h) { h.sent(1, node{0}, next, yes{1}); },
                    [](auto& h) { h.sent(2, node{0}, next, yes{1}); },
                    [](auto& h) { h.sent(1, node{1}, next, yes{1}); },
                    [](auto& h) { h.sent(1, node{0}, prev, yes{1}); },
                    [](auto& h) { h.sent(1, node{0}, next, yes{2}); },
                    [](auto& h) { h.sent(1, node{0}, next, no{1}); }) == 6);
    CHECK(different([](auto& h) { h.armed(1, node{0}, yes{1}, 5); },
                    [](auto& h) { h.armed(1, node{0}, yes{1}, 6); },
                    [](auto& h) { h.armed(1, node{0}, yes{2}, 5); },
                    [](auto& h) { h.disarmed(1, node{0}, yes{1}); },
                    [](auto& h) { h.disarmed(1, node{0}, yes{2}); },
                    [](auto& h) { h.reported(1, node{0}, yes{1}); },
                    [](auto& h) { h.reported(1, node{0}, yes{2}); },
                    [](auto& h) { h.handled(1, node{0}, yes{1}); },
                    [](auto&) {}) == 9);
}

TEST_CASE("trace_hash: inputs and messages without fields are told apart by name") {
    CHECK(different([](auto& h) { h.sent(1, node{0}, next, bare{}); },
                    [](auto& h) { h.sent(1, node{0}, next, naked{}); }) == 2);
    CHECK(different([](auto& h) { h.handled(1, node{0}, request::start{}); },
                    [](auto& h) { h.handled(1, node{0}, bare{}); },
                    [](auto& h) { h.handled(1, node{0}, suspect{port{0}}); },
                    [](auto& h) { h.handled(1, node{0}, trust{port{0}}); },
                    [](auto& h) { h.handled(1, node{0}, suspect{port{1}}); }) == 5);
}

TEST_CASE("trace_hash: a node's own order counts, the order between nodes does not") {
    const auto first = [](auto& h) { h.sent(1, node{0}, next, yes{1}); };
    const auto second = [](auto& h) { h.sent(1, node{0}, next, yes{2}); };
    const auto elsewhere = [](auto& h) { h.sent(1, node{5}, next, yes{2}); };
    CHECK(different([=](auto& h) { first(h), second(h); },
                    [=](auto& h) { second(h), first(h); }) == 2);
    CHECK(different([=](auto& h) { first(h), elsewhere(h); },
                    [=](auto& h) { elsewhere(h), first(h); }) == 1);
}

TEST_CASE("trace_hash: swapping what two nodes did is another run") {
    CHECK(different([](auto& h) { h.reported(1, node{0}, yes{1}), h.reported(1, node{1}, yes{2}); },
                    [](auto& h) { h.reported(1, node{0}, yes{2}), h.reported(1, node{1}, yes{1}); })
          == 2);
}

TEST_CASE("trace_hash: equal runs have equal hashes, another message, delay or order another one") {
    const auto run_of = [](std::vector<diary::act> script, ticks delay) {
        events net{complete{3}, [&](node) { return diary{script}; },
                   {.delay = by_hand{[=](const hop&, random_source&) { return delay; }}},
                   trace_hash{}};
        net.start(0);
        net.run();
        return net.watcher().value();
    };
    const std::vector<diary::act> script{{0, 1}, {1, 2}, {-1, 3, 5}};
    CHECK(run_of(script, 2) == run_of(script, 2));
    std::set<std::uint64_t> hashes{run_of(script, 2), run_of(script, 3)};
    hashes.insert(run_of({{0, 7}, {1, 2}, {-1, 3, 5}}, 2));   // another message
    hashes.insert(run_of({{1, 2}, {0, 1}, {-1, 3, 5}}, 2));   // another order
    hashes.insert(run_of({{0, 1}, {1, 2}, {-1, 3, 6}}, 2));   // another delay of the timer
    hashes.insert(run_of({{0, 1}, {1, 2}, {-1, 4, 5}}, 2));   // another timer
    hashes.insert(run_of({{0, 1}, {1, 2}}, 2));               // none
    CHECK(hashes.size() == 7);
}

TEST_CASE("trace_hash: watching changes nothing") {
    const auto make = [](node v) { return chang_roberts{v.index * 7 % 5}; };
    rounds seen{ring{5}, make, {}, trace_hash{}};
    rounds unseen{ring{5}, make};
    seen.start_all();
    unseen.start_all();
    CHECK(subjects::same_counts(seen.run(), unseen.run()));
}
