// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>
#include <caucus/core/random.hpp>
#include <caucus/multicast/deliveries.hpp>
#include <caucus/multicast/outcomes.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/swarm.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Groups whose members have the ids 0, 1, …, and what their applications saw.

namespace support {

inline std::vector<int> first_ids(std::size_t n) {
    std::vector<int> ids;
    for (std::size_t v = 0; v < n; ++v) ids.push_back(static_cast<int>(v));
    return ids;
}
/// The ids behind the ports of v, if all are linked to all.
inline std::vector<int> others(std::size_t n, std::size_t v) {
    return caucus::peer_ids(caucus::complete{n}, caucus::node{v}, first_ids(n));
}
/// The port of v behind which u is.
inline caucus::port towards(std::size_t n, std::size_t v, std::size_t u) {
    return caucus::port{(u + n - v - 1) % n};
}

/// What node v was told, one word each: 1:a is delivered from 1, 1:-2 are two missed of 1; any
/// other outcome is its name and its port, if it has one.
std::string told(const auto& net, std::size_t v) {
    std::string words;
    for (const auto& o : net.outcomes()) {
        if (o.node.index != v) continue;
        if (!words.empty()) words += ' ';
        caucus::visit_kind(o.outcome, [&]<class Kind>(const Kind& k) {
            const auto number = [](auto port_or_none) {
                if constexpr (requires { port_or_none->index(); })
                    return port_or_none ? std::to_string(port_or_none->index()) : std::string();
                else
                    return std::to_string(port_or_none.index());
            };
            if constexpr (requires { k.from; k.payload; }) {
                words += std::to_string(k.from) + ':' + k.payload;
            } else if constexpr (requires { k.from; k.count; }) {
                words += std::to_string(k.from) + ":-" + std::to_string(k.count);
            } else {
                const caucus::text name = caucus::kind_name<Kind>();
                words += std::string(name.data(), name.size());
                if constexpr (requires { k.waiting_for; }) words += number(k.waiting_for);
                if constexpr (requires { k.whom; }) words += number(k.whom);
                if constexpr (requires { k.by; }) words += number(k.by);
            }
        });
    }
    return words;
}

/// Of all lives of all nodes: what they sent, were delivered and missed, and when.
class cast_watch : public caucus::observer {
public:
    using history = caucus::deliveries<int, int>;
    struct sent_once {
        caucus::ticks at;
        int payload;
    };
    struct one_life {
        history seen{};
        caucus::ticks began = 0;                // or joined
        bool has_view = false;
        std::vector<sent_once> sent{};
        std::vector<std::uint64_t> missed{};   // of whom, over all lives of that one
        std::vector<char> left_behind{};
    };

    explicit cast_watch(std::size_t nodes) : nodes_(nodes), lives_(nodes) {
        for (auto& of_one : lives_) of_one.push_back(fresh(0, {}));
    }

    void reported(caucus::ticks now, caucus::node v, const auto& outcome) {
        one_life& l = lives_[v].back();
        const bool was_inside = l.seen.is_inside();
        l.seen.hear(outcome);
        caucus::visit_kind(outcome, [&](const auto& kind) {
            if constexpr (requires { kind.number; kind.members; }) {
                // Where there are views, a later life belongs to none until it has joined one.
                const bool came_back = l.seen.lived().number != 0;
                if (!was_inside || (came_back && !l.has_view)) l.began = now;
                l.has_view = true;
            }
            if constexpr (requires { kind.from; kind.count; }) {
                l.missed[static_cast<std::size_t>(kind.from)] += kind.count;
                missed_ += kind.count;
            }
            if constexpr (requires { kind.waiting_for; }) ++stalled_;
            if constexpr (requires { kind.whom; })
                l.left_behind[(v.index + 1 + kind.whom.index()) % nodes_] = 1;
        });
    }
    void restarted(caucus::ticks now, caucus::node v, caucus::incarnation life) {
        lives_[v].push_back(fresh(now, life));
    }
    void arrived(caucus::ticks now, caucus::node v) { lives_[v].back().began = now; }
    void asked(caucus::ticks now, std::size_t v, const auto& request, caucus::answer said) {
        one_life& l = lives_[v].back();
        l.seen.asked(request, said);
        if constexpr (requires { request.payload; })
            if (said == caucus::answer::accepted) l.sent.push_back({now, request.payload});
    }

