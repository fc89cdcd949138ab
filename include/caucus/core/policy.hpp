// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <type_traits>

namespace caucus {

/// What a policy decides. Each policy class names its role with `using decides = …`; a function
/// object that names none is the algorithm's own: an election's preference, a wave's fold.
/// An algorithm takes its policies in any order and leaves out those that keep their default:
/// `chang_roberts{id, join{}, silent{}}`.
struct operation {};
struct storage {};
using preference = operation;
using folding = operation;

namespace detail {

template <class Policy>
struct role_of {
    using type = operation;
};
template <class Policy>
concept names_its_role = requires { typename Policy::decides; };
template <class Policy>
    requires names_its_role<Policy>
struct role_of<Policy> {
    using type = typename Policy::decides;
};

/// A policy for sure, not options: it names its role, or compares ids. Where it stands in the place
/// of the options, these are left out.
template <class T, class Id>
concept stands_for_no_options =
    names_its_role<T> || std::is_invocable_r_v<bool, T&, const Id&, const Id&>;

template <class Role, class Default, class... Policies>
struct chosen {
    using type = Default;
};
template <class Role, class Default, class First, class... Rest>
struct chosen<Role, Default, First, Rest...>
    : std::conditional_t<std::is_same_v<typename role_of<First>::type, Role>,
                         std::type_identity<First>, chosen<Role, Default, Rest...>> {};

template <class Role, class... Policies>
inline constexpr std::size_t times_chosen =
    (std::size_t{0} + ... + std::is_same_v<typename role_of<Policies>::type, Role>);

}  // namespace detail

/// The policy that plays `Role` among `Policies`, or the default.
template <class Role, class Default, class... Policies>
using policy = typename detail::chosen<Role, Default, Policies...>::type;

/// Every policy has one of the given roles, and no role is played twice.
template <class... Roles>
struct roles {
    template <class... Policies>
    static constexpr bool cover =
        (... && (detail::times_chosen<Roles, Policies...> <= 1)) &&
        (std::size_t{0} + ... + detail::times_chosen<Roles, Policies...>) == sizeof...(Policies);
};

/// The value of the policy that plays `Role`, or a default one.
template <class Role, class Default>
constexpr Default pick() {
    return Default{};
}
template <class Role, class Default, class First, class... Rest>
constexpr auto pick(First first, Rest... rest) {
    if constexpr (std::is_same_v<typename detail::role_of<First>::type, Role>) return first;
    else return pick<Role, Default>(rest...);
}

/// prefer(a, b): a beats b. The default everywhere: the greatest id wins, as in most papers.
struct greatest {
    using decides = preference;
    constexpr bool operator()(const auto& a, const auto& b) const { return b < a; }
};
struct least {
    using decides = preference;
    constexpr bool operator()(const auto& a, const auto& b) const { return a < b; }
};

/// Whether the leader of an election tells the others.
struct announcing {};
struct announce { using decides = announcing; };   // a lap of the ring, or down a spanning tree
struct silent { using decides = announcing; };     // only the leader knows
template <class... Policies>
inline constexpr bool announces =
    std::is_same_v<policy<announcing, announce, Policies...>, announce>;

/// What a better node does that comes late, or back.
struct taking_over {};
struct preemptive { using decides = taking_over; };       // it takes over
struct non_preemptive { using decides = taking_over; };   // it follows whoever leads

/// fold(a, b): two values as one; associative and commutative, since answers come in any order.
struct maximum {
    using decides = folding;
    template <class T>
    constexpr T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
struct sum {
    using decides = folding;
    template <class T>
    constexpr T operator()(const T& a, const T& b) const { return static_cast<T>(a + b); }
};

}  // namespace caucus
