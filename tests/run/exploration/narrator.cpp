// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/narrator.hpp>

#include <caucus/run/exploration/handlers.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace caucus;
using namespace caucus::exploration;

namespace {

/// Says a word to its neighbour and waits; hears all that a process can hear.
struct talker {
    struct word {
        int n = 0;
    };
    struct patience {};
    using message = word;
    using timer = patience;
    using outcome = nothing;
    using kept = int;

    int heard = 0;

    void start(auto& env) {
        env.send(next, word{1});
        env.arm(patience{}, 5);
    }
    void on(word m, port, auto& env) {
        heard = m.n;
        env.keep(m.n);
    }
    void on(patience, auto&) {}
    void on(suspect, auto&) { ++heard; }
    void on(trust, auto&) { --heard; }
    void on(const recovered<int>&, auto&) {}
};

handlers<talker> talkers{[](node) { return talker{}; }};

const rules anything{.when = timers::any_time,
                     .faults = {.crashes = 1, .restarts = 1, .amnesias = 1, .losses = 1,
                                .duplicates = 1, .wrong_suspicions = 1, .cuts = 1},
                     .perfect_detector = true};

/// The ways of at most three steps in which each kind of action comes last, told.
std::map<action::kind, std::string> last_words(world& w, beginnings& roots) {
    std::map<action::kind, std::string> found;
    narrator n{w, roots, false};
    const std::function<void(const world::state&, const way&)> go_on =
        [&](const world::state& s, const way& before) {
            if (before.successors.size() == 3) return;
            std::vector<std::pair<action, world::state>> next;
            world::scratch room;
            w.expand(s.data(), 0, true, room,
                     [&](const action& a, const ending&, const world::state& after, std::uint64_t) {
                         next.push_back({a, after});
                     });
            for (std::uint32_t i = 0; i < next.size(); ++i) {
                way on = before;
                on.successors.push_back(i);
                if (!found.contains(next[i].first.what)) {
                    const story told = n.tell(on);
                    REQUIRE(told.steps.size() == on.successors.size());
                    CHECK(told.steps.back().what.what == next[i].first.what);
                    CHECK(n.end_of(on) == next[i].second);
                    found[next[i].first.what] = told.steps.back().words;
                }
                go_on(next[i].second, on);
            }
        };
    const origin first{0, 0b11, 0};
    roots.again(first, [&](const world::state& s, const auto&) { go_on(s, {first, {}}); });
    return found;
}

}  // namespace

TEST_CASE("narrator: whatever happens is told in a sentence") {
    world w{wiring{ring{2}}, anything, talkers};
    beginnings roots{w, all, orders::as_made, false};
    auto words = last_words(w, roots);
    using kind = action::kind;
    CHECK(words[kind::deliver] == "node 1 receives word{1} from node 0 and is now talker{1}");
    CHECK(words[kind::expire] == "node 0 has waited long enough: patience");
    CHECK(words[kind::crash] == "node 0 crashes");
    CHECK(words[kind::restart] == "node 0 restarts with what it kept");
    CHECK(words[kind::amnesia] == "node 0 restarts and remembers nothing");
    CHECK(words[kind::lose] == "lost: word{1} from node 1 to node 0");
    CHECK(words[kind::duplicate] == "doubled: word{1} from node 1 to node 0");
    CHECK(words[kind::suspect] == "node 1 suspects node 0 and is now talker{2}");
    CHECK(words[kind::mistrust] == "node 0 suspects node 1, wrongly and is now talker{2}");
    CHECK(words[kind::trust] == "node 0 trusts node 1 and is now talker{0}");
    CHECK(words[kind::cut] == "cut: from node 0 to node 1");
    CHECK(words[kind::mend] == "mended: from node 0 to node 1");
}

TEST_CASE("narrator: a life is named where a node has had more than one") {
    rules r = anything;
    r.faults = {.crashes = 1, .restarts = 1, .late_suspicions = true};
    r.impatient = true;
    world w{wiring{ring{2}}, r, talkers};
    beginnings roots{w, all, orders::as_made, false};
    auto words = last_words(w, roots);
    using kind = action::kind;
    CHECK(words[kind::suspect] == "node 1 suspects node 0 and is now talker{2}");
    CHECK(words[kind::suspect_late] ==
          "node 0 suspects past life 0 of node 1 and is now talker{1}");
    CHECK(words[kind::welcome] == "node 0 trusts life 1 of node 1 and is now talker{-1}");
}

TEST_CASE("narrator: a story says how far a handler came that a crash cut short") {
    rules r;
    r.faults = {.crashes = 1, .midway = true};
    world w{wiring{ring{2}}, r, talkers};
    beginnings roots{w, all, orders::as_made, false};
    std::vector<std::size_t> effects;
    for (std::uint64_t which = 0; which < 3; ++which) {
        const story told = narrator{w, roots, false}.tell({{0, 0b01, which}, {}});
        REQUIRE(told.opening.size() == 1);
        CHECK(told.opening[0].what.cut_short == (which != 0));
        CHECK(told.opening[0].sent.size() == (which == 1 ? 0 : 1));
        effects.push_back(told.opening[0].effects);
    }
    CHECK(effects == std::vector<std::size_t>{0, 0, 1});   // nothing, and the word before the timer
}

TEST_CASE("narrator: the starts come first, with what they sent and to whom") {
    world w{wiring{ring{2}}, {}, talkers};
    beginnings roots{w, all, orders::as_made, false};
    const story told = narrator{w, roots, false}.tell({{0, 0b11, 0}, {0}});
    REQUIRE(told.opening.size() == 2);
    CHECK(told.opening[1].words == "node 1 starts");
    REQUIRE(told.opening[1].sent.size() == 1);
    CHECK(told.opening[1].sent[0].to == 0);
    CHECK(told.opening[1].sent[0].words == "word{1}");
    CHECK(told.order == std::vector<std::size_t>{0, 1});
    REQUIRE(told.steps.size() == 1);
    CHECK(told.steps[0].value == caucus::hash(talker::word{1}));
}

TEST_CASE("narrator: where rotations were merged, nodes are called by their own numbers") {
    world w{wiring{ring{3}}, {}, talkers};
    beginnings roots{w, all, orders::as_made, true};
    // The first successor each time: one delivery after the other, in rows that are rotated.
    const story told = narrator{w, roots, true}.tell({{0, 0b111, 0}, {0, 0, 0}});
    REQUIRE(told.steps.size() == 3);
    unsigned heard = 0;
    for (const story_step& s : told.steps) {
        CHECK(w.end_of(s.what.arc).node.index == s.what.node);
        heard |= 1u << s.what.node;
    }
    CHECK(heard == 0b111);
}
