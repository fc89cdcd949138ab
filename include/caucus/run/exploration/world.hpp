// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/exploration/state_space.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

namespace caucus::exploration {

/// The transition system: all that can happen in a state, and what becomes of it.
class world : public state_space {
public:
    /// A start that came before everything else.
    struct opened {
        action what;
        ending how;
        state before;
        state after;
    };

    /// Memory of one expansion, kept to be used by the next.
    struct scratch {
        state before;
        state after;
    };

    /// A reference to a function that gets each successor; not a template parameter, so that
    /// expanding is compiled once.
    class sink {
    public:
        template <class F>
            requires(!std::is_same_v<std::remove_cvref_t<F>, sink>)
        sink(F&& f)
            : who_(&f), call_([](void* who, const action& a, const ending& e, const state& next,
                                 std::uint64_t hash) {
                  (*static_cast<std::remove_reference_t<F>*>(who))(a, e, next, hash);
              }) {}
        void operator()(const action& a, const ending& e, const state& next,
                        std::uint64_t hash) const {
            call_(who_, a, e, next, hash);
        }

    private:
        void* who_;
        void (*call_)(void*, const action&, const ending&, const state&, std::uint64_t);
    };

    /// Gets each root: the state, its hash, the messages sent, the starts that led there. False: no
    /// more of them, for coins tossed at the starts can make more roots than anybody waits for.
    using root_sink = std::function<bool(const state&, std::uint64_t, std::uint64_t,
                                         const std::vector<opened>&)>;

    using state_space::state_space;

    /// Nothing has happened yet but the starts of those in `now`; those in `later` are pending.
    /// The process of node v is the one that was made for order[v]. Several roots if coins are
    /// tossed.
    void roots(const std::vector<std::size_t>& order, std::uint64_t now, std::uint64_t later,
               const root_sink& out) {
        state s(width(), 0);
        for (std::size_t v = 0; v < nodes(); ++v) s[v] = handlers_.made(node{order[v]});
        fate f;
        f.alive = nodes() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << nodes()) - 1;
        f.pending = later;
        const std::uint8_t budget[] = {rules_.faults.crashes, rules_.faults.restarts,
                                       rules_.faults.amnesias, rules_.faults.losses,
                                       rules_.faults.duplicates, rules_.faults.wrong_suspicions,
                                       rules_.faults.cuts};
        for (std::size_t i = 0; i < 7; ++i) f.budgets |= std::uint64_t{budget[i]} << 8 * i;
        if (rules_.faults.restarts + rules_.faults.amnesias != 0) f.lives.assign(nodes(), 0);
        if (handlers_.is().keeps) f.kept.assign(nodes(), 0);
        if (rules_.faults.crashes != 0)
            f.made.assign(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(nodes()));
        s.back() = fates_.index_of(f);
        std::vector<opened> starts;
        start_all(s, now, 0, 0, starts, out);
    }

    /// Calls out(action, ending, next, hash) for all that can happen in s, always in the same
    /// order. The ending is that of the node's handler, or one in which nothing was asked for.
    /// False if something is not known yet and `learn` is not allowed.
    bool expand(const std::uint32_t* s, std::uint64_t hash, bool learn, scratch& room, sink out) {
        stage st{*this, s, hash, learn, out, room};
        return st.all();
    }

    /// Is somebody dead, or back, whose neighbours a perfect detector has yet to tell?
    bool detector_has_news(const std::uint32_t* s) {
        bool news = false;
        if (!rules_.perfect_detector) return news;
        scratch room;
        expand(s, 0, true, room, [&](const action& a, const ending&, const state&, std::uint64_t) {
            news = news || a.what == action::kind::suspect || a.what == action::kind::welcome;
        });
        return news;
    }
private:
    bool start_all(state s, std::uint64_t now, std::size_t v, std::uint64_t messages,
                   std::vector<opened>& starts, const root_sink& out) {
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
        stage st{*this, s.data(), 0, true, each, room};
        st.copy();
        st.react({action::kind::start, static_cast<std::uint32_t>(v)}, {stimulus::kind::start});
        return more;
    }

    /// One expansion under way.
    struct stage {
        world& w;
        const std::uint32_t* s;
        std::uint64_t hash;
        bool learn;
        sink out;
        scratch& room;

