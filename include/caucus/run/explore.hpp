// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/run/detection.hpp>
#include <caucus/run/exploration/by_number.hpp>
#include <caucus/run/exploration/handlers.hpp>
#include <caucus/run/simulation/model_check.hpp>
#include <caucus/run/properties.hpp>
#include <caucus/run/verdict.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace caucus {

// What a process describes of itself (its `fields`, or all members of an aggregate) is all that
// explore knows of it. Two processes with the same description are one to it, whatever else is in
// them: if something that is not described makes them act differently, states are merged that must
// not be, and the verdict is worth nothing. Explore notices some of that. Where two values have the
// same description (of two nodes, of two makes of one node, or reached on two ways) it runs
// handlers of both, and if they differ, the verdict is not `deterministic` and says which, and that
// `fields` is incomplete. That is a sample: a difference that shows after many events, or only for
// an input that was met before the second value, goes unnoticed. So does what messages and timers
// leave out of theirs.

template <class P>
struct explore_options {
    caucus::initiators initiators = all;
    std::vector<property<P>> properties = {};
    reduction reduce = reduction::every;
    fault_budget faults = {};
    bool perfect_detector = false;   // an older way to say detector = perfect{}
    /// perfect{} suspects the dead once their last message has arrived, again and again as long as
    /// that makes a difference: a handler that sends every time it is told makes the space
    /// infinite. Whoever was suspected and returns is trusted again. eventual{.wrong = k} does not
    /// wait for the last message: the dead are suspected while their messages travel, as they are
    /// in `events`; and it is wrong up to k times. Delays mean nothing here. What a detector says
    /// names the life that it speaks of; see also faults.late_suspicions.
    detector_model detector = no_detector{};
    bool fifo = true;
    caucus::timers timers = caucus::timers::after_messages;
    caucus::starting starting = caucus::starting::at_once;
    caucus::orders orders = orders::as_made;
    /// Also of the states to begin with (start sets, orders, coins of the first starts), equal ones
    /// among them counted each time: there are up to 2^n of them, or n!.
    std::uint64_t max_states = ~std::uint64_t{0};
    std::uint64_t max_depth = ~std::uint64_t{0};
    std::uint64_t max_memory = ~std::uint64_t{0};   // bytes, but for what processes allocate
    /// States in which it is false are kept and checked, but nothing goes on from there; then
    /// `complete` is false and `limit` is "within". A predicate over global states, as properties
    /// have: .within = [](const auto& g) { return g[0].round() < 5; }
    region<P> within = {};
    bool count_messages = true;                     // least and most: keeps every edge
    fingerprint recognise = fingerprint::bits64;
    std::size_t threads = 1;                        // the result is the same for any number
    bool chains = false;  // the longest causal chain: a second exploration
    bool progress = false;                          // a line to stderr every two seconds
    /// Skip the checks of what the algorithm assumes. A violation may then be the network's fault
    /// and not the algorithm's.
    bool outside_model = false;
    /// Properties see the dead as they were when they died (in mid-handler: when they asked for
    /// what was lost), so that agreement can be judged with those that crashed later. A restart
    /// ends that: of earlier lives nothing is kept. States differ that did not; so it is opt-in.
    bool remember_dead = false;
};

