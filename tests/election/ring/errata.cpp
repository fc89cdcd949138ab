// SPDX-License-Identifier: MIT
// Rules for rings as lecture notes print them, each with the schedule that breaks it, beside ours.
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/renewed.hpp>
#include <caucus/election/ring/replacing.hpp>

#include <caucus/core/dispatch.hpp>
#include <caucus/layer/repaired_ring.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>
#include <support/returning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <variant>
#include <vector>

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

/// What a node ignores that has passed on the id maxID.
enum class ignored : std::uint8_t {
    lesser_election,   // but its own ELECTION, when it comes back, is a victory
    and_elected,
    and_its_own        // while the election lasts: later it is a victory
};

/// maxID: a node that has passed on an id ignores lesser ones.
template <ignored Rule>
struct printed_max_id {
    struct election { int candidate; };
    struct elected { int leader; };
    using message = std::variant<election, elected>;
    using timer = nothing;
    using outcome = nothing;
    static constexpr model assumes = {shape::one_way_ring, guarantee::reliable | guarantee::fifo};

    int self = 0;
    std::optional<int> max_seen = {};
    std::optional<int> follows = {};

    void start(auto& env) {
        if (max_seen) return;
        max_seen = self;
        env.send(next, election{self});
    }
    void on(election m, port, auto& env) {
        const bool lesser = max_seen && m.candidate < *max_seen;
        if (lesser && (m.candidate != self || Rule == ignored::and_its_own)) return;
        if (m.candidate == self) {
            max_seen = {};
            follows = self;
            return env.send(next, elected{self});
        }
        max_seen = std::max(m.candidate, self);
        env.send(next, election{*max_seen});
    }
    void on(elected m, port, auto& env) {
        if (m.leader == self) return;
        if (Rule != ignored::lesser_election && max_seen && m.leader < *max_seen) return;
        max_seen = {};
        follows = m.leader;
        env.send(next, m);
    }
    int id() const { return self; }
    bool is_leader() const { return follows == self; }
    std::optional<int> leader() const { return follows; }
    bool is_participant() const { return max_seen.has_value(); }
    static constexpr auto fields(auto& p) { return std::tie(p.self, p.max_seen, p.follows); }
};

/// 5, 1 and 9 on a ring that closes over the dead; 9 dies, comes back and starts.
template <class P>
verdict explored_with_a_return(std::vector<P> nodes) {
    using process = repaired_ring<support::returning<P>>;
    return explore(complete{3}, [nodes](node v) {
        return process{support::returning<P>{nodes[v]}};
    }, {.initiators = {0, 1}, .properties = {finally(support::followers_agree),
                                             sometimes(someone_leads)},
        .faults = {.crashes = 1, .amnesias = 1}, .perfect_detector = true});
}
template <ignored Rule>
verdict explored_with_a_return() {
    using printed = printed_max_id<Rule>;
    return explored_with_a_return(std::vector{printed{5}, printed{1}, printed{9}});
}

/// Remedy 1: the predecessor of k has seen ELECTION(k), and sees it again: k is dead, it takes the
/// message away and starts. ELECTED(k) ends with whoever has seen it.
struct printed_remedy {
    struct election { int candidate; };
    struct elected { int leader; };
    using message = std::variant<election, elected>;
    using timer = nothing;
    using outcome = nothing;

    int self = 0;
    int successor = 0;
    bool saw_successor = false;
    std::optional<int> follows = {};

    void on(election m, port, auto& env) {
        if (m.candidate == self) {
            follows = self;
            return env.send(next, elected{self});
        }
        const bool gone = m.candidate == successor && saw_successor;
        saw_successor = m.candidate == successor;
        env.send(next, election{gone ? self : std::max(m.candidate, self)});
    }
    void on(elected m, port, auto& env) {
        if (follows == m.leader) return;
        follows = m.leader;
        env.send(next, m);
    }
    std::optional<int> leader() const { return follows; }
};

/// A node that has the dead 9's message in hand when it starts; the ring has closed over 9.
template <class P, class First>
struct heir {
    using message = typename P::message;
    using timer = nothing;
    using outcome = typename P::outcome;

    P self;
    First in_hand;

    void start(auto& env) { self.on(in_hand, prev, env); }
    void on(const typename P::election& m, port from, auto& env) { self.on(m, from, env); }
    void on(const typename P::elected& m, port from, auto& env) { self.on(m, from, env); }
    auto leader() const { return self.leader(); }
    static constexpr auto fields(auto& p) { return std::tie(p.self, p.in_hand); }
};

/// 1, 2 and 3 survive; the node before the gap was 9's predecessor, or that one is dead, too.
template <class First>
verdict explored_with_heirs(First in_hand, bool predecessor_lives) {
    return explore(ring{3}, [=](node v) {
        const int successor = v == 2 && predecessor_lives ? 9 : v == 2 ? 8 : id_of(v) + 1;
        return heir<printed_remedy, First>{{id_of(v), successor}, in_hand};
    }, {.initiators = {0}, .properties = {finally([](const auto& g) {
            for (std::size_t v = 0; v < 3; ++v)
                if (g[v].leader() != 3) return false;
            return true;
        })}});
}

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

TEST_CASE("errata: maxID without ELECTED and one's own ELECTION: 9 comes back, wins, follows 5") {
    const auto election_alone = explored_with_a_return<ignored::lesser_election>();
    CHECK_FALSE(election_alone.holds);
    CHECK(election_alone.counterexample.size() == 16);
    const auto and_elected = explored_with_a_return<ignored::and_elected>();
    CHECK_FALSE(and_elected.holds);
    // With both: 1's short cut to 5, taken while 9 was away, is slower than all of 9's election.
    const auto both = explored_with_a_return<ignored::and_its_own>();
    CHECK_FALSE(both.holds);
    CHECK(both.counterexample.size() == 22);
    const auto fixed = explored_with_a_return(
        std::vector{replacing<int>{5}, replacing<int>{1}, replacing<int>{9}});
    CAPTURE(fixed.counterexample.text());
    CHECK(fixed.verified());
}

TEST_CASE("errata: remedy 1 by the predecessor alone: dead as well, ELECTION(9) goes on for ever") {
    CHECK(explored_with_heirs(printed_remedy::election{9}, true).verified());
    const auto v = explored_with_heirs(printed_remedy::election{9}, false);
    CHECK_FALSE(v.holds);
    CHECK(v.messages.most == never);
}

TEST_CASE("errata: remedy 1 that takes a second ELECTED(9) for the lap's end: all follow a dead") {
    const auto v = explored_with_heirs(printed_remedy::elected{9}, true);
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.how == "is false when all is over, after");
    CHECK(v.counterexample.size() == 3);
    using process = renewed<int>;
    const auto fixed = explore(ring{3}, [](node u) {
        return heir<process, process::elected>{process{id_of(u)}, {{}, 9}};
    }, {.initiators = {0}, .properties = {finally([](const auto& g) {
            return g[0].leader() == 3 && g[1].leader() == 3 && g[2].leader() == 3;
        })}});
    CHECK(fixed.verified());
}
