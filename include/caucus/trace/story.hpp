// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace caucus {

/// One thing that can happen, and to whom.
struct action {
    enum class kind : std::uint8_t {
        start, deliver, expire, expire_early, crash, restart, amnesia, lose, duplicate, suspect,
        mistrust, trust, welcome, cut, mend, suspect_late
    };
    kind what = kind::start;
    std::uint32_t node = 0;
    std::uint32_t arc = 0;      // lose, cut …: from whom to whom; suspicions: towards whom
    std::uint32_t place = 0;    // of the message in its channel
    std::uint32_t value = 0;    // the message or timer; suspicions, trust: which life of whom
    bool cut_short = false;     // the node crashed before its handler was through; no cut of a link

    /// How a kind reads: `verb` in a sentence, `label` beside its dot in a picture.
    struct phrase {
        const char* verb;
        const char* label;
    };
    /// No default: the compilers warn of a kind that has no words here.
    static constexpr phrase phrase_of(kind k) {
        switch (k) {
            case kind::start: return {"starts", "starts"};
            case kind::deliver: return {"receives", "receives"};
            case kind::expire: return {"has waited long enough", "timer"};
            case kind::expire_early: return {"times out too early", "timer, too early"};
            case kind::crash: return {"crashes", "crashes"};
            case kind::restart: return {"restarts with what it kept", "restarts"};
            case kind::amnesia: return {"restarts and remembers nothing", "restarts, blank"};
            case kind::lose: return {"lost", "loses"};
            case kind::duplicate: return {"doubled", "doubled"};
            case kind::suspect: return {"suspects", "suspects"};
            case kind::mistrust: return {"suspects", "suspects, wrongly"};
            case kind::trust:
            case kind::welcome: return {"trusts", "trusts"};
            case kind::cut: return {"cut", "cut off"};
            case kind::mend: return {"mended", "mended"};
            case kind::suspect_late: return {"suspects", "suspects, late"};
        }
        return {"", ""};
    }

    /// Faults need not happen, so fairness does not ask for them. A perfect detector must tell of
    /// the dead and of those who are back: that is no fault.
    bool is_fault() const {
        switch (what) {
            case kind::start:
            case kind::deliver:
            case kind::expire:
            case kind::suspect:
            case kind::welcome: return cut_short;
            case kind::expire_early:
            case kind::crash:
            case kind::restart:
            case kind::amnesia:
            case kind::lose:
            case kind::duplicate:
            case kind::mistrust:
            case kind::trust:
            case kind::cut:
            case kind::mend:
            case kind::suspect_late: return true;
        }
        return true;
    }
};

/// One event of a story: what happened, to whom, what it drew and sent, and how it reads.
struct story_step {
    struct sending {
        std::uint32_t arc;
        std::uint64_t message;   // its hash
        std::uint32_t to;
        std::string words;
    };

    action what;
    std::uint64_t value = 0;     // the hash of the message or timer
    std::vector<std::uint32_t> coins;
    std::vector<sending> sent;
    std::string words;
    std::size_t effects = 0;     // cut short: what its handler asked for before the crash
};

/// A schedule, from the beginning. `loop_from`: from that step on it goes round for ever.
struct story {
    std::vector<story_step> opening;  // starting::at_once: the starts, before the first step
    std::vector<story_step> steps;
    std::optional<std::size_t> loop_from;
    std::string property;     // the one that is broken
    std::string how;          // such as "is false after"
    /// False: it was found under reductions, and the search without them hit its limit of states,
    /// so that a shorter one may exist.
    bool shortest = true;
    std::uint64_t starters = 0;           // a bit a node
    std::vector<std::size_t> order;       // order[v]: whose process stands at node v

    /// Reorders the events so that a reader switches between nodes as seldom as possible: a node
    /// goes on as long as it can. Only right if an event depends on nothing but the earlier events
    /// at its node and the message that it receives: not with faults, detectors or timers.
    void gather() {
        std::vector<story_step> told;
        told.swap(steps);
        std::vector<std::uint8_t> done(told.size(), 0);
        std::vector<std::pair<std::uint32_t, std::uint64_t>> under_way;   // arc and message
        const auto send = [&](const story_step& s) {
            for (const story_step::sending& each : s.sent)
                under_way.push_back({each.arc, each.message});
        };
        const auto find = [&](const story_step& s) {
            std::size_t i = 0;
            while (i < under_way.size() && under_way[i] != std::pair{s.what.arc, s.value}) ++i;
            return i;
        };
        for (const story_step& s : opening) send(s);
        for (std::size_t first = 0; first < told.size();) {   // the first is always possible
            std::size_t chosen = first;
            for (std::size_t i = first; i < told.size() && !steps.empty(); ++i) {
                if (done[i] || told[i].what.node != steps.back().what.node) continue;
                const bool waits = told[i].what.what == action::kind::deliver &&
                                   find(told[i]) == under_way.size();
                if (!waits) chosen = i;
                break;
            }
            if (told[chosen].what.what == action::kind::deliver) {
                under_way[find(told[chosen])] = under_way.back();
                under_way.pop_back();
            }
            send(told[chosen]);
            steps.push_back(std::move(told[chosen]));
            done[chosen] = 1;
            while (first < told.size() && done[first]) ++first;
        }
    }

    std::size_t size() const { return steps.size(); }
    bool empty() const { return property.empty(); }
    std::string text() const {
        if (property.empty()) return "";
        std::string lines =
            property + " " + how + (opening.empty() && steps.empty() ? "\n" : ":\n");
        for (const story_step& start : opening) lines += "  at first " + start.words + "\n";
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (loop_from == i) lines += "  from here on, again and again:\n";
            lines += "  " + std::to_string(i + 1) + ". " + steps[i].words + "\n";
        }
        return lines;
    }
};

}  // namespace caucus
