// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/exclusion/arbiter.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>

namespace caucus {

/// The votes that a node wants, its own and those of some neighbours, and which of them it has.
/// `arbiter` is the other half, and says what comes of it.
///
/// Who was told by one arbiter that an earlier wish comes first hands back to the others what they
/// ask for: it may take long until it has all. Until it is told so it keeps them.
template <class Storage = heap_storage>
class collected_votes {
public:
    /// Also of those behind these ports, which rise.
    template <class Range>
    constexpr void ask(const Range& of) {
        clear();
        for (const port p : of) lines_.push_back({p, {}});
    }
    constexpr void clear() {
        own_ = {};
        lines_.clear();
        votes_ = 0;
        failures_ = 0;
    }

    constexpr std::size_t votes() const { return votes_; }
    constexpr bool has_all() const { return votes_ == lines_.size() + 1; }
    constexpr bool has(port_or_self of) const {
        const vote* v = find(*this, of);
        return v != nullptr && v->is == state::granted;
    }
    constexpr bool asks(port_or_self of) const { return find(*this, of) != nullptr; }

    // What an arbiter says to this wish, which is the caller's to know. Is it news?

    constexpr bool grant(voting::grant m, port_or_self from) {
        vote* v = find(*this, from);
        if (v == nullptr || m.vote <= v->number) return false;   // a copy: handed back since
        if (v->is == state::failed) --failures_;
        ++votes_;
        *v = {state::granted, m.vote, false};
        return true;
    }
    /// Hands back all that were asked for: `hand_back(whom, yield)`.
    constexpr void fail(port_or_self from, auto hand_back) {
        vote* v = find(*this, from);
        if (v == nullptr || v->is != state::unheard) return;     // a copy: granted since
        v->is = state::failed;
        ++failures_;
        if (own_.is_wanted) yield(own_, std::nullopt, hand_back);
        for (std::size_t i = 0; i < lines_.size(); ++i)
            if (lines_[i].of.is_wanted) yield(lines_[i].of, lines_[i].who, hand_back);
    }
    constexpr void inquire(voting::inquire m, port_or_self from, auto hand_back) {
        vote* v = find(*this, from);
        if (v == nullptr || v->is != state::granted || m.vote != v->number) return;
        v->is_wanted = true;
        if (failures_ != 0) yield(*v, from, hand_back);
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.own_, self.lines_, self.votes_, self.failures_);
    }

private:
    enum class state : std::uint8_t { unheard, failed, granted };
    struct vote {
        state is = state::unheard;
        std::uint64_t number = 0;
        bool is_wanted = false;   // its arbiter asks for it back
    };
    struct line {
        port who{};
        vote of{};
    };

    static constexpr auto find(auto& self, port_or_self v) -> decltype(&self.own_) {
        if (!v) return &self.own_;
        std::size_t from = 0;
        std::size_t to = self.lines_.size();
        while (from < to) {
            const std::size_t middle = from + (to - from) / 2;
            if (self.lines_[middle].who < *v) from = middle + 1;
            else to = middle;
        }
        const bool found = from < self.lines_.size() && self.lines_[from].who == *v;
        return found ? &self.lines_[from].of : nullptr;
    }
    constexpr void yield(vote& v, port_or_self to, auto& hand_back) {
        v.is = state::failed;
        v.is_wanted = false;
        ++failures_;
        --votes_;
        hand_back(to, voting::yield{v.number});
    }

    vote own_{};
    typename Storage::template sequence<line> lines_{};
    std::size_t votes_ = 0;
    std::size_t failures_ = 0;
};

}  // namespace caucus
