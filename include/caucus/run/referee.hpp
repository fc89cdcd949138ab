// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/input.hpp>
#include <caucus/core/kind.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/trace/observer.hpp>

#include <concepts>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

namespace caucus {

/// What a referee saw: who did it, when, and in whose way it was.
struct violation {
    ticks at = 0;
    node who{};
    node other{};
    const char* what = "";
};

/// Watches a simulation by what its nodes report, and says whether a rule was kept. The same object
/// is an observer of rounds, events (so of swarm's) and replay,
///     events net{t, make, options, exclusive{}};   net.watcher().holds();
/// and a predicate over nodes that keep a log, `client{process, load, outcome_log{}}`,
///     explore(t, make, {.properties = {always(exclusive{})}});
///
/// Syntax     an observer; holds() -> bool; violations() -> std::vector<violation>; r(g) -> bool,
///            where g has nodes() and alive(v), and g[v].log().outcomes() is what node v has
///            reported
/// Semantics  holds: of all that it has seen, nothing breaks the rule
/// Models     exclusive, same_prefix, same_set, together
/// Laws       before anything is reported the rule holds; copies judge alike; a violation is listed
///            if and only if the rule does not hold. What is broken stays broken, unless it has a
///            static `at_rest` that is true: its word counts when all has come to rest (finally)
template <class R>
concept referee = std::copy_constructible<R> && std::derived_from<R, observer> &&
                  requires(const R& r) {
                      { r.holds() } -> std::convertible_to<bool>;
                      { r.violations() } -> std::convertible_to<std::vector<violation>>;
                  };

namespace detail {
template <class R>
inline constexpr bool judges_at_rest = requires { requires R::at_rest; };
template <class R>
inline constexpr bool judges_any_node = requires { requires R::any_node; };

/// Those that will not be mended by what comes until all has come to rest.
template <referee R>
constexpr std::vector<violation> lasting_violations(const R& r) {
    std::vector<violation> found;
    if constexpr (requires { r.lasting_violations(); }) found = r.lasting_violations();
    else if constexpr (!judges_at_rest<R>)
        for (const violation& each : r.violations()) found.push_back(each);
    return found;
}

/// Nothing can be judged by a log that had no room for all that was reported.
template <class Log>
constexpr const Log& complete_log(const Log& log, std::size_t v) {
    if constexpr (requires { log.has_missed_some(); })
        if (log.has_missed_some())
            refuse("referee: the log of node ", v, " is full and has missed some outcomes");
    return log;
}
}  // namespace detail

/// What an outcome says of a critical section, by its type.
struct by_kind {
    template <class Kind>
    constexpr presence operator()(const Kind&) const {
        return presence_after<Kind>;
    }
};

/// At most one node is inside. A node is so from `entered` on, until `left` or `revoked`, or until
/// it crashes: the dead are not inside, and nobody is because an earlier life of it was.
///
/// `Presence` presence(kind of outcome). Default: by its type, see presence_after.
template <class Presence = by_kind>
class exclusive : public observer {
public:
    static constexpr bool any_node = true;

    constexpr exclusive() = default;
    constexpr explicit exclusive(Presence says) : says_(std::move(says)) {}

    constexpr void reported(ticks at, node v, const auto& outcome) {
        switch (after(outcome)) {
            case presence::unchanged: return;
            case presence::outside: return leave(v);
            case presence::inside: return enter(at, v);
        }
    }
    constexpr void crashed(ticks, node v) { leave(v); }
    constexpr void restarted(ticks, node v, incarnation) { leave(v); }

    constexpr bool holds() const { return violations_.empty(); }
    constexpr const std::vector<violation>& violations() const { return violations_; }
    /// How often anybody has entered: a rule that nobody could break was not tested.
    constexpr std::size_t entries() const { return entries_; }

