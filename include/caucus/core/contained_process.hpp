// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/environment.hpp>
#include <caucus/core/layer_timers.hpp>
#include <caucus/core/objection.hpp>
#include <caucus/core/port.hpp>
#include <caucus/core/time.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace caucus {

/// What a layer keeps to itself, said by name: `static constexpr withheld withholds = …`.
enum class withheld : std::uint8_t { nothing = 0, suspicions = 1, outcomes = 2, lives = 4 };
constexpr withheld operator|(withheld a, withheld b) {
    return static_cast<withheld>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool includes(withheld set, withheld one) {
    return (static_cast<unsigned>(set) & static_cast<unsigned>(one)) != 0;
}

namespace detail {

/// What a layer says of itself because P does.
template <class P>
struct layer_traits {
    static constexpr bool tosses_coins = caucus::tosses_coins<P>;
    static constexpr bool reads_clock = caucus::reads_clock<P>;
    static constexpr bool perpetual = caucus::perpetual<P>;
    static constexpr bool outlives_peers = caucus::outlives_peers<P>;
    static constexpr bool all_must_start = caucus::all_must_start<P>;
    static constexpr bool elects_again = caucus::elects_again<P>;
    static constexpr bool breaks_if_late = caucus::breaks_if_late<P>;
};

/// The process inside a layer, and what can be asked of it without an environment: each question
/// that P answers, the layer does.
///
/// `Held`    how P is kept: P itself, or std::optional<P> for a layer that begins afresh with it.
template <class Layer, class P, class Held>
class contained_process : public layer_traits<P> {
public:
    /// How many ports P sees.
    static constexpr std::size_t degree_inside(std::size_t degree) { return degree; }
    /// How many timers may be armed at once: the layer's own, and those of P. A constant, unless
    /// only P's instance knows. (L is Layer, which is complete when somebody calls, not here.)
    template <class L = Layer>
        requires(!only_the_instance_counts_its_timers<P>)
    static constexpr auto timers(std::size_t degree) -> decltype(L::own_timers(degree)) {
        return L::own_timers(degree) + timers_armed_by<P>(L::degree_inside(degree));
    }
    template <class L = Layer>
        requires only_the_instance_counts_its_timers<P>
    constexpr auto timers(std::size_t degree) const -> decltype(L::own_timers(degree)) {
        return L::own_timers(degree) + inner().timers(L::degree_inside(degree));
    }

    constexpr const P& process() const { return contained(process_); }

    constexpr decltype(auto) id() const requires requires(const P& p) { p.id(); } {
        return inner().id();
    }
    constexpr decltype(auto) peers() const requires requires(const P& p) { p.peers(); } {
        return inner().peers();
    }
    constexpr auto leader() const requires requires(const P& p) { p.leader(); } {
        return inner().leader();
    }
    constexpr bool is_leader() const requires requires(const P& p) { p.is_leader(); } {
        return inner().is_leader();
    }
    constexpr bool is_follower() const requires requires(const P& p) { p.is_follower(); } {
        return inner().is_follower();
    }
    constexpr bool is_eligible() const requires requires(const P& p) { p.is_eligible(); } {
        return inner().is_eligible();
    }
    constexpr auto epoch() const requires requires(const P& p) { p.epoch(); } {
        return inner().epoch();
    }
    constexpr bool holds() const requires requires(const P& p) { p.holds(); } {
        return inner().holds();
    }
    constexpr bool waits() const requires requires(const P& p) { p.waits(); } {
        return inner().waits();
    }
    constexpr auto fence() const requires requires(const P& p) { p.fence(); } {
        return inner().fence();
    }
    constexpr bool suspects(port p) const requires requires(const P& q) { q.suspects(p); } {
        return inner().suspects(p);
    }
    constexpr bool awaits(port p) const requires requires(const P& q) { q.awaits(p); } {
        return inner().awaits(p);
    }
    /// What P was told of its network, for executors that check it.
    constexpr std::size_t ring_size() const requires requires(const P& p) { p.ring_size(); } {
        return inner().ring_size();
    }
    constexpr std::size_t ring_size_most() const
        requires requires(const P& p) { p.ring_size_most(); }
    {
        return inner().ring_size_most();
    }
    constexpr ticks delay_most() const requires requires(const P& p) { p.delay_most(); } {
        return inner().delay_most();
    }
    constexpr const char* objection(std::size_t degree) const {
        return detail::objection_of(inner(), Layer::degree_inside(degree));
    }

protected:
    constexpr explicit contained_process(P process) : process_(std::move(process)) {}

    constexpr P& inner() { return contained(process_); }
    constexpr const P& inner() const { return contained(process_); }

    Held process_;

private:
    template <class H>
    static constexpr auto& contained(H& held) {
        if constexpr (std::is_same_v<std::remove_const_t<H>, P>) return held;
        else return *held;
    }
};

}  // namespace detail

}  // namespace caucus
