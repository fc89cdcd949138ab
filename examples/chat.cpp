// SPDX-License-Identifier: MIT
// Do all read the same? A chat over links that lose every twentieth message. Ben is killed while he
// sends; Eve comes later. What one reads, all read, in one order, between the same two views.
#include <caucus/detector/heartbeat.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/multicast/total_order.hpp>
#include <caucus/multicast/views.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>

#include <cstdio>
#include <string>
#include <vector>

using text = std::string;
namespace request = caucus::request;

/// What a member has on its screen.
class screen {
public:
    void show(const caucus::delivered<text, text>& d) {
        lines_ += d.from + ": " + d.payload + '\n';
    }
    void show(const caucus::view<text>& v) {
        text names;
        for (const auto& m : v.members) names += ' ' + m.id;
        lines_ += "--" + names + '\n';
    }
    void show(const auto&) {}
    const text& lines() const { return lines_; }

private:
    text lines_;
};

int main() {
    const caucus::complete all{5};
    const std::vector<text> names{"Ada", "Ben", "Cleo", "Dan", "Eve"};
    const std::vector<text> first{"Ada", "Ben", "Cleo", "Dan"};
    const auto make = [&](caucus::node v) {
        const caucus::views<text, text, caucus::majority> group{
            names[v], caucus::peer_ids(all, v, names), first};
        return caucus::heartbeat{caucus::reliable{caucus::total_order{group}}};
    };
    const auto plan = caucus::fault_plan{}.links({.loss = 0.05});
    caucus::events net{all, make, {.seed = 5, .delay = caucus::uniform{1, 20}, .faults = plan}};
    net.start_all();
    const auto say = [&](std::size_t v, const char* words) {
        static_cast<void>(net.call(v, request::broadcast<text>{words}));
    };

    say(0, "lunch?");
    say(2, "not before one");
    net.run_for(100);
    say(3, "sushi");
    say(1, "pizza");
    net.run_for(100);
    net.crash(1).after_sends(1);   // one of them hears of it, or nobody
    say(1, "my treat");
    say(0, "sushi it is");
    net.run_for(2000);
    static_cast<void>(net.call(4, request::join{}));
    net.run_for(1000);
    say(4, "what did I miss?");
    say(2, "Ben");
    net.run_for(2000);

    std::vector<screen> screens(5);
    for (const auto& told : net.outcomes())
        std::visit([&](const auto& kind) { screens[told.node].show(kind); }, told.outcome);
    std::printf("%s", screens[0].lines().c_str());
    const auto ends_with = [](const text& whole, const text& end) {
        return whole.size() >= end.size() && whole.substr(whole.size() - end.size()) == end;
    };
    const text& ada = screens[0].lines();
    const bool are_same = screens[2].lines() == ada && screens[3].lines() == ada;
    std::printf("\nCleo, Dan: %s\nEve: %s\n", are_same ? "the same" : "not the same",
                ends_with(ada, screens[4].lines()) ? "the same from her view on" : "not the same");
}

/* Output:
-- Ada Ben Cleo Dan
Ada: lunch?
Cleo: not before one
Ben: pizza
Dan: sushi
Ada: sushi it is
Ben: my treat
-- Ada Cleo Dan
-- Ada Cleo Dan Eve
Cleo: Ben
Eve: what did I miss?

Cleo, Dan: the same
Eve: the same from her view on
*/
