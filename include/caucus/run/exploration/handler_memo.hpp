// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/time.hpp>
#include <caucus/run/exploration/table.hpp>
#include <caucus/topology/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace caucus::exploration {

/// What a handler asked for, in order. `value` names a message, timer, outcome or kept value;
/// `asker` is the index + 1 of the process as it was at that moment; 0: not noted (see handlers).
struct effect {
    enum class kind : std::uint8_t { send, arm, disarm, report, keep };
    kind what = kind::send;
    std::uint16_t port = 0;
    std::uint32_t value = 0;
    ticks delay = 0;
    std::uint32_t asker = 0;
};

/// One way a handler can end: how the coins fell, the process afterwards, and what it asked for.
struct ending {
    std::vector<std::uint32_t> coins;
    std::uint32_t process = 0;
    std::vector<effect> effects;
    std::uint32_t sends = 0;
};

/// One input of a handler: its kind, the port and the index of a value.
struct stimulus {
    enum class kind : std::uint8_t { start, arrival, expiry, suspect, trust, recovered };
    kind what = kind::start;
    std::uint16_t port = 0;
    std::uint32_t value = 0;   // of the message, timer, or kept value + 1
    std::uint32_t life = 0;    // recovered: the incarnation; suspect, trust: of whom

    /// No default: the compilers warn of a kind without a name.
    static constexpr const char* name_of(kind k) {
        switch (k) {
            case kind::start: return "start";
            case kind::arrival: return "message";
            case kind::expiry: return "timer";
            case kind::suspect: return "suspect";
            case kind::trust: return "trust";
            case kind::recovered: return "recovered";
        }
        return "";
    }
    std::uint64_t key() const {
        return static_cast<std::uint64_t>(what) | std::uint64_t{port} << 4 |
               std::uint64_t{life & 0xfff} << 20 | std::uint64_t{value} << 32;
    }
};

/// All that an explorer knows of a process type, with numbers in place of its values: so the rest
/// of the explorer is compiled once, not once for every process type. A handler is run when a pair
/// (process, input) is met first; afterwards its endings are looked up.
class handler_memo {
public:
    struct traits {
        bool has_timers = false;
        bool keeps = false;              // something that outlives a crash (P::kept)
        bool hears_suspicions = false;
        bool hears_trust = false;
        bool decides = false;            // has timers that are decisions (see decisions.hpp)
    };

    handler_memo(const handler_memo&) = delete;
    handler_memo& operator=(const handler_memo&) = delete;
    virtual ~handler_memo() = default;

    const traits& is() const { return traits_; }
    const numbering& processes() const { return processes_; }
    const numbering& messages() const { return messages_; }
    const numbering& timer_values() const { return timer_values_; }

    /// The process that node v begins with.
    virtual std::uint32_t made(node v) = 0;
    virtual void print_process(std::string& to, std::uint32_t index) const = 0;
    virtual void print_message(std::string& to, std::uint32_t index) const = 0;
    virtual void print_timer(std::string& to, std::uint32_t index) const = 0;
    virtual bool is_decision(std::uint32_t /*timer*/) const { return false; }

    /// Runs a handler once. The i-th coin falls on script[i], and on side 0 after the script.
    virtual ending once(std::uint32_t process, std::size_t degree, stimulus in,
                        std::vector<std::uint32_t>& script, std::vector<std::uint32_t>& sides) = 0;
    /// How many other values there are that have the same description as this process. What is not
    /// described may differ: so a handler's second run is one of each of these, if there are any.
    virtual std::size_t lookalikes(std::uint32_t /*process*/) const { return 0; }
    /// Runs a handler again: the i-th lookalike's, or that of the process itself if it has none.
    virtual ending again(std::uint32_t process, std::size_t /*lookalike*/, std::size_t degree,
                         stimulus in, std::vector<std::uint32_t>& script,
                         std::vector<std::uint32_t>& sides) {
        return once(process, degree, in, script, sides);
    }
    /// Whose values the process and its i-th lookalike are, as text.
    virtual std::string pair_of(std::uint32_t, std::size_t) const { return "two processes"; }
    /// The endings, or nullptr if they are not known and `learn` is not allowed. When others are
    /// learnt, the vector may move, but not the endings in it.
    const std::vector<ending>* endings(std::uint32_t process, std::size_t degree, stimulus in,
                                       bool learn) {
        const std::uint64_t who = std::uint64_t{process} << 32 | degree;
        if (const auto* known = known_.find(who, in.key())) return &all_[*known];
        if (!learn) return nullptr;
        all_.push_back(run(process, degree, in));
        known_.insert(who, in.key(), static_cast<std::uint32_t>(all_.size() - 1));
        return &all_.back();
    }

