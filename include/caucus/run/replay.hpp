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
    const auto check = [](const story_step& step) {
        if (step.what.cut_short)
            refuse("replay: node ", std::size_t{step.what.node},
                   " crashes in the middle of a handler, which a simulation cannot do");
        if (step.what.what == action::kind::duplicate)
            refuse("replay: a message is doubled, which a simulation cannot do by hand");
    };
    for (const story_step& step : told.opening) check(step);
    for (const story_step& step : told.steps) check(step);
}

/// When each message of a story arrives, by the order in which they were sent on its arc, and how
/// the coins fall. The k-th step of the story happens at tick k.
struct timetable {
    explicit timetable(const story& told) {
        std::map<std::uint32_t, std::vector<std::pair<std::size_t, std::uint64_t>>> under_way;
        const auto send_all = [&](const story_step& step) {
            for (const story_step::sending& s : step.sent) {
                under_way[s.arc].push_back({arrivals[s.arc].size(), s.message});
                arrivals[s.arc].push_back(never);
            }
            for (const std::uint32_t coin : step.coins) coins.push_back(coin);
        };
        for (const story_step& step : told.opening) send_all(step);
        for (std::size_t i = 0; i < told.steps.size(); ++i) {
            const story_step& step = told.steps[i];
            if (step.what.what == action::kind::deliver || step.what.what == action::kind::lose) {
                auto& waiting = under_way[step.what.arc];
                std::size_t at = 0;
                while (at < waiting.size() && waiting[at].second != step.value) ++at;
                if (at == waiting.size())
                    refuse("replay: nobody has sent the message of step ", i + 1);
                if (step.what.what == action::kind::deliver)
                    arrivals[step.what.arc][waiting[at].first] = i + 1;
                waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(at));
            }
            send_all(step);
        }
    }

    std::map<std::uint32_t, std::vector<ticks>> arrivals;
    std::map<std::uint32_t, std::size_t> sent;
    std::vector<std::uint32_t> coins;
    std::size_t tossed = 0;
};

}  // namespace exploration

/// A simulation that has lived through a story that explore told: look at its nodes, or go on.
/// What the story left under way stays under way. The loop of an endless story is run once.
/// Refused, because a simulation cannot do it: a crash in the middle of a handler (only processes
/// that keep something have them), and a message that is doubled.
template <class Topology, class Make, class Observer = observer>
auto replay(const story& told, Topology topology, Make make, Observer watcher = {}) {
    exploration::refuse_what_cannot_be_replayed(told, topology.nodes());
    const auto times = std::make_shared<exploration::timetable>(told);
    const auto in_order = [order = told.order, make](node v) { return make(node{order[v]}); };
    const auto delay = [times](const hop& h, random_source&) -> ticks {
        const auto arc = static_cast<std::uint32_t>(h.arc);
        const auto& known = times->arrivals[arc];
        const std::size_t number = times->sent[arc]++;
        const ticks arrival = number < known.size() ? known[number] : never;
        return (arrival == never ? never - 1 : arrival) - h.sent;
    };
    const auto coins = [times](node, std::size_t) -> std::size_t {
        const bool scripted = times->tossed < times->coins.size();
        return scripted ? times->coins[times->tossed++] : 0;   // after the story: side 0
    };
    events net{std::move(topology),
               in_order,
               {.delay = by_hand{delay},
                .fifo = false,
                .outside_model = true,
                .timers_by_hand = true,
                .coins = coins},
               std::move(watcher)};
    for (const story_step& step : told.opening) net.start(step.what.node);
    for (std::size_t i = 0; i < told.steps.size(); ++i) {
        const action& a = told.steps[i].what;
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
            case action::kind::mistrust: net.suspect(a.node, far_port()); break;
            case action::kind::trust:
            case action::kind::welcome: net.trust(a.node, far_port()); break;
            case action::kind::deliver:
            case action::kind::lose:
            case action::kind::duplicate:
            case action::kind::cut:    // what it swallowed never arrives, by the timetable
            case action::kind::mend: break;
        }
    }
    return net;
}

}  // namespace caucus
