// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/epoch.hpp>
#include <caucus/core/print.hpp>
#include <caucus/run/swarm.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace support {

/// Watches supervised elections of ids of type Id: whatever must never happen, and did. It knows
/// what the nodes' applications know: what they are told.
///   no two nodes lead in one epoch; nobody leads in an epoch that is not its own; within a life a
///   node's epochs strictly rise, and over a crash that it remembers they do not fall; with
///   `one_per_number` no two nodes lead in one number; who leads is told of the end of its reign,
///   once and before it is told of another leader, unless it crashes
template <class Id>
class court : public caucus::observer {
public:
    explicit court(std::vector<Id> ids, bool one_per_number = false)
        : ids_(std::move(ids)), one_per_number_(one_per_number) {}

    std::vector<std::string> violations{};
    std::size_t reigns = 0;   // begun
    std::size_t losses = 0;   // of leadership, but for those by a crash: told
    std::size_t untold = 0;   // and not told

    void handled(caucus::ticks, caucus::node v, const auto& in) {
        if constexpr (requires { in.incarnation; }) {
            life_[v] = in.incarnation;
            leads_.erase(v);
            if (!in.last) last_.erase(v);   // what it has forgotten binds it no more
            returned_[v] = true;            // it may return to its leader
        }
    }
    void reported(caucus::ticks at, caucus::node v, const auto& outcome) {
        caucus::visit_kind(outcome, [&](const auto& kind) {
            using told = std::remove_cvref_t<decltype(kind)>;
            if constexpr (std::is_same_v<told, caucus::installed<Id>>) judge(at, v, kind.epoch);
            if constexpr (std::is_same_v<told, caucus::deposed<Id>>) depose(at, v, kind.epoch);
        });
    }

    /// Does every living node say what it has told?
    void compare_with(const auto& net) {
        for (std::size_t v = 0; v < net.nodes(); ++v) {
            if (!net.alive(v)) continue;
            const auto told = leads_.find(v);
            if (told == leads_.end() && net[v].is_leader())
                complain(net.now(), v, "it leads and has not said so");
            if (told == leads_.end()) continue;
            if (net[v].is_leader() && *net[v].epoch() == told->second) continue;
            lose_untold(net.now(), v);
        }
    }

private:
    void judge(caucus::ticks at, std::size_t v, const caucus::epoch<Id>& e) {
        if (leads_.find(v) != leads_.end()) lose_untold(at, v);
        const auto known = last_.find(v);
        const bool same_again = returned_[v] && known != last_.end() && known->second == e;
        returned_[v] = false;
        if (known != last_.end() && !(known->second < e) && !same_again)
            complain(at, v, "an epoch did not rise");
        last_.insert_or_assign(v, e);
        if (!(e.leader == ids_[v]) || !(e.incarnation == life_[v])) return;
        ++reigns;
        for (const auto& [whose, reign] : leading_)
            if (whose != v && (reign == e || (one_per_number_ && reign.number == e.number)))
                complain(at, v, "two lead in one epoch");
        leading_.push_back({v, e});
        leads_.insert_or_assign(v, e);
    }
    void depose(caucus::ticks at, std::size_t v, const caucus::epoch<Id>& e) {
        const auto reign = leads_.find(v);
        if (reign == leads_.end() || !(reign->second == e))
            return complain(at, v, "deposed, and did not lead");
        ++losses;
        leads_.erase(reign);
    }
    void lose_untold(caucus::ticks at, std::size_t v) {
        complain(at, v, "it leads no more and was not told");
        ++untold;
        leads_.erase(v);
    }
    void complain(caucus::ticks at, std::size_t v, const char* what) {
        violations.push_back(what + (" at node " + std::to_string(v)) + ", tick " +
                             std::to_string(at));
    }

    std::vector<Id> ids_;
    bool one_per_number_;
    std::map<std::size_t, caucus::incarnation> life_{};
    std::map<std::size_t, bool> returned_{};
    std::map<std::size_t, caucus::epoch<Id>> last_{};
    std::vector<std::pair<std::size_t, caucus::epoch<Id>>> leading_{};   // ever
    std::map<std::size_t, caucus::epoch<Id>> leads_{};                   // now, as far as it knows
};

