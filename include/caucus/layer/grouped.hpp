// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/layer.hpp>
#include <caucus/core/storage.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace caucus {

namespace detail {

/// The container of instances, and one of the same size for something else of each.
template <class Instances>
struct group_of {
    template <class T>
    using sequence = std::vector<T>;
    static constexpr std::size_t size_most = 0;   // not known
};
template <class P, std::size_t N>
struct group_of<std::array<P, N>> {
    template <class T>
    using sequence = std::array<T, N>;
    static constexpr std::size_t size_most = N;
};

/// To start all; and of one instance, whatever P lists.
template <class Requests>
struct of_one_each;
template <class... Requests>
struct of_one_each<std::variant<Requests...>> {
    using type = std::variant<request::start, request::of_one<Requests>...>;
};
template <class P>
struct requests_of_group {};
template <class P>
    requires lists_its_requests<P>
struct requests_of_group<P> {
    using requests = typename of_one_each<typename P::requests>::type;
};

/// A function, so that g++ names the reason before it tells how it came there.
template <class Instances, class P, class... Others>
constexpr Instances in_one_array(const P& first, const Others&... others) {
    constexpr bool of_one_type = (... && std::is_same_v<P, Others>);
    static_assert(of_one_type, "needs_instances_of_one_type");
    if constexpr (of_one_type) return Instances{first, others...};
}

/// Room for the timers of N instances of P: where it is not known how many those are, the heap.
template <class P, std::size_t N>
constexpr auto room_for_group() {
    if constexpr (N == 0) return heap_storage{};
    else if constexpr (!counts_its_timers<P>)
        return inplace_storage<N * kinds_of<typename P::timer>>{};
    else if constexpr (requires { P::storage_type::capacity; })
        return inplace_storage<N * P::storage_type::capacity>{};
    else return heap_storage{};
}

}  // namespace detail

/// Many instances of a process over one channel, told apart by number; none hears of another.
///
/// Model     what P assumes; the same instances in the same order at every node
/// Safety    what P promises, of each instance
/// Liveness  what P promises, of each instance
/// Cost      what its instances cost; every message carries a number more
/// Faults    what P stands; a message for an instance that is not there is dropped and counted
///
/// `Instances` a std::array of them stays in place, other ranges become a vector. On an endpoint,
///           a P with timers needs them in place: nothing is allocated there while it runs.
template <class P, class Instances = std::vector<P>>
class grouped : public detail::layer_traits<P>, public detail::requests_of_group<P> {
    using group = detail::group_of<Instances>;

    struct numbered_timer {
        std::uint32_t instance;
        typename P::timer timer;
        static constexpr auto fields(auto& self) { return std::tie(self.instance, self.timer); }
    };
    struct numbered_outcome {
        std::uint32_t instance;
        typename P::outcome outcome;
        static constexpr auto fields(auto& self) { return std::tie(self.instance, self.outcome); }
    };
    /// One that keeps something must not lose what the others have kept.
    struct kept_by_each {
        typename group::template sequence<std::optional<kept_by<P>>> instances{};
        static constexpr auto fields(auto& self) { return std::tie(self.instances); }
    };
    static constexpr bool keeps = !std::is_same_v<kept_by<P>, nothing>;

public:
    using process_type = P;
    template <class Env>
    class inside;
    struct addressed {
        std::uint32_t instance;
        typename P::message content;
        static constexpr auto fields(auto& self) { return std::tie(self.instance, self.content); }
    };
    using message = addressed;
    using timer = std::conditional_t<kinds_of<typename P::timer> == 0, nothing, numbered_timer>;
    using outcome = std::conditional_t<kinds_of<typename P::outcome> == 0, nothing,
                                       numbered_outcome>;
    using kept = std::conditional_t<keeps, kept_by_each, nothing>;
    using storage_type = decltype(detail::room_for_group<P, group::size_most>());

    static constexpr model assumes = assumptions_of<P>();
    static constexpr std::size_t timers(std::size_t degree)
        requires(group::size_most != 0 && !detail::only_the_instance_counts_its_timers<P>)
    {
        return group::size_most * detail::timers_armed_by<P>(degree);
    }
    constexpr std::size_t timers(std::size_t degree) const
        requires(group::size_most != 0 && detail::only_the_instance_counts_its_timers<P>)
    {
        std::size_t sum = 0;
        for (const P& each : instances_) sum += each.timers(degree);
        return sum;
    }

    template <class Range>
    constexpr explicit grouped(const Range& instances) : instances_(gathered(instances)) {
        if constexpr (keeps && group::size_most == 0) memory_.instances.resize(size());
    }
    /// Two or more, one by one: in place.
    template <class... Others>
        requires(sizeof...(Others) != 0)
    constexpr explicit grouped(const P& first, const Others&... others)
        : instances_(detail::in_one_array<Instances>(first, others...)) {}

    constexpr void start(auto& env) { static_cast<void>(on(request::start{}, env)); }
    /// The first answer other than `accepted`, if there is one.
    template <class Env>
    constexpr answer on(request::start, Env& env) {
        answer said = answer::accepted;
        if constexpr (takes<P, request::start, inside<Env>>)
            for (std::size_t i = 0; i < size(); ++i)
                if (const answer each = start_one(i, env); said == answer::accepted) said = each;
        return said;
    }
    constexpr answer start_one(std::size_t i, auto& env) {
        return ask_one(i, request::start{}, env);
    }
    template <class Env>
    static constexpr bool goes_on_after_a_crash() {
        return caucus::goes_on_after_a_crash<P, inside<Env>>;
    }
    template <class Request, class Env>
        requires(request_to<Request, P> && takes<P, Request, inside<Env>>)
    constexpr answer on(const request::of_one<Request>& r, Env& env) {
        return ask_one(r.instance, r.what, env);
    }

