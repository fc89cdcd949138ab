// SPDX-License-Identifier: MIT
#include <caucus/multicast/deliveries.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

using namespace caucus;

namespace {

using history = deliveries<int, char>;
using judge = history::judge;
using outcome = std::variant<view<int>, delivered<int, char>, departed, expelled>;

static_assert(std::is_same_v<deliveries_log::of<outcome>, history>);
static_assert(std::is_same_v<deliveries_log::of<delivered<int, char>>, history>);

/// What an application does and is told: "a" is sent; "0a" is delivered from 0; "|" is a new view,
/// "!" and "-" the end of its stay, expelled or not.
history told(const std::string& story, std::uint32_t lived = 0) {
    history h;
    if (lived != 0) h.came_back(incarnation{lived});
    std::uint64_t views = 0;
    int from = -1;
    for (const char c : story) {
        if (c == ' ') continue;
        if (c >= '0' && c <= '9') from = c - '0';
        else if (c == '|') h.hear(outcome{view<int>{++views, {}}});
        else if (c == '!') h.hear(outcome{expelled{}});
        else if (c == '-') h.hear(outcome{departed{}});
        else if (from < 0) h.asked(request::broadcast<char>{c}, answer::accepted);
        else h.hear(outcome{delivered<int, char>{std::exchange(from, -1), c}});
    }
    return h;
}
/// Ids 0, 1, …; all live.
struct group {
    std::vector<history> logs;
    std::size_t dead = 9;

    judge judged() const {
        std::vector<judge::witness> all;
        for (std::size_t v = 0; v < logs.size(); ++v)
            all.push_back({static_cast<int>(v), logs[v].lived(), &logs[v], v != dead});
        return judge{all};
    }
    std::string broken(ordering o, bool without_gaps = true) const {
        const char* words = judged().broken(o, without_gaps);
        return words == nullptr ? "" : words;
    }
};
group three(const std::string& zero, const std::string& one, const std::string& two) {
    return {{told(zero), told(one), told(two)}};
}

constexpr ordering orders[] = {ordering::any, ordering::fifo, ordering::causal, ordering::total};

}  // namespace

