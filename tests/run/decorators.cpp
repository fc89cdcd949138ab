// SPDX-License-Identifier: MIT
#include <caucus/run/decorators.hpp>

#include "../laws/topology.hpp"

#include <caucus/election/complete/bully.hpp>
#include <caucus/run/endpoint.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace caucus;
using laws::refusal;

namespace {

/// A perfect channel to two neighbours that writes down what passes.
struct tape {
    static constexpr guarantee guarantees = perfect_links;
    std::vector<std::pair<std::size_t, int>> sent{};
    static std::size_t degree() { return 2; }
    void send(port p, int m) { sent.push_back({p, m}); }
};
/// One that counts what bully sends.
struct wire {
    static constexpr guarantee guarantees = perfect_links;
    std::size_t messages = 0;
    static std::size_t degree() { return 2; }
    void send(port, const bully<int, inplace_storage<2>>::message&) { ++messages; }
};
using entries = std::vector<std::pair<std::size_t, int>>;
/// One for bytes, which it reads when they are sent.
struct byte_tape {
    static constexpr guarantee guarantees = perfect_links;
    std::vector<std::string> sent{};
    static std::size_t degree() { return 1; }
    void send(port, std::string_view text) { sent.emplace_back(text); }
    void send(port, std::span<const std::uint8_t> bytes) {
        sent.emplace_back(bytes.begin(), bytes.end());
    }
    void send(port, const std::string& text) { sent.push_back(text); }
};

std::vector<int> numbers(const tape& t) {
    std::vector<int> all_of_them;
    for (const auto& [p, m] : t.sent) all_of_them.push_back(m);
    return all_of_them;
}

static_assert(lossy<tape>::guarantees == (guarantee::fifo | guarantee::no_duplicates));
static_assert(duplicating<tape>::guarantees == (guarantee::reliable | guarantee::fifo));
static_assert(reordering<tape>::guarantees == (guarantee::reliable | guarantee::no_duplicates));
static_assert(delaying<tape>::guarantees == (guarantee::reliable | guarantee::no_duplicates));
static_assert(delaying<byte_tape>::guarantees == delaying<tape>::guarantees);
static_assert(cut<tape>::guarantees == (guarantee::fifo | guarantee::no_duplicates));
static_assert(lossy<duplicating<reordering<tape>>>::guarantees == guarantee::none);
static_assert(channel<std::remove_cvref_t<tape>, nothing>);

}  // namespace

