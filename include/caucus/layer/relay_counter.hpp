// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/fields.hpp>

#include <cstddef>

namespace caucus {

/// Counts how often a message has been passed on unchanged, for layers on rings: a message that
/// nobody takes home would go round for ever, and links that repeat would make ever more of it.
/// What P sends while it handles a message that is the same has been passed on by one more.
///
/// `Passed`  what travels: its members `message` and `relays`.
template <class Passed>
class relay_counter {
public:
    constexpr void while_handling(const Passed& m, auto act) {
        handled_ = &m;
        act();
        handled_ = nullptr;
    }
    constexpr std::size_t relays_of(const auto& message) const {
        if (handled_ == nullptr || !caucus::same(handled_->message, message)) return 0;
        const std::size_t so_far = handled_->relays;
        return so_far + (so_far != ~std::size_t{0});   // a stranger's would be none again
    }

private:
    const Passed* handled_ = nullptr;
};

}  // namespace caucus
