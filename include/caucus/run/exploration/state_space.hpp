// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/run/exploration/alarms.hpp>
#include <caucus/run/exploration/channels.hpp>
#include <caucus/run/exploration/fate.hpp>
#include <caucus/run/exploration/handler_memo.hpp>
#include <caucus/run/exploration/wiring.hpp>
#include <caucus/run/properties.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace caucus::exploration {

/// A state is a row of indices into tables: for each node its process, for each arc its content,
/// for each node its alarms (if there are timers), and one fate. Equal values have equal indices,
/// so equal states are equal rows.
class state_space : public surroundings {
public:
    using state = std::vector<std::uint32_t>;

    state_space(wiring topology, rules r, handler_memo& known)
        : topology_(std::move(topology)), rules_(r), handlers_(known), channels_(r.fifo),
          alarms_(r.when == timers::after_messages), has_timers_(known.is().has_timers) {
        const std::size_t n = topology_.nodes();
        if (n == 0) refuse("explore: there are no nodes");
        if (n > 64) refuse("explore: ", n, " nodes, and 64 at most");
        if (r.faults.wrong_suspicions != 0 && topology_.arcs() > 64)
            refuse("explore: wrong suspicions on ", topology_.arcs(), " arcs, and 64 at most");
        if (tells_of_returns() && topology_.arcs() > 64)
            refuse("explore: returns on ", topology_.arcs(), " arcs, and 64 at most");
        if (r.faults.cuts != 0 && topology_.arcs() > 64)
            refuse("explore: cuts of ", topology_.arcs(), " arcs, and 64 at most");
        ends_.resize(topology_.arcs());
        origins_.resize(topology_.arcs());
        for (std::size_t v = 0; v < n; ++v) {
            for (const port p : ports(topology_.degree(node{v}))) {
                const std::size_t arc = topology_.arc(node{v}, p);
                ends_[arc] = topology_.across(node{v}, p);
                origins_[arc] = {node{v}, p};
            }
        }
    }

    std::size_t nodes() const { return topology_.nodes(); }
    std::size_t arcs() const { return ends_.size(); }
    std::size_t width() const { return nodes() + arcs() + (has_timers_ ? nodes() : 0) + 1; }
    const wiring& topology() const { return topology_; }
    const rules& how() const { return rules_; }
    bool has_timers() const { return has_timers_; }

    const handler_memo& handlers() const { return handlers_; }
    handler_memo& handlers() { return handlers_; }
    const channels& contents() const { return channels_; }
    channels& contents() { return channels_; }
    const table<fate>& fates() const { return fates_; }
    table<fate>& fates() { return fates_; }

    /// Bytes of all these tables; not what processes allocate.
    std::size_t bytes() const {
        return handlers_.bytes() + channels_.bytes() + alarms_.bytes() + fates_.bytes();
    }

    /// Do arcs and ports look the same from every node, so that a rotation maps the ring to itself?
    bool is_a_ring() const {
        const bool says_so = topology_.kind == shape::one_way_ring ||
                             topology_.kind == shape::two_way_ring;
        if (!says_so || arcs() % nodes() != 0) return false;
        const std::size_t each = arcs() / nodes();
        for (std::size_t arc = 0; arc < arcs(); ++arc) {
            const std::size_t shift = arc / each;
            const far_end first = ends_[arc % each];
            if (origins_[arc] != far_end{node{shift}, origins_[arc % each].port}) return false;
            if (ends_[arc] != far_end{node{(first.node + shift) % nodes()}, first.port})
                return false;
        }
        return true;
    }

    bool all_made_equal() {
        for (std::size_t v = 1; v < nodes(); ++v)
            if (handlers_.made(node{v}) != handlers_.made(node{0})) return false;
        return true;
    }

    std::uint64_t hash_of(const std::uint32_t* s) const {
        std::uint64_t h = 0;
        for (std::size_t at = 0; at < width(); ++at) h += slot(at, s[at]);
        return h;
    }

    /// No message is under way to a live node.
    bool quiet(const std::uint32_t* s) const {
        for (std::size_t arc = 0; arc < arcs(); ++arc)
            if (s[nodes() + arc] != 0 && alive(s, ends_[arc].node)) return false;
        return true;
    }
    bool timers_armed(const std::uint32_t* s) const {
        for (std::size_t v = 0; has_timers_ && v < nodes(); ++v)
            if (alarm_set(s, v) != 0) return true;
        return false;
    }
    const fate& fate_of(const std::uint32_t* s) const { return fates_[s[width() - 1]]; }
    bool alive(const std::uint32_t* s, std::size_t v) const { return fate_of(s).alive >> v & 1; }
    const std::vector<std::uint32_t>& content(const std::uint32_t* s, std::size_t arc) const {
        return channels_[s[nodes() + arc]];
    }
    far_end end_of(std::size_t arc) const { return ends_[arc]; }
    far_end origin_of(std::size_t arc) const { return origins_[arc]; }

    // What properties may look at, by number.
    const std::vector<std::uint32_t>& messages_in(std::uint32_t content) const override {
        return channels_[content];
    }
    std::size_t timers_in(std::uint32_t set) const override { return alarms_[set].size(); }
    std::uint32_t timer_in(std::uint32_t set, std::size_t i) const override {
        return alarms_[set][i].timer;
    }
    far_end sender(std::size_t arc) const override { return origins_[arc]; }
    far_end addressee(std::size_t arc) const override { return ends_[arc]; }

