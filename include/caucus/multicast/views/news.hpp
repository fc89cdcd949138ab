// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/multicast/views/messages.hpp>
#include <caucus/multicast/views/roster.hpp>
#include <caucus/multicast/views/rules.hpp>

#include <optional>
#include <tuple>

namespace caucus::detail {

/// Whom one member tells of a change of view, and whom it asks, when somebody has missed one: the
/// dead may have decided and told only some. It keeps the last decision; nobody is further behind.
template <class Id, class Payload, class Rules>
class news {
    using messages = view_messages<Id, Payload>;
    using message = typename messages::message;
    using change = typename messages::change;
    using group = roster<Id, Rules>;

public:
    constexpr void keep(const change& c) { last_ = c; }
    constexpr void note_nudger(port p) { nudgers_.insert(p); }
    constexpr void forget_nudgers() { nudgers_.clear(); }
    constexpr void forget() {
        last_.reset();
        nudgers_.clear();
    }

    constexpr void tell_last(port to, auto& env) const {
        if (last_) env.send(to, message{typename messages::decide{*last_}});
    }
    /// All that have asked in this view, suspected or not.
    constexpr void tell_nudgers(const change& coming, const group& who, auto& env) {
        for (const port p : ports(who.peers.size()))
            if (nudgers_.contains(p)) env.send(p, message{typename messages::decide{coming}});
        nudgers_.clear();
    }

    static constexpr void nudge(port to, const group& who, auto& env) {
        typename messages::nudge word{std::nullopt, who.life};
        if (who.is_member()) word.view = who.now.number;
        env.send(to, message{word});
    }
    static constexpr void nudge_coordinator(const group& who, auto& env) {
        if (!who.is_coordinator()) nudge(*who.slot_of(who.coordinator().id), who, env);
    }
    static constexpr void nudge_all(const group& who, auto& env) {
        for (const port p : ports(who.peers.size()))
            if (!who.suspicions.contains(p)) nudge(p, who, env);
    }
    static constexpr void ask_to_join(bool again, const group& who, auto& env) {
        for (const port p : ports(who.peers.size()))
            if (!who.suspicions.contains(p))
                env.send(p, message{typename messages::joining{who.life, again}});
    }

    static constexpr auto fields(auto& self) { return std::tie(self.last_, self.nudgers_); }

private:
    std::optional<change> last_{};   // what made this view, or ended the last
    port_set<> nudgers_{};
};

}  // namespace caucus::detail
