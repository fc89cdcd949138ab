// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/ring.hpp>

// What both halves of the program do, each with code of its own.

struct maker {
    caucus::chang_roberts<int> operator()(caucus::node v) const {
        return caucus::chang_roberts{(7 * static_cast<int>(v.index) + 3) % 5};
    }
};

struct findings {
    caucus::verdict explored;
    caucus::report simulated;
};

inline caucus::verdict explored() {
    return caucus::explore(caucus::ring{4}, maker{},
                           {.initiators = caucus::any_subset,
                            .properties = {caucus::always(caucus::at_most_one_leader),
                                           caucus::always([](const auto& g) {
                                               return !g[3].is_leader();   // it will be
                                           })},
                            .chains = true});
}

inline caucus::report simulated(const caucus::fault_plan& faults) {
    caucus::events net{caucus::ring{4}, maker{},
                       {.seed = 5, .delay = caucus::uniform{1, 9}, .faults = faults}};
    net.start_all();
    return net.run();
}

findings of_the_compiled_half(const caucus::fault_plan& faults);
