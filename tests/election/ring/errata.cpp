// SPDX-License-Identifier: MIT
// Rules for rings as lecture notes print them, each with the schedule that breaks it, beside ours.
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/renewed.hpp>
#include <caucus/election/ring/replacing.hpp>

#include <caucus/core/dispatch.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <optional>
#include <tuple>

using namespace caucus;

namespace {

int id_of(node v) { return static_cast<int>(v.index) + 1; }

/// T_v, the asynchronous form: forward what beats T_v, or anything while T_v is not initialised;
/// a node may initialise itself at any time.
struct printed_max_seen {
    using message = int;
    using timer = nothing;
    using outcome = nothing;

    int self = 0;
    std::optional<int> seen = {};
    bool leads = false;

    void start(auto& env) {
        seen = self;
        env.send(next, self);
    }
    void on(int candidate, port, auto& env) {
        if (candidate == self) {
            leads = true;
        } else if (!seen || candidate > *seen) {
            seen = candidate;
            env.send(next, candidate);
        }
    }
    int id() const { return self; }
    bool is_leader() const { return leads; }
    std::optional<int> leader() const { return leads ? std::optional{self} : std::nullopt; }
};

printed_max_seen printed(node v) { return {id_of(v)}; }
auto ours(node v) { return chang_roberts{id_of(v), max_seen{}, silent{}}; }

/// So many nodes believe that they lead.
struct leaders_are {
    std::size_t count;
    bool operator()(const auto& g) const {
        std::size_t leaders = 0;
        for (std::size_t v = 0; v < g.nodes(); ++v) leaders += g[v].is_leader();
        return leaders == count;
    }
};

/// A survivor: it has passed on what the dead 9 had sent, which was then taken off the ring; now
/// its detector speaks, to those who listen, and it starts.
template <class P>
struct bereaved {
    using message = typename P::message;
    using timer = nothing;
    using outcome = typename P::outcome;

    P self;
    typename P::election last_words;

    struct nowhere {
        std::size_t degree() const { return 1; }
        void send(port, const message&) {}
        void broadcast(const message&) {}
        void report(const outcome&) {}
    };

    void start(auto& env) {
        nowhere gone;
        self.on(last_words, prev, gone);
        tell(self, suspect{next}, env);
        self.start(env);
    }
    void on(const typename P::election& m, port from, auto& env) { self.on(m, from, env); }
    void on(const typename P::elected& m, port from, auto& env) { self.on(m, from, env); }

    int id() const { return self.id(); }
    bool is_leader() const { return self.is_leader(); }
    auto leader() const { return self.leader(); }
    static constexpr auto fields(auto& p) { return std::tie(p.self, p.last_words); }
};

}  // namespace

TEST_CASE("errata: T_v adopts a smaller id while uninitialised: the best sleeper loses, n = 2") {
    const auto v = explore(ring{2}, printed, {.initiators = {0},
                                              .properties = {always(the_best_leads)}});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 2);        // 2 passes 1 on, and 1 is home
    const auto fixed = explore(ring{2}, ours, {.initiators = {0},
                                               .properties = {always(the_best_leads),
                                                              sometimes(someone_leads)}});
    CHECK(fixed.verified());
}

TEST_CASE("errata: T_v may be initialised after it was reached: up to n leaders, n = 2, 3") {
    for (const std::size_t n : {std::size_t{2}, std::size_t{3}}) {
        CAPTURE(n);
        const auto v = explore(ring{n}, printed, {.properties = {always(at_most_one_leader)},
                                                  .starting = starting::any_time,
                                                  .orders = all_permutations});
        CHECK_FALSE(v.holds);
        CHECK(explore(ring{n}, printed, {.properties = {sometimes(leaders_are{n})},
                                         .starting = starting::any_time,
                                         .orders = all_permutations}).verified());
        const auto fixed = explore(ring{n}, ours, {.initiators = any_subset,
                                                   .properties = {always(at_most_one_leader),
                                                                  always(the_best_leads),
                                                                  sometimes(someone_leads),
                                                                  finally(leaders_are{1})},
                                                   .starting = starting::any_time,
                                                   .orders = all_permutations});
        CHECK(fixed.verified());
    }
}

TEST_CASE("errata: maxID outlives a dead candidate: nobody starts again, with an epoch all do") {
    const auto v = explore(ring{3}, [](node u) {
        return bereaved<replacing<int>>{replacing{id_of(u)}, {9}};
    }, {.initiators = any_subset, .properties = {finally(someone_leads)},
        .orders = all_permutations});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 0);        // it is over before it has begun
    const auto fixed = explore(ring{3}, [](node u) {
        return bereaved<renewed<int, detector>>{renewed<int, detector>{id_of(u), {}}, {{}, 9}};
    }, {.initiators = any_subset,
        .properties = {always(at_most_one_leader), always(the_best_leads), finally(all_agree),
                       sometimes(someone_leads)},
        .orders = all_permutations});
    CAPTURE(fixed.counterexample.text());
    CHECK(fixed.verified());
}
