// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <type_traits>

namespace caucus {

/// What a policy decides. Each policy class names its role with `using decides = …`; a function
/// object that names none is the algorithm's own: an election's preference, a wave's fold.
/// An algorithm takes its policies in any order and leaves out those that keep their default:
/// `chang_roberts{id, join{}, silent{}}`.
///
/// Every constructor has the form `name{what it is…, options, policies…}`. Options may be left out
/// while policies are given, and the other way round. A class with options writes that as below;
/// then a type that is named with its policies, `patient<P, least>`, can be made without them too.
///
///     template <class P, class... Policies>
///     class patient {
///         static_assert(roles<judging, storage>::cover<Policies...>,
///                       "a_policy_is_not_known_here_or_was_given_twice");
///         using judge_type = policy<judging, fixed_timeout, Policies...>;
///
///     public:
///         template <class... Given>
///             requires(... && detail::fits_one_of<Given, Policies...>)
///         constexpr explicit patient(P process, patient_options options = {}, Given... policies)
///             : process_(process), options_(options),
///               judge_(pick<judging, judge_type>(policies...)) {}
///         /// The same, with all options left out.
///         template <detail::fits_one_of<Policies...> First,
///                   detail::fits_one_of<Policies...>... Rest>
///         constexpr explicit patient(P process, First first, Rest... rest)
///             : patient(process, {}, first, rest...) {}
///         …
///     };
///     template <class P, class... Policies>
///     patient(P, patient_options = {}, Policies...) -> patient<P, Policies...>;
///     template <class P, detail::other_than<patient_options> First, class... Rest>
///     patient(P, First, Rest...) -> patient<P, First, Rest...>;
///
/// The options stand as a type of their own, not in the pack: `{}` and `{.limit = 3}` have no type
/// that a pack could deduce. The second guide takes whatever is no options, so that a policy that
/// does not fit meets the assertion, which has one name everywhere. Without options the first
/// constructor and the first guide are enough: `(Id self, Policies... policies)`. The first
/// constructor's condition stands in a requires-clause: clang would else take a guide made of that
/// constructor for better than the written one.
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

/// Has T a call operator? Then the name is ambiguous in a class that inherits another one besides.
/// Unlike a trial call, this finds templates and overloads.
struct one_call_operator {
    void operator()();
};
template <class T>
struct two_call_operators : T, one_call_operator {};
template <class T>
concept function_object =
    std::is_function_v<std::remove_pointer_t<T>> || (std::is_class_v<T> && std::is_final_v<T>) ||
    (std::is_class_v<T> && !requires { &two_call_operators<T>::operator(); });

template <class T>
concept is_policy = names_its_role<T> || function_object<T>;

/// May be given for one of the policies that a class was named with: has its role, converts to it.
template <class T, class... Policies>
concept fits_one_of = (... || (std::is_same_v<typename role_of<T>::type,
                                              typename role_of<Policies>::type> &&
                               std::is_convertible_v<T, Policies>));

/// Stands where options would, and is none: they are left out.
template <class T, class Options>
concept other_than = !std::is_convertible_v<T, Options>;

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

/// Does `Wanted` play its role, being among `Policies` or else the default?
template <class Wanted, class Default, class... Policies>
inline constexpr bool chooses =
    std::is_same_v<policy<typename Wanted::decides, Default, Policies...>, Wanted>;

/// Every policy is one, has one of the given roles, and no role is played twice.
template <class... Roles>
struct roles {
    template <class... Policies>
    static constexpr bool cover =
        (... && detail::is_policy<Policies>) &&
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
inline constexpr bool announces = chooses<announce, announce, Policies...>;

/// How many must agree: before somebody leads, may enter, or a view changes.
struct quorum {};
struct anyone { using decides = quorum; };     // whoever is within reach: one leader on each side
struct majority { using decides = quorum; };   // more than half of all, one vote each at a time

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
