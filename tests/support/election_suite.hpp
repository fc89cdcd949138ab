// SPDX-License-Identifier: MIT
#pragma once

#include <archetypes.hpp>
#include <caucus/core/dispatch.hpp>
#include <caucus/election/properties.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <doctest/doctest.h>
#include <support/instances.hpp>
#include <support/ring_runs.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <type_traits>
#include <vector>

// What every election by ids must do, on the network that it is made for. `Make` is an `electing`
// from instances.hpp: the election with its policies. What does not depend on the type of the
// processes is no template: it is compiled once for all elections of a test.

namespace support {

template <class Make>
using process_of = std::invoke_result_t<const Make&, caucus::node>;

/// The network of n nodes that an election is made for.
template <class P>
constexpr auto network_for(std::size_t n) {
    constexpr caucus::shape kind = P::assumes.topology;
    if constexpr (kind == caucus::shape::two_way_ring) return caucus::two_way_ring{n};
    else if constexpr (kind == caucus::shape::complete) return caucus::complete{n};
    else return caucus::ring{n};
}

// Shape

/// By the card, an election that nobody starts costs neither messages nor time.
template <class P>
consteval bool costs_nothing_unstarted() {
    const auto nothing = [](const caucus::cost& c) { return c.least == 0 && c.most == 0; };
    const caucus::size nobody{.nodes = 5};
    if constexpr (requires { P::time(nobody); })
        if (!nothing(P::time(nobody))) return false;
    return nothing(P::messages(nobody));
}

/// Who leads, if all agree and the cost is as proven, else 0; for a static_assert.
/// All start, or some.
template <class Make>
constexpr int elected_at_compile_time(const std::vector<int>& ids, const sizes& starters = {}) {
    caucus::rounds sim{network_for<process_of<Make>>(ids.size()), Make{ids}};
    if (starters.empty()) sim.start_all();
    for (const std::size_t v : starters) sim.start(v);
    const caucus::report r = sim.run();
    for (std::size_t v = 0; v < ids.size(); ++v)
        if (sim[v].leader() != sim[0].leader()) return 0;
    return r.within_proven() && sim[0].leader() ? *sim[0].leader() : 0;
}

/// It asks for no more than the least environment, id and preference: of two nodes the one ranked 1
/// leads. Gives how many messages each has sent.
template <template <class...> class Election>
sizes check_archetypes(const sizes& starters) {
    using P = Election<archetype::id, archetype::by_rank>;
    const caucus::port inlet =
        P::assumes.topology == caucus::shape::complete ? caucus::port{0} : caucus::prev;
    archetype::environment<P> from[2];
    P nodes[] = {P{archetype::id::ranked(1), archetype::by_rank{-1}},
                 P{archetype::id::ranked(2), archetype::by_rank{-1}}};
    for (auto& env : from) env.ports = 1;
    for (const std::size_t v : starters) nodes[v].start(from[v]);
    sizes read(2);
    for (std::size_t v = 0; read[0] + read[1] < from[0].outbox.size() + from[1].outbox.size();
         v = 1 - v) {
        if (read[v] == from[v].outbox.size()) continue;
        const auto letter = from[v].outbox[read[v]++];
        caucus::dispatch(nodes[1 - v], letter.message, inlet, from[1 - v]);
    }
    CHECK(nodes[0].is_leader());
    CHECK(nodes[1].leader() == archetype::id::ranked(1));
    return read;
}

// One run

inline void check_quiet(const caucus::report& r) {
    REQUIRE(r.stopped == caucus::stop::quiescent);
}
inline void check_cost(const caucus::report& r) { CHECK(r.within_proven()); }
inline void check_contains(const caucus::cost& card, std::uint64_t found) {
    CAPTURE(found);
    CHECK(card.contains(found));
}
caucus::report run_from(auto& sim, const sizes& starters) {
    for (const std::size_t v : starters) sim.start(v);
    return sim.run();
}

/// On `rounds`, all of `starters` in round 0.
template <class Make>
caucus::report in_rounds(const Make& make, const sizes& starters) {
    caucus::rounds sim{network_for<process_of<Make>>(make.ids.size()), make};
    return run_from(sim, starters);
}
template <class Make>
caucus::report in_rounds(const Make& make) {
    return in_rounds(make, everybody(make.ids.size()));
}

/// The whole contract on `rounds`: it ends, the right one leads, at proven cost and in proven time.
template <class Make>
caucus::report check_in_rounds(const Make& make, const sizes& starters, int expected) {
    using process = process_of<Make>;
    caucus::rounds sim{network_for<process>(make.ids.size()), make};
    const caucus::report r = run_from(sim, starters);
    check_quiet(r);
    check_cost(r);
    if constexpr (requires { process::time(r.size); })
        check_contains(process::time(r.size), r.rounds);
    check_elected(sim, expected);
    return r;
}
/// The same on `events`, where time is as the delays are, and perhaps the cost as the faults are.
template <class Make>
caucus::report check_despite_faults(const Make& make, const sizes& starters, int expected,
                                    const caucus::events_options& options) {
    caucus::events net{network_for<process_of<Make>>(make.ids.size()), make, options};
    const caucus::report r = run_from(net, starters);
    check_quiet(r);
    check_elected(net, expected);
    return r;
}
template <class Make>
caucus::report check_in_events(const Make& make, const sizes& starters, int expected,
                               const caucus::events_options& options) {
    const caucus::report r = check_despite_faults(make, starters, expected, options);
    check_cost(r);
    return r;
}

/// Every message comes twice: the winner and a loser report once, and send so many.
template <class P>
void check_repeated_by_hand(std::size_t sent_by_winner, std::size_t sent_by_loser) {
    P winner{5};
    notes<P> env;
    winner.start(env);
    winner.start(env);
    CHECK(env.out.size() == 1);
    for (int twice = 0; twice < 2; ++twice)
        winner.on(typename P::election{5}, caucus::prev, env);
    for (int twice = 0; twice < 2; ++twice) winner.on(typename P::elected{5}, caucus::prev, env);
    CHECK(env.out.size() == sent_by_winner);
    CHECK(env.told == 1);
    P loser{3};
    notes<P> other;
    for (int twice = 0; twice < 2; ++twice) loser.on(typename P::elected{5}, caucus::prev, other);
    CHECK(other.out.size() == sent_by_loser);
    CHECK(other.told == 1);
}

// Many runs

/// Who should lead: best_of (instances.hpp) those that start, or the best of all.
using right_leader = int (*)(const std::vector<int>& ids, const sizes& starters);
inline int best_of_all(const std::vector<int>& ids, const sizes&) {
    return *std::max_element(ids.begin(), ids.end());
}

/// Every order of up to n_most ids, every set of starters.
inline void each_order_and_start(
    std::size_t n_most, const std::function<void(const std::vector<int>&, const sizes&)>& visit) {
    for (std::size_t n = 1; n <= n_most; ++n)
        each_permutation(n, [&](const std::vector<int>& ids) {
            each_subset(n, [&](const sizes& starters) { visit(ids, starters); });
        });
}
template <class Make>
void check_every_start(std::size_t n_most, right_leader expected) {
    each_order_and_start(n_most, [&](const std::vector<int>& ids, const sizes& starters) {
        check_in_rounds(Make{ids}, starters, expected(ids, starters));
    });
}

/// Every order of the ids 1 … n up to rotation: n stands at node 0.
inline void each_ring(std::size_t n, const std::function<void(const std::vector<int>&)>& visit) {
    each_permutation(n - 1, [&](std::vector<int> ids) {
        ids.insert(ids.begin(), static_cast<int>(n));
        visit(ids);
    });
}

/// A random ring, some that start at once, and how messages travel.
struct random_run {
    std::vector<int> ids;
    sizes starters;
    caucus::events_options how;
};
enum class links : std::uint8_t { fifo, fifo_or_not };
/// For every seed, up to n_most nodes, with delays of every temper.
inline void each_random_run(std::uint64_t seeds, std::size_t n_most, links kind,
                            const std::function<void(const random_run&)>& visit) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        CAPTURE(seed);
        caucus::random_source dice{seed};
        const std::size_t n = 1 + dice.below(n_most);
        random_run run{shuffled(n, seed), some_of(n, dice), {.seed = seed}};
        for (const caucus::delay_model& delay : every_delay())
            for (const bool fifo : {true, false}) {
                if (!fifo && kind == links::fifo) continue;
                run.how.delay = delay;
                run.how.fifo = fifo;
                visit(run);
            }
    }
}
/// Sees which ids are candidates.
struct candidates : caucus::observer {
    std::set<int>* seen = nullptr;
    void sent(caucus::ticks, caucus::node, caucus::port, const auto& m) {
        if constexpr (requires { m.candidate; }) seen->insert(m.candidate);
    }
};
/// Starts that are late, some of them too late: the best of those that were in time leads. Gives
/// how often that was not the best of all; 100 rings of up to 12 nodes, every temper of delays.
template <class Make>
std::size_t check_late_starts() {
    std::size_t late = 0;
    each_random_run(100, 12, links::fifo, [&](const random_run& run) {
        const std::size_t n = run.ids.size();
        std::set<int> seen;
        candidates watch;
        watch.seen = &seen;
        caucus::events net{network_for<process_of<Make>>(n), Make{run.ids}, run.how, watch};
        for (std::size_t i = 0; i <= n; ++i) {
            net.start(caucus::random_source{caucus::mix(run.how.seed, i)}.below(n));
            net.run_for(i % 3);
        }
        const caucus::report r = net.run();
        check_quiet(r);
        check_cost(r);
        check_equal(seen.size(), r.size.initiators);
        check_elected(net, *seen.rbegin());
        late += *seen.rbegin() != static_cast<int>(n);
    });
    return late;
}

