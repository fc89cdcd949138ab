// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/layer.hpp>
#include <caucus/layer/refusal_tally.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace caucus {

// What an application asks, and when: the second policy of `client`. A load is a value, and says
// what is still to be asked. In all of them
//   retries   how often a refused request is asked again before it is given up, or for_ever
//   again     whether a process that comes back from a crash begins the load anew
// and for `client` they have
//   decides               if true: its timers are decisions, which explore may make at any time
//   stays                 if true: it asks to enter and leaves of itself, and P must have holds()
//   queues                if true: asks arrive by themselves, told by arrive(), and may wait;
//                         is_served while one is, until has_left()
//   endless, tosses_coins if true
//   wants()               is there anything left to ask?
//   ask(put)              put(request) of what is to be asked now, and its answer
//   goes_on(said, patient)   takes note of that; is the next request to come after thinking?
//   is_to_leave()         once inside: is it to leave next?
//   think_time(env), stay_time(env)

/// So many critical sections, one after the other; ends when one is given up.
///
/// Its timers are no decisions: under timers::after_messages explore lets it ask and leave only
/// when nothing is under way. See at_any_time.
struct sections {
    static constexpr bool stays = true;

    std::uint8_t entries = 1;   // how often it asks
    ticks thinking = 1;         // before each request
    ticks staying = 1;          // inside, before it leaves
    std::uint8_t retries = 3;
    bool again = false;

    constexpr bool wants() const { return entries != 0; }
    constexpr answer ask(auto put) const { return put(request::enter{}); }
    constexpr bool goes_on(answer said, bool patient) {
        if (said != answer::accepted) return patient;
        --entries;
        return false;
    }
    static constexpr bool is_to_leave() { return true; }
    constexpr ticks think_time(auto&) const { return thinking; }
    constexpr ticks stay_time(auto&) const { return staying; }
};

struct script_options {
    ticks thinking = 1;   // before each request
    std::uint8_t retries = 3;
    bool again = false;
};

/// Any requests of P, one after the other; one that is given up is passed over. After an `enter`
/// that was accepted and not cancelled, `leave` is not asked before P is inside.
///     script{in_order(request::enter{}, request::cancel{}, request::leave{}), {.retries = 0}}
///
/// `Request` one request, or a variant of several.
template <class Request>
class script {
public:
    static constexpr bool decides = true;

    constexpr explicit script(std::vector<Request> requests, script_options options = {})
        : retries(options.retries), again(options.again), requests_(std::move(requests)),
          thinking_(options.thinking) {}

    std::uint8_t retries;
    bool again;

    constexpr bool wants() const { return next_ < requests_.size(); }
    constexpr std::size_t left() const { return requests_.size() - next_; }
    constexpr answer ask(auto put) const {
        return visit_kind(requests_[next_], [&](const auto& r) { return put(r); });
    }
    constexpr bool goes_on(answer said, bool patient) {
        if (said == answer::accepted && is<request::enter>()) enters_ = true;
        if (said == answer::accepted && (is<request::cancel>() || is<request::leave>()))
            enters_ = false;
        if (said == answer::not_inside) enters_ = false;   // it was revoked: nobody will be inside
        if (said == answer::accepted || !patient) ++next_;
        return wants() && !is_to_leave();
    }
    constexpr bool is_to_leave() const { return wants() && enters_ && is<request::leave>(); }
    constexpr ticks think_time(auto&) const { return thinking_; }
    constexpr ticks stay_time(auto&) const { return thinking_; }

    static constexpr auto fields(auto& self) {
        return std::tie(self.requests_, self.thinking_, self.retries, self.again, self.next_,
                        self.enters_);
    }

private:
    template <class Kind>
    constexpr bool is() const {
        return visit_kind(requests_[next_], [](const auto& r) {
            return std::is_same_v<std::remove_cvref_t<decltype(r)>, Kind>;
        });
    }

    std::vector<Request> requests_;
    ticks thinking_;
    std::size_t next_ = 0;
    bool enters_ = false;   // has asked to, and has neither left nor given up
};

/// Requests of several kinds in one list, for a script.
template <class First, class... Rest>
constexpr auto in_order(const First& first, const Rest&... rest) {
    using request = typename detail::with_kinds<std::variant<First>, Rest...>::type;
    return std::vector<request>{request{first}, request{rest}...};
}

