// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/exploration/beginnings.hpp>
#include <caucus/run/exploration/reductions.hpp>
#include <caucus/run/exploration/state_graph.hpp>
#include <caucus/run/exploration/thread_pool.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
    reduction reduce = reduction::none;   // those that may be applied, if they fit
    bool edges = true;                    // keep them, see state_graph
    std::size_t threads = 1;
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

    search(world& w, const property_set& properties, search_plan plan)
        : w_(w), properties_(properties), plan_(plan), bounded_(properties.is_bounded()),
          seen_(plan.recognise, w.width()),
          reductions_(w, properties, seen_, plan.reduce),
          graph_(w.how().fifo, !reductions_.sleep()), frontier_(w.width()), next_(w.width()),
          again_(w.width()), findings_(plan.threads), threads_(plan.threads) {
        for (std::size_t i = 0; i < properties_.size(); ++i)
            if (properties_.mode(i) == mode::sometimes) awaited_.push_back(i);
        for (findings& each : findings_) each.of_width(w.width());
        row_.resize(w.width());
        plan_.max_states = std::min(plan_.max_states, numbers_most);
    }

    /// A state to begin with. False: no more of them, because a property is broken or a limit is
    /// hit. Equal roots count each time, or 2^40 of them would be made before any limit is hit.
    bool add_root(const state& s, std::uint64_t hash, std::uint64_t messages, const origin& from) {
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

    void run(callback<void(const search&)> progress) {
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
        graph_.close(seen_.size());
    }

    std::size_t states() const { return seen_.size(); }
    std::size_t bytes() const {
        return seen_.bytes() + 4 * parents_.capacity() + 4 * ordinals_.capacity() +
               marks_.capacity() + 8 * sleeping_.capacity() + sizeof(root) * roots_.capacity() +
               sizeof(origin) * origins_.capacity() + peak_ + w_.bytes();
    }
    std::size_t edge_bytes() const { return graph_.bytes(); }

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
    const state_graph& graph() const { return graph_; }

    /// The names of the reductions, if they left anything out.
    std::string in_force() const {
        return reduced ? reductions_.names() : name_of(reduction::none);
    }

    std::uint64_t transitions = 0;
    std::uint64_t depth = 0;
    const char* stopped_by = nullptr;
    bool reduced = false;                 // a reduction left something out
    bool reached_beyond = false;          // a state was not expanded: it is not within the region

private:
    static constexpr std::size_t block = 4096;
    static constexpr std::uint64_t numbers_most = 0xf0000000;   // 32 bits, and room for a block

    bool going_on() const { return broken_ == none && stopped_by == nullptr; }

    void begin_level() {
        frontier_.swap(next_);
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
            findings& mine = findings_[who];
            mine.clear();
            const std::size_t from = std::min(first + who * share, last);
            const std::size_t to = std::min(from + share, last);
            for (std::size_t i = from; i < to; ++i) {
                const std::size_t before = mine.found.size();
                const bool known = expand(mine, i, false);
                if (!known) mine.forget_from(before);
                mine.ends.push_back(known ? static_cast<std::uint32_t>(mine.found.size())
                                          : findings::unknown);
            }
        });
        std::size_t now = frontier_.bytes() + next_.bytes() + again_.bytes();
        for (const findings& each : findings_) {
            reduced = reduced || each.reduced;
            now += each.bytes();
        }
        peak_ = std::max(peak_, now);
        for (std::size_t who = 0; who < findings_.size(); ++who)
            if (!settle_findings(findings_[who], std::min(first + who * share, last))) return;
        if (seen_.size() > plan_.max_states) stopped_by = "max_states";
        if (bytes() + edge_bytes() >= plan_.max_bytes) stopped_by = "max_memory";
    }

    bool settle_findings(const findings& part, std::size_t first) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < part.ends.size(); ++i) {
            if (part.ends[i] == findings::unknown) {
                if (!learn_and_settle(first + i)) return false;
                continue;
            }
            if (!settle_range(part, at, part.ends[i])) return false;
            at = part.ends[i];
        }
        return true;
    }
    bool learn_and_settle(std::size_t i) {
        learner_.clear();
        expand(learner_, i, true);
        reduced = reduced || learner_.reduced;
        return settle_range(learner_, 0, learner_.found.size());
    }
    bool settle_range(const findings& part, std::size_t at, std::size_t end) {
        for (; at < end; ++at) {
            if (at + 8 < part.found.size()) seen_.prefetch(part.found[at + 8].hash);
            part.rows.load(at, row_.data());
            settle(part.found[at]);
            if (broken_ != none) return false;
        }
        return true;
    }

    bool expand(findings& to, std::size_t i, bool learn) {
        const job& j = frontier_.jobs[i];
        const std::uint64_t asleep = reductions_.sleep() ? sleeping_[j.index] : 0;
        frontier_.rows.load(i, to.row.data());
        return reductions_.expand(to, j, frontier_.only_of(i), asleep, learn);
    }

    /// Takes in one transition, whose end is in row_.
    void settle(const successor& k) {
        ++transitions;
        const auto found = seen_.find_or_add(k.hash, row_.data());
        if (plan_.edges) graph_.add(k.from, found.index, k.sent, k.what);
        if (found.fresh) admit(found.index, row_.data(), k);
        else if (reductions_.sleep()) wake(found.index, k);
    }

    void admit(std::uint32_t index, const std::uint32_t* row, const successor& k) {
        parents_.push_back(k.from);
        ordinals_.push_back(k.ordinal);
        if (bounded_ && !is_within(row)) {   // then there are no sleep sets
            reached_beyond = true;
            return check_properties(index, row);
        }
        next_.push(row, {k.hash, index});
        if (reductions_.sleep()) {
            next_.only.push_back(~k.sleep);
            sleeping_.push_back(k.sleep);
        }
        check_properties(index, row);
    }

    /// A known state is reached again with fewer actions asleep: those that are awake now have not
    /// been tried there yet.
    void wake(std::uint32_t index, const successor& k) {
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

    moment moment_of(const std::uint32_t* row) const {
        return {w_, row, w_.nodes(), w_.arcs(), w_.fate_of(row).alive};
    }
    bool is_within(const std::uint32_t* row) const { return properties_.is_within(moment_of(row)); }

    void check_properties(std::uint32_t index, const std::uint32_t* row) {
        const fate& f = w_.fate_of(row);
        const moment now = moment_of(row);
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

    world& w_;
    const property_set& properties_;
    search_plan plan_;
    bool bounded_;
    visited seen_;
    reductions reductions_;
    state_graph graph_;   // with sleep sets a state may be expanded several times: not in order
    std::vector<std::uint32_t> parents_;
    std::vector<std::uint32_t> ordinals_;    // among the parent's successors
    std::vector<origin> origins_;            // of the roots, which are the first states
    std::vector<std::uint8_t> marks_;        // bit 0: ended; then one bit a `finally`
    std::vector<std::uint64_t> sleeping_;    // sleep sets: what was asleep on every way there
    std::vector<root> roots_;
    worklist frontier_;
    worklist next_;
    worklist again_;     // sleep sets: states seen before that have actions left to try
    std::vector<findings> findings_;
    findings learner_{w_.width()};
    thread_pool threads_;
    state row_;
    std::vector<std::size_t> awaited_;
    std::uint32_t first_of_next_ = 0;
    std::uint32_t broken_ = none;
    std::size_t broken_property_ = 0;
    std::size_t peak_ = 0;
};

}  // namespace caucus::exploration