        bool all() {
            const fate f = w.fate_of(s);
            const std::size_t n = w.nodes();
            for (std::uint32_t v = 0; v < n; ++v) {
                if ((f.pending & f.alive) >> v & 1) {
                    if (!learn) return false;
                    fate begun = f;
                    begun.pending &= ~(std::uint64_t{1} << v);
                    with(begun);
                    if (!react({action::kind::start, v}, {stimulus::kind::start})) return false;
                }
            }
            for (std::uint32_t arc = 0; arc < w.arcs(); ++arc)
                if (s[n + arc] != 0 && !deliveries(arc, f)) return false;
            if (w.has_timers_ && !expiries()) return false;
            if (w.rules_.perfect_detector || w.rules_.faults.any()) return faults(f);
            return true;
        }

        bool deliveries(std::uint32_t arc, const fate& f) {
            const far_end to = w.ends_[arc];
            const auto v = static_cast<std::uint32_t>(to.node.index);
            if ((f.alive >> v & 1) == 0) return misses(arc);
            if (w.rules_.starts == starting::before_receiving && (f.pending >> v & 1)) return true;
            const std::uint32_t content = s[w.nodes() + arc];
            const std::size_t places = w.rules_.fifo ? 1 : w.channels_[content].size();
            for (std::uint32_t place = 0; place < places; ++place) {
                const std::uint32_t message = w.channels_[content][place];
                if (place > 0 && message == w.channels_[content][place - 1]) continue;
                const auto rest = w.channels_.pop(content, place, learn);
                if (!rest) return false;
                copy()[w.nodes() + arc] = *rest;
                const stimulus in{stimulus::kind::arrival,
                                  static_cast<std::uint16_t>(to.port.index()), message};
                if (!react({action::kind::deliver, v, arc, place, message}, in)) return false;
            }
            return true;
        }

        /// A message that arrives while its addressee is dead is lost; one that is still under way
        /// when the addressee is back is not.
        bool misses(std::uint32_t arc) {
            if (!w.can_return()) return true;
            if (!learn) return false;
            const std::uint32_t content = s[w.nodes() + arc];
            const std::size_t places = w.rules_.fifo ? 1 : w.channels_[content].size();
            for (std::uint32_t place = 0; place < places; ++place) {
                const std::uint32_t m = w.channels_[content][place];
                if (place > 0 && m == w.channels_[content][place - 1]) continue;
                copy()[w.nodes() + arc] = *w.channels_.pop(content, place, true);
                emit({action::kind::lose, node_at(arc), arc, place, m}, w.nothing_asked_,
                     room.before);
            }
            return true;
        }

        bool expiries() {
            ticks soonest = never;
            if (w.rules_.when == timers::after_messages) {
                if (!w.quiet(s)) return true;
                for (std::size_t v = 0; v < w.nodes(); ++v)
                    for (const alarm& a : w.alarms_[w.alarms_of(s, v)])
                        if (a.left < soonest) soonest = a.left;
            }
            for (std::uint32_t v = 0; v < w.nodes(); ++v) {
                for (const alarm a : std::vector<alarm>(w.alarms_[w.alarms_of(s, v)])) {
                    const bool timed = w.rules_.when == timers::after_messages;
                    if (timed && a.left != soonest) continue;
                    state& later = copy();
                    if (timed && !w.pass_time(later, soonest, learn)) return false;
                    if (!w.change_timers(later, v, a.timer, 0, learn)) return false;
                    if (!react({action::kind::expire, v, 0, 0, a.timer},
                               {stimulus::kind::expiry, 0, a.timer}))
                        return false;
                }
            }
            return true;
        }

