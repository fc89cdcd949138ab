// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/exploration/visited.hpp>
#include <caucus/run/exploration/world.hpp>
#include <caucus/run/properties.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace caucus::exploration {

/// Where a search may stop, and what it shall leave out and keep.
struct search_limits {
    std::uint64_t max_states = ~std::uint64_t{0};
    std::uint64_t max_depth = ~std::uint64_t{0};
    std::uint64_t max_bytes = ~std::uint64_t{0};
    bool sleep_sets = false;
    bool ample_sets = false;
    bool edges = true;
};

struct edge {
    std::uint32_t to = 0;
    std::uint16_t sent = 0;
    std::uint16_t act = 0;   // which action, of all that ever happened
};

/// Breadth first, level by level: the first state that breaks a property is as near as any.
/// States are numbered as they are found; the k-th successor of a state is always the same one, so
/// a schedule is a list of numbers.
template <class Topology, class P>
class search {
public:
    using world_type = world<Topology, P>;
    using state = typename world_type::state;
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    search(world_type& w, const std::vector<property<P>>& properties, search_limits limits)
        : w_(w), properties_(properties), limits_(limits), frontier_(w.width()), next_(w.width()),
          again_(w.width()), candidates_(w.width()) {
        for (std::size_t i = 0; i < properties_.size(); ++i)
            if (properties_[i].mode() == mode::sometimes) awaited_.push_back(i);
        prepare_reductions();
    }

    /// A state to begin with; `origin` is the caller's name for it.
    void add_root(const state& s, std::uint64_t hash, std::uint64_t messages, std::uint32_t origin) {
        const auto found = seen_.find_or_add(hash);
        roots_.push_back({found.index, messages});
        if (!found.fresh) return;
        parents_.push_back(none);
        ordinals_.push_back(origin);
        admit(found.index, s.data(), hash, 0, ~std::uint64_t{0});
    }

    void run(auto progress) {
        while (broken_ == none && stopped_by == nullptr && !(next_.empty() && again_.empty())) {
            frontier_.swap(next_);
            next_.clear();
            for (std::size_t i = 0; i < again_.size(); ++i) {
                row_.resize(w_.width());
                again_.rows.load(i, row_.data());
                frontier_.push(row_.data(), again_.jobs[i]);
            }
            again_.clear();
            first_of_next_ = static_cast<std::uint32_t>(seen_.size());
            if (depth == limits_.max_depth) {
                stopped_by = "max_depth";
                break;
            }
            for (std::size_t i = 0; i < frontier_.size() && broken_ == none; i += block) {
                expand_block(i, i + block < frontier_.size() ? i + block : frontier_.size());
                if (seen_.size() >= limits_.max_states) stopped_by = "max_states";
                if (bytes() >= limits_.max_bytes) stopped_by = "max_memory";
                if (stopped_by != nullptr) break;
                progress(*this);
            }
            if (broken_ == none && stopped_by == nullptr && !next_.empty()) ++depth;
        }
        close_edges();
    }

    std::size_t states() const { return seen_.size(); }
    std::size_t bytes() const {
        return seen_.bytes() + 4 * (parents_.capacity() + ordinals_.capacity()) + marks_.capacity() +
               8 * sleeping_.capacity() + peak_rows_;
    }
    std::size_t edge_bytes() const { return sizeof(edge) * edges.capacity() + 8 * offsets.capacity(); }

    /// The state that breaks an `always`, and which one; `none` if there is none.
    std::uint32_t broken_state() const { return broken_; }
    std::size_t broken_property() const { return broken_property_; }
    /// Properties that are sometimes to be true and never were.
    const std::vector<std::size_t>& still_awaited() const { return awaited_; }

    /// The successor numbers that lead to a state, from its root.
    struct way {
        std::uint32_t origin = 0;
        std::vector<std::uint32_t> turns;
    };
    way way_to(std::uint32_t index) const {
        way found;
        for (; parents_[index] != none; index = parents_[index])
            found.turns.insert(found.turns.begin(), ordinals_[index]);
        found.origin = ordinals_[index];
        return found;
    }

