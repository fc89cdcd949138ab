// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/fields.hpp>
#include <caucus/core/kind.hpp>
#include <caucus/core/request.hpp>
#include <caucus/multicast/outcomes.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

// What a group is good for: an application that does nothing but listen to it. Both are logs for a
// `client`, too, so that they are explored as they are.

/// Leads: the most senior member of the view.
template <class Id>
class leader_by_view {
public:
    explicit leader_by_view(Id self) : self_(self) {}

    void hear(const auto& outcome) {
        caucus::visit_kind(outcome, [&](const auto& kind) { note(kind); });
    }
    std::optional<Id> leader() const { return leader_; }
    bool is_leader() const { return leader_ == self_; }

    static constexpr auto fields(auto& self) { return std::tie(self.self_, self.leader_); }

private:
    void note(const caucus::view<Id>& v) { leader_ = v.members.front().id; }
    void note(caucus::departed) { leader_.reset(); }
    void note(caucus::expelled) { leader_.reset(); }
    void note(const auto&) {}

    Id self_;
    std::optional<Id> leader_{};
};

/// What is sent to everybody, in one order, by whoever wants to be inside alone.
enum class word : std::uint8_t { wish, done };

/// Enters: whose wish is the first of those that are not done. Its place in the order is the fence.
template <class Id>
class lock_by_order {
public:
    explicit lock_by_order(Id self) : self_(self) {}

    void hear(const auto& outcome) {
        caucus::visit_kind(outcome, [&](const auto& kind) { note(kind); });
    }
    void asked(const caucus::request::broadcast<word>& b, caucus::answer said) {
        has_left_ += b.payload == word::done && said == caucus::answer::accepted;
    }
    void asked(const auto&, caucus::answer) {}
    /// It has left as soon as it says so, not when that has come round.
    bool holds() const {
        return !queue_.empty() && queue_.front().who == self_ && has_left_ <= own_done_;
    }
    bool is_waiting() const {
        return !holds() && std::any_of(queue_.begin(), queue_.end(),
                                       [&](const wish& w) { return w.who == self_; });
    }
    std::optional<std::uint64_t> fence() const {
        return holds() ? std::optional{queue_.front().place} : std::nullopt;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.members_, self.queue_, self.heard_, self.has_left_,
                        self.own_done_);
    }

private:
    struct wish { Id who; std::uint64_t place; };

    void note(const caucus::delivered<Id, word>& d) {
        ++heard_;
        if (d.payload == word::wish) return queue_.push_back({d.from, heard_});
        own_done_ += d.from == self_;
        const auto is_of_sender = [&](const wish& w) { return w.who == d.from; };
        const auto first = std::find_if(queue_.begin(), queue_.end(), is_of_sender);
        if (first != queue_.end()) queue_.erase(first);
    }
    /// Whoever was not in the last view as well, in the same life, has died meanwhile.
    void note(const caucus::view<Id>& v) {
        const auto is_gone = [&](const wish& w) {
            return std::none_of(v.members.begin(), v.members.end(), [&](const auto& m) {
                return m.id == w.who && std::count(members_.begin(), members_.end(), m) != 0;
            });
        };
        queue_.erase(std::remove_if(queue_.begin(), queue_.end(), is_gone), queue_.end());
        members_ = v.members;
    }
    void note(const auto&) {}

    Id self_;
    std::vector<caucus::member<Id>> members_{};
    std::vector<wish> queue_{};
    std::uint64_t heard_ = 0;
    std::uint32_t has_left_ = 0;   // how often it has said so
    std::uint32_t own_done_ = 0;   // and how often that has come round
};
