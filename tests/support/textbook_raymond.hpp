// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port.hpp>
#include <caucus/core/process.hpp>

#include <optional>
#include <variant>
#include <vector>

namespace support {

/// Raymond, ACM TOCS 7(1), 1989, as printed: HOLDER, USING, REQUEST_Q, ASKED, and two procedures
/// after every event. No fences, no guards.
struct textbook_raymond {
    struct wish {};
    struct privilege {};
    using message = std::variant<wish, privilege>;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;
    using someone = std::optional<caucus::port>;   // a neighbour, or the node itself

    someone holder{};
    bool in = false;
    bool asked = false;
    std::vector<someone> queue{};

    void start(auto&) {}
    void request(auto& env) {
        queue.push_back(someone{});
        step(env);
    }
    void release(auto& env) {
        in = false;
        step(env);
    }
    bool holds() const { return in; }

    void on(wish, caucus::port from, auto& env) {
        queue.push_back(from);
        step(env);
    }
    void on(privilege, caucus::port, auto& env) {
        holder = someone{};
        step(env);
    }

private:
    void step(auto& env) {
        if (!holder && !in && !queue.empty()) {
            holder = queue.front();
            queue.erase(queue.begin());
            asked = false;
            if (holder) env.send(*holder, privilege{});
            else in = true;
        }
        if (holder && !queue.empty() && !asked) {
            asked = true;
            env.send(*holder, wish{});
        }
    }
};

}  // namespace support