    constexpr bool operator()(const auto& g) const {
        std::size_t inside = 0;
        for (std::size_t v = 0; v < g.nodes(); ++v) {
            if (!g.alive(v)) continue;
            presence last = presence::outside;
            for (const auto& outcome : detail::complete_log(g[v].log(), v).outcomes())
                if (const presence said = after(outcome); said != presence::unchanged) last = said;
            inside += last == presence::inside;
        }
        return inside <= 1;
    }

private:
    constexpr presence after(const auto& outcome) const {
        return visit_kind(outcome, [&](const auto& kind) { return says_(kind); });
    }
    constexpr void enter(ticks at, node v) {
        ++entries_;
        leave(v);
        if (!inside_.empty()) violations_.push_back({at, v, inside_[0], "two are inside"});
        inside_.push_back(v);
    }
    constexpr void leave(node v) {
        std::vector<node> rest;
        for (const node u : inside_)
            if (u.index != v.index) rest.push_back(u);
        inside_ = std::move(rest);
    }

    [[no_unique_address]] Presence says_{};
    std::vector<node> inside_{};
    std::vector<violation> violations_{};
    std::size_t entries_ = 0;
};

/// Several referees for one run: `together{exclusive{}, same_prefix<granted>{}}`. Its word counts
/// when that of each does: if one of them is `at_rest`, so is it.
template <class... Referees>
class together : public observer {
public:
    static constexpr bool at_rest = (... || detail::judges_at_rest<Referees>);
    static constexpr bool any_node = (... && detail::judges_any_node<Referees>);

    constexpr explicit together(Referees... each) : each_(std::move(each)...) {}

    constexpr void handled(ticks at, node v, const auto& in) {
        all([&](auto& r) { r.handled(at, v, in); });
    }
    constexpr void sent(ticks at, node v, port p, const auto& m) {
        all([&](auto& r) { r.sent(at, v, p, m); });
    }
    constexpr void armed(ticks at, node v, const auto& t, ticks delay) {
        all([&](auto& r) { r.armed(at, v, t, delay); });
    }
    constexpr void disarmed(ticks at, node v, const auto& t) {
        all([&](auto& r) { r.disarmed(at, v, t); });
    }
    constexpr void refused(ticks at, node v, const auto& request, answer said) {
        all([&](auto& r) { r.refused(at, v, request, said); });
    }
    constexpr void reported(ticks at, node v, const auto& outcome) {
        all([&](auto& r) { r.reported(at, v, outcome); });
    }
    constexpr void crashed(ticks at, node v) { all([&](auto& r) { r.crashed(at, v); }); }
    constexpr void restarted(ticks at, node v, incarnation life) {
        all([&](auto& r) { r.restarted(at, v, life); });
    }
    constexpr void absent(ticks at, node v) { all([&](auto& r) { r.absent(at, v); }); }
    constexpr void arrived(ticks at, node v) { all([&](auto& r) { r.arrived(at, v); }); }

    constexpr bool holds() const { return violations().empty(); }
    constexpr std::vector<violation> violations() const {
        return gathered([](const auto& r) { return r.violations(); });
    }
    /// Of those that need not wait until all has come to rest.
    constexpr std::vector<violation> lasting_violations() const {
        return gathered([](const auto& r) { return detail::lasting_violations(r); });
    }
    constexpr bool operator()(const auto& g) const {
        return std::apply([&](const auto&... r) { return (... && r(g)); }, each_);
    }
    template <std::size_t I>
    constexpr const auto& get() const {
        return std::get<I>(each_);
    }

private:
    constexpr std::vector<violation> gathered(auto of) const {
        std::vector<violation> found;
        const auto add = [&](const auto& r) {
            for (const violation& each : of(r)) found.push_back(each);
        };
        std::apply([&](const auto&... r) { (add(r), ...); }, each_);
        return found;
    }
    constexpr void all(auto act) {
        std::apply([&](auto&... r) { (act(r), ...); }, each_);
    }

    std::tuple<Referees...> each_;
};

}  // namespace caucus
