// SPDX-License-Identifier: MIT
#include <caucus/run/simulation/detection.hpp>

#include "../../laws/topology.hpp"

#include <caucus/core/random.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

using namespace caucus;

namespace {

/// Talks, and says what it is told of its neighbours.
struct gossip {
    struct chat {};
    struct told { bool suspected; std::size_t whom; std::optional<incarnation> life{}; };
    struct heard { std::size_t whom; };
    using message = chat;
    using timer = nothing;
    using outcome = std::variant<told, heard>;

    void start(auto& env) { env.broadcast(chat{}); }
    void on(chat, port from, auto& env) { env.report(outcome{heard{from}}); }
    void on(suspect s, auto& env) { env.report(outcome{told{true, s.whom, s.life}}); }
    void on(trust t, auto& env) { env.report(outcome{told{false, t.whom, t.life}}); }
};
const auto make = [](node) { return gossip{}; };

struct word {
    ticks at;
    std::size_t node;
    bool suspected;
    std::size_t whom;
    friend bool operator==(const word&, const word&) = default;
};
std::vector<word> words_in(const auto& net) {
    std::vector<word> all_words;
    for (const auto& r : net.outcomes())
        if (const auto* t = std::get_if<gossip::told>(&r.outcome))
            all_words.push_back({r.at, r.node, t->suspected, t->whom});
    return all_words;
}

/// Which lives node v was told of, in order: suspected ones as -1 - life.
std::vector<int> lives_told(const auto& net, std::size_t v) {
    std::vector<int> all_lives;
    for (const auto& r : net.outcomes())
        if (const auto* t = std::get_if<gossip::told>(&r.outcome); t != nullptr && r.node == v) {
            REQUIRE(t->life);
            const int life = static_cast<int>(t->life->number);
            all_lives.push_back(t->suspected ? -1 - life : life);
        }
    return all_lives;
}

}  // namespace

TEST_CASE("perfect: every neighbour of the crashed is told once, after the delay; then trusts it") {
    events net{complete{3}, make, {.faults = fault_plan{}.crash(1, 10).restart(1, 50),
                                   .detector = perfect{5}}};
    static_cast<void>(net.run());
    CHECK(words_in(net) == std::vector<word>{{15, 0, true, 0}, {15, 2, true, 1},
                                             {55, 0, false, 0}, {55, 2, false, 1}});
}

TEST_CASE("perfect, eventual: a delay of 0 is one tick: nobody knows of a crash while it happens") {
    for (const detector_model& detector :
         {detector_model{eventual{.delay = 0, .wrong = 0}}, detector_model{perfect{.delay = 0}},
          detector_model{eventual{.delay = 1, .wrong = 0}}}) {
        events net{complete{3}, make, {.faults = fault_plan{}.crash(1, 10).restart(1, 50),
                                       .detector = detector}};
        static_cast<void>(net.run());
        CHECK(words_in(net) == std::vector<word>{{11, 0, true, 0}, {11, 2, true, 1},
                                                 {51, 0, false, 0}, {51, 2, false, 1}});
        events by_hand_too{complete{3}, make, {.detector = detector}};
        by_hand_too.run_for(10);
        by_hand_too.crash(1);
        by_hand_too.run_for(1);
        CHECK(words_in(by_hand_too) == std::vector<word>{{11, 0, true, 0}, {11, 2, true, 1}});
    }
}

TEST_CASE("eventual: what makes no sense is refused") {
    const auto with = [](eventual e) {
        return laws::refusal([&] { events{complete{3}, make, {.detector = e}}; });
    };
    CHECK(with({1, 10, 1}) == "eventual: wrong until 1; need 2 at least, and some time an end");
    CHECK(with({1, 10, 0}) == "eventual: wrong until 0; need 2 at least, and some time an end");
    CHECK(with({1, 1, never}) == "eventual: wrong until 18446744073709551615; need 2 at least, and "
                                 "some time an end");
    CHECK(with({1, 1'000'001, 1000}) == "eventual: 1000001 wrong suspicions; a million at most");
    CHECK(with({1, 0, 0}) == "not refused");   // never wrong
    CHECK(with({1, 10, 2}) == "not refused");
}

