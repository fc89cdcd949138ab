// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port_set.hpp>
#include <caucus/core/process.hpp>
#include <caucus/core/time.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

/// The shipped algorithms told again, each with a place for one small mistake. Without one they
/// do what the headers do.
namespace mutants {

using caucus::next;
using caucus::nothing;
using caucus::port;
using caucus::ports;

enum class bug : std::uint8_t {
    none,
    // chang_roberts
    equal_passes, swallows_nothing, starts_late, forwards_home, relays_when_woken, misses_home,
    announces_on_and_on, keeps_the_news,
    // extinction
    keeps_settled, worse_is_done, starts_when_marked, any_echo, stays_candidate, parent_settles,
    // bully
    keeps_first_timer, no_second_timer, answers_nobody, never_contests, idle_question_ignored,
    no_guard,
    // echo
    replies_at_once, explores_parent, deaf_to_explorers
};

/// What all elections here show of themselves.
struct electing {
    enum class role : std::uint8_t { free, relay, candidate, waiting, echoed, leader, follower };

    bug has = bug::none;
    int self = 0;
    int best = 0;   // the leader's id, once decided
    role is = role::free;

    int id() const { return self; }
    bool is_leader() const { return is == role::leader; }
    bool decided() const { return is == role::leader || is == role::follower; }
    bool is_waiting() const { return is == role::candidate || is == role::waiting; }
    std::optional<int> leader() const { return decided() ? std::optional{best} : std::nullopt; }
    void decide(role as, int whom) {
        is = as;
        best = whom;
    }
};

struct ring_election : electing {
    struct election { int candidate; };
    struct elected { int leader; };
    using message = std::variant<election, elected>;
    using timer = nothing;
    using outcome = nothing;

    ring_election(int id, bug b) : electing{b, id, id} {}
    static constexpr auto fields(auto& p) { return std::tie(p.has, p.self, p.best, p.is); }

    void start(auto& env) {
        if (is == role::free || has == bug::starts_late) stand(env);
    }
    void on(election m, port, auto& env) {
        if (is == role::free && self > m.candidate && has != bug::relays_when_woken) stand(env);
        if (is == role::free) is = role::relay;
        const bool home = m.candidate == self && has != bug::misses_home;
        if (home && (is == role::candidate || has == bug::forwards_home)) {
            if (has == bug::equal_passes) return env.send(next, m);
            decide(role::leader, self);
            env.send(next, elected{self});
            if (has != bug::forwards_home) return;
        }
        const bool relays = has == bug::relays_when_woken && is == role::relay;
        const bool passes = home || relays || has == bug::swallows_nothing;
        if (m.candidate > self || passes) env.send(next, m);
    }
    void on(elected m, port, auto& env) {
        if (decided() && has != bug::announces_on_and_on) return;
        if (!is_leader()) decide(role::follower, m.leader);
        if (has != bug::keeps_the_news) env.send(next, m);
    }

private:
    void stand(auto& env) {
        is = role::candidate;
        env.send(next, election{self});
    }
};

struct wave_election : electing {
    struct explorer { int mark; };
    struct echo { int mark; };
    struct elected { int leader; };
    using message = std::variant<explorer, echo, elected>;
    using timer = nothing;
    using outcome = nothing;

    caucus::port_set<> settled = {};
    caucus::port_set<> children = {};
    port parent = {};

    wave_election(int id, bug b) : electing{b, id, id} {}
    static constexpr auto fields(auto& p) {
        return std::tie(p.has, p.self, p.best, p.is, p.settled, p.children, p.parent);
    }