/// Whom a node follows, and in which epoch if there are such.
auto reign_of(const auto& process) {
    if constexpr (requires { process.epoch(); }) return process.epoch();
    else return process.leader();
}

/// Has every part of the network that is still connected one leader, in an epoch all nodes know?
bool one_leader_each(const auto& net) {
    std::vector<char> seen(net.nodes(), 0);
    for (std::size_t v = 0; v < net.nodes(); ++v) {
        if (!net.alive(v) || seen[v] != 0) continue;
        std::vector<std::size_t> to_do{v};
        seen[v] = 1;
        std::size_t leaders = 0;
        while (!to_do.empty()) {
            const caucus::node u{to_do.back()};
            to_do.pop_back();
            if (!reign_of(net[u]) || !(*reign_of(net[u]) == *reign_of(net[v]))) return false;
            leaders += net[u].is_leader();
            for (const caucus::port p : caucus::ports(net.topology().degree(u))) {
                const std::size_t w = net.topology().across(u, p).node;
                if (!net.alive(w) || seen[w] != 0) continue;
                seen[w] = 1;
                to_do.push_back(w);
            }
        }
        if (leaders != 1) return false;
    }
    return true;
}

/// Does any node take itself for the leader in an epoch of another, or of another of its lives?
bool usurped(const auto& net) {
    for (std::size_t v = 0; v < net.nodes(); ++v) {
        if (!net.alive(v) || !net[v].is_leader()) continue;
        const auto epoch = net[v].epoch();
        if (!(epoch->leader == net[v].id()) ||
            epoch->incarnation.number != net.incarnation(v).number)
            return true;
    }
    return false;
}

/// What a swarm of supervised elections came to.
struct swarm_result {
    std::size_t runs = 0;
    std::size_t reigns = 0;
    std::size_t losses = 0;              // of leadership that were told
    std::size_t untold = 0;
    std::size_t partings = 0;            // runs in which more than one node has led
    caucus::ticks slowest = 0;           // from healing to agreement
    std::vector<std::string> failures{}; // each a line that says how to see it again
};

/// One run: safe at every moment, and from `settled_after` ticks after healing on agreed for good.
template <class Topology, class Make, class Id>
void swarm_run(swarm_result& result, const char* name, const caucus::swarm& how, std::uint64_t seed,
               const Topology& t, Make make, caucus::ticks settled_after, court<Id> judge) {
    caucus::events net{t, make, how.draw(seed, t), std::move(judge)};
    net.start_all();
    bool safe = true;
    const auto run_on = [&](caucus::ticks duration) {
        net.run_for(duration);
        safe = safe && !usurped(net);
        net.watcher().compare_with(net);
    };
    for (caucus::ticks left = how.heals_at; left != 0; left -= left < 50 ? left : 50)
        run_on(left < 50 ? left : 50);
    caucus::ticks took = 0;   // until the last moment without agreement
    for (caucus::ticks since = 0; since < 2 * settled_after; since += 20) {
        if (!one_leader_each(net)) took = since;
        run_on(20);
    }
    const bool lasting = took < settled_after;
    const auto& seen = net.watcher();
    ++result.runs;
    result.reigns += seen.reigns;
    result.losses += seen.losses;
    result.untold += seen.untold;
    result.partings += seen.reigns > 1;
    if (result.slowest < took) result.slowest = took;
    const std::string how_to = std::string(name) + ": seed " + std::to_string(seed) + ", " +
                               std::to_string(t.nodes()) + " nodes: ";
    for (const std::string& each : seen.violations) result.failures.push_back(how_to + each);
    if (!safe) result.failures.push_back(how_to + "a node led in an epoch not its own");
    if (!lasting) result.failures.push_back(how_to + "no lasting agreement after healing");
}

/// Ids that stand in another order for each seed.
inline std::vector<int> shuffled_ids(std::size_t n, std::uint64_t seed) {
    std::vector<int> ids;
    for (std::size_t i = 0; i < n; ++i) ids.push_back(static_cast<int>(10 * (i + 1)));
    caucus::random_source{caucus::mix(seed, 77)}.shuffle(ids);
    return ids;
}

}  // namespace support
