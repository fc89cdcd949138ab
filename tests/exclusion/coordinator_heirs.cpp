// SPDX-License-Identifier: MIT
#include <caucus/exclusion/coordinator.hpp>

#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <support/exclusion_suite.hpp>
#include <support/heirs.hpp>

#include <doctest/doctest.h>

using namespace caucus;
namespace {
template <class... Policies>
auto inherited(std::size_t n) {
    return [=](node v) { return coordinator{support::heirs{v, n}, Policies{}...}; };
}
template <class P>
bool any(const global_state<P>& g, auto f) {
    for (std::size_t v = 0; v < g.nodes(); ++v) if (g.alive(v) && f(g[v])) return true;
    return false;
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
void run(const char* name, Make make, Load load, fault_budget faults, detector_model d, bool fifo = true) {
 using P = client<support::lock_of<Make>, Load>;
 const auto by_heir = [](const global_state<P>& g) {
   return any(g, [](const auto& p) { return p.holds() && p.fence().epoch.number != 0; }); };
 std::vector<property<P>> props = support::promises<P>(3);
 props.push_back(always(newest_is_inside{}));
 if (faults.crashes) props.push_back(sometimes("an heir lets somebody in", by_heir));
 const auto v = explore(complete{3}, support::clients(make, load), {.properties = props, .faults = faults, .detector = d, .fifo = fifo, .timers = timers::any_time, .max_states = 6000000, .count_messages=false,.remember_dead = true});
 MESSAGE(name, " ", fifo, " ", v.states, " / ", v.transitions, " ", v.seconds, " ", v.holds, v.complete);
 if (!v.holds) MESSAGE(v.counterexample.text());
}
}
TEST_CASE("crash") {
 run("1 crash r1 remember", inherited(3), sections{}, {.crashes = 1, .midway = true}, perfect{}, false);
 run("2 crash r1 remember", inherited(3), sections{}, {.crashes = 2, .midway = true}, perfect{}, false);
 run("1 crash r2", inherited(3), sections{.entries=2}, {.crashes = 1, .midway = true}, perfect{}, false);
 run("1 crash r2 place", inherited<tells_place>(3), sections{.entries=2}, {.crashes = 1, .midway = true}, perfect{}, false);
 run("1 crash fickle", inherited(3), support::fickle(), {.crashes = 1, .midway = true}, perfect{}, false);
 run("1 crash dup", inherited(3), sections{}, {.crashes = 1, .duplicates = 1, .midway = true}, perfect{}, false);
 run("1 crash dup place", inherited<tells_place>(3), sections{}, {.crashes = 1, .duplicates = 1, .midway = true}, perfect{}, false);
 run("1 crash eventual0", inherited(3), sections{}, {.crashes = 1, .midway = true}, eventual{.wrong=0}, false);
 run("wrong", inherited(3), sections{}, {}, eventual{.wrong=1}, true);
}
