// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port.hpp>
#include <caucus/core/process.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <variant>

namespace support {

/// Suzuki & Kasami, TOCS 3(4), 1985, as printed. For three nodes; node 0 has the token at first.
struct textbook_suzuki_kasami {
    static constexpr std::size_t nodes = 3;
    using numbers = std::array<std::uint8_t, nodes>;
    struct privilege {
        numbers served;        // LN
        std::uint8_t waiting;  // how many there are in Q
        numbers queue;         // Q
    };
    struct wish { std::uint8_t number; };
    using message = std::variant<wish, privilege>;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;

    std::uint8_t self = 0;
    bool inside = false;
    numbers asked{};                       // RN
    std::optional<privilege> token{};

    explicit textbook_suzuki_kasami(std::size_t v) : self(static_cast<std::uint8_t>(v)) {
        if (v == 0) token.emplace(privilege{});
    }

    void start(auto&) {}
    void request(auto& env) {
        if (token) inside = true;
        else env.broadcast(wish{++asked[self]});
    }
    void release(auto& env) {
        inside = false;
        token->served[self] = asked[self];
        for (std::uint8_t j = 0; j < nodes; ++j)
            if (!is_queued(j) && asked[j] == token->served[j] + 1)
                token->queue[token->waiting++] = j;
        if (token->waiting == 0) return;
        const std::uint8_t first = token->queue[0];
        --token->waiting;
        for (std::size_t i = 0; i + 1 < nodes; ++i) token->queue[i] = token->queue[i + 1];
        token->queue[nodes - 1] = 0;
        pass_to(first, env);
    }
    bool holds() const { return inside; }

    void on(wish w, caucus::port from, auto& env) {
        const auto j = static_cast<std::uint8_t>((self + 1 + from.index()) % nodes);
        if (asked[j] < w.number) asked[j] = w.number;
        if (token && !inside && asked[j] == token->served[j] + 1) pass_to(j, env);
    }
    void on(const privilege& m, caucus::port, auto&) {
        token = m;
        inside = true;
    }

    static auto fields(auto& p) { return std::tie(p.self, p.inside, p.asked, p.token); }

private:
    bool is_queued(std::uint8_t j) const {
        for (std::size_t i = 0; i < token->waiting; ++i)
            if (token->queue[i] == j) return true;
        return false;
    }
    void pass_to(std::uint8_t j, auto& env) {
        env.send(caucus::port{(j + nodes - self - 1) % nodes}, *token);
        token.reset();
    }
};

}  // namespace support
