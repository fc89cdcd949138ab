// SPDX-License-Identifier: MIT
#include <caucus/exclusion/coordinator.hpp>

#include <caucus/election/complete/bully.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>
#include <support/exclusion_suite.hpp>

#include <doctest/doctest.h>

using namespace caucus;
namespace {
auto supervised_bullies(std::size_t n, supervised_options how) {
    return [=](node v) {
        std::vector<int> ids;
        for (std::size_t i = 0; i < n; ++i) ids.push_back(static_cast<int>(10 * i));
        return coordinator{supervised{bully{ids[v], peer_ids(complete{n}, v, ids), {.delay_max = 1}}, how}};
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
void run(const char* name, std::size_t n, Make make, Load load, fault_budget faults, detector_model d, bool fifo, initiators who) {
 using P = client<support::lock_of<Make>, Load>;
 std::vector<property<P>> props;
 props = support::promises<P>(n); 
 props.push_back(always(newest_is_inside{}));
 const auto v = explore(complete{n}, support::clients(make, load), {.initiators = who, .properties = props, .faults = faults, .detector = d, .fifo = fifo, .max_states = 3000000, .count_messages=false,.remember_dead = true});
 MESSAGE(std::string(name), " ", fifo, " ", v.states, " / ", v.transitions, " ", v.seconds, " ", v.holds, v.complete, v.limit);
 if (!v.holds) MESSAGE(v.counterexample.text());
}
}
TEST_CASE("crash") {
 const at_any_time load{sections{}};
 const supervised_options quick{.beat=0,.election_max=100};
 run("2 no crash", 2, supervised_bullies(2, quick), load, {}, perfect{}, true, all);
 run("2 crash", 2, supervised_bullies(2, quick), load, {.crashes=1}, perfect{}, true, all);
 run("3 no crash", 3, supervised_bullies(3, quick), load, {}, perfect{}, true, all);
 run("3 crash", 3, supervised_bullies(3, quick), load, {.crashes=1}, perfect{}, true, all);
}
