// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/multicast/outcomes.hpp>
#include <caucus/multicast/views/change.hpp>
#include <caucus/multicast/views/rules.hpp>
#include <caucus/multicast/views/suspicions.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace caucus::detail {

/// What one process knows of all: who is in its view, who is suspected, who wants in or out; and
/// what follows from that: who is to lead, and who would be in the next view. Slots: the ports,
/// and behind them the process itself.
template <class Id, class Rules>
struct roster {
    using member_type = member<Id>;
    using members_type = std::vector<member_type>;

    Id self;
    std::vector<Id> peers{};     // by port
    std::vector<Id> first{};     // the members of view 0
    caucus::life life{};
    view<Id> now{};              // without members if it is in none
    members_type born{};         // the greatest life ever admitted, of each id
    members_type newcomers{};    // of this view
    detail::suspicions suspicions{};
    lives_by_port latest{};      // lives that it has heard of, whoever it was itself
    lives_by_port joiners{};
    lives_by_port leavers{};
    [[no_unique_address]] Rules rules{};

    constexpr roster(Id self_id, const auto& peer_ids, const auto& first_ids, Rules obeyed)
        : self(self_id), rules(obeyed) {
        for (const auto& peer : peer_ids) {
            CAUCUS_ASSERT(!(peer == self));
            peers.push_back(peer);
        }
        for (const auto& each : first_ids) {
            CAUCUS_ASSERT(slot_of(each).has_value());
            first.push_back(each);
        }
        become_first_member();
    }
    constexpr bool obeys(rule r) const { return rules.has(r); }

    constexpr bool is_stranger(port p) const { return p >= peers.size(); }
    constexpr std::size_t slots() const { return peers.size() + 1; }
    constexpr port own_slot() const { return port{peers.size()}; }
    constexpr std::optional<port> slot_of(const Id& id) const {
        if (id == self) return own_slot();
        for (const port p : ports(peers.size()))
            if (peers[p] == id) return p;
        return std::nullopt;
    }
    constexpr member_type me() const { return {self, life}; }
    static constexpr bool is_in(const members_type& list, const member_type& m) {
        for (const member_type& each : list)
            if (each == m) return true;
        return false;
    }
    /// Known ids, each once: whatever arrives must not make anybody look for another.
    constexpr bool knows_all(const members_type& listed) const {
        if (listed.size() > slots()) return false;
        for (std::size_t i = 0; i < listed.size(); ++i) {
            if (!slot_of(listed[i].id)) return false;
            for (std::size_t j = 0; j < i; ++j)
                if (listed[i].id == listed[j].id) return false;
        }
        return true;
    }

    constexpr bool is_member() const { return rank_of(self).has_value(); }
    /// In the present view.
    constexpr std::optional<std::size_t> rank_of(const Id& id) const {
        for (std::size_t rank = 0; rank < now.members.size(); ++rank)
            if (now.members[rank].id == id) return rank;
        return std::nullopt;
    }
    constexpr std::optional<std::size_t> rank_of(port p) const { return rank_of(peers[p]); }
    constexpr bool is_owner(const attempt& a, port from) const {
        return a.count != 0 && a.rank < now.members.size() && now.members[a.rank].id == peers[from];
    }
    constexpr void each_other_member(auto act) const {
        for (const member_type& m : now.members)
            if (const port slot = *slot_of(m.id); slot != own_slot()) act(slot, m);
    }

    /// Or is that life over?
    constexpr bool is_suspect(port slot, const caucus::life& l) const {
        return slot != own_slot() && (suspicions.covers(slot, l) || latest.is_after(slot, l));
    }
    constexpr bool is_suspect(const member_type& m) const {
        return is_suspect(*slot_of(m.id), m.life);
    }
    constexpr bool is_over_as_member(port p) const {
        const std::optional<std::size_t> rank = rank_of(p);
        return rank && latest.is_after(p, now.members[*rank].life);
    }
    /// The first that is not suspected.
    constexpr const member_type& coordinator() const {
        std::size_t rank = 0;
        while (is_suspect(now.members[rank])) ++rank;   // ends: nobody suspects itself
        return now.members[rank];
    }
    constexpr bool is_coordinator() const { return coordinator().id == self; }
    constexpr bool is_majority(std::size_t count) const { return 2 * count > now.members.size(); }
    constexpr std::size_t unsuspected() const {
        std::size_t count = 0;
        for (const member_type& m : now.members) count += !is_suspect(m);
        return count;
    }
    constexpr bool are_all_unsuspected_in(const port_set<>& some) const {
        for (const member_type& m : now.members)
            if (!is_suspect(m) && !some.contains(*slot_of(m.id))) return false;
        return true;
    }

