// SPDX-License-Identifier: MIT
#include <caucus/layer/ballot_environment.hpp>

#include <caucus/core/layer.hpp>
#include <caucus/layer/visible_ports.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

using namespace caucus;

namespace {

/// Passes on what comes, and reports everything.
struct runner {
    struct step { int number; };
    struct fuse {};
    using message = step;
    using timer = fuse;
    using outcome = std::variant<elected<int>, stalled, overflow>;
    void on(step s, port from, auto& env) {
        env.send(from, s);
        env.send(from, step{s.number + 1});
    }
};

template <bool Ring>
struct layer_of_ballots {
    struct how {
        static constexpr bool hides_the_silent = !Ring;
        static constexpr bool sits_on_a_ring = Ring;
    };
    using process_type = runner;
    struct ballot { std::uint64_t number; runner::step message; std::size_t relays; };
    using message = ballot;
    using timer = std::variant<inner_timer<runner::fuse>>;
    using outcome = std::variant<stalled, overflow>;

    static constexpr std::size_t relays_most() { return 2; }
    std::optional<runner> process_{runner{}};
    std::uint64_t number_ = 7;
    visible_ports<> members_{};
    inner_timers<runner::fuse> timers_{};
};

/// Writes down what reaches the outside.
template <class Layer>
struct diary {
    std::string told{};
    std::size_t degree() const { return 4; }
    void send(port p, const typename Layer::ballot& b) {
        told += " " + std::to_string(b.number) + ":" + std::to_string(b.message.number) + " by " +
                std::to_string(p.index()) + " after " + std::to_string(b.relays);
    }
    void arm(const typename Layer::timer&, ticks delay) { told += " arm " + std::to_string(delay); }
    void disarm(const typename Layer::timer&) { told += " disarm"; }
    void report(const typename Layer::outcome& o) {
        told += std::holds_alternative<stalled>(o) ? " stalled" : " overflow";
    }
};

template <bool Ring>
struct scene {
    using layer_type = layer_of_ballots<Ring>;
    layer_type layer{};
    diary<layer_type> env{};
    ballot_environment<layer_type, diary<layer_type>> within{env, layer};

    std::string deliver(int number, std::size_t relays, port from) {
        env.told.clear();
        within.deliver({7, {number}, relays}, from);
        return env.told;
    }
};

}  // namespace

TEST_CASE("ballot_environment: P sees the ports of those who take part, renumbered both ways") {
    scene<false> s;
    s.layer.members_.show(port{1});
    s.layer.members_.show(port{3});
    CHECK(s.within.degree() == 2);
    s.within.broadcast({5});
    CHECK(s.env.told == " 7:5 by 1 after 0 7:5 by 3 after 0");
    CHECK(s.deliver(8, 9, port{3}) == " 7:8 by 3 after 0 7:9 by 3 after 0");   // no ring: no count
}

TEST_CASE("ballot_environment: on a ring what too many have passed on goes no further") {
    scene<true> s;
    CHECK(s.within.degree() == 4);
    CHECK(s.deliver(8, 1, port{2}) == " 7:8 by 2 after 2 7:9 by 2 after 0");
    CHECK(s.deliver(8, 2, port{2}) == " 7:9 by 2 after 0");
}

TEST_CASE("ballot_environment: timers can be disarmed together; who was elected is not told") {
    scene<true> s;
    s.within.arm(runner::fuse{}, 6);
    s.within.report(elected<int>{4});
    s.within.report(stalled{});
    s.within.report(overflow{});
    s.layer.timers_.disarm_all<layer_of_ballots<true>::timer>(s.env);
    CHECK(s.env.told == " arm 6 stalled overflow disarm");
    s.within.disarm(runner::fuse{});
    CHECK(s.env.told == " arm 6 stalled overflow disarm disarm");
}
