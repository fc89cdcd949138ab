// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/random.hpp>
#include <caucus/run/endpoint.hpp>
#include <caucus/topology/topology.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <optional>
#include <type_traits>
#include <variant>

// A whole network of endpoints without a heap: fixed queues, and an operator new that ends the
// program while `armed`. Included once per program.

namespace freestanding {

inline bool armed = false;

/// Whom the programs give which id: a network of n has the first n of them.
inline constexpr std::array<std::uint16_t, 8> ids{3, 9, 1, 7, 5, 2, 8, 4};

template <class P, class Topology, std::size_t Nodes, std::size_t Room>
class network {
public:
    explicit network(Topology topology, auto make) : topology_(topology) {
        for (std::size_t v = 0; v < Nodes; ++v) {
            seats_[v].channel = {this, caucus::node{v}};
            seats_[v].listener = {this};
            seats_[v].self.emplace(make(caucus::node{v}), seats_[v].channel, clock_,
                                   seats_[v].listener, dice_);
        }
    }

    void start(std::size_t v) { seats_[v].self->start(); }
    void begin(std::size_t v) { seats_[v].self->begin(caucus::incarnation{}); }
    caucus::answer call(std::size_t v, const auto& request) {
        return seats_[v].self->call(request);
    }
    const P& operator[](std::size_t v) const { return seats_[v].self->process(); }
    std::size_t messages() const { return messages_; }
    std::size_t outcomes() const { return outcomes_; }
    std::size_t overflows() const { return overflows_; }
    /// That node leads, and all have been told so, once.
    bool follows(std::size_t leader) const {
        for (const seat& s : seats_)
            if (s.self->process().leader() != ids[leader]) return false;
        return (*this)[leader].is_leader() && outcomes_ == Nodes;
    }

    /// Message by message in order of sending, one tick each; idle, the clock moves on. What never
    /// ends is ended.
    void run() {
        constexpr caucus::ticks end = caucus::perpetual<P> ? 20'000 : caucus::never;
        while ((size_ != 0 || any_deadline()) && clock_.time < end) {
            ++clock_.time;
            if (size_ != 0) {
                const letter l = *queue_[first_];
                first_ = (first_ + 1) % Room;
                --size_;
                if (!seats_[l.to.node].self->receive(l.to.port, l.content)) std::abort();
            }
            for (seat& s : seats_) s.self->advance();
        }
    }

private:
    struct letter {
        caucus::far_end to;
        typename P::message content;
    };
    struct steady {
        caucus::ticks now() const { return time; }
        caucus::ticks time = 0;
    };
    struct wires {
        static constexpr caucus::guarantee guarantees = caucus::perfect_links;
        std::size_t degree() const { return net->topology_.degree(self); }
        void send(caucus::port p, const typename P::message& m) {
            if (net->size_ == Room) std::abort();
            ++net->messages_;
            net->queue_[(net->first_ + net->size_++) % Room].emplace(
                letter{caucus::checked_across(net->topology_, self, p), m});
        }
        network* net;
        caucus::node self;
    };
    struct ear {
        void report(const typename P::outcome& o) {
            ++net->outcomes_;
            net->overflows_ += caucus::visit_kind(o, [](const auto& kind) -> std::size_t {
                return std::is_same_v<decltype(kind), const caucus::overflow&>;
            });
        }
        network* net;
    };
    struct lots {
        std::size_t choose(std::size_t k) { return static_cast<std::size_t>(source.below(k)); }
        caucus::random_source source{1};
    };
    struct seat {
        wires channel;
        ear listener;
        std::optional<caucus::endpoint<P, wires, steady, ear, lots>> self;
    };

    bool any_deadline() const {
        for (const seat& s : seats_)
            if (s.self->next_deadline()) return true;
        return false;
    }

    Topology topology_;
    steady clock_;
    lots dice_;
    seat seats_[Nodes] = {};
    std::optional<letter> queue_[Room] = {};
    std::size_t first_ = 0, size_ = 0, messages_ = 0, outcomes_ = 0, overflows_ = 0;
};

/// Builds a network and lets it run, all with the trap set. 0 if `good` likes what came out.
template <class P, std::size_t Nodes, std::size_t Room = 1024>
int elects(auto topology, auto make, auto initiators, auto good) {
    armed = true;
    network<P, decltype(topology), Nodes, Room> net{topology, make};
    for (const auto v : initiators) net.start(static_cast<std::size_t>(v));
    net.run();
    const bool passed = good(net);
    armed = false;
    return passed ? 0 : 1;
}
/// A process with its id, and with its storage if it has one.
template <class P>
P with_id(caucus::node v) {
    if constexpr (std::is_constructible_v<P, std::uint16_t>) return P{ids[v]};
    else return P{ids[v], {}};
}
template <class P, std::size_t Nodes>
int elects(auto topology, auto initiators, auto good) {
    return elects<P, Nodes>(topology, with_id<P>, initiators, good);
}
/// The same where all start.
template <class P, std::size_t Nodes>
int all_elect(auto topology, auto make, auto good) {
    std::array<std::size_t, Nodes> all{};
    for (std::size_t v = 0; v < Nodes; ++v) all[v] = v;
    return elects<P, Nodes>(topology, make, all, good);
}
template <class P, std::size_t Nodes>
int all_elect(auto topology, auto good) {
    return all_elect<P, Nodes>(topology, with_id<P>, good);
}

}  // namespace freestanding

void* operator new(std::size_t size) {
    if (freestanding::armed) std::abort();
    if (void* p = std::malloc(size)) return p;
    std::abort();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