    bool ended(std::uint32_t index) const { return (marks_[index] & 1) != 0; }
    /// Of a `finally` property, by its place among all properties (up to seven are told apart).
    bool holds_at(std::uint32_t index, std::size_t finally_number) const {
        return (marks_[index] >> (finally_number + 1) & 1) != 0;
    }
    struct root {
        std::uint32_t index;
        std::uint64_t messages;
    };
    const std::vector<root>& roots() const { return roots_; }
    const std::vector<action>& actions() const { return acts_; }

    std::uint64_t transitions = 0;
    std::uint64_t depth = 0;
    const char* stopped_by = nullptr;
    bool reduced = false;             // something was really left out
    std::vector<edge> edges;
    std::vector<std::uint64_t> offsets;   // of each state's first edge, and one more

private:
    static constexpr std::size_t block = 256;

    struct candidate {
        std::uint64_t hash;
        std::uint64_t sleep;
        std::uint32_t from;
        std::uint32_t ordinal;
        std::uint16_t sent;
        std::uint16_t act;
    };
    struct job {
        std::uint32_t index;
        std::uint64_t hash;
        std::uint64_t only;   // sleep sets: the actions left to try
    };

    /// A frontier: rows, and what to do with them.
    struct worklist {
        explicit worklist(std::size_t width) : rows(width) {}
        void push(const std::uint32_t* row, job j) {
            rows.push(row);
            jobs.push_back(j);
        }
        std::size_t size() const { return jobs.size(); }
        bool empty() const { return jobs.empty(); }
        void clear() {
            rows.clear();
            jobs.clear();
        }
        void swap(worklist& other) {
            rows.swap(other.rows);
            jobs.swap(other.jobs);
        }
        std::size_t bytes() const { return rows.bytes() + sizeof(job) * jobs.capacity(); }

        exploration::rows rows;
        std::vector<job> jobs;
    };

    void prepare_reductions() {
        const rules& how = w_.how();
        const bool local = !how.faults.any() && !how.perfect_detector && how.fifo &&
                           (kinds_of<typename P::timer> == 0 || how.when == timers::any_time);
        if (!local || w_.arcs() + w_.nodes() > 64 || kinds_of<typename P::timer> != 0)
            limits_.sleep_sets = false;
        bool observable = local && kinds_of<typename P::timer> == 0;
        for (const property<P>& p : properties_) observable = observable && p.says_what_it_observes();
        if (!observable) limits_.ample_sets = false;
        inlets_.assign(w_.nodes(), 0);
        at_node_.assign(w_.nodes(), 0);
        for (std::size_t arc = 0; arc < w_.arcs(); ++arc) {
            ++inlets_[w_.end_of(arc).node];
            if (limits_.sleep_sets) at_node_[w_.end_of(arc).node] |= std::uint64_t{1} << arc;
        }
        if (limits_.sleep_sets)
            for (std::size_t v = 0; v < w_.nodes(); ++v)
                at_node_[v] |= std::uint64_t{1} << (w_.arcs() + v);
    }

    std::uint64_t bit_of(const action& a) const {
        return std::uint64_t{1} << (a.what == action::kind::deliver ? a.arc : w_.arcs() + a.node);
    }

    void expand_block(std::size_t first, std::size_t last) {
        candidates_.clear();
        found_.clear();
        for (std::size_t i = first; i < last; ++i) {
            row_.resize(w_.width());
            frontier_.rows.load(i, row_.data());
            expand_one(frontier_.jobs[i]);
        }
        for (std::size_t c = 0; c < found_.size(); ++c) {
            if (c + 8 < found_.size()) seen_.prefetch(found_[c + 8].hash);
            settle(c);
            if (broken_ != none) return;
        }
        const std::size_t rows_now = frontier_.bytes() + next_.bytes() + candidates_.bytes();
        if (rows_now > peak_rows_) peak_rows_ = rows_now;
    }

