// SPDX-License-Identifier: MIT
#include <caucus/multicast/fifo_order.hpp>

#include <caucus/core/dispatch.hpp>
#include <caucus/core/error.hpp>
#include <caucus/multicast/best_effort.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>

#include <support/hand_fed.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

using text_order = fifo_order<best_effort<std::string>>;
static_assert(process<text_order>);
static_assert(needs_a_multicast__with_payload_and_delivers<text_order>);
static_assert(std::is_same_v<text_order::payload, std::string>);
static_assert(std::is_same_v<text_order::with_payload<int>, fifo_order<best_effort<int>>>);
static_assert(text_order::delivers == ordering::fifo);
static_assert(std::is_same_v<text_order::outcome,
                             std::variant<delivered<int, std::string>, missed<int>, overflow>>);
static_assert(text_order::assumes.links == best_effort<std::string>::assumes.links);

using fed = hand_fed<char, ordering::any>;
template <class... Policies>
fed_member<fifo_order<fed, Policies...>> one(int id, hold_back options = {}, Policies... p) {
    return fed_member{fifo_order<fed, Policies...>{fed{id}, options, p...}};
}
using sent = decltype(one(1).sends('a'));
std::vector<sent> some(const std::string& words, int id = 1, std::uint32_t life = 0) {
    auto sender = one(id);
    if (life != 0) sender.comes_back(life);
    std::vector<sent> all;
    for (const char c : words) all.push_back(sender.sends(c));
    CHECK(sender.told() == words);   // one's own at once
    return all;
}

}  // namespace

