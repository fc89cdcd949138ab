// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>

#include <optional>

namespace support {

/// The least process that elections' properties look at.
struct voter {
    using message = caucus::nothing;
    using timer = caucus::nothing;

    int self = 0;
    std::optional<int> follows = std::nullopt;

    int id() const { return self; }
    std::optional<int> leader() const { return follows; }
    bool is_leader() const { return follows == self; }
};

}  // namespace support
