// SPDX-License-Identifier: MIT
#include <caucus/core/inner_environment.hpp>

#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <support/doubling.hpp>
#include <support/least.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

using namespace caucus;
using support::doubling;

namespace {

struct speaker {
    struct fuse { int number; };
    using message = int;
    using timer = fuse;
    using outcome = std::variant<int, char>;
};
/// Has messages, timers and outcomes of its own beside those of the process inside.
struct busy_layer {
    struct own {};
    struct carried { int message; };
    using process_type = speaker;
    using message = std::variant<own, carried>;
    using timer = std::variant<own, inner_timer<speaker::fuse>>;
    using outcome = std::variant<own, int, char>;
};
/// Has nothing of its own.
struct idle_layer {
    using process_type = speaker;
    using message = int;
    using timer = speaker::fuse;
    using outcome = speaker::outcome;
};

std::string written(int message) { return std::to_string(message); }
std::string written(speaker::fuse t) { return "fuse " + std::to_string(t.number); }
std::string written(busy_layer::message m) {
    return "carried " + std::to_string(std::get<busy_layer::carried>(m).message);
}
std::string written(busy_layer::timer t) {
    return "inner " + written(std::get<inner_timer<speaker::fuse>>(t).timer);
}
template <class Outcome>
std::string written_outcome(const Outcome& o) {
    return std::holds_alternative<char>(o) ? std::string{std::get<char>(o)}
                                           : std::to_string(std::get<int>(o));
}

/// Writes down what it is told; is asked for nothing but constants.
template <class Layer>
struct diary {
    std::vector<std::string> told{};
    std::size_t degree() const { return 2; }
    void send(port p, const typename Layer::message& m) {
        told.push_back(std::to_string(p.index()) + " " + written(m));
    }
    void arm(const typename Layer::timer& t, ticks delay) {
        told.push_back("arm " + written(t) + " " + std::to_string(delay));
    }
    void disarm(const typename Layer::timer& t) { told.push_back("disarm " + written(t)); }
    void report(const typename Layer::outcome& o) {
        told.push_back("report " + written_outcome(o));
    }
    std::size_t choose(std::size_t k) { return k - 1; }
    ticks now() const { return 7; }
    void keep(int value) { told.push_back("keep " + std::to_string(value)); }
};

/// Says everything that can be said.
template <class Layer>
std::vector<std::string> heard_outside() {
    diary<Layer> outside;
    renaming_environment<Layer, diary<Layer>> inside{outside, Layer{}};
    CHECK(inside.degree() == 2);
    CHECK(inside.choose(5) == 4);
    CHECK(inside.now() == 7);
    inside.send(port{1}, 3);
    inside.broadcast(4);
    inside.arm(speaker::fuse{8}, 9);
    inside.disarm(speaker::fuse{8});
    inside.report(speaker::outcome{5});
    inside.report(speaker::outcome{'x'});
    inside.keep(6);
    return outside.told;
}

}  // namespace

TEST_CASE("inner_environment: inside a layer with names of its own everything is renamed") {
    CHECK(heard_outside<busy_layer>() ==
          std::vector<std::string>{"1 carried 3", "0 carried 4", "1 carried 4",
                                   "arm inner fuse 8 9", "disarm inner fuse 8", "report 5",
                                   "report x", "keep 6"});
}

TEST_CASE("inner_environment: inside a layer without names of its own everything stays") {
    CHECK(heard_outside<idle_layer>() ==
          std::vector<std::string>{"1 3", "0 4", "1 4", "arm fuse 8 9", "disarm fuse 8", "report 5",
                                   "report x", "keep 6"});
}

TEST_CASE("inner_environment: a broadcast inside goes to the ports that the layer shows") {
    rounds sim{complete{4}, [](node) { return doubling{support::greeter{3}}; }};
    sim.start(0);
    CHECK(sim.run().messages == 2);
    CHECK(sim[1].process().heard == std::vector{6});
    CHECK(sim[2].process().heard == std::vector{6});
    CHECK(sim[3].process().heard.empty());
}
