// SPDX-License-Identifier: MIT
#include <caucus/multicast/causal_order.hpp>

#include "../archetypes.hpp"

#include <caucus/core/error.hpp>
#include <caucus/core/fields.hpp>
#include <caucus/multicast/fifo_order.hpp>
#include <caucus/multicast/best_effort.hpp>
#include <caucus/multicast/views.hpp>
#include <caucus/run/events.hpp>
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

using in_any_order = best_effort<std::string>;
using text_order = causal_order<fifo_order<in_any_order>>;
static_assert(process<text_order> && needs_a_multicast__with_payload_and_delivers<text_order>);
static_assert(text_order::delivers == ordering::causal);
static_assert(causal_order<views<int>>::delivers == ordering::causal);
static_assert(std::is_same_v<text_order::with_payload<int>,
                             causal_order<fifo_order<best_effort<int>>>>);
static_assert(std::is_same_v<causal_order<views<int>>::outcome,
                             std::variant<view<int>, delivered<int, int>, departed, expelled,
                                          stalled, missed<int>, overflow>>);
static_assert(
    std::is_same_v<causal_order<views<int>>::requests,
                   std::variant<request::start, request::broadcast<int>, request::join,
                                request::depart>>);

using fed = hand_fed<char, ordering::fifo>;
template <class... Policies>
fed_member<causal_order<fed, Policies...>> one(int id, hold_back options = {}, Policies... p) {
    return fed_member{causal_order<fed, Policies...>{fed{id}, options, p...}};
}
using sent = decltype(one(1).sends('a'));

/// The worked example, and one more: 0 asks `q`, 1 replies `r`, 2 says `s` to that, and then `t`.
struct talk {
    sent q, r, s, t;
};
talk talked() {
    auto zero = one(0);
    auto other = one(1);
    auto third = one(2);
    talk all;
    all.q = zero.sends('q');
    other.gets(all.q);
    all.r = other.sends('r');
    third.gets(all.q);
    third.gets(all.r);
    all.s = third.sends('s');
    all.t = third.sends('t');
    return all;
}

}  // namespace

TEST_CASE("causal_order, fifo_order: of the least id") {
    using bare = best_effort<int, archetype::id>;
    using least = causal_order<fifo_order<bare>>;
    static_assert(process<least>);
    const archetype::id a = archetype::id::ranked(1);
    const archetype::id b = archetype::id::ranked(2);
    least p{fifo_order<bare>{bare{a, std::vector{b}}}};
    archetype::environment<least> env;
    CHECK(p.broadcast(7, env) == answer::accepted);
    CHECK(env.heard.size() == 1);
    CHECK(p.held() == 0);
}

