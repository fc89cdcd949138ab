// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port.hpp>
#include <caucus/core/process.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <variant>
#include <vector>

namespace support {

/// What of Maekawa's algorithm is there.
///   grants     each votes for one at a time, and that is all
///   original   a later wish hands votes back to an earlier one (Maekawa, TOCS 3(2), 1985)
///   corrected  whoever is overtaken in a queue is told that it failed (Sanders, TOCS 5(3), 1987)
enum class maekawa_rules : std::uint8_t { grants, original, corrected };

/// As textbooks print it: no tags, since over fifo links without copies nothing is stale if nobody
/// cancels.
template <maekawa_rules Rules>
struct textbook_maekawa {
    struct wish { std::uint64_t clock; int id; };
    struct grant {};
    struct failed {};
    struct inquire {};
    struct yield {};
    struct done {};
    using message = std::variant<wish, grant, failed, inquire, yield, done>;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;
    using whom = std::optional<caucus::port>;   // none: itself
    enum class phase : std::uint8_t { idle, wants, in };
    struct turn {
        std::uint64_t clock;
        int id;
        whom who;
        bool is_told;
    };

    int id;
    std::vector<caucus::port> quorum;
    std::uint64_t clock = 0;
    phase now = phase::idle;
    std::vector<whom> granted{}, failures{}, inquiries{};
    std::optional<turn> lock{};
    std::vector<turn> queue{};   // in order
    bool inquired = false;

    void start(auto&) {}
    bool holds() const { return now == phase::in; }
    bool waits() const { return now == phase::wants; }
    void request(auto& env) {
        now = phase::wants;
        ++clock;
        for (const caucus::port p : quorum) env.send(p, wish{clock, id});
        vote({clock, id, std::nullopt, false}, env);
    }
    void release(auto& env) {
        now = phase::idle;
        granted.clear();
        failures.clear();
        inquiries.clear();
        for (const caucus::port p : quorum) env.send(p, done{});
        vote_again(env);
    }

    void on(wish w, caucus::port from, auto& env) {
        clock = std::max(clock, w.clock);
        vote({w.clock, w.id, from, false}, env);
    }
    void on(yield, caucus::port from, auto& env) { hear_yield(from, env); }
    void on(done, caucus::port, auto& env) { vote_again(env); }
    void on(grant, caucus::port from, auto&) { hear(grant{}, from); }
    void on(failed, caucus::port from, auto& env) { hear(failed{}, from, env); }
    void on(inquire, caucus::port from, auto& env) { hear(inquire{}, from, env); }

    static auto fields(auto& self) {
        return std::tie(self.id, self.quorum, self.clock, self.now, self.granted, self.failures,
                        self.inquiries, self.lock, self.queue, self.inquired);
    }

private:
    static bool earlier(const turn& a, const turn& b) {
        return std::tie(a.clock, a.id) < std::tie(b.clock, b.id);
    }
    void give(const turn& to, auto& env) {
        lock = to;
        inquired = false;
        if (to.who) env.send(*to.who, grant{});
        else hear(grant{}, to.who);
    }
    void insert(const turn& t) {
        queue.insert(std::upper_bound(queue.begin(), queue.end(), t, earlier), t);
    }
    void vote_again(auto& env) {
        lock.reset();
        if (queue.empty()) return;
        const turn first = queue.front();
        queue.erase(queue.begin());
        give(first, env);
    }
    void fail(turn& t, auto& env) {
        if (t.is_told) return;
        t.is_told = true;
        if (t.who) env.send(*t.who, failed{});
        else hear(failed{}, t.who, env);
    }
    void vote(turn t, auto& env) {
        if (!lock) return give(t, env);
        if (Rules == maekawa_rules::grants) return insert(t);
        const bool is_first = earlier(t, *lock) && (queue.empty() || earlier(t, queue.front()));
        if (!is_first) {
            fail(t, env);
            return insert(t);
        }
        if (Rules == maekawa_rules::corrected && !queue.empty()) fail(queue.front(), env);
        insert(t);
        if (inquired) return;
        inquired = true;
        if (lock->who) env.send(*lock->who, inquire{});
        else hear(inquire{}, lock->who, env);
    }
    void hear_yield(whom from, auto& env) {
        if (!lock || lock->who != from) return;
        turn again = *lock;
        again.is_told = true;
        insert(again);
        vote_again(env);
    }

    static void drop(std::vector<whom>& from, whom who) {
        from.erase(std::remove(from.begin(), from.end(), who), from.end());
    }
    static void add(std::vector<whom>& to, whom who) {
        to.insert(std::upper_bound(to.begin(), to.end(), who), who);
    }
    void hear(grant, whom from) {
        drop(failures, from);
        add(granted, from);
        if (granted.size() == quorum.size() + 1) now = phase::in;
    }
    void hear(failed, whom from, auto& env) {
        add(failures, from);
        for (const whom asker : std::vector<whom>{inquiries}) hand_back(asker, env);
    }
    void hear(inquire, whom from, auto& env) {
        if (now != phase::wants || std::count(granted.begin(), granted.end(), from) == 0) return;
        add(inquiries, from);
        if (!failures.empty()) hand_back(from, env);
    }
    void hand_back(whom to, auto& env) {
        drop(inquiries, to);
        drop(granted, to);
        add(failures, to);
        if (to) env.send(*to, yield{});
        else hear_yield(to, env);
    }
};

}  // namespace support
