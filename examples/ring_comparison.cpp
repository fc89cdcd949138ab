// SPDX-License-Identifier: MIT
// Which ring election for which size? Every one of them on the same random ids, counted, and
// compared with what its card says is proven.
//
//   ring_comparison [--max N] [--csv FILE] [--svg FILE]
#include <caucus/core/random.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/franklin.hpp>
#include <caucus/election/ring/hirschberg_sinclair.hpp>
#include <caucus/election/ring/two_way.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include "support/log_plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

using caucus::node;
using id = std::uint32_t;

constexpr std::uint64_t chosen_seed = 2026;

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
    return [make_node](const std::vector<id>& ids) {
        const auto make = [&](node v) { return make_node(ids[v], ids.size()); };
        caucus::rounds sim{Ring{ids.size()}, make, {.seed = chosen_seed}};
        sim.start_all();
        result found;
        found.report = sim.run();
        found.right = all_is_well(sim, found.report);
        if constexpr (decltype(make(node{}))::assumes.time == caucus::timing::asynchronous) {
            caucus::events net{Ring{ids.size()}, make, {.seed = chosen_seed}};
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
    std::function<result(const std::vector<id>&)> elect;
};

const contestant contestants[] = {
    {"chang_roberts", on<caucus::ring>([](id i, auto) { return caucus::chang_roberts{i}; })},
    {"two_way", on<caucus::two_way_ring>([](id i, auto) { return caucus::two_way{i}; })},
    {"franklin", on<caucus::two_way_ring>([](id i, auto) { return caucus::franklin{i}; })},
    {"hirschberg_sinclair",
     on<caucus::two_way_ring>([](id i, auto) { return caucus::hirschberg_sinclair{i}; })},
};

struct arrangement {
    const char* name;
    void (*arrange)(std::vector<id>&);
    std::size_t n_most;   // n(n+1)/2 messages take their time
};

const arrangement arrangements[] = {
    {"random", [](std::vector<id>& ids) { caucus::random_source{chosen_seed}.shuffle(ids); }, ~0u},
    {"ascending", [](std::vector<id>&) {}, 4096},
    {"descending", [](std::vector<id>& ids) { std::reverse(ids.begin(), ids.end()); }, 4096},
};

std::string csv_line(const char* name, const char* ids, const result& r) {
    std::string line = std::string(name) + "," + std::to_string(r.report.size.nodes) + "," + ids +
                       "," + std::to_string(r.report.messages) + ",";
    for (const auto& kind : r.report.kinds)
        line += (line.back() == ',' ? "" : " ") + std::string(kind.name.data(), kind.name.size()) +
                "=" + std::to_string(kind.messages);
    line += "," + std::to_string(r.report.rounds) + "," + (r.time ? std::to_string(r.time) : "") +
            "," + std::to_string(r.report.proven->least) + "," +
            std::to_string(r.report.proven->most) + ",";
    if (r.report.proven->mean) line += std::to_string(*r.report.proven->mean);
    return line + "\n";
}

void print_line(const char* name, const result& r) {
    const caucus::cost proven = *r.report.proven;
    std::printf("%-20s %6zu %9zu %8zu %9zu %9zu ", name, r.report.size.nodes,
                static_cast<std::size_t>(r.report.messages),
                static_cast<std::size_t>(r.report.rounds), static_cast<std::size_t>(proven.least),
                static_cast<std::size_t>(proven.most));
    if (proven.mean) std::printf("%11.1f", *proven.mean);
    std::printf("%s\n", r.right ? "" : "   not as proven!");
}

void add_theory(log_plot& plot, std::size_t n_most) {
    const auto curve = [&](const char* name, auto messages) {
        plot.theory.push_back({name, {}});
        for (double n = 16; n <= static_cast<double>(n_most); n *= 2)
            plot.theory.back().points.push_back({n, messages(n)});
    };
    curve("n(n+1)/2+n", [](double n) { return n * (n + 1) / 2 + n; });
    curve("8n(1+lg n)+n", [](double n) { return 8 * n * (1 + std::log2(n)) + n; });
    curve("2n·lg n+3n", [](double n) { return 2 * n * std::log2(n) + 3 * n; });
    curve("n·H(n)+n", [](double n) {
        return n * caucus::harmonic(static_cast<std::size_t>(n)) + n;
    });
    curve("n", [](double n) { return n; });
}

bool write(const std::string& file, const std::string& text) {
    if (file.empty() || std::ofstream(file) << text) return true;
    std::fprintf(stderr, "cannot write %s\n", file.c_str());
    return false;
}

int main(int count, char** words) {
    std::size_t n_most = 1024;
    std::string csv_file, svg_file;
    for (int i = 1; i < count; i += 2) {
        const std::string option = i + 1 < count ? words[i] : "";
        if (option == "--max") n_most = std::strtoul(words[i + 1], nullptr, 10);
        else if (option == "--csv") csv_file = words[i + 1];
        else if (option == "--svg") svg_file = words[i + 1];
        else n_most = 0;
    }
    if (n_most < 16) {
        std::fprintf(stderr, "options: --max N (16 or more), --csv FILE, --svg FILE\n");
        return 2;
    }
    const std::size_t step = count == 1 ? 8 : 2;   // a first look, or all there is

    std::printf("seed %d, random ids, all start\n\n%-20s %6s %9s %8s %9s %9s %11s\n",
                static_cast<int>(chosen_seed), "algorithm", "n", "messages", "rounds", "at least",
                "at most", "on average");
    std::string csv = "algorithm,n,ids,messages,by kind,rounds,time,least,most,mean\n";
    log_plot plot;
    bool all_right = true;
    for (const contestant& each : contestants) {
        plot.measured.push_back({each.name, {}});
        for (std::size_t n = 16; n <= n_most; n *= step)
            for (const arrangement& a : arrangements) {
                if (n > a.n_most) continue;
                std::vector<id> ids(n);
                std::iota(ids.begin(), ids.end(), id{1});
                a.arrange(ids);
                const result r = each.elect(ids);
                all_right = all_right && r.right;
                csv += csv_line(each.name, a.name, r);
                if (&a != arrangements) continue;
                print_line(each.name, r);
                plot.measured.back().points.push_back(
                    {static_cast<double>(n), static_cast<double>(r.report.messages)});
            }
    }

    plot.title = "Ring elections on random ids, announcement included";
    plot.x_label = "nodes";
    plot.y_label = "messages";
    add_theory(plot, n_most);
    const bool written = write(csv_file, csv) && write(svg_file, plot.svg());
    return all_right && written ? 0 : 1;
}

/* Output:
seed 2026, random ids, all start

algorithm                 n  messages   rounds  at least   at most  on average
chang_roberts            16        74       32        47       152        70.1
chang_roberts           128       745      256       383      8384       823.4
chang_roberts          1024      8790     2048      3071    525824      8713.4
two_way                  16        66       32        47       152
two_way                 128       695      256       383      8384
two_way                1024      6752     2048      3071    525824
franklin                 16       144       47        80       176
franklin                128      1664      361       640      2176
franklin               1024     15360     2740      5120     23552
hirschberg_sinclair      16       229       62       152       306
hirschberg_sinclair     128      3216      510      1272      4744
hirschberg_sinclair    1024     32092     4094     10232     58574
*/
