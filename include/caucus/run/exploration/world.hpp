// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/exploration/misfortunes.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace caucus::exploration {

/// The transition system: the states to begin with, all that can happen in a state, and what
/// becomes of it.
class world : public state_space {
public:
    using scratch = expansion::scratch;
    using sink = expansion::sink;

    /// A start that came before everything else.
    struct opened {
        action what;
        ending how;
        state before;
        state after;
    };

    /// Gets each root: the state, its hash, the messages sent, the starts that led there. False: no
    /// more of them, for coins tossed at the starts can make more roots than anybody waits for.
    using root_sink = callback<bool(const state&, std::uint64_t, std::uint64_t,
                                    const std::vector<opened>&)>;

    using state_space::state_space;

    /// Nothing has happened yet but the starts of those in `now`; those in `later` are pending.
    /// The process of node v is the one that was made for order[v]. Several roots if coins are
    /// tossed.
    void roots(const std::vector<std::size_t>& order, std::uint64_t now, std::uint64_t later,
               root_sink out) {
        state s(width(), 0);
        for (std::size_t v = 0; v < nodes(); ++v) s[v] = handlers().made(node{order[v]});
        fate f;
        f.alive = nodes() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << nodes()) - 1;
        f.pending = later;
        f.budget = budget{how().faults};
        if (can_return()) f.lives.assign(nodes() + (tells_late() ? arcs() : 0), 0);
        if (handlers().is().keeps) f.kept.assign(nodes(), 0);
        if (how().faults.crashes != 0)
            f.made.assign(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(nodes()));
        s.back() = fates().index_of(f);
        std::vector<opened> starts;
        start_all(s, now, 0, 0, starts, out);
    }

    /// Calls out(action, ending, next, hash) for all that can happen in s, always in the same
    /// order. The ending is that of the node's handler, or one in which nothing was asked for.
    /// False if something is not known yet and `learn` is not allowed.
    bool expand(const std::uint32_t* s, std::uint64_t hash, bool learn, scratch& room, sink out) {
        expansion x{*this, s, hash, learn, out, room};
        const std::uint64_t alive = fate_of(s).alive;
        const std::uint64_t pending = fate_of(s).pending;
        if ((pending & alive) != 0 && !list_starts(x, pending & alive)) return false;
        for (std::uint32_t arc = 0; arc < arcs(); ++arc)
            if (s[nodes() + arc] != 0 && !list_deliveries(x, arc, alive, pending)) return false;
        if (has_timers() && !list_expiries(x)) return false;
        if (how().undisturbed()) return true;
        if (!learn) return false;
        misfortunes{x}.all();
        return true;
    }

    /// Is somebody dead, or back, whose neighbours a perfect detector has yet to tell?
    bool detector_has_news(const std::uint32_t* s) {
        if (!how().perfect_detector) return false;
        bool news = false;
        scratch room;
        expand(s, 0, true, room, [&](const action& a, const ending&, const state&, std::uint64_t) {
            // Only if it is said to the end: whoever crashes meanwhile may do so or not.
            if (a.cut_short) return;
            news = news || a.what == action::kind::suspect || a.what == action::kind::welcome;
        });
        return news;
    }

private:
    bool start_all(state s, std::uint64_t now, std::size_t v, std::uint64_t messages,
                   std::vector<opened>& starts, root_sink out) {
        while (v < nodes() && (now >> v & 1) == 0) ++v;
        if (v == nodes()) return out(s, hash_of(s.data()), messages, starts);
        bool more = true;
        auto each = [&](const action& a, const ending& e, const state& next, std::uint64_t) {
            if (!more) return;
            starts.push_back({a, e, s, next});
            more = start_all(next, now, v + 1, messages + e.sends, starts, out);
            starts.pop_back();
        };
        scratch room;
        expansion x{*this, s.data(), 0, true, each, room};
        x.copy();
        x.react({action::kind::start, static_cast<std::uint32_t>(v)}, {stimulus::kind::start});
        return more;
    }

    bool list_starts(expansion& x, std::uint64_t who) {
        if (!x.learn) return false;
        const fate now = fate_of(x.s);
        for (std::uint32_t v = 0; v < nodes(); ++v) {
            if ((who >> v & 1) == 0) continue;
            fate begun = now;
            begun.pending &= ~(std::uint64_t{1} << v);
            x.with(begun);
            if (!x.react({action::kind::start, v}, {stimulus::kind::start})) return false;
        }
        return true;
    }

    /// The first message of the arc on fifo links, else any. One that arrives while its addressee
    /// is dead is lost; one that is still under way when the addressee is back is not.
    bool list_deliveries(expansion& x, std::uint32_t arc, std::uint64_t alive,
                         std::uint64_t pending) {
        const far_end to = end_of(arc);
        const auto v = static_cast<std::uint32_t>(to.node.index);
        const bool heard = alive >> v & 1;
        if (!heard && !can_return()) return true;
        if (!heard && !x.learn) return false;
        if (heard && how().starts == starting::before_receiving && (pending >> v & 1)) return true;
        const std::uint32_t content = x.s[nodes() + arc];
        const std::size_t places = how().fifo ? 1 : contents()[content].size();
        for (std::uint32_t place = 0; place < places; ++place) {
            const std::uint32_t message = contents()[content][place];
            if (place > 0 && message == contents()[content][place - 1]) continue;
            const auto rest = contents().pop(content, place, x.learn);
            if (!rest) return false;
            x.copy()[nodes() + arc] = *rest;
            if (!heard) {
                x.emit({action::kind::lose, v, arc, place, message});
                continue;
            }
            const stimulus in{stimulus::kind::arrival, static_cast<std::uint16_t>(to.port.index()),
                              message};
            if (!x.react({action::kind::deliver, v, arc, place, message}, in)) return false;
        }
        return true;
    }

    bool list_expiries(expansion& x) {
        const bool timed = how().when == timers::after_messages;
        const bool resting = !timed || quiet(x.s);
        if (!resting && !handlers().is().decides) return true;
        ticks soonest = whenever;
        for (std::size_t v = 0; timed && resting && v < nodes(); ++v)
            for (const alarm& a : alarms_at(x.s, v))
                if (a.left < soonest) soonest = a.left;
        for (std::uint32_t v = 0; v < nodes(); ++v) {
            for (std::size_t i = 0; i < alarms_at(x.s, v).size(); ++i) {
                const alarm a = alarms_at(x.s, v)[i];   // a copy: the table grows meanwhile
                const bool waits = timed && a.left != whenever;
                if (waits && (!resting || a.left != soonest)) continue;
                state& later = x.copy();
                if (waits && !pass_time(later, soonest, x.learn)) return false;
                if (!change_timers(later, v, a.timer, 0, x.learn)) return false;
                if (!x.react({action::kind::expire, v, 0, 0, a.timer},
                             {stimulus::kind::expiry, 0, a.timer}))
                    return false;
            }
        }
        return true;
    }
};

}  // namespace caucus::exploration