    /// Replaces the row by the least of all its rotations, so that rotated states become equal, and
    /// returns by how many nodes it was rotated: what is now at node v was at v + that many.
    std::size_t rotate_to_least(state& s) const {
        const std::size_t n = nodes();
        const std::size_t each = arcs() / n;
        const auto at = [&](std::size_t shift, std::size_t i) {
            if (i < n) return s[(i + shift) % n];
            if (i < n + arcs()) return s[n + ((i - n) / each + shift) % n * each + (i - n) % each];
            return s[n + arcs() + (i - n - arcs() + shift) % n];
        };
        std::size_t best = 0;
        for (std::size_t shift = 1; shift < n; ++shift) {
            for (std::size_t i = 0; i + 1 < width(); ++i) {
                if (at(shift, i) == at(best, i)) continue;
                if (at(shift, i) < at(best, i)) best = shift;
                break;
            }
        }
        state rotated(s);
        for (std::size_t i = 0; i + 1 < width(); ++i) rotated[i] = at(best, i);
        s = rotated;
        return best;
    }

    /// Nodes that can recover do, and the others on request.
    bool crashes_midway() const { return handlers_.is().keeps || rules_.faults.midway; }
    bool can_return() const { return rules_.faults.restarts + rules_.faults.amnesias != 0; }
    /// Can it be told that a life is over when the next has begun?
    bool tells_late() const { return rules_.faults.late_suspicions && can_return(); }
    /// Does a perfect detector tell anybody that the dead are back?
    bool tells_of_returns() const {
        return rules_.perfect_detector && can_return() && handlers_.is().hears_trust;
    }

    const std::vector<alarm>& alarms_at(const std::uint32_t* s, std::size_t v) const {
        return alarms_[alarm_set(s, v)];
    }

    /// What the index at that place of a row adds to the hash of the row, which is a sum, so that
    /// that of a successor follows from the few places that changed.
    std::uint64_t slot(std::size_t at, std::uint32_t index) const {
        std::uint64_t content = 0;
        if (at < nodes()) content = handlers_.processes().hash_of(index);
        else if (at < nodes() + arcs()) content = channels_.hash_of(index);
        else if (at + 1 < width()) content = alarms_.hash_of(index);
        else content = fates_.hash_of(index);
        return mix(content + at * 0x9e3779b97f4a7c15u);
    }

    /// Changes the state as the ending of node v says, with the first `count` of its effects.
    /// False, here and below: a result is not known yet and `learn` is not allowed.
    bool apply(const ending& e, std::size_t count, std::uint32_t v, state& s, bool learn) {
        s[v] = e.process;
        for (std::size_t i = 0; i < count; ++i) {
            const effect& f = e.effects[i];
            switch (f.what) {
                case effect::kind::send: {
                    const std::size_t arc = topology_.arc(node{v}, port{f.port});
                    const bool heard = fates_[s.back()].alive >> ends_[arc].node.index & 1;
                    if (!heard && !can_return()) break;
                    if (const std::uint64_t cut = fates_[s.back()].cut; cut != 0 && cut >> arc & 1)
                        break;
                    const auto longer = channels_.push(s[nodes() + arc], f.value, learn);
                    if (!longer) return false;
                    s[nodes() + arc] = *longer;
                    break;
                }
                case effect::kind::arm:
                    if (!change_timers(s, v, f.value, f.delay, learn)) return false;
                    break;
                case effect::kind::disarm:
                    if (!change_timers(s, v, f.value, 0, learn)) return false;
                    break;
                case effect::kind::keep: {
                    if (!learn) return false;
                    fate g = fates_[s.back()];
                    g.kept[v] = f.value + 1;
                    s.back() = fates_.index_of(g);
                    break;
                }
                case effect::kind::report: break;
            }
        }
        return true;
    }

    /// Arms the timer of node v anew; a delay of 0 disarms it.
    bool change_timers(state& s, std::size_t v, std::uint32_t timer, ticks delay, bool learn) {
        const auto set = alarms_.changed(alarm_set(s.data(), v), timer, delay, learn);
        if (set) s[nodes() + arcs() + v] = *set;
        return set.has_value();
    }
    /// Every armed timer has so many ticks less to run.
    bool pass_time(state& s, ticks duration, bool learn) {
        for (std::size_t v = 0; v < nodes(); ++v) {
            const auto set = alarms_.aged(alarm_set(s.data(), v), duration, learn);
            if (!set) return false;
            s[nodes() + arcs() + v] = *set;
        }
        return true;
    }

private:
    std::uint32_t alarm_set(const std::uint32_t* s, std::size_t v) const {
        return s[nodes() + arcs() + v];
    }

    wiring topology_;
    rules rules_;
    handler_memo& handlers_;
    channels channels_;
    alarms alarms_;
    table<fate> fates_;
    std::vector<far_end> ends_;      // of each arc
    std::vector<far_end> origins_;   // of each arc: who sends, and by which port
    bool has_timers_;
};

}  // namespace caucus::exploration
