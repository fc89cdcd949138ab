// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/dispatch.hpp>
#include <caucus/core/environment.hpp>
#include <caucus/core/input.hpp>
#include <caucus/core/kind.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/request.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/multicast/outcomes.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

// A multicast that delivers what a test says, for orders above it, and the member that has it.

namespace support {

/// The least multicast there is: what arrives is delivered, and what is lost is missed.
template <class Payload, caucus::ordering Order, class... Own>
class hand_fed {
public:
    struct arrival {
        int from;
        Payload payload;
        static constexpr auto fields(auto& m) { return std::tie(m.from, m.payload); }
    };
    using message = std::variant<arrival, caucus::missed<int>, Own...>;
    using timer = caucus::nothing;
    using outcome = std::variant<caucus::delivered<int, Payload>, caucus::missed<int>, Own...>;
    using payload = Payload;
    using requests = std::variant<caucus::request::start, caucus::request::broadcast<Payload>>;
    template <class Other>
    using with_payload = hand_fed<Other, Order, Own...>;
    static constexpr caucus::ordering delivers = Order;

    explicit hand_fed(int self) : self_(self) {}
    template <class Other>
        requires(!std::is_same_v<Other, Payload>)
    explicit hand_fed(const hand_fed<Other, Order, Own...>& like) : self_(like.id()) {}

    void start(auto&) {}
    caucus::answer broadcast(const Payload& p, auto& env) {
        env.send(caucus::port{0}, message{arrival{self_, p}});
        if (refuses) return caucus::answer::blocked;
        env.report(outcome{caucus::delivered<int, Payload>{self_, p}});
        return caucus::answer::accepted;
    }
    void on(const arrival& a, caucus::port, auto& env) {
        env.report(outcome{caucus::delivered<int, Payload>{a.from, a.payload}});
    }
    template <class Kind>
        requires std::same_as<Kind, caucus::missed<int>> || (... || std::same_as<Kind, Own>)
    void on(const Kind& k, caucus::port, auto& env) {
        env.report(outcome{k});
    }
    int id() const { return self_; }
    static constexpr auto fields(auto& self) { return std::tie(self.self_); }

    static inline bool refuses = false;

private:
    int self_;
};

/// A process with an order over hand_fed<char, …>, fed by hand.
template <class Order>
class fed_member {
    using inner = typename Order::process_type;
    using arrival = typename inner::arrival;

public:
    explicit fed_member(Order o) : order_(std::move(o)) {}

    /// What travels.
    arrival sends(char c) {
        CAUCUS_ASSERT(order_.broadcast(c, *this) == caucus::answer::accepted);
        return last_;
    }
    caucus::answer tries(char c) { return order_.broadcast(c, *this); }
    void gets(const arrival& a) { order_.on(a, caucus::port{0}, *this); }
    void hears(const auto& kind) { order_.on(kind, caucus::port{0}, *this); }
    void comes_back(std::uint32_t life) {
        order_.on(caucus::recovered<>{caucus::incarnation{life}, {}}, *this);
    }
    /// "a" for what was delivered, "(2 of 1)" for what was missed, since the last time.
    std::string told() { return std::exchange(told_, {}); }
    const Order& operator*() const { return order_; }

    // Its environment
    std::size_t degree() const { return 1; }
    void send(caucus::port, const typename Order::message& m) { last_ = std::get<arrival>(m); }
    void broadcast(const typename Order::message& m) { send(caucus::port{0}, m); }
    void report(const typename Order::outcome& o) {
        caucus::visit_kind(o, [&]<class Kind>(const Kind& k) {
            if constexpr (requires { k.payload; }) told_ += k.payload;
            else if constexpr (requires { k.count; })
                told_ += "(" + std::to_string(k.count) + " of " + std::to_string(k.from) + ")";
            else if constexpr (requires { k.needed; }) told_ += "!" + std::to_string(k.needed);
            else told_ += "|";
        });
    }

private:
    Order order_;
    arrival last_{};
    std::string told_;
};

}  // namespace support
