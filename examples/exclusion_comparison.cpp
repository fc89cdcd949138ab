// SPDX-License-Identifier: MIT
// Which exclusion for which load? Each with little to do and with as much as it can, counted and
// timed, beside what its card says is proven of an entry.
//
//   exclusion_comparison [--max N] [--csv FILE] [--svg FILE]
#include <caucus/core/random.hpp>
#include <caucus/election/appointed.hpp>
#include <caucus/exclusion/coordinator.hpp>
#include <caucus/exclusion/lamport.hpp>
#include <caucus/exclusion/maekawa.hpp>
#include <caucus/exclusion/quorums.hpp>
#include <caucus/exclusion/raymond.hpp>
#include <caucus/exclusion/ricart_agrawala.hpp>
#include <caucus/exclusion/suzuki_kasami.hpp>
#include <caucus/exclusion/token_ring.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/fencing.hpp>
#include <caucus/run/referee.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/ports_towards.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/tree.hpp>

#include "support/comparison_options.hpp"
#include "support/log_plot.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

using caucus::node;
namespace request = caucus::request;

constexpr std::uint64_t first_seed = 2026;
constexpr std::uint64_t runs = 3;          // of each, with as many seeds
constexpr std::size_t entries_each = 20;   // on average, in every run
constexpr caucus::ticks delay = 10;        // of a message, on average
constexpr caucus::ticks stay = 10;         // inside

struct result {
    double messages = 0;   // an entry
    double waiting = 0;    // from the wish to the entry, in delays
    double handover = 0;   // from one that leaves to the next that enters, if anybody waits
    double fairness = 1;   // entries of the node with the fewest, over those of the one with most
    bool right = true;     // nobody met another inside, fences rose, nothing was refused

    void add(const result& r) {
        messages += r.messages / runs;
        waiting += r.waiting / runs;
        handover += r.handover / runs;
        fairness = std::min(fairness, r.fairness);
        right = right && r.right;
    }
};

/// A run of one algorithm, and what is measured of it.
template <class Net>
class bench {
public:
    explicit bench(Net& net) : net_(net), asked_(net.nodes(), 0), entries_(net.nodes(), 0) {
        using process = std::remove_cvref_t<decltype(net[0])>;
        if constexpr (caucus::request_to<request::start, process>) net_.start_all();
        net_.run_for(100 * delay);   // a leader, if one is needed
        before_ = net_.run_for(0).messages;
    }

    /// One node at a time wants to enter, any of them, and none for a long time after.
    result seldom(std::uint64_t seed) {
        caucus::random_source dice{seed};
        for (std::size_t i = 0; i < entries_each * net_.nodes(); ++i) {
            ask(static_cast<std::size_t>(dice.below(net_.nodes())));
            leave(next_inside());
            net_.run_for(20 * delay);
        }
        return done();
    }
    /// All always want to: who has left asks again at once.
    result always() {
        std::size_t to_ask = (entries_each - 1) * net_.nodes();
        for (std::size_t v = 0; v < net_.nodes(); ++v) ask(v);
        caucus::ticks left = net_.now();
        for (std::size_t i = 0; i < entries_each * net_.nodes(); ++i) {
            const std::size_t v = next_inside();
            found_.handover += static_cast<double>(entered_ - left);
            leave(v);
            left = net_.now();
            if (to_ask != 0) ask(v), --to_ask;
        }
        net_.run_for(4 * delay);   // what is said of the last one
        return done();
    }

private:
    void expect(caucus::answer said) {
        found_.right = found_.right && said == caucus::answer::accepted;
    }
    void ask(std::size_t v) {
        asked_[v] = net_.now();
        expect(net_.call(v, request::enter{}));
    }
    void leave(std::size_t v) {
        net_.run_for(stay);
        expect(net_.call(v, request::leave{}));
    }
    std::size_t next_inside() {
        ++served_;
        const auto& seen = net_.watcher().template get<0>();
        net_.run_until([&] { return seen.entries() >= served_; }, {.max_rounds = 10'000'000});
        std::size_t v = 0;
        while (v + 1 < net_.nodes() && !net_[v].holds()) ++v;
        entered_ = net_.now();
        found_.waiting += static_cast<double>(entered_ - asked_[v]);
        ++entries_[v];
        return v;
    }
    result done() {
        const double count = static_cast<double>(served_);
        found_.messages = static_cast<double>(net_.run_for(0).messages - before_) / count;
        found_.waiting /= count * delay;
        found_.handover /= count * delay;
        const auto [fewest, most] = std::minmax_element(entries_.begin(), entries_.end());
        found_.fairness = static_cast<double>(*fewest) / static_cast<double>(*most);
        found_.right = found_.right && net_.watcher().holds();
        return found_;
    }

