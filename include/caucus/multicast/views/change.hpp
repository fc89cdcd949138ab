// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port_set.hpp>
#include <caucus/multicast/outcomes.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace caucus::detail {

/// Who tries to make the next view, and which time: the later one, or of two at a time that of the
/// junior member, is greater. A member's are 1, 2, …; what was never promised is 0.
struct attempt {
    std::uint32_t count = 0;
    std::uint32_t rank = 0;   // in the view that is to end

    friend constexpr auto operator<=>(const attempt&, const attempt&) = default;
};

/// The messages of one view: those of each member, by its rank, in the order in which it sent them.
/// What one has received of another is always the beginning of what that has sent.
template <class Payload>
using messages_by_rank = std::vector<std::vector<Payload>>;

/// Of each sender's, the longer beginning.
template <class Payload>
constexpr void unite(messages_by_rank<Payload>& into, const messages_by_rank<Payload>& more) {
    for (std::size_t rank = 0; rank < into.size() && rank < more.size(); ++rank)
        if (into[rank].size() < more[rank].size()) into[rank] = more[rank];
}

/// Of so many senders, so many of each?
template <class Payload>
constexpr bool are_at_most(const messages_by_rank<Payload>& some, std::size_t senders,
                           std::size_t of_each) {
    if (some.size() > senders) return false;
    for (const auto& of_one : some)
        if (of_one.size() > of_each) return false;
    return true;
}

/// What the consensus is about: the next view, what is delivered before it, and the greatest life
/// of each id that was ever admitted.
template <class Id, class Payload>
struct change {
    std::uint64_t number = 0;
    std::vector<member<Id>> members{};
    messages_by_rank<Payload> before{};
    std::vector<member<Id>> born{};

    static constexpr auto fields(auto& self) {
        return std::tie(self.number, self.members, self.before, self.born);
    }
};

template <class Id, class Payload>
struct vote {
    attempt in{};
    change<Id, Payload> what{};

    static constexpr auto fields(auto& self) { return std::tie(self.in, self.what); }
};

/// One change of view as one member knows it: what it has promised and accepted, and how far its
/// own attempt is, if it makes one. Slots: the ports, and behind them the member itself.
template <class Id, class Payload>
struct ballot {
    enum class stage : std::uint8_t { idle, preparing, proposing };

    attempt promised{};
    std::optional<vote<Id, Payload>> accepted{};
    std::uint32_t seen = 0;   // the highest count in a refusal

    stage at = stage::idle;
    attempt mine{};
    port_set<> answered{};
    messages_by_rank<Payload> gathered{};
    std::optional<vote<Id, Payload>> best{};
    std::optional<change<Id, Payload>> proposal{};
    port_set<> accepts{};

    /// From the first promise on nothing more is sent in the view, nor delivered.
    constexpr bool is_blocked() const { return promised != attempt{}; }

    constexpr void become_idle() {
        at = stage::idle;
        answered.clear();
        gathered.clear();
        best.reset();
        proposal.reset();
        accepts.clear();
    }
    constexpr void become_promised(const attempt& a) {
        if (a < promised) return;   // only where P1 is not obeyed
        if (mine < a) become_idle();
        promised = a;
    }
    constexpr void become_preparing(const attempt& a) {
        become_idle();
        mine = promised = a;
        at = stage::preparing;
    }
    constexpr void become_proposing(change<Id, Payload> what) {
        become_idle();
        proposal = std::move(what);
        at = stage::proposing;
    }

    constexpr void note_answer(port slot, const messages_by_rank<Payload>& received,
                               const std::optional<vote<Id, Payload>>& voted, bool unites) {
        if (!answered.insert(slot)) return;
        if (gathered.empty()) gathered = received;
        else if (unites) unite(gathered, received);
        if (voted && (!best || best->in < voted->in)) best = voted;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.promised, self.accepted, self.seen, self.at, self.mine, self.answered,
                        self.gathered, self.best, self.proposal, self.accepts);
    }
};

}  // namespace caucus::detail
