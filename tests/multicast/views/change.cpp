// SPDX-License-Identifier: MIT
#include <caucus/multicast/views/change.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <vector>

using namespace caucus;
using attempt = caucus::detail::attempt;
using ballot = caucus::detail::ballot<int, int>;
using rows = caucus::detail::messages_by_rank<int>;

TEST_CASE("change: of each sender's messages the longer beginning") {
    rows all{{1}, {2, 3}, {}};
    caucus::detail::unite(all, {{1, 4}, {2}, {5}});
    CHECK(all == rows{{1, 4}, {2, 3}, {5}});
}
TEST_CASE("ballot: what was accepted in the highest attempt is the best, whoever comes first") {
    const auto voted = [](std::uint32_t count, std::uint64_t number) {
        return std::optional{caucus::detail::vote<int, int>{{count, 0}, {number, {}, {}, {}}}};
    };
    ballot b;
    CHECK_FALSE(b.is_blocked());
    b.become_preparing({4, 1});
    CHECK(b.is_blocked());
    b.note_answer(port{0}, {{1}, {}}, voted(2, 20), true);
    b.note_answer(port{1}, {{}, {7}}, voted(3, 30), true);
    b.note_answer(port{2}, {{}, {}}, voted(1, 10), true);
    b.note_answer(port{2}, {{}, {8, 9}}, voted(9, 90), true);   // has answered
    CHECK(b.best->what.number == 30);
    CHECK(b.gathered == rows{{1}, {7}});
    CHECK(b.answered.size() == 3);
}
TEST_CASE("ballot: a greater promise ends an attempt of its own, a smaller one does not") {
    ballot b;
    b.become_preparing({2, 1});
    b.become_promised({2, 0});
    CHECK(b.promised == attempt{2, 1});
    CHECK(b.at == ballot::stage::preparing);
    b.become_promised({2, 2});
    CHECK(b.promised == attempt{2, 2});
    CHECK(b.at == ballot::stage::idle);
}
