// expect: never_ends__bound_the_run_with_run_for_or_a_limit
// SPDX-License-Identifier: MIT
#include <caucus/election/graph/extinction.hpp>
#include <caucus/layer/synchronizer.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/path.hpp>

#if CAUCUS_CONTROL
constexpr caucus::for_rounds ending{9};
#else
constexpr caucus::unending ending{};
#endif

int main() {
    const auto make = [](caucus::node v) {
        return caucus::synchronizer{caucus::extinction{v.index}, ending};
    };
    caucus::events net{caucus::path{3}, make};
    net.start_all();
    net.run();
}
