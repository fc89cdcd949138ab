// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/fields.hpp>
#include <caucus/core/kind.hpp>
#include <caucus/core/sort.hpp>
#include <caucus/run/referee.hpp>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace caucus {

// Referees of agreement: do nodes report the same? See run/referee.hpp for how they are used.

/// Which outcomes are compared, and what of them: those of type Value, as they are.
template <class Value>
struct whole {
    constexpr std::optional<Value> operator()(const Value& v) const { return v; }
    constexpr std::optional<Value> operator()(const auto&) const { return std::nullopt; }
};

namespace detail {

/// The values of each node, in the order of its reports.
template <class Value, class Choose>
class value_lists : public observer {
public:
    static constexpr bool any_node = true;

    constexpr value_lists() = default;
    constexpr explicit value_lists(Choose choose) : choose_(std::move(choose)) {}

    constexpr std::vector<Value> values(std::size_t v) const {
        return v < lists_.size() ? lists_[v].values : std::vector<Value>{};
    }

protected:
    struct list {
        std::vector<Value> values{};
        bool alive = true;
    };

    constexpr std::optional<Value> chosen(const auto& outcome) const {
        return visit_kind(outcome, [&](const auto& kind) -> std::optional<Value> {
            return choose_(kind);
        });
    }
    constexpr list& list_of(node v) {
        if (lists_.size() <= v.index) lists_.resize(v.index + 1);
        return lists_[v.index];
    }
    constexpr std::vector<Value> values_of(const auto& log) const {
        std::vector<Value> values;
        for (const auto& outcome : log.outcomes())
            if (const auto value = chosen(outcome)) values.push_back(*value);
        return values;
    }

    [[no_unique_address]] Choose choose_{};
    std::vector<list> lists_{};
};

}  // namespace detail

/// Whatever two nodes report, they report in the same order, and neither leaves out what the other
/// goes on from: of any two lists one begins with the other. Those of the dead count (uniform
/// agreement), where explore remembers them too; a new life begins with an empty list.
///
/// `Value`   what is compared. `Choose`: choose(kind of outcome) -> std::optional<Value>.
template <class Value, class Choose = whole<Value>>
class same_prefix : public detail::value_lists<Value, Choose> {
    using base = detail::value_lists<Value, Choose>;

public:
    using base::base;

    constexpr void reported(ticks at, node v, const auto& outcome) {
        const auto value = this->chosen(outcome);
        if (!value) return;
        auto& own = this->list_of(v).values;
        own.push_back(*value);
        if (longest_.size() < own.size()) {
            longest_.push_back(*value);
            first_.push_back(v);
        } else if (!caucus::same(longest_[own.size() - 1], *value)) {
            violations_.push_back({at, v, first_[own.size() - 1], "their lists differ"});
        }
    }
    constexpr void restarted(ticks, node v, incarnation) { this->list_of(v).values.clear(); }

    constexpr bool holds() const { return violations_.empty(); }
    constexpr const std::vector<violation>& violations() const { return violations_; }

    constexpr bool operator()(const auto& g) const {
        std::vector<Value> longest;
        for (std::size_t v = 0; v < g.nodes(); ++v) {
            const std::vector<Value> own = this->values_of(detail::complete_log(g[v].log(), v));
            for (std::size_t i = 0; i < own.size(); ++i)
                if (i == longest.size()) longest.push_back(own[i]);
                else if (!caucus::same(own[i], longest[i])) return false;
        }
        return true;
    }

private:
    std::vector<Value> longest_{};
    std::vector<node> first_{};   // to report each of them
    std::vector<violation> violations_{};
};

/// When all has come to rest, all live nodes have reported the same values, in whatever order, and
/// each as often. A new life, and who arrives late, begins with an empty list, and needs all of it.
///
/// `Value`, `Choose`  as for same_prefix.
template <class Value, class Choose = whole<Value>>
class same_set : public detail::value_lists<Value, Choose> {
    using base = detail::value_lists<Value, Choose>;

public:
    static constexpr bool at_rest = true;

    constexpr explicit same_set(std::size_t nodes, Choose choose = {}) : base(std::move(choose)) {
        this->lists_.resize(nodes);   // who has reported nothing counts, too
    }

    constexpr void reported(ticks, node v, const auto& outcome) {
        if (const auto value = this->chosen(outcome)) this->list_of(v).values.push_back(*value);
    }
    constexpr void crashed(ticks, node v) { this->list_of(v).alive = false; }
    constexpr void restarted(ticks, node v, incarnation) { this->list_of(v) = {}; }
    constexpr void absent(ticks, node v) { this->list_of(v).alive = false; }
    constexpr void arrived(ticks, node v) { this->list_of(v) = {}; }

    constexpr bool holds() const { return violations().empty(); }
    constexpr std::vector<violation> violations() const {
        std::vector<violation> found;
        std::optional<std::size_t> first;
        for (std::size_t v = 0; v < this->lists_.size(); ++v) {
            if (!this->lists_[v].alive) continue;
            if (!first) first = v;
            else if (!are_same(this->lists_[*first].values, this->lists_[v].values))
                found.push_back({0, node{v}, node{*first}, "their sets differ"});
        }
        return found;
    }

    constexpr bool operator()(const auto& g) const {
        std::optional<std::vector<Value>> first;
        for (std::size_t v = 0; v < g.nodes(); ++v) {
            if (!g.alive(v)) continue;
            const std::vector<Value> own = this->values_of(detail::complete_log(g[v].log(), v));
            if (!first) first = own;
            else if (!are_same(*first, own)) return false;
        }
        return true;
    }

private:
    static constexpr bool are_same(std::vector<Value> a, std::vector<Value> b) {
        const auto before = [](const Value& x, const Value& y) {
            return caucus::compare(x, y) < 0;
        };
        stable_sort(a, before);
        stable_sort(b, before);
        return caucus::same(a, b);
    }
};

}  // namespace caucus
