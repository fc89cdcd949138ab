// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/exploration/thread_pool.hpp>
#include <caucus/run/exploration/property_set.hpp>
#include <caucus/run/exploration/sleep_bits.hpp>
#include <caucus/run/exploration/visited.hpp>
#include <caucus/run/exploration/world.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace caucus::exploration {

/// Where a search may stop, what it may leave out, and what it keeps.
struct search_plan {
    std::uint64_t max_states = ~std::uint64_t{0};
    std::uint64_t max_depth = ~std::uint64_t{0};
    std::uint64_t max_bytes = ~std::uint64_t{0};
    fingerprint recognise = fingerprint::bits64;
    bool sleep_sets = false;
    bool ample_sets = false;
    bool edges = true;
    std::size_t threads = 1;
    bool rotations = false;   // states that differ by a rotation of the ring are one state
};

struct edge {
    std::uint32_t to = 0;
    std::uint32_t sent = 0;
    std::uint32_t act = 0;   // the number of the action, in search::actions()
};

/// Breadth first, level by level: no state that breaks a property is nearer than the first found.
/// States are numbered as they are found, and the successors of a state always come in the same
/// order: a schedule is a list of successor numbers, and is the same for any number of threads.
/// A level is worked off in blocks. First the threads expand the states of a block in parallel,
/// as far as all handlers that they need have been run before. Then one thread goes through the
/// block in order: it expands the other states, running their handlers, and numbers new states.
class search {
public:
    using state = world::state;
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    struct root {
        std::uint32_t index;
        std::uint64_t messages;
    };
    /// How a root can be made again: the number of the order in which the processes stand, the set
    /// of nodes that start, and which of the roots that the coins of these starts give.
    struct origin {
        std::uint64_t order = 0;
        std::uint64_t starters = 0;
        std::uint64_t which = 0;
    };
    /// The successor numbers that lead to a state, from its root.
    struct way {
        search::origin origin;
        std::vector<std::uint32_t> successors;
    };

    search(world& w, const property_set& properties, search_plan plan)
        : w_(w), properties_(properties), plan_(plan), seen_(plan.recognise, w.width()),
          frontier_(w.width()), next_(w.width()), again_(w.width()), threads_(plan.threads) {
        for (std::size_t i = 0; i < properties_.size(); ++i)
            if (properties_.mode(i) == mode::sometimes) awaited_.push_back(i);
        for (std::size_t i = 0; i < plan.threads; ++i) findings_.emplace_back(w.width());
        row_.resize(w.width());
        plan_.max_states = std::min(plan_.max_states, numbers_most);
        prepare_reductions();
    }

    /// A state to begin with. False: no more of them, because a property is broken or a limit is
    /// hit. Equal roots count each time, or 2^40 of them would be made before any limit is hit.
    bool add_root(const state& s, std::uint64_t hash, std::uint64_t messages, search::origin from) {
        const auto found = seen_.find_or_add(hash, s.data());
        roots_.push_back({found.index, messages});
        if (found.fresh) {
            origins_.push_back(from);
            admit(found.index, s.data(), {hash, 0, none, 0, 0, {}});
        }
        peak_ = std::max(peak_, next_.bytes());
        if (roots_.size() > plan_.max_states) stopped_by = "max_states";
        if (bytes() >= plan_.max_bytes) stopped_by = "max_memory";
        return going_on();
    }

    void run(const std::function<void(const search&)>& progress) {
        while (going_on() && !(next_.empty() && again_.empty())) {
            if (depth == plan_.max_depth) {
                stopped_by = "max_depth";
                break;
            }
            begin_level();
            for (std::size_t i = 0; i < frontier_.size() && going_on(); i += block) {
                expand_block(i, std::min(i + block, frontier_.size()));
                progress(*this);
            }
            if (going_on() && !(next_.empty() && again_.empty())) ++depth;
        }
        close_edges();
    }

