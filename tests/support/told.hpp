// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace support {

/// What node v has told, in order: "installed 1:50, deposed 1:50, stalled".
std::string told_by(const auto& net, std::size_t v) {
    std::string all;
    for (const auto& r : net.outcomes()) {
        if (r.node != v) continue;
        caucus::visit_kind(r.outcome, [&](const auto& kind) {
            const caucus::text name = caucus::kind_name<std::remove_cvref_t<decltype(kind)>>();
            all += (all.empty() ? "" : ", ") + std::string(name.data(), name.size());
            if constexpr (requires { kind.epoch; })
                all += " " + std::to_string(kind.epoch.number) + ":" +
                       std::to_string(kind.epoch.leader);
        });
    }
    return all;
}

}  // namespace support
