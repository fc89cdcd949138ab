// SPDX-License-Identifier: MIT
// Many runs of orders over all that carries messages: loss, reordering, long delays, crashes.
#include <caucus/multicast/causal_order.hpp>

#include <caucus/core/fields.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/multicast/acked.hpp>
#include <caucus/multicast/fifo_order.hpp>
#include <caucus/multicast/nacked.hpp>
#include <caucus/multicast/best_effort.hpp>
#include <caucus/multicast/srm.hpp>
#include <caucus/multicast/views.hpp>

#include <support/ordered_runs.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>

using namespace caucus;
using namespace support;

namespace {

/// Delays that let one message be overtaken by many; nobody loses anything.
events_options slow(std::uint64_t seed) {
    return {.seed = seed, .delay = uniform{1, 1 + seed % 200}, .fifo = seed % 2 == 0,
            .keep_outcomes = false, .outside_model = true};
}
/// Half of the runs without crashes; what is promised of the others is the order alone.
void storms(std::uint64_t first, std::uint64_t count, const auto& make, storm_tally& sum,
            bool settles_always = false, ordering judged = ordering::causal) {
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const std::size_t n = 3 + seed % 3;
        const bool crashes = seed % 2 == 0;
        swarm drawn{.heals_at = 2000, .crashes_max = crashes ? 3u : 0u};
        events_options how = drawn.draw(seed, complete{n});
        how.detector = eventual{.delay = 1 + seed % 70, .wrong = 0, .until = 1500};
        how.keep_outcomes = false;
        storm s{.order = judged,
                .without_gaps = !crashes || settles_always,
                .settles = !crashes || settles_always};
        s.run(seed, n, make(n), how, sum);
    }
}
void report_on(const char* what, const storm_tally& sum) {
    MESSAGE(std::string(what), ": ", sum.runs, " runs, ", sum.bad, " bad, ",
            sum.delivered, " delivered, ", sum.missed, " missed, ", sum.unsettled, " unsettled, ",
            "somebody came back in ", sum.came_back);
}

auto bare(std::size_t n, node v) {
    return best_effort<int>{static_cast<int>(v), others(n, v)};
}
const auto over_best_effort = [](std::size_t n) {
    return [n](node v) { return causal_order{fifo_order{bare(n, v)}}; };
};
const auto over_acked = [](std::size_t n) {
    return [n](node v) {
        return causal_order{acked<int>{static_cast<int>(v), others(n, v)}};
    };
};
const auto over_nacked = [](std::size_t) {
    return [](node v) { return causal_order{nacked<int>{static_cast<int>(v)}}; };
};
auto ordered_srm(node v) {
    return fifo_order{srm<int>{static_cast<int>(v), {.interval = 400}}};
}
const auto fifo_over_srm = [](std::size_t) { return [](node v) { return ordered_srm(v); }; };
const auto over_srm = [](std::size_t) {
    return [](node v) { return causal_order{ordered_srm(v)}; };
};
const auto over_views = [](std::size_t n) {
    return [n](node v) {
        return reliable{causal_order{views<int>{static_cast<int>(v), others(n, v),
                                                first_ids(n), views_options{200}}},
                        {.resend_after = 60}};
    };
};
storm_tally slow_runs(std::uint64_t first, std::uint64_t count, ordering judged, const auto& make) {
    storm_tally sum;
    const storm s{.order = judged};
    for (std::uint64_t seed = first; seed < first + count; ++seed)
        s.run(seed, 3 + seed % 3, make(3 + seed % 3), slow(seed), sum);
    return sum;
}
storm_tally stormy_runs(std::uint64_t first, std::uint64_t count, const auto& make,
                        bool settles_always = false, ordering judged = ordering::causal) {
    storm_tally sum;
    storms(first, count, make, sum, settles_always, judged);
    return sum;
}

}  // namespace

