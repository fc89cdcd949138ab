// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/input.hpp>
#include <caucus/core/storage.hpp>

#include <cstddef>
#include <optional>
#include <tuple>

namespace caucus {

/// The latest life of each neighbour that a failure detector has spoken of, for whoever remembers
/// suspicions: a late one of a former life must not stick to the present one, nor must late trust
/// in a former life acquit it. Stores nothing until there is word of a second life.
template <class Storage = heap_storage>
class heard_lives {
public:
    /// Is the word, a suspect or trust, on a life before the latest? Words without one never are.
    constexpr bool is_late(const auto& word) {
        if (!word.life) return false;
        if (word.whom < latest_.size() && *word.life < latest_[word.whom]) return true;
        if (*word.life == incarnation{}) return false;
        if (latest_.size() <= word.whom) latest_.resize(word.whom + 1, incarnation{});
        latest_[word.whom] = *word.life;
        return false;
    }

    /// The first, of one that nothing was heard of.
    constexpr incarnation of(port p) const {
        return p < latest_.size() ? latest_[p] : incarnation{};
    }

    static constexpr auto fields(auto& self) { return std::tie(self.latest_); }

private:
    typename Storage::template sequence<incarnation> latest_{};   // by port
};

}  // namespace caucus
