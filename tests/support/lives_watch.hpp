// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/input.hpp>
#include <caucus/core/kind.hpp>
#include <caucus/core/port.hpp>
#include <caucus/core/request.hpp>
#include <caucus/core/time.hpp>
#include <caucus/trace/observer.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace support {

/// Watches `events`: the logs of all lives of all nodes, also of those that crashed. `History` is
/// what a client of a multicast could log: group_history, deliveries.
template <class History>
class lives_watch : public caucus::observer {
public:
    using history = History;
    struct one_life {
        caucus::incarnation lived;
        history seen;
    };

    explicit lives_watch(std::size_t nodes) : lives_(nodes, {{{}, {}}}) {}

    void reported(caucus::ticks, caucus::node v, const auto& outcome) {
        caucus::visit_kind(outcome, [&](const auto& kind) { lives_[v].back().seen.hear(kind); });
    }
    void restarted(caucus::ticks, caucus::node v, caucus::incarnation life) {
        lives_[v].push_back({life, {}});
        if constexpr (requires { lives_[v].back().seen.came_back(life); })
            lives_[v].back().seen.came_back(life);
    }
    /// Asks v, and notes what it says.
    caucus::answer ask(auto& net, std::size_t v, const auto& request) {
        const caucus::answer said = net.call(v, request);
        lives_[v].back().seen.asked(request, said);
        return said;
    }

    const history& of(std::size_t v) const { return lives_[v].back().seen; }
    std::size_t nodes() const { return lives_.size(); }
    bool anybody_came_back() const {
        for (const auto& of_one : lives_)
            if (of_one.size() > 1) return true;
        return false;
    }
    /// Of nodes with the ids 0, 1, …; with the net itself for who lives, at the end of a run.
    auto judged(const auto&... net) const {
        using witness = typename history::witness;
        std::vector<witness> all;
        for (std::size_t v = 0; v < lives_.size(); ++v)
            for (const one_life& l : lives_[v]) {
                witness w{static_cast<int>(v), l.lived, &l.seen};
                if constexpr (sizeof...(net) != 0)
                    w.is_live = (net.alive(v) && ...) && &l == &lives_[v].back();
                all.push_back(w);
            }
        return typename history::judge{std::move(all)};
    }

private:
    std::vector<std::vector<one_life>> lives_;
};

/// A watched run as properties see states.
template <class Net>
struct at_the_end {
    using watch = std::remove_cvref_t<decltype(std::declval<Net&>().watcher())>;
    struct one {
        const typename watch::history& seen;
        const std::remove_cvref_t<decltype(std::declval<Net&>()[0])>& outer;
        const auto& log() const { return seen; }
        const auto& process() const { return outer; }
    };
    Net& net;
    std::size_t nodes() const { return net.nodes(); }
    bool alive(std::size_t v) const { return net.alive(v); }
    one operator[](std::size_t v) const { return {net.watcher().of(v), net[v]}; }
};

}  // namespace support