        /// Only with `learn`, that is, in one thread: most faults make a fate that is new.
        bool faults(const fate& now) {
            if (!learn) return false;
            const fate f = now;
            const std::size_t n = w.nodes();
            const auto left = [&](std::size_t kind) { return f.budgets >> 8 * kind & 0xff; };
            const auto spend = [&](std::size_t kind) {
                fate g = f;
                g.budgets -= std::uint64_t{1} << 8 * kind;
                return g;
            };
            for (std::uint32_t v = 0; v < n; ++v) {
                const std::uint64_t bit = std::uint64_t{1} << v;
                if (left(0) != 0 && (f.alive & bit)) crash(v, spend(0));
                for (const std::size_t kind : {1u, 2u})
                    if (left(kind) != 0 && !(f.alive & bit)) restart(v, kind, spend(kind));
            }
            for (std::uint32_t arc = 0; arc < w.arcs(); ++arc) {
                const std::uint32_t content = s[n + arc];
                const std::size_t size = w.channels_[content].size();
                for (std::uint32_t place = 0; place < size; ++place) {
                    const std::uint32_t m = w.channels_[content][place];
                    if (place > 0 && m == w.channels_[content][place - 1]) continue;
                    if (left(3) != 0) {
                        state& lost = with(spend(3));
                        lost[n + arc] = *w.channels_.pop(content, place, true);
                        emit({action::kind::lose, node_at(arc), arc, place, m}, w.nothing_asked_,
                             lost);
                    }
                    if (left(4) != 0) double_up(arc, place, spend(4));
                }
            }
            if (w.handlers_.is().hears_suspicions) suspicions(f, left(5) != 0, spend);
            if (w.rules_.faults.cuts != 0)
                for (std::uint32_t arc = 0; arc < w.arcs(); ++arc) {
                    if ((f.cut >> arc & 1) != 0) mend(arc, f);
                    else if (left(6) != 0) cut(arc, spend(6));
                }
            return true;
        }

        /// All that is under way on the link is lost, and all that is sent until it is mended.
        void cut(std::uint32_t arc, fate g) {
            g.cut |= std::uint64_t{1} << arc;
            with(g)[w.nodes() + arc] = 0;
            emit({action::kind::cut, node_at(arc), arc}, w.nothing_asked_, room.before);
        }
        void mend(std::uint32_t arc, fate g) {
            g.cut &= ~(std::uint64_t{1} << arc);
            with(g);
            emit({action::kind::mend, node_at(arc), arc}, w.nothing_asked_, room.before);
        }

        /// The copy is put at every place behind the message; not behind an equal one, for that is
        /// the same content as in front of it.
        void double_up(std::uint32_t arc, std::uint32_t place, const fate& g) {
            const std::size_t at = w.nodes() + arc;
            const std::vector<std::uint32_t> content = w.channels_[s[at]];
            const std::uint32_t m = content[place];
            const std::size_t last = w.rules_.fifo ? content.size() : place + 1;
            for (std::size_t to = place + 1; to <= last; ++to) {
                if (to > place + 1 && content[to - 1] == m) continue;
                state& twice = with(g);
                twice[at] = w.channels_.insert(s[at], to, m);
                emit({action::kind::duplicate, node_at(arc), arc, place, m}, w.nothing_asked_,
                     twice);
            }
        }

        void crash(std::uint32_t v, fate g) {
            kill(v, with(g));
            emit({action::kind::crash, v}, w.nothing_asked_, room.before);
        }
        /// A dead node has no state and no timers, so that fewer states differ. Messages to it go,
        /// too, unless nodes can return: then they may reach the next life.
        void kill(std::uint32_t v, state& dying) {
            fate g = w.fates_[dying.back()];
            g.alive &= ~(std::uint64_t{1} << v);
            g.pending &= g.alive;
            dying.back() = w.fates_.index_of(g);
            dying[v] = g.made[v];
            for (std::size_t arc = 0; arc < w.arcs(); ++arc)
                if (w.ends_[arc].node.index == v && !w.can_return()) dying[w.nodes() + arc] = 0;
            if (w.has_timers_) dying[w.nodes() + w.arcs() + v] = 0;
        }

        void restart(std::uint32_t v, std::size_t kind, fate g) {
            g.alive |= std::uint64_t{1} << v;
            const std::uint32_t life = ++g.lives[v];
            std::uint32_t kept = 0;
            if (w.handlers_.is().keeps) {
                if (kind == 2) g.kept[v] = 0;
                kept = g.kept[v];
            }
            // A new life suspects nobody.
            for (std::uint32_t arc = 0; arc < w.arcs() && arc < 64; ++arc)
                if (w.origins_[arc].node.index == v) {
                    g.suspected &= ~(std::uint64_t{1} << arc);
                    g.mourned &= ~(std::uint64_t{1} << arc);
                }
            with(g)[v] = g.made[v];
            react({kind == 1 ? action::kind::restart : action::kind::amnesia, v},
                  {stimulus::kind::recovered, 0, kept, life});
        }

