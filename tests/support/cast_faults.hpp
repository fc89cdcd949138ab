// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/random.hpp>
#include <caucus/core/request.hpp>
#include <caucus/multicast/properties.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <support/casts.hpp>
#include <support/fault_matrix.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// The rows of tests/fault_matrix.md for multicast: everybody sends, and something goes wrong
// meanwhile.

namespace support {

/// Who is in the group, for whoever makes a member: ids 0, 1, … of a complete network.
struct cast_site {
    std::size_t nodes;
    std::vector<int> ids() const { return first_ids(nodes); }
    std::vector<int> peers(caucus::node v) const { return others(nodes, v); }
};

/// One run in which all send three times, and once more when all is over: then the group must go on
/// as before. `make(site, v)` is the process of node v.
template <class Make>
void cast_amid(cell& result, fault what, std::uint64_t seed, const regime& how, Make make) {
    using namespace caucus;
    const std::size_t n = nodes_of_run(seed);
    const complete links{n};
    const rehearsal known{100, static_cast<std::size_t>(mix(seed)) % n};
    const bool midway = what == fault::crash_of_winner;
    misfortune drawn = draw(midway ? fault::none : what, seed, links, known, how);
    if (midway && how.detector) drawn.options.detector = perfect{5};
    events net{links, [&](node v) { return make(cast_site{n}, v); }, drawn.options, cast_watch{n}};
    net.start_all();

    random_source dice{mix(seed, 0x6661756c74u)};
    int payload = 0;
    const auto cast = [&](std::size_t v) {
        const request::broadcast<int> asked{++payload};
        const answer said = net.alive(v) ? net.call(v, asked) : answer::not_running;
        net.watcher().asked(net.now(), v, asked, said);
        return said == answer::accepted;
    };
    const std::uint64_t dies_at = dice.below(3 * n);   // in the middle of a broadcast of its own
    for (std::uint64_t i = 0; i < 3 * n; ++i) {
        net.run_for(dice.below(2 * known.over / (3 * n) + 1));
        const bool dies = midway && i == dies_at;
        if (dies) net.crash(known.winner).after_sends(dice.below(n - 1));
        static_cast<void>(cast(dies ? known.winner : (known.winner + i) % n));
    }
    if (net.now() < drawn.over) net.run_for(drawn.over - net.now());
    net.run_for(how.settling);
    using process = std::remove_cvref_t<decltype(net[0])>;
    if constexpr (request_to<request::join, process>) {
        // Whoever was taken for dead, or came back: those who are inside say so.
        for (std::size_t v = 0; v < n; ++v)
            if (net.alive(v)) static_cast<void>(net.call(v, request::join{}));
        net.run_for(how.settling);
    }
    bool all_may_send = true;
    for (std::size_t v = 0; v < n; ++v)
        if (net.alive(v) && !cast(v)) all_may_send = false;
    net.run_for(how.settling);

    const bool settled = all_may_send && net.watcher().unsettled(net).empty();
    finding found = settled ? finding::tolerated : finding::blocks;
    if (settled && net.watcher().is_torn(net)) found = finding::torn;
    using group = std::remove_cvref_t<decltype(detail::innermost(net[0]))>;
    if (!net.watcher().broken(group::delivers, false).empty()) found = finding::wrong;
    ++result.runs[static_cast<std::size_t>(found)];
    result.unsaid += found == finding::blocks && !says_stalled(net);
}

/// Measures a row of the table of multicast, and compares it with the page.
template <class Make>
void check_cast_row(const std::string& name, Make make,
                    regime how = {.runs = 400, .trouble = 500, .settling = 20'000}) {
    using process = decltype(make(std::declval<const cast_site&>(), caucus::node{}));
    how.fifo = covers(caucus::assumptions_of<process>().links, caucus::guarantee::fifo);
    compare_row<process>(name, [&](fault what) {
        cell result;
        for (std::uint64_t seed = 1; seed <= how.runs_here(); ++seed)
            cast_amid(result, what, seed, how, make);
        return result;
    });
}

}  // namespace support
