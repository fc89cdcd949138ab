// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/run/referee.hpp>

#include <cstddef>
#include <optional>
#include <type_traits>
#include <vector>

namespace caucus {

/// A referee: every entry has a greater fence than all entries before it, whoever else is still
/// inside. So whatever checks fences is used by one node at a time, even where two are inside.
///
/// `Fence`   of outcomes entered<Fence>
template <class Fence>
class rising_fences : public observer {
public:
    static constexpr bool any_node = true;

    constexpr void reported(ticks at, node v, const auto& outcome) {
        visit_kind(outcome, [&](const auto& kind) { note(at, v, kind); });
    }

    constexpr bool holds() const { return violations_.empty(); }
    constexpr const std::vector<violation>& violations() const { return violations_; }
    constexpr std::size_t entries() const { return entries_; }

    /// No two entries, of those in the logs, have one fence, and each node's own ones rise: logs
    /// tell no order among nodes.
    constexpr bool operator()(const auto& g) const {
        std::vector<Fence> seen;
        for (std::size_t v = 0; v < g.nodes(); ++v) {
            std::optional<Fence> last;
            for (const auto& outcome : detail::complete_log(g[v].log(), v).outcomes()) {
                const std::optional<Fence> f = fence_in(outcome);
                if (!f) continue;
                if (last && !(*last < *f)) return false;
                for (const Fence& other : seen)
                    if (other == *f) return false;
                seen.push_back(*f);
                last.emplace(*f);
            }
        }
        return true;
    }

private:
    static constexpr std::optional<Fence> fence_in(const auto& outcome) {
        return visit_kind(outcome, [](const auto& kind) -> std::optional<Fence> {
            if constexpr (is_entry<std::remove_cvref_t<decltype(kind)>>) return kind.fence;
            else return std::nullopt;
        });
    }
    template <class Kind>
    static constexpr bool is_entry = std::is_same_v<Kind, entered<Fence>>;

    constexpr void note(ticks at, node v, const entered<Fence>& e) {
        ++entries_;
        if (newest_ && !(*newest_ < e.fence))
            return violations_.push_back({at, v, holder_, "its fence is not above an earlier one"});
        newest_.emplace(e.fence);
        holder_ = v;
    }
    constexpr void note(ticks, node, const auto&) {}

    std::optional<Fence> newest_{};
    node holder_{};
    std::vector<violation> violations_{};
    std::size_t entries_ = 0;
};

}  // namespace caucus
