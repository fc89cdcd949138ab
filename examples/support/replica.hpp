// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/epoch.hpp>
#include <caucus/core/layer.hpp>
#include <caucus/core/port_set.hpp>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

/// Passive replication: whoever leads is the primary, all others are its backups. It acknowledges
/// an entry once a majority has stored it. A new primary first collects the logs of a majority and
/// goes on from the newest; whoever has sent it its log refuses all that is of an older epoch.
/// Links may lose, repeat and reorder. Who dies is dead for good: to return, it would have to keep
/// its log and fence.
///
/// `P`       an election with epochs, such as supervised, on a complete network of two or more.
template <class P>
class replica : public caucus::layer_over<replica<P>, P> {
    using base = caucus::layer_over<replica, P>;
    friend base;

public:
    using epoch_type = typename P::epoch_type;
    using entries = std::vector<int>;

    struct ballot { typename P::message message; };
    using carried = ballot;
    struct collect { epoch_type when; };
    struct held { epoch_type asked; epoch_type written; entries log; };
    struct update { epoch_type when; entries log; };   // all of it: this is an example
    struct stored { epoch_type when; std::size_t length; };
    using message = std::variant<ballot, collect, held, update, stored>;
    struct again {};                                   // what was sent may be lost
    using timer = caucus::timers_over<P, again>;
    struct write { int value; };
    using requests = std::variant<caucus::request::start, write>;
    struct acknowledged { int value; };
    using outcome = caucus::outcomes_over<P, acknowledged>;
    template <class Env>
    using inside = caucus::renaming_environment<replica, Env>;
    static constexpr caucus::model assumes = caucus::assumptions_of<P>();
    static constexpr std::size_t own_timers(std::size_t) { return 1; }

    explicit replica(P election, bool fenced = true) : base(std::move(election)), fenced_(fenced) {}

    using base::on;
    caucus::answer on(const write& w, auto& env) {
        if (!serves()) return caucus::answer::blocked;
        log_.push_back(w.value);
        env.broadcast(update{written_, log_});
        return caucus::answer::accepted;
    }
    void on(const collect& m, caucus::port from, auto& env) {
        if (m.when < fence_) return;
        fence_ = m.when;
        env.send(from, held{m.when, written_, log_});
    }
    void on(const held& m, caucus::port from, auto& env) {
        if (!collects() || !(m.asked == fence_) || !answered_.insert(from)) return;
        take(m.written, m.log);
        if (is_majority(answered_.size() + 1, env)) become_serving(env);
    }
    void on(const update& m, caucus::port from, auto& env) {
        if (m.when < fence_ && fenced_) return;   // of a primary that has been replaced
        take(m.when, m.log);
        fence_ = std::max(fence_, m.when);
        env.send(from, stored{m.when, m.log.size()});
    }
    void on(const stored& m, caucus::port from, auto& env) {
        if (!serves() || !(m.when == written_)) return;
        lengths_[from] = std::max(lengths_[from], m.length);
        while (confirmed_ < log_.size() && is_majority(1 + how_many_have(confirmed_ + 1), env))
            env.report(outcome{acknowledged{log_[confirmed_++]}});
    }
    void on(again, auto& env) {
        if (!leads_now()) return;
        if (serves()) env.broadcast(update{written_, log_});
        else env.broadcast(collect{fence_});
        env.arm(timer{again{}}, 200);
    }

    bool serves() const { return leads_now() && written_ == fence_; }
    const entries& log() const { return log_; }
    static constexpr auto fields(auto& self) {
        return std::tie(self.process_, self.log_, self.written_, self.fence_, self.answered_,
                        self.lengths_, self.confirmed_);
    }

private:
    /// It is the leader, and has not let a later one collect its log.
    bool leads_now() const { return this->is_leader() && *this->epoch() == fence_; }
    bool collects() const { return leads_now() && written_ < fence_; }
    static bool is_majority(std::size_t nodes, auto& env) { return 2 * nodes > env.degree() + 1; }
    std::size_t how_many_have(std::size_t length) const {
        return static_cast<std::size_t>(std::count_if(
            lengths_.begin(), lengths_.end(), [=](std::size_t has) { return has >= length; }));
    }

    void run_inside(auto& env, auto act) {
        base::run_inside(env, act);
        if (this->is_leader() && fence_ < *this->epoch()) become_collecting(env);
    }
    void become_collecting(auto& env) {
        fence_ = *this->epoch();
        answered_.clear();
        env.broadcast(collect{fence_});
        env.arm(timer{again{}}, 200);
    }
    void become_serving(auto& env) {
        written_ = fence_;
        lengths_.assign(env.degree(), 0);
        confirmed_ = log_.size();
        env.broadcast(update{written_, log_});
    }
    /// The log of the later epoch; within one, the longer.
    void take(const epoch_type& written, const entries& log) {
        const bool is_later = written_ < written;
        const bool is_longer = written == written_ && log_.size() < log.size();
        if (!is_later && !is_longer) return;
        written_ = written;
        log_ = log;
    }

    bool fenced_;
    entries log_{};
    epoch_type written_{};                 // in which epoch the log was
    epoch_type fence_{};                   // no update of an older one is let in
    caucus::port_set<> answered_{};        // a primary's: who has sent its log
    std::vector<std::size_t> lengths_{};   // and how much each has stored
    std::size_t confirmed_ = 0;
};
