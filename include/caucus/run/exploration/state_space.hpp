// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/run/exploration/alarms.hpp>
#include <caucus/run/exploration/handler_memo.hpp>
#include <caucus/run/exploration/channels.hpp>
#include <caucus/run/exploration/moves.hpp>
#include <caucus/run/exploration/wiring.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace caucus::exploration {

/// A state is a row of indices into tables: for each node its process, for each arc its content,
/// for each node its alarms (if there are timers), and one fate. Equal values have equal indices,
/// so equal states are equal rows.
class state_space {
public:
    using state = std::vector<std::uint32_t>;

    state_space(wiring topology, rules r, handler_memo& b)
        : topology_(std::move(topology)), rules_(r), handlers_(b), channels_(r.fifo),
          alarms_(r.when == timers::after_messages), has_timers_(b.is().has_timers) {
        const std::size_t n = topology_.nodes();
        if (n == 0) refuse("explore: there are no nodes");
        if (n > 64) refuse("explore: ", n, " nodes, and 64 at most");
        if (r.faults.wrong_suspicions != 0 && topology_.arcs() > 64)
            refuse("explore: wrong suspicions on ", topology_.arcs(), " arcs, and 64 at most");
        if (welcomes() && topology_.arcs() > 64)
            refuse("explore: returns on ", topology_.arcs(), " arcs, and 64 at most");
        if (r.faults.cuts != 0 && topology_.arcs() > 64)
            refuse("explore: cuts of ", topology_.arcs(), " arcs, and 64 at most");
        ends_.resize(topology_.arcs(), far_end{});
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
    const handler_memo& handlers() const { return handlers_; }

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
            const std::size_t turn = arc / each;
            const far_end first = ends_[arc % each];
            if (origins_[arc] != far_end{node{turn}, origins_[arc % each].port}) return false;
            if (ends_[arc] != far_end{node{(first.node + turn) % nodes()}, first.port})
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
            if (alarms_of(s, v) != 0) return true;
        return false;
    }
    const fate& fate_of(const std::uint32_t* s) const { return fates_[s[width() - 1]]; }
    bool alive(const std::uint32_t* s, std::size_t v) const { return fate_of(s).alive >> v & 1; }
    const std::vector<std::uint32_t>& content(const std::uint32_t* s, std::size_t arc) const {
        return channels_[s[nodes() + arc]];
    }
    const channels& links() const { return channels_; }
    far_end end_of(std::size_t arc) const { return ends_[arc]; }
    far_end origin_of(std::size_t arc) const { return origins_[arc]; }

    /// Replaces the row by the least of all its rotations, so that rotated states become equal, and
    /// returns by how many nodes it was rotated: what is now at node v was at v + that many.
    std::size_t rotate_to_least(state& s) const {
        const std::size_t n = nodes();
        const std::size_t each = arcs() / n;
        const auto at = [&](std::size_t turn, std::size_t i) {
            if (i < n) return s[(i + turn) % n];
            if (i < n + arcs()) return s[n + ((i - n) / each + turn) % n * each + (i - n) % each];
            return s[n + arcs() + (i - n - arcs() + turn) % n];
        };
        std::size_t best = 0;
        for (std::size_t turn = 1; turn < n; ++turn) {
            for (std::size_t i = 0; i + 1 < width(); ++i) {
                if (at(turn, i) == at(best, i)) continue;
                if (at(turn, i) < at(best, i)) best = turn;
                break;
            }
        }
        state rotated(s);
        for (std::size_t i = 0; i + 1 < width(); ++i) rotated[i] = at(best, i);
        s = rotated;
        return best;
    }

    /// The largest index in use: says how wide a packed state must be.
    std::size_t largest_index() const {
        std::size_t most = handlers_.processes().size();
        most = most < channels_.size() ? channels_.size() : most;
        most = most < alarms_.size() ? alarms_.size() : most;
        return most < fates_.size() ? fates_.size() : most;
    }

    bool can_return() const { return rules_.faults.restarts + rules_.faults.amnesias != 0; }
    /// Does a perfect detector tell anybody that the dead are back?
    bool welcomes() const {
        return rules_.perfect_detector && can_return() && handlers_.is().hears_trust;
    }

protected:
    std::uint32_t alarms_of(const std::uint32_t* s, std::size_t v) const {
        return s[nodes() + arcs() + v];
    }

    std::uint64_t slot(std::size_t at, std::uint32_t index) const {
        std::uint64_t content = 0;
        if (at < nodes()) content = handlers_.processes().hash_of(index);
        else if (at < nodes() + arcs()) content = channels_.hash_of(index);
        else if (at + 1 < width()) content = alarms_.hash_of(index);
        else content = fates_.hash_of(index);
        return mix(content + at * 0x9e3779b97f4a7c15u);
    }

    /// Changes the state as the ending of node v says, with the first `count` of its effects.
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
        const auto set = alarms_.changed(alarms_of(s.data(), v), timer, delay, learn);
        if (set) s[nodes() + arcs() + v] = *set;
        return set.has_value();
    }
    bool pass_time(state& s, ticks duration, bool learn) {
        for (std::size_t v = 0; v < nodes(); ++v) {
            const auto set = alarms_.aged(alarms_of(s.data(), v), duration, learn);
            if (!set) return false;
            s[nodes() + arcs() + v] = *set;
        }
        return true;
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
