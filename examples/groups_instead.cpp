// SPDX-License-Identifier: MIT
// How do groups solve what we did before? Whoever is first in the view leads; whoever's wish comes
// first in the order of all messages is inside. Both do nothing but listen (support/by_group.hpp),
// and a member that dies is out for both. What it costs, beside algorithms made for it:
#include <caucus/election/complete/bully.hpp>
#include <caucus/exclusion/lamport.hpp>
#include <caucus/exclusion/ricart_agrawala.hpp>
#include <caucus/multicast/total_order.hpp>
#include <caucus/multicast/views.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>

#include "support/by_group.hpp"

#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

using caucus::node;
namespace request = caucus::request;
using group = caucus::views<word>;

/// What every node's application makes of what its group tells it.
template <class Application>
struct audience : caucus::observer {
    std::vector<Application> at;

    explicit audience(std::size_t nodes) {
        for (std::size_t v = 0; v < nodes; ++v) at.push_back(Application{static_cast<int>(v)});
    }
    void reported(caucus::ticks, node v, const auto& outcome) { at[v].hear(outcome); }
};

std::vector<int> ids_of(std::size_t n) {
    std::vector<int> ids(n);
    std::iota(ids.begin(), ids.end(), 0);
    return ids;
}
int id_of(node v) { return static_cast<int>(v.index); }
auto peers_of(const caucus::complete& t, node v) { return peer_ids(t, v, ids_of(t.nodes())); }
group group_of(const caucus::complete& t, node v) {
    return group{id_of(v), peers_of(t, v), ids_of(t.nodes())};
}

/// The leader is killed; the others learn of it at the same time. Messages until all follow one.
std::uint64_t after_a_death(auto& net, std::size_t leader) {
    net.start_all();
    const std::uint64_t before = net.run().messages;
    net.crash(leader);
    return net.run().messages - before;
}
std::uint64_t leader_by_group(std::size_t n) {
    const caucus::complete all{n};
    caucus::events net{all, [&](node v) { return group_of(all, v); },
                       {.delay = caucus::unit{}, .detector = caucus::perfect{}},
                       audience<leader_by_view<int>>{n}};
    const std::uint64_t messages = after_a_death(net, 0);
    for (std::size_t v = 1; v < n; ++v)
        if (net.watcher().at[v].leader() != 1) return 0;
    return messages;
}
std::uint64_t leader_by_bully(std::size_t n) {
    const caucus::complete all{n};
    caucus::events net{all, [&](node v) {
                           return caucus::bully{id_of(v), peers_of(all, v), {.delay_max = 1}};
                       }, {.delay = caucus::unit{}, .detector = caucus::perfect{}}};
    const std::uint64_t messages = after_a_death(net, n - 1);
    for (std::size_t v = 0; v + 1 < n; ++v)
        if (net[v].leader() != id_of(node{n - 2})) return 0;
    return messages;
}

/// Every node enters once, one after the other. Messages an entry.
double lock_by_group(std::size_t n) {
    const caucus::complete all{n};
    caucus::events net{all, [&](node v) { return caucus::total_order{group_of(all, v)}; },
                       {.delay = caucus::unit{}}, audience<lock_by_order<int>>{n}};
    net.start_all();
    std::uint64_t messages = net.run().messages;
    for (std::size_t v = 0; v < n; ++v) {
        const auto say = [&](word w) {
            const request::broadcast<word> said{w};
            net.watcher().at[v].asked(said, net.call(v, said));
            net.run();
        };
        say(word::wish);
        if (!net.watcher().at[v].holds()) return 0;
        say(word::done);
    }
    return static_cast<double>(net.run().messages - messages) / static_cast<double>(n);
}
double lock_by(std::size_t n, auto make) {
    caucus::events net{caucus::complete{n}, make, {.delay = caucus::unit{}}};
    for (std::size_t v = 0; v < n; ++v) {
        static_cast<void>(net.call(v, request::enter{}));
        net.run();
        if (net.call(v, request::leave{}) != caucus::answer::accepted) return 0;
        net.run();
    }
    return static_cast<double>(net.run().messages) / static_cast<double>(n);
}

int main() {
    std::printf("messages         a leader has died      one wants to be inside\n"
                "nodes               group    bully      group   lamport   ricart_agrawala\n");
    for (const std::size_t n : {std::size_t{4}, std::size_t{8}, std::size_t{16}, std::size_t{32}})
        std::printf("%5zu %19d %8d %10.1f %9.1f %17.1f\n", n, static_cast<int>(leader_by_group(n)),
                    static_cast<int>(leader_by_bully(n)), lock_by_group(n),
                    lock_by(n, [](node v) { return caucus::lamport{id_of(v)}; }),
                    lock_by(n, [](node v) { return caucus::ricart_agrawala{id_of(v)}; }));
}

/* Output:
messages         a leader has died      one wants to be inside
nodes               group    bully      group   lamport   ricart_agrawala
    4                  10       11        7.5       9.0               6.0
    8                  30       55       15.8      21.0              14.0
   16                  70      239       31.9      45.0              30.0
   32                 150      991       63.9      93.0              62.0
*/
