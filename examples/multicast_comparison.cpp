// SPDX-License-Identifier: MIT
// Which multicast for which network? Each node sends to all in turn, over links that lose nothing,
// every twentieth message, and a third of all; counted and timed, beside what is proven of a
// broadcast where nothing is lost. All is counted: also the beats of nacked and the session
// messages of srm, which cost the more, the less is sent.
//
//   multicast_comparison [--max N] [--csv FILE] [--svg FILE]
#include <caucus/layer/reliable.hpp>
#include <caucus/multicast/acked.hpp>
#include <caucus/multicast/nacked.hpp>
#include <caucus/multicast/srm.hpp>
#include <caucus/multicast/total_order.hpp>
#include <caucus/multicast/views.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>

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

constexpr std::uint64_t seed = 2026;
constexpr std::size_t broadcasts = 400;
constexpr caucus::ticks delay = 10;       // of a message, on average
constexpr caucus::ticks gap = 60;       // from one broadcast to the next
constexpr double losses[] = {0, 0.05, 0.3};

struct result {
    double messages = 0;   // a broadcast
    double wait = 0;       // until the last node has it, in delays
    bool right = true;     // everybody was delivered all, once, and where that is promised in order
};

/// When each message has come to how many, and in which order.
class arrivals : public caucus::observer {
public:
    explicit arrivals(std::size_t nodes) : seen_(nodes), counts_(broadcasts, 0) {}

    void reported(caucus::ticks now, node v, const auto& outcome) {
        caucus::visit_kind(outcome, [&](const auto& kind) {
            if constexpr (requires { kind.payload; }) {
                seen_[v].push_back(kind.payload);
                const auto which = static_cast<std::size_t>(kind.payload);
                if (++counts_[which] == seen_.size()) {
                    waited_ += now - sent_[which];
                    ++complete_;
                }
            }
        });
    }
    void begin_next(caucus::ticks now) { sent_.push_back(now); }
    bool all_have_all() const { return complete_ == broadcasts; }
    double wait() const { return static_cast<double>(waited_) / broadcasts / delay; }
    bool is_right(caucus::ordering promised) const {
        for (std::vector<int> own : seen_) {
            if (promised == caucus::ordering::total && own != seen_[0]) return false;
            if (promised == caucus::ordering::fifo && !is_in_fifo_order(own)) return false;
            std::sort(own.begin(), own.end());
            if (own.size() != broadcasts || std::unique(own.begin(), own.end()) != own.end())
                return false;
        }
        return true;
    }

private:
    /// Message i was sent by node i modulo n.
    bool is_in_fifo_order(const std::vector<int>& own) const {
        std::vector<int> last(seen_.size(), -1);
        for (const int i : own) {
            int& before = last[static_cast<std::size_t>(i) % seen_.size()];
            if (before > i) return false;
            before = i;
        }
        return true;
    }

    std::vector<std::vector<int>> seen_;   // by node
    std::vector<caucus::ticks> sent_{};    // when, by message
    std::vector<std::size_t> counts_;      // to how many it has come
    std::size_t complete_ = 0;
    caucus::ticks waited_ = 0;
};

/// A layer that makes links reliable keeps the order of what it carries.
template <class P>
constexpr caucus::ordering promised() {
    if constexpr (requires { P::delivers; }) return P::delivers;
    else return promised<typename P::process_type>();
}

/// Runs what makes one node of a group of n.
auto on(auto make_node) {
    return [=](std::size_t n, double loss) {
        const caucus::complete all{n};
        const auto make = [&](node v) { return make_node(all, v); };
        using process = decltype(make(node{}));
        const auto plan = caucus::fault_plan{}.links({.loss = loss});
        caucus::events net{all, make,
                           {.seed = seed, .delay = caucus::uniform{8, 12}, .faults = plan},
                           arrivals{n}};
        net.start_all();
        result found;
        for (std::size_t i = 0; i < broadcasts; ++i) {
            const request::broadcast<int> message{static_cast<int>(i)};
            net.watcher().begin_next(net.now());   // while it has no room, it is asked again
            while (net.call(i % n, message) != caucus::answer::accepted && net.now() < 1'000'000)
                net.run_for(delay);
            net.run_for(gap);
        }
        while (!net.watcher().all_have_all() && net.now() < 1'000'000) net.run_for(gap);
        found.messages = static_cast<double>(net.run_for(0).messages) / broadcasts;
        found.wait = net.watcher().wait();
        found.right = found.right && net.watcher().is_right(promised<process>());
        return found;
    };
}

