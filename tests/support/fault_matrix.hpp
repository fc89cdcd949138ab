// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>
#include <caucus/core/model.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/layer/candid.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/peers.hpp>
#include <support/buses.hpp>
#include <support/court.hpp>
#include <support/instances.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// What tests/fault_matrix.md says of every election and fault, measured: one cell, many runs.

namespace support {

enum class fault : std::uint8_t {
    loss, duplication, reordering, delay, crash, crash_of_winner, amnesia, partition, one_way,
    coming_and_going, none
};
inline constexpr std::array every_fault{
    fault::loss, fault::duplication, fault::reordering, fault::delay, fault::crash,
    fault::crash_of_winner, fault::amnesia, fault::partition, fault::one_way,
    fault::coming_and_going};
inline constexpr std::array fault_names{
    "loss", "duplication", "reordering", "unbounded delay", "crash-stop", "crash of the winner",
    "amnesia", "partition", "one-way partition", "comes and goes", "no fault"};

/// From good to bad: a cell is as bad as its worst run.
enum class finding : std::uint8_t { tolerated, blocks, torn, wrong, several, unfenced };

/// Which leader the rule calls for; free: any one will do.
enum class rule : std::uint8_t { greatest_leads, least_leads, free };

/// How the runs of a row go.
struct regime {
    std::uint64_t runs = 1500;
    caucus::ticks trouble = 0;        // faults last up to so long, and twice an election
    caucus::ticks settling = 0;       // after them; 0: until all is quiet
    bool fifo = false;                // unless the election needs it
    bool detector = true;             // the dead are suspected by their neighbours
    rule known_to_lead = rule::free;
    std::size_t spared = 0;           // so many nodes, from 0 on, never crash