    void expand_one(const job& j) {
        if (limits_.ample_sets && expand_ample(j)) return;
        std::uint64_t sleep = limits_.sleep_sets ? sleeping_[j.index] : 0;
        std::uint32_t ordinal = 0;
        std::uint64_t current = 0;   // the action whose endings are being listed
        w_.expand(row_.data(), j.hash, true, room_,
                  [&](const action& a, std::size_t, const state& next, std::uint64_t h, std::uint32_t sent) {
                      const std::uint32_t number = ordinal++;
                      std::uint64_t inherited = 0;
                      if (limits_.sleep_sets) {
                          const std::uint64_t bit = bit_of(a);
                          if (current != 0 && current != bit) sleep |= current & j.only;
                          current = bit;
                          if ((j.only & bit) == 0) {
                              reduced = true;
                              return;
                          }
                          inherited = sleep & ~at_node_[a.node];
                      }
                      offer(j.index, number, a, next, h, sent, inherited);
                  });
    }

    /// A node with a single inlet and nothing else to do will take its next message before anything
    /// can come between: if that changes nothing that a property looks at, it may as well be now.
    bool expand_ample(const job& j) {
        const fate& f = w_.fate_of(row_.data());
        std::uint32_t ordinal = 0;
        ample_.clear();
        ample_rows_.clear();
        bool fine = false;
        w_.expand(row_.data(), j.hash, true, room_,
                  [&](const action& a, std::size_t ending, const state& next, std::uint64_t h, std::uint32_t sent) {
                      const std::uint32_t number = ordinal++;
                      if (ending == 0) {
                          if (fine) return;   // the endings of a good one are complete
                          fine = a.what == action::kind::deliver && inlets_[a.node] == 1 &&
                                 (f.pending >> a.node & 1) == 0;
                          ample_.clear();
                          ample_rows_.clear();
                          good_node_ = a.node;
                      } else if (!fine || a.node != good_node_) {
                          return;
                      }
                      fine = fine && invisible(row_[a.node], next[a.node]) && !seen_.contains(h);
                      ample_.push_back({h, 0, j.index, number, static_cast<std::uint16_t>(sent), act_of(a)});
                      ample_rows_.insert(ample_rows_.end(), next.begin(), next.end());
                  });
        if (!fine || ordinal == ample_.size()) return false;
        reduced = true;
        for (std::size_t i = 0; i < ample_.size(); ++i) {
            ++transitions;
            found_.push_back(ample_[i]);
            candidates_.push(ample_rows_.data() + i * w_.width());
        }
        return true;
    }

    bool invisible(std::uint32_t before, std::uint32_t after) const {
        if (before == after) return true;
        for (const property<P>& p : properties_)
            if (p.observed(w_.brain().words.processes[before]) !=
                p.observed(w_.brain().words.processes[after]))
                return false;
        return true;
    }

    void offer(std::uint32_t from, std::uint32_t ordinal, const action& a, const state& next,
               std::uint64_t hash, std::uint32_t sent, std::uint64_t sleep) {
        ++transitions;
        found_.push_back({hash, sleep, from, ordinal, static_cast<std::uint16_t>(sent), act_of(a)});
        candidates_.push(next.data());
    }

    void settle(std::size_t c) {
        const candidate& k = found_[c];
        const auto found = seen_.find_or_add(k.hash);
        if (limits_.edges) {
            if (limits_.sleep_sets) froms_.push_back(k.from);
            else while (offsets.size() <= k.from) offsets.push_back(edges.size());
            edges.push_back({found.index, k.sent, k.act});
        }
        if (found.fresh) {
            parents_.push_back(k.from);
            ordinals_.push_back(k.ordinal);
            candidates_.load(c, row_.data());
            admit(found.index, row_.data(), k.hash, k.sleep, ~k.sleep);
        } else if (limits_.sleep_sets) {
            wake(found.index, c);
        }
    }

