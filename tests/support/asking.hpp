// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/exclusion/ricart_agrawala.hpp>
#include <support/exclusion_suite.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <variant>
#include <vector>

// Processes of ricart_agrawala, ids 0, 1, …, and the applications of its tests: all of one type, so
// that each model is explored by one instantiation.

namespace support {

using numbers = std::initializer_list<std::size_t>;   // of nodes

template <class... Policies>
auto ricart_agrawalas(Policies... policies) {
    return [=](caucus::node v) {
        return caucus::ricart_agrawala{static_cast<int>(v.index), policies...};
    };
}

using anything =
    std::variant<caucus::request::enter, caucus::request::cancel, caucus::request::leave>;
using asking_load = caucus::script<anything>;

/// Enters and leaves so many times.
inline asking_load entering(std::size_t times) {
    std::vector<anything> list;
    for (; times != 0; --times) {
        list.push_back(caucus::request::enter{});
        list.push_back(caucus::request::leave{});
    }
    return asking_load{list, {.retries = 0}};
}
/// Thinks better of it, if it is not too late, and asks again.
inline asking_load wavering() {
    using namespace caucus;
    return asking_load{{request::enter{}, request::cancel{}, request::enter{}, request::leave{}},
                       {.retries = 0}};
}

/// Every schedule of n nodes: the promises hold, whatever else the options say.
template <class... Policies>
caucus::verdict check_promises(
    std::size_t n, const asking_load& load,
    caucus::explore_options<
        caucus::client<lock_of<decltype(ricart_agrawalas(Policies{}...))>, asking_load>> how) {
    const caucus::verdict v =
        explored(caucus::complete{n}, ricart_agrawalas(Policies{}...), load, how);
    CAPTURE(n);
    check_verified(v);
    return v;
}

}  // namespace support
