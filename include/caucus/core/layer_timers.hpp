// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/fields.hpp>
#include <caucus/core/inner_environment.hpp>
#include <caucus/core/kind.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/core/time.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace caucus {

namespace detail {

/// Does P say how many timers it may have armed at once, for its degree? By a static function
/// `timers(degree)` or, where only the instance knows, by a const one.
template <class P>
concept counts_its_timers = requires(const P& p) { p.timers(std::size_t{}); };
template <class P>
concept only_the_instance_counts_its_timers =
    counts_its_timers<P> && !requires { P::timers(std::size_t{}); };

/// How many timers P may have armed at once: what it says, or one for each kind.
template <class P>
constexpr std::size_t timers_armed_by([[maybe_unused]] const P& process,
                                      [[maybe_unused]] std::size_t degree) {
    if constexpr (counts_its_timers<P>) return process.timers(degree);
    else return kinds_of<typename P::timer>;
}
/// The same where the type tells.
template <class P>
constexpr std::size_t timers_armed_by([[maybe_unused]] std::size_t degree) {
    static_assert(!only_the_instance_counts_its_timers<P>, "only_the_instance_counts_its_timers");
    if constexpr (counts_its_timers<P>) return P::timers(degree);
    else return kinds_of<typename P::timer>;
}

/// How many timers of P there must be room for in place, at N ports. Where only the instance
/// counts them, that is what P itself would have room for; 0 if it has that on the heap.
template <class P, std::size_t N>
constexpr std::size_t room_in_place() {
    if constexpr (!only_the_instance_counts_its_timers<P>) return timers_armed_by<P>(N);
    else if constexpr (requires { P::storage_type::capacity; }) return P::storage_type::capacity;
    else return 0;
}

/// Where an endpoint keeps the timers of a layer over P that has one per port and `Own` others.
template <class Storage, class P, std::size_t Own>
struct room_for_timers_over {
    using type = heap_storage;
};
template <std::size_t N, class P, std::size_t Own>
    requires(!only_the_instance_counts_its_timers<P> || room_in_place<P, N>() != 0)
struct room_for_timers_over<inplace_storage<N>, P, Own> {
    using type = inplace_storage<N + Own + room_in_place<P, N>()>;
};

/// How many timers P may have armed at once where all is kept in place; 0 where it is not.
template <class Storage, class P>
inline constexpr std::size_t timers_in_place = 0;
template <std::size_t N, class P>
inline constexpr std::size_t timers_in_place<inplace_storage<N>, P> = room_in_place<P, N>();

/// Where an endpoint keeps them, if the layer over P has none of its own.
template <class Storage, class P>
using room_for_timers_of =
    std::conditional_t<timers_in_place<Storage, P> == 0, heap_storage,
                       inplace_storage<timers_in_place<Storage, P>>>;

/// Where an endpoint keeps the timers of P, and `Own` of a layer over it: in place, if P's are.
template <class P, std::size_t Own = 0>
constexpr auto room_for_timers() {
    if constexpr (!counts_its_timers<P>)
        return inplace_storage<Own + kinds_of<typename P::timer>>{};
    else if constexpr (requires { P::storage_type::capacity; })
        return inplace_storage<Own + P::storage_type::capacity>{};
    else return heap_storage{};
}

}  // namespace detail

/// Which timers of the process inside are armed, for a layer that may replace that process by a
/// fresh one: a timer that the old one armed must not fire in the new one.
///
/// `Most`    how many, where they are to stay in place; 0: as many as there are, on the heap unless
///           each kind has one name only.
template <class Timer, std::size_t Most = 0>
class inner_timers {
public:
    /// `Outer` is the layer's own timer type.
    template <class Outer>
    constexpr void arm(const Timer& t, ticks delay, auto& env) {
        strike(t);
        armed_.push_back(t);
        env.arm(Outer{inner_timer<Timer>{t}}, delay);
    }
    template <class Outer>
    constexpr void disarm(const Timer& t, auto& env) {
        strike(t);
        env.disarm(Outer{inner_timer<Timer>{t}});
    }
    template <class Outer>
    constexpr void disarm_all(auto& env) {
        for (const Timer& t : armed_) env.disarm(Outer{inner_timer<Timer>{t}});
        armed_.clear();
    }
    /// It has fired.
    constexpr void strike(const Timer& t) {
        for (std::size_t i = 0; i < armed_.size(); ++i)
            if (caucus::same(armed_[i], t)) {
                armed_[i] = armed_[armed_.size() - 1];
                return armed_.pop_back();
            }
    }

    static constexpr auto fields(auto& self) { return std::tie(self.armed_); }

private:
    static constexpr std::size_t most = detail::all_kinds_plain<Timer>() ? kinds_of<Timer> : Most;
    std::conditional_t<most != 0, inplace_sequence<Timer, most>, std::vector<Timer>> armed_{};
};
template <std::size_t Most>
class inner_timers<nothing, Most> {
public:
    template <class Outer>
    constexpr void disarm_all(auto&) {}
    constexpr void strike(nothing) {}
    static constexpr auto fields(auto&) { return std::tuple<>{}; }
};

}  // namespace caucus
