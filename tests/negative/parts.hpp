// The parts and processes that the files of this folder put together wrongly.
// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/dispatch.hpp>
#include <caucus/core/identity.hpp>
#include <caucus/core/process.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <variant>

// 1 where the program must compile, else 0: ask by #if or in an expression, never by #ifdef.
#ifndef CAUCUS_CONTROL
#define CAUCUS_CONTROL 0
#endif

template <class Message, caucus::guarantee Guarantees>
struct test_channel {
    static constexpr caucus::guarantee guarantees = Guarantees;
    std::size_t degree() const { return 1; }
    void send(caucus::port, const Message&) {}
};

inline constexpr caucus::guarantee reordering =
    caucus::guarantee::reliable | caucus::guarantee::no_duplicates;

struct test_clock {
    caucus::ticks now() const { return 0; }
};
struct test_listener {
    void operator()(const auto&) {}
};
struct nobody {};
namespace parts {
inline test_clock clock;
inline test_listener listener;
}  // namespace parts

struct ping {};
struct overdue {};

// Handles all it has, and assumes what it is told to.
template <caucus::shape Shape, caucus::guarantee Links = caucus::guarantee::none>
struct assuming {
    using message = ping;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;
    static constexpr caucus::model assumes = {Shape, Links, caucus::naming::anonymous};

    constexpr void start(auto& env) { env.broadcast(ping{}); }
    constexpr void on(ping, caucus::port, auto&) {}
};

// A process with one kind of message and one of timer, for the others to spoil.
struct complete_process {
    using message = ping;
    using timer = overdue;
    using outcome = caucus::nothing;

    constexpr void start(auto& env) { env.arm(overdue{}, 1); }
    constexpr void on(ping, caucus::port, auto&) {}
    constexpr void on(overdue, auto&) {}
};

// Has no handler for one of its kinds of message.
struct deaf {
    using message = std::variant<ping, overdue>;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;

    constexpr void start(auto& env) { env.broadcast(ping{}); }
    constexpr void on(ping, caucus::port, auto&) {}
};

// Has none for its timer: the one below hides both of the base.
struct late : complete_process {
    constexpr void on(ping, caucus::port, auto&) {}
};

// Never comes to rest.
struct restless : complete_process {
    static constexpr bool perpetual = true;
};

// Regular, as an id must be; whether it can be described is told.
template <bool Described>
class serial {
public:
    constexpr serial() = default;
    constexpr explicit serial(std::size_t number) : number_(number) {}
    friend constexpr bool operator==(serial, serial) = default;
    friend constexpr bool operator<(serial a, serial b) { return a.number_ < b.number_; }
    static constexpr auto fields(auto& self) requires Described { return std::tie(self.number_); }

private:
    std::size_t number_ = 0;
};

// Sends its id round.
template <class Id>
struct greeter {
    struct hello { Id from; };
    using message = hello;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;
    void start(auto& env) { env.send(caucus::next, hello{Id{1}}); }
    void on(const hello&, caucus::port, auto&) {}
};

// The number of a node, or no id at all.
template <bool Named>
constexpr auto id_of(caucus::node v) {
    if constexpr (Named) return v.index;
    else return caucus::anonymous{};
}
