// SPDX-License-Identifier: MIT
// Is my own election right? In this one ids travel round a ring, better ones pass, and a node that
// stops a worse one believes that it has won. Every schedule of three nodes is tried.
#include <caucus/run/explore.hpp>
#include <caucus/topology/ring.hpp>

#include <cstdio>
#include <optional>

struct hasty {
    struct best { int id; };
    using message = best;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;

    int self = 0;
    std::optional<int> winner = std::nullopt;

    void start(auto& env) { env.send(caucus::next, best{self}); }
    void on(best b, caucus::port, auto& env) {
        winner = b.id < self ? self : b.id;   // too early: a better one may be on its way
        if (b.id > self) env.send(caucus::next, b);
    }

    int id() const { return self; }
    std::optional<int> leader() const { return winner; }
    bool is_leader() const { return winner == self; }
};

int main() {
    const caucus::verdict v = caucus::explore(
        caucus::ring{3}, [](caucus::node n) { return hasty{static_cast<int>(n.index) + 1}; },
        {.properties = {caucus::always(caucus::at_most_one_leader),
                        caucus::finally(caucus::all_agree)},
         .orders = caucus::all_permutations});
    std::printf("%s", v.verified() ? "verified\n" : v.counterexample.text().c_str());
}

/* Output:
at_most_one_leader is false after:
  at first node 0 starts
  at first node 1 starts
  at first node 2 starts
  1. node 1 receives best{1} from node 0 and is now hasty{2, 2}
  2. node 2 receives best{2} from node 1 and is now hasty{3, 3}
*/
