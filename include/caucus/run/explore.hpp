// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/print.hpp>
#include <caucus/run/exploration/chained.hpp>
#include <caucus/run/exploration/cycles.hpp>
#include <caucus/run/exploration/search.hpp>
#include <caucus/run/exploration/wiring.hpp>
#include <caucus/run/properties.hpp>
#include <caucus/run/verdict.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace caucus {

/// Who starts: all, a list of nodes, every subset in turn, or anyone whenever it likes.
class initiators {
public:
    enum class kind : std::uint8_t { all, given, any_subset, spontaneous };

    constexpr initiators(kind what = kind::all) : what_(what) {}
    initiators(std::initializer_list<std::size_t> nodes) : what_(kind::given) {
        for (const std::size_t v : nodes) given_ |= std::uint64_t{1} << v;
    }
    initiators(const std::vector<std::size_t>& nodes) : what_(kind::given) {
        for (const std::size_t v : nodes) given_ |= std::uint64_t{1} << v;
    }

    kind what() const { return what_; }
    std::uint64_t given() const { return given_; }

private:
    kind what_;
    std::uint64_t given_ = 0;
};
inline constexpr initiators::kind all = initiators::kind::all;
inline constexpr initiators::kind any_subset = initiators::kind::any_subset;
inline constexpr initiators::kind spontaneous = initiators::kind::spontaneous;

/// Which process stands where: make(v) at v, or every order of them (on rings up to rotation).
enum class orders : std::uint8_t { as_made, all_permutations };
inline constexpr orders all_permutations = orders::all_permutations;