    void start(auto& env) {
        if (is != role::free && has != bug::starts_when_marked) return;
        decide(role::candidate, self);
        env.broadcast(explorer{self});
        check(env);
    }
    void on(explorer m, port from, auto& env) {
        if (is == role::free || m.mark > best) return engage(m.mark, from, env);
        const bool from_parent = is != role::candidate && from == parent;
        const bool counts = m.mark == best || has == bug::worse_is_done;
        if (counts && (!from_parent || has == bug::parent_settles)) settle(from, env);
    }
    void on(echo m, port from, auto& env) {
        if ((m.mark != best && has != bug::any_echo) || settled.contains(from)) return;
        children.insert(from);
        settle(from, env);
    }
    void on(elected m, port, auto& env) {
        if (!decided()) tell(role::follower, m.leader, env);
    }

private:
    void engage(int mark, port from, auto& env) {
        const bool stays = has == bug::stays_candidate && is == role::candidate;
        decide(stays ? role::candidate : role::waiting, mark);
        parent = from;
        if (has != bug::keeps_settled) settled.clear();
        children.clear();
        for (const port p : ports(env.degree()))
            if (p != parent) env.send(p, explorer{mark});
        check(env);
    }
    void settle(port p, auto& env) {
        if (settled.insert(p)) check(env);
    }
    void check(auto& env) {
        if (settled.size() != env.degree() - (is == role::candidate ? 0 : 1)) return;
        if (is == role::candidate) return tell(role::leader, self, env);
        is = role::echoed;
        env.send(parent, echo{best});
    }
    void tell(role as, int whom, auto& env) {
        decide(as, whom);
        for (const port p : ports(env.degree()))
            if (children.contains(p)) env.send(p, elected{whom});
    }
};

/// Node v of a complete network has the id v.
struct mesh_election : electing {
    struct election {};
    struct answer {};
    struct coordinator {};
    using message = std::variant<election, answer, coordinator>;
    struct answer_overdue {};
    struct coordinator_overdue {};
    using timer = std::variant<answer_overdue, coordinator_overdue>;
    using outcome = nothing;

    int nodes = 0;

    mesh_election(int id, int n, bug b) : electing{b, id, id}, nodes(n) {}
    static constexpr auto fields(auto& p) { return std::tie(p.has, p.self, p.best, p.is, p.nodes); }

    void start(auto& env) {
        if (is_idle()) hold_election(env);
    }
    void on(caucus::suspect s, auto& env) {
        if (is == role::follower && behind(s.whom) == best) hold_election(env);
    }
    void on(election, port from, auto& env) {
        if (behind(from) > self) return;
        if (has != bug::answers_nobody) env.send(from, answer{});
        const bool is_busy = !is_idle() && has != bug::no_guard;
        if (is_busy || has == bug::never_contests) return;
        if (is_leader() && self == nodes - 1) {
            if (has != bug::idle_question_ignored) env.send(from, coordinator{});
        } else {
            hold_election(env);
        }
    }
    void on(answer, port, auto& env) {
        if (is != role::candidate) return;
        if (has != bug::keeps_first_timer) env.disarm(answer_overdue{});
        is = role::waiting;
        if (has != bug::no_second_timer) env.arm(coordinator_overdue{}, 4);
    }
    void on(coordinator, port from, auto& env) {
        if (behind(from) > self) rest(role::follower, behind(from), env);
        else if (is_idle()) hold_election(env);
    }
    void on(answer_overdue, auto& env) { take_over(env); }
    void on(coordinator_overdue, auto& env) { hold_election(env); }

private:
    int behind(port p) const { return (self + 1 + static_cast<int>(p.index())) % nodes; }
    bool is_idle() const { return is == role::free || decided(); }

    void hold_election(auto& env) {
        if (self == nodes - 1) return take_over(env);
        env.disarm(coordinator_overdue{});
        is = role::candidate;
        for (const port p : ports(env.degree()))
            if (behind(p) > self) env.send(p, election{});
        env.arm(answer_overdue{}, 2);
    }
    void take_over(auto& env) {
        rest(role::leader, self, env);
        for (const port p : ports(env.degree()))
            if (behind(p) < self) env.send(p, coordinator{});
    }
    void rest(role as, int whom, auto& env) {
        env.disarm(answer_overdue{});
        env.disarm(coordinator_overdue{});
        decide(as, whom);
    }
};

}  // namespace mutants