TEST_CASE("causal_order: the reply overtakes the question, and waits for it") {
    const talk all = talked();
    auto p = one(3);
    p.gets(all.r);
    CHECK(p.told() == "");
    CHECK((*p).held() == 1);
    p.gets(all.q);
    CHECK(p.told() == "qr");
    CHECK((*p).held() == 0);
}
TEST_CASE("causal_order: whatever the order of arrival, causes come first") {
    const talk all = talked();
    std::vector<int> way{0, 1, 2, 3};
    std::size_t ways = 0;
    do {
        // Each sender's in its order.
        if (std::find(way.begin(), way.end(), 2) > std::find(way.begin(), way.end(), 3)) continue;
        auto p = one(3);
        for (const int i : way) p.gets(i == 0 ? all.q : i == 1 ? all.r : i == 2 ? all.s : all.t);
        CHECK(p.told() == "qrst");
        ++ways;
    } while (std::next_permutation(way.begin(), way.end()));
    CHECK(ways == 12);
}
TEST_CASE("causal_order: what has no cause waits for nothing, one's own neither") {
    const talk all = talked();
    auto p = one(3);
    p.gets(all.r);
    p.sends('x');
    CHECK(p.told() == "x");
    auto other = one(4);
    p.gets(other.sends('y'));
    CHECK(p.told() == "y");
}
TEST_CASE("causal_order: what is missed is no cause to wait for; through it the rest still is") {
    const talk all = talked();
    {
        auto p = one(3);
        p.gets(all.r);
        p.hears(missed<int>{0, 1});
        CHECK(p.told() == "(1 of 0)r");
    }
    {   // r is missed: that s follows from q is still known
        auto p = one(3);
        p.gets(all.s);
        p.hears(missed<int>{1, 1});
        CHECK(p.told() == "(1 of 1)");
        p.gets(all.q);
        CHECK(p.told() == "qs");
    }
    {   // and of whoever has missed r
        auto between = one(3);
        between.gets(all.q);
        between.hears(missed<int>{1, 1});
        between.gets(all.s);
        const sent x = between.sends('x');
        auto p = one(4);
        p.gets(x);
        p.hears(missed<int>{2, 1});
        p.hears(missed<int>{1, 1});
        CHECK(p.told() == "(1 of 2)(1 of 1)");
        p.gets(all.q);
        CHECK(p.told() == "qx");
    }
}
TEST_CASE("causal_order: a full buffer: what is held goes on, what it has waited for is missed") {
    const talk all = talked();
    auto p = one(3, {.held_max = 1});
    p.gets(all.r);
    p.gets(all.s);
    CHECK(p.told() == "(1 of 0)rs");
    p.gets(all.q);   // too late, and reported
    CHECK(p.told() == "");
    p.hears(missed<int>{0, 1});
    CHECK(p.told() == "(1 of 0)");   // that is the next
    CHECK((*p).held() == 0);
}
TEST_CASE("causal_order: a cause given up, which P reports as missed later, is missed once") {
    const talk all = talked();
    auto p = one(3, {.held_max = 1});
    p.gets(all.r);
    p.gets(all.s);
    CHECK(p.told() == "(1 of 0)rs");
    p.hears(missed<int>{0, 3});
    CHECK(p.told() == "(2 of 0)");
    p.gets(all.t);
    CHECK(p.told() == "t");
}
TEST_CASE("causal_order: in place, N senders and N messages") {
    const auto small = [] { return one(3, {}, inplace_storage<2>{}); };
    auto zero = one(0, {}, inplace_storage<2>{});
    auto p = small();
    p.gets(zero.sends('a'));
    CHECK(p.told() == "a");
    p.gets(one(1, {}, inplace_storage<2>{}).sends('b'));
    CHECK(p.told() == "!3(1 of 1)");
    p.gets(one(1, {}, inplace_storage<2>{}).sends('b'));
    p.hears(missed<int>{1, 2});
    CHECK(p.told() == "(1 of 1)(2 of 1)");
}
TEST_CASE("causal_order: a cause of somebody for whom there is no room: the effect is missed") {
    const talk all = talked();
    auto p = one(3, {.senders_max = 2});
    p.gets(all.q);
    p.gets(all.r);
    CHECK(p.told() == "q!3(1 of 1)");
    auto other = one(3, {.senders_max = 3});
    const sent x = one(0).sends('x');
    other.gets(one(2).sends('y'));
    other.gets(x);
    other.gets(all.r);
    CHECK(other.told() == "yx!4(1 of 1)");
}
TEST_CASE("causal_order: a sender's next life begins anew") {
    auto zero = one(0);
    auto other = one(1);
    const sent a = zero.sends('a');
    const sent b = zero.sends('b');
    auto again = one(0);
    again.comes_back(1);
    const sent c = again.sends('c');
    other.gets(a);
    other.gets(b);
    other.gets(c);
    const sent d = other.sends('d');
    auto p = one(3);
    p.gets(d);
    p.gets(a);
    p.gets(b);
    CHECK(p.told() == "ab");
    p.gets(c);
    CHECK(p.told() == "cd");
    // All of a former life is over when something of the next has come.
    auto late = one(3);
    late.gets(c);
    late.gets(a);
    CHECK(late.told() == "c");
    // It does not wait for messages of its own former life.
    again.gets(other.sends('e'));
    again.gets(d);
    CHECK(again.told() == "ce");
}
TEST_CASE("causal_order: who comes back begins, of each sender, with what it hears first") {
    const talk all = talked();
    auto p = one(3);
    p.comes_back(1);
    p.gets(all.r);
    p.gets(all.q);   // before that: it is not owed
    CHECK(p.told() == "r");
    p.gets(all.s);
    CHECK(p.told() == "s");
}
TEST_CASE("causal_order: what follows from messages that there never were is missed") {
    auto p = one(3);
    const sent x = p.sends('x');
    auto liar = one(1);
    liar.gets(x);
    sent lie = liar.sends('l');
    lie.payload.causes[0].end.next = 2;   // of 3, which has sent one
    p.gets(lie);
    CHECK(p.told() == "x(1 of 1)");
    p.sends('y');
    p.gets(liar.sends('m'));
    CHECK(p.told() == "ym");
}
TEST_CASE("causal_order: causes that go round in a circle: the oldest is missed when it is full") {
    auto one_liar = one(1);
    auto other = one(2);
    sent a = one_liar.sends('a');
    sent b = other.sends('b');
    a.payload.causes.push_back({2, b.payload.end});
    b.payload.causes.push_back({1, a.payload.end});
    auto p = one(3, {.held_max = 2});
    p.gets(a);
    p.gets(b);
    CHECK((*p).held() == 2);
    const talk all = talked();
    p.gets(all.r);   // it is old news of 1: ignored
    CHECK((*p).held() == 2);
    auto zero = one(0);
    auto fourth = one(4);
    fourth.gets(zero.sends('q'));
    p.gets(fourth.sends('f'));
    CHECK(p.told() == "(1 of 1)b");
    CHECK((*p).held() == 1);
}
TEST_CASE("causal_order: absurd ends and repetitions are ignored") {
    auto zero = one(0);
    const sent a = zero.sends('a');
    auto p = one(3);
    p.gets(a);
    p.gets(a);
    sent none = a;
    none.payload.end.next = 0;
    p.gets(none);
    CHECK(p.told() == "a");
}