    /// Reached again with fewer actions asleep: those are still to be tried here.
    void wake(std::uint32_t index, std::size_t c) {
        const std::uint64_t before = sleeping_[index];
        const std::uint64_t now = before & found_[c].sleep;
        if (now == before) return;
        sleeping_[index] = now;
        if (index >= first_of_next_) {
            next_.jobs[index - first_of_next_].only = ~now;
            return;
        }
        candidates_.load(c, row_.data());
        again_.push(row_.data(), {index, found_[c].hash, before & ~now});
    }

    void admit(std::uint32_t index, const std::uint32_t* row, std::uint64_t hash, std::uint64_t sleep,
               std::uint64_t only) {
        next_.push(row, {index, hash, limits_.sleep_sets ? only : ~std::uint64_t{0}});
        if (limits_.sleep_sets) sleeping_.push_back(sleep);
        judge(index, row);
    }

    void judge(std::uint32_t index, const std::uint32_t* row) {
        std::size_t in_flight = 0;
        for (std::size_t arc = 0; arc < w_.arcs(); ++arc) in_flight += w_.content(row, arc).size();
        const fate& f = w_.fate_of(row);
        const global_state<P> g{w_.brain().words.processes, row, w_.nodes(), f.alive, in_flight};
        std::uint8_t mark = in_flight == 0 && !w_.timers_armed(row) &&
                            ((f.pending & f.alive) == 0 || w_.how().starts_are_free);
        std::size_t finals = 0;
        for (std::size_t i = 0; i < properties_.size(); ++i) {
            if (properties_[i].mode() == mode::always) {
                if (broken_ == none && !properties_[i].holds(g)) {
                    broken_ = index;
                    broken_property_ = i;
                }
            } else if (properties_[i].mode() == mode::finally && finals < 7) {
                if (properties_[i].holds(g)) mark |= static_cast<std::uint8_t>(2u << finals);
                ++finals;
            }
        }
        for (std::size_t i = 0; i < awaited_.size();) {
            if (properties_[awaited_[i]].holds(g)) awaited_.erase(awaited_.begin() + static_cast<std::ptrdiff_t>(i));
            else ++i;
        }
        marks_.push_back(mark);
    }

    std::uint16_t act_of(const action& a) {
        const std::uint64_t who = static_cast<std::uint64_t>(a.what) | std::uint64_t{a.node} << 8 |
                                  std::uint64_t{a.arc} << 32;
        const std::uint64_t what = w_.how().fifo && a.what == action::kind::deliver ? 0 : a.value;
        if (const auto* known = act_numbers_.find(who, what)) return *known;
        acts_.push_back(a);
        return act_numbers_.insert(who, what, static_cast<std::uint16_t>(acts_.size() - 1));
    }

    void close_edges() {
        if (!froms_.empty()) sort_edges();
        while (offsets.size() <= seen_.size()) offsets.push_back(edges.size());
    }

    /// Sleep sets come back to a state: its edges are not side by side.
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

    world_type& w_;
    const std::vector<property<P>>& properties_;
    search_limits limits_;
    visited seen_;
    std::vector<std::uint32_t> parents_;
    std::vector<std::uint32_t> ordinals_;    // among the parent's successors; of a root: its origin
    std::vector<std::uint8_t> marks_;
    std::vector<std::uint64_t> sleeping_;
    std::vector<root> roots_;
    std::vector<std::uint32_t> froms_;
    worklist frontier_;
    worklist next_;
    worklist again_;     // sleep sets: seen before, with something left to try
    rows candidates_;
    std::vector<candidate> found_;
    std::vector<candidate> ample_;
    std::vector<std::uint32_t> ample_rows_;
    std::uint32_t good_node_ = 0;
    state row_;
    typename world_type::scratch room_;
    std::vector<std::uint32_t> inlets_;
    std::vector<std::uint64_t> at_node_;     // the actions of each node, as bits
    std::vector<action> acts_;
    memo<std::uint16_t> act_numbers_;
    std::vector<std::size_t> awaited_;
    std::uint32_t first_of_next_ = 0;
    std::uint32_t broken_ = none;
    std::size_t broken_property_ = 0;
    std::size_t peak_rows_ = 0;
};

}  // namespace caucus::exploration