TEST_CASE("perfect: nobody is suspected before its last message has arrived") {
    events net{complete{3}, make, {.delay = uniform{20, 40}, .detector = perfect{5}}};
    net.start(1);
    net.run_for(2);
    net.crash(1);
    static_cast<void>(net.run());
    ticks last_heard[3] = {};
    for (const auto& r : net.outcomes())
        if (std::holds_alternative<gossip::heard>(r.outcome)) last_heard[r.node] = r.at;
    const std::vector<word> told = words_in(net);
    REQUIRE(told.size() == 2);
    for (const word& w : told) CHECK(w.at == last_heard[w.node] + 5);
}

TEST_CASE("perfect: a quick restart goes unnoticed, and a returning observer is told of the dead") {
    events net{complete{3}, make, {.faults = fault_plan{}.crash(0, 10).restart(0, 12)
                                                 .crash(1, 20).crash(2, 30).restart(2, 40),
                                   .detector = perfect{5}}};
    static_cast<void>(net.run());
    CHECK(words_in(net) == std::vector<word>{{25, 0, true, 0}, {25, 2, true, 1}, {35, 0, true, 1},
                                             {45, 0, false, 1}, {45, 2, true, 1}});
}

TEST_CASE("perfect: who has returned is dead again only when its last words have arrived") {
    // Its first death was to be told at 12, when it is dead again and has just spoken.
    events net{complete{2}, make, {.delay = uniform{40, 40},
                                   .faults = fault_plan{}.crash(1, 2).restart(1, 4).crash(1, 8),
                                   .detector = perfect{10}}};
    net.run_for(5);
    net.start(1);
    static_cast<void>(net.run());
    CHECK(words_in(net) == std::vector<word>{{55, 0, true, 0}});
    CHECK(net.outcomes()[0].at == 45);   // heard
}

TEST_CASE("perfect: a second death is told in its own time, not in that of the first") {
    events net{complete{2}, make, {.faults = fault_plan{}.crash(1, 2).restart(1, 4).crash(1, 8),
                                   .detector = perfect{10}}};
    static_cast<void>(net.run());
    CHECK(words_in(net) == std::vector<word>{{18, 0, true, 0}});
}

TEST_CASE("perfect: who dies again before its return was told is said to have been back") {
    // Without the trust the second death would be no news, and what it said meanwhile would count.
    events net{complete{2}, make, {.faults = fault_plan{}.crash(1, 2).restart(1, 20).crash(1, 25),
                                   .detector = perfect{10}}};
    static_cast<void>(net.run());
    CHECK(words_in(net) ==
          std::vector<word>{{12, 0, true, 0}, {35, 0, false, 0}, {35, 0, true, 0}});
}

TEST_CASE("perfect: a paused node hears it when it wakes up") {
    events net{complete{2}, make, {.faults = fault_plan{}.pause(0, 5, 100).crash(1, 10),
                                   .detector = perfect{5}}};
    const report r = net.run();
    CHECK(r.stopped == stop::quiescent);
    CHECK(words_in(net) == std::vector<word>{{100, 0, true, 0}});
}

TEST_CASE("perfect: on a one-way ring whoever sends to the dead is told") {
    events net{ring{3}, make, {.faults = fault_plan{}.crash(1, 10), .detector = perfect{2}}};
    static_cast<void>(net.run());
    CHECK(words_in(net) == std::vector<word>{{12, 0, true, 0}});
}

