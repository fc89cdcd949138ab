// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/referee.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <utility>
#include <vector>

/// The laws of referees, over a run in which the rule is broken:
///     laws::referee_laws(referee, reports)
/// where reports are pairs of a node and its outcome, in order, that break it in the end.
namespace laws {

/// What explore would show of nodes that have reported that much.
template <class Outcome>
struct logs {
    struct list {
        std::vector<Outcome> heard{};
        const std::vector<Outcome>& outcomes() const { return heard; }
    };
    struct one {
        list kept{};
        const list& log() const { return kept; }
    };
    std::vector<one> all;

    explicit logs(std::size_t nodes) : all(nodes) {}
    std::size_t nodes() const { return all.size(); }
    static bool alive(std::size_t) { return true; }
    const one& operator[](std::size_t v) const { return all[v]; }
};

template <caucus::referee R, class Outcome>
void referee_laws(R watcher, const std::vector<std::pair<std::size_t, Outcome>>& reports,
                  std::size_t nodes) {
    constexpr bool at_rest = requires { requires R::at_rest; };
    logs<Outcome> g{nodes};
    CHECK(watcher.holds());
    CHECK(watcher(g));
    bool broken = false;
    for (const auto& [v, outcome] : reports) {
        R copy = watcher;
        watcher.reported(1, caucus::node{v}, outcome);
        copy.reported(1, caucus::node{v}, outcome);
        g.all[v].kept.heard.push_back(outcome);
        CHECK(copy.holds() == watcher.holds());
        CHECK(watcher.violations().empty() == watcher.holds());
        // As long as the rule was never broken, the logs say what the reports did.
        if (!broken) CHECK(watcher(g) == watcher.holds());
        if (!at_rest && broken) CHECK_FALSE(watcher.holds());
        broken = broken || !watcher.holds();
    }
    CHECK(broken);
    CHECK_FALSE(watcher.holds());
}

}  // namespace laws
