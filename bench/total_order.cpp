// SPDX-License-Identifier: MIT
// Total order over views, simulated: every member says what it may, again and again. Messages of
// the group a second, the network's messages that each costs, and what is held back at most.
#include <caucus/multicast/total_order.hpp>
#include <caucus/multicast/views.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

template <class Policy>
void total_order(benchmark::State& state) {
    using namespace caucus;
    using group = caucus::total_order<views<int>, Policy>;
    const auto n = static_cast<std::size_t>(state.range(0));
    std::vector<int> ids;
    for (std::size_t v = 0; v < n; ++v) ids.push_back(static_cast<int>(v));
    events net{complete{n},
               [&](node v) {
                   return group{views<int>{ids[v], peer_ids(complete{n}, v, ids), ids,
                                           {.messages_max = 1'000'000'000}}};
               },
               events_options{.keep_outcomes = false}};
    net.start_all();
    static_cast<void>(net.run());
    const std::uint64_t before = net.run().messages;
    std::uint64_t said = 0;
    std::size_t held = 0;
    for (auto _ : state) {
        for (std::size_t v = 0; v < n && v < 16; ++v)
            said += net.call(v * n / (n < 16 ? n : 16), request::broadcast<int>{1}) ==
                    answer::accepted;
        static_cast<void>(net.run());
        for (std::size_t v = 0; v < n; ++v) held = held < net[v].held() ? net[v].held() : held;
    }
    using benchmark::Counter;
    state.counters["said_per_s"] = Counter(static_cast<double>(said), Counter::kIsRate);
    state.counters["delivered_per_s"] = Counter(static_cast<double>(said * n), Counter::kIsRate);
    state.counters["messages_each"] =
        static_cast<double>(net.run().messages - before) / static_cast<double>(said);
    if (held != 0) state.SkipWithError("something is held though all has come");
}
BENCHMARK(total_order<caucus::sequencer>)->Arg(3)->Arg(10)->Arg(30)->Arg(100)->Arg(300)->Arg(1000);
BENCHMARK(total_order<caucus::moving_token>)
    ->Arg(3)->Arg(10)->Arg(30)->Arg(100)->Arg(300)->Arg(1000);
BENCHMARK(total_order<caucus::agreed_priorities>)
    ->Arg(3)->Arg(10)->Arg(30)->Arg(100)->Arg(300)->Arg(1000);

}  // namespace
