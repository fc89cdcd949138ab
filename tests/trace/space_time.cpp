// SPDX-License-Identifier: MIT
#include <caucus/trace/space_time.hpp>

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
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
    hop.what.what = action::kind::deliver;
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
    using kind = action::kind;
    const std::vector<std::pair<kind, std::string>> words{
        {kind::start, "starts"}, {kind::deliver, "1"}, {kind::expire, "timer"},
        {kind::expire_early, "timer, too early"},
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

TEST_CASE("space_time: a whole picture, line by line") {
    using kind = action::kind;
    story told;
    told.property = "p";
    told.how = "is false after";
    told.order = {0, 1};
    told.opening.emplace_back();
    told.opening[0].sent = {{0, 7, 1, "a"}, {0, 8, 1, "b"}, {1, 7, 0, "c"}, {0, 8, 1, "d"}};
    const auto add = [&](kind what, std::uint32_t node, std::uint32_t arc, std::uint64_t value) {
        told.steps.emplace_back();
        told.steps.back().what.what = what;
        told.steps.back().what.node = node;
        told.steps.back().what.arc = arc;
        told.steps.back().value = value;
    };
    add(kind::deliver, 1, 0, 8);
    add(kind::lose, 1, 0, 7);
    add(kind::deliver, 0, 1, 7);
    told.steps[2].what.cut_short = true;
    told.loop_from = 1;
    CHECK(space_time(told) == R"(<svg xmlns="http://www.w3.org/2000/svg" width="460" height="160" )"
                             R"(font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
<rect x="215" y="30" width="180" height="125" fill="#eee"/>
<text x="10" y="18" >p is false after 3 steps</text>
<text x="10" y="59" >node 0</text>
<line x1="70" y1="55" x2="440" y2="55" stroke="#999"/>
<text x="10" y="129" >node 1</text>
<line x1="70" y1="125" x2="440" y2="125" stroke="#999"/>
<line x1="80" y1="55" x2="170" y2="125" stroke="#26a" fill="none"/>
<circle cx="170" cy="125" r="3" fill="#26a"/>
<text x="140" y="97" fill="#26a" text-anchor="middle">b</text>
<line x1="80" y1="55" x2="170" y2="90" stroke="#c33" fill="none" stroke-dasharray="4 3"/>
<circle cx="170" cy="90" r="3" fill="#c33"/>
<text x="140" y="74" fill="#c33" text-anchor="middle">a</text>
<path d="M80 55 Q215 20 350 55" stroke="#26a" fill="none"/>
<circle cx="350" cy="55" r="3" fill="#26a"/>
<text x="260" y="33" fill="#26a" text-anchor="middle">c</text>
<line x1="80" y1="55" x2="260" y2="90" stroke="#c33" fill="none" stroke-dasharray="4 3"/>
<circle cx="260" cy="90" r="3" fill="#c33"/>
<text x="200" y="74" fill="#c33" text-anchor="middle">d</text>
<circle cx="80" cy="55" r="5" fill="black"/>
<text x="76" y="72" text-anchor="end" fill="#555">starts</text>
<circle cx="170" cy="125" r="5" fill="black"/>
<text x="166" y="142" text-anchor="end" fill="#555">1</text>
<circle cx="260" cy="125" r="5" fill="black"/>
<text x="256" y="142" text-anchor="end" fill="#555">loses</text>
<circle cx="350" cy="55" r="5" fill="#c33"/>
<text x="346" y="72" text-anchor="end" fill="#555">3</text>
</svg>
)");
}
