// SPDX-License-Identifier: MIT
#include <caucus/run/simulation/timer_book.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <variant>
#include <vector>

using namespace caucus;
using namespace caucus::simulation;

namespace {

struct knock { int door = 0; };
struct ring_bell {};
using timer = std::variant<knock, ring_bell>;

constexpr std::size_t nodes = 5;

/// (node, door); the bell is door -1.
using fired = std::vector<std::pair<std::size_t, int>>;

int door_of(const timer& t) { return t.index() == 0 ? std::get<knock>(t).door : -1; }

fired expired(timer_book<timer>& book, ticks now, std::uint64_t shuffle_seed = 0) {
    fired all;
    book.expire(now, shuffle_seed, [&](std::size_t v, const timer& t) {
        all.emplace_back(v, door_of(t));
    });
    return all;
}

}  // namespace

static_assert([] {
    timer_book<knock> book;
    book.arm(1, {2}, 5, 3);
    book.arm(1, {1}, 5, 3);
    int last = 0;
    bool in_order = true;
    book.expire(5, 0, [&](std::size_t, const knock& t) {
        in_order = in_order && ++last == t.door;
    });
    return in_order && last == 2;
}());

TEST_CASE("timer_book: a timer fires at its tick, once") {
    timer_book<timer> book;
    CHECK(book.next() == never);
    book.arm(3, knock{1}, 10, nodes);
    CHECK(book.next() == 10);
    CHECK(expired(book, 9).empty());
    CHECK(expired(book, 10) == fired{{3, 1}});
    CHECK(expired(book, 11).empty());
    CHECK(book.next() == never);
}

TEST_CASE("timer_book: arming again replaces, by value, sooner or later") {
    timer_book<timer> book;
    book.arm(0, knock{1}, 10, nodes);
    book.arm(0, knock{1}, 20, nodes);
    book.arm(0, knock{2}, 30, nodes);
    book.arm(0, knock{2}, 15, nodes);
    CHECK(expired(book, 10).empty());
    CHECK(expired(book, 15) == fired{{0, 2}});
    CHECK(expired(book, 20) == fired{{0, 1}});
    CHECK(expired(book, 30).empty());
}

TEST_CASE("timer_book: armed twice for the same tick, a timer fires once") {
    timer_book<timer> book;
    book.arm(0, knock{1}, 10, nodes);
    book.arm(0, knock{1}, 10, nodes);
    CHECK(expired(book, 10) == fired{{0, 1}});
}

TEST_CASE("timer_book: a disarmed timer stays silent, its namesakes elsewhere do not") {
    timer_book<timer> book;
    book.disarm(0, knock{1});                 // nothing was ever armed
    book.arm(0, knock{1}, 10, nodes);
    book.arm(0, knock{2}, 10, nodes);
    book.arm(1, knock{1}, 10, nodes);
    book.disarm(0, knock{1});
    book.disarm(0, knock{1});
    book.disarm(2, ring_bell{});
    CHECK(expired(book, 10) == fired{{0, 2}, {1, 1}});
}

TEST_CASE("timer_book: at one tick, a node's timers fire by value, whenever they were armed") {
    timer_book<timer> book;
    book.arm(4, ring_bell{}, 10, nodes);
    for (const int door : {3, 1, 4, 2}) book.arm(4, knock{door}, 10, nodes);
    CHECK(expired(book, 10) == fired{{4, 1}, {4, 2}, {4, 3}, {4, 4}, {4, -1}});
}

TEST_CASE("timer_book: an earlier timer of the same tick disarms or re-arms a later one") {
    timer_book<timer> book;
    for (const int door : {1, 2, 3}) book.arm(0, knock{door}, 10, nodes);
    fired all;
    book.expire(10, 0, [&](std::size_t v, const timer& t) {
        all.emplace_back(v, door_of(t));
        if (door_of(t) != 1) return;
        book.disarm(0, knock{2});
        book.arm(0, knock{3}, 12, nodes);
    });
    CHECK(all == fired{{0, 1}});
    CHECK(book.next() == 12);
    CHECK(expired(book, 12) == fired{{0, 3}});
}

TEST_CASE("timer_book: a timer may arm itself again") {
    timer_book<timer> book;
    book.arm(0, ring_bell{}, 1, nodes);
    int rings = 0;
    for (ticks now = 1; now <= 3000; ++now)
        book.expire(now, 0, [&](std::size_t v, const timer& t) {
            ++rings;
            book.arm(v, t, now + 3, nodes);
        });
    CHECK(rings == 1000);
}

TEST_CASE("timer_book: a crash takes the node's timers along, and nobody else's") {
    timer_book<timer> book;
    book.forget(1);                           // nothing was ever armed
    book.arm(1, knock{1}, 10, nodes);
    book.arm(1, knock{2}, 11, nodes);
    book.arm(2, knock{3}, 10, nodes);
    book.forget(1);
    CHECK(expired(book, 10) == fired{{2, 3}});
    CHECK(expired(book, 11).empty());
    book.arm(1, knock{1}, 12, nodes);
    CHECK(expired(book, 12) == fired{{1, 1}});
}

