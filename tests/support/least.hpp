// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/input.hpp>

#include <cstddef>
#include <vector>

namespace support {

/// The least process a layer must carry: one kind of message, no timer, no outcome. Greets every
/// neighbour when first started and writes down what it hears.
struct greeter {
    struct greeting { int number; };
    using message = greeting;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;

    int number = 0;
    std::vector<int> heard{};
    bool started = false;

    constexpr void start(auto& env) {
        if (!started) env.broadcast(greeting{number});
        started = true;
    }
    constexpr void on(greeting g, caucus::port, auto&) { heard.push_back(g.number); }
};

/// Inherit it to object to every degree but three.
struct three_ports_only {
    static constexpr const char* words = "three ports, or none of it";
    static constexpr const char* objection(std::size_t degree) {
        return degree == 3 ? nullptr : words;
    }
};

/// Says nothing, and writes down what the detector says.
struct bystander {
    using message = caucus::nothing;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;
    struct word {
        caucus::port whom;
        bool suspected;
        friend constexpr bool operator==(word, word) = default;
    };

    std::vector<word> words{};
    std::vector<std::optional<caucus::incarnation>> lives{};   // that the words speak of

    constexpr void start(auto&) {}
    constexpr void on(caucus::suspect s, auto&) {
        words.push_back({s.whom, true});
        lives.push_back(s.life);
    }
    constexpr void on(caucus::trust t, auto&) {
        words.push_back({t.whom, false});
        lives.push_back(t.life);
    }
};

}  // namespace support
