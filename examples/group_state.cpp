// SPDX-License-Identifier: MIT
// How does a newcomer get the state of a group? When a view begins, its first member broadcasts
// the state as it was then; a newcomer adds what it is delivered in that view. A counter at four
// sites: 3 joins, and 0, which is to tell it the state, is killed at once; so 1 tells it, in the
// next view.
#include <caucus/layer/reliable.hpp>
#include <caucus/multicast/views.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>

#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

struct word {
    bool is_state;   // or is to be added
    int number;
};
using group = caucus::views<word>;

struct site {
    int self;
    bool knows = false;      // the state: else it is below, as far as it goes
    int counter = 0;
    int when_view_began = 0;
    bool has_to_tell = false;

    void hear(const caucus::view<int>& v) {
        std::printf("%d is in view %d, of %d members\n", self, static_cast<int>(v.number),
                    static_cast<int>(v.members.size()));
        has_to_tell = v.members[0].id == self;
        knows = knows || has_to_tell;      // who else should?
        if (!knows) counter = 0;           // what came in the view before is part of the state
        when_view_began = counter;
    }
    void hear(const caucus::delivered<int, word>& d) {
        if (!d.payload.is_state) counter += d.payload.number;
        else if (!knows) knows = true, counter += d.payload.number;
    }
    void hear(const auto&) {}
};

struct all_sites : caucus::observer {
    std::vector<site> sites{{0, true}, {1, true}, {2, true}, {3}};
    void reported(caucus::ticks, caucus::node v, const auto& outcome) {
        caucus::visit_kind(outcome, [&](const auto& kind) { sites[v].hear(kind); });
    }
};

int main() {
    const caucus::complete network{4};
    const std::vector ids{0, 1, 2, 3};
    caucus::events net{network, [&](caucus::node v) {
        const std::vector members{0, 1, 2};
        return caucus::reliable{group{ids[v], caucus::peer_ids(network, v, ids), members}};
    }, {.faults = caucus::fault_plan{}.links({.loss = 0.05}),
        .detector = caucus::perfect{50}}, all_sites{}};
    net.start_all();
    const auto say = [&](std::size_t v, const word& w) {
        return net.call(v, caucus::request::broadcast<word>{w}) == caucus::answer::accepted;
    };
    int added = 0;
    for (int now = 0; now < 2000; ++now) {
        net.run_for(1);
        for (std::size_t v = 0; v < 4; ++v) {
            site& first = net.watcher().sites[v];
            if (!std::exchange(first.has_to_tell, false) || v == 0) continue;
            // Refused, if the view is about to end: the next one's first member tells it.
            static_cast<void>(say(v, {true, first.when_view_began}));
        }
        if (now == 200) static_cast<void>(net.call(3, caucus::request::join{}));
        if (net[0].process().current().number == 1 && net.alive(0)) net.crash(0);
        if (now < 1000 && now % 10 == 0)
            for (const std::size_t v : {1u, 2u}) added += say(v, {false, 1});
    }
    std::printf("added %d times\n", added);
    for (const site& s : net.watcher().sites)
        if (net.alive(static_cast<std::size_t>(s.self)))
            std::printf("%d has counted %d\n", s.self, s.counter);
}

/* Output:
0 is in view 0, of 3 members
1 is in view 0, of 3 members
2 is in view 0, of 3 members
0 is in view 1, of 4 members
2 is in view 1, of 4 members
1 is in view 1, of 4 members
3 is in view 1, of 4 members
1 is in view 2, of 3 members
2 is in view 2, of 3 members
3 is in view 2, of 3 members
added 190 times
1 has counted 190
2 has counted 190
3 has counted 190
*/