TEST_CASE("fifo_order: whatever the order of arrival, that of sending") {
    const std::vector<sent> sent = some("abcd");
    std::vector<std::size_t> way{0, 1, 2, 3};
    std::size_t ways = 0;
    do {
        auto p = one(0);
        for (const std::size_t i : way) p.gets(sent[i]);
        CHECK(p.told() == "abcd");
        CHECK((*p).held() == 0);
        ++ways;
    } while (std::next_permutation(way.begin(), way.end()));
    CHECK(ways == 24);
}
TEST_CASE("fifo_order: senders do not wait for each other") {
    const std::vector<sent> a = some("abc", 1);
    const std::vector<sent> x = some("xyz", 2);
    auto p = one(0);
    for (const auto& m : {a[1], x[1], a[0], x[2], x[0], a[2]}) p.gets(m);
    CHECK(p.told() == "abxyzc");
}
TEST_CASE("fifo_order: what P refuses has no number") {
    auto p = one(1);
    CHECK(p.sends('a').payload.number == 0);
    fed::with_payload<numbered_payload<char>>::refuses = true;
    CHECK(p.tries('b') == answer::blocked);
    fed::with_payload<numbered_payload<char>>::refuses = false;
    CHECK(p.sends('c').payload.number == 1);
}
TEST_CASE("fifo_order: what P reports as missed is not waited for, whichever it was") {
    const std::vector<sent> s = some("abcdef");
    {
        auto p = one(0);
        p.gets(s[0]);
        p.gets(s[2]);
        CHECK(p.told() == "a");
        p.hears(missed<int>{1, 1});
        CHECK(p.told() == "(1 of 1)c");
        p.gets(s[3]);
        CHECK(p.told() == "d");
    }
    {   // told before anything that shows which
        auto p = one(0);
        p.hears(missed<int>{1, 2});
        CHECK(p.told() == "(2 of 1)");
        p.gets(s[2]);
        CHECK(p.told() == "c");
        p.gets(s[3]);
        CHECK(p.told() == "d");
    }
    {   // one of two gaps: nobody knows which
        auto p = one(0);
        p.gets(s[1]);
        p.gets(s[3]);
        p.hears(missed<int>{1, 1});
        CHECK(p.told() == "(1 of 1)");
        p.gets(s[2]);
        CHECK(p.told() == "bcd");
    }
    {   // the last: b was slow, and it was d that is missed
        auto p = one(0);
        p.gets(s[0]);
        p.gets(s[2]);
        p.hears(missed<int>{1, 1});
        CHECK(p.told() == "a(1 of 1)c");
        p.gets(s[1]);
        CHECK(p.told() == "(1 of 1)");   // two are not delivered: b, and d
        p.gets(s[4]);
        CHECK(p.told() == "e");
        p.gets(s[5]);
        CHECK(p.told() == "f");
    }
}
TEST_CASE("fifo_order: a full buffer: the oldest goes on, what it has waited for is missed") {
    const std::vector<sent> s = some("abcdefg");
    const std::vector<sent> x = some("xyz", 2);
    auto p = one(0, {.held_max = 2});
    p.gets(s[3]);
    p.gets(x[1]);
    CHECK(p.told() == "");
    CHECK((*p).held() == 2);
    p.gets(s[5]);
    CHECK(p.told() == "(3 of 1)d");
    p.gets(x[2]);
    CHECK(p.told() == "(1 of 2)yz");   // of the two that are held, y is the older one
    p.gets(s[4]);
    CHECK(p.told() == "ef");
    p.gets(s[1]);   // was reported
    CHECK(p.told() == "");
    p.hears(missed<int>{1, 2});   // so were these
    CHECK(p.told() == "");
    p.hears(missed<int>{1, 1});   // this was not
    CHECK(p.told() == "(1 of 1)");
    CHECK((*p).held() == 0);
}
TEST_CASE("fifo_order: a full buffer: what comes may be what goes on") {
    const std::vector<sent> s = some("abcdefg");
    auto p = one(0, {.held_max = 2});
    p.gets(s[5]);
    p.gets(s[3]);
    p.gets(s[1]);
    CHECK(p.told() == "(1 of 1)b");
    p.gets(s[6]);
    CHECK(p.told() == "(1 of 1)d");
    p.gets(s[4]);
    CHECK(p.told() == "efg");
}
TEST_CASE("fifo_order: no more senders than there is room for, itself included") {
    auto p = one(0, {.senders_max = 2});
    p.gets(some("a", 1)[0]);
    p.gets(some("b", 2)[0]);
    p.gets(some("c", 3)[0]);
    p.hears(missed<int>{2, 3});
    CHECK(p.told() == "a!3(1 of 2)(1 of 3)(3 of 2)");
    CHECK(p.tries('d') == answer::accepted);
    CHECK(p.told() == "d");
}
TEST_CASE("fifo_order: in place, N senders and N messages") {
    auto p = one(0, {}, inplace_storage<2>{});
    const std::vector<sent> s = some("abcd");
    p.gets(s[2]);
    p.gets(s[3]);
    CHECK(p.told() == "");
    p.gets(s[1]);
    CHECK(p.told() == "(1 of 1)bcd");
    p.gets(some("x", 2)[0]);
    CHECK(p.told() == "!3(1 of 2)");
}
TEST_CASE("fifo_order: a sender's next life begins anew; what was held of the last is delivered") {
    const std::vector<sent> old = some("abcde");
    const std::vector<sent> fresh = some("xyz", 1, 1);
    auto p = one(0);
    p.gets(old[0]);
    p.gets(old[2]);
    p.gets(old[4]);
    CHECK(p.told() == "a");
    p.gets(fresh[1]);
    CHECK(p.told() == "(1 of 1)c(1 of 1)e");
    p.gets(fresh[0]);
    CHECK(p.told() == "xy");
    p.gets(old[1]);   // told before
    p.gets(old[3]);
    CHECK(p.told() == "");
    p.gets(fresh[2]);
    CHECK(p.told() == "z");
    p.hears(missed<int>{1, 1});
    CHECK(p.told() == "(1 of 1)");
}
TEST_CASE("fifo_order: what P missed of an ended life says nothing of the next") {
    const std::vector<sent> old = some("abc");
    const std::vector<sent> fresh = some("xyz", 1, 1);
    auto p = one(0);
    p.gets(old[0]);
    p.hears(missed<int>{1, 2});
    p.gets(fresh[2]);
    p.gets(fresh[1]);
    CHECK(p.told() == "a(2 of 1)");
    p.gets(fresh[0]);
    CHECK(p.told() == "xyz");
    p.gets(old[1]);   // though it counted as missed; it counts twice
    CHECK(p.told() == "(1 of 1)");
}
TEST_CASE("fifo_order: who comes back begins, of each sender, with what it hears first") {
    const std::vector<sent> s = some("abcdef");
    auto p = one(0);
    p.comes_back(1);
    p.gets(s[2]);
    p.gets(s[4]);
    p.gets(s[1]);
    CHECK(p.told() == "c(1 of 1)");
    p.gets(s[3]);
    CHECK(p.told() == "de");
    CHECK(p.sends('x').payload.life == incarnation{1});
    CHECK(p.told() == "x");
}
TEST_CASE("fifo_order: absurd numbers are held, given up, or ignored") {
    const std::vector<sent> s = some("abc");
    auto p = one(0, {.held_max = 2});
    sent wild = s[0];
    wild.payload.number = ~std::uint64_t{0};
    p.gets(wild);
    CHECK(p.told() == "");
    CHECK((*p).held() == 0);
    wild.payload.number = ~std::uint64_t{0} - 1;
    p.gets(wild);
    p.gets(wild);
    CHECK((*p).held() == 1);   // once
    for (const sent& m : s) p.gets(m);
    CHECK(p.told() == "abc");
}
TEST_CASE("fifo_order: options that make no sense are refused") {
    CHECK_THROWS_AS(one(0, {.held_max = 0}), error);
    CHECK_THROWS_AS(one(0, {.senders_max = 0}), error);
}
