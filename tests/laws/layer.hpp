// SPDX-License-Identifier: MIT
#pragma once

#include <archetypes.hpp>
#include <caucus/core/fields.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/star.hpp>
#include <support/least.hpp>
#include <support/unstarted.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

/// The laws of layers, for each of them:
///     laws::layer_laws([](auto process) { return some_layer{process}; })
/// and, where the process inside is found otherwise than by process(), a second function that does.
namespace laws {

/// The least process, and one that could be asked for a lock it never gets.
struct least_process : support::greeter {
    std::size_t degree = 0;

    constexpr explicit least_process(int own = 0) { number = own; }
    constexpr void start(auto& env) {
        degree = env.degree();
        greeter::start(env);
    }
    static constexpr void request(auto&) {}
    static constexpr void release(auto&) {}
    static constexpr bool holds() { return false; }
    static constexpr auto fields(auto& self) {
        return std::tie(self.number, self.heard, self.started, self.degree);
    }
};

/// One that waits, listens to detectors, and wakes up after a crash.
struct watchful_process : support::bystander {
    struct fuse { int length; };
    using timer = fuse;
    int burnt = 0;
    std::uint32_t life = 0;

    void start(auto& env) {
        env.arm(fuse{3}, 3);
        env.arm(fuse{4}, 4);
        env.disarm(fuse{3});
    }
    void on(fuse f, auto&) { burnt += f.length; }
    void on(const caucus::recovered<>& r, auto&) { life = r.incarnation.number; }
    using support::bystander::on;
    static constexpr void request(auto&) {}
    static constexpr void release(auto&) {}
    static constexpr bool holds() { return false; }
    static constexpr auto fields(auto& self) {
        return std::tie(self.words, self.burnt, self.life);
    }
};

inline constexpr auto by_process = [](const auto& layer) -> const auto& { return layer.process(); };

/// What is sent inside arrives inside, once for two starts; the degree is the one outside.
void carries_messages(auto wrap, auto inside) {
    caucus::events net{caucus::star{4}, [&](caucus::node v) {
                           return wrap(least_process{static_cast<int>(v.index)});
                       }};
    net.start(0);
    net.start(0);
    net.start(2);
    net.run_for(200);
    net.start(2);
    net.run_for(200);
    CHECK(inside(net[0]).degree == 3);
    CHECK(inside(net[2]).degree == 1);
    CHECK(inside(net[0]).heard == std::vector{2});
    for (std::size_t v = 1; v < 4; ++v) CHECK(inside(net[v]).heard == std::vector{0});
}

/// A copy behaves as the original, and two that differ inside differ.
void is_a_value(auto wrap) {
    using layered = decltype(wrap(least_process{1}));
    static_assert(caucus::process<layered>);
    layered original = wrap(least_process{1});
    layered copy = original;
    CHECK(caucus::same(original, copy));
    CHECK_FALSE(caucus::same(original, wrap(least_process{2})));
    archetype::environment<layered> here, there;
    here.ports = there.ports = 2;
    original.start(here);
    CHECK_FALSE(caucus::same(original, copy));
    copy.start(there);
    CHECK(caucus::same(original, copy));
    REQUIRE(here.outbox.size() == there.outbox.size());
    CHECK(here.outbox.size() >= 2);
    for (std::size_t i = 0; i < here.outbox.size(); ++i) {
        CHECK(here.outbox[i].out == there.outbox[i].out);
        CHECK(caucus::same(here.outbox[i].message, there.outbox[i].message));
    }
}

/// What detectors and clocks say, and the number of its life, reach the process inside.
void passes_words(auto wrap, auto inside) {
    caucus::events net{caucus::star{3}, [&](caucus::node) { return wrap(watchful_process{}); }};
    net.start_all();
    net.suspect(0, caucus::port{1});
    net.trust(0, caucus::port{1});
    net.run_for(200);
    using word = support::bystander::word;
    const std::vector<word> words{{caucus::port{1}, true}, {caucus::port{1}, false}};
    CHECK(inside(net[0]).words == words);
    CHECK(inside(net[1]).words.empty());
    for (std::size_t v = 0; v < 3; ++v) CHECK(inside(net[v]).burnt == 4);
    net.crash(2);
    net.restart(2);
    CHECK(inside(net[2]).life == 1);
    support::check_words_before_start(wrap(watchful_process{}), 2);
}

/// What the process inside objects to, the layer does.
struct objecting_process : least_process, support::three_ports_only {};
void passes_objections(auto wrap) {
    const auto layered = wrap(objecting_process());
    CHECK(layered.objection(3) == nullptr);
    CHECK(layered.objection(2) == objecting_process::words);
    CHECK(wrap(least_process{}).objection(2) == nullptr);
}

template <class Wrap, class Inside = decltype(by_process)>
void layer_laws(Wrap wrap, Inside inside = by_process) {
    carries_messages(wrap, inside);
    is_a_value(wrap);
    passes_words(wrap, inside);
    passes_objections(wrap);
}

}  // namespace laws
