// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/heard_lives.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/multicast/outcomes.hpp>

#include <cstddef>
#include <optional>
#include <tuple>
#include <vector>

namespace caucus::detail {

/// A life for some of the ports.
class lives_by_port {
public:
    constexpr const std::optional<life>& operator[](port p) const {
        return p < lives_.size() ? lives_[p] : none;
    }
    /// The greater of the two remains.
    constexpr void insert(port p, const life& l) {
        if (lives_.size() <= p) lives_.resize(p + 1);
        if (!lives_[p] || *lives_[p] < l) lives_[p] = l;
    }
    constexpr void erase(port p) {
        if (p < lives_.size()) lives_[p].reset();
        // Equal ones have equal fields, whatever they held before.
        while (!lives_.empty() && !lives_.back()) lives_.pop_back();
    }
    constexpr void clear() { lives_.clear(); }
    constexpr incarnation incarnation_of(port p) const {
        return (*this)[p] ? (*this)[p]->incarnation : incarnation{};
    }
    /// Is it that life, or a later one?
    constexpr bool covers(port p, const life& l) const {
        const std::optional<life>& known = (*this)[p];
        return known && !(*known < l);
    }
    constexpr bool is_after(port p, const life& l) const {
        const std::optional<life>& known = (*this)[p];
        return known && l < *known;
    }

    static constexpr auto fields(auto& self) { return std::tie(self.lives_); }

private:
    static constexpr std::optional<life> none{};
    std::vector<std::optional<life>> lives_{};
};

/// What the detector has said of whom, last. If it names lives, a suspicion is of that one and
/// earlier ones, and trust in a life means that earlier ones are over; else it is of any life.
class suspicions {
public:
    /// Is it news?
    constexpr bool hear(const suspect& s) {
        const incarnation before = lives_.of(s.whom);
        if (lives_.is_late(s)) return false;
        if (!s.life) return of_any_life_.insert(s.whom);
        return suspected_.insert(s.whom) || before < lives_.of(s.whom);
    }
    constexpr bool hear(const trust& t) {
        const incarnation before = lives_.of(t.whom);
        if (lives_.is_late(t)) return false;
        const bool was_suspected = suspected_.erase(t.whom);
        return of_any_life_.erase(t.whom) || was_suspected || before < lives_.of(t.whom);
    }

    /// Whoever is there now.
    constexpr bool contains(port p) const {
        return suspected_.contains(p) || of_any_life_.contains(p);
    }
    constexpr bool covers(port p, const life& l) const {
        if (of_any_life_.contains(p)) return true;
        const incarnation latest = lives_.of(p);
        return l.incarnation < latest || (l.incarnation == latest && suspected_.contains(p));
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.suspected_, self.of_any_life_, self.lives_);
    }

private:
    port_set<> suspected_{};
    port_set<> of_any_life_{};
    heard_lives<> lives_{};
};

}  // namespace caucus::detail