TEST_CASE("timer_book: when the last timer is gone, nothing is awaited") {
    timer_book<timer> book;
    book.arm(0, knock{1}, 10, nodes);
    book.arm(0, knock{1}, 5000, nodes);
    book.arm(1, knock{1}, 7000, nodes);
    book.disarm(0, knock{1});
    CHECK(book.next() != never);
    book.disarm(1, knock{1});
    CHECK(book.next() == never);
    book.arm(0, knock{1}, 20, nodes);
    CHECK(book.next() == 20);
    book.forget(0);
    CHECK(book.next() == never);
    book.arm(2, knock{2}, 6000, nodes);
    CHECK(book.next() == 6000);
    CHECK(expired(book, 6000) == fired{{2, 2}});
}

TEST_CASE("timer_book: a shuffle changes which node goes first, not a node's own order") {
    bool some_order_differs = false;
    for (std::uint64_t seed = 0; seed <= 20; ++seed) {
        CAPTURE(seed);
        timer_book<timer> book;
        for (std::size_t v = 0; v < nodes; ++v)
            for (const int door : {2, 1}) book.arm(v, knock{door}, 10, nodes);
        fired all = expired(book, 10, seed);
        const fired as_visited = all;
        std::stable_sort(all.begin(), all.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        if (seed == 0) CHECK(all == as_visited);   // as they were armed
        some_order_differs = some_order_differs || all != as_visited;
        REQUIRE(all.size() == 2 * nodes);
        for (std::size_t i = 0; i < all.size(); ++i)
            CHECK(all[i] == std::pair{i / 2, static_cast<int>(i % 2) + 1});
    }
    CHECK(some_order_differs);
}

TEST_CASE("timer_book: agrees with a map, thousands of random operations") {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        CAPTURE(seed);
        random_source random{seed};
        timer_book<timer> book;
        std::map<std::pair<std::size_t, int>, ticks> expected;
        for (ticks now = 0; now < 5000; ++now) {
            const std::size_t v = random.below(nodes);
            const int door = static_cast<int>(random.below(3));
            const ticks at = now + 1 + random.below(random.below(8) == 0 ? 3000 : 5);
            switch (random.below(8)) {
            case 0: book.disarm(v, knock{door}); expected.erase({v, door}); break;
            case 1:
                book.forget(v);
                for (int each = 0; each < 3; ++each) expected.erase({v, each});
                break;
            default: book.arm(v, knock{door}, at, nodes); expected[{v, door}] = at;
            }
            fired due;
            for (const auto& [name, when] : expected)
                if (when == now) due.push_back(name);
            for (const auto& name : due) expected.erase(name);
            fired all = expired(book, now);
            std::stable_sort(all.begin(), all.end(),
                             [](const auto& a, const auto& b) { return a.first < b.first; });
            REQUIRE(all == due);
            REQUIRE((book.next() == never) == expected.empty());
        }
    }
}

TEST_CASE("timer_book: a watchdog put off at every tick is woken now and then, not every time") {
    timer_book<timer> book;
    std::size_t wakes = 0;
    for (ticks now = 0; now < 5000; ++now) {
        book.arm(2, knock{7}, now + 3000, nodes);
        if (book.next() == now) {
            ++wakes;
            CHECK(expired(book, now).empty());
        }
    }
    CHECK(wakes == 1);
    CHECK(book.next() == 6000);            // as it stood when it was woken, at 3000
    CHECK(expired(book, 6000).empty());    // put off since then, to 4999 + 3000
    CHECK(book.next() == 7999);
    CHECK(expired(book, 7999) == fired{{2, 7}});
    CHECK(book.next() == never);
}

TEST_CASE("timer_book: a node woken early for one timer is woken again for the other") {
    timer_book<timer> book;
    book.arm(1, knock{1}, 40, nodes);
    book.arm(1, knock{2}, 20, nodes);
    CHECK(expired(book, 20) == fired{{1, 2}});
    CHECK(book.next() == 40);
    book.disarm(1, knock{1});
    book.arm(1, knock{3}, 50, nodes);
    CHECK(book.next() == 50);
    CHECK(expired(book, 50) == fired{{1, 3}});
}

TEST_CASE("timer_book: a heartbeat with a watchdog wakes its node now and then, not ever more") {
    timer_book<timer> book;
    book.arm(1, ring_bell{}, 100, nodes);
    book.arm(1, knock{1}, 10, nodes);
    std::size_t beats = 0;
    for (std::size_t wakes = 0; beats < 2000; ++wakes) {
        REQUIRE(wakes < 20000);
        const ticks now = book.next();
        book.expire(now, 0, [&](std::size_t v, const timer&) {
            ++beats;
            book.arm(v, ring_bell{}, now + 100, nodes);
            book.arm(v, knock{1}, now + 10, nodes);
        });
    }
}

TEST_CASE("no_timers: a book for processes without timers is always empty, and of no size") {
    using book = timers_of<nothing>;
    static_assert(std::is_same_v<book, no_timers<nothing>> && std::is_empty_v<book>);
    static_assert(book::next() == never && book::empty() && !book::is_armed(0, nothing{}));
    static_assert(std::is_same_v<timers_of<ring_bell>, timer_book<ring_bell>>);
    CHECK(book::armed(0).empty());
}
