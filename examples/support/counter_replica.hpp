// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>
#include <caucus/multicast/outcomes.hpp>

#include <cstdint>
#include <optional>
#include <tuple>
#include <variant>

/// What is sent to everybody, in one order.
struct add { int amount; };
struct state { std::uint64_t view; int total; };   // as that view began: for those who come in it
using change = std::variant<add, state>;

/// A counter of which each member has a copy: active replication. All apply the same additions in
/// the same order. The first member sends the state at the beginning of each view; who has none yet
/// adds what has come in that view meanwhile. It is nothing but a listener to a group, and a log
/// for a `client`.
template <class Id>
class counter_replica {
public:
    /// The first members begin with 0, all others knowing nothing.
    counter_replica(Id self, bool is_first) : self_(self), knows_(is_first) {}

    void hear(const auto& outcome) {
        caucus::visit_kind(outcome, [&](const auto& kind) { note(kind); });
    }
    std::optional<int> total() const { return knows_ ? std::optional{total_} : std::nullopt; }
    /// What this member is to send, if it has not yet.
    std::optional<state> to_tell() const { return to_tell_; }
    void told() { to_tell_.reset(); }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.view_, self.knows_, self.total_, self.to_tell_);
    }

private:
    void note(const caucus::view<Id>& v) {
        view_ = v.number;
        if (!knows_) total_ = 0;
        to_tell_.reset();
        if (knows_ && v.members.front().id == self_) to_tell_ = state{view_, total_};
    }
    void note(const caucus::delivered<Id, change>& d) {
        if (const auto* more = std::get_if<add>(&d.payload)) total_ += more->amount;
        else become_knowing(std::get<state>(d.payload));
    }
    void note(caucus::departed) { knows_ = false; }
    void note(caucus::expelled) { knows_ = false; }
    void note(const auto&) {}

    void become_knowing(const state& s) {
        if (knows_ || s.view != view_) return;   // of an earlier view: sent again, and too old
        total_ += s.total;
        knows_ = true;
    }

    Id self_;
    std::uint64_t view_ = 0;
    bool knows_;
    int total_ = 0;                   // if it does not know: of this view alone
    std::optional<state> to_tell_{};
};
