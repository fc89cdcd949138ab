// SPDX-License-Identifier: MIT
// Processes that differ in something that `fields` leaves out are one process to explore. What it
// can notice of that, it says.
#include <caucus/run/explore.hpp>

#include <doctest/doctest.h>

#include <caucus/topology/path.hpp>
#include <caucus/topology/ring.hpp>

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

using namespace caucus;

namespace {

/// A letter goes round. The secrets are not in `fields`, unless `Complete`.
template <bool Complete = false>
class secretive {
public:
    using message = int;
    using timer = nothing;
    using outcome = int;

    struct secrets {
        int greeting = 0;        // said at the start
        int patience = 9;        // letters after which it stops
        bool counts = false;     // letters, though nothing shows it, and stops at the second
        int unused = 0;
    };
    explicit secretive(secrets s) : secret_(s) {}

    void start(auto& env) { env.send(next, secret_.greeting); }
    void on(int, port, auto& env) {
        if (!secret_.counts && seen_ < 5) ++seen_;
        ++letters_;
        if (seen_ >= secret_.patience || (secret_.counts && letters_ == 2)) return;
        env.send(next, 0);
    }
    static constexpr auto fields(auto& self) {
        if constexpr (Complete)
            return std::tie(self.seen_, self.secret_.greeting, self.secret_.patience);
        else return std::tie(self.seen_);
    }

private:
    secrets secret_;
    int seen_ = 0;
    int letters_ = 0;
};
using secrets = secretive<>::secrets;

/// Explores a ring of three with these secrets.
std::string objection(secrets a, secrets b, secrets c) {
    const secrets all[] = {a, b, c};
    const verdict v = explore(ring{3}, [&](node u) { return secretive<>{all[u]}; },
                              {.initiators = {0}, .max_states = 1000});
    CHECK(v.holds == v.deterministic);
    CHECK(v.deterministic == v.counterexample.empty());
    return v.counterexample.text();
}

}  // namespace

TEST_CASE("explore: nodes that look the same and start differently are named, with the reason") {
    CHECK(objection({1}, {2}, {1}) ==
          "every handler does one thing for one input, but not start at nodes 0 and 1, which look "
          "the same, secretive{0}: their fields are incomplete\n");
    // Each of the others is compared, not just one of them.
    CHECK(objection({1}, {1}, {2}).find("start at nodes 0 and 2") != std::string::npos);
    CHECK(objection({2}, {1}, {1}).find("start at nodes 0 and ") != std::string::npos);
}

TEST_CASE("explore: nodes that look the same until the third letter are told apart then") {
    const std::string late = objection({0, 3}, {0, 9}, {0, 9});
    CHECK(late.find("but not 0 at nodes 0 and ") != std::string::npos);
    CHECK(late.find("secretive{2}: their fields are incomplete") != std::string::npos);
}

TEST_CASE("explore: a process that looks as it did before, and acts differently, is noticed") {
    const secrets counting{0, 9, true};
    CHECK(objection(counting, counting, counting)
              .find("0 at nodes 0 and 2, which look the same, secretive{0}: their fields") !=
          std::string::npos);
    const verdict alone = explore(ring{1}, [](node) { return secretive<>{{0, 9, true}}; },
                                  {.max_states = 1000});
    CHECK(alone.counterexample.how.find("0 at two processes, which look the same") !=
          std::string::npos);
}

TEST_CASE("explore: two makes of one node that look the same and act differently are noticed") {
    int calls = 0;
    const verdict v = explore(ring{1}, [&](node) { return secretive<>{{++calls}}; },
                              {.max_states = 1000});
    CHECK_FALSE(v.deterministic);
    CHECK(v.counterexample.how.find("start at two makes of node 0") != std::string::npos);
}

TEST_CASE("explore: what is left out and makes no difference is no reason to complain") {
    CHECK(objection({0, 9, false, 1}, {0, 9, false, 2}, {0, 9, false, 3}) == "");
    const auto make = [](node v) {
        return secretive<true>{{static_cast<int>(v.index), static_cast<int>(v.index) + 2}};
    };
    CHECK(explore(ring{3}, make, {.chains = true}).verified());
}

namespace {

/// Tosses a coin whose number of sides is no field, and looks the result up in as many places.
struct gambler {
    using message = nothing;
    using timer = nothing;
    using outcome = int;
    int won = 0;
    std::vector<int> prizes;

    void start(auto& env) { won = prizes.at(env.choose(prizes.size())); }
    static constexpr auto fields(auto& self) { return std::tie(self.won); }
};

/// Greets as many neighbours as it was told of, which is no field.
struct polite {
    using message = int;
    using timer = nothing;
    using outcome = nothing;
    bool greeted = false;
    std::size_t neighbours = 0;

    void start(auto& env) {
        for (std::size_t p = 0; p < neighbours; ++p) env.send(port{p}, 1);
        greeted = true;
    }
    void on(int, port, auto&) {}
    static constexpr auto fields(auto& self) { return std::tie(self.greeted); }
};

}  // namespace

TEST_CASE("explore: coins with more sides, or fewer, at nodes that look the same are noticed") {
    for (const bool fewer : {false, true}) {
        const verdict v = explore(ring{2}, [&](node u) {
            const bool three = (u.index == 0) == fewer;
            return gambler{0, three ? std::vector{5, 5, 5} : std::vector{5, 5}};
        });
        CHECK_FALSE(v.deterministic);
        CHECK(v.counterexample.text().find("start at nodes 1 and 0") != std::string::npos);
    }
}

TEST_CASE("explore: nobody is made to act with the links of another who looks the same") {
    const verdict v =
        explore(path{3}, [](node u) { return polite{false, u.index == 1 ? 2u : 1u}; });
    CHECK_FALSE(v.deterministic);   // as node 0 node 1 would greet one
    CHECK(v.counterexample.text().find("start at nodes 0 and 1") != std::string::npos);
    const auto right = [](node u) { return polite{false, u.index < 2 ? 1u : 0u}; };
    CHECK_FALSE(explore(ring{2}, [](node u) { return polite{false, u.index}; }).deterministic);
    CHECK(explore(path{2}, right).deterministic);
}
