// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/verdict.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace caucus {

namespace exploration {

/// Checked before anything is replayed: else the simulation would stop half way through the story,
/// and look as if it had come to the end.
inline void refuse_what_cannot_be_replayed(const story& told, std::size_t nodes) {
    if (told.order.empty())
        refuse("replay: there is no story, for the verdict tells of no schedule");
    if (told.order.size() != nodes)
        refuse("replay: the story is one of ", told.order.size(), " nodes, and here are ", nodes);
}

/// When each message of a story arrives, by the order in which they were sent on its arc, and how
/// the coins fall. The k-th step of the story happens at tick k.
class timetable {
public:
    explicit timetable(const story& told) {
        for (const story_step& step : told.opening) send_all(step);
        for (std::size_t i = 0; i < told.steps.size(); ++i) {
            const story_step& step = told.steps[i];
            const action::kind what = step.what.what;
            if (what == action::kind::deliver || what == action::kind::lose ||
                what == action::kind::duplicate) {
                std::vector<copy>& waiting = under_way_[step.what.arc];
                std::size_t at = 0;
                while (at < waiting.size() && waiting[at].message != step.value) ++at;
                if (at == waiting.size())
                    refuse("replay: nobody has sent the message of step ", i + 1);
                if (what == action::kind::duplicate) {
                    add_copy(step.what.arc, waiting[at].number, step.value);
                } else {
                    if (what == action::kind::deliver)
                        arrivals_[step.what.arc][waiting[at].number][waiting[at].which] = i + 1;
                    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(at));
                }
            }
            send_all(step);
        }
    }

    /// The next message on that arc is sent: of how many copies, and when each of them arrives.
    std::size_t copies(std::uint32_t arc) {
        const auto& known = arrivals_[arc];
        const std::size_t number = sent_[arc]++;
        now_sent_ = number < known.size() ? known[number] : std::vector<ticks>{never};
        copied_ = 0;
        return now_sent_.size();
    }
    ticks arrival() { return now_sent_[copied_++]; }
    /// After the story: side 0.
    std::size_t coin() { return tossed_ < coins_.size() ? coins_[tossed_++] : 0; }

private:
    /// The `which`-th copy of the message that was sent as the `number`-th on its arc.
    struct copy {
        std::size_t number;
        std::size_t which;
        std::uint64_t message;
    };

    void add_copy(std::uint32_t arc, std::size_t number, std::uint64_t message) {
        under_way_[arc].push_back({number, arrivals_[arc][number].size(), message});
        arrivals_[arc][number].push_back(never);
    }
    void send_all(const story_step& step) {
        for (const story_step::sending& s : step.sent) {
            arrivals_[s.arc].emplace_back();
            add_copy(s.arc, arrivals_[s.arc].size() - 1, s.message);
        }
        for (const std::uint32_t coin : step.coins) coins_.push_back(coin);
    }

    std::map<std::uint32_t, std::vector<copy>> under_way_;   // while the story is read
    std::map<std::uint32_t, std::vector<std::vector<ticks>>> arrivals_;
    std::map<std::uint32_t, std::size_t> sent_;
    std::vector<ticks> now_sent_;   // of the message that is being sent: its copies
    std::size_t copied_ = 0;
    std::vector<std::uint32_t> coins_;
    std::size_t tossed_ = 0;
};

}  // namespace exploration

/// A simulation that has lived through a story that explore told: look at its nodes, or go on.
/// What the story left under way stays under way. The loop of an endless story is run once.
template <class Topology, class Make, class Observer = observer>
auto replay(const story& told, Topology topology, Make make, Observer watcher = {}) {
    exploration::refuse_what_cannot_be_replayed(told, topology.nodes());
    const auto times = std::make_shared<exploration::timetable>(told);
    const auto in_order = [order = told.order, make](node v) { return make(node{order[v]}); };
    const auto copies = [times](const hop& h) {
        return times->copies(static_cast<std::uint32_t>(h.arc));
    };
    const auto delay = [times](const hop& h, random_source&) -> ticks {
        const ticks arrival = times->arrival();
        return (arrival == never ? never - 1 : arrival) - h.sent;
    };
    const auto coins = [times](node, std::size_t) { return times->coin(); };
    events net{std::move(topology),
               in_order,
               {.delay = by_hand{delay},
                .fifo = false,
                .outside_model = true,
                .timers_by_hand = true,
                .coins = coins,
                .copies = copies},
               std::move(watcher)};
    const auto crash_midway = [&net](const story_step& step) {
        if (step.what.cut_short) net.crash(step.what.node).after_effects(step.effects);
    };
    const auto check_midway = [&net](const story_step& step) {
        if (step.what.cut_short && net.alive(step.what.node))
            refuse("replay: the handler in which node ", std::size_t{step.what.node},
                   " crashes asks for too little: these are not the processes of the story");
    };
    for (const story_step& step : told.opening) {
        crash_midway(step);
        net.start(step.what.node);
        check_midway(step);
    }
    for (std::size_t i = 0; i < told.steps.size(); ++i) {
        const action& a = told.steps[i].what;
        const incarnation life{a.value};   // of whom a detector speaks
        crash_midway(told.steps[i]);
        net.run_for(1);
        const auto far_port = [&] {
            for (const port p : ports(net.topology().degree(node{a.node})))
                if (net.topology().arc(node{a.node}, p) == a.arc) return p;
            return port{0};
        };
        switch (a.what) {
            case action::kind::start: net.start(a.node); break;
            case action::kind::expire:
            case action::kind::expire_early: {
                bool found = false;
                if constexpr (kinds_of<typename decltype(net)::timer> != 0)
                    for (const auto& t : net.armed(a.node)) {
                        found = caucus::hash(t) == told.steps[i].value;
                        if (found) net.expire(a.node, t);
                        if (found) break;
                    }
                if (!found)
                    refuse("replay: node ", std::size_t{a.node}, " has not armed the timer of ",
                           "step ", i + 1, ": these are not the processes of the story");
                break;
            }
            case action::kind::crash: net.crash(a.node); break;
            case action::kind::amnesia: net.forget(a.node); [[fallthrough]];
            case action::kind::restart: net.restart(a.node); break;
            case action::kind::suspect:
            case action::kind::suspect_late:
            case action::kind::mistrust: net.suspect(a.node, far_port(), life); break;
            case action::kind::trust:
            case action::kind::welcome: net.trust(a.node, far_port(), life); break;
            case action::kind::deliver:
            case action::kind::lose:
            case action::kind::duplicate:
            case action::kind::cut:    // what it swallowed never arrives, by the timetable
            case action::kind::mend: break;
        }
        check_midway(told.steps[i]);
    }
    return net;
}

}  // namespace caucus
