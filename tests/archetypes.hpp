// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/fields.hpp>
#include <caucus/core/input.hpp>
#include <caucus/core/time.hpp>

#include <cstddef>
#include <optional>
#include <tuple>
#include <vector>

/// The least type that satisfies each concept: whatever works with these asks for no more than the
/// concept says. Every operation that is not required is missing, on purpose.
namespace archetype {

/// identity: regular, and nothing else; no order, no fields, no arithmetic.
class id {
public:
    constexpr id() = default;
    static constexpr id ranked(int rank) { return id{rank}; }
    friend constexpr bool operator==(const id&, const id&) = default;

private:
    friend struct by_rank;
    constexpr explicit id(int rank) : rank_(rank) {}
    int rank_ = 0;
};

/// A preference among them: names no role, is no template, has a state.
struct by_rank {
    int sign = 1;
    constexpr bool operator()(const id& a, const id& b) const {
        return sign * a.rank_ > sign * b.rank_;
    }
};

/// A kind of message: copyable and described, and nothing else; not even a default.
class parcel {
public:
    static constexpr parcel of(int content) { return parcel{content}; }
    constexpr int content() const { return content_; }
    static constexpr auto fields(auto& self) { return std::tie(self.content_); }

private:
    constexpr explicit parcel(int content) : content_(content) {}
    int content_;
};

/// channel: takes whole messages only, not their alternatives.
template <class Message>
struct channel {
    struct letter {
        caucus::port out;
        Message message;
    };
    std::size_t ports = 0;
    std::vector<letter> outbox{};

    constexpr std::size_t degree() const { return ports; }
    constexpr void send(caucus::port p, const Message& m) { outbox.push_back({p, m}); }
    constexpr void broadcast(const Message& m) {
        for (const caucus::port p : caucus::ports(ports)) send(p, m);
    }
};

/// clock: remembers what is armed; whoever owns the environment fires it.
template <class Timer>
struct clock {
    struct alarm {
        Timer timer;
        caucus::ticks delay;
    };
    std::vector<alarm> armed{};

    constexpr void arm(const Timer& t, caucus::ticks delay) {
        disarm(t);
        armed.push_back({t, delay});
    }
    constexpr void disarm(const Timer& t) {
        std::vector<alarm> kept;
        for (const alarm& a : armed)
            if (!caucus::same(a.timer, t)) kept.push_back(a);
        armed = kept;
    }
};
template <>
struct clock<caucus::nothing> {};

/// timepiece
struct watch {
    caucus::ticks time = 0;
    constexpr caucus::ticks now() const { return time; }
};

/// chance: as unfair as allowed, always the last.
struct loaded_dice {
    constexpr std::size_t choose(std::size_t k) { return k - 1; }
};

/// listener
template <class Outcome>
struct listener {
    std::vector<Outcome> heard{};
    constexpr void report(const Outcome& o) { heard.push_back(o); }
};

/// memory
template <class Kept>
struct memory {
    std::optional<Kept> last{};
    constexpr void keep(const Kept& value) { last = value; }
};

/// environment_for P, without dice, watch and memory.
template <class P>
struct environment : channel<typename P::message>,
                     clock<typename P::timer>,
                     listener<typename P::outcome> {};

/// process: can be started, and has nothing to say, to hear or to wait for.
struct process {
    using message = caucus::nothing;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;
    constexpr void start(auto&) {}
};

}  // namespace archetype
