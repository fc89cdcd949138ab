// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/fields.hpp>
#include <caucus/core/input.hpp>
#include <caucus/core/kind.hpp>
#include <caucus/core/random.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/generators.hpp>
#include <caucus/topology/peers.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/two_way_ring.hpp>
#include <support/court.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Messages as a codec would accept them, and nobody would send them.

namespace support {

/// Small, next to a bound, or anything.
template <class T>
T wild_number(caucus::random_source& bits) {
    using limits = std::numeric_limits<T>;
    switch (bits.below(5)) {
        case 0: return static_cast<T>(limits::max() - static_cast<T>(bits.below(3)));
        case 1: return limits::lowest();
        case 2: return static_cast<T>(bits.below(~std::uint64_t{0}));
        default: return static_cast<T>(bits.below(12));
    }
}

/// Any value of a type that the library can describe, field by field.
template <class T>
T random_value(caucus::random_source& bits);

namespace detail {

template <std::size_t I = 0, class Variant>
void make_kind(Variant& v, std::size_t which, caucus::random_source& bits) {
    if constexpr (I < std::variant_size_v<Variant>) {
        if (which != I) return make_kind<I + 1>(v, which, bits);
        v.template emplace<I>(random_value<std::variant_alternative_t<I, Variant>>(bits));
    }
}
template <class Sequence>
bool has_room(const Sequence& s) {
    if constexpr (requires { Sequence::capacity(); }) return s.size() < Sequence::capacity();
    else return true;
}
template <class Sequence>
void make_list(Sequence& s, caucus::random_source& bits) {
    using element = std::remove_cvref_t<decltype(*s.begin())>;
    if constexpr (requires(element e) { s.push_back(e); }) {
        s = Sequence{};
        for (std::uint64_t left = bits.below(5); left != 0 && has_room(s); --left)
            s.push_back(random_value<element>(bits));
    } else if constexpr (requires(element e) { s.insert(e); }) {
        s = Sequence{};
        for (std::uint64_t left = bits.below(5); left != 0; --left)
            s.insert(caucus::port{bits.below(8)});
    } else {
        for (auto& each : s) each = random_value<element>(bits);
    }
}

}  // namespace detail

/// The same value but for about one scalar in four; lists are drawn anew, or stay.
template <class T>
void make_wild(T& x, caucus::random_source& bits, std::uint64_t one_in = 4) {
    const bool hit = bits.below(one_in) == 0;
    if constexpr (std::is_same_v<T, bool>) {
        if (hit) x = bits.below(2) == 0;
    } else if constexpr (std::is_same_v<T, caucus::port>) {
        if (hit) x = caucus::port{wild_number<std::uint32_t>(bits)};
    } else if constexpr (std::is_same_v<T, caucus::node>) {
        if (hit) x = caucus::node{wild_number<std::size_t>(bits)};
    } else if constexpr (std::is_enum_v<T>) {
        if (hit) x = static_cast<T>(bits.below(3));   // all of ours have at least three values
    } else if constexpr (std::is_arithmetic_v<T>) {
        if (hit) x = wild_number<T>(bits);
    } else if constexpr (caucus::detail::is_variant<T>) {
        if (one_in == 1) detail::make_kind(x, bits.below(std::variant_size_v<T>), bits);
        else std::visit([&](auto& held) { make_wild(held, bits, one_in); }, x);
    } else if constexpr (caucus::detail::maybe<T>) {
        if (hit && bits.below(3) == 0) x.reset();
        else if (hit) x = random_value<typename T::value_type>(bits);
        else if (x.has_value()) make_wild(*x, bits, one_in);
    } else if constexpr (caucus::detail::sequence<T>) {
        if (hit) detail::make_list(x, bits);
    } else {
        std::apply([&](auto&... each) { (make_wild(each, bits, one_in), ...); },
                   caucus::fields_of(x));
    }
}
template <class T>
T random_value(caucus::random_source& bits) {
    T x{};
    make_wild(x, bits, 1);
    return x;
}

/// Keeps some of what was sent: a stranger may have heard it.
template <class Message>
struct eavesdropper : caucus::observer {
    std::vector<Message> heard{};

    void sent(caucus::ticks, caucus::node, caucus::port, const auto& m) {
        if (heard.size() < 64) heard.push_back(Message{m});
        else heard[caucus::mix(seen_++) % 64] = Message{m};
    }

private:
    std::uint64_t seen_ = 0;
};

/// A run in which a stranger says `words` wild things, each to some node by some port, while the
/// others go on; every other thing is something that it heard, altered. The simulation is left as
/// it is then, for whoever wants to see what became of it.
template <class Topology, class Make>
auto among_strangers(const Topology& t, Make make, std::uint64_t seed, std::size_t words = 60,
                     caucus::events_options options = {}) {
    using process = std::remove_cvref_t<decltype(make(caucus::node{0}))>;
    using message = typename process::message;
    caucus::random_source bits{caucus::mix(seed, 0x77696c64u)};
    options.seed = seed;
    options.delay = caucus::uniform{1, 5};
    options.outside_model = true;
    caucus::events net{t, make, options, eavesdropper<message>{}};
    for (std::size_t v = 0; v < net.nodes(); ++v)
        if (bits.below(3) != 0) net.start(v);
    caucus::limits until{.max_rounds = 0, .max_messages = 30'000};
    for (; words != 0; --words) {
        const caucus::node v{static_cast<std::size_t>(bits.below(net.nodes()))};
        const bool one_way = Topology::kind == caucus::shape::one_way_ring;
        const caucus::port from{one_way ? 1 : bits.below(t.degree(v))};
        message m = random_value<message>(bits);
        const auto& heard = net.watcher().heard;
        if (!heard.empty() && bits.below(2) == 0) {
            m = heard[bits.below(heard.size())];
            make_wild(m, bits);
        }
        net.call(v, caucus::arrival<message>{m, from});
        until.max_rounds = net.now() + bits.below(8);
        static_cast<void>(net.run(until));
    }
    return net;
}

// Where they run: `place(nodes, seed)`.
inline constexpr auto wild_rings = [](std::size_t n, std::uint64_t) { return caucus::ring{n}; };
inline constexpr auto wild_two_way_rings = [](std::size_t n, std::uint64_t) {
    return caucus::two_way_ring{n};
};
inline constexpr auto wild_networks = [](std::size_t n, std::uint64_t) {
    return caucus::complete{n};
};
inline constexpr auto wild_trees = [](std::size_t n, std::uint64_t seed) {
    return caucus::random_tree(n, seed);
};
inline constexpr auto wild_graphs = [](std::size_t n, std::uint64_t seed) {
    return caucus::random_sparse_graph(n, n == 2 ? 1 : n, seed);
};

/// Runs `make(nodes, id, peers)` among strangers, and looks at each simulation afterwards.
void disturb(std::uint64_t runs, auto place, auto make, auto look) {
    std::size_t spoken = 0;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        CAPTURE(seed);
        const std::size_t n = 2 + seed % 5;
        const auto t = place(n, seed);
        const std::vector<int> ids = shuffled_ids(n, seed);
        auto net = among_strangers(t, [&](caucus::node v) {
            return make(n, ids[v], caucus::peer_ids(t, v, ids));
        }, seed);
        look(net);
        spoken += net.watcher().heard.size();
    }
    CHECK(spoken > runs);   // the nodes, not the stranger
}
void disturb(std::uint64_t runs, auto place, auto make) {
    disturb(runs, place, make, [](auto&) {});
}

}  // namespace support