        void suspicions(const fate& f, bool may_err, auto spend) {
            for (std::uint32_t arc = 0; arc < w.arcs(); ++arc) {
                const auto v = static_cast<std::uint32_t>(w.origins_[arc].node.index);
                const std::size_t u = w.ends_[arc].node;
                const auto p = static_cast<std::uint16_t>(w.origins_[arc].port.index());
                if (!(f.alive >> v & 1)) continue;
                const std::uint64_t bit = arc < 64 ? std::uint64_t{1} << arc : 0;
                // Perfect: only of the dead, and only after its last message has arrived.
                if (w.rules_.perfect_detector && !(f.alive >> u & 1) && back_channel_empty(arc)) {
                    fate g = f;
                    if (w.welcomes()) g.mourned |= bit;
                    with(g);
                    react({action::kind::suspect, v, arc}, {stimulus::kind::suspect, p});
                }
                if ((f.mourned & bit) && (f.alive >> u & 1)) {
                    fate g = f;
                    g.mourned &= ~bit;
                    with(g);
                    react({action::kind::welcome, v, arc}, {stimulus::kind::trust, p});
                }
                if (may_err && (f.alive >> u & 1) && !(f.suspected & bit)) {
                    fate g = spend(5);
                    g.suspected |= bit;
                    with(g);
                    react({action::kind::mistrust, v, arc}, {stimulus::kind::suspect, p});
                }
                if ((f.suspected & bit) && (f.alive >> u & 1)) {
                    fate g = f;
                    g.suspected &= ~bit;
                    with(g);
                    react({action::kind::trust, v, arc}, {stimulus::kind::trust, p});
                }
            }
        }

        bool back_channel_empty(std::uint32_t arc) const {
            for (std::size_t back = 0; back < w.arcs(); ++back)
                if (w.ends_[back] == w.origins_[arc] && s[w.nodes() + back] != 0) return false;
            return true;
        }

        /// The handler's endings, each on a copy of what `copy` or `with` has prepared.
        bool react(const action& a, stimulus in) {
            const auto* endings = w.handlers_.endings(room.before[a.node],
                                                   w.topology_.degree(node{a.node}), in, learn);
            if (endings == nullptr) return false;
            for (std::size_t i = 0; i < endings->size(); ++i) {
                const ending& e = (*endings)[i];
                room.after = room.before;
                if (!w.apply(e, e.effects.size(), a.node, room.after, learn)) return false;
                emit(a, e, room.after);
                if (w.handlers_.is().keeps) die_midway(a, e);
            }
            return true;
        }

        /// A node that can recover may crash after any part of what its handler asked for.
        void die_midway(action a, const ending& e) {
            const fate f = w.fate_of(s);
            if ((f.budgets & 0xff) == 0 || !learn) return;
            for (std::size_t done = 0; done < e.effects.size(); ++done) {
                room.after = room.before;
                w.apply(e, done, a.node, room.after, true);
                fate g = w.fates_[room.after.back()];
                g.budgets -= 1;
                room.after.back() = w.fates_.index_of(g);
                kill(a.node, room.after);
                ending part = e;
                part.effects.resize(done);
                part.sends = static_cast<std::uint32_t>(std::count_if(
                    part.effects.begin(), part.effects.end(),
                    [](const effect& each) { return each.what == effect::kind::send; }));
                action broken = a;
                broken.cut_short = true;
                emit(broken, part, room.after);
            }
        }

        void emit(const action& a, const ending& e, const state& after) {
            std::uint64_t h = hash;
            for (std::size_t at = 0; at < after.size(); ++at)
                if (after[at] != s[at]) h += w.slot(at, after[at]) - w.slot(at, s[at]);
            // A detector may repeat itself for ever: a repetition that changes nothing is no event.
            if (a.what == action::kind::suspect && h == hash) return;
            out(a, e, after, h);
        }

        state& copy() {
            room.before.assign(s, s + w.width());
            return room.before;
        }
        state& with(const fate& g) {
            copy().back() = w.fates_.index_of(g);
            return room.before;
        }
        std::uint32_t node_at(std::size_t arc) const {
            return static_cast<std::uint32_t>(w.ends_[arc].node.index);
        }
    };

    const ending nothing_asked_ = {};
};

}  // namespace caucus::exploration
