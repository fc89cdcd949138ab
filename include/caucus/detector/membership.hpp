// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/input.hpp>
#include <caucus/core/storage.hpp>

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>

namespace caucus {

/// What is said of a member. Only the member itself makes a later version.
enum class standing : std::uint8_t { alive, suspected, confirmed };
struct member_version {
    caucus::incarnation life{};
    std::uint32_t stay = 0;          // rises when it hears that it was confirmed dead
    std::uint32_t refutations = 0;   // within the stay

    friend constexpr auto operator<=>(const member_version&, const member_version&) = default;
    constexpr bool in_stay_of(const member_version& v) const {
        return life == v.life && stay == v.stay;
    }
};

/// News of a member: `whom` by the sender's ports, of which its degree is the sender itself.
struct member_update {
    port whom{};
    standing as = standing::alive;
    member_version at{};
};
inline constexpr std::size_t news_most = 6;
struct gossip {
    member_version sender{};
    inplace_sequence<member_update, news_most> news{};
};

/// What one node knows of all others, and what of that is still news: the dissemination half of
/// swim. Members are ports in ring order, so that what one calls p another can work out.
///
/// Source    Das, Gupta & Motivala, DSN 2002, sections 4.1 and 4.2
template <class Storage = heap_storage>
class membership {
public:
    using list = typename Storage::template sequence<port>;
    struct change {
        bool was_suspected;
        bool is_reborn;
    };

    constexpr void begin(std::size_t others) { members_.resize(others, member{}); }
    constexpr void set_life(incarnation life) { self_.life = life; }

    constexpr std::size_t size() const { return members_.size(); }
    constexpr standing as(port p) const { return members_[p].as; }
    constexpr member_version at(port p) const { return members_[p].at; }
    constexpr member_version own() const { return self_; }

    /// The name that we give ourselves in what we send.
    constexpr port me() const { return port{members_.size()}; }
    /// My port p leads p+1 places ahead, and its port q another q+1.
    constexpr port seen_from_here(port theirs, port from) const {
        return port{(from + 1 + theirs) % (members_.size() + 1)};
    }
    constexpr list those(bool confirmed) const {
        list found;
        for (const port p : ports(members_.size()))
            if ((members_[p].as == standing::confirmed) == confirmed) found.push_back(p);
        return found;
    }

    /// Nothing, if we knew as much or better.
    constexpr std::optional<change> hear_of(port p, standing as, const member_version& at) {
        member& m = members_[p];
        if (!overrides(as, at, m)) return std::nullopt;
        const change c{m.as != standing::alive, m.at.life < at.life};
        m = {as, at < m.at ? m.at : at, 0};
        return c;
    }

    /// A suspicion is refuted by a later version; who was confirmed dead begins a new stay.
    constexpr void hear_of_myself(standing as, const member_version& at) {
        const bool removed = as == standing::confirmed && at.in_stay_of(self_);
        if (!removed && (at < self_ || (at == self_ && as == standing::alive))) return;
        if (self_ < at) self_ = at;   // others remember more of us than we do
        if (as == standing::confirmed) self_ = {self_.life, self_.stay + 1, 0};
        else ++self_.refutations;
        self_told_ = 0;
    }

    /// Our version, what the receiver must refute, and then what was told least often, each news
    /// `repeats`·lg n times. A suspect that hears of it from third parties only may be too late.
    constexpr gossip gossip_for(port to, std::size_t repeats) {
        gossip g{self_, {}};
        if (members_[to].as != standing::alive)
            g.news.push_back({to, members_[to].as, members_[to].at});
        const std::size_t enough = repeats * static_cast<std::size_t>(std::bit_width(size()));
        for (std::size_t told = 0; told < enough && g.news.size() < news_most; ++told) {
            if (self_told_ == told) add({me(), standing::alive, self_}, self_told_, g);
            for (const port p : ports(members_.size()))
                if (members_[p].told == told)
                    add({p, members_[p].as, members_[p].at}, members_[p].told, g);
        }
        return g;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.self_told_, self.members_);
    }

private:
    static constexpr std::uint16_t old_news = 0xffff;
    struct member {
        standing as = standing::alive;
        member_version at{};
        std::uint16_t told = old_news;
    };

    static constexpr bool overrides(standing as, const member_version& at, const member& m) {
        if (!at.in_stay_of(m.at)) return m.at < at;
        if (m.as == standing::confirmed) return false;   // no late suspicion brings it back
        if (as == standing::confirmed) return true;
        if (as == standing::suspected && m.as == standing::alive) return m.at <= at;
        return m.at < at;
    }
    static constexpr void add(const member_update& u, std::uint16_t& told, gossip& g) {
        if (g.news.size() == news_most) return;
        for (const member_update& each : g.news)
            if (each.whom == u.whom) return;
        g.news.push_back(u);
        ++told;
    }

    member_version self_{};
    std::uint16_t self_told_ = old_news;
    typename Storage::template sequence<member> members_{};
};

}  // namespace caucus
