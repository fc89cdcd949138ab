// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/explore_options.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace caucus::exploration {

/// What can go wrong. Each kind has its own budget.
enum class misfortune : std::uint8_t {
    crash, restart, amnesia, loss, duplicate, wrong_suspicion, cut, early_expiry
};

/// How often each misfortune may still happen on a schedule. It is part of every state, so it is
/// packed: a byte for each kind.
class budget {
public:
    budget() = default;
    explicit budget(const fault_budget& granted) {
        for (std::size_t m = 0; m < kinds; ++m) {
            const auto kind = static_cast<misfortune>(m);
            packed_ |= std::uint64_t{times(granted, kind)} << shift(kind);
        }
    }

    std::size_t left(misfortune kind) const { return packed_ >> shift(kind) & 0xff; }
    /// One less of that kind, of which some must be left: else it would be taken from the next.
    void spend(misfortune kind) { packed_ -= std::uint64_t{1} << shift(kind); }

    static constexpr auto fields(auto& self) { return std::tie(self.packed_); }

private:
    static constexpr auto kinds = static_cast<std::size_t>(misfortune::early_expiry) + 1;
    static_assert(kinds <= sizeof(std::uint64_t), "a byte for each kind");

    static constexpr std::size_t shift(misfortune kind) {
        return 8 * static_cast<std::size_t>(kind);
    }
    static constexpr std::uint8_t times(const fault_budget& granted, misfortune kind) {
        switch (kind) {
            case misfortune::crash: return granted.crashes;
            case misfortune::restart: return granted.restarts;
            case misfortune::amnesia: return granted.amnesias;
            case misfortune::loss: return granted.losses;
            case misfortune::duplicate: return granted.duplicates;
            case misfortune::wrong_suspicion: return granted.wrong_suspicions;
            case misfortune::cut: return granted.cuts;
            case misfortune::early_expiry: return granted.early_expiries;
        }
        return 0;
    }

    std::uint64_t packed_ = 0;
};

/// The part of a state that is in no process and no channel: who lives, who has yet to start, what
/// may still go wrong. Masks have one bit for each node (or arc).
struct fate {
    std::uint64_t alive = 0;
    std::uint64_t pending = 0;      // has yet to start
    std::uint64_t suspected = 0;    // wrongly, by arc from the one who suspects
    std::uint64_t known_dead = 0;   // rightly, by arc, if they may return and be trusted again
    std::uint64_t cut = 0;          // by arc
    exploration::budget budget = {};
    /// How many restarts each node has had; behind them, if suspicions can be late, for each arc
    /// of how many lives of its end it is settled what was told. Not two members: fates are many.
    std::vector<std::uint16_t> lives = {};
    std::vector<std::uint32_t> kept = {};    // index + 1 of what each node kept; 0: nothing
    std::vector<std::uint32_t> made = {};    // the process that each life of a node begins with

    /// Which life of node v this is, or was if it is dead.
    std::uint16_t life_of(std::size_t v) const { return lives.empty() ? 0 : lives[v]; }

    /// The same, with one misfortune of that kind less to come.
    fate spending(misfortune kind) const {
        fate poorer = *this;
        poorer.budget.spend(kind);
        return poorer;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.alive, self.pending, self.suspected, self.known_dead, self.cut,
                        self.budget, self.lives, self.kept, self.made);
    }
};

/// What is possible in an explored system, whatever its processes.
struct rules {
    bool fifo = true;
    timers when = timers::after_messages;
    starting starts = starting::at_once;
    fault_budget faults = {};
    bool perfect_detector = false;
    bool starts_are_free = false;   // a pending start may never come
    bool impatient = false;         // the detector suspects the dead while their messages travel
    bool remember_dead = false;     // the dead stay what they were when they died

    /// Neither faults nor a detector: what happens at a node reaches others by messages alone.
    bool undisturbed() const { return !faults.any() && !perfect_detector; }
};

}  // namespace caucus::exploration
