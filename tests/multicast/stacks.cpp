// SPDX-License-Identifier: MIT
// Groups with views in layers: two of them on one channel, or one in total order, over links that
// lose, repeat and reorder, made good by `reliable`, and watched by a detector. What cannot be is
// refused by name.
#include <caucus/detector/heartbeat.hpp>
#include <caucus/layer/candid.hpp>
#include <caucus/layer/grouped.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/layer/repaired_ring.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/multicast/properties.hpp>
#include <caucus/multicast/total_order.hpp>
#include <caucus/multicast/views.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>

#include <support/lives_watch.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

using namespace caucus;

namespace {

using group = views<int, int, majority>;

/// It says itself that it is stalled, and nobody leads in it for the application.
static_assert(!needs_an_election_with_leader__or_a_process_with_awaits<group>);
static_assert(!needs_an_election__with_id_and_is_leader<group>);
static_assert(!needs_a_process_for_rings<group>);

constexpr std::size_t n = 4;
const complete mesh{n};

group member_at(node v) {
    const std::vector<int> ids{0, 1, 2, 3};
    return group{ids[v], peer_ids(mesh, v, ids), ids};
}
template <class P>
auto watched(P process) {
    return heartbeat{reliable{process, {.resend_after = 50}}, heartbeat_options{.beat = 100},
                     fixed_timeout{.timeout = 1000}};
}
events_options bad_links() {
    return {.seed = 7,
            .delay = uniform{1, 10},
            .faults = fault_plan{}.links(
                {.loss = 0.2, .duplication = 0.2, .reordering = 0.2, .late_max = 30})};
}

template <class History>
class watch_of_two : public observer {
public:
    void reported(ticks now, node v, const auto& o) {
        visit_kind(o, [&](const auto& kind) {
            if constexpr (requires { kind.instance; })
                of_[kind.instance].reported(now, v, kind.outcome);
        });
    }
    void restarted(ticks now, node v, incarnation life) {
        for (auto& each : of_) each.restarted(now, v, life);
    }
    auto& operator[](std::size_t i) { return of_[i]; }

private:
    std::array<support::lives_watch<History>, 2> of_{support::lives_watch<History>{n},
                                                     support::lives_watch<History>{n}};
};

/// One of the groups of a run, as if it were alone there.
template <class Net>
struct group_in {
    Net& net;
    std::size_t number;

    struct one {
        const group_history<int, int>& seen;
        const group& inner;
        const auto& log() const { return seen; }
        const auto& process() const { return inner; }
    };
    std::size_t nodes() const { return n; }
    bool alive(std::size_t v) const { return net.alive(v); }
    const group& at(std::size_t v) const { return net[v].process().process()[number]; }
    auto& watch() const { return net.watcher()[number]; }
    one operator[](std::size_t v) const { return {watch().of(v), at(v)}; }

    template <class Request>
    answer call(std::size_t v, const Request& r) {
        return net.call(v, request::of_one<Request>{number, r});
    }
    answer ask(std::size_t v, const auto& request) { return watch().ask(*this, v, request); }
};

std::string ids_of(const view<int>& v) {
    std::string ids;
    for (const member<int>& m : v.members) ids += std::to_string(m.id);
    return ids;
}

}  // namespace

TEST_CASE("stacks: two groups by majority on one channel, over bad links, watched: apart") {
    events net{mesh, [](node v) { return watched(grouped{member_at(v), member_at(v)}); },
               bad_links(), watch_of_two<group_history<int, int>>{}};
    group_in<decltype(net)> a{net, 0};
    group_in<decltype(net)> b{net, 1};
    const auto says = [](auto& g, std::size_t v) { return ids_of(g.at(v).current()); };
    int payload = 0;
    net.start_all();
    for (int i = 0; i < 10; ++i, net.run_for(50))
        for (std::size_t v = 0; v < n; ++v) {
            CHECK(a.ask(v, request::broadcast<int>{++payload}) == answer::accepted);
            if (v == 0) CHECK(b.ask(v, request::broadcast<int>{++payload}) == answer::accepted);
        }
    net.run_for(30'000);   // what is lost time and again comes late
    for (std::size_t v = 0; v < n; ++v) {
        CHECK(a.watch().of(v).views()[0].received.size() == 10 * n);
        CHECK(b.watch().of(v).views()[0].received.size() == 10);
    }

    net.crash(1);
    CHECK(b.ask(3, request::depart{}) == answer::accepted);
    net.run_for(30'000);
    CHECK(says(a, 0) == "023");
    CHECK(says(a, 3) == "023");
    CHECK(says(b, 0) == "02");
    CHECK_FALSE(b.at(3).is_member());

    net.restart(1);
    CHECK(a.ask(1, request::join{}) == answer::accepted);
    net.run_for(30'000);
    CHECK(says(a, 1) == "0231");
    CHECK(says(b, 0) == "02");

    net.crash(3);
    net.run_for(100);
    net.restart(3);   // before anybody suspects it
    CHECK(a.ask(3, request::join{}) == answer::accepted);
    CHECK(b.ask(3, request::join{}) == answer::accepted);
    net.run_for(30'000);
    CHECK(says(a, 3) == "0213");
    CHECK(says(b, 3) == "023");
    for (const auto& each : {a, b}) {
        const char* unsettled = settles_views{true}.broken_in(each);
        CHECK(std::string(unsettled == nullptr ? "" : unsettled) == "");
    }

    net.crash(1);
    net.crash(3);
    net.run_for(30'000);
    CHECK(a.at(0).is_stalled());
    CHECK(a.at(2).is_stalled());
    CHECK(says(b, 0) == "02");
    for (const auto& each : {a, b}) {
        const char* broken = each.watch().judged().broken(true);
        CHECK(std::string(broken == nullptr ? "" : broken) == "");
    }
}

TEST_CASE("stacks: total order over views by majority, bad links, watched: a crash, a return") {
    using watch = support::lives_watch<deliveries<int, int>>;
    events net{mesh, [](node v) { return watched(total_order{member_at(v)}); }, bad_links(),
               watch{n}};
    int payload = 0;
    const auto all_cast = [&](std::size_t except) {
        for (int i = 0; i < 5; ++i, net.run_for(30))
            for (std::size_t v = 0; v < n; ++v)
                if (v != except)
                    CHECK(net.watcher().ask(net, v, request::broadcast<int>{++payload}) ==
                          answer::accepted);
        net.run_for(30'000);   // what is lost time and again comes late
    };
    const auto inside = [&](std::size_t v) -> const auto& {
        return detail::innermost(net[v]);
    };
    net.start_all();
    all_cast(n);
    net.crash(0);   // the sequencer
    net.run_for(30'000);
    CHECK(ids_of(inside(1).current()) == "123");
    all_cast(0);
    net.restart(0);
    CHECK(net.watcher().ask(net, 0, request::join{}) == answer::accepted);
    net.run_for(30'000);
    CHECK(ids_of(inside(0).current()) == "1230");
    all_cast(n);
    for (std::size_t v = 0; v < n; ++v)
        CHECK(net.watcher().of(v).delivered() == (v == 0 ? 5 * n : 5 * (n + n - 1 + n)));
    const char* broken = net.watcher().judged(net).broken(ordering::total, true);
    CHECK(std::string(broken == nullptr ? "" : broken) == "");
}
