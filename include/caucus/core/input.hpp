// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>
#include <caucus/core/port.hpp>
#include <caucus/core/request.hpp>

#include <cstdint>
#include <optional>
#include <variant>

namespace caucus {

/// A message, and the port it came in by.
template <class Message>
struct arrival {
    Message message;
    port from;
};

/// A timer that ran out.
template <class Timer>
struct expiry {
    Timer timer;
};

/// Which life of a process this is: rises on every restart.
struct incarnation {
    std::uint32_t number = 0;

    friend constexpr auto operator<=>(incarnation, incarnation) = default;
};

/// The failure detector's word on the neighbour behind a port, and the life that it speaks of,
/// where the detector knows it: a suspicion of the old life must not stick to the new one.
struct suspect {
    port whom;
    std::optional<incarnation> life = {};
};
struct trust {
    port whom;
    std::optional<incarnation> life = {};
};

/// Life after a crash: the first input of a restarted process. `last` is what it kept, if anything.
template <class Kept = nothing>
struct recovered {
    caucus::incarnation incarnation;
    std::optional<Kept> last;
};

namespace detail {
template <class P>
struct kept_of {
    using type = nothing;
};
template <class P>
    requires requires { typename P::kept; }
struct kept_of<P> {
    using type = typename P::kept;
};
}  // namespace detail

/// What process P asks its environment to keep across crashes: `P::kept`, or nothing.
template <class P>
using kept_by = typename detail::kept_of<P>::type;

namespace detail {
template <class Requests, class... Others>
struct inputs;
template <class... Requests, class... Others>
struct inputs<std::variant<Requests...>, Others...> {
    using type = std::variant<Requests..., Others...>;
};
}  // namespace detail

/// All that can happen to a node that runs P, as a value: to be stored, replayed, enumerated.
template <class P>
using input = typename detail::inputs<requests_of<P>, arrival<typename P::message>,
                                      expiry<typename P::timer>, suspect, trust,
                                      recovered<kept_by<P>>>::type;

}  // namespace caucus
