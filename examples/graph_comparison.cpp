// SPDX-License-Identifier: MIT
// Which election for which graph? All of them on the same graphs, ids and initiators, counted, and
// compared with what their cards say is proven.
//
//   graph_comparison [--max N] [--csv FILE] [--svg FILE]
#include <caucus/core/random.hpp>
#include <caucus/election/graph/adoption.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/graph/ghs.hpp>
#include <caucus/election/graph/waiting.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/hypercube.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/torus.hpp>

#include "support/comparison_options.hpp"
#include "support/log_plot.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

using caucus::graph;
using caucus::node;
using id = std::uint32_t;

constexpr std::size_t nodes = 64;
constexpr std::uint64_t first_seed = 2026;
constexpr std::uint64_t runs = 20;   // of each, with as many seeds

/// Who has which id, and who starts: the first k of `starters`.
struct instance {
    graph links;
    std::vector<id> ids;
    std::vector<std::size_t> starters;

    instance(graph g, std::uint64_t seed) : links(std::move(g)), ids(nodes), starters(nodes) {
        caucus::random_source dice{seed};
        std::iota(ids.begin(), ids.end(), id{1});
        std::iota(starters.begin(), starters.end(), std::size_t{0});
        dice.shuffle(ids);
        dice.shuffle(starters);
    }
};

struct result {
    caucus::report report;
    bool right = true;   // all know one leader, at a cost that is proven
};

void elect(auto& sim, const instance& where, std::size_t k, result& found) {
    for (std::size_t i = 0; i < k; ++i) sim.start(where.starters[i]);
    found.report = sim.run();
    std::size_t leaders = 0;
    for (std::size_t v = 0; v < nodes; ++v) {
        leaders += sim[v].is_leader();
        found.right = found.right && sim[v].leader() && sim[v].leader() == sim[0].leader();
    }
    found.right = found.right && leaders == 1 && found.report.within_proven();
}

/// An election by what makes one of its nodes: in uneven time, and then in rounds, which count.
auto by(auto make_node) {
    return [make_node](const instance& where, std::size_t k, std::uint64_t seed) {
        const auto make = [&](node v) { return make_node(where, v); };
        result found;
        caucus::events net{where.links, make, {.seed = seed, .delay = caucus::exponential{10}}};
        elect(net, where, k, found);
        caucus::rounds sim{where.links, make, {.seed = seed}};
        elect(sim, where, k, found);
        return found;
    };
}

struct contestant {
    const char* name;
    std::function<result(const instance&, std::size_t k, std::uint64_t seed)> elect;
};

/// The minimum spanning tree for random weights, which both ends of an edge work out alike.
auto spanning(const instance& where, node v) {
    const std::vector<id> peers = caucus::peer_ids(where.links, v, where.ids);
    std::vector<std::uint64_t> weights;
    for (const id peer : peers)
        weights.push_back(caucus::mix(std::min(peer, where.ids[v]), std::max(peer, where.ids[v])));
    return caucus::ghs{where.ids[v], peers, weights};
}

const contestant contestants[] = {
    {"extinction", by([](const instance& w, node v) { return caucus::extinction{w.ids[v]}; })},
    {"adoption", by([](const instance& w, node v) { return caucus::adoption{w.ids[v]}; })},
    {"waiting", by([](const instance& w, node v) { return caucus::waiting{w.ids[v]}; })},
    {"ghs", by(spanning)},
};

graph as_graph(const auto& t, auto keep) {
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    for (std::size_t v = 0; v < t.nodes(); ++v)
        for (const caucus::port p : caucus::ports(t.degree(node{v})))
            if (const std::size_t u = t.across(node{v}, p).node; v < u && keep(v, u))
                edges.emplace_back(v, u);
    return graph{t.nodes(), edges};
}
bool always(std::size_t, std::size_t) { return true; }
bool without_the_way_round(std::size_t v, std::size_t u) { return u - v == 1 || u - v == 8; }

struct terrain {
    const char* name;
    std::function<graph(std::uint64_t seed)> draw;
};

const terrain terrains[] = {
    {"random tree", [](std::uint64_t seed) { return caucus::random_tree(nodes, seed); }},
    {"grid 8 x 8",
     [](std::uint64_t) { return as_graph(caucus::torus{8, 8}, without_the_way_round); }},
    {"torus 8 x 8", [](std::uint64_t) { return as_graph(caucus::torus{8, 8}, always); }},
    {"hypercube 6", [](std::uint64_t) { return as_graph(caucus::hypercube{6}, always); }},
    {"G(64, 0.1)", [](std::uint64_t seed) { return caucus::random_graph(nodes, 0.1, seed); }},
    {"G(64, 0.5)", [](std::uint64_t seed) { return caucus::random_graph(nodes, 0.5, seed); }},
};

std::string csv_line(const char* name, const char* where, std::uint64_t seed, const result& r) {
    const caucus::report& it = r.report;
    std::string kinds;
    for (const auto& kind : it.kinds)
        kinds += (kinds.empty() ? "" : " ") + std::string(kind.name.data(), kind.name.size()) +
                 "=" + std::to_string(kind.messages);
    return csv_row({name, where, std::to_string(it.size.links), std::to_string(it.size.initiators),
                    std::to_string(seed), std::to_string(it.messages), kinds,
                    std::to_string(it.rounds), std::to_string(it.proven->least),
                    std::to_string(it.proven->most)});
}