    Net& net_;
    std::vector<caucus::ticks> asked_;
    std::vector<std::size_t> entries_;   // by node
    std::size_t served_ = 0;
    std::uint64_t before_ = 0;
    caucus::ticks entered_ = 0;
    result found_;
};

enum class load : bool { low, high };

/// An exclusion by the network that it needs, and by what makes one of its nodes there.
auto on(auto place, auto make_node) {
    return [=](std::size_t n, load how, std::uint64_t seed) {
        const auto t = place(n);
        const auto make = [&](node v) { return make_node(t, v); };
        using fence = std::remove_cvref_t<decltype(make(node{}).fence())>;
        caucus::events net{t, make, {.seed = seed, .delay = caucus::uniform{8, 12}},
                           caucus::together{caucus::exclusive{}, caucus::rising_fences<fence>{}}};
        bench measured{net};
        return how == load::low ? measured.seldom(seed) : measured.always();
    };
}

struct contestant {
    const char* name;
    std::function<result(std::size_t n, load, std::uint64_t seed)> enter;
    std::function<caucus::cost(std::size_t n)> per_entry;   // as proven
    const char* handover;                                   // as proven, in delays
};

caucus::tree binary_tree(std::size_t n) {
    std::vector<std::size_t> parents(n, 0);
    for (std::size_t v = 1; v < n; ++v) parents[v] = (v - 1) / 2;
    return caucus::tree{parents};
}

using id = std::uint32_t;
id id_of(node v) { return static_cast<id>(v.index); }
std::vector<id> peers_of(const caucus::complete& t, node v) {
    std::vector<id> ids(t.nodes());
    std::iota(ids.begin(), ids.end(), id{0});
    return peer_ids(t, v, ids);
}
caucus::complete all_linked(std::size_t n) { return caucus::complete{n}; }

/// What the type's card says of an entry.
template <class P>
caucus::cost proven(std::size_t n) {
    return P::per_entry(n);
}
/// Of the smallest quorum at least, of the largest at most.
caucus::cost proven_in_a_grid(std::size_t n) {
    std::size_t smallest = n, largest = 1;
    for (std::size_t v = 0; v < n; ++v) {
        const std::size_t members = caucus::grid_quorums{n}(node{v}).size() + 1;
        smallest = std::min(smallest, members);
        largest = std::max(largest, members);
    }
    using lock = caucus::maekawa<id>;
    return {lock::per_entry(smallest).least, lock::per_entry(largest).most};
}
/// Ricart and Agrawala's, by one of its models.
template <class Model>
contestant by_replies(const char* name, Model model, const char* handover) {
    return {name, on(all_linked, [=](const auto&, node v) {
                return caucus::ricart_agrawala{id_of(v), model};
            }),
            proven<decltype(caucus::ricart_agrawala{id{}, model})>, handover};
}

