// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/outcome.hpp>
#include <caucus/multicast/outcomes.hpp>
#include <caucus/multicast/views/change.hpp>

#include <cstdint>
#include <optional>
#include <tuple>
#include <variant>

namespace caucus::detail {

/// What the members of a group with views say to each other.
template <class Id, class Payload>
struct view_messages {
    using change = detail::change<Id, Payload>;
    using vote = detail::vote<Id, Payload>;

    /// The number-th message of its sender in that view.
    struct data {
        std::uint64_t view;
        std::uint64_t number;
        Payload payload;
        static constexpr auto fields(auto& m) { return std::tie(m.view, m.number, m.payload); }
    };
    struct prepare { std::uint64_t view; attempt in; };
    /// A promise: with all that it has received, and the last change that it has accepted.
    struct answered {
        std::uint64_t view;
        attempt in;
        messages_by_rank<Payload> received;
        std::optional<vote> accepted;
        static constexpr auto fields(auto& m) {
            return std::tie(m.view, m.in, m.received, m.accepted);
        }
    };
    struct refused { std::uint64_t view; attempt promised; };
    struct propose {
        std::uint64_t view;
        attempt in;
        change what;
        static constexpr auto fields(auto& m) { return std::tie(m.view, m.in, m.what); }
    };
    struct accepted { std::uint64_t view; attempt in; };
    struct decide {
        change what;
        static constexpr auto fields(auto& m) { return std::tie(m.what); }
    };
    /// I am in that view, or in none: tell me when you are further.
    struct nudge { std::optional<std::uint64_t> view; caucus::life life; };
    struct joining { caucus::life life; bool again; };   // again: it may have been admitted
    struct leaving { caucus::life life; };

    using message = std::variant<data, prepare, answered, refused, propose, accepted, decide, nudge,
                                 joining, leaving>;
    using outcome = std::variant<view<Id>, delivered<Id, Payload>, departed, expelled, stalled>;
};

}  // namespace caucus::detail
