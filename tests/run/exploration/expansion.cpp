// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/expansion.hpp>

#include <caucus/run/exploration/handlers.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

using namespace caucus;
using namespace caucus::exploration;

namespace {

/// Keeps a number, tells it to its neighbour, and tosses a coin if it is told one.
struct scribe {
    using message = int;
    using timer = nothing;
    using outcome = nothing;
    using kept = int;

    int learnt = 0;

    void start(auto& env) {
        env.keep(++learnt);
        env.send(next, learnt);
    }
    void on(int m, port, auto& env) { learnt = m + static_cast<int>(env.choose(2)); }
};

/// Says two things at once, and keeps neither.
struct gossip {
    using message = int;
    using timer = nothing;
    using outcome = nothing;

    void start(auto& env) {
        env.send(next, 1);
        env.send(next, 2);
    }
    void on(int, port, auto&) {}
};

struct successor {
    action what;
    std::vector<effect> effects;
    std::uint32_t sends;
    std::vector<std::uint32_t> row;
};

/// A ring of two whose nodes have not started.
struct beginning {
    explicit beginning(fault_budget faults = {}, bool remember_dead = false)
        : known([](node) { return scribe{}; }, remember_dead),
          space(wiring{ring{2}}, {.faults = faults, .remember_dead = remember_dead}, known) {
        fate f{.alive = 0b11, .budget = budget{faults}};
        f.kept.assign(2, 0);
        const std::uint32_t made = known.made(node{0});
        f.made.assign(2, made);
        row = {made, made, 0, 0, space.fates().index_of(f)};
    }

    expansion expand(bool learn) {
        return {space, row.data(), space.hash_of(row.data()), learn, into, room};
    }

    handlers<scribe> known;
    state_space space;
    std::vector<std::uint32_t> row;
    expansion::scratch room;
    std::vector<successor> found;
    struct collect {
        beginning& b;
        void operator()(const action& a, const ending& e, const std::vector<std::uint32_t>& next,
                        std::uint64_t hash) {
            CHECK(hash == b.space.hash_of(next.data()));   // computed from what has changed
            b.found.push_back({a, e.effects, e.sends, next});
        }
    } into{*this};
};

}  // namespace

TEST_CASE("expansion: a handler's effects are applied to a copy, and the state stays as it was") {
    beginning b;
    const auto row = b.row;
    expansion x = b.expand(true);
    x.copy();
    REQUIRE(x.react({action::kind::start, 0}, {stimulus::kind::start}));
    REQUIRE(b.found.size() == 1);
    CHECK(b.row == row);
    CHECK(b.found[0].row[0] != row[0]);
    CHECK(b.found[0].row[1] == row[1]);
    CHECK(b.space.content(b.found[0].row.data(), 0).size() == 1);
    CHECK(b.space.fate_of(b.found[0].row.data()).kept[0] != 0);
}

TEST_CASE("expansion: a successor for every way that the coins can fall") {
    beginning b;
    const std::uint32_t message = b.known.values().messages.index_of(7);
    expansion x = b.expand(true);
    x.copy();
    REQUIRE(x.react({action::kind::deliver, 1}, {stimulus::kind::arrival, 0, message}));
    REQUIRE(b.found.size() == 2);
    CHECK(b.known.values().processes[b.found[0].row[1]].learnt == 7);
    CHECK(b.known.values().processes[b.found[1].row[1]].learnt == 8);
}

TEST_CASE("expansion: a handler that was never run is not run where nothing may be learnt") {
    beginning b;
    expansion x = b.expand(false);
    x.copy();
    CHECK_FALSE(x.react({action::kind::start, 0}, {stimulus::kind::start}));
    CHECK(b.found.empty());
}

TEST_CASE("expansion: who keeps something may crash after any part of its effects, if at all") {
    beginning b{{.crashes = 1}};
    expansion x = b.expand(true);
    x.copy();
    REQUIRE(x.react({action::kind::start, 0}, {stimulus::kind::start}));
    REQUIRE(b.found.size() == 3);   // all of it; nothing; kept and not sent
    CHECK_FALSE(b.found[0].what.cut_short);
    for (std::size_t done = 0; done < 2; ++done) {
        const successor& crashed = b.found[1 + done];
        CHECK(crashed.what.cut_short);
        CHECK(crashed.effects.size() == done);
        CHECK(crashed.sends == 0);
        const fate& f = b.space.fate_of(crashed.row.data());
        CHECK(f.alive == 0b10);
        CHECK((f.kept[0] != 0) == (done == 1));
        CHECK(f.budget.left(misfortune::crash) == 0);
        CHECK(crashed.row[0] == b.row[0]);   // a dead node has no state of its own
    }
}

TEST_CASE("expansion: the dead are remembered as they were when they asked for what was lost") {
    beginning b{{.crashes = 1}, true};
    expansion x = b.expand(true);
    x.copy();
    REQUIRE(x.react({action::kind::start, 0}, {stimulus::kind::start}));
    REQUIRE(b.found.size() == 3);
    for (std::size_t done = 0; done < 2; ++done) {
        const successor& crashed = b.found[1 + done];
        CHECK(b.space.fate_of(crashed.row.data()).alive == 0b10);
        CHECK(b.known.values().processes[crashed.row[0]].learnt == 1);   // counted before it asked
    }
}

TEST_CASE("expansion: who keeps nothing crashes in mid-handler only if midway is on") {
    for (const bool midway : {false, true}) {
        const fault_budget faults{.crashes = 1, .midway = midway};
        handlers<gossip> known{[](node) { return gossip{}; }};
        state_space space{wiring{ring{2}}, {.faults = faults}, known};
        const std::uint32_t made = known.made(node{0});
        fate f{.alive = 0b11, .budget = budget{faults}};
        f.made.assign(2, made);
        const std::vector<std::uint32_t> row{made, made, 0, 0, space.fates().index_of(f)};
        std::vector<std::size_t> under_way;   // on the arc from node 0, if it crashed
        auto each = [&](const action& a, const ending&, const std::vector<std::uint32_t>& then,
                        std::uint64_t) {
            if (a.cut_short) under_way.push_back(space.content(then.data(), 0).size());
        };
        expansion::scratch room;
        expansion x{space, row.data(), space.hash_of(row.data()), true, each, room};
        x.copy();
        REQUIRE(x.react({action::kind::start, 0}, {stimulus::kind::start}));
        CHECK(under_way == (midway ? std::vector<std::size_t>{0, 1} : std::vector<std::size_t>{}));
    }
}

TEST_CASE("expansion: what a detector repeats without effect is no event") {
    beginning b;
    expansion x = b.expand(true);
    x.copy();
    x.emit({action::kind::suspect, 0, 0});
    CHECK(b.found.empty());
    x.emit({action::kind::mend, 0, 0});
    CHECK(b.found.size() == 1);
}