    constexpr std::uint64_t runs_here() const { return sanitized ? runs / 20 + 1 : runs; }
};

inline std::size_t nodes_of_run(std::uint64_t seed) { return 3 + seed % 5; }

/// The same run without the fault: when it is over, and who wins.
struct rehearsal {
    caucus::ticks over = 0;
    std::size_t winner = 0;
};

/// What goes wrong in a run, and when it is over.
struct misfortune {
    caucus::events_options options{};
    std::size_t victim = 0;
    caucus::ticks back = caucus::never;    // the victim, after an amnesia
    caucus::ticks over = 0;
};

template <class Topology>
misfortune draw(fault what, std::uint64_t seed, const Topology& t, const rehearsal& known,
                const regime& how) {
    using namespace caucus;
    random_source bits{mix(seed, static_cast<std::uint64_t>(what) + 1)};
    misfortune drawn;
    drawn.options.seed = seed;
    drawn.options.outside_model = true;
    drawn.options.fifo = how.fifo;
    fault_plan& plan = drawn.options.faults;
    const ticks longest = 2 * known.over + how.trouble;
    const ticks from = bits.below(known.over + known.over / 4 + 1);
    const ticks until = from + 1 + bits.below(longest);
    drawn.over = until;
    drawn.victim = how.spared + static_cast<std::size_t>(bits.below(t.nodes() - how.spared));
    if (what == fault::crash_of_winner) drawn.victim = known.winner;
    if (what == fault::crash && drawn.victim == known.winner)
        drawn.victim = drawn.victim + 1 < t.nodes() ? drawn.victim + 1 : how.spared;
    std::vector<char> here(t.nodes(), 0);
    std::vector<std::size_t> side;
    for (std::size_t v = 0; v < t.nodes(); ++v)
        if (bits.below(2) == 0 ? v == drawn.victim : v != known.winner || t.nodes() == 1)
            here[v] = 1;
    here[drawn.victim] = 1;
    here[(drawn.victim + 1) % t.nodes()] = 0;
    for (std::size_t v = 0; v < t.nodes(); ++v)
        if (here[v] != 0) side.push_back(v);
    const auto everywhere = [&](link_faults f) {
        plan.links(std::move(f));
        if (how.settling != 0) plan.heal(drawn.over = longest);
    };
    const auto tell = [&] {
        if (how.detector) drawn.options.detector = perfect{5};
    };
    const auto crash = [&] {
        plan.crash(drawn.victim, from);
        tell();
    };
    switch (what) {
        case fault::loss: everywhere({.loss = 0.1}); break;
        case fault::duplication: everywhere({.duplication = 0.3}); break;
        case fault::reordering: everywhere({.reordering = 0.3, .late_max = 10}); break;
        case fault::delay: everywhere({.delay = heavy_tailed{1, 2000}}); break;
        case fault::crash:
        case fault::crash_of_winner: crash(); break;
        case fault::amnesia:
            crash();
            plan.amnesia(drawn.victim, until);
            if (seed % 2 == 0) drawn.back = until;
            break;
        case fault::partition: plan.partition(side, from, until); break;
        case fault::one_way:
            for (std::size_t v = 0; v < t.nodes(); ++v)
                for (const port p : ports(t.degree(node{v})))
                    if (const std::size_t u = t.across(node{v}, p).node; here[v] > here[u])
                        plan.cut(v, u, from, until);
            break;
        case fault::coming_and_going:
            drawn.over = 1 + bits.below(longest);
            plan.absent(drawn.victim, drawn.over);
            if (seed % 2 == 0)
                plan.leave(drawn.victim, drawn.over += 1 + bits.below(longest));
            tell();
            break;
        case fault::none: break;
    }
    return drawn;
}

/// Do two live nodes lead at once? In different epochs, in different groups, on different buses
/// they may.
bool several_lead(const auto& net) {
    for (std::size_t v = 0; v < net.nodes(); ++v)
        for (std::size_t u = 0; u < v; ++u) {
            if (!net.alive(u) || !net.alive(v)) continue;
            if (!net[u].is_leader() || !net[v].is_leader()) continue;
            if constexpr (requires { net[u].epoch(); }) {
                if (*net[u].epoch() == *net[v].epoch()) return true;
            } else if constexpr (requires { net[u].group(); }) {
                if (net[u].group() == net[v].group()) return true;
            } else if constexpr (has_a_bus<std::remove_cvref_t<decltype(net[u])>>()) {
                return two_lead_on_a_bus(net);
            } else {
                return true;
            }
        }
    return false;
}

bool two_differ(const auto& net) {
    for (std::size_t v = 0; v < net.nodes(); ++v)
        for (std::size_t u = 0; u < v; ++u)
            if (net.alive(u) && net.alive(v) && net[u].leader() && net[v].leader() &&
                !(*net[u].leader() == *net[v].leader()))
                return true;
    return false;
}

/// Does a live node know a leader that a living one should have beaten?
bool breaks_the_rule(const auto& net, rule known_to_lead) {
    using process = std::remove_cvref_t<decltype(net[0])>;
    if constexpr (requires(const process& p) { *p.leader() < p.id(); }) {
        const bool greatest = known_to_lead == rule::greatest_leads;
        for (std::size_t v = 0; v < net.nodes() && known_to_lead != rule::free; ++v)
            for (std::size_t u = 0; u < net.nodes(); ++u)
                if (net.alive(v) && net.alive(u) && net[v].leader() &&
                    (greatest ? *net[v].leader() < net[u].id() : net[u].id() < *net[v].leader()))
                    return true;
    }
    return false;
}

bool says_stalled(const auto& net) {
    bool said = false;
    for (const auto& each : net.outcomes())
        caucus::visit_kind(each.outcome, [&](const auto& kind) {
            said = said || std::is_same_v<std::remove_cvref_t<decltype(kind)>, caucus::stalled>;
        });
    return said;
}

struct cell {
    std::array<std::uint64_t, 6> runs{};   // by finding
    std::uint64_t unsaid = 0;              // that blocked, and nobody said so
    std::uint64_t waiting = 0;             // in which a live node knows no leader at all
    std::uint64_t waiting_unsaid = 0;

