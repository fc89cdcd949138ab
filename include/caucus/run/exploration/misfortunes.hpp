// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/exploration/expansion.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace caucus::exploration {

/// All that can go wrong in one state, within its budgets, and what a detector can say there.
/// Most of it makes a fate that is new: so only expansions that may learn come here.
class misfortunes {
public:
    explicit misfortunes(expansion& x) : x_(x), space_(x.space), now_(x.space.fate_of(x.s)) {}

    void all() {
        for (std::uint32_t v = 0; v < space_.nodes(); ++v) {
            if (left(misfortune::crash) && lives(v)) crash(v);
            if (left(misfortune::restart) && !lives(v)) restart(v, misfortune::restart);
            if (left(misfortune::amnesia) && !lives(v)) restart(v, misfortune::amnesia);
        }
        if (left(misfortune::early_expiry) && space_.has_timers())
            for (std::uint32_t v = 0; v < space_.nodes(); ++v) expire_early(v);
        for (std::uint32_t arc = 0; arc < space_.arcs(); ++arc) lose_or_duplicate(arc);
        if (space_.how().faults.fragile)
            for (std::uint32_t arc = 0; arc < space_.arcs(); ++arc) lose_of_the_dead(arc);
        if (space_.handlers().is().hears_suspicions)
            for (std::uint32_t arc = 0; arc < space_.arcs(); ++arc) suspicions(arc);
        if (space_.how().faults.cuts != 0)
            for (std::uint32_t arc = 0; arc < space_.arcs(); ++arc) cut_or_mend(arc);
    }

private:
    using state = expansion::state;

    bool left(misfortune kind) const { return now_.budget.left(kind) != 0; }
    bool lives(std::size_t v) const { return now_.alive >> v & 1; }

    void crash(std::uint32_t v) {
        x_.kill(v, x_.with(now_.spending(misfortune::crash)));
        x_.emit({action::kind::crash, v});
    }

    void restart(std::uint32_t v, misfortune kind) {
        const bool blank = kind == misfortune::amnesia;
        fate f = now_.spending(kind);
        f.alive |= std::uint64_t{1} << v;
        const std::uint32_t life = ++f.lives[v];
        std::uint32_t kept = 0;
        if (space_.handlers().is().keeps) {
            if (blank) f.kept[v] = 0;
            kept = f.kept[v];
        }
        // A new life suspects nobody, and nobody tells it of lives that were over before.
        for (std::uint32_t arc = 0; arc < space_.arcs(); ++arc) {
            if (space_.origin_of(arc).node.index == v) {
                f.suspected &= ~bit(arc);
                f.known_dead &= ~bit(arc);
                if (space_.tells_late()) told_of(arc, f) = f.lives[space_.end_of(arc).node];
            } else if (space_.tells_late() && space_.tells_of_returns() &&
                       space_.end_of(arc).node.index == v && lives(space_.origin_of(arc).node)) {
                f.known_dead |= bit(arc);   // whether it was told of the death, or will be
            }
        }
        x_.with(f)[v] = f.made[v];
        x_.react({blank ? action::kind::amnesia : action::kind::restart, v},
                 {stimulus::kind::recovered, 0, kept, life});
    }

    /// Not those that can run out now at no cost: decisions, and what is due.
    void expire_early(std::uint32_t v) {
        const bool resting = space_.quiet(x_.s);
        for (std::size_t i = 0; i < space_.alarms_at(x_.s, v).size(); ++i) {
            const alarm a = space_.alarms_at(x_.s, v)[i];   // a copy: the table grows meanwhile
            if (a.left == whenever || (a.left == 0 && resting)) continue;
            state& early = x_.with(now_.spending(misfortune::early_expiry));
            space_.change_timers(early, v, a.timer, 0, true);
            x_.react({action::kind::expire_early, v, 0, 0, a.timer},
                     {stimulus::kind::expiry, 0, a.timer});
        }
    }

    void lose_or_duplicate(std::uint32_t arc) {
        const std::uint32_t content = x_.s[space_.nodes() + arc];
        for (std::uint32_t place = 0; place < space_.contents()[content].size(); ++place) {
            const std::uint32_t message = space_.contents()[content][place];
            if (place > 0 && message == space_.contents()[content][place - 1]) continue;
            if (left(misfortune::loss)) {
                x_.with(now_.spending(misfortune::loss))[space_.nodes() + arc] =
                    *space_.contents().pop(content, place, true);
                x_.emit({action::kind::lose, x_.receiver(arc), arc, place, message});
            }
            if (left(misfortune::duplicate)) duplicate(arc, place);
        }
    }

    /// The copy is put at every place behind the message; not behind an equal one, for that is
    /// the same content as in front of it.
    void duplicate(std::uint32_t arc, std::uint32_t place) {
        const std::size_t at = space_.nodes() + arc;
        const std::uint32_t content = x_.s[at];
        const std::uint32_t message = space_.contents()[content][place];
        const fate f = now_.spending(misfortune::duplicate);
        const std::size_t last = space_.how().fifo ? space_.contents()[content].size() : place + 1;
        for (std::size_t to = place + 1; to <= last; ++to) {
            if (to > place + 1 && space_.contents()[content][to - 1] == message) continue;
            x_.with(f)[at] = space_.contents().insert(content, to, message);
            x_.emit({action::kind::duplicate, x_.receiver(arc), arc, place, message});
        }
    }

