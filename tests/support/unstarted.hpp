// SPDX-License-Identifier: MIT
#pragma once

#include <archetypes.hpp>
#include <caucus/core/dispatch.hpp>
#include <caucus/core/layer.hpp>

#include <doctest/doctest.h>

#include <cstddef>

namespace support {

template <class P>
struct whole_environment : archetype::environment<P>,
                           archetype::loaded_dice,
                           archetype::watch,
                           archetype::memory<caucus::kept_by<P>> {};

inline std::size_t effects(const auto& env) {
    std::size_t count = env.outbox.size() + env.heard.size();
    if constexpr (requires { env.armed.size(); }) count += env.armed.size();
    return count;
}

/// A detector's word at a node that has not started: nothing is sent, waited for or reported.
template <class P>
void check_words_before_start(P process, std::size_t degree) {
    whole_environment<P> env;
    env.ports = degree;
    static_assert(caucus::listens_to<P, caucus::suspect, whole_environment<P>>);
    for (const caucus::port p : caucus::ports(degree)) {
        process.on(caucus::suspect{p}, env);
        CHECK(effects(env) == 0);
    }
    for (const caucus::port p : caucus::ports(degree)) {
        caucus::tell(process, caucus::trust{p}, env);
        caucus::tell(process, caucus::suspect{p}, env);
        CHECK(effects(env) == 0);
    }
}

}  // namespace support
