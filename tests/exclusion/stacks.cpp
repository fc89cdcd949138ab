// SPDX-License-Identifier: MIT
// Every exclusion in layers: two of it in a group, each candid, over links that lose, repeat and
// reorder, made good by `reliable`, and watched by a detector. What cannot be is refused by name.
#include <caucus/detector/heartbeat.hpp>
#include <caucus/exclusion/lamport.hpp>
#include <caucus/exclusion/maekawa.hpp>
#include <caucus/exclusion/quorums.hpp>
#include <caucus/exclusion/raymond.hpp>
#include <caucus/exclusion/ricart_agrawala.hpp>
#include <caucus/exclusion/suzuki_kasami.hpp>
#include <caucus/exclusion/token_ring.hpp>
#include <caucus/layer/candid.hpp>
#include <caucus/layer/grouped.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/layer/repaired_ring.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/path.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/ports_towards.hpp>

#include <doctest/doctest.h>
#include <support/coordinators.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

using namespace caucus;

namespace {

constexpr std::size_t n = 4;
constexpr ticks stay = 20;

/// Nobody leads among them, so there is nobody to be replaced.
template <class Lock>
constexpr bool refuses_supervision = !needs_an_election__with_id_and_is_leader<Lock>;
static_assert(refuses_supervision<lamport<int>>);
static_assert(refuses_supervision<ricart_agrawala<int>>);
static_assert(refuses_supervision<maekawa<int>>);
static_assert(refuses_supervision<suzuki_kasami<int>>);
static_assert(refuses_supervision<raymond<>>);
static_assert(refuses_supervision<token_ring<int>>);

/// It waits for the token, wherever that is, and has it made anew where it is lost.
static_assert(!needs_an_election_with_leader__or_a_process_with_awaits<token_ring<int>>);

/// A run in which every node that lives wants to be inside both sections, again and again.
template <class Net>
class course {
public:
    explicit course(Net& net) : net_(net) { net.start_all(); }

    const auto& lock(std::size_t v, std::size_t i) const { return net_[v].process().process()[i]; }

    /// Until each node that lives has been inside each section so often, or for so many ticks.
    bool enter(std::size_t often, ticks at_most) {
        for (auto& each : entries_) each.fill(0);
        for (ticks t = 0; t < at_most; ++t) {
            if (all_have(often)) return true;
            net_.run_for(1);
            for (std::size_t i = 0; i < 2; ++i) look(i);
        }
        return false;
    }
    /// Runs until somebody is inside the first section, and ends that one's life.
    bool kill_one_inside() {
        for (ticks t = 0; t < 10'000; ++t, enter(~std::size_t{0}, 1))
            for (std::size_t v = 0; v < n; ++v)
                if (lock(v, 0).holds()) return net_.crash(v), true;
        return false;
    }
    bool somebody_is_stalled() const {
        for (std::size_t v = 0; v < n; ++v)
            if constexpr (requires { lock(v, 0).is_stalled(); })
                if (net_.alive(v) && lock(v, 0).is_stalled()) return true;
        return false;
    }
    /// One at a time in each section, and no request was refused.
    bool right() const { return right_; }
    bool both_at_once() const { return both_at_once_; }

private:
    bool all_have(std::size_t often) const {
        for (const auto& each : entries_)
            for (std::size_t v = 0; v < n; ++v)
                if (net_.alive(v) && each[v] < often) return false;
        return true;
    }
    void look(std::size_t i) {
        std::size_t inside = 0;
        for (std::size_t v = 0; v < n; ++v) {
            if (!net_.alive(v)) continue;
            if (lock(v, i).holds()) {
                ++inside;
                if (i == 1)
                    for (std::size_t u = 0; u < n; ++u)
                        both_at_once_ = both_at_once_ || (u != v && lock(u, 0).holds());
                if (++stays_[i][v] < stay) continue;
                stays_[i][v] = 0;
                ++entries_[i][v];
                expect(net_.call(v, request::of_one<request::leave>{i, {}}));
            } else if (!lock(v, i).waits()) {
                expect(net_.call(v, request::of_one<request::enter>{i, {}}));
            }
        }
        right_ = right_ && inside <= 1;
    }
    void expect(answer said) { right_ = right_ && said == answer::accepted; }

    Net& net_;
    std::array<std::array<std::size_t, n>, 2> entries_{};   // by section and node
    std::array<std::array<ticks, n>, 2> stays_{};
    bool right_ = true;
    bool both_at_once_ = false;
};

struct findings {
    bool all_entered;
    bool both_at_once;      // sections are independent
    bool stalled;           // anybody, while all lived
    bool one_was_killed;
    bool others_entered;
    bool others_stalled;
    bool right;
};
void check_course(const findings& found, bool survives) {
    CHECK(found.all_entered);
    CHECK(found.both_at_once);
    CHECK_FALSE(found.stalled);
    CHECK(found.one_was_killed);
    CHECK(found.others_entered == survives);
    CHECK(found.others_stalled == !survives);
    CHECK(found.right);
}

template <class Topology, class Make>
findings stacked(const Topology& t, const Make& make) {
    const auto stack = [&](node v) {
        const auto lock = make(v);
        return heartbeat{reliable{grouped{lock, lock}, {.resend_after = 50}},
                         heartbeat_options{.beat = 100}, fixed_timeout{.timeout = 1000}};
    };
    const auto links =
        fault_plan{}.links({.loss = 0.2, .duplication = 0.2, .reordering = 0.2, .late_max = 30});
    events net{t, stack, {.seed = 7, .delay = uniform{1, 10}, .faults = links}};
    course run{net};
    const bool all_entered = run.enter(3, 100'000);
    const bool stalled = run.somebody_is_stalled();
    const bool killed = run.kill_one_inside();
    const bool others_entered = run.enter(1, 10'000);
    return {all_entered, run.both_at_once(), stalled, killed, others_entered,
            run.somebody_is_stalled(), run.right()};
}

const complete mesh{n};
int id_of(node v) { return static_cast<int>(v.index) + 1; }

}  // namespace

TEST_CASE("stacks: a group of two, candid, over bad links, watched: all enter; a death inside") {
    SUBCASE("lamport") {
        check_course(stacked(mesh, [](node v) { return candid{lamport{id_of(v)}}; }), false);
    }
    SUBCASE("ricart_agrawala") {
        check_course(stacked(mesh, [](node v) { return candid{ricart_agrawala{id_of(v)}}; }),
                     false);
    }
    SUBCASE("maekawa") {
        const grid_quorums grid{n};
        check_course(stacked(mesh, [&](node v) { return candid{maekawa{id_of(v), grid(v)}}; }),
                     false);
    }
    SUBCASE("suzuki_kasami") {
        const auto ids = support::tens(n);
        const auto one = [&](node v) {
            return candid{suzuki_kasami{ids[v], peer_ids(mesh, v, ids)}};
        };
        check_course(stacked(mesh, one), false);
    }
    SUBCASE("raymond") {
        const path line{n};
        const auto towards = ports_towards(line, node{0});
        check_course(stacked(line, [&](node v) { return candid{raymond{towards[v]}}; }), false);
    }
    SUBCASE("coordinator") {
        const auto server = support::under_node_0(mesh);
        check_course(stacked(mesh, [&](node v) { return candid{server(v)}; }), true);
    }
    SUBCASE("token_ring, repaired: it need not be candid") {
        const auto one = [](node v) {
            return repaired_ring{token_ring{id_of(v), {.nodes = n, .has_token = v == 0,
                                                       .delay_max = 500, .stay_max = stay}}};
        };
        check_course(stacked(mesh, one), true);
    }
}
