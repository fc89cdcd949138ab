// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/exploration/cycles.hpp>
#include <caucus/run/exploration/world.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace caucus::exploration {

/// Does time pass on a livelock?
///
/// Under timers::after_messages explore lets no time pass with a decision, so that it can come at
/// any time. But every decision takes a tick at least, also one of delay 0 (see the concept clock):
/// nobody makes them for ever before the time of a timer has come that is armed all the while. So a
/// schedule is not fair to time if
///   - decisions are made on it for ever,
///   - another timer stays armed all along, and nothing arms it anew, and
///   - only decisions keep the system busy: without them it would come to rest.
/// A timer that is armed anew, or disarmed, before its time need never run out: those who do so may
/// always be quicker. And messages that go on by themselves for ever keep timers waiting, with
/// decisions as without: that is what after_messages says.
class time_fairness {
public:
    using state = world::state;

    /// `row_of` makes a state again from its number.
    time_fairness(world& w, const state_graph& g, of_state holds, of_action obliged,
                  callback<state(std::uint32_t)> row_of)
        : world_(w), g_(g), holds_(holds), obliged_(obliged), row_of_(row_of),
          matters_(w.handlers().is().decides && w.how().when == timers::after_messages) {}

    /// These are the states and edges of a livelock that is fair in every other respect. To be
    /// asked once of each.
    bool passes_on(const std::vector<std::uint32_t>& states,
                   const std::vector<std::uint8_t>& stays) {
        waits_.clear();
        if (!matters_) return true;
        find_what_goes_on();
        for (const std::uint32_t s : states)
            if (goes_on_[s]) return true;
        follow(*std::min_element(states.begin(), states.end()), stays);
        return std::all_of(waits_.begin(), waits_.end(),
                           [](const wait& each) { return each.ended_by.has_value(); });
    }
    /// Of the livelock that was asked about last: for each timer that is armed in its first state
    /// an edge that ends the wait for it. A way round that takes them all is fair to time.
    std::vector<std::uint64_t> ends_of_waits() const {
        std::vector<std::uint64_t> edges;
        for (const wait& each : waits_)
            if (each.ended_by) edges.push_back(*each.ended_by);
        return edges;
    }

private:
    struct wait {
        std::uint32_t node;
        std::uint32_t timer;
        std::optional<std::uint64_t> ended_by{};   // it runs out, is disarmed or armed anew
    };
    struct visit {
        std::uint32_t number;
        state row;
    };

    bool is_decision(const action& a) const {
        return a.what == action::kind::expire && world_.handlers().is_decision(a.value);
    }

    /// The states on cycles without decisions that are fair to everything else.
    void find_what_goes_on() {
        if (!goes_on_.empty()) return;
        goes_on_.assign(g_.states(), 0);
        std::vector<std::uint8_t> usable = edges_without(g_, holds_);
        for (std::uint64_t e = 0; e < g_.edges.size(); ++e)
            if (is_decision(g_.actions[g_.edges[e].act])) usable[e] = 0;
        const auto obliged = [&](const action& a) { return obliged_(a) && !is_decision(a); };
        const auto mark = [&](const std::vector<std::uint32_t>& states, const auto&) {
            for (const std::uint32_t s : states) goes_on_[s] = 1;
            return false;
        };
        fair_cycle_over(std::move(usable), g_, g_.actions, obliged, mark);
    }

    /// Goes from the state over all edges that stay, until every wait is seen to end.
    void follow(std::uint32_t first, const std::vector<std::uint8_t>& stays) {
        std::vector<visit> open{{first, row_of_(first)}};
        for (std::uint32_t v = 0; v < world_.nodes(); ++v)
            for (const alarm& each : world_.alarms_at(open[0].row.data(), v))
                if (each.left != whenever) waits_.push_back({v, each.timer});
        reached_.resize(g_.states(), 0);
        reached_[first] = 1;
        while (!open.empty() && ends_of_waits().size() != waits_.size()) {
            const visit here = std::move(open.back());
            open.pop_back();
            std::uint64_t next_edge = g_.offsets[here.number];
            world_.expand(here.row.data(), 0, true, room_,
                          [&](const action& a, const ending& how, const state& after,
                              std::uint64_t) {
                              const std::uint64_t e = next_edge++;
                              const std::uint32_t to = g_.edges[e].to;
                              if (!stays[e]) return;
                              note(a, how, e);
                              if (reached_[to]) return;
                              reached_[to] = 1;
                              open.push_back({to, after});
                          });
        }
    }
    void note(const action& a, const ending& how, std::uint64_t e) {
        for (wait& each : waits_) {
            if (each.node != a.node || each.ended_by) continue;
            bool ends = a.what == action::kind::expire && a.value == each.timer;
            for (const effect& f : how.effects)
                ends = ends || ((f.what == effect::kind::arm || f.what == effect::kind::disarm) &&
                                f.value == each.timer);
            if (ends) each.ended_by = e;
        }
    }

    world& world_;
    const state_graph& g_;
    of_state holds_;
    of_action obliged_;
    callback<state(std::uint32_t)> row_of_;
    bool matters_;
    std::vector<wait> waits_{};
    std::vector<std::uint8_t> goes_on_{};   // of each state; empty: not yet known
    std::vector<std::uint8_t> reached_{};   // of each state; livelocks share none
    world::scratch room_{};
};

}  // namespace caucus::exploration
