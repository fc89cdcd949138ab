// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/exclusion/maekawa.hpp>
#include <caucus/topology/topology.hpp>
#include <support/textbook_maekawa.hpp>

// Maekawa's process on every node, and the textbook's, with the quorums of quorums.hpp.

namespace support {

using by_votes = caucus::maekawa<int>;

auto voters(const auto& quorum) {
    return [=](caucus::node v) {
        return caucus::maekawa{static_cast<int>(v.index), quorum(v)};
    };
}
template <maekawa_rules Rules>
auto textbook_voters(const auto& quorum) {
    return [=](caucus::node v) {
        return textbook_maekawa<Rules>{static_cast<int>(v.index), quorum(v)};
    };
}

}  // namespace support