// Every schedule

template <class P>
std::vector<caucus::property<P>> one_leads() {
    return {caucus::always(caucus::at_most_one_leader), caucus::sometimes(caucus::someone_leads),
            caucus::finally(caucus::all_agree)};
}
template <class P>
std::vector<caucus::property<P>> the_best_one_leads() {
    std::vector<caucus::property<P>> all = one_leads<P>();
    all.push_back(caucus::always(caucus::the_best_leads));
    return all;
}

inline void check_verified(const caucus::verdict& v) {
    CAPTURE(v.counterexample.text());
    CHECK(v.verified());
}
/// The ids are 1 … n in this order, unless the options say in which.
template <class Make>
caucus::verdict explored(std::size_t n,
                         const caucus::explore_options<process_of<Make>>& options) {
    return caucus::explore(network_for<process_of<Make>>(n), Make{ascending(n)}, options);
}
template <class Make>
caucus::verdict check_explored(std::size_t n,
                               const caucus::explore_options<process_of<Make>>& options) {
    CAPTURE(n);
    const caucus::verdict v = explored<Make>(n, options);
    check_verified(v);
    return v;
}
inline void check_messages(const caucus::verdict& v, std::uint64_t least, std::uint64_t most) {
    CHECK(v.messages.least == least);
    CHECK(v.messages.most == most);
}

