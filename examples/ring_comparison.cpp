// SPDX-License-Identifier: MIT
// Which ring election for which size? Every one of them on the same random ids, counted, and
// compared with what its card says is proven, and with what is proven of them all.
//
//   ring_comparison [--max N] [--csv FILE] [--svg FILE]
#include <caucus/core/random.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/franklin.hpp>
#include <caucus/election/ring/hirschberg_sinclair.hpp>
#include <caucus/election/ring/itai_rodeh.hpp>
#include <caucus/election/ring/le_lann.hpp>
#include <caucus/election/ring/lower_bounds.hpp>
#include <caucus/election/ring/peterson.hpp>
#include <caucus/election/ring/peterson_alternating.hpp>
#include <caucus/election/ring/replacing.hpp>
#include <caucus/election/ring/roll_call.hpp>
#include <caucus/election/ring/time_slice.hpp>
#include <caucus/election/ring/two_way.hpp>
#include <caucus/election/ring/variable_speeds.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include "support/comparison_options.hpp"
#include "support/log_plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

using caucus::node;
using id = std::uint32_t;

constexpr std::uint64_t first_seed = 2026;
constexpr std::uint64_t runs = 10;   // of each on random ids, with as many seeds

struct result {
    caucus::report report;
    caucus::ticks time = 0;   // of messages that take 1 to 10 ticks each
    bool right = false;       // all know one leader, at a cost that is proven
};

template <class Simulation>
bool all_is_well(const Simulation& sim, const caucus::report& r) {
    std::size_t leaders = 0;
    for (std::size_t v = 0; v < sim.nodes(); ++v) {
        leaders += sim[v].is_leader();
        if (!sim[v].leader() || sim[v].leader() != sim[0].leader()) return false;
    }
    return leaders == 1 && r.within_proven();
}

/// An election on such a ring, by what makes a node of its id and the ring's size.
template <class Ring>
auto on(auto make_node) {
    return [make_node](const std::vector<id>& ids, std::uint64_t seed) {
        const auto make = [&](node v) { return make_node(ids[v], ids.size()); };
        caucus::rounds sim{Ring{ids.size()}, make, {.seed = seed}};
        sim.start_all();
        result found;
        found.report = sim.run();
        found.right = all_is_well(sim, found.report);
        if constexpr (decltype(make(node{}))::assumes.time == caucus::timing::asynchronous) {
            caucus::events net{Ring{ids.size()}, make, {.seed = seed}};
            net.start_all();
            const caucus::report r = net.run();
            found.time = r.time();
            found.right = found.right && all_is_well(net, r);
        }
        return found;
    };
}

struct contestant {
    const char* name;
    std::function<result(const std::vector<id>&, std::uint64_t seed)> elect;
    std::size_t n_most = ~std::size_t{0};   // beyond that: too many messages, ids or rounds
};

const contestant contestants[] = {
    {"le_lann", on<caucus::ring>([](id i, auto) { return caucus::le_lann{i}; }), 2048},
    {"roll_call", on<caucus::complete>([](id i, auto) { return caucus::roll_call{i}; }), 64},
    {"chang_roberts", on<caucus::ring>([](id i, auto) { return caucus::chang_roberts{i}; })},
    {"replacing", on<caucus::ring>([](id i, auto) { return caucus::replacing{i}; })},
    {"two_way", on<caucus::two_way_ring>([](id i, auto) { return caucus::two_way{i}; })},
    {"peterson", on<caucus::ring>([](id i, auto) { return caucus::peterson{i}; })},
    {"peterson, printed",
     on<caucus::ring>([](id i, auto) { return caucus::peterson{i, caucus::printed{}}; })},
    {"peterson_alternating",
     on<caucus::ring>([](id i, auto) { return caucus::peterson_alternating{i}; })},
    {"franklin", on<caucus::two_way_ring>([](id i, auto) { return caucus::franklin{i}; })},
    {"hirschberg_sinclair",
     on<caucus::two_way_ring>([](id i, auto) { return caucus::hirschberg_sinclair{i}; })},
    {"time_slice", on<caucus::ring>([](id i, auto n) { return caucus::time_slice{i, n}; })},
    {"variable_speeds",
     on<caucus::ring>([](id i, auto) { return caucus::variable_speeds{i}; }), 16},
    {"itai_rodeh", on<caucus::ring>([](id, auto n) { return caucus::itai_rodeh{n}; })},
};

