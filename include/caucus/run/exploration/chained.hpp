// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/exploration/handler_memo.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace caucus::exploration {

/// A process or message, by its number, and the length of the longest chain of messages that led
/// to it.
struct in_chain {
    std::uint32_t number = 0;
    std::uint32_t place = 0;
};

struct chained_tables {
    table<in_chain> chained_processes;
    table<in_chain> chained_messages;
};

/// The same processes, whose messages also carry the length of the longest chain of messages that
/// led to them. Exploring these gives the longest causal chain over all schedules.
class chained final : private chained_tables, public handler_memo {
public:
    explicit chained(handler_memo& plain)
        : handler_memo(plain.is(), chained_processes, chained_messages, plain.timer_values()),
          plain_(plain) {}

    /// Of all messages that came up.
    std::uint64_t longest() const {
        std::uint64_t found = 0;
        for (std::uint32_t i = 0; i < chained_messages.size(); ++i)
            if (found < chained_messages[i].place) found = chained_messages[i].place;
        return found;
    }

    std::uint32_t made(node v) override { return chained_processes.index_of({plain_.made(v), 0}); }
    void print_process(std::string& to, std::uint32_t index) const override {
        plain_.print_process(to, chained_processes[index].number);
    }
    void print_message(std::string& to, std::uint32_t index) const override {
        plain_.print_message(to, chained_messages[index].number);
    }
    void print_timer(std::string& to, std::uint32_t index) const override {
        plain_.print_timer(to, index);
    }

    bool is_decision(std::uint32_t timer) const override { return plain_.is_decision(timer); }

    ending once(std::uint32_t process, std::size_t degree, stimulus in,
                std::vector<std::uint32_t>& script, std::vector<std::uint32_t>& sides) override {
        auto [number, reached] = chained_processes[process];
        if (in.what == stimulus::kind::arrival) {
            const in_chain m = chained_messages[in.value];
            if (reached < m.place) reached = m.place;
            in.value = m.number;
        }
        ending e = plain_.once(number, degree, in, script, sides);
        e.process = chained_processes.index_of({e.process, reached});
        for (effect& f : e.effects) {
            if (f.asker != 0)
                f.asker = chained_processes.index_of({f.asker - 1, reached}) + 1;
            if (f.what == effect::kind::send)
                f.value = chained_messages.index_of({f.value, reached + 1});
        }
        return e;
    }

private:
    handler_memo& plain_;
};

}  // namespace caucus::exploration
