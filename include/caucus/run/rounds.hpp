// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/simulation/network.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace caucus {

struct rounds_options {
    std::uint64_t seed = 1;
    detail_level detail = detail_level::automatic;
    bool keep_outcomes = true;          // else they are counted, and told to the observer alone
    bool outside_model = false;         // skip the run-time checks of what the algorithm assumes
    std::uint64_t shuffle_nodes = 0;    // other than 0: visit the nodes of a round in another order
};

/// The synchronous model: what is sent in round r is received in round r+1; starts are round 0.
/// A node handles its messages by (arrival port, sending order), then its due timers by value.
/// Only messages under way cost time; rounds in which nothing happens are skipped.
template <class Topology, class P, class Observer = observer>
class rounds
    : public simulation::network<rounds<Topology, P, Observer>, Topology, simulation::made_by_t<P>,
                                 Observer> {
    using base = simulation::network<rounds, Topology, simulation::made_by_t<P>, Observer>;
    using typename base::environment;
    using typename base::process_type;

public:
    using message = typename base::message;

    constexpr rounds(Topology topology, auto make, rounds_options options = {},
                     Observer watcher = {})
        : base(std::move(topology), make, options, std::move(watcher)) {
        static_assert(a_message_or_timer_kind_has_no_handler<process_type, environment>,
                      "a_message_or_timer_kind_has_no_handler");
        static_assert(a_request_has_no_verb<process_type, environment>, "a_request_has_no_verb");
    }

private:
    friend base;
    using letter = simulation::envelope<message, Topology::one_inlet>;

    constexpr void post(node from, port p, const auto& m) {
        sent_.emplace_back(this->topology_.across(from, p), m);
        if (this->tally_.detailed())
            sent_chains_.push_back(this->tally_.sent_in_detail(from, this->topology_.arc(from, p)));
    }

    constexpr std::size_t in_flight() const { return sent_.size(); }
    constexpr ticks upcoming() const {
        return sent_.empty() ? this->timers_.next() : this->now_ + 1;
    }

    constexpr bool outlasts_time() const { return !sent_.empty() || !this->timers_.empty(); }

    constexpr void tick() {
        if (sent_.size() > this->in_flight_most_) this->in_flight_most_ = sent_.size();
        if (!sent_.empty()) deliver_sent();
        this->expire_timers();
    }

    constexpr void deliver_sent() {
        this->active_at_ = this->now_;
        arriving_.swap(sent_);
        if (Topology::one_inlet && !this->tally_.detailed() && !this->order_.shuffles()) {
            for (const letter& l : arriving_) this->deliver(node{l.to}, l.inlet(), l.message);
        } else {
            deliver_in_order();
        }
        arriving_.clear();
    }
    constexpr void deliver_in_order() {
        arriving_chains_.swap(sent_chains_);
        const auto hand_over = [&](std::size_t i) {
            const letter& l = arriving_[i];
            if (this->tally_.detailed()) this->tally_.received_in_detail(l.to, arriving_chains_[i]);
            this->deliver(node{l.to}, l.inlet(), l.message);
        };
        if (Topology::one_inlet && !this->order_.shuffles())
            for (std::size_t i = 0; i < arriving_.size(); ++i) hand_over(i);
        else
            this->order_.visit(arriving_, this->nodes(), hand_over);
        arriving_chains_.clear();
    }

    std::vector<letter> sent_;
    std::vector<letter> arriving_;
    std::vector<std::uint32_t> sent_chains_;
    std::vector<std::uint32_t> arriving_chains_;
};

template <class Topology, class Make>
rounds(Topology, Make, rounds_options = {}) -> rounds<Topology, simulation::made_by_t<Make>>;
template <class Topology, class Make, class Observer>
rounds(Topology, Make, rounds_options, Observer)
    -> rounds<Topology, simulation::made_by_t<Make>, Observer>;

}  // namespace caucus
