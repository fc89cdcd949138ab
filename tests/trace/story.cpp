// SPDX-License-Identifier: MIT
#include <caucus/trace/story.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace caucus;

TEST_CASE("story: reads as a list of events, with its opening and its loop") {
    story s;
    CHECK(s.empty());
    CHECK(s.text().empty());
    s.property = "peace";
    s.how = "is false after";
    s.opening.push_back({{}, 0, {}, {}, "node 0 starts"});
    s.steps.push_back({{}, 0, {}, {}, "node 1 hears of it"});
    s.steps.push_back({{}, 0, {}, {}, "node 0 hears of that"});
    s.loop_from = 1;
    CHECK(s.size() == 2);
    CHECK(s.text() ==
          "peace is false after:\n"
          "  at first node 0 starts\n"
          "  1. node 1 hears of it\n"
          "  from here on, again and again:\n"
          "  2. node 0 hears of that\n");
}

TEST_CASE("story: gathered, whoever acts goes on while it can, and no message comes too soon") {
    story told;
    const auto start = [](std::uint32_t v, std::uint32_t arc) {
        story_step s;
        s.what.node = v;
        s.sent.push_back({arc, 10 * arc, 0, ""});
        return s;
    };
    const auto hear = [](std::uint32_t v, std::uint32_t arc) {
        story_step s;
        s.what = {action::kind::deliver, v, arc};
        s.value = 10 * arc;
        return s;
    };
    // Node 0 starts, 1 starts, 2 hears 0 and then 1; 0 hears something that 1 sent.
    told.steps = {start(0, 5), start(1, 6), hear(2, 5), start(1, 7), hear(2, 6), hear(0, 7)};
    told.gather();
    std::vector<std::uint32_t> nodes;
    for (const story_step& s : told.steps) nodes.push_back(s.what.node);
    CHECK(nodes == std::vector<std::uint32_t>{0, 1, 1, 2, 2, 0});
    told.gather();
    CHECK(told.steps[5].what.arc == 7);
}

TEST_CASE("action: what may as well not happen is a fault; what a detector knows is not") {
    using kind = action::kind;
    for (const kind k : {kind::start, kind::deliver, kind::expire, kind::suspect, kind::welcome})
        CHECK_FALSE(action{k}.is_fault());
    for (const kind k : {kind::crash, kind::restart, kind::amnesia, kind::lose, kind::duplicate,
                         kind::expire_early, kind::mistrust, kind::trust, kind::cut, kind::mend,
                         kind::suspect_late})
        CHECK(action{k}.is_fault());
    action broken_off{kind::deliver};
    broken_off.cut_short = true;
    CHECK(broken_off.is_fault());
}

TEST_CASE("action: every kind has its words, for sentences and for pictures") {
    for (auto k = action::kind::start; k <= action::kind::suspect_late;
         k = static_cast<action::kind>(static_cast<int>(k) + 1)) {
        CHECK(std::string(action::phrase_of(k).verb) != "");
        CHECK(std::string(action::phrase_of(k).label) != "");
    }
}
