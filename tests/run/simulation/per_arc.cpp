// SPDX-License-Identifier: MIT
#include <caucus/run/simulation/per_arc.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <map>

using namespace caucus;
using namespace caucus::simulation;

namespace {

struct until {
    ticks at = 0;
    bool is_idle(ticks now) const { return at <= now; }
};
constexpr std::size_t many = std::size_t{1} << 40;   // arcs: no table of them all would fit

}  // namespace

TEST_CASE("per_arc: few arcs or many, each has its own value") {
    for (const std::size_t arcs : {std::size_t{1000}, many}) {
        per_arc<until> all{arcs, 10};
        CHECK(all.find(3) == nullptr);
        for (std::size_t arc = 0; arc < 1000; ++arc) all.at(arc, 0).at = arc + 1;
        for (std::size_t arc = 0; arc < 1000; ++arc) {
            REQUIRE(all.find(arc) != nullptr);
            CHECK(all.find(arc)->at == arc + 1);
            CHECK(all.at(arc, 0).at == arc + 1);
        }
        all.clear();
        CHECK(all.find(3) == nullptr);
        CHECK(all.at(3, 0).at == 0);
    }
}

TEST_CASE("per_arc: of many arcs, those with nothing to say are forgotten, and no others") {
    per_arc<until> all{many, 10};
    std::map<std::size_t, ticks> expected;
    for (ticks now = 1; now <= 20'000; ++now) {
        const std::size_t arc = mix(now) % many;
        const ticks at = now + 1 + now % 50;
        all.at(arc, now).at = at;
        expected[arc] = at;
        for (auto it = expected.begin(); it != expected.end() && now % 97 == 0;) {
            if (it->second > now) {
                const until* found = all.find(it->first);
                REQUIRE(found != nullptr);
                CHECK(found->at == it->second);
                ++it;
            } else {
                it = expected.erase(it);
            }
        }
    }
    CHECK(all.stored_most() <= 1024);   // and not 20,000: about 25 are busy at any time
}