/// Whoever is known as leader is this one.
struct it_leads {
    int expected;
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].leader() && *g[v].leader() != expected) return false;
        return true;
    }
};
/// Every schedule of every order and set of starters: the best of them leads, and the cost is the
/// same on each, that on `rounds`.
template <class Make>
void check_every_schedule_costs_the_same(std::size_t n) {
    each_ring(n, [n](const std::vector<int>& ids) {
        each_subset(n, [&](const sizes& starters) {
            auto properties = one_leads<process_of<Make>>();
            properties.push_back(caucus::always(it_leads{best_of(ids, starters)}));
            const caucus::verdict v =
                caucus::explore(network_for<process_of<Make>>(n), Make{ids},
                                {.initiators = starters, .properties = properties});
            check_verified(v);
            const std::uint64_t messages = in_rounds(Make{ids}, starters).messages;
            check_messages(v, messages, messages);
        });
    });
}

/// Any two repeated messages change nothing, whoever starts, whatever the order of ids.
template <class Make>
void check_repetitions(std::size_t n_most) {
    for (std::size_t n = 1; n <= n_most; ++n)
        check_explored<Make>(n, {.initiators = caucus::any_subset,
                                 .properties = one_leads<process_of<Make>>(),
                                 .faults = {.duplicates = 2},
                                 .orders = caucus::all_permutations});
}

