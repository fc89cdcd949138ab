// SPDX-License-Identifier: MIT
#include <caucus/multicast/properties.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace caucus;

namespace {

using history = group_history<int, char>;
using outcome = std::variant<view<int>, delivered<int, char>, departed, expelled>;

view<int> seen(std::uint64_t number, std::vector<int> ids) {
    view<int> v{number, {}};
    for (const int id : ids) v.members.push_back({id, {}});
    return v;
}
/// What an application does and is told, in order.
struct teller {
    history h{};
    teller& saw(view<int> v) {
        h.hear(outcome{v});
        return *this;
    }
    teller& got(char c, int from) {
        h.hear(outcome{delivered<int, char>{from, c}});
        return *this;
    }
    teller& sent(char c) {
        h.asked(request::broadcast<char>{c}, answer::accepted);
        return *this;
    }
    teller& ended(outcome o) {
        h.hear(o);
        return *this;
    }
};
std::string broken(const history& a, const history& b, bool may_expel = false) {
    const char* words =
        history::judge{{{0, {}, &a}, {1, {}, &b}}}.broken(may_expel);
    return words == nullptr ? "" : std::string(words).substr(0, 2);
}
teller zero() { return teller{}.saw(seen(0, {0, 1})); }

}  // namespace

TEST_CASE("views_judge: a history as it should be; each promise is missed where it is broken") {
    const history sender = zero().got('a', 0).sent('a').saw(seen(1, {0, 1})).h;
    const history other = zero().got('a', 0).saw(seen(1, {0, 1})).h;
    CHECK(broken(sender, other).empty());
    CHECK(broken(sender, teller{}.saw(seen(0, {0, 2})).h) == "V0");
    CHECK(broken(sender, teller{}.saw(seen(1, {0, 1})).saw(seen(1, {0, 1})).h) == "V1");
    CHECK(broken(sender, teller{}.saw(seen(0, {1, 0})).h) == "V2");
    CHECK(broken(sender, zero().saw(seen(1, {0, 1})).h) == "V3");
    CHECK(broken(sender, zero().h).empty());                                // it is not that far
    CHECK(broken(sender, zero().saw(seen(2, {0, 1})).h).empty());           // nor together
    CHECK(broken(sender, zero().saw(seen(1, {0, 1})).got('a', 0).h) != "");
    CHECK(broken(sender, zero().got('b', 0).h) == "V4");                    // nobody sent it
    CHECK(broken(sender, zero().got('a', 0).got('a', 0).h) == "V4");        // twice
    CHECK(broken(sender, zero().got('a', 5).h) == "V4");                    // no member
    CHECK(broken(sender, teller{}.got('a', 0).h) == "V4");                  // in no view
    CHECK(broken(zero().sent('a').h, zero().h) == "V6");
    CHECK(broken(sender, zero().ended(expelled{}).h) == "so");
    CHECK(broken(sender, zero().ended(expelled{}).h, true).empty());
}
TEST_CASE("views_judge: in order, without gaps, in the view in which it was sent") {
    const history two = zero().got('a', 0).sent('a').got('b', 0).sent('b').h;
    CHECK(broken(two, zero().got('a', 0).got('b', 0).h).empty());
    CHECK(broken(two, zero().got('a', 0).h).empty());
    CHECK(broken(two, zero().got('b', 0).h) == "V4");
    CHECK(broken(two, zero().got('b', 0).got('a', 0).h) == "V4");
    CHECK(broken(two, zero().saw(seen(1, {0, 1})).got('a', 0).h) == "V4");
}
TEST_CASE("views_judge: whoever leaves and comes back has not gone on together with the others") {
    const history stayed = zero().got('a', 0).sent('a').saw(seen(1, {0, 1})).h;
    const history came_back = zero().ended(departed{}).saw(seen(1, {0, 1})).h;
    CHECK(broken(stayed, came_back).empty());
}
TEST_CASE("views_judge: of a life that nobody has recorded it says nothing") {
    const history got = zero().got('a', 0).h;
    CHECK(history::judge{{{1, {}, &got}}}.broken(false) == nullptr);
    const history later{};
    const auto other_life = incarnation{1};
    CHECK(history::judge{{{1, {}, &got}, {0, other_life, &later}}}.broken(false) == nullptr);
}

namespace {
/// "a" is sent; "0a" is delivered from 0.
deliveries<int, char> log_of(const std::string& story) {
    deliveries<int, char> log;
    int from = -1;
    for (const char c : story) {
        if (c >= '0' && c <= '9') from = c - '0';
        else if (from < 0) log.asked(request::broadcast<char>{c}, answer::accepted);
        else log.hear(delivered<int, char>{std::exchange(from, -1), c});
    }
    return log;
}
/// States as properties see them.
struct client_of_nobody {
    int self;
    deliveries<int, char> seen;
    int id() const { return self; }
    const deliveries<int, char>& log() const { return seen; }
};
struct states {
    std::vector<client_of_nobody> all;
    std::size_t nodes() const { return all.size(); }
    bool alive(std::size_t v) const { return v != 1; }
    const client_of_nobody& operator[](std::size_t v) const { return all[v]; }
};
states with(const std::string& zero, const std::string& dead, const std::string& two) {
    return {{{0, log_of(zero)}, {1, log_of(dead)}, {2, log_of(two)}}};
}
}  // namespace

TEST_CASE("keeps_deliveries, settles_deliveries: of clients, the dead judged for what they did") {
    const states fine = with("ab0a0b", "0a", "0a0b");
    const states odd = with("ab0a0b", "0b0a", "0a0b");
    const states early = with("ab0a0b", "", "0a");
    const states gap = with("ab0a0b", "", "0b");
    CHECK(keeps_deliveries{ordering::fifo}(fine));
    CHECK(settles_deliveries{}(fine));
    CHECK(keeps_deliveries{}(odd));
    CHECK_FALSE(keeps_deliveries{ordering::fifo}(odd));
    CHECK(settles_deliveries{}(odd));
    CHECK(keeps_deliveries{ordering::fifo}(early));
    CHECK_FALSE(settles_deliveries{}(early));
    CHECK_FALSE(keeps_deliveries{ordering::fifo}(gap));
    CHECK(keeps_deliveries{ordering::fifo, false}(gap));
}
