// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>
#include <caucus/core/port.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace support {

/// The least environment of a part of a process: what it sends and reports, in order.
template <class Message, class Outcome>
struct outbox {
    std::vector<std::pair<caucus::port, Message>> sent{};
    std::vector<Outcome> reported{};

    void send(caucus::port to, const Message& m) { sent.emplace_back(to, m); }
    void report(const Outcome& o) { reported.push_back(o); }

    /// Since the last time, one word each: 0:prepare 2:decide.
    std::string words() {
        std::string all;
        for (const auto& [to, m] : std::exchange(sent, {})) {
            if (!all.empty()) all += ' ';
            all += std::to_string(to.index()) + ':';
            caucus::visit_kind(m, [&]<class Kind>(const Kind&) {
                const caucus::text name = caucus::kind_name<Kind>();
                all.append(name.data(), name.size());
            });
        }
        return all;
    }
};

}  // namespace support
