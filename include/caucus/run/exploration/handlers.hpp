// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/dispatch.hpp>
#include <caucus/core/process.hpp>
#include <caucus/run/exploration/table.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace caucus::exploration {

template <class P>
concept asks_for_the_time__explore_cannot_tell_it = !reads_clock<P>;

/// What a handler asked for, in order. `value` names a message, timer, outcome or kept value.
struct effect {
    enum class kind : std::uint8_t { send, arm, disarm, report, keep };
    kind what = kind::send;
    std::uint16_t port = 0;
    std::uint32_t value = 0;
    ticks delay = 0;
};

/// One way a handler can end: by its coins, what it becomes and what it asks for.
struct ending {
    std::vector<std::uint32_t> coins;
    std::uint32_t process = 0;
    std::vector<effect> effects;
    std::uint32_t sends = 0;
};

/// The distinct values of a model, by index.
template <class P>
struct vocabulary {
    table<P> processes;
    table<typename P::message> messages;
    table<typename P::timer> timers;
    table<typename P::outcome> outcomes;
    table<kept_by<P>> kepts;
};

/// Writes down what a handler does; coins fall as scripted, and heads beyond the script.
template <class P>
class recorder {
public:
    recorder(vocabulary<P>& words, std::size_t degree, std::vector<std::uint32_t>& script,
             std::vector<std::uint32_t>& sides)
        : words_(words), degree_(degree), script_(script), sides_(sides) {}

    std::size_t degree() const { return degree_; }
    void send(port p, const typename P::message& m) {
        add({effect::kind::send, static_cast<std::uint16_t>(p.index()),
             words_.messages.index_of(m)});
        ++sends;
    }
    void broadcast(const typename P::message& m) {
        for (const port p : ports(degree_)) send(p, m);
    }
    void arm(const typename P::timer& t, ticks delay) {
        add({effect::kind::arm, 0, words_.timers.index_of(t), delay == 0 ? 1 : delay});
    }
    void disarm(const typename P::timer& t) {
        add({effect::kind::disarm, 0, words_.timers.index_of(t)});
    }
    void report(const typename P::outcome& o) {
        add({effect::kind::report, 0, words_.outcomes.index_of(o)});
    }
    void keep(const kept_by<P>& value) {
        add({effect::kind::keep, 0, words_.kepts.index_of(value)});
    }
    std::size_t choose(std::size_t k) {
        if (tossed_ == script_.size()) script_.push_back(0);
        if (tossed_ == sides_.size()) sides_.push_back(0);
        sides_[tossed_] = static_cast<std::uint32_t>(k);
        return script_[tossed_++];
    }
    template <class Self = recorder>
    ticks now() const {
        static_assert(!sizeof(Self), "asks_for_the_time__explore_cannot_tell_it");
        return 0;
    }

    std::vector<effect> effects;
    std::uint32_t sends = 0;
    std::size_t tosses() const { return tossed_; }

private:
    void add(effect e) { effects.push_back(e); }

    vocabulary<P>& words_;
    std::size_t degree_;
    std::vector<std::uint32_t>& script_;
    std::vector<std::uint32_t>& sides_;
    std::size_t tossed_ = 0;
};

/// What can happen to a node, in two words: the kind, the port and the index of a value.
struct stimulus {
    enum class kind : std::uint8_t { start, arrival, expiry, suspect, trust, recovered };
    kind what = kind::start;
    std::uint16_t port = 0;
    std::uint32_t value = 0;   // of the message, timer, or kept value + 1
    std::uint32_t life = 0;    // recovered: the incarnation

    std::uint64_t key() const {
        return static_cast<std::uint64_t>(what) | std::uint64_t{port} << 4 |
               std::uint64_t{life & 0xfff} << 20 | std::uint64_t{value} << 32;
    }
};

/// Runs each handler once for each (process, input) and ever after knows what it does.
template <class P>
class handlers {
public:
    vocabulary<P> words;

    /// The endings, or nullptr if they are not known and `learn` is not allowed.
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
    bool undecided() const { return undecided_; }
    std::size_t runs() const { return runs_; }

private:
    std::vector<ending> run(std::uint32_t process, std::size_t degree, stimulus in) {
        std::vector<ending> found;
        std::vector<std::uint32_t> script;
        for (;;) {
            std::vector<std::uint32_t> sides;
            ending e = once(process, degree, in, script, sides);
            const ending again = once(process, degree, in, script, sides);
            if (!same(e, again)) undecided_ = true;
            found.push_back(std::move(e));
            // The odometer: the last coin that has another side is turned, those after it are new.
            while (!script.empty() && script.back() + 1 == sides[script.size() - 1])
                script.pop_back();
            if (script.empty()) return found;
            ++script.back();
        }
    }

    ending once(std::uint32_t process, std::size_t degree, stimulus in,
                std::vector<std::uint32_t>& script, std::vector<std::uint32_t>& sides) {
        ++runs_;
        P p = words.processes[process];
        recorder<P> env{words, degree, script, sides};
        const port at{in.port};
        switch (in.what) {
            case stimulus::kind::start:
                static_cast<void>(dispatch(p, request::start{}, env));
                break;
            case stimulus::kind::arrival: {
                const typename P::message m = words.messages[in.value];
                dispatch(p, m, at, env);
                break;
            }
            case stimulus::kind::expiry: {
                const typename P::timer t = words.timers[in.value];
                dispatch(p, expiry<typename P::timer>{t}, env);
                break;
            }
            case stimulus::kind::suspect: dispatch(p, suspect{at}, env); break;
            case stimulus::kind::trust: dispatch(p, trust{at}, env); break;
            case stimulus::kind::recovered: {
                recovered<kept_by<P>> r{{in.life}, std::nullopt};
                if (in.value != 0) r.last = words.kepts[in.value - 1];
                dispatch(p, r, env);
                break;
            }
        }
        ending e;
        script.resize(env.tosses());
        e.coins = script;
        e.process = words.processes.index_of(p);
        e.effects = std::move(env.effects);
        e.sends = env.sends;
        return e;
    }

    memo<std::uint32_t> known_;
    std::deque<std::vector<ending>> all_;   // stays put while it grows
    std::size_t runs_ = 0;
    bool undecided_ = false;
};

}  // namespace caucus::exploration
