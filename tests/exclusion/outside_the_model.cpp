// SPDX-License-Identifier: MIT
#include <caucus/exclusion/lamport.hpp>
#include <caucus/exclusion/maekawa.hpp>
#include <caucus/exclusion/properties.hpp>
#include <caucus/exclusion/quorums.hpp>
#include <caucus/exclusion/raymond.hpp>
#include <caucus/exclusion/ricart_agrawala.hpp>
#include <caucus/exclusion/token_ring.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>

#include <archetypes.hpp>
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

// What all exclusions have in common outside their models: who comes back without its memory, and
// numbers that nobody has counted to.

using namespace caucus;

namespace {

constexpr std::uint64_t huge = ~std::uint64_t{0};

/// Whoever comes back is refused, as often as it tries.
struct someone_is_refused {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && g[v].refused().by(answer::not_a_member) != 0) return true;
        return false;
    }
};

/// One of n crashes at any time, comes back with nothing, and asks again.
void check_return(std::size_t n, auto make) {
    const auto asking = [&](node v) {
        return client{make(v), sections{.entries = 1, .retries = 0, .again = true}};
    };
    const verdict v = explore(complete{n}, asking,
                              {.properties = {always(at_most_one_inside),
                                              sometimes(someone_is_inside),
                                              sometimes(someone_is_refused{})},
                               .faults = {.crashes = 1, .restarts = 1},
                               .timers = timers::any_time});
    CAPTURE(v.counterexample.text());
    CHECK(v.verified());
}

constexpr int id_of(node v) { return static_cast<int>(v.index); }

/// The fence with which that one enters whom all others let in by such a message.
template <class P>
std::uint64_t count_after(P process, const auto& last_word, const auto& permission, port from) {
    archetype::environment<P> env;
    env.ports = 1;
    process.on(last_word, from, env);
    CHECK(process.request(env) == answer::accepted);
    process.on(permission, from, env);
    CHECK(process.holds());
    return process.fence().count;
}

}  // namespace

TEST_CASE("exclusion: who comes back with nothing is out, and nobody else meets another inside") {
    const grid_quorums quorum{3};
    check_return(2, [](node v) { return lamport{id_of(v)}; });
    check_return(3, [&](node v) { return maekawa{id_of(v), quorum(v)}; });
    check_return(3, [](node v) { return ricart_agrawala{id_of(v)}; });
    check_return(3, [](node v) { return ricart_agrawala{id_of(v), majority{}}; });
}

TEST_CASE("exclusion: who comes back says nothing that may not be true") {
    using lock = ricart_agrawala<int>;
    lock p{1};
    archetype::environment<lock> env;
    env.ports = 1;
    p.on(recovered<>{{1}, {}}, env);
    p.on(lock::wish{{1, 2}}, port{0}, env);   // of how many have entered it knows too little
    CHECK(p.request(env) == answer::not_a_member);
    CHECK(env.outbox.empty());
    using frugal = ricart_agrawala<int, heap_storage, carvalho_roucairol>;
    frugal q{1};
    archetype::environment<frugal> around;
    around.ports = 1;
    q.on(recovered<>{{1}, {}}, around);
    q.on(frugal::wish{{1, 2}, 1}, port{0}, around);
    CHECK(q.request(around) == answer::not_a_member);
    CHECK(around.outbox.empty());
}

TEST_CASE("exclusion: of two with one id neither answers the other: nobody enters, not both") {
    const auto unanswered = [](auto process, const auto& its_wish) {
        archetype::environment<decltype(process)> env;
        env.ports = 1;
        CHECK(process.request(env) == answer::accepted);
        process.on(its_wish, port{0}, env);
        return process.waits() && env.outbox.size() == 1;
    };
    CHECK(unanswered(lamport{7}, lamport<int>::wish{{1, 7}}));
    CHECK(unanswered(ricart_agrawala{7}, ricart_agrawala<int>::wish{{1, 7}}));
    using frugal = ricart_agrawala<int, heap_storage, carvalho_roucairol>;
    CHECK(unanswered(frugal{7}, frugal::wish{{1, 7}, 1}));
}