    /// Did a handler do two different things for the same state and input?
    bool is_nondeterministic() const { return !nondeterministic_.empty(); }
    /// The handler that did, as text.
    const std::string& nondeterministic_handler() const { return nondeterministic_; }
    /// Bytes of all tables here; not what the values in them allocate.
    std::size_t bytes() const {
        return processes_.bytes() + messages_.bytes() + timer_values_.bytes() + known_.bytes() +
               ending_bytes_ + other_bytes_;
    }
    std::size_t runs() const { return runs_; }

protected:
    handler_memo(traits is, const numbering& processes, const numbering& messages,
                 const numbering& timer_values)
        : traits_(is), processes_(processes), messages_(messages), timer_values_(timer_values) {}

    std::size_t other_bytes_ = 0;   // of what a derived class holds beside the tables

private:
    std::vector<ending> run(std::uint32_t process, std::size_t degree, stimulus in) {
        std::vector<ending> found;
        std::vector<std::uint32_t> script;
        for (;;) {
            std::vector<std::uint32_t> sides;
            ending e = once(process, degree, in, script, sides);
            ++runs_;
            run_again(e, process, degree, in, script, sides);
            ending_bytes_ +=
                sizeof(ending) + sizeof(effect) * e.effects.size() + 4 * e.coins.size();
            found.push_back(std::move(e));
            // Count on like an odometer: the last coin that has a next side shows it.
            while (!script.empty() && script.back() + 1 == sides[script.size() - 1])
                script.pop_back();
            if (script.empty()) return found;
            ++script.back();
        }
    }

    /// Looks whether other runs of the same handler end as this one did.
    void run_again(const ending& e, std::uint32_t process, std::size_t degree, stimulus in,
                   const std::vector<std::uint32_t>& script,
                   const std::vector<std::uint32_t>& sides) {
        const std::size_t others = lookalikes(process);
        for (std::size_t i = 0; i == 0 || i < others; ++i) {
            std::vector<std::uint32_t> same_script = script;
            std::vector<std::uint32_t> same_sides = sides;
            const ending other = again(process, i, degree, in, same_script, same_sides);
            ++runs_;
            const bool same = same_sides == sides && caucus::same(e, other);
            if (!nondeterministic_.empty() || same) continue;
            same_script = script;
            same_sides = sides;
            const bool alone_it_is_the_same =
                caucus::same(e, once(process, degree, in, same_script, same_sides)) &&
                same_sides == sides;
            const bool alike = others != 0 && alone_it_is_the_same;
            describe(process, in, alike ? pair_of(process, i) : "");
        }
    }
    void describe(std::uint32_t process, stimulus in, const std::string& alike) {
        std::string& words = nondeterministic_;
        if (in.what == stimulus::kind::arrival) print_message(words, in.value);
        else if (in.what == stimulus::kind::expiry) print_timer(words, in.value);
        else words += stimulus::name_of(in.what);
        words += " at ";
        if (!alike.empty()) words.append(alike).append(", which look the same, ");
        print_process(words, process);
        if (!alike.empty()) words += ": their fields are incomplete";
    }

    traits traits_;
    const numbering& processes_;
    const numbering& messages_;
    const numbering& timer_values_;
    memo<std::uint32_t> known_;
    std::vector<std::vector<ending>> all_;
    std::size_t runs_ = 0;
    std::size_t ending_bytes_ = 0;
    std::string nondeterministic_;
};

}  // namespace caucus::exploration