struct arrangement {
    const char* name;
    void (*arrange)(std::vector<id>&, std::uint64_t seed);
    std::uint64_t runs;
    std::size_t n_most;   // n(n+1)/2 messages take their time
};

const arrangement arrangements[] = {
    {"random",
     [](std::vector<id>& ids, std::uint64_t seed) { caucus::random_source{seed}.shuffle(ids); },
     runs, ~std::size_t{0}},
    {"ascending", [](std::vector<id>&, std::uint64_t) {}, 1, 4096},
    {"descending",
     [](std::vector<id>& ids, std::uint64_t) { std::reverse(ids.begin(), ids.end()); }, 1, 4096},
};

std::string csv_line(const char* name, const char* ids, const result& r) {
    const caucus::cost& proven = *r.report.proven;
    std::string kinds;
    for (const auto& kind : r.report.kinds)
        kinds += (kinds.empty() ? "" : " ") + std::string(kind.name.data(), kind.name.size()) +
                 "=" + std::to_string(kind.messages);
    return csv_row({name, std::to_string(r.report.size.nodes), ids,
                    std::to_string(r.report.messages), kinds, std::to_string(r.report.rounds),
                    r.time ? std::to_string(r.time) : "", std::to_string(proven.least),
                    proven.most != ~std::uint64_t{0} ? std::to_string(proven.most) : "",
                    proven.mean ? std::to_string(*proven.mean) : ""});
}

/// The averages of all runs on random ids, and what is proven of each of them.
struct summary {
    double messages = 0;
    double rounds = 0;
    caucus::cost proven;
    bool right = true;

    void add(const result& r) {
        messages += static_cast<double>(r.report.messages) / static_cast<double>(runs);
        rounds += static_cast<double>(r.report.rounds) / static_cast<double>(runs);
        proven = *r.report.proven;
        right = right && r.right;
    }
    void print(const char* name, std::size_t n) const {
        const bool bounded = proven.most != ~std::uint64_t{0};
        std::printf("%-20s %6zu %11.1f %8.1f %9llu %9s", name, n, messages, rounds,
                    static_cast<unsigned long long>(proven.least),
                    bounded ? std::to_string(proven.most).c_str() : "no bound");
        if (proven.mean) std::printf(" %11.1f", *proven.mean);
        std::printf("%s\n", right ? "" : "   not as proven!");
    }
};

void add_theory(log_plot& plot, std::size_t n_most) {
    const auto curve = [&](const char* name, auto messages) {
        plot.theory.push_back({name, {}});
        for (double n = 16; n <= static_cast<double>(n_most); n *= 2)
            plot.theory.back().points.push_back({n, messages(n)});
    };
    curve("n²+n", [](double n) { return n * n + n; });
    curve("n(n+1)/2+n", [](double n) { return n * (n + 1) / 2 + n; });
    curve("8n(1+lg n)+n", [](double n) { return 8 * n * (1 + std::log2(n)) + n; });
    curve("2n·lg n+3n", [](double n) { return 2 * n * std::log2(n) + 3 * n; });
    curve("n·H(n)+n", [](double n) {
        return caucus::least_mean_on_one_way_rings(static_cast<std::size_t>(n)) + n;
    });
    curve("n·lg(n)/4: least", [](double n) {
        return caucus::least_worst_on_rings(static_cast<std::size_t>(n));
    });
    curve("n", [](double n) { return n; });
}

