// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/model.hpp>
#include <caucus/core/port.hpp>

#include <doctest/doctest.h>
#include <support/instances.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

// What is checked of any election, on any network; the rest is in election_suite.hpp.

namespace support {

/// The type of an election follows from what it is made of, with its policies in any order.
template <template <class...> class Election, class First, class Second, class Construct>
consteval bool deduces(Construct) {
    using std::is_same_v;
    return is_same_v<std::invoke_result_t<Construct, int>, Election<int>> &&
           is_same_v<std::invoke_result_t<Construct, int, First, Second>,
                     Election<int, First, Second>> &&
           is_same_v<std::invoke_result_t<Construct, int, Second, First>,
                     Election<int, Second, First>> &&
           is_same_v<std::invoke_result_t<Construct, long, First, Second>,
                     Election<long, First, Second>>;
}

inline void check_no(const std::string& objections) { CHECK(objections == ""); }
inline void check_equal(std::size_t found, std::size_t expected) { CHECK(found == expected); }
inline void object(std::string& all, std::size_t v, const char* what) {
    all += "node " + std::to_string(v) + what + "; ";
}

std::size_t leaders_of(const auto& sim) {
    std::size_t leaders = 0;
    for (std::size_t v = 0; v < sim.nodes(); ++v) leaders += sim[v].is_leader();
    return leaders;
}

/// One leader, the expected one, known to all.
void check_followed(const auto& sim, const auto& expected) {
    std::string objections;
    for (std::size_t v = 0; v < sim.nodes(); ++v) {
        const bool should_lead = sim[v].id() == expected;
        if (!sim[v].leader()) object(objections, v, " knows of no leader");
        else if (!(*sim[v].leader() == expected)) object(objections, v, " follows another");
        if (sim[v].is_leader() != should_lead)
            object(objections, v, should_lead ? " should lead" : " should not lead");
    }
    check_no(objections);
    check_equal(leaders_of(sim), 1);
}
/// And reported by every node exactly once.
void check_elected(const auto& sim, const auto& expected) {
    check_followed(sim, expected);
    std::string objections;
    for (const auto& o : sim.outcomes())
        if (!(o.outcome.leader == expected)) object(objections, o.node, " reports another");
    check_no(objections);
    check_equal(sim.outcomes().size(), sim.nodes());
}

/// An environment that only takes notes; its coins fall as they are told to.
template <class P>
struct notes {
    struct letter {
        caucus::port out;
        typename P::message message;
    };
    std::size_t ports = P::assumes.topology == caucus::shape::one_way_ring ? 1 : 2;
    std::vector<letter> out{};
    std::size_t told = 0;
    std::size_t coin = 0;

    std::size_t degree() const { return ports; }
    void send(caucus::port p, const typename P::message& m) { out.push_back({p, m}); }
    void broadcast(const typename P::message& m) {
        for (const caucus::port p : caucus::ports(ports)) send(p, m);
    }
    std::size_t choose(std::size_t) const { return coin; }
    void report(const typename P::outcome&) { ++told; }
};

}  // namespace support