/// With `join`, the result does not depend on who calls: the best of all leads, as if all had
/// called. In rounds, every order and start set; in events, random rings; on every schedule, starts
/// at any time, with so many messages at most for n = 1 … 4; and whatever is repeated.
template <class Make>
void check_joined(const std::vector<std::uint64_t>& most) {
    using process = process_of<Make>;
    static_assert(process::elects == caucus::winner::best_of_all);
    check_every_start<Make>(5, best_of_all);
    each_random_run(100, 12, links::fifo, [](const random_run& run) {
        check_in_events(Make{run.ids}, run.starters, best_of_all(run.ids, {}), run.how);
    });
    for (std::size_t n = 1; n <= 4; ++n) {
        const caucus::verdict v = check_explored<Make>(
            n, {.initiators = caucus::any_subset, .properties = the_best_one_leads<process>(),
                .starting = caucus::starting::any_time, .orders = caucus::all_permutations});
        const caucus::cost one = process::messages({.nodes = n, .initiators = 1});
        check_messages(v, one.least, most[n - 1]);
        check_contains(one, v.messages.most);
    }
    check_repetitions<Make>(3);
}

// Single cases

/// With `silent`, on a ring of three, nobody but the leader learns of it.
template <class Make>
void check_silent(const std::vector<int>& ids, int expected) {
    caucus::rounds sim{network_for<process_of<Make>>(3), Make{ids}};
    sim.start_all();
    CHECK(sim.run().by_kind("elected") == 0);
    CHECK(leaders_of(sim) == 1);
    for (std::size_t v = 0; v < 3; ++v) {
        CHECK(sim[v].is_leader() == (ids[v] == expected));
        CHECK(sim[v].leader().has_value() == sim[v].is_leader());
    }
    CHECK(sim.outcomes().size() == 1);
    CHECK(sim.outcomes()[0].outcome.leader == expected);
}

/// Node 0 starts twice, and `late` when it has been reached: that is one start, and node 0 leads.
/// A start after the election changes nothing.
template <class Make>
caucus::report check_one_start(const std::vector<int>& ids, std::size_t late,
                               std::uint64_t rounds_before = 1) {
    caucus::rounds sim{network_for<process_of<Make>>(ids.size()), Make{ids}};
    sim.start(0);
    sim.start(0);
    sim.run({.max_rounds = rounds_before});
    sim.start(late);
    const caucus::report r = sim.run();
    CHECK(r.size.initiators == 1);
    check_elected(sim, ids[0]);
    for (std::size_t v = 1; v < ids.size(); ++v) sim.start(v);
    CHECK(sim.run().messages == r.messages);
    return r;
}

/// The least may be the best.
template <class Make>
void check_least_leads() {
    caucus::rounds sim{network_for<process_of<Make>>(4), Make{{4, 2, 1, 3}}};
    sim.start_all();
    sim.run();
    check_elected(sim, 1);
}

/// Without fifo, every order of n ids: links that the election does not stand for.
template <class Make>
caucus::verdict explored_without_fifo(std::size_t n, caucus::property<process_of<Make>> p) {
    return explored<Make>(n, {.properties = {p}, .fifo = false, .orders = caucus::all_permutations,
                              .outside_model = true});
}
/// Is refused; on every schedule the best or nobody leads, nobody after so many steps.
template <class Make>
void check_without_fifo(std::size_t n_most, std::size_t steps) {
    CHECK_THROWS_WITH(caucus::events(network_for<process_of<Make>>(3), Make{{1, 2, 3}},
                                     {.fifo = false}),
                      "events: the algorithm needs fifo links; "
                      "leave fifo on, or say outside_model");
    const caucus::verdict nobody =
        explored_without_fifo<Make>(3, caucus::finally(caucus::someone_leads));
    CHECK_FALSE(nobody.holds);
    CHECK(nobody.counterexample.how == "is false when all is over, after");
    CHECK(nobody.counterexample.size() == steps);
    for (std::size_t n = 3; n <= n_most; ++n)
        check_verified(explored_without_fifo<Make>(n, caucus::always(caucus::the_best_leads)));
}

