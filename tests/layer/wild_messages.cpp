// SPDX-License-Identifier: MIT
// Well-formed messages with wild contents, from a stranger on the wire: the handlers of
// layers return, touch nothing that is not theirs, and what promises to heal heals when they stop.
#include <caucus/detector/heartbeat.hpp>
#include <caucus/detector/phi_accrual.hpp>
#include <caucus/detector/swim.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/election/complete/invitation.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/franklin.hpp>
#include <caucus/election/ring/peterson.hpp>
#include <caucus/election/ring/time_slice.hpp>
#include <caucus/layer/bus.hpp>
#include <caucus/layer/candid.hpp>
#include <caucus/layer/grouped.hpp>
#include <caucus/layer/on_tree.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/layer/repaired_ring.hpp>
#include <caucus/layer/stamped.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/layer/synchronizer.hpp>
#include <support/instances.hpp>
#include <support/wild.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>

using namespace caucus;
using support::disturb, support::wild_graphs, support::wild_networks, support::wild_rings,
    support::wild_two_way_rings;

namespace {

constexpr std::uint64_t runs_a_day = support::sanitized ? 12 : 60;
constexpr std::uint64_t runs_a_night = 3000;
constexpr supervised_options watchful{.beat = 20, .timeout = 70, .election_max = 200};
constexpr supervised_options widely_watchful{.beat = 20, .timeout = 70, .election_max = 200,
                                             .reach = 6};

/// What supervises itself agrees again when the stranger is gone.
void disturb_and_heal(std::uint64_t runs, auto place, auto make, ticks healed_within) {
    disturb(runs, place, make, [&](auto& net) {
        net.start_all();
        net.run_for(healed_within);
        CHECK(support::one_leader_each(net));
        CHECK_FALSE(support::usurped(net));
    });
}

void layers(std::uint64_t runs) {
    disturb(runs, wild_graphs, [](std::size_t, int id, const auto&) {
        return reliable{extinction{id}};
    });
    disturb(runs, wild_graphs, [](std::size_t, int id, const auto&) {
        return candid{extinction{id}};
    });
    disturb(runs, wild_graphs, [](std::size_t, int id, const auto&) {
        return bus{extinction{id}};
    });
    disturb(runs, wild_graphs, [](std::size_t, int id, const auto&) {
        return heartbeat{extinction{id}, {.beat = 20}, fixed_timeout{70}};
    });
    disturb(runs, wild_graphs, [](std::size_t, int id, const auto&) {
        return heartbeat{extinction{id}, {.beat = 20}, phi_accrual<>{{.expected = 20}}};
    });
    disturb(runs, wild_networks, [](std::size_t, int id, const auto& peers) {
        return swim{bully{id, peers, {.delay_max = 5}}, {.round_trip = 12, .period = 40,
                                                         .suspicion = 200}};
    });
    disturb(runs, wild_networks, [](std::size_t, int id, const auto&) {
        return repaired_ring{chang_roberts{id}};
    });
    // Each takes another for the registry.
    disturb(runs, wild_networks, [](std::size_t, int id, const auto&) {
        return on_tree{supervised{extinction{id}, {.beat = 0}}, spanning_tree{port{0}}};
    });
    disturb(runs, wild_graphs, [](std::size_t, int id, const auto&) {
        return grouped{std::array{extinction{id}, extinction{-id}}};
    });
    disturb(runs, wild_graphs, [](std::size_t, int id, const auto&) {
        return synchronizer{extinction{id}, for_rounds{30}};
    });
    disturb(runs, wild_networks, [](std::size_t n, int id, const auto&) {
        return reliable{synchronizer{repaired_ring{time_slice{static_cast<unsigned>(id), n}},
                                     for_rounds{300}}};
    });
}
void supervision(std::uint64_t runs) {
    const ticks complete_again = 2 * watchful.settled_after();
    disturb_and_heal(runs, wild_networks, [](std::size_t, int id, const auto& peers) {
        return supervised{bully{id, peers, {.delay_max = 5}}, watchful};
    }, complete_again);
    disturb_and_heal(runs, wild_networks, [](std::size_t, int id, const auto& peers) {
        return supervised{bully{id, peers, {.delay_max = 5}}, watchful, preemptive{}};
    }, complete_again);
    disturb_and_heal(runs, wild_networks, [](std::size_t, int id, const auto& peers) {
        return supervised{bully{id, peers, {.delay_max = 5}}, watchful, majority{}};
    }, complete_again);
    disturb_and_heal(runs, wild_networks, [](std::size_t, int id, const auto&) {
        return supervised{repaired_ring{chang_roberts{id}}, watchful};
    }, complete_again);
    disturb_and_heal(runs, wild_networks, [](std::size_t, int id, const auto& peers) {
        return stamped{invitation{id, peers, {.delay_max = 5}}, watchful};
    }, 2 * invitation_options{.delay_max = 5}.healed_within(6));
    disturb_and_heal(runs, wild_graphs, [](std::size_t, int id, const auto&) {
        return supervised{extinction{id}, widely_watchful};
    }, 2 * widely_watchful.settled_after());
    disturb_and_heal(runs, wild_two_way_rings, [](std::size_t, int id, const auto&) {
        return supervised{franklin{id}, widely_watchful};
    }, 2 * widely_watchful.settled_after());
    disturb_and_heal(runs, wild_rings, [](std::size_t, int id, const auto&) {
        return supervised{peterson{id}, widely_watchful};
    }, 2 * widely_watchful.settled_after());
}

}  // namespace

TEST_CASE("wild messages: layers survive a stranger") { layers(runs_a_day); }
TEST_CASE("wild messages: what supervises itself agrees again when a stranger is gone") {
    supervision(runs_a_day);
}

TEST_CASE("nightly: wild messages to layers, 3,000 runs each" * doctest::skip()) {
    layers(runs_a_night);
    supervision(runs_a_night);
}