namespace exploration {

/// A process whose state has no bound says so, `static constexpr bool has_no_bound = true`, and so
/// does one that contains it.
template <class P>
constexpr bool is_bounded() {
    if constexpr (requires { requires P::has_no_bound; }) return false;
    else if constexpr (is_layer<P>) return is_bounded<typename P::process_type>();
    else return true;
}
template <class P>
concept an_open_load_has_no_bound__run_it_in_events = is_bounded<P>();

template <class P>
settings settings_of(const explore_options<P>& o) {
    rules how{o.fifo, o.timers, o.starting, o.faults,
              o.perfect_detector || o.detector.watches(), false};
    const std::size_t wrong = how.faults.wrong_suspicions + o.detector.wrong();
    if (wrong > 255) refuse("explore: ", wrong, " wrong suspicions, and 255 at most");
    how.faults.wrong_suspicions = static_cast<std::uint8_t>(wrong);
    how.impatient = o.detector.watches() && !o.detector.is_perfect();
    how.remember_dead = o.remember_dead;
    if (how.faults.late_suspicions && !how.impatient)
        refuse("explore: late suspicions need a detector that is not perfect; "
               "say detector = eventual{.wrong = 0}");
    // There every timer may run out at any time: nothing can be early.
    if (how.when == timers::any_time) how.faults.early_expiries = 0;
    if (o.initiators.what() == initiators::kind::spontaneous) {
        how.starts = starting::any_time;
        how.starts_are_free = true;
    }
    return {o.initiators, o.reduce, how, o.orders, o.max_states, o.max_depth, o.max_memory,
            o.count_messages, o.recognise, o.threads, o.progress, o.chains};
}

/// Checked once, for the order in which the processes are made. That is enough: in another order
/// the ids are just as distinct, and processes that know their peers are explored in no other.
template <class P>
void check_model(const wiring& topology, const std::function<P(node)>& make, bool fifo) {
    if (!fifo && covers(assumptions_of<P>().links, guarantee::fifo))
        refuse("explore: the algorithm needs fifo links; leave fifo on, or say outside_model");
    std::vector<P> processes;
    processes.reserve(topology.nodes());
    for (std::size_t v = 0; v < topology.nodes(); ++v) processes.push_back(make(node{v}));
    simulation::check_model("explore", topology, processes);
}

template <class P>
verdict explore(const wiring& topology, const std::function<P(node)>& make,
                explore_options<P>& options) {
    if constexpr (requires(const P& p) { p.peers(); })
        if (options.orders == orders::all_permutations)
            refuse("explore: these processes know their peers, and cannot change places");
    if (!options.outside_model) check_model(topology, make, options.fifo);
    std::vector<std::size_t> degrees;
    for (std::size_t v = 0; v < topology.nodes(); ++v) degrees.push_back(topology.degree(node{v}));
    handlers<P> known{make, options.remember_dead, std::move(degrees)};
    const property_set_of<P> properties{known.values(), std::move(options.properties),
                                        std::move(options.within)};
    return explore_by_number(topology, known, properties, settings_of(options));
}

}  // namespace exploration

/// Every schedule of the processes that `make` makes: which message next, who starts when, how
/// coins fall, which timer runs out, and within budgets what goes wrong. What is not described is
/// not seen: see the top of this file. How it works is said at the top of exploration/explorer.hpp.
template <class Topology, class Make>
verdict explore(
    Topology topology, Make make,
    std::type_identity_t<explore_options<std::remove_cvref_t<std::invoke_result_t<Make&, node>>>>
        options = {}) {
    using process = std::remove_cvref_t<std::invoke_result_t<Make&, node>>;
    static_assert(needs_a_topology__see_the_concept<Topology>, "needs_a_topology__see_the_concept");
    static_assert(needs_a_process__see_the_concept<process>, "needs_a_process__see_the_concept");
    static_assert(detail::describable<process>() &&
                      detail::describable<typename process::message>() &&
                      detail::describable<typename process::timer>(),
                  "cannot_be_described__give_it_a_static_fields_function");
    static_assert(a_message_or_timer_kind_has_no_handler<process, exploration::recorder<process>>,
                  "a_message_or_timer_kind_has_no_handler");
    static_assert(a_request_has_no_verb<process, exploration::recorder<process>>,
                  "a_request_has_no_verb");
    static_assert(exploration::nothing_starts_it__wrap_the_process_in_client<process>,
                  "nothing_starts_it__wrap_the_process_in_client");
    static_assert(exploration::asks_for_the_time__explore_cannot_tell_it<process>,
                  "asks_for_the_time__explore_cannot_tell_it");
    static_assert(exploration::an_open_load_has_no_bound__run_it_in_events<process>,
                  "an_open_load_has_no_bound__run_it_in_events");
    static_assert(simulation::the_topology_fits<process, Topology>());
    return exploration::explore<process>(exploration::wiring{topology}, std::move(make), options);
}

}  // namespace caucus