template <class Make>
void check_refused(const std::vector<int>& ids, const char* words) {
    CHECK_THROWS_WITH(caucus::rounds(network_for<process_of<Make>>(ids.size()), Make{ids}), words);
}
/// Who leads if equal ids are let through, all start, and it costs so many messages.
template <class Make>
sizes leaders_outside_model(const std::vector<int>& ids, std::uint64_t messages) {
    caucus::rounds sim{network_for<process_of<Make>>(ids.size()), Make{ids},
                       {.outside_model = true}};
    sim.start_all();
    CHECK(sim.run().messages == messages);
    sizes leaders;
    for (std::size_t v = 0; v < ids.size(); ++v)
        if (sim[v].is_leader()) leaders.push_back(v);
    return leaders;
}

/// A node that crashes, at first or after so many ticks, breaks the ring: silence, and no leader.
template <class Make>
void check_broken_ring(caucus::ticks after = 0) {
    caucus::events net{network_for<process_of<Make>>(4), Make{{4, 1, 3, 2}},
                       {.delay = caucus::unit{}}};
    if (after == 0) net.crash(2);
    net.start_all();
    net.run_for(after);
    if (after != 0) net.crash(2);
    const caucus::report r = net.run();
    CHECK(r.stopped == caucus::stop::quiescent);
    CHECK(r.lost > 0);
    for (std::size_t v = 0; v < 4; ++v) CHECK_FALSE(net[v].leader().has_value());
}

// Cost

/// Their cards say the same for up to n_most nodes, and any number of initiators.
template <class Ours, class Theirs>
void check_same_card(std::size_t n_most) {
    for (std::size_t n = 1; n <= n_most; ++n)
        for (std::size_t k = 1; k <= n; ++k) {
            const caucus::size s{.nodes = n, .initiators = k};
            const caucus::cost ours = Ours::messages(s);
            const caucus::cost theirs = Theirs::messages(s);
            CHECK(ours.least == theirs.least);
            CHECK(ours.most == theirs.most);
            CHECK(*ours.mean == doctest::Approx(*theirs.mean).epsilon(1e-9));
            CHECK(Ours::time(s).least == Theirs::time(s).least);
            CHECK(Ours::time(s).most == Theirs::time(s).most);
        }
}

struct extremes {
    std::uint64_t least = caucus::never;
    std::uint64_t most = 0;
    average all{};

    void add(std::uint64_t x) {
        least = std::min(least, x);
        most = std::max(most, x);
        all.add(static_cast<double>(x));
    }
    double mean() const { return all.mean(); }
};
struct spread {
    extremes messages{};
    extremes rounds{};
    void add(const caucus::report& r) {
        messages.add(r.messages);
        rounds.add(r.rounds);
    }
};

/// Over every order, all start in round 0.
template <class Make>
spread over_all_orders(std::size_t n) {
    spread found;
    each_ring(n, [&](const std::vector<int>& ids) { found.add(in_rounds(Make{ids})); });
    return found;
}
/// Over every order and every set of k starters, for k = 1 … n.
template <class Make>
std::vector<spread> by_starters(std::size_t n) {
    std::vector<spread> found(n + 1);
    each_subset(n, [&](const sizes& starters) {
        each_ring(n, [&](const std::vector<int>& ids) {
            found[starters.size()].add(in_rounds(Make{ids}, starters));
        });
    });
    return found;
}

/// Messages on average, over so many random rings of 16, 32, 64 and 128 nodes that all start: as
/// stated but for rounding, within 4 standard errors.
template <class Make>
void check_means(const std::vector<double>& stated, std::uint64_t seeds, double rounding = 0) {
    for (std::size_t i = 0; i < stated.size(); ++i) {
        const std::size_t n = std::size_t{16} << i;
        average messages;
        for (std::uint64_t seed = 1; seed <= seeds; ++seed)
            messages.add(static_cast<double>(in_rounds(Make{shuffled(n, seed)}).messages));
        const double error = std::sqrt(messages.variance() / messages.count);
        CAPTURE(n);
        CHECK(std::abs(messages.mean() - stated[i]) < 4 * error + rounding);
        CHECK(error < 0.05 * stated[i]);
    }
}

}  // namespace support