const contestant contestants[] = {
    {"coordinator", on(all_linked, [](const auto& t, node v) {
         return caucus::coordinator{caucus::appointed{id_of(v), peers_of(t, v), id{0}}};
     }),
     proven<caucus::coordinator<caucus::appointed<id>>>, "2"},
    {"lamport", on(all_linked, [](const auto&, node v) { return caucus::lamport{id_of(v)}; }),
     proven<caucus::lamport<id>>, "1"},
    by_replies("ricart_agrawala", caucus::plain{}, "1"),
    by_replies("  carvalho_roucairol", caucus::carvalho_roucairol{}, "1"),
    by_replies("  answering", caucus::answering{.delay_max = 12}, "1"),
    by_replies("  majority", caucus::majority{}, "2"),
    {"maekawa, grid", on(all_linked, [](const auto& t, node v) {
         return caucus::maekawa{id_of(v), caucus::grid_quorums{t.nodes()}(v)};
     }),
     proven_in_a_grid, "2"},
    {"suzuki_kasami", on(all_linked, [](const auto& t, node v) {
         return caucus::suzuki_kasami{id_of(v), peers_of(t, v)};
     }),
     proven<caucus::suzuki_kasami<id>>, "1"},
    {"raymond, binary tree",
     on(binary_tree,
        [](const auto& t, node v) { return caucus::raymond{ports_towards(t, node{0})[v]}; }),
     proven<caucus::raymond<>>, "diameter"},
    {"token_ring", on([](std::size_t n) { return caucus::ring{n}; }, [](const auto& t, node v) {
         return caucus::token_ring{id_of(v), {.nodes = t.nodes(), .has_token = v == 0,
                                              .delay_max = 12, .stay_max = stay}};
     }),
     proven<caucus::token_ring<id>>, "1 to n-1"},
};

std::string bound(std::uint64_t messages) {
    return messages == ~std::uint64_t{0} ? "-" : std::to_string(messages);
}
std::string csv_line(const contestant& c, std::size_t n, load how, std::uint64_t seed,
                     const result& r) {
    const caucus::cost proven = c.per_entry(n);
    return csv_row({c.name, std::to_string(n), how == load::low ? "low" : "high",
                    std::to_string(seed), std::to_string(r.messages), std::to_string(r.waiting),
                    how == load::low ? "" : std::to_string(r.handover),
                    how == load::low ? "" : std::to_string(r.fairness),
                    std::to_string(proven.least), bound(proven.most)});
}

int main(int count, char** words) {
    comparison_options options{.counted = "nodes", .least = 8, .max = 64};
    if (const auto exit_code = options.read(count, words)) return *exit_code;
    const std::size_t step = options.first_look ? 8 : 2;

    std::printf("seeds %d to %d; each: messages an entry; waits, next: from the wish to the "
                "entry, and from\none that leaves to the next one, in message delays; fair: "
                "fewest entries of a node over most\n\n"
                "%-26s%-14s%-27s%s\n%-20s %3s %6s %5s %8s %6s %5s %5s %8s %5s  %s\n",
                static_cast<int>(first_seed), static_cast<int>(first_seed + runs - 1), "",
                "low load", "high load", "proven", "algorithm", "n", "each", "waits", "each",
                "waits", "next", "fair", "least", "most", "next");
    std::string csv = "algorithm,n,load,seed,messages,waiting,next,fairness,least,most\n";
    std::vector<log_plot> plots(2);
    bool all_right = true;
    for (const contestant& each : contestants) {
        for (log_plot& plot : plots) plot.measured.push_back({each.name, {}});
        for (std::size_t n = 8; n <= options.max; n *= step) {
            result found[2];
            for (const load how : {load::low, load::high})
                for (std::uint64_t seed = first_seed; seed < first_seed + runs; ++seed) {
                    const result r = each.enter(n, how, seed);
                    csv += csv_line(each, n, how, seed, r);
                    found[how == load::high].add(r);
                }
            const auto& [low, high] = found;
            const caucus::cost proven = each.per_entry(n);
            const auto in_bounds = [&](double messages) {
                return static_cast<double>(proven.least) <= messages &&
                       messages <= static_cast<double>(proven.most);
            };
            const bool right = low.right && high.right && in_bounds(low.messages) &&
                               in_bounds(high.messages);
            all_right = all_right && right;
            std::printf("%-20s %3d %6.1f %5.1f %8.1f %6.1f %5.1f %5.2f %8s %5s  %s%s\n",
                        each.name, static_cast<int>(n), low.messages, low.waiting, high.messages,
                        high.waiting, high.handover, high.fairness, bound(proven.least).c_str(),
                        bound(proven.most).c_str(), each.handover,
                        right ? "" : "   not as proven!");
            plots[0].measured.back().points.push_back({static_cast<double>(n), low.messages});
            plots[1].measured.back().points.push_back({static_cast<double>(n), high.messages});
        }
    }
    plots[0].title = "Messages an entry, if one wants it at a time";
    plots[1].title = "Messages an entry, if all always want it";
    for (log_plot& plot : plots) {
        plot.x_label = "nodes";
        plot.y_label = "messages";
        plot.theory = {{"2(n-1)", {}}, {"3(n-1)", {}}, {"4", {}}};
        for (double n = 8; n <= static_cast<double>(options.max); n *= 2) {
            plot.theory[0].points.push_back({n, 2 * (n - 1)});
            plot.theory[1].points.push_back({n, 3 * (n - 1)});
            plot.theory[2].points.push_back({n, 4});
        }
    }
    const bool csv_written = options.csv.write(csv);
    const bool svg_written = options.svg.write(log_plot::sheet(plots));
    return all_right && csv_written && svg_written ? 0 : 1;
}