TEST_CASE("causal_order, fifo_order: over links of any delay; without them it is violated") {
    const storm_tally sum = slow_runs(1, 150, ordering::causal, over_best_effort);
    report_on("best_effort", sum);
    CHECK(sum.bad == 0);
    CHECK(sum.missed == 0);
    CHECK(sum.delivered > 10'000);
    const auto none = [](std::size_t n) { return [n](node v) { return bare(n, v); }; };
    const auto fifo = [](std::size_t n) { return [n](node v) { return fifo_order{bare(n, v)}; }; };
    std::uint64_t fifo_broken = 0;
    std::uint64_t causal_broken = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const auto broken = [&](ordering o, const auto& make) {
            using namespace caucus;
            events net{complete{4}, make(4),
                       events_options{.seed = seed, .delay = uniform{1, 200}, .fifo = false},
                       lives_watch<deliveries<int, int>>{4}};
            net.start_all();
            for (int i = 0; i < 60; ++i) {
                net.run_for(10);
                static_cast<void>(net.watcher().ask(net, static_cast<std::size_t>(i % 4),
                                                    request::broadcast<int>{i}));
            }
            net.run_for(1000);
            return net.watcher().judged().broken(o, true) != nullptr;
        };
        fifo_broken += broken(ordering::fifo, none);
        causal_broken += broken(ordering::causal, fifo);
        CHECK_FALSE(broken(ordering::fifo, fifo));
    }
    CHECK(fifo_broken > 10);
    CHECK(causal_broken > 10);
}
TEST_CASE("causal_order over acked: in storms") {
    const storm_tally sum = stormy_runs(1, 100, over_acked);
    report_on("acked", sum);
    CHECK(sum.bad == 0);
    CHECK(sum.delivered > 5'000);
}
TEST_CASE("causal_order over nacked: in storms") {
    const storm_tally sum = stormy_runs(1, 100, over_nacked);
    report_on("nacked", sum);
    CHECK(sum.bad == 0);
    CHECK(sum.delivered > 5'000);
}
TEST_CASE("fifo_order, causal_order over srm: in storms") {
    const storm_tally fifo = stormy_runs(1, 50, fifo_over_srm, false, ordering::fifo);
    report_on("fifo over srm", fifo);
    CHECK(fifo.bad == 0);
    CHECK(fifo.delivered > 2'500);
    const storm_tally sum = stormy_runs(1, 50, over_srm);
    report_on("srm", sum);
    CHECK(sum.bad == 0);
    CHECK(sum.delivered > 2'500);
}
TEST_CASE("causal_order over views: in storms; whoever comes back joins anew") {
    const storm_tally sum = stormy_runs(1, 100, over_views, true);
    report_on("views", sum);
    CHECK(sum.bad == 0);
    CHECK(sum.delivered > 5'000);
}
TEST_CASE("nightly: causal_order: 100,000 runs over each" * doctest::skip()) {
    const storm_tally over_slow = slow_runs(1001, 100'000, ordering::causal, over_best_effort);
    report_on("best_effort", over_slow);
    CHECK(over_slow.bad == 0);
    const storm_tally a = stormy_runs(1001, 100'000, over_acked);
    report_on("acked", a);
    CHECK(a.bad == 0);
    const storm_tally b = stormy_runs(1001, 100'000, over_nacked);
    report_on("nacked", b);
    CHECK(b.bad == 0);
    const storm_tally c = stormy_runs(1001, 100'000, over_views, true);
    report_on("views", c);
    CHECK(c.bad == 0);
}
TEST_CASE("nightly: causal_order, fifo_order: memory flat over 10^6 broadcasts" * doctest::skip()) {
    auto how = slow(7);
    how.delay = uniform{1, 20};
    events net{complete{3}, over_best_effort(3), how};
    net.start_all();
    std::uint64_t early = 0;
    for (int i = 0; i < 1'000'000; ++i) {
        static_cast<void>(net.call(static_cast<std::size_t>(i % 3), request::broadcast<int>{i}));
        net.run_for(3);
        if (i % 1000 != 999) continue;
        net.run_for(100);
        if (i == 999) early = wire_bits(net[0]);
        CHECK(wire_bits(net[0]) == early);
    }
    MESSAGE(early, " bits");
}