TEST_CASE("deliveries_judge: a question, then its reply, everywhere: nothing is broken") {
    const group g = three("q 0q 1r", "0q r 1r", "0q 1r");
    for (const ordering o : orders) CHECK(g.broken(o) == "");
    CHECK(g.judged().unsettled() == nullptr);
    CHECK(g.logs[0].sent() == 1);
    CHECK(g.logs[0].delivered() == 2);
}
TEST_CASE("deliveries_judge: a message that is delivered twice, or that nobody has sent") {
    CHECK(three("a 0a", "0a 0a", "").broken(ordering::any) ==
          "integrity: one was delivered twice");
    CHECK(three("a 0a", "0b", "").broken(ordering::any) ==
          "integrity: one was delivered that nobody had sent");
    CHECK(three("a 0a", "1a", "").broken(ordering::any) ==
          "integrity: one was delivered that nobody had sent");
    CHECK(three("", "8a", "").broken(ordering::any) != "");   // nobody has that id
}
TEST_CASE("deliveries_judge: each sender's messages in its order, and without gaps") {
    const group reversed = three("ab 0a 0b", "0b 0a", "");
    CHECK(reversed.broken(ordering::any) == "");
    CHECK(reversed.broken(ordering::fifo) == "fifo: not as sent");
    CHECK(reversed.broken(ordering::causal) == "causal: an effect before its cause");
    const group gap = three("abc 0a 0b 0c", "0a 0c", "");
    CHECK(gap.broken(ordering::fifo, false) == "");
    CHECK(gap.broken(ordering::fifo) == "fifo: one is missing before");
    CHECK(gap.broken(ordering::causal, false) == "");
    CHECK(gap.broken(ordering::causal) == "causal: a cause is missing");
    CHECK(three("abc 0a 0b 0c", "0a 0b", "").broken(ordering::fifo) == "");
    CHECK(three("a 0a", "b 1b 0a", "0a 1b").broken(ordering::fifo) == "");
}
TEST_CASE("deliveries_judge: a reply before its question, though each sender's order is kept") {
    const group g = three("q 0q 1r", "0q r 1r", "1r 0q");
    CHECK(g.broken(ordering::fifo) == "");
    CHECK(g.broken(ordering::causal) == "causal: an effect before its cause");
    const group lost = three("q 0q 1r", "0q r 1r", "1r");
    CHECK(lost.broken(ordering::causal, false) == "");
    CHECK(lost.broken(ordering::causal) == "causal: a cause is missing");
    // Sent before the question was delivered there: no reply.
    CHECK(three("q 0q 1r", "r 0q 1r", "1r 0q").broken(ordering::causal) == "");
}
TEST_CASE("deliveries_judge: what follows from what follows, not seen in between") {
    const group g = {{told("a 0a"), told("0a b 1b"), told("1b c 2c"), told("2c 0a")}};
    CHECK(g.broken(ordering::causal, false) == "causal: an effect before its cause");
    const group kept = {{told("a 0a"), told("0a b 1b"), told("1b c 2c"), told("0a 2c")}};
    CHECK(kept.broken(ordering::causal, false) == "");
}
TEST_CASE("deliveries_judge: one's own may be delivered before the answer that it is sent") {
    // 0 has sent `q`, not in reply to `x`, which it is delivered between that and the answer.
    CHECK(three("0q 1x q", "x 1x 0q", "0q 1x").broken(ordering::causal) == "");
    CHECK(three("1x 0q q", "x 1x 0q", "0q 1x").broken(ordering::causal) ==
          "causal: an effect before its cause");
}
TEST_CASE("deliveries_judge: any two deliver what both deliver in the same order") {
    const group g = three("a 0a 1b", "b 1b 0a", "");
    CHECK(g.broken(ordering::causal) == "");
    CHECK(g.broken(ordering::total) == "total: two have another order");
    CHECK(three("a 0a 1b", "b 0a 1b", "0a").broken(ordering::total) == "");
    const group gap = three("a 0a 1b", "b 0a 1b", "1b");
    CHECK(gap.broken(ordering::total, false) == "");
    CHECK(gap.broken(ordering::total) == "total: one is missing between");
    CHECK(three("a 0a", "b 1b", "").broken(ordering::total, false) == "");
    CHECK(three("a 0a", "b 1b", "").broken(ordering::total) != "");
}
TEST_CASE("deliveries_judge: at the end all live ones have been delivered the same") {
    const std::string words = "agreement: two live ones were delivered other messages";
    group g = three("a 0a", "0a", "");
    CHECK(g.judged().unsettled() == words);
    g.dead = 2;
    CHECK(g.judged().unsettled() == nullptr);
    CHECK(three("a 0a 1b", "b 0a 1b", "1b 0a").judged().unsettled() == nullptr);
    CHECK(three("a 0a 1b", "b 0a 1b", "1b").judged().unsettled() == words);
}
TEST_CASE("deliveries_judge: whatever a live one sent is delivered to it, if it lives") {
    group g = three("a", "", "");
    CHECK(std::string(g.judged().unsettled()) ==
          "validity: one was not delivered to its live sender");
    g.dead = 0;
    CHECK(g.judged().unsettled() == nullptr);
}
TEST_CASE("deliveries_judge: in another view nothing is missed") {
    CHECK(three("|a 0a |b 0b", "|||", "||0b").broken(ordering::causal) == "");
    CHECK(three("|a 0a |b 0b", "|||", "||0b").judged().unsettled() == nullptr);
    CHECK(three("|a 0a b 0b", "", "|0b").broken(ordering::fifo) != "");
    CHECK(three("|a 0a b 0b", "", "|0b").broken(ordering::causal) != "");
    CHECK(three("|a 0a b 0b |", "|0a", "").broken(ordering::total) == "");
    CHECK(three("|a 0a | c 0c", "|0a | 0c", "").judged().unsettled() == nullptr);
    CHECK(three("|a 0a | c 0c", "|0a |", "").judged().unsettled() != nullptr);
    CHECK(three("|a 0a 1b |", "|b 0a 1b |", "||").broken(ordering::total) == "");
}
TEST_CASE("deliveries_judge: who is out is asked for nothing at the end, nor for past stays") {
    CHECK(three("|a 0a", "|!", "|-").judged().unsettled() == nullptr);
    CHECK(three("|a !", "", "").judged().unsettled() == nullptr);
    CHECK(three("|a !|", "", "").judged().unsettled() == nullptr);
    CHECK(three("|a !|b", "", "").judged().unsettled() != nullptr);
}
TEST_CASE("deliveries_judge: of a life that nobody has recorded it says nothing") {
    group g{{told("b 0b", 1), told("0a 0b")}};
    CHECK(g.broken(ordering::causal) == "");
    g.logs[0] = told("b 0b");
    CHECK(g.broken(ordering::causal) == "integrity: one was delivered that nobody had sent");
    const history before = told("a 0a");
    const history later = told("b 0b", 1);
    const history other = told("0a 0b 0c");
    CHECK(judge{{{0, incarnation{0}, &before}, {0, incarnation{1}, &later}, {1, {}, &other}}}
              .broken(ordering::any, true) != nullptr);
}
TEST_CASE("deliveries_judge: a later life in a group without views has come too late for some") {
    const group g{{told("ab 0a 0b"), told("0b", 1)}};
    for (const ordering o : orders) CHECK(g.broken(o) == "");
    CHECK(g.judged().unsettled() == nullptr);
    // But not in the wrong order.
    const group reversed{{told("ab 0a 0b"), told("0b 0a", 1)}};
    CHECK(reversed.broken(ordering::fifo) != "");
    CHECK(reversed.broken(ordering::total) != "");
}