    std::size_t states() const { return seen_.size(); }
    std::size_t bytes() const {
        return seen_.bytes() + 4 * parents_.capacity() + 4 * ordinals_.capacity() +
               marks_.capacity() + 8 * sleeping_.capacity() + sizeof(root) * roots_.capacity() +
               sizeof(search::origin) * origins_.capacity() + peak_ + w_.bytes();
    }
    std::size_t edge_bytes() const {
        return sizeof(edge) * edges.capacity() + 8 * offsets.capacity() + 4 * froms_.capacity();
    }

    /// The state that breaks an `always`, or `none`; and the property that it breaks.
    std::uint32_t broken_state() const { return broken_; }
    std::size_t broken_property() const { return broken_property_; }
    /// The `sometimes` properties that have not been true in any state so far.
    const std::vector<std::size_t>& still_awaited() const { return awaited_; }

    way way_to(std::uint32_t index) const {
        way found;
        for (; parents_[index] != none; index = parents_[index])
            found.successors.push_back(ordinals_[index]);
        std::reverse(found.successors.begin(), found.successors.end());
        found.origin = origins_[index];
        return found;
    }

    /// Nothing more will happen there, but faults.
    bool ended(std::uint32_t index) const { return (marks_[index] & 1) != 0; }
    /// Does the i-th of the `finally` properties hold there?
    bool holds_at(std::uint32_t index, std::size_t i) const {
        return (marks_[index] >> (i + 1) & 1) != 0;
    }
    static constexpr std::size_t finals_most = 7;

    const std::vector<root>& roots() const { return roots_; }
    const std::vector<action>& actions() const { return acts_; }

    /// The names of the reductions, if they left anything out.
    std::string in_force() const {
        if (!reduced) return "none";
        if (plan_.rotations) return "rotations";
        if (plan_.sleep_sets && plan_.ample_sets) return "sleep, ample";
        return plan_.sleep_sets ? "sleep" : "ample";
    }

    std::uint64_t transitions = 0;
    std::uint64_t depth = 0;
    const char* stopped_by = nullptr;
    bool reduced = false;                 // a reduction left something out
    std::vector<edge> edges;
    std::vector<std::uint64_t> offsets;   // of each state's first edge; the last: edges.size()

private:
    static constexpr std::size_t block = 4096;
    static constexpr std::uint64_t numbers_most = 0xf0000000;   // 32 bits, and room for a block

    struct candidate {
        std::uint64_t hash;
        std::uint64_t sleep;
        std::uint32_t from;
        std::uint32_t ordinal;
        std::uint32_t sent;
        action what;
    };
    struct job {
        std::uint64_t hash;
        std::uint32_t index;
    };
    static constexpr std::uint64_t everything = ~std::uint64_t{0};
    /// States that are to be expanded.
    struct worklist {
        explicit worklist(std::size_t width) : rows(width) {}
        void push(const std::uint32_t* row, job j) {
            rows.push(row);
            jobs.push_back(j);
        }
        std::uint64_t only_of(std::size_t i) const { return only.empty() ? everything : only[i]; }
        std::size_t size() const { return jobs.size(); }
        bool empty() const { return jobs.empty(); }
        void clear() {
            rows.clear();
            jobs.clear();
            only.clear();
        }
        std::size_t bytes() const {
            return rows.bytes() + sizeof(job) * jobs.capacity() + 8 * only.capacity();
        }

        exploration::rows rows;
        std::vector<job> jobs;
        std::vector<std::uint64_t> only;   // sleep sets: the actions left to try
    };
    /// The results of one thread: the successors of its states, one state after the other.
    struct findings {
        explicit findings(std::size_t width) : rows(width), row(width) {}
        void clear() {
            rows.clear();
            found.clear();
            ends.clear();
        }
        std::size_t bytes() const { return rows.bytes() + sizeof(candidate) * found.capacity(); }
        /// Forgets what was found since there were `size` candidates.
        void forget_from(std::size_t size) {
            while (found.size() > size) {
                found.pop_back();
                rows.pop();
            }
        }

        exploration::rows rows;
        std::vector<candidate> found;
        std::vector<std::uint32_t> ends;   // of each state's candidates; none: a handler is new
        state row;
        world::scratch room;
        bool reduced = false;
    };

