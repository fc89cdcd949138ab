// SPDX-License-Identifier: MIT
#include <caucus/exclusion/coordinator.hpp>

#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/star.hpp>

#include <doctest/doctest.h>
#include <support/central_lock.hpp>
#include <support/coordinators.hpp>
#include <support/exclusion_suite.hpp>
#include <support/heirs.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

using namespace caucus;

namespace {

using requests = script<section_requests>;
using fixed = client<coordinator<appointed<int>>, requests>;
using inherited = client<coordinator<support::heirs, tells_place>, requests>;

requests entries(std::size_t count, bool again = false) {
    std::vector<section_requests> list;
    for (; count != 0; --count) {
        list.push_back(request::enter{});
        list.push_back(request::leave{});
    }
    return requests{list, {.again = again}};
}
requests fickle() {
    const std::vector<section_requests> list{request::enter{}, request::cancel{},
                                             request::enter{}, request::leave{}};
    return requests{list, {.retries = 0}};
}
auto under_server(requests load) {
    return [make = support::under_node_0(star{3}), load](node v) { return fixed{make(v), load}; };
}
auto under_heirs(requests load) {
    return [load](node v) {
        return inherited{coordinator{support::heirs{v, 3}, tells_place{}}, load};
    };
}

template <class P>
explore_options<P> judged(fault_budget faults = {}, detector_model detector = no_detector{}) {
    explore_options<P> how;
    how.properties = support::promises<P>(3);
    how.properties.push_back(always(support::newest_is_inside{}));
    how.faults = faults;
    how.detector = detector;
    how.fifo = false;
    how.timers = timers::any_time;
    how.count_messages = false;
    how.remember_dead = true;
    return how;
}
void check_fixed(requests load, const explore_options<fixed>& how) {
    support::check_verified(explore(star{3}, under_server(load), how));
}
/// With crashes: heirs let in, too.
void check_heirs(requests load, explore_options<inherited> how) {
    const auto by_heir = [](const global_state<inherited>& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && g[v].holds() && g[v].fence().epoch.number != 0) return true;
        return false;
    };
    if (how.faults.crashes != 0)
        how.properties.push_back(sometimes("an heir lets somebody in", by_heir));
    support::check_verified(explore(complete{3}, under_heirs(load), how));
}
/// Nobody is served as long as a fixed server is dead.
explore_options<fixed> with_returns(fault_budget faults, detector_model detector) {
    explore_options<fixed> how = judged<fixed>(faults, detector);
    const auto served = [](const global_state<fixed>& g) {
        return !g.alive(0) || support::all_served{}(g);
    };
    const auto after_return = [](const global_state<fixed>& g) {
        return g.alive(1) && g[1].holds() && g[1].fence().epoch.incarnation != incarnation{};
    };
    how.properties = {always(at_most_one_inside), always(support::newest_is_inside{}),
                      finally("all are served, if the server lives", served),
                      sometimes("a server that came back lets somebody in", after_return)};
    return how;
}

/// The textbook's process; the server is nobody's client.
auto textbook(std::uint8_t asks) {
    return [=](node v) {
        return client{support::central_lock<false>{},
                      {.entries = v.index == 0 ? std::uint8_t{0} : asks}};
    };
}

}  // namespace

// Paper

TEST_CASE("coordinator: the textbook's server in as many states as other tools count") {
    const auto counted = [](std::uint8_t asks) {
        return explore(star{3}, textbook(asks),
                       {.reduce = reduction::none, .timers = timers::any_time});
    };
    support::check_counts(counted(1), 33, 48);
    support::check_counts(counted(2), 123, 208);
}

// Safety and liveness: every schedule, links in any order

TEST_CASE("coordinator: three nodes, the server among them, enter twice each") {
    check_fixed(entries(2), judged<fixed>());
    check_heirs(entries(1), judged<inherited>());
}

TEST_CASE("coordinator: one message repeated, or wishes cancelled at any time") {
    check_fixed(entries(1), judged<fixed>({.duplicates = 2}));
    check_fixed(fickle(), judged<fixed>());
}

TEST_CASE("coordinator: whoever dies at any moment, in mid-handler too, the others are served") {
    check_heirs(entries(1), judged<inherited>({.crashes = 2, .midway = true}, perfect{}));
    check_heirs(entries(1), judged<inherited>({.crashes = 1, .midway = true},
                                              eventual{.wrong = 0}));
    check_heirs(entries(1), judged<inherited>({.crashes = 1, .duplicates = 1, .midway = true},
                                              perfect{}));
}

TEST_CASE("nightly: coordinator: whoever dies, two entries each, or wishes cancelled" *
          doctest::skip()) {
    check_heirs(entries(2), judged<inherited>({.crashes = 1, .midway = true}, perfect{}));
    check_heirs(fickle(), judged<inherited>({.crashes = 1, .midway = true}, perfect{}));
    check_heirs(entries(1), judged<inherited>({.crashes = 2, .duplicates = 1, .midway = true},
                                              perfect{}));
}

TEST_CASE("coordinator: anybody may come back, the server with an empty memory") {
    check_fixed(entries(1, true),
                with_returns({.crashes = 1, .restarts = 1, .midway = true}, perfect{}));
}

TEST_CASE("nightly: coordinator: comes back, and is told late, or twice, of its death" *
          doctest::skip()) {
    const detector_model hasty = eventual{.wrong = 0};
    check_fixed(entries(1, true), with_returns({.crashes = 1, .restarts = 1, .midway = true,
                                                .late_suspicions = true}, hasty));
    check_fixed(entries(1, true), with_returns({.crashes = 1, .restarts = 1, .duplicates = 1,
                                                .midway = true, .late_suspicions = true}, hasty));
}

// Outside the model

TEST_CASE("coordinator: one wrong suspicion: two inside after 5 events, and no fence twice") {
    explore_options<inherited> how = judged<inherited>({}, eventual{.wrong = 1});
    how.fifo = true;
    const auto fences_differ = [](const global_state<inherited>& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            for (std::size_t u = 0; u < v; ++u)
                if (g[u].holds() && g[v].holds() && g[u].fence() == g[v].fence()) return false;
        return true;
    };
    const auto taken_back = [](const global_state<inherited>& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].refused().by(answer::not_inside) != 0) return true;
        return false;
    };
    how.properties = {always(fences_differ), sometimes("somebody hears revoked", taken_back)};
    support::check_verified(explore(complete{3}, under_heirs(entries(1)), how));
    how.properties = {always(at_most_one_inside)};
    const verdict v = explore(complete{3}, under_heirs(entries(1)), how);
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 5);
}