    std::uint64_t missed() const { return missed_; }
    std::uint64_t stalled() const { return stalled_; }
    const one_life& now(std::size_t v) const { return lives_[v].back(); }
    std::size_t delivered() const {
        std::size_t count = 0;
        for (const auto& of_one : lives_)
            for (const one_life& l : of_one) count += l.seen.delivered();
        return count;
    }
    /// What must not happen on the way, in words.
    std::string broken(caucus::ordering order, bool without_gaps) const {
        std::vector<history::witness> all;
        for (std::size_t v = 0; v < lives_.size(); ++v)
            for (const one_life& l : lives_[v])
                all.push_back({static_cast<int>(v), l.seen.lived(), &l.seen});
        const char* words = history::judge{std::move(all)}.broken(order, without_gaps);
        return words == nullptr ? "" : words;
    }
    /// At the end: whatever a live one sent in its present life has reached all that live and were
    /// there when it was sent; or they were told how many they have missed.
    std::string unsettled(const auto& net) const {
        for (std::size_t v = 0; v < lives_.size(); ++v)
            for (std::size_t u = 0; u < lives_.size(); ++u) {
                if (!net.alive(v) || !net.alive(u) || now(v).left_behind[u] != 0) continue;
                const std::size_t owed = owed_to(u, now(v));
                if (owed > now(u).missed[v])
                    return std::to_string(owed) + " of " + std::to_string(v) + " lack at " +
                           std::to_string(u);
            }
        return "";
    }

    /// At the end: has a message of one that is dead, or of an earlier life, reached some of those
    /// that live and were there from the beginning, and not others, who know nothing of it?
    bool is_torn(const auto& net) const {
        std::vector<int> theirs;
        for (std::size_t v = 0; v < lives_.size(); ++v)
            for (const one_life& l : lives_[v])
                if (!net.alive(v) || &l != &lives_[v].back())
                    for (const auto& e : l.seen.entries())
                        if (!e.from) theirs.push_back(e.payload);
        for (const int payload : theirs) {
            std::size_t with = 0, without = 0;
            for (std::size_t u = 0; u < lives_.size(); ++u)
                if (net.alive(u) && now(u).began == 0 && now(u).seen.lived().number == 0)
                    ++(has(u, payload) ? with : without);
            if (with != 0 && without != 0) return true;
        }
        return false;
    }

private:
    bool has(std::size_t u, int payload) const {
        for (const auto& e : now(u).seen.entries())
            if (e.from && e.payload == payload) return true;
        return false;
    }
    one_life fresh(caucus::ticks now, caucus::incarnation life) const {
        one_life l;
        l.began = now;
        l.seen.came_back(life);
        l.missed.resize(nodes_, 0);
        l.left_behind.resize(nodes_, 0);
        return l;
    }
    std::size_t owed_to(std::size_t u, const one_life& sender) const {
        std::vector<int> has;
        for (const auto& e : now(u).seen.entries())
            if (e.from) has.push_back(e.payload);
        std::sort(has.begin(), has.end());
        std::size_t lacking = 0;
        for (const sent_once& s : sender.sent)
            lacking += s.at > now(u).began &&
                       !std::binary_search(has.begin(), has.end(), s.payload);
        return lacking;
    }

    std::size_t nodes_;
    std::vector<std::vector<one_life>> lives_;
    std::uint64_t missed_ = 0;
    std::uint64_t stalled_ = 0;
};

struct cast_tally {
    std::uint64_t bad = 0;
    std::uint64_t delivered = 0;
    std::uint64_t missed = 0;
    std::uint64_t refused = 0;
    std::uint64_t stalled = 0;
};

/// One run of `make(nodes, v)`: about every 30 ticks somebody sends, in storms or whatever `how`
/// says, until `ends`; the last message of each may be lost, too. Then `settling` ticks are left.
template <class Make>
void run_casts(std::uint64_t seed, std::size_t nodes, const Make& make,
               const caucus::events_options& how, caucus::ticks ends, caucus::ticks settling,
               bool without_gaps, cast_tally& sum) {
    caucus::events_options quiet = how;
    quiet.keep_outcomes = false;
    caucus::events net{caucus::complete{nodes}, [&](caucus::node v) { return make(nodes, v); },
                       quiet, cast_watch{nodes}};
    net.start_all();
    caucus::random_source bits{caucus::mix(seed, 0x6361737473u)};
    for (int sent = 0; net.now() < ends;) {
        net.run_for(1 + bits.below(60));
        const auto v = static_cast<std::size_t>(bits.below(nodes));
        const caucus::request::broadcast<int> cast{++sent};
        if (!net.alive(v)) continue;
        const caucus::answer said = net.call(v, cast);
        net.watcher().asked(net.now(), v, cast, said);
        sum.refused += said != caucus::answer::accepted;
    }
    net.run_for(settling);
    std::string broken = net.watcher().broken(caucus::ordering::fifo, without_gaps);
    if (broken.empty()) broken = net.watcher().unsettled(net);
    if (!broken.empty()) MESSAGE("seed ", seed, ": ", broken);
    sum.bad += !broken.empty();
    sum.delivered += net.watcher().delivered();
    sum.missed += net.watcher().missed();
    sum.stalled += net.watcher().stalled();
}

}  // namespace support