namespace {

using viewed = hand_fed<char, ordering::fifo, view<int>, departed, expelled>;
fed_member<causal_order<viewed>> member_of(int id, std::uint64_t number) {
    fed_member m{causal_order<viewed>{viewed{id}}};
    m.hears(view<int>{number, {}});
    m.told();
    return m;
}

}  // namespace

TEST_CASE("causal_order: over views all begins anew with each; what is still held is dropped") {
    auto zero = member_of(0, 1);
    auto other = member_of(1, 1);
    const auto q = zero.sends('q');
    other.gets(q);
    const auto r = other.sends('r');
    auto p = member_of(3, 1);
    p.gets(r);
    p.hears(view<int>{2, {}});
    CHECK(p.told() == "|");
    CHECK((*p).held() == 0);
    CHECK((*p).dropped() == 1);
    // What was delivered in the last view is nothing to wait for in this one.
    other.hears(view<int>{2, {}});
    p.gets(other.sends('s'));
    CHECK(p.told() == "s");
    // Cast while the view changed: it names causes of another view.
    p.hears(view<int>{3, {}});
    auto stale = r;
    stale.payload.end.next = 7;
    p.gets(stale);
    CHECK(p.told() == "|r");
}
TEST_CASE("causal_order: over views, whoever is out has nothing held") {
    for (const bool expels : {false, true}) {
        auto zero = member_of(0, 1);
        auto other = member_of(1, 1);
        other.gets(zero.sends('q'));
        auto p = member_of(3, 1);
        p.comes_back(1);   // views tell when it is a member again: it owes the rest of that view
        p.gets(other.sends('r'));
        CHECK((*p).held() == 1);
        if (expels) p.hears(expelled{});
        else p.hears(departed{});
        CHECK(p.told() == "|");
        CHECK((*p).held() == 0);
        p.hears(view<int>{4, {}});
        p.gets(zero.sends('x'));
        CHECK(p.told() == "|x");
    }
}

namespace {

struct bit_count : observer {
    std::uint64_t last = 0;
    std::uint64_t messages = 0;
    template <class M>
    void sent(ticks, node, port, const M& m) {
        last = wire_bits(m);
        ++messages;
    }
};
/// Of the last broadcast, when all have sent one before.
template <class Group>
std::uint64_t bits_of_broadcast(std::size_t nodes) {
    std::vector<int> ids;
    for (std::size_t v = 0; v < nodes; ++v) ids.push_back(static_cast<int>(v));
    const complete net{nodes};
    events run{net, [&](node v) { return Group{views<int>{ids[v], peer_ids(net, v, ids), ids}}; },
               {}, bit_count{}};
    run.start_all();
    for (std::size_t i = 1; i <= 2 * nodes; ++i) {
        CHECK(run.call(i % nodes, request::broadcast<int>{7}) == answer::accepted);
        run.run();
        CHECK(run.watcher().messages == i * (nodes - 1));
    }
    return run.watcher().last;
}

}  // namespace

TEST_CASE("causal_order: costs no messages; bits for each sender that one has heard of") {
    const std::uint64_t bare = bits_of_broadcast<views<int>>(2);
    CHECK(bits_of_broadcast<views<int>>(5) == bare);
    // A life, a number, and the view's; of each other sender its id, life, and number.
    const std::uint64_t two = bits_of_broadcast<causal_order<views<int>>>(2);
    MESSAGE(bare, " bits; in causal order of two ", two);
    CHECK(two >= bare + 8 * (4 + 8 + 8) + 8 * (4 + 4 + 8));
    for (const std::size_t n : {3u, 5u, 8u})
        CHECK(bits_of_broadcast<causal_order<views<int>>>(n) == two + (n - 2) * 8 * (4 + 4 + 8));
}