/// What may be left out without changing the verdict.
///   sleep      a second order of two events at different nodes: every state is kept
///   ample      at a node with a single inlet, whatever could happen elsewhere first, if no
///              property sees the difference: states go too
///   rotations  on a ring of equal nodes that all start, whatever is a turn of something seen; the
///              properties must not care which node is which, as those of properties.hpp do not
/// All need a system without faults; sleep and ample also fifo links and no timers. Each is left
/// off where that is missing, and the verdict says what was really in force.
enum class reduction : std::uint8_t { none = 0, sleep = 1, ample = 2, rotations = 4, every = 7 };
constexpr reduction operator|(reduction a, reduction b) {
    return static_cast<reduction>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool includes(reduction set, reduction one) {
    return (static_cast<unsigned>(set) & static_cast<unsigned>(one)) != 0;
}

template <class P>
struct explore_options {
    caucus::initiators initiators = all;
    std::vector<property<P>> properties = {};
    reduction reduce = reduction::every;
    fault_budget faults = {};
    bool perfect_detector = false;
    bool fifo = true;
    caucus::timers timers = caucus::timers::after_messages;
    caucus::starting starting = caucus::starting::at_once;
    caucus::orders orders = orders::as_made;
    std::uint64_t max_states = ~std::uint64_t{0};
    std::uint64_t max_depth = ~std::uint64_t{0};
    std::uint64_t max_memory = ~std::uint64_t{0};   // bytes
    bool count_messages = true;                     // least and most: keeps every edge
    fingerprint recognise = fingerprint::bits64;
    std::size_t threads = 1;                        // the result is the same for any number
    bool chains = false;  // the longest causal chain: a second exploration
    bool progress = false;                          // a line to stderr every two seconds
};

namespace exploration {

template <class Topology, class Make>
class explorer {
public:
    using process_type = std::remove_cvref_t<std::invoke_result_t<Make&, node>>;
    using options_type = explore_options<process_type>;

    explorer(Topology topology, Make make, const options_type& options)
        : options_(options),
          make_(std::move(make)),
          world_(std::move(topology), rules_of(options)) {}

    verdict run() {
        const auto begin = std::chrono::steady_clock::now();
        const bool cyclic_matters = has_finally();
        verdict v = attempt(options_.reduce);
        // Fairness looks at all that was possible: a cycle is judged without reductions.
        if (cyclic_matters && doubtful_) v = attempt(reduction::none);
        if constexpr (!is_chained<process_type>)
            if (options_.chains && v.complete) v.longest_chain = longest_chain();
        v.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return v;
    }

    const world<Topology, process_type>& explored() const { return world_; }

private:
    using world_type = world<Topology, process_type>;
    using search_type = search<Topology, process_type>;
    using state = typename world_type::state;

    std::uint64_t longest_chain() {
        using counting = std::function<chained<process_type>(node)>;
        const counting make = [this](node v) { return chained<process_type>{make_(v)}; };
        explore_options<chained<process_type>> o{
            options_.initiators, {}, options_.reduce, options_.faults, options_.perfect_detector,
            options_.fifo, options_.timers, options_.starting, options_.orders, options_.max_states,
            options_.max_depth, options_.max_memory, false, options_.recognise, options_.threads,
            false, options_.progress};
        explorer<Topology, counting> counted{world_.topology(), make, o};
        if (!counted.run().complete) return 0;
        std::uint32_t longest = 0;
        const auto& messages = counted.explored().brain().words.messages;
        for (std::uint32_t i = 0; i < messages.size(); ++i)
            longest = std::max(longest, messages[i].place);
        return longest;
    }

    struct origin {
        std::vector<std::size_t> order;
        std::uint64_t now;
        std::uint64_t later;
        std::size_t which;   // of the roots that its coins give
    };

    static rules rules_of(const options_type& o) {
        rules r{o.fifo, o.timers, o.starting, o.faults, o.perfect_detector, false};
        if (o.initiators.what() == initiators::kind::spontaneous) {
            r.starts = starting::any_time;
            r.starts_are_free = true;
        }
        return r;
    }
    bool has_finally() const {
        for (const auto& p : options_.properties)
            if (p.mode() == mode::finally) return true;
        return false;
    }

    verdict attempt(reduction reduce) {
        origins_.clear();
        doubtful_ = false;
        rotations_ = includes(reduce, reduction::rotations) && is_symmetric();
        search_plan plan{options_.max_states, options_.max_depth, options_.max_memory,
                         options_.recognise,
                         includes(reduce, reduction::sleep) && !has_finally() && !rotations_,
                         includes(reduce, reduction::ample) && !rotations_,
                         options_.count_messages || has_finally(),
                         std::max<std::size_t>(options_.threads, 1), rotations_};
        search_type s{world_, options_.properties, plan};
        add_roots(s);
        auto last_word = std::chrono::steady_clock::now();
        s.run([&](const search_type& so_far) {
            if (!options_.progress) return;
            const auto now = std::chrono::steady_clock::now();
            if (now - last_word < std::chrono::seconds(2)) return;
            last_word = now;
            std::fprintf(stderr, "explore: %zu states, depth %zu, %zu MiB\n", so_far.states(),
                         static_cast<std::size_t>(so_far.depth), so_far.bytes() >> 20);
        });
        return judge(s);
    }

    bool is_ring() const {
        const shape kind = world_.topology().kind;
        return kind == shape::one_way_ring || kind == shape::two_way_ring;
    }
    /// A ring of equal nodes, all of which have started: who is who cannot matter.
    bool is_symmetric() {
        if (!is_ring()) return false;
        const bool all_start = options_.initiators.what() == initiators::kind::all &&
                               world_.how().starts == starting::at_once;
        if (!all_start || options_.faults.any() || options_.perfect_detector) return false;
        for (std::size_t v = 1; v < world_.nodes(); ++v)
            if (!same(make_(node{v}), make_(node{0}))) return false;
        return true;
    }

    void add_roots(search_type& s) {
        const std::size_t n = world_.nodes();
        const std::uint64_t everyone = n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
        std::vector<std::size_t> order(n);
        for (std::size_t v = 0; v < n; ++v) order[v] = v;
        const bool ring = is_ring();
        do {
            std::uint64_t first = everyone;
            std::uint64_t last = everyone;
            if (options_.initiators.what() == initiators::kind::given)
                first = last = options_.initiators.given();
            if (options_.initiators.what() == initiators::kind::any_subset) first = 1;
            if ((last & ~everyone) != 0)
                refuse("explore: an initiator is not among the ", n, " nodes");
            for (std::uint64_t set = first;; ++set) {
                add_root(s, order, set);
                if (set == last) break;
            }
        } while (options_.orders == orders::all_permutations &&
                 std::next_permutation(order.begin() + (ring ? 1 : 0), order.end()));
    }
    void add_root(search_type& s, const std::vector<std::size_t>& order, std::uint64_t set) {
        const bool at_once = world_.how().starts == starting::at_once;
        std::vector<process_type> processes;
        for (const std::size_t v : order) processes.push_back(make_(node{v}));
        std::size_t which = 0;
        world_.roots(
            processes, at_once ? set : 0, at_once ? 0 : set,
            [&](const state& row, std::uint64_t hash, std::uint64_t messages, const auto&) {
                origins_.push_back({order, at_once ? set : 0, at_once ? 0 : set, which++});
                const auto number = static_cast<std::uint32_t>(origins_.size() - 1);
                state turned = row;
                if (rotations_ && world_.turn_to_least(turned) != 0)
                    s.add_root(turned, world_.hash_of(turned.data()), messages, number);
                else
                    s.add_root(row, hash, messages, number);
            });
    }

    verdict judge(search_type& s) {
        verdict v;
        v.deterministic = !world_.brain().undecided();
        v.states = s.states();
        v.transitions = s.transitions;
        v.depth = s.depth;
        v.limit = s.stopped_by != nullptr ? s.stopped_by : "";
        v.bytes_per_state = static_cast<double>(s.bytes()) / static_cast<double>(s.states());
        v.edge_bytes_per_state =
            static_cast<double>(s.edge_bytes()) / static_cast<double>(s.states());
        v.omissions_bound = omissions(static_cast<double>(v.states), options_.recognise);
        v.reductions = s.in_force();
        const bool found = s.broken_state() != search_type::none;
        v.complete = v.limit.empty() && !found;
        v.holds = !found && v.deterministic;
        if (found) {
            v.counterexample = tell(s.way_to(s.broken_state()));
            blame(v, s.broken_property(), "is false after");
            return v;
        }
        if (!v.complete) return v;
        for (const std::size_t i : s.still_awaited()) blame(v, i, "is never true");
        if (v.holds) check_endings(v, s);
        if (options_.count_messages && v.complete) {
            const arrows g{s.offsets, s.edges};
            const bounds b =
                count_messages(g, s.roots(), [&](std::uint32_t i) { return s.ended(i); });
            v.messages = {b.least, b.most, true};
        }
        return v;
    }

    /// n²/2^65 or n²/2^129: see fingerprint.
    static double omissions(double states, fingerprint kind) {
        if (kind == fingerprint::exact) return 0;
        return states * states / 3.7e19 / (kind == fingerprint::bits128 ? 1.8e19 : 1.0);
    }

    void blame(verdict& v, std::size_t property, const char* how) {
        v.holds = false;
        v.counterexample.property = options_.properties[property].name();
        v.counterexample.how = how;
    }

    void check_endings(verdict& v, search_type& s) {
        std::size_t number = 0;
        for (std::size_t i = 0; i < options_.properties.size() && v.holds; ++i) {
            if (options_.properties[i].mode() != mode::finally) continue;
            for (std::uint32_t at = 0; at < s.states() && v.holds; ++at) {
                if (!s.ended(at) || s.holds_at(at, number)) continue;
                v.counterexample = tell(s.way_to(at));
                blame(v, i, "is false when all is over, after");
            }
            if (v.holds) check_cycles(v, s, i, number);
            ++number;
        }
    }
    void check_cycles(verdict& v, search_type& s, std::size_t property, std::size_t number) {
        const arrows g{s.offsets, s.edges};
        const bool starts_are_free = world_.how().starts_are_free;
        const auto cycle = fair_cycle_without(
            g, s.actions(), [&](std::uint32_t at) { return s.holds_at(at, number); },
            [&](const action& a) {
                return !a.is_fault() && !(starts_are_free && a.what == action::kind::start);
            });
        if (!cycle) return;
        if (s.reduced) {
            doubtful_ = true;
            return;
        }
        const std::uint32_t at = *std::min_element(cycle->begin(), cycle->end());
        v.counterexample = tell(s.way_to(at));
        v.counterexample.loop_from = v.counterexample.steps.size();
        extend_round(v.counterexample, s, g, *cycle, at);
        blame(v, property, "can be avoided for ever");
    }

    /// A shortest way back to `at` inside the cycle, appended to the story.
    void extend_round(story& told, search_type& s, const arrows& g,
                      const std::vector<std::uint32_t>& cycle, std::uint32_t at) {
        std::vector<std::uint32_t> inside(g.states(), 0);
        for (const std::uint32_t each : cycle) inside[each] = 1;
        std::vector<std::pair<std::uint32_t, std::uint64_t>> from(g.states(),
                                                                  {0, ~std::uint64_t{0}});
        std::vector<std::uint32_t> queue{at};
        for (std::size_t i = 0; i < queue.size(); ++i) {
            const std::uint32_t here = queue[i];
            for (std::uint64_t e = g.offsets[here]; e < g.offsets[here + 1]; ++e) {
                const std::uint32_t to = g.edges[e].to;
                if (!inside[to] || from[to].second != ~std::uint64_t{0}) continue;
                from[to] = {here, e - g.offsets[here]};
                if (to != at) {
                    queue.push_back(to);
                    continue;
                }
                std::vector<std::uint32_t> turns;
                for (std::uint32_t back = at; turns.empty() || back != at; back = from[back].first)
                    turns.insert(turns.begin(), static_cast<std::uint32_t>(from[back].second));
                auto way = s.way_to(at);
                way.turns.insert(way.turns.end(), turns.begin(), turns.end());
                const std::size_t loop = told.steps.size();
                told = tell(way);
                told.loop_from = loop;
                return;
            }
        }
    }

    /// Follows the turns again and writes down what happens. Where rotations are left out, the ring
    /// is turned back: `turned` is how far the row has been turned from the real one.
    story tell(const typename search_type::way& way) {
        const origin& from = origins_[way.origin];
        story told;
        told.order = from.order;
        told.starters = from.now | from.later;
        std::vector<process_type> processes;
        for (const std::size_t v : from.order) processes.push_back(make_(node{v}));
        state row;
        std::size_t which = 0;
        world_.roots(processes, from.now, from.later,
                     [&](const state& s, std::uint64_t, std::uint64_t, const auto& starts) {
                         if (which++ != from.which) return;
                         row = s;
                         for (const auto& each : starts)
                             told.opening.push_back(
                                 step(each.what, each.what, each.how, each.before, each.after, 0));
                     });
        std::size_t turned = rotations_ ? world_.turn_to_least(row) : 0;
        typename world_type::scratch room;
        for (const std::uint32_t turn : way.turns) {
            std::uint32_t number = 0;
            state next;
            world_.expand(row.data(), 0, true, room,
                          [&](const action& a, const ending& e, const state& s, std::uint64_t) {
                              if (number++ != turn) return;
                              next = s;
                              told.steps.push_back(
                                  step(turn_back(a, turned), a, e, row, s, turned));
                          });
            row = next;
            if (rotations_) turned = (turned + world_.turn_to_least(row)) % world_.nodes();
        }
        return told;
    }

    action turn_back(action a, std::size_t turned) const {
        const auto n = static_cast<std::uint32_t>(world_.nodes());
        if (turned == 0) return a;
        const std::uint32_t each = static_cast<std::uint32_t>(world_.arcs()) / n;
        a.node = (a.node + static_cast<std::uint32_t>(turned)) % n;
        a.arc = (a.arc / each + static_cast<std::uint32_t>(turned)) % n * each + a.arc % each;
        return a;
    }

    story_step step(const action& a, const action& there, const ending& e, const state& before,
                    const state& after, std::size_t turned) {
        story_step made{a, 0, e.coins, {}, words(a, there, before, after)};
        const auto& known = world_.brain().words;
        if (a.what == action::kind::expire) made.value = known.timers.hash_of(a.value);
        else if (a.what == action::kind::deliver || a.what == action::kind::lose ||
                 a.what == action::kind::duplicate)
            made.value = known.messages.hash_of(a.value);
        for (const effect& f : e.effects) {
            if (f.what != effect::kind::send) continue;
            const std::size_t arc = world_.topology().arc(node{there.node}, port{f.port});
            action on = there;
            on.arc = static_cast<std::uint32_t>(arc);
            made.sent.push_back({turn_back(on, turned).arc, known.messages.hash_of(f.value)});
        }
        return made;
    }

    std::string words(const action& a, const action& there, const state& before,
                      const state& after) {
        const auto& known = world_.brain().words;
        const auto other = [&](far_end end) { return "node " + std::to_string(end.node.index); };
        std::string line = "node " + std::to_string(a.node) + " ";
        switch (a.what) {
            case action::kind::start: line += "starts"; break;
            case action::kind::deliver:
                line += "receives ";
                print(line, known.messages[a.value]);
                line += " from " + other(world_.origin_of(a.arc));
                break;
            case action::kind::expire:
                line += "has waited long enough: ";
                print(line, known.timers[a.value]);
                break;
            case action::kind::crash: line += "crashes"; break;
            case action::kind::restart: line += "restarts with what it kept"; break;
            case action::kind::amnesia: line += "restarts and remembers nothing"; break;
            case action::kind::lose:
            case action::kind::duplicate:
                line = a.what == action::kind::lose ? "lost: " : "doubled: ";
                print(line, known.messages[a.value]);
                line += " from " + other(world_.origin_of(a.arc)) + " to node " +
                        std::to_string(a.node);
                break;
            case action::kind::suspect: line += "suspects " + other(world_.end_of(a.arc)); break;
            case action::kind::mistrust:
                line += "suspects " + other(world_.end_of(a.arc)) + ", wrongly";
                break;
            case action::kind::trust: line += "trusts " + other(world_.end_of(a.arc)); break;
        }
        if (a.cut_short) return line + " and crashes before it is through";
        if (before[there.node] != after[there.node] && a.what != action::kind::crash) {
            line += " and is now ";
            print(line, known.processes[after[there.node]]);
        }
        return line;
    }

    options_type options_;
    Make make_;
    world_type world_;
    std::vector<origin> origins_;
    bool doubtful_ = false;
    bool rotations_ = false;
};

}  // namespace exploration

/// Every schedule of the processes that `make` makes: which message next, who starts when, how
/// coins fall, which timer runs out, and within budgets what goes wrong.
template <class Topology, class Make>
verdict explore(
    Topology topology, Make make,
    std::type_identity_t<explore_options<std::remove_cvref_t<std::invoke_result_t<Make&, node>>>>
        options = {}) {
    using process = std::remove_cvref_t<std::invoke_result_t<Make&, node>>;
    static_assert(a_message_or_timer_kind_has_no_handler<process, exploration::recorder<process>>,
                  "a_message_or_timer_kind_has_no_handler");
    static_assert(exploration::asks_for_the_time__explore_cannot_tell_it<process>,
                  "asks_for_the_time__explore_cannot_tell_it");
    static_assert(needs_a_one_way_ring<process, Topology>, "needs_a_one_way_ring");
    static_assert(needs_a_two_way_ring<process, Topology>, "needs_a_two_way_ring");
    static_assert(needs_a_tree<process, Topology>, "needs_a_tree");
    static_assert(needs_a_complete_network<process, Topology>, "needs_a_complete_network");
    static_assert(needs_two_way_links<process, Topology>, "needs_two_way_links");
    using explorer = exploration::explorer<exploration::wiring, std::function<process(node)>>;
    return explorer{exploration::wiring{topology}, std::move(make), options}.run();
}

}  // namespace caucus
