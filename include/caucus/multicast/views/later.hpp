// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port.hpp>

#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

namespace caucus::detail {

/// Messages that wait for a view, in the order in which they came; so many from each port, and then
/// the oldest of that port is dropped: on links in order it is of the oldest view.
template <class Message>
class later_messages {
public:
    struct one {
        Message what;
        port from;

        static constexpr auto fields(auto& self) { return std::tie(self.what, self.from); }
    };

    constexpr void keep(const Message& what, port from, std::size_t most_of_a_port) {
        std::size_t kept = 0;
        for (const one& o : kept_) kept += o.from == from;
        if (kept >= most_of_a_port) drop_oldest(from);
        kept_.push_back({what, from});
    }
    constexpr std::vector<one> take_all() { return std::exchange(kept_, {}); }
    constexpr void clear() { kept_.clear(); }
    constexpr std::size_t size() const { return kept_.size(); }

    static constexpr auto fields(auto& self) { return std::tie(self.kept_); }

private:
    constexpr void drop_oldest(port from) {
        std::vector<one> rest;
        bool dropped = false;
        for (one& o : kept_) {
            if (!dropped && o.from == from) dropped = true;
            else rest.push_back(std::move(o));
        }
        kept_ = std::move(rest);
    }

    std::vector<one> kept_{};
};

}  // namespace caucus::detail
