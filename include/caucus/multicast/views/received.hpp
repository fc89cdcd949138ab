// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port.hpp>
#include <caucus/multicast/outcomes.hpp>
#include <caucus/multicast/views/change.hpp>
#include <caucus/multicast/views/messages.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>

namespace caucus::detail {

/// What one member has delivered in its view. It keeps all of it until the view ends, for others
/// that may not have got it: the view ends when there is no more room.
template <class Id, class Payload>
class received_messages {
    using messages = view_messages<Id, Payload>;

public:
    constexpr void begin(std::size_t members) { rows_.assign(members, {}); }
    constexpr void forget() { rows_.clear(); }

    constexpr const messages_by_rank<Payload>& rows() const { return rows_; }
    constexpr std::size_t count(std::size_t rank) const { return rows_[rank].size(); }
    constexpr bool is_full(std::size_t messages_max) const {
        for (const auto& of_one : rows_)
            if (of_one.size() >= messages_max) return true;
        return false;
    }

    constexpr void deliver(std::size_t rank, const Payload& p, const view<Id>& in, auto& env) {
        rows_[rank].push_back(p);
        env.report(typename messages::outcome{delivered<Id, Payload>{in.members[rank].id, p}});
    }
    /// What others have had and this one has not.
    constexpr void deliver_rest(const messages_by_rank<Payload>& agreed, const view<Id>& in,
                                auto& env) {
        for (std::size_t rank = 0; rank < agreed.size() && rank < rows_.size(); ++rank)
            for (std::size_t i = count(rank); i < agreed[rank].size(); ++i)
                deliver(rank, agreed[rank][i], in, env);
    }
    constexpr void send_all_of(std::size_t rank, port to, std::uint64_t view, auto& env) const {
        for (std::size_t i = 0; i < count(rank); ++i)
            env.send(to, typename messages::message{
                             typename messages::data{view, i, rows_[rank][i]}});
    }

    static constexpr auto fields(auto& self) { return std::tie(self.rows_); }

private:
    messages_by_rank<Payload> rows_{};
};

}  // namespace caucus::detail
