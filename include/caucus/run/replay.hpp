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

/// When each message of a story arrives, by the order in which its link was given it, and how the
/// coins fall. The k-th step of the story happens at tick k.
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
            if (step.what.what == action::kind::duplicate)
                refuse("replay: a simulation cannot double messages yet");
            if (step.what.what == action::kind::deliver || step.what.what == action::kind::lose) {
                auto& waiting = under_way[step.what.arc];
                std::size_t at = 0;
                while (waiting[at].second != step.value) ++at;
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
template <class Topology, class Make, class Observer = observer>
auto replay(const story& told, Topology topology, Make make, Observer watcher = {}) {
    using exploration::action;
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
        return scripted ? times->coins[times->tossed++] : 0;   // after the story: heads
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
        if (a.cut_short)
            refuse("replay: a simulation cannot crash a node in the middle of a handler");
        net.run_for(1);
        const auto far_port = [&] {
            for (const port p : ports(net.topology().degree(node{a.node})))
                if (net.topology().arc(node{a.node}, p) == a.arc) return p;
            return port{0};
        };
        switch (a.what) {
            case action::kind::start: net.start(a.node); break;
            case action::kind::expire:
                if constexpr (kinds_of<typename decltype(net)::timer> != 0)
                    for (const auto& t : net.armed(a.node))
                        if (hash(t) == told.steps[i].value) {
                            net.expire(a.node, t);
                            break;
                        }
                break;
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
