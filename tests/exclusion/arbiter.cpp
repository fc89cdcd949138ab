// SPDX-License-Identifier: MIT
#include <caucus/exclusion/arbiter.hpp>

#include <caucus/core/fields.hpp>

#include <archetypes.hpp>
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

using namespace caucus;

namespace {

/// What an arbiter said, and to whom. -1: the node itself.
struct word {
    int to;
    char what;             // g, f, i
    std::uint64_t number;  // of the wish, or of the vote
    std::uint64_t fence = 0;
    friend constexpr bool operator==(const word&, const word&) = default;
};
struct notes {
    std::vector<word> said{};
    constexpr auto tell() {
        return [this](port_or_self whom, const auto& m) {
            const int to = whom ? static_cast<int>(whom->index()) : -1;
            using kind = std::remove_cvref_t<decltype(m)>;
            if constexpr (std::is_same_v<kind, voting::grant>)
                said.push_back({to, 'g', m.to, m.fence});
            else if constexpr (std::is_same_v<kind, voting::failed>)
                said.push_back({to, 'f', m.to});
            else
                said.push_back({to, 'i', m.vote});
        };
    }
    constexpr std::vector<word> heard() {
        const std::vector<word> all = said;
        said.clear();
        return all;
    }
};
using words = std::vector<word>;

constexpr port_or_self self = std::nullopt;
constexpr port_or_self a = port{4}, b = port{1}, c = port{9}, d = port{2};

/// a has the vote with stamp 5, and later ones wait: b, then the node itself.
template <class Arbiter>
constexpr void queue_up(Arbiter& vote, notes& n) {
    vote.wish({5, 1}, a, n.tell());
    vote.wish({6, 2}, b, n.tell());
    vote.wish({7, 0}, self, n.tell());
}

static_assert([] {
    arbiter<int, inplace_storage<2>> vote;
    notes n;
    queue_up(vote, n);
    vote.release({5, 3}, a, n.tell());
    return n.heard() == words{{4, 'g', 5}, {1, 'f', 6}, {-1, 'f', 7}, {1, 'g', 6, 3}};
}());

}  // namespace

TEST_CASE("arbiter: one at a time, in order of stamps, ids between equal clocks") {
    arbiter<int> vote;
    notes n;
    vote.wish({5, 1}, a, n.tell());
    vote.wish({8, 3}, b, n.tell());
    vote.wish({7, 9}, c, n.tell());
    vote.wish({8, 2}, d, n.tell());
    CHECK(n.heard() == words{{4, 'g', 5}, {1, 'f', 8}, {9, 'f', 7}, {2, 'f', 8}});
    vote.release({5, 1}, a, n.tell());
    vote.release({7, 2}, c, n.tell());
    vote.release({8, 3}, d, n.tell());
    CHECK(n.heard() == words{{9, 'g', 7, 1}, {2, 'g', 8, 2}, {1, 'g', 8, 3}});
    vote.release({8, 4}, b, n.tell());
    CHECK(n.heard().empty());
    CHECK(vote.fence() == 4);
    CHECK(vote.votes() == 4);
    vote.wish({9, 3}, b, n.tell());
    CHECK(n.heard() == words{{1, 'g', 9, 4}});
}

TEST_CASE("arbiter: an earlier wish asks for the vote, once, and whoever yields waits again") {
    arbiter<int> vote;
    notes n;
    vote.wish({5, 1}, a, n.tell());
    vote.wish({3, 2}, b, n.tell());
    CHECK(n.heard() == words{{4, 'g', 5}, {4, 'i', 1}});
    CHECK(vote.awaits(port{4}));
    CHECK_FALSE(vote.awaits(port{1}));
    vote.wish({4, 3}, c, n.tell());    // between them
    CHECK(n.heard() == words{{9, 'f', 4}});
    vote.wish({2, 0}, self, n.tell()); // overtakes b, which is told, and a need not be asked again
    CHECK(n.heard() == words{{1, 'f', 3}});
    vote.yield({1}, a, n.tell());
    CHECK(n.heard() == words{{-1, 'g', 2}});
    vote.wish({1, 4}, d, n.tell());    // whoever is overtaken now was told before
    CHECK(n.heard() == words{{-1, 'i', 2}});
    vote.release({2, 1}, self, n.tell());
    vote.release({1, 2}, d, n.tell());
    vote.release({3, 3}, b, n.tell());
    vote.release({4, 4}, c, n.tell());
    CHECK(n.heard() == words{{2, 'g', 1, 1}, {1, 'g', 3, 2}, {9, 'g', 4, 3}, {4, 'g', 5, 4}});
    CHECK_FALSE(vote.awaits(port{4}));
}

TEST_CASE("arbiter: who wants no more stands in nobody's way") {
    arbiter<int> vote;
    notes n;
    queue_up(vote, n);
    n.heard();
    vote.release({6, 0}, b, n.tell());   // waits
    CHECK(n.heard().empty());
    vote.release({5, 0}, a, n.tell());   // has it
    CHECK(n.heard() == words{{-1, 'g', 7}});
    vote.wish({3, 1}, a, n.tell());      // an earlier clock than before: a copy
    CHECK(n.heard().empty());
    vote.wish({6, 5}, c, n.tell());
    vote.release({6, 0}, c, n.tell());   // the one for whom the node was asked
    CHECK(n.heard() == words{{-1, 'i', 2}});
    vote.yield({2}, self, n.tell());     // and so it gets it back
    CHECK(n.heard() == words{{-1, 'g', 7}});
    CHECK(vote.votes() == 3);
}