struct contestant {
    const char* name;
    std::function<result(std::size_t n, double loss)> send;
    std::function<caucus::cost(std::size_t n)> per_broadcast;   // as proven
    const char* formula;
    bool takes_losses;
};

std::vector<int> ids_of(std::size_t n) {
    std::vector<int> ids(n);
    std::iota(ids.begin(), ids.end(), 0);
    return ids;
}
int id_of(node v) { return static_cast<int>(v.index); }
auto peers_of(const caucus::complete& t, node v) { return peer_ids(t, v, ids_of(t.nodes())); }

using group = caucus::views<int>;
group group_of(const caucus::complete& t, node v) {
    return group{id_of(v), peers_of(t, v), ids_of(t.nodes())};
}
template <class Policy>
auto ordered(const caucus::complete& t, node v) {
    return caucus::total_order<group, Policy>{group_of(t, v)};
}

template <class P>
caucus::cost proven(std::size_t n) {
    return P::per_broadcast(n);
}
template <class Policy>
contestant by(const char* name, const char* formula) {
    return {name, on(ordered<Policy>), proven<caucus::total_order<group, Policy>>, formula, false};
}
template <class Policy>
contestant reliably_by(const char* name) {
    return {name, on([](const auto& t, node v) {
                return caucus::reliable{ordered<Policy>(t, v), {.resend_after = 32}};
            }),
            [](std::size_t n) {
                const caucus::cost one = proven<caucus::total_order<group, Policy>>(n);
                return caucus::cost{2 * one.least, 2 * one.most};
            }, "twice", true};
}

const contestant contestants[] = {
    {"acked", on([](const auto& t, node v) {
         return caucus::acked<int>{id_of(v), peers_of(t, v)};
     }),
     proven<caucus::acked<int>>, "2(n-1)", true},
    {"nacked", on([](const auto&, node v) { return caucus::nacked<int>{id_of(v)}; }),
     proven<caucus::nacked<int>>, "n-1", true},
    {"srm", on([](const auto& t, node v) {
         return caucus::srm<int>{id_of(v), {.members = t.nodes()}};
     }),
     proven<caucus::srm<int>>, "n-1", true},
    reliably_by<caucus::sequencer>("reliable, sequencer"),
    {"views", on(group_of), proven<group>, "n-1", false},
    by<caucus::sequencer>("  sequencer", "n-1, n"),
    by<caucus::moving_token>("  moving_token", "n-1, 2 a move"),
    by<caucus::agreed_priorities>("  agreed_priorities", "3(n-1)"),
};

std::string csv_line(const contestant& c, std::size_t n, double loss, const result& r) {
    const caucus::cost proven = c.per_broadcast(n);
    return csv_row({c.name, std::to_string(n), std::to_string(loss), std::to_string(r.messages),
                    std::to_string(r.wait), std::to_string(proven.least),
                    std::to_string(proven.most)});
}