TEST_CASE("ricart_agrawala, answering: nobody waits for who comes back, who has forgotten whom") {
    events net{complete{3},
               [](node v) { return ricart_agrawala{id_of(v), answering{.delay_max = 10}}; },
               {.detector = perfect{}}};
    CHECK(net.call(2, request::enter{}) == answer::accepted);
    net.run();
    CHECK(net.call(0, request::enter{}) == answer::accepted);
    net.crash(1);
    net.run();
    CHECK_FALSE(net[0].awaits(port{0}));
    net.restart(1);
    net.run();
    CHECK_FALSE(net[0].awaits(port{0}));
    CHECK(net.call(1, request::enter{}) == answer::not_a_member);
    CHECK(net.call(2, request::leave{}) == answer::accepted);
    net.run();
    CHECK(net[0].holds());
}

TEST_CASE("exclusion: what nobody has counted to is not believed, and fences go on rising") {
    using by_stamp = lamport<int>;
    CHECK(count_after(by_stamp{5}, by_stamp::released{{1, 9}, huge},
                      by_stamp::acknowledgement{{9, 9}}, port{0}) == 1);
    using by_votes = maekawa<int>;
    const std::vector<port> quorum{port{0}};
    CHECK(count_after(by_votes{5, quorum}, voting::release{0, huge}, voting::grant{1, 1, huge},
                      port{0}) == 1);
    using by_replies = ricart_agrawala<int>;
    CHECK(count_after(by_replies{5}, by_replies::reply{9, huge}, by_replies::reply{1, huge},
                      port{0}) == 1);
    using by_a_ring = token_ring<int>;
    by_a_ring p{5, token_ring_options{.nodes = 2}};
    archetype::environment<by_a_ring> env;
    p.on(by_a_ring::token{{1, 9, {}}, huge}, prev, env);
    CHECK_FALSE(p.has_token());
    raymond in_tree{port{0}};
    archetype::environment<raymond<>> around;
    around.ports = 1;
    CHECK(in_tree.request(around) == answer::accepted);
    in_tree.on(raymond<>::privilege{huge}, port{0}, around);
    CHECK(in_tree.waits());
}

TEST_CASE("exclusion: a stamp too far ahead to be believed is not taken for the last word") {
    using by_stamp = lamport<int>;
    by_stamp p{5};
    archetype::environment<by_stamp> env;
    env.ports = 1;
    p.on(by_stamp::acknowledgement{{huge, 9}}, port{0}, env);
    p.on(by_stamp::wish{{1, 1}}, port{0}, env);
    CHECK(env.outbox.size() == 1);
    CHECK(p.request(env) == answer::accepted);
    CHECK(p.waits());   // the other has asked earlier

    using by_replies = ricart_agrawala<int>;
    by_replies q{5};
    archetype::environment<by_replies> around;
    around.ports = 1;
    CHECK(q.request(around) == answer::accepted);
    q.on(by_replies::wish{{huge, 9}}, port{0}, around);
    q.on(by_replies::wish{{2, 9}}, port{0}, around);
    CHECK(q.cancel(around) == answer::accepted);
    REQUIRE(around.outbox.size() == 2);
    CHECK(std::get<by_replies::reply>(around.outbox[1].message).to == 2);
}

TEST_CASE("raymond: a token that nobody asked for, by a port for which there is no room") {
    using small = raymond<inplace_storage<2>>;
    small p{port{5}, inplace_storage<2>{}};
    archetype::environment<small> env;
    env.ports = 6;
    p.on(small::privilege{3}, port{5}, env);   // else it would be written down beside the room
    CHECK_FALSE(p.has_token());
}

TEST_CASE("token_ring: more nodes than there can be are refused") {
    const token_ring_options endless{.nodes = std::size_t{1} << 62};
    CHECK_THROWS_AS(static_cast<void>(endless.checked()), error);
}