TEST_CASE("eventual: wrong as often as it may be, in time put right; words alternate") {
    std::size_t wrong = 0;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        events net{complete{4}, make, {.seed = seed, .faults = fault_plan{}.crash(3, 500),
                                       .detector = eventual{5, 20, 1000}}};
        static_cast<void>(net.run());
        bool suspected[4][3] = {};
        for (const word& w : words_in(net)) {
            CHECK(suspected[w.node][w.whom] != w.suspected);
            suspected[w.node][w.whom] = w.suspected;
            const bool of_the_dead = complete{4}.across(node{w.node}, port{w.whom}).node == node{3};
            wrong += w.suspected && !of_the_dead;
            CHECK(w.at <= 1000);
        }
        for (std::size_t v = 0; v < 3; ++v)
            for (const port p : ports(3))
                CHECK(suspected[v][p] == (complete{4}.across(node{v}, p).node == node{3}));
    }
    CHECK(wrong > 400);   // of 1,000: many fall on the dead, the suspected, or come from the dead
}

TEST_CASE("eventual: put right in time, whoever pauses, crashes and returns meanwhile") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        fault_plan plan;
        for (std::size_t v = 0; v < 3; ++v) {
            const ticks from = mix(seed, v) % 20;
            plan.pause(v, from, from + 1 + mix(seed, v + 10) % 20);
            if (mix(seed, v + 20) % 2 == 0) plan.crash(v, from + 1).restart(v, from + 3);
        }
        events net{complete{3}, make, {.seed = seed, .faults = plan,
                                       .detector = eventual{1, 40, 40}}};
        static_cast<void>(net.run());
        bool suspected[3][2] = {};
        for (const word& w : words_in(net)) suspected[w.node][w.whom] = w.suspected;
        // A restarted node begins with trust in all, without a word.
        for (std::size_t v = 0; v < 3; ++v)
            for (const port p : ports(2))
                if (net.incarnation(v) == incarnation{}) CHECK_FALSE(suspected[v][p]);
    }
}

TEST_CASE("eventual: who wakes up at the tick of the trust hears of the suspicion before it") {
    std::size_t woken = 0;
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        CAPTURE(seed);
        events net{complete{2}, make, {.seed = seed, .faults = fault_plan{}.pause(0, 1, 20),
                                       .detector = eventual{1, 1, 21}}};
        static_cast<void>(net.run());
        const std::vector<word> said = words_in(net);
        CHECK(said.size() % 2 == 0);
        for (std::size_t i = 0; i < said.size(); ++i) CHECK(said[i].suspected == (i % 2 == 0));
        woken += said.size() == 2 && said[0].node == 0 && said[1].at == 20;
    }
    CHECK(woken > 10);
}

TEST_CASE("perfect: what is said of many at one tick is told in the order of ports") {
    const auto told = [](std::uint64_t order) {
        events net{complete{6}, make, {.delay = unit{},
                                       .faults = fault_plan{}.crashes({.probability = 0.5}),
                                       .detector = perfect{1}, .shuffle_nodes = order}};
        net.start(0);
        static_cast<void>(net.run());
        return words_in(net);
    };
    const std::vector<word> as_they_stand = told(0);
    CHECK(as_they_stand.size() > 3);
    for (std::uint64_t order = 1; order <= 20; ++order) CHECK(told(order) == as_they_stand);
}

TEST_CASE("no_detector and by_hand: only what is said by hand") {
    events net{complete{2}, make, {.faults = fault_plan{}.crash(1, 10), .detector = by_hand{}}};
    static_cast<void>(net.run());
    CHECK(words_in(net).empty());
    net.suspect(0, port{0});
    CHECK(words_in(net).size() == 1);
}

TEST_CASE("perfect, eventual: suspicions name the life that died, trust the one that returned") {
    for (const detector_model& detector :
         {detector_model{perfect{5}}, detector_model{eventual{5, 0, 1000}}}) {
        events net{complete{2}, make,
                   {.faults = fault_plan{}.crash(1, 10).restart(1, 50).crash(1, 70).restart(1, 100)
                                  .crash(1, 103),
                    .detector = detector}};
        static_cast<void>(net.run());
        // It died in its third life before its return was told.
        CHECK(lives_told(net, 0) == std::vector<int>{-1, 1, -2, 2, -3});
    }
}

TEST_CASE("perfect: the life that died is named, though its last message kept the word back") {
    events net{complete{2}, make, {.delay = uniform{40, 40},
                                   .faults = fault_plan{}.crash(1, 2).restart(1, 4).crash(1, 8),
                                   .detector = perfect{10}}};
    net.run_for(5);
    net.start(1);
    static_cast<void>(net.run());
    CHECK(lives_told(net, 0) == std::vector<int>{-2});
}

