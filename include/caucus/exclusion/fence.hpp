// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

namespace caucus {

/// What a resource tells entries apart by: a later entry has a greater fence. A holder that was
/// paused, or cut off, or thought dead, may act long after another was let in; the resource then
/// knows its fence for an old one (`fenced`).
///
/// `Epoch`   which reign the entry belongs to: a number, or the whole epoch of an election, where
///           two reigns may have one number. A count alone would be the same in both.
template <class Epoch = std::uint64_t>
struct fence {
    Epoch epoch{};
    std::uint64_t count = 0;   // of the entries of that reign

    friend constexpr bool operator<(const fence& a, const fence& b) {
        return a.epoch == b.epoch ? a.count < b.count : a.epoch < b.epoch;
    }
    friend constexpr bool operator==(const fence& a, const fence& b) {
        return a.epoch == b.epoch && a.count == b.count;
    }
};

namespace detail {
/// No run comes to such a count: it is a stranger's, and fences would begin at 0 again after it.
constexpr bool is_absurd_count(std::uint64_t count) { return count >> 63 != 0; }
/// Of how many have entered, as far as is known.
constexpr void learn_count(std::uint64_t& known, std::uint64_t heard) {
    if (known < heard && !is_absurd_count(heard)) known = heard;
}
}  // namespace detail

/// Stands before a resource, and lets nothing pass that is older than the newest it has let pass.
template <class Fence = fence<>>
class fenced {
public:
    /// May whoever has entered with this fence act? The same one may do so again and again.
    constexpr bool admits(const Fence& f) {
        if (newest_ && f < *newest_) return false;
        newest_.emplace(f);
        return true;
    }
    constexpr const std::optional<Fence>& newest() const { return newest_; }

private:
    std::optional<Fence> newest_{};
};

}  // namespace caucus
