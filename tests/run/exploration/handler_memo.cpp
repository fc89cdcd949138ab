// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/handler_memo.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace caucus;
using namespace caucus::exploration;

namespace {

/// Tosses as many coins as its `sides` say, one after the other; becomes the number they spell.
struct tosser : private numbering, handler_memo {
    explicit tosser(std::vector<std::uint32_t> s, bool f = false)
        : handler_memo({}, nothing(), nothing(), nothing()), coins(std::move(s)), fickle(f) {}
    const numbering& nothing() const { return *this; }

    std::uint32_t made(node v) override { return static_cast<std::uint32_t>(v.index); }
    void print_process(std::string& to, std::uint32_t index) const override {
        to += "process " + std::to_string(index);
    }
    void print_message(std::string& to, std::uint32_t index) const override {
        to += "message " + std::to_string(index);
    }
    void print_timer(std::string& to, std::uint32_t index) const override {
        to += "timer " + std::to_string(index);
    }
    ending once(std::uint32_t process, std::size_t, stimulus, std::vector<std::uint32_t>& script,
                std::vector<std::uint32_t>& sides) override {
        script.resize(coins.size(), 0);
        sides = coins;
        ending e;
        e.coins = script;
        e.process = fickle ? ++calls : process;
        for (const std::uint32_t side : script) e.process = e.process * 10 + side;
        return e;
    }

    std::vector<std::uint32_t> coins;
    bool fickle;
    std::uint32_t calls = 0;
};

}  // namespace

TEST_CASE("handler_memo: every way the coins can fall, in order, each tried twice, then known") {
    tosser t{{2, 3}};
    const stimulus in{stimulus::kind::arrival, 1, 5};
    CHECK(t.endings(1, 2, in, false) == nullptr);
    const auto* all_endings = t.endings(1, 2, in, true);
    std::vector<std::uint32_t> spelt;
    for (const ending& e : *all_endings) spelt.push_back(e.process);
    CHECK(spelt == std::vector<std::uint32_t>{100, 101, 102, 110, 111, 112});
    CHECK(t.runs() == 12);
    CHECK(t.endings(1, 2, in, false) == all_endings);
    CHECK_FALSE(t.is_nondeterministic());
}

TEST_CASE("handler_memo: another process, degree, port, value, kind or life is another question") {
    tosser t{{}};
    const stimulus in{stimulus::kind::arrival, 1, 5, 0};
    REQUIRE(t.endings(1, 2, in, true) != nullptr);
    CHECK(t.endings(2, 2, in, false) == nullptr);
    CHECK(t.endings(1, 3, in, false) == nullptr);
    CHECK(t.endings(1, 2, {stimulus::kind::arrival, 2, 5, 0}, false) == nullptr);
    CHECK(t.endings(1, 2, {stimulus::kind::arrival, 1, 6, 0}, false) == nullptr);
    CHECK(t.endings(1, 2, {stimulus::kind::expiry, 1, 5, 0}, false) == nullptr);
    CHECK(t.endings(1, 2, {stimulus::kind::arrival, 1, 5, 1}, false) == nullptr);
    CHECK(t.endings(1, 2, in, false) != nullptr);
}

TEST_CASE("handler_memo: one that does two things for one input is found out, and named") {
    using kind = stimulus::kind;
    const std::pair<kind, std::string> inputs[] = {
        {kind::start, "start"},     {kind::arrival, "message 5"}, {kind::expiry, "timer 5"},
        {kind::suspect, "suspect"}, {kind::trust, "trust"},       {kind::recovered, "recovered"}};
    for (const auto& [what, name] : inputs) {
        tosser t{{}, true};
        t.endings(1, 2, {what, 0, 5}, true);
        CHECK(t.is_nondeterministic());
        CHECK(t.nondeterministic_handler() == name + " at process 1");
    }
}