int main(int count, char** words) {
    comparison_options options{.counted = "initiators", .least = 1, .max = nodes, .most = nodes};
    if (const auto exit_code = options.read(count, words)) return *exit_code;
    const std::size_t step = options.first_look ? 8 : 2;

    std::printf("%d nodes, seeds %d to %d, averages of messages and rounds, the news included\n\n",
                static_cast<int>(nodes), static_cast<int>(first_seed),
                static_cast<int>(first_seed + runs - 1));
    std::printf("%-12s %7s %3s", "graph", "2|E|", "k");
    for (const contestant& each : contestants) std::printf("  %15s", each.name);
    std::printf("\n");
    std::string csv = "algorithm,graph,links,initiators,seed,messages,by kind,rounds,least,most\n";
    std::vector<log_plot> plots;
    bool all_right = true;
    for (const terrain& where : terrains) {
        log_plot& plot = plots.emplace_back();
        plot.title = std::string("Elections on ") + where.name + ", announcement included";
        plot.x_label = "initiators";
        plot.y_label = "messages";
        plot.theory = {{"2|E|", {}}, {"2|E|+n-1", {}}};
        for (const contestant& each : contestants) plot.measured.push_back({each.name, {}});
        for (std::size_t k = 1; k <= options.max; k *= step) {
            const auto x = static_cast<double>(k);
            std::vector<double> messages(std::size(contestants), 0);
            std::vector<double> rounds(std::size(contestants), 0);
            double links = 0;
            for (std::uint64_t seed = first_seed; seed < first_seed + runs; ++seed) {
                const instance drawn{where.draw(seed), seed};
                links += static_cast<double>(drawn.links.links()) / runs;
                for (std::size_t c = 0; c < std::size(contestants); ++c) {
                    const result r = contestants[c].elect(drawn, k, seed);
                    messages[c] += static_cast<double>(r.report.messages) / runs;
                    rounds[c] += static_cast<double>(r.report.rounds) / runs;
                    all_right = all_right && r.right;
                    csv += csv_line(contestants[c].name, where.name, seed, r);
                }
            }
            std::printf("%-12s %7.1f %3d", where.name, 2 * links, static_cast<int>(k));
            for (std::size_t c = 0; c < std::size(contestants); ++c) {
                std::printf("  %8.1f %6.1f", messages[c], rounds[c]);
                plot.measured[c].points.push_back({x, messages[c]});
            }
            std::printf("\n");
            plot.theory[0].points.push_back({x, 2 * links});
            plot.theory[1].points.push_back({x, 2 * links + nodes - 1});
        }
    }
    if (!all_right) std::printf("not as proven!\n");
    const bool csv_written = options.csv.write(csv);
    const bool svg_written = options.svg.write(log_plot::sheet(plots));
    return all_right && csv_written && svg_written ? 0 : 1;
}

/* Output:
64 nodes, seeds 2026 to 2045, averages of messages and rounds, the news included

graph           2|E|   k       extinction         adoption          waiting              ghs
random tree    126.0   1     189.0   53.4     189.0   53.4     189.0   53.4     726.2  130.9
random tree    126.0   8     341.7   48.5     219.1   46.2     361.6   75.5     727.7   96.1
random tree    126.0  64     577.9   50.6     332.2   50.2     529.3   87.6     724.2   74.7
grid 8 x 8     224.0   1     287.0   32.8     287.0   32.8     287.0   32.8     979.8  117.3
grid 8 x 8     224.0   8     564.0   31.2     398.3   39.1     526.4   57.0     979.6  100.8
grid 8 x 8     224.0  64     985.1   34.4     641.8   49.0     715.4   61.7     984.0   90.0
torus 8 x 8    256.0   1     319.0   24.0     319.0   24.0     319.0   24.0    1060.2  118.4
torus 8 x 8    256.0   8     649.8   24.0     491.1   31.3     553.6   41.5    1060.1  104.9
torus 8 x 8    256.0  64    1093.7   24.0     756.7   32.1     727.1   44.1    1066.0   95.2
hypercube 6    384.0   1     447.0   18.0     447.0   18.0     447.0   18.0    1138.5  106.2
hypercube 6    384.0   8    1021.4   18.0     732.6   21.6     789.1   30.8    1140.4   94.9
hypercube 6    384.0  64    1712.9   18.0    1088.0   20.9     990.3   38.1    1155.1   83.1
G(64, 0.1)     403.9   1     466.9   11.6     466.9   11.6     466.9   11.6    1072.8   90.0
G(64, 0.1)     403.9   8    1072.1   11.9     786.7   16.9     826.2   28.4    1076.8   78.4
G(64, 0.1)     403.9  64    1822.7   11.5    1140.2   17.1     978.8   35.2    1102.9   66.2
G(64, 0.5)    2018.8   1    2081.8    7.0    2081.8    7.0    2081.8    7.0    2715.9  124.6
G(64, 0.5)    2018.8   8    5744.4    7.0    3521.5   10.5    3948.7   21.7    2719.5  115.3
G(64, 0.5)    2018.8  64    9504.3    7.0    4882.4   10.7    4124.5   51.0    2739.6  104.6
*/
