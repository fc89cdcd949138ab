// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/storage.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace caucus {

// What an application remembers of the outcomes that it hears: the third policy of `client`. A log
// is part of what explore takes for the state, so what it keeps costs states: keep what you judge.
//
//   hear(outcome)            of every outcome, in the order of reports
//   asked(request, answer)   of every request, if the log has such a function
//   came_back(incarnation)   of a later life, before all else in it, if the log has such a function
//   template of<Outcome>     the log itself, where it must know the type of the outcomes

/// Remembers nothing. The default: it costs no states.
struct no_log {
    static constexpr void hear(const auto&) {}
};

/// Outcomes of one type, in order; what does not fit is not kept, and that is not forgotten.
template <class Outcome, class Storage>
class kept_outcomes {
public:
    using sequence = typename Storage::template sequence<Outcome>;

    constexpr void hear(const Outcome& o) {
        is_full_ = is_full_ || !Storage::holds(outcomes_.size() + 1);
        if (!is_full_) outcomes_.push_back(o);
    }

    constexpr const sequence& outcomes() const { return outcomes_; }
    constexpr std::size_t size() const { return outcomes_.size(); }
    constexpr const Outcome& operator[](std::size_t i) const { return outcomes_[i]; }
    /// Has it heard anything that is not here?
    constexpr bool has_missed_some() const { return is_full_; }

    static constexpr auto fields(auto& self) { return std::tie(self.outcomes_, self.is_full_); }

private:
    sequence outcomes_{};
    bool is_full_ = false;
};

/// Remembers all outcomes, or with inplace_storage<N> the first N.
template <class Storage = heap_storage>
struct outcome_log {
    template <class Outcome>
    using of = kept_outcomes<Outcome, Storage>;
};

namespace detail {
template <class Log, class Outcome>
struct log_of {
    using type = Log;
};
template <class Log, class Outcome>
    requires requires { typename Log::template of<Outcome>; }
struct log_of<Log, Outcome> {
    using type = typename Log::template of<Outcome>;
};
}  // namespace detail

}  // namespace caucus
