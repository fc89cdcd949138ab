// SPDX-License-Identifier: MIT
#include <caucus/detector/membership.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

using namespace caucus;

namespace {

using version = member_version;

membership<> of(std::size_t n) {
    membership<> m;
    m.begin(n - 1);
    return m;
}

}  // namespace

// Paper

TEST_CASE("membership: what overrides what, section 4.2, and a version never goes back") {
    const auto order = [](standing as, const version& v) {
        return std::tuple{v.life, v.stay, as == standing::confirmed, v.refutations, as};
    };
    const standing all_standings[] = {standing::alive, standing::suspected, standing::confirmed};
    std::size_t overridden = 0;
    for (const standing was : all_standings) {
        for (const standing word : all_standings) {
            for (std::uint32_t j = 0; j < 3; ++j) {
                for (std::uint32_t i = 0; i < 3; ++i) {
                    membership<> m = of(4);
                    m.hear_of(port{2}, was, {{}, 0, j});
                    REQUIRE(m.as(port{2}) == was);
                    m.hear_of(port{2}, word, {{}, 0, i});
                    const bool beats = was == standing::confirmed    ? false
                                       : word == standing::confirmed ? true
                                       : word == standing::alive     ? i > j
                                       : was == standing::suspected  ? i > j
                                                                     : i >= j;
                    CHECK(m.as(port{2}) == (beats ? word : was));
                    CHECK(order(was, {{}, 0, j}) <= order(m.as(port{2}), m.at(port{2})));
                    overridden += beats ? 1 : 0;
                    m.hear_of(port{2}, word, {{}, 1, 0});   // a later stay beats them all
                    CHECK(m.as(port{2}) == word);
                    m.hear_of(port{2}, was, {{}, 0, 9});    // and an earlier one none
                    CHECK(m.as(port{2}) == word);
                    m.hear_of(port{2}, was, {{1}, 0, 0});   // as does a later life
                    CHECK(m.as(port{2}) == was);
                }
            }
        }
    }
    CHECK(overridden == 3 + 6 + 9 + 3 + 3 + 9);
}

TEST_CASE("membership: a suspect refutes with the next version; the confirmed begins a new stay") {
    membership<> m = of(4);
    m.hear_of_myself(standing::suspected, {});
    CHECK(m.own() == version{{}, 0, 1});
    CHECK(m.gossip_for(port{0}, 3).sender == version{{}, 0, 1});
    m.hear_of_myself(standing::suspected, {});   // stale
    CHECK(m.own() == version{{}, 0, 1});
    m.hear_of_myself(standing::suspected, {{}, 0, 7});
    CHECK(m.own() == version{{}, 0, 8});
    m.hear_of_myself(standing::confirmed, {{}, 0, 2});
    CHECK(m.own() == version{{}, 1, 0});
    m.hear_of_myself(standing::confirmed, {{}, 0, 2});
    CHECK(m.own() == version{{}, 1, 0});
    m.hear_of_myself(standing::alive, {{}, 1, 0});
    CHECK(m.own() == version{{}, 1, 0});
    m.hear_of_myself(standing::alive, {{2}, 0, 0});   // somebody remembers more than we do
    CHECK(m.own() == version{{2}, 0, 1});
}

TEST_CASE("membership: who is suspected is told so in every message, however often it was told") {
    membership<> m = of(4);
    m.hear_of(port{2}, standing::suspected, {});
    for (int i = 0; i < 50; ++i) {
        const gossip g = m.gossip_for(port{2}, 3);
        REQUIRE(g.news.size() == 1);
        CHECK((g.news[0].whom == port{2} && g.news[0].as == standing::suspected));
    }
}

TEST_CASE("membership: each news is told λ·lg n times, and again when there is more to tell") {
    membership<> m = of(5);
    const auto told_in_all = [&] {
        std::size_t told = 0;
        for (int i = 0; i < 50; ++i) told += m.gossip_for(port{1}, 4).news.size();
        return told;
    };
    CHECK(told_in_all() == 0);   // that all are alive is no news
    m.hear_of(port{2}, standing::suspected, {});
    CHECK(told_in_all() == 12);  // 4 lg 5, rounded up
    CHECK_FALSE(m.hear_of(port{2}, standing::suspected, {}));
    CHECK(told_in_all() == 0);
    m.hear_of(port{2}, standing::alive, {{}, 0, 1});
    m.hear_of_myself(standing::suspected, {});
    CHECK(m.gossip_for(port{1}, 4).news[0].whom == m.me());
    CHECK(told_in_all() == 12 + 11 - 1);
}

TEST_CASE("membership: least told first, and no more than there is room for") {
    membership<> m = of(13);
    for (const port p : ports(9)) m.hear_of(p, standing::confirmed, {});
    std::vector<int> told(13, 0);
    for (int i = 1; i <= 3 * 4 * 9 / 6; ++i) {
        const gossip g = m.gossip_for(port{10}, 3);
        CHECK(g.news.size() == 6);
        for (const member_update& u : g.news) ++told[u.whom];
        const auto [least, most] = std::minmax_element(told.begin(), told.begin() + 9);
        CHECK(*most - *least <= 1);
    }
    CHECK(told[0] == 3 * 4);
    CHECK(m.gossip_for(port{10}, 3).news.size() == 0);
}

TEST_CASE("membership: what has changed, and who is left") {
    membership<> m = of(4);
    const auto suspected = m.hear_of(port{1}, standing::suspected, {});
    CHECK((suspected && !suspected->was_suspected && !suspected->is_reborn));
    const auto confirmed = m.hear_of(port{1}, standing::confirmed, {});
    CHECK((confirmed && confirmed->was_suspected && !confirmed->is_reborn));
    REQUIRE(m.those(true).size() == 1);
    CHECK(m.those(true)[0] == port{1});
    CHECK(m.those(false) == std::vector{port{0}, port{2}});
    const auto reborn = m.hear_of(port{1}, standing::alive, {{1}, 0, 0});
    CHECK((reborn && reborn->was_suspected && reborn->is_reborn));
    CHECK(m.those(true).empty());
}

TEST_CASE("membership: ring order: all agree on who is meant") {
    constexpr std::size_t n = 5;
    const membership<> m = of(n);
    for (std::size_t u = 0; u < n; ++u)
        for (std::size_t v = 0; v < n; ++v)
            for (std::size_t w = 0; w < n; ++w) {
                if (u == v) continue;
                const auto port_to = [](std::size_t a, std::size_t b) {
                    return port{(b + n - a - 1) % n};
                };
                CHECK(m.seen_from_here(port_to(v, w), port_to(u, v)) == port_to(u, w));
            }
    CHECK(m.me() == port{n - 1});
}
