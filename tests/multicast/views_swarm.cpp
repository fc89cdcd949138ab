// SPDX-License-Identifier: MIT
// Many runs over lossy links: storms of loss, reordering, crashes, restarts, partitions; everybody
// sends, joins and leaves; histories of all lives are judged, also of those that crashed.
#include <caucus/multicast/views.hpp>

#include <caucus/core/random.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/multicast/properties.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/swarm.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/peers.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace caucus;

namespace {

/// The histories of all lives of all nodes.
class group_watch : public observer {
public:
    using history = group_history<int, int>;
    struct one_life {
        incarnation lived;
        history seen;
    };

    explicit group_watch(std::size_t nodes) : lives_(nodes, {{{}, {}}}) {}

    void reported(ticks, node v, const auto& outcome) {
        visit_kind(outcome, [&](const auto& kind) { lives_[v].back().seen.hear(kind); });
    }
    void restarted(ticks, node v, incarnation life) { lives_[v].push_back({life, {}}); }
    void asked(std::size_t v, const auto& request, answer said) {
        lives_[v].back().seen.asked(request, said);
    }

    const history& of(std::size_t v) const { return lives_[v].back().seen; }
    bool anybody_came_back() const {
        for (const auto& of_one : lives_)
            if (of_one.size() > 1) return true;
        return false;
    }
    const char* broken(bool may_expel) const {
        std::vector<history::witness> all;
        for (std::size_t v = 0; v < lives_.size(); ++v)
            for (const one_life& l : lives_[v])
                all.push_back({static_cast<int>(v), l.lived, &l.seen});
        return history::judge{std::move(all)}.broken(may_expel);
    }

private:
    std::vector<std::vector<one_life>> lives_;
};

/// A run as `settles_views` sees states.
template <class Net>
struct at_the_end {
    struct one {
        const group_watch::history& seen;
        const std::remove_cvref_t<decltype(std::declval<Net&>()[0])>& outer;
        const auto& log() const { return seen; }
        const auto& process() const { return outer; }
    };
    Net& net;
    std::size_t nodes() const { return net.nodes(); }
    bool alive(std::size_t v) const { return net.alive(v); }
    one operator[](std::size_t v) const { return {net.watcher().of(v), net[v]}; }
};

struct tally {
    std::uint64_t bad = 0;
    std::uint64_t unsettled = 0;
    std::uint64_t views = 0;
    std::uint64_t received = 0;
    std::uint64_t joined = 0;
};

template <class... Policies>
void run_one(std::uint64_t seed, tally& sum) {
    constexpr bool by_majority = sizeof...(Policies) != 0;
    const std::size_t slots = 3 + seed % 3;
    const complete network{slots};
    const auto make = [&](node v) {
        std::vector<int> ids;
        std::vector<int> members;
        for (std::size_t u = 0; u < slots; ++u) ids.push_back(static_cast<int>(u));
        for (std::size_t u = 0; u < 2 + seed % 2; ++u) members.push_back(static_cast<int>(u));
        return reliable{views<int, int, Policies...>{ids[v], peer_ids(network, v, ids), members,
                                                     {.messages_max = 2 + seed % 9}},
                        {.resend_after = 60}};
    };
    const swarm storms{.heals_at = 2000};
    events_options how = storms.draw(seed, network);
    how.detector = eventual{.delay = 1 + seed % 70, .wrong = by_majority ? seed % 4 : 0,
                            .until = 1500};
    how.keep_outcomes = false;
    events net{network, make, how, group_watch{slots}};
    net.start_all();
    random_source bits{mix(seed, 0x7669657773u)};
    const auto ask = [&](std::size_t v, const auto& request) {
        net.watcher().asked(v, request, net.call(v, request));
    };
    int sent = 0;
    while (net.now() < storms.heals_at) {
        net.run_for(1 + bits.below(100));
        const auto v = static_cast<std::size_t>(bits.below(slots));
        if (!net.alive(v)) continue;
        if (!net.watcher().of(v).is_inside()) ask(v, request::join{});
        else if (bits.below(10) == 0) ask(v, request::depart{});
        else ask(v, request::broadcast<int>{++sent});
    }
    net.run_for(20'000);
    const char* broken = net.watcher().broken(by_majority);
    const char* unsettled = settles_views{by_majority}.broken_in(at_the_end<decltype(net)>{net});
    // What is sent to one that came back is lost until its sender has heard of its new life: that
    // much `reliable` does not promise, and a group that needs it may not settle.
    if (net.watcher().anybody_came_back()) sum.unsettled += unsettled != nullptr;
    else if (broken == nullptr) broken = unsettled;
    if (broken != nullptr) MESSAGE("seed ", seed, ": ", std::string(broken));
    sum.bad += broken != nullptr;
    for (std::size_t v = 0; v < slots; ++v) {
        sum.views += net.watcher().of(v).views().size();
        for (const auto& in : net.watcher().of(v).views()) sum.received += in.received.size();
    }
}
template <class... Policies>
tally runs(std::uint64_t first, std::uint64_t count) {
    tally sum;
    for (std::uint64_t seed = first; seed < first + count; ++seed) run_one<Policies...>(seed, sum);
    MESSAGE(sum.views, " views, ", sum.received, " messages, ", sum.unsettled, " unsettled");
    CHECK(sum.unsettled * 1000 <= count);
    return sum;
}

}  // namespace

TEST_CASE("views: V0 to V7 over reliable, in storms") {
    const tally sum = runs<>(1, 1000);
    CHECK(sum.bad == 0);
    CHECK(sum.views > 1000);
    CHECK(sum.received > 1000);
}
TEST_CASE("views, majority: V0 to V7 over reliable, in storms, suspicions wrong") {
    const tally sum = runs<majority>(1, 1000);
    CHECK(sum.bad == 0);
    CHECK(sum.views > 1000);
    CHECK(sum.received > 1000);
}
TEST_CASE("nightly: views: V0 to V7 in 100,000 storms" * doctest::skip()) {
    CHECK(runs<>(1001, 100'000).bad == 0);
}
TEST_CASE("nightly: views, majority: V0 to V7 in 100,000 storms" * doctest::skip()) {
    CHECK(runs<majority>(1001, 100'000).bad == 0);
}