/* Output:
seeds 2026 to 2028; each: messages an entry; waits, next: from the wish to the entry, and from
one that leaves to the next one, in message delays; fair: fewest entries of a node over most

                          low load      high load                  proven
algorithm              n   each waits     each  waits  next  fair    least  most  next
coordinator            8    2.7   1.8      2.6   20.3   1.7  0.90        0     3  2
coordinator           64    3.0   2.0      3.0  184.1   2.0  0.90        0     3  2
lamport                8   21.0   2.3     21.0   14.7   1.0  1.00       21    21  1
lamport               64  189.0   2.4    189.0  124.1   1.0  1.00      189   189  1
ricart_agrawala        8   14.0   2.3     14.0   14.7   1.0  1.00       14    14  1
ricart_agrawala       64  126.0   2.4    126.0  123.9   1.0  1.00      126   126  1
  carvalho_roucairol   8    7.3   1.9     14.0   14.7   1.0  1.00        0    14  1
  carvalho_roucairol  64   64.2   2.3    126.0  123.9   1.0  1.00        0   126  1
  answering            8   14.0   2.3     20.8   14.8   1.0  1.00       14    21  1
  answering           64  126.0   2.4    187.4  124.1   1.0  1.00      126   189  1
  majority             8   12.0   2.2     12.1   23.9   2.2  1.00       12    24  2
  majority            64   96.0   2.4     96.1  209.4   2.4  1.00       96   192  2
maekawa, grid          8   10.4   2.2     14.0   23.1   2.1  0.90        9    24  2
maekawa, grid         64   42.0   2.3     56.0  195.0   2.1  0.90       42    84  2
suzuki_kasami          8    7.0   1.7      7.9   14.6   1.0  0.90        0     8  1
suzuki_kasami         64   63.0   2.0     64.0  123.7   1.0  0.90        0    64  1
raymond, binary tree   8    4.6   4.6      3.5   20.3   1.7  0.90        0    14  diameter
raymond, binary tree  64   13.1  13.1      3.9  183.8   2.0  0.90        0   126  diameter
token_ring             8   22.2   4.3      1.0   14.7   1.0  1.00        1     -  1 to n-1
token_ring            64   49.7  34.6      1.0  123.6   1.0  1.00        1     -  1 to n-1
*/
