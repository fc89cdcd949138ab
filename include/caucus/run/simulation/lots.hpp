// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port.hpp>
#include <caucus/core/random.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace caucus::simulation {

/// One stream of random bits for each node, all from one seed: what a node draws does not depend
/// on when the others draw. Costs nothing until somebody draws, then four bytes a node.
class lots {
public:
    constexpr explicit lots(std::uint64_t seed) : seed_(seed) {}

    constexpr std::uint64_t seed() const { return seed_; }

    /// The node's next draw, as a source that may be asked more than once.
    constexpr random_source draw(node v, std::size_t nodes) {
        if (drawn_.empty()) drawn_.assign(nodes, 0);
        return random_source{mix(mix(seed_, v), drawn_[v]++)};
    }

private:
    std::uint64_t seed_;
    std::vector<std::uint32_t> drawn_;
};

}  // namespace caucus::simulation
