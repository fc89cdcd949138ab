// SPDX-License-Identifier: MIT
// Without views: over acked and reliable, where links lose and nobody crashes, there is one order.
#include <caucus/multicast/total_order.hpp>

#include <caucus/core/random.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/multicast/acked.hpp>
#include <caucus/multicast/deliveries.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/swarm.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace caucus;

namespace {

class deliveries_watch : public observer {
public:
    explicit deliveries_watch(std::size_t nodes) : logs_(nodes) {}
    void reported(ticks, node v, const auto& outcome) { logs_[v].hear(outcome); }
    void asked(std::size_t v, const auto& request, answer said) { logs_[v].asked(request, said); }

    const deliveries<int, int>& of(std::size_t v) const { return logs_[v]; }
    const char* broken(ordering order) const {
        std::vector<witness_of_deliveries<int, int>> all;
        for (std::size_t v = 0; v < logs_.size(); ++v)
            all.push_back({static_cast<int>(v), {}, &logs_[v], true});
        const deliveries_judge<int, int> judge{all};
        if (const char* words = judge.broken(order, true)) return words;
        if (!judge.fifo_without_gaps()) return "fifo: one is missing before";
        return judge.unsettled();
    }

private:
    std::vector<deliveries<int, int>> logs_;
};

template <class Policy>
void check_runs(std::uint64_t first, std::uint64_t count) {
    std::uint64_t delivered = 0;
    std::uint64_t refused = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const std::size_t n = 1 + seed % 5;
        const complete network{n};
        const auto make = [&](node v) {
            std::vector<int> ids;
            for (std::size_t u = 0; u < n; ++u) ids.push_back(static_cast<int>(u));
            return reliable{total_order{acked<int>{ids[v], peer_ids(network, v, ids),
                                                   {.window = 1 + seed % 7, .resend_after = 90}},
                                        {.pending_max = 1 + seed % 4},
                                        Policy{}},
                            {.resend_after = 60}};
        };
        const swarm storms{.heals_at = 2000, .crashes_max = 0};
        events_options how = storms.draw(seed, network);
        how.keep_outcomes = false;
        events net{network, make, how, deliveries_watch{n}};
        net.start_all();
        random_source bits{mix(seed, 0x6f72646572u)};
        int sent = 0;
        while (net.now() < storms.heals_at) {
            net.run_for(1 + bits.below(100));
            const auto v = static_cast<std::size_t>(bits.below(n));
            for (std::uint64_t more = 1 + bits.below(3); more != 0; --more) {
                const request::broadcast<int> what{++sent};
                const answer said = net.call(v, what);
                refused += said == answer::no_room;
                net.watcher().asked(v, what, said);
            }
        }
        net.run_for(60'000);
        const char* broken = net.watcher().broken(ordering::total);
        for (std::size_t v = 0; v < n; ++v) {
            if (net[v].process().pending() + net[v].process().held() != 0)
                broken = "something still waits";
            delivered += net.watcher().of(v).delivered();
        }
        if (broken != nullptr) MESSAGE("seed ", seed, ": ", std::string(broken));
        CHECK(broken == nullptr);
    }
    MESSAGE(delivered, " delivered, ", refused, " refused");
    CHECK(delivered > 10 * count);
    CHECK(refused > count);
}

}  // namespace

TEST_CASE("total_order, sequencer over acked: one order of all, in two storms without crashes") {
    check_runs<sequencer>(1, 200);
}
TEST_CASE("total_order, moving_token over acked: one order of all, in two storms") {
    check_runs<moving_token>(1, 200);
}
TEST_CASE("total_order, agreed_priorities over acked: one order of all, in two storms") {
    check_runs<agreed_priorities>(1, 200);
}
TEST_CASE("nightly: total_order over acked: one order of all, in 10,000 storms each" *
          doctest::skip()) {
    check_runs<sequencer>(1001, 10'000);
    check_runs<moving_token>(1001, 10'000);
    check_runs<agreed_priorities>(1001, 10'000);
}
