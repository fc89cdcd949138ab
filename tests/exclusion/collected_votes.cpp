// SPDX-License-Identifier: MIT
#include <caucus/exclusion/collected_votes.hpp>

#include <caucus/core/fields.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

using namespace caucus;

namespace {

constexpr port_or_self self = std::nullopt;
constexpr port_or_self a = port{2}, b = port{5}, stranger = port{3};

/// What was handed back: to whom (-1: the node itself), and the number of the vote.
struct hands {
    std::vector<std::pair<int, std::uint64_t>> back{};
    constexpr auto take() {
        return [this](port_or_self whom, voting::yield m) {
            back.push_back({whom ? static_cast<int>(whom->index()) : -1, m.vote});
        };
    }
};
using handed = std::vector<std::pair<int, std::uint64_t>>;

constexpr collected_votes<> asked() {
    collected_votes<> votes;
    votes.ask(std::vector{port{2}, port{5}});
    return votes;
}
constexpr voting::grant grant(std::uint64_t number) { return {1, number, 0}; }

static_assert([] {
    collected_votes<inplace_storage<2>> votes;
    votes.ask(std::array{port{2}, port{5}});
    return votes.grant(grant(1), a) && votes.grant(grant(1), b) && !votes.has_all() &&
           votes.grant(grant(7), self) && votes.has_all();
}());

}  // namespace

TEST_CASE("collected_votes: all votes that were asked for, each once, the node's own among them") {
    collected_votes<> votes = asked();
    CHECK((votes.asks(a) && votes.asks(b) && votes.asks(self) && !votes.asks(stranger)));
    CHECK_FALSE(votes.grant(grant(1), stranger));
    CHECK(votes.grant(grant(3), a));
    CHECK_FALSE(votes.grant(grant(3), a));
    CHECK((votes.has(a) && !votes.has(b) && !votes.has(stranger)));
    CHECK(votes.grant(grant(1), self));
    CHECK(votes.votes() == 2);
    CHECK_FALSE(votes.has_all());
    CHECK(votes.grant(grant(1), b));
    CHECK(votes.has_all());
    votes.clear();
    CHECK_FALSE(votes.asks(a));
    CHECK(caucus::same(votes, collected_votes<>{}));
    votes.ask(std::vector<port>{});
    CHECK(votes.grant(grant(2), self));
    CHECK(votes.has_all());
}

TEST_CASE("collected_votes: who asks anew has none") {
    collected_votes<> votes = asked();
    CHECK(votes.grant(grant(3), a));
    votes.fail(b, [](port_or_self, voting::yield) {});
    votes.ask(std::vector{port{2}, port{5}});
    CHECK(same(votes, asked()));
}

TEST_CASE("collected_votes: who has failed hands votes back when asked, before or after") {
    collected_votes<> votes = asked();
    hands h;
    votes.grant(grant(3), a);
    votes.grant(grant(4), self);
    votes.inquire({3}, a, h.take());
    votes.inquire({4}, self, h.take());
    CHECK(h.back.empty());                  // it may still get all of them
    votes.fail(b, h.take());
    CHECK(h.back == handed{{-1, 4}, {2, 3}});
    CHECK(votes.votes() == 0);
    votes.grant(grant(6), a);
    votes.inquire({6}, a, h.take());
    CHECK(h.back.back() == std::pair{2, std::uint64_t{6}});
    // Handed back is as good as failed, until all that failed have been granted.
    votes.grant(grant(1), b);
    votes.inquire({1}, b, h.take());
    CHECK(h.back.back() == std::pair{5, std::uint64_t{1}});
    votes.grant(grant(7), self);
    votes.grant(grant(8), a);
    votes.inquire({8}, a, h.take());
    CHECK(h.back.size() == 5);
    votes.grant(grant(9), a);
    votes.grant(grant(9), b);
    CHECK(votes.has_all());
}

TEST_CASE("collected_votes: nobody is asked back who has all but what failed was granted since") {
    collected_votes<> votes = asked();
    hands h;
    votes.fail(a, h.take());
    votes.grant(grant(1), a);
    votes.grant(grant(1), self);
    votes.inquire({1}, a, h.take());
    votes.inquire({1}, self, h.take());
    CHECK(h.back.empty());
    votes.grant(grant(1), b);
    CHECK(votes.has_all());
}

TEST_CASE("collected_votes: copies, and what was said of an earlier vote, change nothing") {
    collected_votes<> votes = asked();
    hands h;
    const auto unchanged = [&](auto act) {
        const collected_votes<> before = votes;
        const std::size_t count = h.back.size();
        act();
        CHECK(caucus::same(before, votes));
        CHECK(h.back.size() == count);
    };
    unchanged([&] { votes.inquire({0}, a, h.take()); });      // it has not got it
    unchanged([&] { votes.fail(stranger, h.take()); });
    votes.fail(a, h.take());
    unchanged([&] { votes.fail(a, h.take()); });
    votes.grant(grant(3), b);
    unchanged([&] { votes.fail(b, h.take()); });
    unchanged([&] { votes.inquire({2}, b, h.take()); });
    votes.inquire({3}, b, h.take());
    unchanged([&] { CHECK_FALSE(votes.grant(grant(3), b)); });   // it was handed back
    unchanged([&] { votes.inquire({3}, b, h.take()); });
    CHECK(h.back == handed{{5, 3}});
    CHECK(votes.grant(grant(5), b));
}
