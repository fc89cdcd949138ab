// SPDX-License-Identifier: MIT
#include <caucus/multicast/order_layer.hpp>

#include <caucus/core/error.hpp>
#include <caucus/multicast/best_effort.hpp>
#include <caucus/multicast/views.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

using namespace caucus;

namespace {

/// What the order below needs to know of a message: whether it is an echo.
struct echoed {
    bool is_echo = false;
    int payload = 0;
};
struct heard_twice {};

/// Everybody echoes what is no echo; what was echoed by somebody is delivered, and told.
template <class P>
class echo_order : public order_layer<echo_order<P>, P, echoed, heard_twice> {
    using base = order_layer<echo_order, P, echoed, heard_twice>;
    friend base;
    friend typename base::layer_type;

public:
    using typename base::id_type;
    using typename base::outcome;
    using typename base::payload;
    template <class Other>
    using with_payload = echo_order<typename P::template with_payload<Other>>;
    static constexpr ordering delivers = P::delivers;

    explicit echo_order(const P& like) : base(like) {}
    template <class Q>
        requires(!std::is_same_v<Q, P>)
    explicit echo_order(const echo_order<Q>& like) : base(std::in_place, like.process()) {}

    answer broadcast(const payload& p, auto& env) {
        return base::cast(echoed{false, p}, env);
    }
    static constexpr auto fields(auto& self) { return std::tie(self.process_, self.to_echo_); }

private:
    void take(const id_type& from, const echoed& m, auto& env) {
        if (!m.is_echo) return to_echo_.push_back(m.payload);
        base::deliver(from, m.payload, env);
        env.report(outcome{heard_twice{}});
    }
    void settle(auto& within) {
        for (const int p : std::exchange(to_echo_, {}))
            static_cast<void>(base::cast_inside(echoed{true, p}, within));
    }
    std::vector<int> to_echo_{};
};

using over_best_effort = echo_order<best_effort<int>>;
using over_views = echo_order<views<int>>;
static_assert(process<over_best_effort> &&
              needs_a_multicast__with_payload_and_delivers<over_best_effort>);
static_assert(needs_a_multicast__with_payload_and_delivers<best_effort<std::string>>);
static_assert(needs_a_multicast__with_payload_and_delivers<views<std::string>>);
static_assert(!needs_a_multicast__with_payload_and_delivers<nothing>);
static_assert(std::is_same_v<over_best_effort::outcome,
                             std::variant<delivered<int, int>, heard_twice>>);
static_assert(std::is_same_v<over_views::outcome,
                             std::variant<view<int>, delivered<int, int>, departed, expelled,
                                          stalled, heard_twice>>);
static_assert(std::is_same_v<over_views::requests, views<int>::requests>);
static_assert(std::is_same_v<over_best_effort::message, best_effort<echoed>::message>);
static_assert(std::is_same_v<over_best_effort::with_payload<char>, echo_order<best_effort<char>>>);

const complete three{3};
const std::vector<int> ids{0, 1, 2};

}  // namespace

TEST_CASE("order_layer: what is cast travels wrapped; more is cast when P has done its part") {
    events net{three, [](node v) {
        return over_best_effort{best_effort<int>{ids[v], peer_ids(three, v, ids)}};
    }};
    net.start_all();
    CHECK(net.call(0, request::broadcast<int>{5}) == answer::accepted);
    net.run();
    std::size_t delivered_to[3] = {};
    std::size_t told = 0;
    for (const auto& r : net.outcomes()) {
        if (std::holds_alternative<heard_twice>(r.outcome)) {
            ++told;
            continue;
        }
        CHECK(std::get<0>(r.outcome).payload == 5);
        ++delivered_to[r.node];
    }
    for (const std::size_t count : delivered_to) CHECK(count == 3);   // one echo of each
    CHECK(told == 9);
    CHECK(net[1].id() == 1);
    CHECK(net[1].peers().size() == 2);
}
TEST_CASE("order_layer: joins, departures, views and the detector's word pass") {
    const auto make = [](node v) {
        return over_views{views<int>{ids[v], peer_ids(three, v, ids), std::vector{0, 1}}};
    };
    events net{three, make, {.faults = fault_plan{}.crash(1, 500), .detector = perfect{10}}};
    net.start_all();
    CHECK(net.call(2, request::broadcast<int>{5}) == answer::not_a_member);
    CHECK(net.call(2, request::join{}) == answer::accepted);
    net.run_for(400);
    CHECK(net[2].process().current().members.size() == 3);
    CHECK(net.call(2, request::broadcast<int>{6}) == answer::accepted);
    net.run_for(400);
    CHECK(net[2].process().current().members.size() == 2);
    CHECK(net.call(2, request::depart{}) == answer::accepted);
    net.run_for(400);
    std::size_t views_told = 0;
    std::size_t left = 0;
    std::size_t got = 0;
    for (const auto& r : net.outcomes()) {
        if (r.node != 2) continue;
        views_told += std::holds_alternative<view<int>>(r.outcome);
        left += std::holds_alternative<departed>(r.outcome);
        got += std::holds_alternative<delivered<int, int>>(r.outcome);
    }
    CHECK(views_told == 2);
    CHECK(left == 1);
    CHECK(got == 3);
}
TEST_CASE("order_layer: the same order for another payload has the same members") {
    const over_best_effort p{best_effort<int>{1, std::vector{0, 2}}};
    const echo_order<best_effort<char>> other{p};
    CHECK(other.id() == 1);
    CHECK(other.peers().size() == 2);
}
TEST_CASE("hold_back: what makes no sense is refused") {
    CHECK_THROWS_AS(static_cast<void>(hold_back{.held_max = 0}.checked()), error);
    CHECK_THROWS_AS(static_cast<void>(hold_back{.senders_max = 0}.checked()), error);
    CHECK(hold_back{}.checked().held_max == 1024);
}