/// So many ticks, or any number from `least` to `most`, equally likely.
struct between {
    ticks least;
    ticks most;

    constexpr between(ticks fixed = 1) : least(fixed), most(fixed) {}
    constexpr between(ticks from, ticks to) : least(from), most(to) {}

    constexpr ticks draw(auto& env) const {
        if (most <= least) return least;
        return least + env.choose(static_cast<std::size_t>(most - least + 1));
    }
    static constexpr auto fields(auto& self) { return std::tie(self.least, self.most); }
};

/// For ever: asks, stays, leaves, thinks.
struct closed {
    static constexpr bool decides = true;
    static constexpr bool stays = true;
    static constexpr bool endless = true;
    static constexpr bool tosses_coins = true;

    between think = 1;
    between stay = 1;
    std::uint8_t retries = for_ever;
    bool again = true;

    static constexpr bool wants() { return true; }
    static constexpr answer ask(auto put) { return put(request::enter{}); }
    static constexpr bool goes_on(answer said, bool patient) {
        return said != answer::accepted && patient;
    }
    static constexpr bool is_to_leave() { return true; }
    constexpr ticks think_time(auto& env) const { return think.draw(env); }
    constexpr ticks stay_time(auto& env) const { return stay.draw(env); }
};

/// Asks arrive by themselves, at each tick with that probability, whether or not the last one was
/// served. One that is refused waits: until the next arrives, or until P has left. A P whose
/// `request` returns nothing could not refuse: it is not asked to enter again before it has left.
///
/// For `events` alone: the number of those that wait has no bound.
///
/// `Request` what is asked. Default enter, and then it leaves, too.
template <class Request = request::enter>
struct open {
    static constexpr bool decides = true;
    static constexpr bool queues = true;
    static constexpr bool stays = std::is_same_v<Request, request::enter>;
    static constexpr bool endless = true;
    static constexpr bool tosses_coins = true;
    static constexpr std::uint8_t retries = for_ever;
    static constexpr bool again = true;

    constexpr explicit open(double asks_per_tick, between staying = 1, Request asked = {})
        : rate(asks_per_tick), stay(staying), what(std::move(asked)) {}

    double rate;
    between stay;
    Request what;
    std::uint64_t waiting = 0;
    bool is_served = false;   // an `enter` was accepted, and P has not left since

    constexpr const char* objection() const {
        return rate > 0 && rate <= 1 ? nullptr : "its rate of asks is not above 0 and at most 1";
    }

    static constexpr bool wants() { return true; }
    constexpr void arrive() { ++waiting; }
    constexpr answer ask(auto put) const { return put(what); }
    constexpr bool goes_on(answer said, bool) {
        if (said == answer::accepted) {
            --waiting;
            is_served = stays;
        }
        return said == answer::accepted && waiting != 0 && !stays;
    }
    constexpr void has_left() { is_served = false; }
    static constexpr bool is_to_leave() { return true; }
    /// Memoryless: 1 and a geometric number, whose binary digits are independent. Digit k is set
    /// with probability x / (1 + x), where x is the probability that 2^k ticks bring no ask.
    constexpr ticks think_time(auto& env) const {
        constexpr std::size_t sides = 1u << 20;
        ticks wait = 1;
        double none = 1 - rate;
        for (ticks digit = 1; digit < ticks{1} << 40; digit *= 2, none *= none) {
            const auto set = static_cast<std::size_t>(none / (1 + none) * double{sides} + 0.5);
            if (set != 0 && env.choose(sides) < set) wait += digit;
        }
        return wait;
    }
    constexpr ticks stay_time(auto& env) const { return stay.draw(env); }

    static constexpr auto fields(auto& self) {
        return std::tie(self.rate, self.stay, self.what, self.waiting, self.is_served);
    }
};
open(double) -> open<>;
open(double, between) -> open<>;

/// The same load, whose decisions explore may make at any time.
template <class Load>
struct at_any_time : Load {
    static constexpr bool decides = true;

    constexpr explicit at_any_time(Load load) : Load(std::move(load)) {}

    template <class Self>
    static constexpr auto fields(Self& self) {
        return std::tie(static_cast<std::conditional_t<std::is_const_v<Self>, const Load, Load>&>(
            self));
    }
};

}  // namespace caucus
