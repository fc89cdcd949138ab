// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hand_written {

/// Chang-Roberts on a synchronous ring as one would write it for this purpose alone: everything in
/// two arrays of messages and one of nodes, a switch, no abstraction. Same rules (suppress, own_id,
/// announce, all start), same queue discipline (one array per round, in sending order), same
/// products (messages by kind, rounds, who learned of the leader when) as the library's.
class chang_roberts_in_rounds {
public:
    struct known {
        std::size_t node;
        std::uint64_t round;
        std::int32_t leader;
    };

    explicit chang_roberts_in_rounds(const std::vector<std::int32_t>& ids) {
        nodes_.reserve(ids.size());
        for (const std::int32_t id : ids) nodes_.push_back({id, id, role::asleep});
    }

    void run() {
        for (std::size_t v = 0; v < nodes_.size(); ++v) {
            nodes_[v].as = role::candidate;
            send(v, election, nodes_[v].id);
        }
        while (!sent_.empty()) {
            ++rounds;
            arriving_.swap(sent_);
            for (const message& m : arriving_) handle(m);
            arriving_.clear();
        }
    }

    std::uint64_t messages() const { return sent_by_kind_[0] + sent_by_kind_[1]; }

    std::uint64_t rounds = 0;
    std::vector<known> outcomes;

private:
    enum class role : std::uint8_t { asleep, candidate, leader, follower };
    static constexpr std::uint8_t election = 0;
    static constexpr std::uint8_t elected = 1;
    struct state {
        std::int32_t id;
        std::int32_t leader;
        role as;
    };
    struct message {
        std::uint32_t to;
        std::int32_t id;
        std::uint8_t kind;
    };

    void send(std::size_t from, std::uint8_t kind, std::int32_t id) {
        const std::size_t to = from + 1 == nodes_.size() ? 0 : from + 1;
        ++sent_by_kind_[kind];
        sent_.push_back({static_cast<std::uint32_t>(to), id, kind});
    }

    void handle(const message& m) {
        state& self = nodes_[m.to];
        if (m.kind == election) {
            if (self.as == role::candidate && m.id == self.id) {
                self.as = role::leader;
                outcomes.push_back({m.to, rounds, self.id});
                send(m.to, elected, self.id);
            } else if (m.id > self.id) {
                send(m.to, election, m.id);
            }
        } else if (self.as != role::leader && self.as != role::follower) {
            self.as = role::follower;
            self.leader = m.id;
            outcomes.push_back({m.to, rounds, m.id});
            send(m.to, elected, m.id);
        }
    }

    std::vector<state> nodes_;
    std::vector<message> sent_;
    std::vector<message> arriving_;
    std::uint64_t sent_by_kind_[2] = {};
};

}  // namespace hand_written