int main(int count, char** words) {
    comparison_options options{.counted = "nodes", .least = 4, .max = 32};
    if (const auto exit_code = options.read(count, words)) return *exit_code;
    const std::size_t step = options.first_look ? 8 : 2;

    std::printf("seed %d; %zu broadcasts, by all in turn; each: messages a broadcast, all counted; "
                "waits: until\nall have it, in message delays\n\n"
                "%-23s %3s%14s%14s%14s   %s\n%-27s", static_cast<int>(seed), broadcasts, "", "",
                "nothing lost", "5 % lost", "30 % lost", "proven, if nothing is lost",
                "multicast                n");
    for (int i = 0; i < 3; ++i) std::printf("%8s %5s", "each", "waits");
    std::printf("\n");
    std::string csv = "multicast,n,loss,messages,waits,least,most\n";
    std::vector<log_plot> plots(2);
    bool all_right = true;
    for (const contestant& each : contestants) {
        plots[0].measured.push_back({each.name, {}});
        if (each.takes_losses) plots[1].measured.push_back({each.name, {}});
        for (std::size_t n = 4; n <= options.max; n *= step) {
            std::printf("%-23s %3zu", each.name, n);
            const caucus::cost proven = each.per_broadcast(n);
            bool right = true;
            for (std::size_t i = 0; i < std::size(losses); ++i) {
                if (losses[i] > 0 && !each.takes_losses) {
                    std::printf("%8s %5s", "-", "-");
                    continue;
                }
                const result r = each.send(n, losses[i]);
                csv += csv_line(each, n, losses[i], r);
                right = right && r.right;
                std::printf("%8.1f %5.1f", r.messages, r.wait);
                if (i < plots.size())
                    plots[i].measured.back().points.push_back({static_cast<double>(n), r.messages});
            }
            all_right = all_right && right;
            const std::string least = std::to_string(proven.least);
            std::printf("   %s%s: %s%s\n", least.c_str(),
                        proven.most == proven.least
                            ? "" : (" to " + std::to_string(proven.most)).c_str(),
                        each.formula, right ? "" : "   not as proven!");
        }
    }
    plots[0].title = "Messages a broadcast, if nothing is lost";
    plots[1].title = "Messages a broadcast, if 5 % are lost";
    for (log_plot& plot : plots) {
        plot.x_label = "nodes";
        plot.y_label = "messages";
        plot.theory = {{"n-1", {}}, {"2(n-1)", {}}, {"3(n-1)", {}}};
        for (double n = 4; n <= static_cast<double>(options.max); n *= 2)
            for (std::size_t i = 0; i < 3; ++i)
                plot.theory[i].points.push_back({n, static_cast<double>(i + 1) * (n - 1)});
    }
    const bool csv_written = options.csv.write(csv);
    const bool svg_written = options.svg.write(log_plot::sheet(plots));
    return all_right && csv_written && svg_written ? 0 : 1;
}

/* Output:
seed 2026; 400 broadcasts, by all in turn; each: messages a broadcast, all counted; waits: until
all have it, in message delays

                             nothing lost      5 % lost     30 % lost   proven, if nothing is lost
multicast                n     each waits    each waits    each waits
acked                     4     6.0   1.1     6.4   1.5     9.7  12.3   6: 2(n-1)
acked                    32    62.0   1.2    66.9   4.2   106.5  47.0   62: 2(n-1)
nacked                    4     9.0   1.1     9.2   2.1    12.1  25.7   3: n-1
nacked                   32   182.6   1.2   186.2   8.3   222.9  80.8   31: n-1
srm                       4     3.7   1.1     5.0   4.3    11.1  23.2   3: n-1
srm                      32    90.5   1.2   512.7  45.3   653.2  57.5   31: n-1
reliable, sequencer       4     7.5   1.9     8.0   2.6    10.7 436.0   6 to 8: twice
reliable, sequencer      32    64.1   2.2    68.8   5.4    89.6 1699.4   62 to 64: twice
views                     4     3.0   1.1       -     -       -     -   3: n-1
views                    32    31.0   1.2       -     -       -     -   31: n-1
  sequencer               4     3.8   1.9       -     -       -     -   3 to 4: n-1, n
  sequencer              32    32.0   2.2       -     -       -     -   31 to 32: n-1, n
  moving_token            4     5.0   3.1       -     -       -     -   3 to 5: n-1, 2 a move
  moving_token           32    33.0   3.2       -     -       -     -   31 to 33: n-1, 2 a move
  agreed_priorities       4     9.0   3.3       -     -       -     -   9: 3(n-1)
  agreed_priorities      32    93.0   3.6       -     -       -     -   93: 3(n-1)
*/