TEST_CASE("arbiter: the last who waits gives up, and the others come in their order") {
    arbiter<int> vote;
    notes n;
    queue_up(vote, n);
    vote.wish({8, 3}, c, n.tell());
    vote.wish({9, 4}, d, n.tell());
    vote.release({9, 0}, d, n.tell());
    static_cast<void>(n.heard());
    vote.release({5, 0}, a, n.tell());
    CHECK(n.heard() == words{{1, 'g', 6}});
    vote.release({6, 0}, b, n.tell());
    CHECK(n.heard() == words{{-1, 'g', 7}});
    vote.release({7, 0}, self, n.tell());
    CHECK(n.heard() == words{{9, 'g', 8}});
    vote.release({8, 0}, c, n.tell());
    CHECK(n.heard().empty());
}

TEST_CASE("arbiter: copies, and what was said for an earlier vote, change nothing") {
    arbiter<int> vote;
    notes n;
    queue_up(vote, n);
    n.heard();
    const auto unchanged = [&](auto act) {
        const arbiter<int> before = vote;
        act();
        CHECK(caucus::same(before, vote));
        CHECK(n.heard().empty());
    };
    unchanged([&] { vote.wish({6, 2}, b, n.tell()); });        // waits already
    unchanged([&] { vote.wish({9, 2}, b, n.tell()); });        // has not released the last
    unchanged([&] { vote.wish({5, 1}, a, n.tell()); });        // has it
    unchanged([&] { vote.yield({0}, a, n.tell()); });
    unchanged([&] { vote.yield({1}, b, n.tell()); });          // has it not
    unchanged([&] { vote.release({4, 0}, a, n.tell()); });     // another wish of that one
    unchanged([&] { vote.release({6, 0}, c, n.tell()); });     // another's
    vote.release({5, 2}, a, n.tell());
    CHECK(n.heard() == words{{1, 'g', 6, 2}});
    unchanged([&] { vote.release({5, 2}, a, n.tell()); });
    unchanged([&] { vote.wish({5, 1}, a, n.tell()); });        // else it would have it for ever
    vote.wish({4, 3}, c, n.tell());
    vote.yield({2}, b, n.tell());
    vote.release({4, 3}, c, n.tell());
    CHECK(n.heard() == words{{1, 'i', 2}, {9, 'g', 4, 2}, {1, 'g', 6, 3}});
    unchanged([&] { vote.yield({2}, b, n.tell()); });          // of a former vote: b may be inside
    unchanged([&] { vote.release({5, 1}, c, n.tell()); });     // an earlier fence
}

TEST_CASE("arbiter: fails nobody twice") {
    arbiter<int> vote;
    notes n;
    vote.wish({5, 1}, a, n.tell());
    vote.wish({4, 2}, b, n.tell());
    vote.wish({3, 3}, c, n.tell());
    vote.wish({2, 4}, d, n.tell());
    CHECK(n.heard() == words{{4, 'g', 5}, {4, 'i', 1}, {1, 'f', 4}, {9, 'f', 3}});
    vote.release({2, 0}, d, n.tell());
    vote.release({3, 0}, c, n.tell());
    vote.wish({3, 0}, self, n.tell());   // overtakes b again
    CHECK(n.heard().empty());
}

TEST_CASE("arbiter: whoever has yielded knows that it failed") {
    arbiter<int> vote;
    notes n;
    vote.wish({5, 1}, a, n.tell());
    vote.wish({4, 2}, b, n.tell());
    vote.yield({1}, a, n.tell());
    n.heard();
    vote.wish({3, 3}, c, n.tell());   // overtakes a, too
    CHECK(n.heard() == words{{1, 'i', 2}});
}

TEST_CASE("arbiter: in place it holds as many neighbours as it says, and itself") {
    arbiter<int, inplace_storage<2>> vote;
    notes n;
    vote.wish({5, 1}, a, n.tell());
    vote.wish({6, 2}, b, n.tell());
    vote.wish({4, 0}, self, n.tell());
    vote.yield({1}, a, n.tell());
    CHECK(n.heard() == words{{4, 'g', 5}, {1, 'f', 6}, {4, 'i', 1}, {-1, 'g', 4}});
    CHECK(vote.has_room_for(a));
    CHECK(vote.has_room_for(self));
    CHECK(vote.room_for(c) == 3);
    CHECK_FALSE(vote.has_room_for(c));
    CHECK(arbiter<int>{}.has_room_for(c));
}

TEST_CASE("arbiter: of the least ids, by a preference") {
    using id = archetype::id;
    arbiter<id, heap_storage, archetype::by_rank> vote;
    notes n;
    vote.wish({5, id::ranked(1)}, a, n.tell());
    vote.wish({5, id::ranked(2)}, b, n.tell());
    CHECK(n.heard() == words{{4, 'g', 5}, {4, 'i', 1}});
}
