// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/layer/client.hpp>
#include <caucus/multicast/properties.hpp>
#include <caucus/multicast/views.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

// Groups of n slots with ids 0, 1, …, and the applications of their tests: all of one type, so that
// each policy is explored by one instantiation.

namespace support {

/// All rules of views, or all but one.
struct all_but {
    using decides = caucus::obeying;
    std::optional<caucus::rule> removed = {};
    constexpr bool has(caucus::rule r) const { return removed != r; }
};

using group_request = std::variant<caucus::request::broadcast<int>, caucus::request::join,
                                   caucus::request::depart>;
using group_script = caucus::script<group_request>;
template <class... Policies>
using group_client =
    caucus::client<caucus::views<int, int, Policies...>, group_script, caucus::group_log>;

inline const group_request cast = caucus::request::broadcast<int>{1};
inline const group_request join = caucus::request::join{};
inline const group_request depart = caucus::request::depart{};

/// What is asked of a group: who is in it first, and what each node's application wants.
struct group_story {
    std::size_t slots;
    std::vector<int> members;
    std::vector<std::vector<group_request>> scripts;
    caucus::views_options options = {};
};

template <class... Policies>
auto groups(const group_story& s, Policies... policies) {
    return [=](caucus::node v) {
        std::vector<int> ids;
        for (std::size_t u = 0; u < s.slots; ++u) ids.push_back(static_cast<int>(u));
        const auto wants = v < s.scripts.size() ? s.scripts[v] : std::vector<group_request>{};
        return group_client<Policies...>{
            caucus::views<int, int, Policies...>{
                ids[v], caucus::peer_ids(caucus::complete{s.slots}, v, ids), s.members, s.options,
                policies...},
            group_script{wants, {.retries = 0, .again = true}}, {}};
    };
}

}  // namespace support