    bool going_on() const { return broken_ == none && stopped_by == nullptr; }

    void begin_level() {
        std::swap(frontier_, next_);
        next_.clear();
        for (std::size_t i = 0; i < again_.size(); ++i) {
            again_.rows.load(i, row_.data());
            frontier_.push(row_.data(), again_.jobs[i]);
            frontier_.only.push_back(again_.only[i]);
        }
        again_.clear();
        first_of_next_ = static_cast<std::uint32_t>(seen_.size());
    }

    void expand_block(std::size_t first, std::size_t last) {
        const std::size_t share = (last - first + findings_.size() - 1) / findings_.size();
        threads_.work([&](std::size_t who) {
            findings& d = findings_[who];
            d.clear();
            const std::size_t from = std::min(first + who * share, last);
            const std::size_t to = std::min(from + share, last);
            for (std::size_t i = from; i < to; ++i) {
                const std::size_t before = d.found.size();
                frontier_.rows.load(i, d.row.data());
                const bool known = expand(d, frontier_.jobs[i], frontier_.only_of(i), false);
                if (!known) d.forget_from(before);
                d.ends.push_back(known ? static_cast<std::uint32_t>(d.found.size()) : none);
            }
        });
        std::size_t now = frontier_.bytes() + next_.bytes() + again_.bytes();
        for (findings& d : findings_) {
            reduced = reduced || d.reduced;
            now += d.bytes();
        }
        peak_ = std::max(peak_, now);
        for (std::size_t who = 0; who < findings_.size(); ++who)
            if (!settle_findings(findings_[who], std::min(first + who * share, last))) return;
        if (seen_.size() > plan_.max_states) stopped_by = "max_states";
        if (bytes() + edge_bytes() >= plan_.max_bytes) stopped_by = "max_memory";
    }