TEST_CASE("perfect: who returns hears in which life the dead died, and so does who was paused") {
    events net{complete{2}, make,
               {.faults = fault_plan{}.crash(1, 10).restart(1, 20).crash(1, 30).crash(0, 40)
                              .restart(0, 60).pause(0, 61, 90),
                .detector = perfect{5}}};
    static_cast<void>(net.run());
    CHECK(lives_told(net, 0) == std::vector<int>{-1, 1, -2, -2});
    CHECK(net.outcomes().back().at == 90);
}

TEST_CASE("eventual: who errs, errs about the present life") {
    std::size_t later_lives = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        events net{complete{2}, make, {.seed = seed,
                                       .faults = fault_plan{}.crash(1, 10).restart(1, 20),
                                       .detector = eventual{1, 6, 200}}};
        while (net.now() < 200) {
            net.run_for(1);
            for (const auto& r : net.outcomes()) {
                const auto* t = std::get_if<gossip::told>(&r.outcome);
                if (t == nullptr || r.at != net.now()) continue;
                REQUIRE(t->life);
                const bool of_the_first = r.node == 1 || r.at < 20;
                CHECK(t->life->number == (of_the_first ? 0u : 1u));
                later_lives += t->life->number;
            }
        }
    }
    CHECK(later_lives > 40);
}

TEST_CASE("by hand: a word may name any life, or none") {
    events net{complete{2}, make};
    net.suspect(0, port{0}, incarnation{3});
    net.trust(0, port{0}, incarnation{4});
    CHECK(lives_told(net, 0) == std::vector<int>{-4, 4});
    net.suspect(0, port{0});
    CHECK_FALSE(std::get<gossip::told>(net.outcomes().back().outcome).life);
}

TEST_CASE("perfect, eventual: nobody is told of who is absent, who arrives is told of the dead") {
    const fault_plan plan = fault_plan{}.absent(2, 50).crash(1, 10).crash(2, 80);
    const detector_model two[] = {perfect{5}, eventual{5, 0, 0}};
    for (const detector_model& how : two) {
        events net{complete{3}, make, {.faults = plan, .detector = how}};
        net.run();
        CHECK(words_in(net) == std::vector<word>{{15, 0, true, 0}, {55, 2, true, 1},
                                                 {85, 0, true, 1}});
    }
}

TEST_CASE("perfect: who arrives or returns is not told of who is still absent") {
    events net{complete{3}, make, {.faults = fault_plan{}.absent(1, 50).absent(2, 90)
                                                 .crash(0, 10).restart(0, 20),
                                   .detector = perfect{5}}};
    net.run();
    CHECK(words_in(net).empty());
}

TEST_CASE("perfect: messages to the absent are not waited for, and who leaves is told as a crash") {
    events net{complete{2}, make,
               {.delay = uniform{20, 20},
                .faults = fault_plan{}.absent(1, 30).leave(1, 40),
                .detector = perfect{5}}};
    net.start_all();                       // 0 at once, lost at 20; 1 at 30, it arrives at 50
    CHECK(net.run().lost == 1);
    CHECK(words_in(net) == std::vector<word>{{55, 0, true, 0}});
}

TEST_CASE("eventual: a wrong word about the absent is put right before it comes") {
    std::size_t wrong = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        events net{complete{3}, make,
                   {.seed = seed, .faults = fault_plan{}.absent(2, 500),
                    .detector = eventual{.wrong = 6, .until = 100}}};
        net.run();
        bool suspected = false;            // 2, by 0
        for (const word& w : words_in(net))
            if (w.node == 0 && w.whom == 1) {
                suspected = w.suspected;
                wrong += w.suspected;
            }
        CHECK_FALSE(suspected);
        for (const word& w : words_in(net)) CHECK(w.node != 2);   // it was not there to hear it
    }
    CHECK(wrong > 50);
}
