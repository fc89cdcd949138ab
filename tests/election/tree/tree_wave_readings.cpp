// SPDX-License-Identifier: MIT
// What goes wrong if tree_wave's rules are taken as the lecture notes put them.
#include <caucus/core/process.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/star.hpp>

#include <doctest/doctest.h>
#include <support/instances.hpp>

#include <cstdint>
#include <optional>
#include <tuple>
#include <variant>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

/// The same waves, read in two wrong ways: only an explosion makes a leaf contract; or what has
/// contracted to it is written down before it wakes.
enum class reading : std::uint8_t { leaf_answers, records_first };
template <reading Reading>
struct flawed {
    struct explosion {};
    struct contraction {};
    using message = std::variant<explosion, contraction>;
    using timer = nothing;
    using outcome = nothing;

    bool awake = false;
    std::uint32_t contracted = 0;   // a bit a port
    std::optional<port> inward;
    bool decided = false;

    void start(auto& env) {
        if (!awake) wake(std::nullopt, env);
    }
    void on(explosion, port from, auto& env) {
        if (!awake) wake(from, env);
        if (Reading == reading::leaf_answers && env.degree() == 1) contract(env);
    }
    void on(contraction, port from, auto& env) {
        if (Reading == reading::leaf_answers && !awake) wake(from, env);
        contracted |= 1u << from.index();
        if (Reading == reading::records_first && !awake) wake(from, env);
        if (inward == from) decided = true;
        else contract(env);
    }
    void wake(std::optional<port> waker, auto& env) {
        awake = true;
        if (Reading == reading::leaf_answers || env.degree() > 1)
            for (const port p : ports(env.degree()))
                if (p != waker) env.send(p, explosion{});
        if (Reading == reading::records_first) contract(env);
    }
    void contract(auto& env) {
        if (inward) return;
        std::vector<port> left;
        for (const port p : ports(env.degree()))
            if ((contracted >> p.index() & 1) == 0) left.push_back(p);
        if (left.size() != 1) return;
        inward = left[0];
        env.send(left[0], contraction{});
    }
    static constexpr auto fields(auto& p) {
        return std::tie(p.awake, p.contracted, p.inward, p.decided);
    }
};

struct someone_decides {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].decided) return true;
        return false;
    }
};

}  // namespace

TEST_CASE("tree_wave: 'a leaf answers an explosion' alone: no decision if a leaf is the only "
          "initiator, on P2, P3, P4 and S4") {
    const auto read = [](auto t, std::size_t initiator) {
        return explore(t, [](node) { return flawed<reading::leaf_answers>{}; },
                       {.initiators = {initiator}, .properties = {finally(someone_decides{})}});
    };
    for (const std::size_t n : sizes{2, 3, 4}) {
        const verdict v = read(path{n}, 0);
        CHECK_FALSE(v.holds);
        CHECK(v.counterexample.how == "is false when all is over, after");
    }
    CHECK_FALSE(read(star{4}, 1).holds);
    CHECK(read(path{3}, 1).verified());   // inside, the rule will do
    CHECK(read(star{4}, 0).verified());
}

TEST_CASE("tree_wave: a contraction recorded before waking: n = 2 deadlocks, if leaves do not "
          "explode and one starts") {
    const auto make = [](node) { return flawed<reading::records_first>{}; };
    const auto read = [&](initiators who) {
        return explore(path{2}, make,
                       {.initiators = who, .properties = {finally(someone_decides{})}});
    };
    const verdict v = read({0});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 1);   // node 1 hears of 0, and has nobody left to tell
    CHECK(read(all).verified());
}