    bool settle_findings(const findings& d, std::size_t first) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < d.ends.size(); ++i) {
            if (d.ends[i] == none) {
                if (!learn_and_settle(first + i)) return false;
                continue;
            }
            for (; at < d.ends[i]; ++at) {
                if (at + 8 < d.found.size()) seen_.prefetch(d.found[at + 8].hash);
                d.rows.load(at, row_.data());
                settle(d.found[at]);
                if (broken_ != none) return false;
            }
        }
        return true;
    }
    bool learn_and_settle(std::size_t i) {
        learner_.clear();
        frontier_.rows.load(i, learner_.row.data());
        expand(learner_, frontier_.jobs[i], frontier_.only_of(i), true);
        reduced = reduced || learner_.reduced;
        for (std::size_t at = 0; at < learner_.found.size(); ++at) {
            learner_.rows.load(at, row_.data());
            settle(learner_.found[at]);
            if (broken_ != none) return false;
        }
        return true;
    }

    bool expand(findings& d, const job& j, std::uint64_t only, bool learn) {
        const std::size_t before = d.found.size();
        if (plan_.ample_sets) {
            const ample_result a = expand_ample(d, j, learn);
            if (a != ample_result::no_such_set) return a == ample_result::done;
            d.forget_from(before);
        }
        std::uint64_t sleep = plan_.sleep_sets ? sleeping_[j.index] : 0;
        std::uint64_t current = 0;   // the action whose endings are being listed
        std::uint32_t ordinal = 0;
        return w_.expand(d.row.data(), j.hash, learn, d.room,
                         [&](const action& a, const ending& e, const state& next, std::uint64_t h) {
                             const std::uint32_t number = ordinal++;
                             std::uint64_t inherited = 0;
                             if (plan_.sleep_sets) {
                                 const std::uint64_t bit = bits_.of(a);
                                 if (current != bit)
                                     sleep |= current & only & ~sleep_bits::sleepless;
                                 current = bit;
                                 if ((only & bit) == 0) {
                                     d.reduced = true;
                                     return;
                                 }
                                 inherited = sleep & ~bits_.at(a.node);
                             }
                             offer(d, j, number, a, e, next, h, inherited);
                         });
    }

    void offer(findings& d, const job& j, std::uint32_t number, const action& a, const ending& e,
               const state& next, std::uint64_t h, std::uint64_t sleep) {
        if (plan_.rotations) {
            state rotated = next;
            if (w_.rotate_to_least(rotated) != 0) d.reduced = true;
            d.rows.push(rotated.data());
            h = w_.hash_of(rotated.data());
        } else {
            d.rows.push(next.data());
        }
        d.found.push_back({h, sleep, j.index, number, e.sends, a});
    }

    enum class ample_result : std::uint8_t { done, unknown, no_such_set };

    /// Ample sets. A node with a single inlet and no pending start has one next event: to take its
    /// next message. Nothing elsewhere can prevent or change that. If no property sees a difference
    /// either, the events elsewhere may as well come later, and only this one is explored here.
    /// Its end must be a new state: so some state on every cycle is expanded in full, or events
    /// elsewhere could be put off for ever.
    ample_result expand_ample(findings& d, const job& j, bool learn) {
        const std::uint64_t pending = w_.fate_of(d.row.data()).pending;
        const std::size_t before = d.found.size();
        std::uint32_t ordinal = 0;
        bool good = false;
        action chosen;
        action last;
        const bool known = w_.expand(d.row.data(), j.hash, learn, d.room,
            [&](const action& a, const ending& e, const state& next, std::uint64_t h) {
                const std::uint32_t number = ordinal++;
                if (number == 0 || a.arc != last.arc || a.what != last.what ||
                    a.node != last.node) {
                    last = a;
                    if (good) return;   // the ample set is found, with all endings of its action
                    d.forget_from(before);
                    chosen = a;
                    good = a.what == action::kind::deliver && inlets_[a.node] == 1 &&
                           (pending >> a.node & 1) == 0;
                } else if (!good || a.arc != chosen.arc || a.what != chosen.what) {
                    return;
                }
                good = good && invisible(d.row[a.node], next[a.node]) && !seen_.contains(h);
                offer(d, j, number, a, e, next, h, 0);
            });
        if (!known) return ample_result::unknown;
        if (!good || ordinal == d.found.size() - before) return ample_result::no_such_set;
        d.reduced = true;
        return ample_result::done;
    }

    bool invisible(std::uint32_t before, std::uint32_t after) const {
        return before == after || properties_.sees_no_difference(before, after);
    }

    /// Both reductions are right only if events at different nodes do not influence each other.
    void prepare_reductions() {
        const rules& how = w_.how();
        const bool timed = w_.handlers().is().has_timers;
        const bool local = !how.faults.any() && !how.perfect_detector &&
                           (!timed || how.when == timers::any_time);
        if (!local || w_.arcs() + w_.nodes() > sleep_bits::most) plan_.sleep_sets = false;
        if (!local || timed || !how.fifo || !properties_.says_what_it_observes())
            plan_.ample_sets = false;
        inlets_.assign(w_.nodes(), 0);
        for (std::size_t arc = 0; arc < w_.arcs(); ++arc) ++inlets_[w_.end_of(arc).node];
        if (plan_.sleep_sets) bits_ = sleep_bits{w_};
    }

    /// Takes in one transition, whose end is in row_.
    void settle(const candidate& k) {
        ++transitions;
        const auto found = seen_.find_or_add(k.hash, row_.data());
        if (plan_.edges) {
            if (plan_.sleep_sets) froms_.push_back(k.from);
            else while (offsets.size() <= k.from) offsets.push_back(edges.size());
            edges.push_back({found.index, k.sent, act_of(k.what)});
        }
        if (found.fresh) admit(found.index, row_.data(), k);
        else if (plan_.sleep_sets) wake(found.index, k);
    }

    void admit(std::uint32_t index, const std::uint32_t* row, const candidate& k) {
        parents_.push_back(k.from);
        ordinals_.push_back(k.ordinal);
        next_.push(row, {k.hash, index});
        if (plan_.sleep_sets) {
            next_.only.push_back(~k.sleep);
            sleeping_.push_back(k.sleep);
        }
        judge(index, row);
    }

    /// A known state is reached again with fewer actions asleep: those that are awake now have not
    /// been tried there yet.
    void wake(std::uint32_t index, const candidate& k) {
        const std::uint64_t before = sleeping_[index];
        const std::uint64_t now = before & k.sleep;
        if (now == before) return;
        sleeping_[index] = now;
        if (index >= first_of_next_) {
            next_.only[index - first_of_next_] = ~now;
        } else {
            again_.push(row_.data(), {k.hash, index});
            again_.only.push_back(before & ~now);
        }
    }

    void judge(std::uint32_t index, const std::uint32_t* row) {
        const fate& f = w_.fate_of(row);
        const moment now{w_.contents(), row, w_.nodes(), w_.arcs(), f.alive};
        const bool started = (f.pending & f.alive) == 0 || w_.how().starts_are_free;
        const bool over = started && w_.quiet(row) && !w_.timers_armed(row);
        unsigned mark = over && !w_.detector_has_news(row) ? 1 : 0;
        unsigned final_bit = 2;
        for (std::size_t i = 0; i < properties_.size(); ++i) {
            if (properties_.mode(i) == mode::sometimes) continue;
            const bool holds = properties_.holds(i, now);
            if (properties_.mode(i) == mode::finally) {
                if (holds) mark |= final_bit;
                final_bit <<= 1;
            } else if (!holds && broken_ == none) {
                broken_ = index;
                broken_property_ = i;
            }
        }
        if (!awaited_.empty())
            std::erase_if(awaited_, [&](std::size_t i) { return properties_.holds(i, now); });
        marks_.push_back(static_cast<std::uint8_t>(mark));
    }

    std::uint32_t act_of(const action& a) {
        const std::uint64_t who = static_cast<std::uint64_t>(a.what) |
                                  std::uint64_t{a.cut_short} << 7 | std::uint64_t{a.node} << 8 |
                                  std::uint64_t{a.arc} << 32;
        const std::uint64_t what = w_.how().fifo && a.what == action::kind::deliver ? 0 : a.value;
        if (const auto* known = act_numbers_.find(who, what)) return *known;
        acts_.push_back(a);
        return act_numbers_.insert(who, what, static_cast<std::uint32_t>(acts_.size() - 1));
    }

    void close_edges() {
        if (!froms_.empty()) sort_edges();
        while (offsets.size() <= seen_.size()) offsets.push_back(edges.size());
    }
    /// With sleep sets a state may be expanded several times: collects its edges in one place.
    void sort_edges() {
        offsets.assign(seen_.size() + 1, 0);
        for (const std::uint32_t from : froms_) ++offsets[from + 1];
        for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
        std::vector<std::uint64_t> at(offsets.begin(), offsets.end() - 1);
        std::vector<edge> sorted(edges.size());
        for (std::size_t i = 0; i < edges.size(); ++i) sorted[at[froms_[i]]++] = edges[i];
        edges.swap(sorted);
        froms_ = {};
    }

    world& w_;
    const property_set& properties_;
    search_plan plan_;
    visited seen_;
    std::vector<std::uint32_t> parents_;
    std::vector<std::uint32_t> ordinals_;    // among the parent's successors
    std::vector<search::origin> origins_;    // of the roots, which are the first states
    std::vector<std::uint8_t> marks_;        // bit 0: ended; then one bit a `finally`
    std::vector<std::uint64_t> sleeping_;
    std::vector<root> roots_;
    std::vector<std::uint32_t> froms_;
    worklist frontier_;
    worklist next_;
    worklist again_;     // sleep sets: states seen before that have actions left to try
    std::vector<findings> findings_;
    findings learner_{w_.width()};
    thread_pool threads_;
    state row_;
    std::vector<std::uint32_t> inlets_;
    sleep_bits bits_;
    std::vector<action> acts_;
    memo<std::uint32_t> act_numbers_;
    std::vector<std::size_t> awaited_;
    std::uint32_t first_of_next_ = 0;
    std::uint32_t broken_ = none;
    std::size_t broken_property_ = 0;
    std::size_t peak_ = 0;
};

}  // namespace caucus::exploration
