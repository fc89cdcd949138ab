// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/port.hpp>
#include <caucus/core/random.hpp>
#include <caucus/core/sort.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace caucus::simulation {

/// A message on its way. Where every node has a single inlet, the arrival port goes without saying.
/// Made from one kind of message, it builds the variant in place: copying one that was just built
/// costs more than everything else that happens to a message.
template <class Message, bool OneInlet>
struct envelope {
    constexpr envelope(far_end far, const auto& kind)
        : to(static_cast<std::uint32_t>(far.node.index)), at(far.port), message(kind) {}

    constexpr port inlet() const { return at; }

    std::uint32_t to;
    port at;
    Message message;
};
template <class Message>
struct envelope<Message, true> {
    constexpr envelope(far_end far, const auto& kind)
        : to(static_cast<std::uint32_t>(far.node.index)), message(kind) {}

    static constexpr port inlet() { return prev; }

    std::uint32_t to;
    Message message;
};

/// Puts what arrives at one tick into the order in which nodes handle it: each node takes its
/// messages by arrival port, then as they were sent. Which node goes first is nobody's business;
/// a shuffle seed changes it, for tests that prove so.
class port_order {
public:
    constexpr explicit port_order(std::uint64_t shuffle_seed) : shuffle_seed_(shuffle_seed) {}

    constexpr bool shuffles() const { return shuffle_seed_ != 0; }

    /// Calls handle(i) for every index of `batch`, which is in sending order.
    template <class Batch>
    constexpr void visit(const Batch& batch, std::size_t nodes, auto handle) {
        arrivals_.resize(batch.size());
        for (std::size_t i = 0; i < batch.size(); ++i)
            arrivals_[i] = {batch[i].to, batch[i].inlet()};
        put_in_order(nodes);
        for (const std::uint32_t i : order_) handle(i);
    }

private:
    struct arrival {
        std::uint32_t to = 0;
        port at{};
    };
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    constexpr void put_in_order(std::size_t nodes) {
        if (first_.empty()) first_.assign(nodes, none);
        following_.assign(arrivals_.size(), none);
        order_.clear();
        for (std::size_t i = arrivals_.size(); i-- > 0;) {
            following_[i] = first_[arrivals_[i].to];
            first_[arrivals_[i].to] = static_cast<std::uint32_t>(i);
        }
        if (!shuffles()) {
            for (const arrival& each : arrivals_) append_those_to(each.to);
            return;
        }
        std::vector<std::size_t> order(arrivals_.size(), 0);
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        random_source{shuffle_seed_++}.shuffle(order);
        for (const std::size_t i : order) append_those_to(arrivals_[i].to);
    }
    constexpr void append_those_to(std::uint32_t v) {
        std::uint32_t m = first_[v];
        if (m == none) return;
        first_[v] = none;
        if (following_[m] == none) return order_.push_back(m);
        mine_.clear();
        for (; m != none; m = following_[m]) mine_.push_back(m);
        stable_sort(mine_, [&](std::uint32_t a, std::uint32_t b) {
            return arrivals_[a].at < arrivals_[b].at;
        });
        for (const std::uint32_t each : mine_) order_.push_back(each);
    }

    std::uint64_t shuffle_seed_;
    std::vector<arrival> arrivals_;          // per message
    std::vector<std::uint32_t> order_;       // in which messages are handled
    std::vector<std::uint32_t> first_;       // per node: its first message in this batch
    std::vector<std::uint32_t> following_;   // per message: the next one for the same node
    std::vector<std::uint32_t> mine_;
};

}  // namespace caucus::simulation