TEST_CASE("lossy, duplicating: as often as they say, from the seed alone") {
    const auto through = [](auto& decorated, tape& end) {
        for (int i = 0; i < 10'000; ++i) decorated.send(port{i % 2}, i);
        return end.sent.size();
    };
    tape a, b, c, d;
    lossy tenth{a, 0.1, 7};
    lossy again{b, 0.1, 7};
    lossy other{c, 0.1, 8};
    CHECK(std::abs(static_cast<double>(through(tenth, a)) - 9000) < 4 * 30);
    static_cast<void>(through(again, b));
    static_cast<void>(through(other, c));
    CHECK(a.sent == b.sent);
    CHECK(a.sent != c.sent);
    CHECK(tenth.struck() == 10'000 - a.sent.size());
    duplicating fifth{d, 0.2, 7};
    CHECK(std::abs(static_cast<double>(through(fifth, d)) - 12'000) < 4 * 40);
    CHECK(fifth.struck() == d.sent.size() - 10'000);
    CHECK(fifth.degree() == 2);
}

TEST_CASE("lossy, duplicating: never, and always") {
    tape a, b, c;
    lossy never_any{a, 0};
    lossy all_gone{b, 1};
    duplicating twice{c, 1};
    for (int i = 0; i < 3; ++i) {
        never_any.send(port{0}, i);
        all_gone.send(port{0}, i);
        twice.send(port{1}, i);
    }
    CHECK(numbers(a) == std::vector{0, 1, 2});
    CHECK(b.sent.empty());
    CHECK(c.sent == entries{{1, 0}, {1, 0}, {1, 1}, {1, 1}, {1, 2}, {1, 2}});
}

TEST_CASE("reordering: what is held back is overtaken by one, nothing is lost or doubled") {
    tape t;
    reordering mixed{t, 0.3, 5};
    for (int i = 0; i < 1000; ++i) mixed.send(port{0}, i);
    mixed.flush();
    std::vector<int> seen = numbers(t);
    CHECK(seen.size() == 1000);
    std::vector<char> there(1000, 0);
    std::size_t overtaken = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        there[static_cast<std::size_t>(seen[i])] = 1;
        overtaken += i != 0 && seen[i] < seen[i - 1];
    }
    CHECK(overtaken > 100);
    for (const char each : there) CHECK(each == 1);
}

TEST_CASE("delaying: each message when its time has come, and not before") {
    tape t;
    delaying slow{t, uniform{10, 10}};
    slow.send(port{0}, 1);
    slow.advance(3);
    slow.send(port{1}, 2);
    CHECK(slow.next_deadline() == 10);
    slow.advance(9);
    CHECK(t.sent.empty());
    slow.advance(10);
    CHECK(t.sent == entries{{0, 1}});
    slow.advance(1000);
    CHECK(t.sent == entries{{0, 1}, {1, 2}});
    CHECK_FALSE(slow.next_deadline().has_value());   // as an endpoint says it
    slow.advance(never);                             // and time comes to its end
    delaying jittery{t, heavy_tailed{1, 100}, 3};
    t.sent.clear();
    for (int i = 0; i < 100; ++i) jittery.send(port{0}, i);
    jittery.advance(100);
    CHECK(t.sent.size() == 100);
    CHECK(numbers(t) != [] {
        std::vector<int> sorted;
        for (int i = 0; i < 100; ++i) sorted.push_back(i);
        return sorted;
    }());
}

TEST_CASE("reordering, delaying: of a view they keep what it shows, not the view") {
    byte_tape t;
    reordering mixed{t, 1};
    delaying slow{t, uniform{10, 10}};
    const auto send_all = [](auto& channel) {
        std::string buffer = "a word";
        channel.send(port{0}, std::string_view{buffer});
        buffer = "another";                    // the sender uses its buffer again
        channel.send(port{0}, std::string_view{buffer});
        buffer = "overwritten";
        std::vector<std::uint8_t> bytes{'b', 'y'};
        channel.send(port{0}, std::span<const std::uint8_t>{bytes});
        bytes = {'x', 'x'};
        channel.send(port{0}, std::string{"own"});
        channel.send(port{0}, std::string_view{});
    };
    const std::vector<std::string> expected{"a word", "another", "by", "own", ""};
    send_all(mixed);
    CHECK(t.sent.empty());
    mixed.flush();
    CHECK(t.sent == expected);
    t.sent.clear();
    send_all(slow);
    slow.advance(10);
    CHECK(t.sent == expected);
}

TEST_CASE("cut: port by port, or all of them") {
    tape t;
    cut line{t};
    line.sever(port{1});
    line.send(port{0}, 1);
    line.send(port{1}, 2);
    line.mend(port{1});
    line.send(port{1}, 3);
    line.sever_all();
    line.send(port{0}, 4);
    line.mend_all();
    line.send(port{0}, 5);
    CHECK(t.sent == entries{{0, 1}, {1, 3}, {0, 5}});
    CHECK(line.struck() == 2);
}

TEST_CASE("decorators: around each other, under an endpoint") {
    wire real;
    struct { ticks now() const { return 0; } } clock_part;
    const auto listener_part = [](const elected<int>&) {};
    duplicating twice{real, 1};
    cut line{twice};
    // Whether bully bears with it is the type's business: losses are refused, repetition is not.
    endpoint self{bully{5, std::array{1, 2}}, twice, clock_part, listener_part};
    self.start();
    CHECK(self.process().is_leader());
    CHECK(real.messages == 4);
    CHECK(line.degree() == 2);
}

TEST_CASE("decorators: nonsense is refused") {
    tape t;
    CHECK(refusal([&] { lossy{t, 1.1}; }) == "decorator: the probability is not from 0 to 1");
    CHECK(refusal([&] { duplicating{t, -1}; }) == "decorator: the probability is not from 0 to 1");
    CHECK(refusal([&] { delaying{t, uniform{0, 0}}; }) ==
          "uniform: delays from 0 to 0; need 1 <= least <= most");
}