    constexpr void on(const addressed& m, port from, auto& env) {
        if (is_unknown(m.instance)) return static_cast<void>(++dropped_);
        auto within = inside_of(m.instance, env);
        dispatch(instances_[m.instance], m.content, from, within);
    }
    constexpr void on(const numbered_timer& t, auto& env) {
        auto within = inside_of(t.instance, env);
        dispatch(instances_[t.instance], expiry<typename P::timer>{t.timer}, within);
    }

    template <class Env>
    constexpr void on(suspect s, Env& env) requires listens_to<P, suspect, inside<Env>> {
        pass(s, env);
    }
    template <class Env>
    constexpr void on(trust t, Env& env) requires listens_to<P, trust, inside<Env>> {
        pass(t, env);
    }
    constexpr void on(const recovered<kept>& r, auto& env) {
        if constexpr (keeps) {
            if (r.last) memory_ = *r.last;
            // There may have been fewer in the last life.
            if constexpr (group::size_most == 0) memory_.instances.resize(size());
        }
        for (std::size_t i = 0; i < size(); ++i) {
            recovered<kept_by<P>> own{r.incarnation, std::nullopt};
            if constexpr (keeps) own.last = memory_.instances[i];
            auto within = inside_of(i, env);
            tell(instances_[i], own, within);
        }
    }

    constexpr std::size_t size() const { return instances_.size(); }
    constexpr const P& operator[](std::size_t i) const { return instances_[i]; }
    constexpr const P& instance(std::size_t i) const { return instances_[i]; }
    /// What P answers, each instance for itself.
    constexpr auto leader(std::size_t i) const requires requires(const P& p) { p.leader(); } {
        return instances_[i].leader();
    }
    constexpr bool is_leader(std::size_t i) const requires requires(const P& p) { p.is_leader(); } {
        return instances_[i].is_leader();
    }
    constexpr auto epoch(std::size_t i) const requires requires(const P& p) { p.epoch(); } {
        return instances_[i].epoch();
    }
    constexpr bool holds(std::size_t i) const requires requires(const P& p) { p.holds(); } {
        return instances_[i].holds();
    }
    /// The first that any of them has.
    constexpr const char* objection(std::size_t degree) const {
        const char* found = nullptr;
        for (std::size_t i = 0; found == nullptr && i < size(); ++i)
            found = detail::objection_of(instances_[i], degree);
        return found;
    }
    /// Messages that were meant for none of these instances.
    constexpr std::uint64_t dropped() const { return dropped_; }

    static constexpr auto fields(auto& self) {
        return std::tie(self.instances_, self.memory_, self.dropped_);
    }

private:
    template <class Range>
    static constexpr Instances gathered(const Range& instances) {
        if constexpr (std::is_same_v<Range, Instances>) return instances;
        else return Instances(instances.begin(), instances.end());
    }

    /// Another node has more instances than this one. Let in, it would reach memory past the last.
    constexpr bool is_unknown(std::size_t i) const { return i >= size(); }

    template <class Env>
    constexpr inside<Env> inside_of(std::size_t instance, Env& env) {
        return inside<Env>{env, *this, instance};
    }
    constexpr answer ask_one(std::size_t i, const auto& request, auto& env) {
        if (is_unknown(i)) return answer::no_such_instance;
        auto within = inside_of(i, env);
        return dispatch(instances_[i], request, within);
    }
    constexpr void pass(const auto& word, auto& env) {
        for (std::size_t i = 0; i < size(); ++i) {
            auto within = inside_of(i, env);
            tell(instances_[i], word, within);
        }
    }
    constexpr void keep(std::size_t i, const kept_by<P>& value, auto& env) {
        memory_.instances[i] = value;
        env.keep(memory_);
    }

    Instances instances_;
    [[no_unique_address]] kept memory_{};
    std::uint64_t dropped_ = 0;
};

/// What leaves carries the number of its instance.
template <class P, class Instances>
template <class Env>
class grouped<P, Instances>::inside : public inner_environment<inside<Env>, grouped, Env> {
public:
    constexpr inside(Env& outer, grouped& layer, std::size_t instance)
        : inner_environment<inside, grouped, Env>(outer), layer_(layer),
          instance_(static_cast<std::uint32_t>(instance)) {}
    constexpr void send(port p, const typename P::message& m) {
        this->outer_.send(p, message{instance_, m});
    }
    constexpr void arm(const typename P::timer& t, ticks delay) {
        this->outer_.arm(timer{instance_, t}, delay);
    }
    constexpr void disarm(const typename P::timer& t) {
        this->outer_.disarm(timer{instance_, t});
    }
    constexpr void report(const typename P::outcome& o) {
        this->outer_.report(outcome{instance_, o});
    }
    constexpr void keep(const kept_by<P>& value) requires keeps {
        layer_.keep(instance_, value, this->outer_);
    }

private:
    grouped& layer_;
    std::uint32_t instance_;
};

template <class Range>
grouped(const Range&)
    -> grouped<std::remove_cvref_t<decltype(*std::declval<const Range&>().begin())>>;
template <class P, std::size_t N>
grouped(const std::array<P, N>&) -> grouped<P, std::array<P, N>>;
template <class P, class... Others>
    requires(sizeof...(Others) != 0)
grouped(const P&, const Others&...) -> grouped<P, std::array<P, 1 + sizeof...(Others)>>;

}  // namespace caucus
