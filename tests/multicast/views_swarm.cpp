// SPDX-License-Identifier: MIT
// Many runs over lossy links: storms of loss, reordering, crashes, restarts, partitions; everybody
// sends, joins and leaves; histories of all lives are judged, also of those that crashed.
#include <caucus/multicast/views.hpp>

#include <caucus/core/random.hpp>
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

using group_watch = lives_watch<group_history<int, int>>;

struct tally {
    std::uint64_t bad = 0;
    std::uint64_t returned = 0;   // runs in which somebody did
    std::uint64_t views = 0;
    std::uint64_t received = 0;
    std::uint64_t joined = 0;
};

template <class... Policies>
void run_one(std::uint64_t seed, tally& sum) {
    constexpr bool by_majority = sizeof...(Policies) != 0;
    const std::size_t slots = 3 + seed % 3;
    const complete network{slots};
    const auto make = [&](node v) {
        std::vector<int> ids;
        std::vector<int> members;
        for (std::size_t u = 0; u < slots; ++u) ids.push_back(static_cast<int>(u));
        for (std::size_t u = 0; u < 2 + seed % 2; ++u) members.push_back(static_cast<int>(u));
        return reliable{views<int, int, Policies...>{ids[v], peer_ids(network, v, ids), members,
                                                     {.messages_max = 2 + seed % 9}},
                        {.resend_after = 60}};
    };
    const swarm storms{.heals_at = 2000};
    events_options how = storms.draw(seed, network);
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
    if (broken != nullptr) MESSAGE("seed ", seed, ": ", std::string(broken));
    sum.bad += broken != nullptr;
    for (std::size_t v = 0; v < slots; ++v) {
        sum.views += net.watcher().of(v).views().size();
        for (const auto& in : net.watcher().of(v).views()) sum.received += in.received.size();
    }
}
template <class... Policies>
tally runs(std::uint64_t first, std::uint64_t count) {
    tally sum;
    for (std::uint64_t seed = first; seed < first + count; ++seed) run_one<Policies...>(seed, sum);
    MESSAGE(sum.views, " views, ", sum.received, " messages, ", sum.returned, " with restarts");
    CHECK(sum.returned * 10 > count);
    return sum;
}

}  // namespace

TEST_CASE("views: V0 to V7 over reliable, in storms") {
    const tally sum = runs<>(1, 1000);
    CHECK(sum.bad == 0);
    CHECK(sum.views > 1000);
    CHECK(sum.received > 1000);
}
TEST_CASE("views, majority: V0 to V7 over reliable, in storms, suspicions wrong") {
    const tally sum = runs<majority>(1, 1000);
    CHECK(sum.bad == 0);
    CHECK(sum.views > 1000);
    CHECK(sum.received > 1000);
}
TEST_CASE("nightly: views: V0 to V7 in 100,000 storms" * doctest::skip()) {
    CHECK(runs<>(1001, 100'000).bad == 0);
}
TEST_CASE("nightly: views, majority: V0 to V7 in 100,000 storms" * doctest::skip()) {
    CHECK(runs<majority>(1001, 100'000).bad == 0);
}