    /// Was that life never admitted, nor a later one?
    static constexpr bool is_new(const members_type& admitted, const member_type& m) {
        for (const member_type& b : admitted)
            if (b.id == m.id) return b.life < m.life;
        return true;
    }
    constexpr bool is_new(port p, const caucus::life& l) const {
        return is_new(born, {peers[p], l});
    }
    constexpr bool is_suspected_joiner(port p) const {
        return joiners[p] && suspicions.covers(p, *joiners[p]);
    }
    constexpr bool may_join(port p) const {
        const std::optional<caucus::life>& j = joiners[p];
        if (!j || is_suspect(p, *j) || (!is_new(p, *j) && obeys(rule::I1))) return false;
        const std::optional<std::size_t> rank = rank_of(p);
        return !rank || (now.members[*rank].life != *j && is_suspect(now.members[*rank]));
    }
    constexpr bool may_any_join() const {
        for (const port p : ports(peers.size()))
            if (may_join(p)) return true;
        return false;
    }
    constexpr bool is_leaving(const member_type& m) const {
        return leavers[*slot_of(m.id)] == m.life;
    }
    constexpr bool wants_change() const {
        if (may_any_join()) return true;
        for (const member_type& m : now.members)
            if (is_suspect(m) || is_leaving(m)) return true;
        return false;
    }
    /// Those who go on, by seniority, then those who join.
    template <class Payload>
    constexpr change<Id, Payload> next(const messages_by_rank<Payload>& before) const {
        change<Id, Payload> coming{now.number + 1, {}, before, born};
        const auto go_on = [&](bool leavers_too) {
            for (const member_type& m : now.members)
                if (!is_suspect(m) && (leavers_too || !is_leaving(m))) coming.members.push_back(m);
        };
        go_on(false);
        if (coming.members.empty() && may_any_join()) go_on(true);   // somebody has to hand over
        for (const port p : ports(peers.size())) {
            if (!may_join(p)) continue;
            coming.members.push_back({peers[p], *joiners[p]});
            bear(coming.born, coming.members.back());
        }
        return coming;
    }

    constexpr void become_first_member() {
        for (const Id& each : first) {
            now.members.push_back({each, {}});
            born.push_back({each, {}});
        }
        if (!is_member()) become_nobody();
    }
    constexpr void become_member(const auto& coming) {
        newcomers.clear();
        for (const member_type& m : coming.members)
            if (!is_in(now.members, m)) newcomers.push_back(m);
        now = {coming.number, coming.members};
        born = coming.born;
        for (const port p : ports(peers.size())) forget_joiner(p);
    }
    constexpr void become_nobody() {
        now = {};
        born.clear();
        newcomers.clear();
        leavers.clear();
    }
    /// Earlier lives of it are over. Is that news?
    constexpr bool note_life(port p, const caucus::life& l) {
        if (!obeys(rule::I2) || latest.covers(p, l)) return false;
        latest.insert(p, l);
        return true;
    }

    static constexpr auto fields(auto& r) {
        return std::tie(r.self, r.life, r.now, r.born, r.newcomers, r.suspicions, r.latest,
                        r.joiners, r.leavers);
    }

private:
    static constexpr void bear(members_type& born_before, const member_type& newcomer) {
        for (member_type& b : born_before)
            if (b.id == newcomer.id) return static_cast<void>(b.life = newcomer.life);
        born_before.push_back(newcomer);
    }
    /// Those who have become members wait no longer.
    constexpr void forget_joiner(port p) {
        const std::optional<caucus::life>& j = joiners[p];
        if (!j) return;
        const bool is_admitted = !is_new(p, *j) && obeys(rule::I1);
        if (is_admitted || is_in(now.members, {peers[p], *j})) joiners.erase(p);
    }
};

}  // namespace caucus::detail
