// The parts and processes that the files of this folder put together wrongly.
// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/dispatch.hpp>
#include <caucus/core/process.hpp>

#include <cstddef>
#include <variant>

template <class Message, caucus::guarantee Guarantees>
struct test_channel {
    static constexpr caucus::guarantee guarantees = Guarantees;
    std::size_t degree() const { return 1; }
    void send(caucus::port, const Message&) {}
};

struct test_clock {
    caucus::ticks now() const { return 0; }
};
struct test_listener {
    void operator()(const auto&) {}
};
struct nobody {};

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
