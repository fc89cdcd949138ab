// SPDX-License-Identifier: MIT
#include <caucus/run/space_time.hpp>

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

using namespace caucus;

namespace {

std::size_t times(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
    return count;
}

verdict broken(bool crash) {
    const auto led = [](const auto& g) { return !g[0].is_leader() && g.alive(2); };
    const auto make = [](node v) { return chang_roberts{3 - static_cast<int>(v.index)}; };
    return explore(ring{3}, make,
                   {.properties = {always(led)},
                    .faults = {.crashes = crash ? std::uint8_t{1} : std::uint8_t{0}}});
}

}  // namespace

TEST_CASE(
    "space_time: a line a node, an event a step, an arrow a message; unheard ones are dashed") {
    const verdict v = broken(false);
    REQUIRE(v.counterexample.size() == 6);
    const std::string svg = space_time(v.counterexample);
    CHECK(svg.rfind("<svg", 0) == 0);
    CHECK(svg.find("</svg>") != std::string::npos);
    CHECK(times(svg, "r=\"5\"") == 3 + 6);        // the starts and the steps
    CHECK(times(svg, "r=\"3\"") == 6 + 1);        // six heard, the announcement is under way
    CHECK(times(svg, "stroke-dasharray") == 1);
    CHECK(times(svg, "election{3}") == 3);
    CHECK(times(svg, "stroke=\"#999\"") == 3);
}

TEST_CASE("space_time: a crash is red, and what is on its way to the dead is never heard") {
    const std::string svg = space_time(broken(true).counterexample);
    CHECK(svg.find("crashes") != std::string::npos);
    CHECK(times(svg, "r=\"5\" fill=\"#c33\"") == 1);
    CHECK(times(svg, "stroke-dasharray") == 3);
}

TEST_CASE("space_time: words are escaped, a message to oneself is an arc, a loop is shaded") {
    story told;
    told.property = "a<b & c>d";
    told.how = "can be avoided for ever";
    told.order = {0};
    story_step start;
    start.sent.push_back({0, 7, 0, "ping"});
    told.opening.push_back(start);
    story_step hop;
    hop.what.what = exploration::action::kind::deliver;
    hop.value = 7;
    hop.sent = start.sent;
    told.steps.push_back(hop);
    told.loop_from = 0;
    const std::string svg = space_time(told);
    CHECK(svg.find("a&lt;b &amp; c&gt;d") != std::string::npos);
    CHECK(times(svg, "<path") == 2);
    CHECK(times(svg, "fill=\"#eee\"") == 1);
}

TEST_CASE("space_time: every kind of action has its own word, a delivery its number") {
    using kind = exploration::action::kind;
    const std::vector<std::pair<kind, std::string>> words{
        {kind::start, "starts"}, {kind::deliver, "1"}, {kind::expire, "timer"},
        {kind::crash, "crashes"}, {kind::restart, "restarts"}, {kind::amnesia, "restarts, blank"},
        {kind::lose, "loses"}, {kind::duplicate, "doubled"}, {kind::suspect, "suspects"},
        {kind::mistrust, "suspects, wrongly"}, {kind::trust, "trusts"}, {kind::welcome, "trusts"},
        {kind::cut, "cut off"}, {kind::mend, "mended"}};
    for (const auto& each : words) {
        story told;
        told.order = {0};
        told.steps.emplace_back();
        told.steps[0].what.what = each.first;
        CAPTURE(each.second);
        CHECK(times(space_time(told), ">" + each.second + "</text>") == 1);
    }
}