    /// The last on fifo links, so that what arrives is a prefix of what was sent; else any.
    void lose_of_the_dead(std::uint32_t arc) {
        const std::uint32_t content = x_.s[space_.nodes() + arc];
        const auto size = static_cast<std::uint32_t>(space_.contents()[content].size());
        if (size == 0 || lives(space_.origin_of(arc).node)) return;
        for (std::uint32_t place = space_.how().fifo ? size - 1 : 0; place < size; ++place) {
            const std::uint32_t message = space_.contents()[content][place];
            if (place > 0 && !space_.how().fifo &&
                message == space_.contents()[content][place - 1])
                continue;
            x_.copy()[space_.nodes() + arc] = *space_.contents().pop(content, place, true);
            x_.emit({action::kind::lose, x_.receiver(arc), arc, place, message});
        }
    }

    /// What a detector at the origin of the arc can say of the node at its end.
    void suspicions(std::uint32_t arc) {
        const far_end from = space_.origin_of(arc);
        const auto v = static_cast<std::uint32_t>(from.node.index);
        const auto p = static_cast<std::uint16_t>(from.port.index());
        const node other = space_.end_of(arc).node;
        const bool other_lives = lives(other);
        const std::uint16_t its_life = now_.life_of(other);
        if (!lives(v)) return;
        const auto say_of = [&](std::uint16_t life, action::kind what, stimulus::kind heard,
                                const fate& f) {
            x_.with(f);
            x_.react({what, v, arc, 0, life}, {heard, p, 0, life});
        };
        const auto say = [&](action::kind what, stimulus::kind heard, const fate& f) {
            say_of(its_life, what, heard, f);
        };
        // A detector suspects only the dead; a perfect one only after their last message.
        if (space_.how().perfect_detector && !other_lives &&
            (space_.how().impatient || is_empty_towards(from))) {
            fate f = now_;
            if (space_.tells_of_returns()) f.known_dead |= bit(arc);
            if (space_.tells_late()) told_of(arc, f) = static_cast<std::uint16_t>(its_life + 1);
            say(action::kind::suspect, stimulus::kind::suspect, f);
        }
        if (!other_lives) return;
        if (space_.tells_late()) {
            fate f = now_;
            for (std::uint16_t past = told_of(arc, f); past < its_life; ++past) {
                told_of(arc, f) = static_cast<std::uint16_t>(past + 1);
                say_of(past, action::kind::suspect_late, stimulus::kind::suspect, f);
            }
        }
        if ((now_.known_dead & bit(arc)) != 0) {
            fate f = now_;
            f.known_dead &= ~bit(arc);
            say(action::kind::welcome, stimulus::kind::trust, f);
        }
        if (left(misfortune::wrong_suspicion) && (now_.suspected & bit(arc)) == 0) {
            fate f = now_.spending(misfortune::wrong_suspicion);
            f.suspected |= bit(arc);
            say(action::kind::mistrust, stimulus::kind::suspect, f);
        }
        if ((now_.suspected & bit(arc)) != 0) {
            fate f = now_;
            f.suspected &= ~bit(arc);
            say(action::kind::trust, stimulus::kind::trust, f);
        }
    }
    /// Of how many lives of the arc's end it is settled what was told: late, nothing more is.
    std::uint16_t& told_of(std::uint32_t arc, fate& f) const {
        return f.lives[space_.nodes() + arc];
    }
    bool is_empty_towards(far_end to) const {
        for (std::size_t arc = 0; arc < space_.arcs(); ++arc)
            if (space_.end_of(arc) == to && x_.s[space_.nodes() + arc] != 0) return false;
        return true;
    }

    /// What is under way on the arc when it is cut is lost, and what is sent until it is mended.
    void cut_or_mend(std::uint32_t arc) {
        fate f = now_;
        if ((f.cut & bit(arc)) != 0) {
            f.cut &= ~bit(arc);
            x_.with(f);
            x_.emit({action::kind::mend, x_.receiver(arc), arc});
        } else if (left(misfortune::cut)) {
            f.budget.spend(misfortune::cut);
            f.cut |= bit(arc);
            x_.with(f)[space_.nodes() + arc] = 0;
            x_.emit({action::kind::cut, x_.receiver(arc), arc});
        }
    }

    /// Where these masks are used there are no more than 64 arcs; state_space has seen to it.
    static std::uint64_t bit(std::uint32_t arc) {
        return arc < 64 ? std::uint64_t{1} << arc : 0;
    }

    expansion& x_;
    state_space& space_;
    const fate now_;   // a copy: the table of fates grows meanwhile
};

}  // namespace caucus::exploration
