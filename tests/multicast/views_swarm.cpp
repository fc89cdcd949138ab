// SPDX-License-Identifier: MIT
// Many runs over lossy links: storms of loss, reordering, crashes, restarts, partitions; everybody
// sends, joins and leaves; histories of all lives are judged, also of those that crashed.
#include <caucus/multicast/views.hpp>

#include <caucus/core/kind.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/random.hpp>
#include <caucus/detector/heartbeat.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/multicast/properties.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/swarm.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>

#include <support/lives_watch.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

class group_watch : public lives_watch<group_history<int, int>> {
    using base = lives_watch<group_history<int, int>>;

public:
    using base::base;
    void reported(ticks now, node v, const auto& outcome) {
        base::reported(now, v, outcome);
        visit_kind(outcome, [&](const auto& kind) {
            if constexpr (requires { kind.waiting_for; })   // by `reliable`: with a port
                is_stalled_ = is_stalled_ || !kind.waiting_for;
        });
    }
    bool was_stalled() const { return is_stalled_; }
    bool anybody_was_expelled() const {
        for (std::size_t v = 0; v < nodes(); ++v)
            if (of(v).expulsions() != 0) return true;
        return false;
    }

private:
    bool is_stalled_ = false;
};

struct tally {
    std::uint64_t bad = 0;
    // Runs in which somebody did, or was; or there was a partition.
    std::uint64_t returned = 0;
    std::uint64_t parted = 0;
    std::uint64_t stalled = 0;
    std::uint64_t expelled = 0;
    // Of all runs.
    std::uint64_t views = 0;
    std::uint64_t received = 0;
    std::uint64_t joined = 0;
};

bool parts(const fault_plan& plan) {
    for (const fault_plan::fault& f : plan.faults())
        if (f.what == fault_plan::kind::partition) return true;
    return false;
}

/// Who tells the group whom to suspect: the simulation, which knows, but for wrong ones that it
/// makes up; or silence, in partitions and pauses, too.
enum class told_by { simulation, heartbeats };
template <told_by detector>
auto watched(auto process) {
    if constexpr (detector == told_by::simulation) return process;
    else return heartbeat{process, heartbeat_options{.beat = 50}, fixed_timeout{.timeout = 300}};
}

template <told_by detector, class... Policies>
void run_one(std::uint64_t seed, tally& sum) {
    constexpr bool by_majority = sizeof...(Policies) != 0;
    const std::size_t slots = 3 + seed % 3;
    const complete network{slots};
    const auto make = [&](node v) {
        std::vector<int> ids;
        std::vector<int> members;
        for (std::size_t u = 0; u < slots; ++u) ids.push_back(static_cast<int>(u));
        for (std::size_t u = 0; u < 2 + seed % 2; ++u) members.push_back(static_cast<int>(u));
        const views<int, int, Policies...> group{ids[v], peer_ids(network, v, ids), members,
                                                 {.messages_max = 2 + seed % 9}};
        return watched<detector>(reliable{group, {.resend_after = 60}});
    };
    const swarm storms{.heals_at = 2000};
    events_options how = storms.draw(seed, network);
    if (detector == told_by::simulation)
        how.detector = eventual{.delay = 1 + seed % 70, .wrong = by_majority ? seed % 4 : 0,
                                .until = 1500};
    how.keep_outcomes = false;
    events net{network, make, how, group_watch{slots}};
    net.start_all();
    random_source bits{mix(seed, 0x7669657773u)};
    const auto ask = [&](std::size_t v, const auto& request) {
        static_cast<void>(net.watcher().ask(net, v, request));
    };
    int sent = 0;
    while (net.now() < storms.heals_at) {
        net.run_for(1 + bits.below(100));
        const auto v = static_cast<std::size_t>(bits.below(slots));
        if (!net.alive(v)) continue;
        if (!net.watcher().of(v).is_inside()) ask(v, request::join{});
        else if (bits.below(10) == 0) ask(v, request::depart{});
        else ask(v, request::broadcast<int>{++sent});
    }
    net.run_for(20'000);
    const char* broken = net.watcher().judged().broken(by_majority);
    const char* unsettled = settles_views{by_majority}.broken_in(at_the_end<decltype(net)>{net});
    if (broken == nullptr) broken = unsettled;
    sum.returned += net.watcher().anybody_came_back();
    sum.parted += parts(how.faults);
    sum.stalled += net.watcher().was_stalled();
    sum.expelled += net.watcher().anybody_was_expelled();
    if (broken != nullptr) MESSAGE("seed ", seed, ": ", std::string(broken));
    sum.bad += broken != nullptr;
    for (std::size_t v = 0; v < slots; ++v) {
        sum.views += net.watcher().of(v).views().size();
        for (const auto& in : net.watcher().of(v).views()) sum.received += in.received.size();
    }
}
template <told_by detector, class... Policies>
void check_runs(std::uint64_t first, std::uint64_t count) {
    constexpr bool by_majority = sizeof...(Policies) != 0;
    tally sum;
    for (std::uint64_t seed = first; seed < first + count; ++seed)
        run_one<detector, Policies...>(seed, sum);
    MESSAGE(sum.views, " views, ", sum.received, " messages; runs: ", sum.returned,
            " with restarts, ", sum.parted, " with partitions, ", sum.stalled, " with stalled, ",
            sum.expelled, " with expelled");
    CHECK(sum.bad == 0);
    CHECK(sum.views > count);
    CHECK(sum.received > count);
    CHECK(sum.returned * 10 > count);
    CHECK(sum.parted * 4 > count);
    CHECK((sum.stalled * 50 > count) == by_majority);
    CHECK((sum.expelled * 50 > count) == by_majority);
}

}  // namespace

TEST_CASE("views: V0 to V7 over reliable, in storms") {
    check_runs<told_by::simulation>(1, 1000);
}
TEST_CASE("views, majority: V0 to V7 over reliable, in storms, suspicions wrong") {
    check_runs<told_by::simulation, majority>(1, 1000);
}
TEST_CASE("views, majority: V0 to V7 over reliable and heartbeat, in storms: partitions are seen") {
    check_runs<told_by::heartbeats, majority>(1, 300);
}
TEST_CASE("nightly: views: V0 to V7 in 100,000 storms" * doctest::skip()) {
    check_runs<told_by::simulation>(1001, 100'000);
}
TEST_CASE("nightly: views, majority: V0 to V7 in 100,000 storms" * doctest::skip()) {
    check_runs<told_by::simulation, majority>(1001, 100'000);
}
TEST_CASE("nightly: views, majority: V0 to V7 in 20,000 storms, heartbeats" * doctest::skip()) {
    check_runs<told_by::heartbeats, majority>(1001, 20'000);
}
