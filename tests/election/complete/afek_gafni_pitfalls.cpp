// SPDX-License-Identifier: MIT
#include <caucus/election/complete/afek_gafni.hpp>

#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>

#include <doctest/doctest.h>
#include <support/instances.hpp>
#include <support/tangled.hpp>

#include <tuple>

using namespace caucus;
using namespace support;

// Outside the model

namespace {

/// Its node gives in to a claim, and the candidate knows nothing of it.
struct generous : afek_gafni<int> {
    explicit generous(int id) : afek_gafni<int>(id) {}
    // Constrained as the base's: else that would be the better match.
    void on(claim m, port from, environment_for<afek_gafni<int>> auto& env) {
        if (running) env.send(from, ack{m.by.level});
        else afek_gafni<int>::on(m, from, env);
    }
    using afek_gafni<int>::on;
    void start(auto& env) {
        running = true;
        afek_gafni<int>::start(env);
    }
    static constexpr auto fields(auto& self) {
        return std::tuple_cat(afek_gafni<int>::fields(self), std::tie(self.running));
    }
    bool running = false;
};

}  // namespace

TEST_CASE("afek_gafni: without the case 'its own' two nodes elect two leaders, in four steps") {
    const verdict v = explore(complete{2}, [](node u) { return generous{static_cast<int>(u) + 1}; },
                              {.properties = {always(at_most_one_leader)}});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 4);
}

TEST_CASE("afek_gafni: a lost message or a crash stops it; nobody leads who should not") {
    for (const fault_budget faults : {fault_budget{.losses = 1}, fault_budget{.crashes = 1}}) {
        const auto make = electing<afek_gafni>{ascending(3)};
        CHECK(explore(complete{3}, make,
                      {.properties = {always(at_most_one_leader), always(few_get_far{})},
                       .faults = faults, .fifo = false}).verified());
        CHECK_FALSE(explore(complete{3}, make,
                            {.properties = {finally(someone_leads)}, .faults = faults}).holds);
    }
}

TEST_CASE("afek_gafni: equal ids are refused; were they not, crossing claims would both wait") {
    CHECK_THROWS_AS(rounds(complete{2}, electing<afek_gafni>{{4, 4}}), error);
    rounds sim{complete{2}, electing<afek_gafni>{{4, 4}}, {.outside_model = true}};
    sim.start_all();
    CHECK(sim.run().messages == 2);
    CHECK(sim.outcomes().empty());
}
