// SPDX-License-Identifier: MIT
#include <caucus/exclusion/coordinator.hpp>

#include <caucus/election/appointed.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/star.hpp>
#include <support/exclusion_suite.hpp>

#include <doctest/doctest.h>

using namespace caucus;
namespace {
template <class... Policies>
auto served_by(std::size_t leader, std::size_t n) {
    return [=](node v) {
        std::vector<int> ids;
        for (std::size_t i = 0; i < n; ++i) ids.push_back(static_cast<int>(10 * i));
        return coordinator{appointed{ids[v], peer_ids(star{n}, v, ids), ids[leader]}, Policies{}...};
    };
}
struct newest_is_inside {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v) {
            if (!g.alive(v) || !g[v].holds()) continue;
            for (std::size_t u = 0; u < g.nodes(); ++u) if (g[v].fence() < g[u].fence()) return false;
        }
        return true;
    }
};
template <class Load, class Make>
void run(const char* name, Make make, Load load, fault_budget faults, detector_model d, bool fifo, bool live) {
 using P = client<support::lock_of<Make>, Load>;
 std::vector<property<P>> props;
 props.push_back(always(at_most_one_inside)); if (live) props.push_back(finally("served", [](const global_state<P>& g) { return !g.alive(0) || support::all_served{}(g); }));
 props.push_back(always(newest_is_inside{}));
 const auto v = explore(star{3}, support::clients(make, load), {.properties = props, .faults = faults, .detector = d, .fifo = fifo, .timers = timers::any_time, .max_states = 6000000, .count_messages=false,.remember_dead = true});
 MESSAGE(std::string(name), " ", fifo, " ", v.states, " / ", v.transitions, " ", v.seconds, " ", v.holds, v.complete);
 if (!v.holds) MESSAGE(v.counterexample.size());
}
}
TEST_CASE("crash") {
 const sections again{.entries=1,.again=true};
 run("crash only", served_by(0,3), sections{}, {.crashes = 1, .midway = true}, perfect{}, false, true);
 run("crash restart perfect", served_by(0,3), again, {.crashes = 1, .restarts=1, .midway = true}, perfect{}, false, true);
 run("crash restart perfect live", served_by(0,3), again, {.crashes = 1, .restarts=1, .midway = true}, perfect{}, false, true);
 run("crash restart ev", served_by(0,3), again, {.crashes = 1, .restarts=1, .midway = true,.late_suspicions=true}, eventual{.wrong=0}, false, true);
 run("crash restart ev dup", served_by(0,3), again, {.crashes = 1, .restarts=1, .duplicates=1, .midway = true,.late_suspicions=true}, eventual{.wrong=0}, false, true);
 run("2 crash 2 restart ev", served_by(0,3), again, {.crashes = 2, .restarts=2, .midway = true,.late_suspicions=true}, eventual{.wrong=0}, false, true);
}