    finding worst() const {
        finding w = finding::unfenced;
        while (w != finding::tolerated && runs[static_cast<std::size_t>(w)] == 0)
            w = static_cast<finding>(static_cast<int>(w) - 1);
        return w;
    }
    std::string text() const {
        switch (worst()) {
            case finding::tolerated: return "tolerated";
            case finding::blocks: return unsaid == 0 ? "blocks, says stalled" : "blocks";
            case finding::torn: return "torn";
            case finding::wrong: return "wrong";
            case finding::several: return "several";
            case finding::unfenced: return "unfenced";
        }
        return {};
    }
};

/// One run under that fault. `shape(n, seed)` is the topology, `elect(n, id, peers)` a node.
template <class Shape, class Elect>
void run_once(cell& result, fault what, std::uint64_t seed, const regime& how, Shape shape,
              Elect elect) {
    using namespace caucus;
    const std::size_t n = nodes_of_run(seed);
    const auto t = shape(n, seed);
    const std::vector<int> ids = shuffled(n, seed);
    const auto make = [&](node v) { return elect(n, ids[v], peer_ids(t, v, ids)); };
    const limits enough{.max_rounds = 200'000,
                        .max_messages = how.settling == 0 ? 3'000u : 60'000u};

    rehearsal known;
    {
        events net{t, make, {.seed = seed, .fifo = how.fifo, .outside_model = true}};
        net.start_all();
        net.run_until([&] { return one_leader_each(net); }, enough);
        known.over = net.now();
        while (known.winner + 1 < n && !net[known.winner].is_leader()) ++known.winner;
    }
    const misfortune drawn = draw(what, seed, t, known, how);
    events net{t, make, drawn.options};
    net.start_all();
    const auto two = [&] { return several_lead(net); };
    limits end = enough;
    if (how.settling != 0) end.max_rounds = drawn.over + how.settling;
    if (drawn.back != never) {
        net.run_until(two, {.max_rounds = drawn.back, .max_messages = enough.max_messages});
        net.start(drawn.victim);
    }
    const report r = net.run_until(two, end);
    const bool endless = how.settling == 0 && r.stopped == stop::limit;
    const bool agreed = one_leader_each(net) && !endless;   // each part, if the dead part them
    finding found = agreed ? finding::tolerated : finding::blocks;
    if (breaks_the_rule(net, how.known_to_lead) || (!agreed && two_differ(net)))
        found = finding::wrong;
    if (two()) found = finding::several;
    ++result.runs[static_cast<std::size_t>(found)];
    const bool unsaid = !says_stalled(net);
    bool waiting = false;
    for (std::size_t v = 0; v < n; ++v) waiting = waiting || (net.alive(v) && !net[v].leader());
    result.unsaid += found == finding::blocks && unsaid;
    result.waiting += waiting;
    result.waiting_unsaid += waiting && unsaid;
}

/// What shape and elect make.
template <class Shape, class Elect>
using process_of = decltype(std::declval<Elect>()(
    std::size_t{}, 0,
    caucus::peer_ids(std::declval<Shape>()(std::size_t{}, std::uint64_t{}), caucus::node{},
                     std::declval<const std::vector<int>&>())));

template <class Shape, class Elect>
cell measure(fault what, regime how, Shape shape, Elect elect) {
    cell result;
    how.fifo = caucus::covers(caucus::assumptions_of<process_of<Shape, Elect>>().links,
                              caucus::guarantee::fifo);
    for (std::uint64_t seed = 1; seed <= how.runs_here(); ++seed)
        run_once(result, what, seed, how, shape, elect);
    return result;
}

/// The kind of link that the fault takes away.
constexpr caucus::guarantee taken_away(fault what) {
    switch (what) {
        case fault::loss: return caucus::guarantee::reliable;
        case fault::duplication: return caucus::guarantee::no_duplicates;
        case fault::reordering: return caucus::guarantee::fifo;
        default: return caucus::guarantee::none;
    }
}
/// Does an endpoint over a channel with that fault not compile?
template <class P>
constexpr bool refuses(fault what) {
    const caucus::guarantee lost = taken_away(what);
    return lost != caucus::guarantee::none &&
           caucus::covers(caucus::assumptions_of<P>().links, lost);
}

/// The cells of the page's row that begins with that name; empty if there is none.
inline std::vector<std::string> row_of_page(const std::string& name) {
    std::ifstream page(std::string(CAUCUS_SOURCE_DIR) + "/tests/fault_matrix.md");
    for (std::string line; std::getline(page, line);) {
        if (line.rfind("| `" + name + "` |", 0) != 0) continue;
        std::vector<std::string> cells;
        std::size_t at = 2;
        for (std::size_t end; (end = line.find(" |", at)) != std::string::npos; at = end + 3)
            cells.push_back(line.substr(at, end - at));
        return cells;
    }
    return {};
}

/// How bad is what the page says?
inline finding said_on_page(const std::string& words) {
    if (words.rfind("unfenced", 0) == 0) return finding::unfenced;
    if (words.rfind("several", 0) == 0) return finding::several;
    if (words.rfind("torn", 0) == 0) return finding::torn;
    if (words.rfind("wrong", 0) == 0) return finding::wrong;
    return words.rfind("blocks", 0) == 0 ? finding::blocks : finding::tolerated;
}

/// Compares a row of the page with what `measured(fault)` says of process P.
template <class P, class Measured>
void compare_row(const std::string& name, Measured measured) {
    CAPTURE(name);
    CHECK(measured(fault::none).worst() == finding::tolerated);
    const std::vector<std::string> page = row_of_page(name);
    std::string row = "| `" + name + "` |";
    std::string counts;
    for (const fault what : every_fault) {
        const auto column = static_cast<std::size_t>(what);
        const cell found = measured(what);
        const std::string words = found.text() + (refuses<P>(what) ? " (refused)" : "");
        row += " " + words + " |";
        for (const std::uint64_t runs : found.runs) counts += " " + std::to_string(runs);
        counts += ";";
        INFO(std::string(fault_names[column]), ": ", words);
        REQUIRE_MESSAGE(page.size() > column + 1, "the page has no such cell");
        // Fewer runs, when sanitized, may not meet the worst.
        if (sanitized) CHECK(found.worst() <= said_on_page(page[column + 1]));
        else CHECK(page[column + 1] == words);
    }
    MESSAGE(row, "\n  tolerated, blocks, torn, wrong, several, unfenced:", counts);
}

/// Measures a row of the table of bare elections, and compares it with the page.
template <class Shape, class Elect>
void check_row(const std::string& name, const regime& how, Shape shape, Elect elect) {
    compare_row<process_of<Shape, Elect>>(
        name, [&](fault what) { return measure(what, how, shape, elect); });
    const auto column = static_cast<std::size_t>(fault::crash) + 1;
    if (said_on_page(row_of_page(name)[column]) != finding::blocks) return;
    const cell audible = measure(fault::crash, how, shape, [&](const auto&... of) {
        return caucus::candid{elect(of...)};
    });
    CHECK((sanitized || audible.waiting != 0));
    CHECK(audible.waiting_unsaid == 0);
}

/// Measures a stack under every fault: all are tolerated, but for those that the page names.
template <class Shape, class Elect>
void check_stack(const std::string& name, const std::string& stack, const regime& how, Shape shape,
                 Elect elect) {
    CAPTURE(name);
    CHECK(measure(fault::none, how, shape, elect).worst() == finding::tolerated);
    std::string words = "`" + stack + "`";
    bool first = true;
    for (const fault what : every_fault) {
        const cell measured = measure(what, how, shape, elect);
        if (measured.worst() == finding::tolerated) continue;
        words += (first ? "; but " : "; ");
        first = false;
        words += std::string(fault_names[static_cast<std::size_t>(what)]) + ": " + measured.text();
        MESSAGE(name, ": ", words, ": ", measured.runs[0],
                " ", measured.runs[1], " ", measured.runs[3], " ", measured.runs[4]);
    }
    const std::vector<std::string> page = row_of_page(name);
    MESSAGE(name, " | ", words);
    REQUIRE(page.size() == every_fault.size() + 2);
    if (sanitized) CHECK(page.back().rfind("`" + stack + "`", 0) == 0);
    else CHECK(page.back() == words);
}

}  // namespace support