int main(int count, char** words) {
    comparison_options options{.counted = "nodes", .least = 16, .max = 1024};
    if (const auto exit_code = options.read(count, words)) return *exit_code;
    const std::size_t step = options.first_look ? 8 : 2;

    std::printf(
        "seeds %d to %d, all start, averages on random ids\n\n%-20s %6s %11s %8s %9s %9s %11s\n",
        static_cast<int>(first_seed), static_cast<int>(first_seed + runs - 1), "algorithm", "n",
        "messages", "rounds", "at least", "at most", "on average");
    std::string csv = "algorithm,n,ids,messages,by kind,rounds,time,least,most,mean\n";
    log_plot plot;
    bool all_right = true;
    for (const contestant& each : contestants) {
        plot.measured.push_back({each.name, {}});
        for (std::size_t n = 16; n <= std::min(options.max, each.n_most); n *= step) {
            summary on_random_ids;
            std::uint64_t most = 0;
            bool asynchronous = false;
            for (const arrangement& a : arrangements) {
                if (n > a.n_most) continue;
                for (std::uint64_t seed = first_seed; seed < first_seed + a.runs; ++seed) {
                    std::vector<id> ids(n);
                    std::iota(ids.begin(), ids.end(), id{1});
                    a.arrange(ids, seed);
                    const result r = each.elect(ids, seed);
                    all_right = all_right && r.right;
                    csv += csv_line(each.name, a.name, r);
                    if (&a == arrangements) on_random_ids.add(r);
                    most = std::max(most, r.report.messages);
                    asynchronous = r.time != 0;
                }
            }
            // The line that nobody crosses who does not count with ids and time
            if (asynchronous && static_cast<double>(most) < caucus::least_worst_on_rings(n))
                on_random_ids.right = all_right = false;
            on_random_ids.print(each.name, n);
            plot.measured.back().points.push_back({static_cast<double>(n), on_random_ids.messages});
        }
    }

    plot.title = "Ring elections on random ids, announcement included";
    plot.x_label = "nodes";
    plot.y_label = "messages";
    add_theory(plot, options.max);
    const bool csv_written = options.csv.write(csv);
    const bool svg_written = options.svg.write(plot.svg());
    return all_right && csv_written && svg_written ? 0 : 1;
}

/* Output:
seeds 2026 to 2035, all start, averages on random ids

algorithm                 n    messages   rounds  at least   at most  on average
le_lann                  16       272.0     32.0       272       272       272.0
le_lann                 128     16512.0    256.0     16512     16512     16512.0
le_lann                1024   1049600.0   2048.0   1049600   1049600   1049600.0
roll_call                16       512.0     32.0       512       512       512.0
chang_roberts            16        71.0     32.0        47       152        70.1
chang_roberts           128       845.9    256.0       383      8384       823.4
chang_roberts          1024      8652.3   2048.0      3071    525824      8713.4
replacing                16        71.0     32.0        47       152        70.1
replacing               128       845.9    256.0       383      8384       823.4
replacing              1024      8652.3   2048.0      3071    525824      8713.4
two_way                  16        63.4     32.0        47       152
two_way                 128       707.1    256.0       383      8384
two_way                1024      7189.8   2048.0      3071    525824
peterson                 16       115.2     49.4        64       160
peterson                128      1433.6    412.7       512      2048
peterson               1024     14540.8   3008.8      4096     22528
peterson, printed        16       104.7     36.1        63       160
peterson, printed       128      1334.5    300.2       511      2048
peterson, printed      1024     13992.4   2376.5      4095     22528
peterson_alternating     16        86.4     44.5        48       112
peterson_alternating    128      1062.4    386.6       384      1408
peterson_alternating   1024     10752.0   2969.3      3072     16384
franklin                 16       131.2     42.2        80       176
franklin                128      1561.6    355.7       640      2176
franklin               1024     15564.8   2670.4      5120     23552
hirschberg_sinclair      16       217.5     62.0       152       306
hirschberg_sinclair     128      2989.3    510.0      1272      4744
hirschberg_sinclair    1024     33020.8   4094.0     10232     58574
time_slice               16        16.0     32.0        16        16        16.0
time_slice              128       128.0    256.0       128       128       128.0
time_slice             1024      1024.0   2048.0      1024      1024      1024.0
variable_speeds          16        37.7     48.0        32        43
itai_rodeh               16        96.4     40.0        47  no bound
itai_rodeh              128       964.8    294.4       383  no bound
itai_rodeh             1024      9700.7   2355.2      3071  no bound
*/
