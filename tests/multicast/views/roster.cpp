// SPDX-License-Identifier: MIT
#include <caucus/multicast/views/roster.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

using namespace caucus;
using roster = caucus::detail::roster<int, every_rule>;
using members = std::vector<member<int>>;

namespace {
/// 1 among 0, 2, 3, of which 3 is not in the group.
roster one_of_three() { return {1, std::array{0, 2, 3}, std::array{0, 1, 2}, every_rule{}}; }
constexpr life later{{}, 1};
constexpr life reborn{incarnation{1}, 0};
}  // namespace

TEST_CASE("roster: the first who is not suspected leads; a life that is over is as good as dead") {
    roster r = one_of_three();
    CHECK(r.coordinator().id == 0);
    CHECK_FALSE(r.wants_change());
    CHECK(r.suspicions.hear(suspect{port{0}}));
    CHECK(r.is_coordinator());
    CHECK(r.wants_change());
    CHECK(r.unsuspected() == 2);
    CHECK(r.suspicions.hear(trust{port{0}}));
    CHECK(r.coordinator().id == 0);
    CHECK(r.note_life(port{0}, reborn));
    CHECK_FALSE(r.note_life(port{0}, reborn));
    CHECK(r.is_over_as_member(port{0}));
    CHECK_FALSE(r.is_over_as_member(port{1}));
    CHECK(r.is_coordinator());
    CHECK(r.is_majority(2));
    CHECK_FALSE(r.is_majority(1));
}
TEST_CASE("roster: next are those who stay, by seniority, then those who join") {
    roster r = one_of_three();
    r.joiners.insert(port{2}, life{});
    r.leavers.insert(port{1}, life{});
    CHECK(r.may_join(port{2}));
    const auto coming = r.next<char>({{'a'}, {}, {}});
    CHECK(coming.number == 1);
    CHECK(coming.members == members{{0, {}}, {1, {}}, {3, {}}});
    CHECK(coming.born == members{{0, {}}, {1, {}}, {2, {}}, {3, {}}});
    CHECK(coming.before[0] == std::vector{'a'});
    r.become_member(coming);
    CHECK(r.newcomers == members{{3, {}}});
    CHECK_FALSE(r.joiners[port{2}].has_value());
    CHECK_FALSE(r.is_new(port{2}, life{}));
    CHECK(r.is_new(port{2}, later));
}
TEST_CASE("roster: no life is admitted twice; a member's later life only in its place") {
    roster r = one_of_three();
    r.joiners.insert(port{1}, life{});
    CHECK_FALSE(r.may_any_join());
    r.joiners.insert(port{1}, reborn);
    CHECK_FALSE(r.may_any_join());        // its former life is a member, and not known to be over
    CHECK(r.note_life(port{1}, reborn));
    CHECK(r.may_join(port{1}));
    CHECK(r.next<int>({}).members == members{{0, {}}, {1, {}}, {2, reborn}});
    CHECK(r.next<int>({}).born[2].life == reborn);
    CHECK(r.suspicions.hear(suspect{port{1}, incarnation{1}}));
    CHECK_FALSE(r.may_join(port{1}));
    CHECK(r.is_suspected_joiner(port{1}));
}
TEST_CASE("roster: the last who leave hand over to those who join, and go with the view after") {
    roster r{1, std::array{0}, std::array{1}, every_rule{}};
    r.leavers.insert(r.own_slot(), life{});
    CHECK(r.next<int>({}).members.empty());
    r.joiners.insert(port{0}, life{});
    CHECK(r.next<int>({}).members == members{{1, {}}, {0, {}}});
}
TEST_CASE("roster: lists of strangers, or of one twice, are not taken") {
    const roster r = one_of_three();
    CHECK(r.knows_all({}));
    CHECK(r.knows_all({{3, later}, {1, {}}}));
    CHECK_FALSE(r.knows_all({{4, {}}}));
    CHECK_FALSE(r.knows_all({{2, {}}, {2, later}}));
    CHECK_FALSE(r.knows_all({{0, {}}, {1, {}}, {2, {}}, {3, {}}, {0, {}}}));
    CHECK(r.is_owner({1, 2}, port{1}));
    CHECK_FALSE(r.is_owner({0, 2}, port{1}));
    CHECK_FALSE(r.is_owner({1, 3}, port{1}));
    CHECK_FALSE(r.is_owner({1, 0}, port{1}));
    CHECK(r.is_stranger(port{3}));
    CHECK_FALSE(roster{3, std::array{0, 1}, std::array{0, 1}, every_rule{}}.is_member());
}
