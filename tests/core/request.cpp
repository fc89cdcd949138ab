// SPDX-License-Identifier: MIT
#include <caucus/core/request.hpp>

#include <caucus/core/dispatch.hpp>
#include <caucus/core/fields.hpp>
#include <caucus/core/input.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/run/endpoint.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

using namespace caucus;

namespace {

/// Plain values: each can be written as one.
static_assert(std::is_aggregate_v<request::broadcast<int>>);
static_assert(std::is_aggregate_v<request::of_one<request::enter>>);
static_assert(std::is_same_v<request::start_one, request::of_one<request::start>>);
static_assert(sizeof(request::start_one) == sizeof(std::size_t));
static_assert(request::start_one{3}.instance == 3);
static_assert(request::start_one{}.instance == 0);

struct mute {
    using message = nothing;
    using timer = nothing;
    using outcome = nothing;
};
/// Has a word for everything, and says each answer that a process can give.
struct talkative : mute {
    struct bow { int depth; };
    using requests = std::variant<request::enter, request::leave, request::cancel, request::join,
                                  request::depart, request::broadcast<int>,
                                  request::of_one<request::enter>, bow>;
    int inside = 0;

    constexpr answer request(auto&) {
        return ++inside == 1 ? answer::accepted
                             : inside == 2 ? answer::already_waiting : answer::already_inside;
    }
    constexpr answer release(auto&) { return answer::not_inside; }
    constexpr answer cancel(auto&) { return answer::not_waiting; }
    constexpr answer join(auto&) { return answer::blocked; }
    constexpr answer depart(auto&) { return answer::not_a_member; }
    constexpr answer broadcast(int payload, auto&) {
        return payload == 0 ? answer::accepted : answer::no_room;
    }
    constexpr answer on(const request::of_one<request::enter>&, auto&) {
        return answer::no_such_instance;
    }
    constexpr void on(bow b, auto&) { inside = b.depth; }

    static constexpr auto fields(auto& self) { return std::tie(self.inside); }
};
/// Lets everybody in.
struct open_door : mute {
    using requests = std::variant<request::enter, request::leave>;
    bool inside = false;
    int entries = 0;
    constexpr void request(auto&) {
        inside = true;
        ++entries;
    }
    constexpr void release(auto&) { inside = false; }
    constexpr bool holds() const { return inside; }
    static constexpr auto fields(auto& self) { return std::tie(self.inside, self.entries); }
};
struct all_timers_alike : mute {
    int started = 0;
    int fired = 0;
    struct fuse {};
    using timer = fuse;
    void start(auto& env) {
        ++started;
        env.arm(fuse{}, 1);
    }
    void on(const auto&, auto&) { ++fired; }
};
struct starter : mute {
    bool started = false;
    constexpr void start(auto&) { started = true; }
};
struct forgetful : mute {
    using requests = std::variant<request::enter>;
};

using any = detail::any_environment<talkative>;
static_assert(takes<talkative, request::enter, any> && takes<talkative, talkative::bow, any>);
static_assert(!takes<talkative, request::start, any>);   // it does not list it
static_assert(takes<starter, request::start, any> && !takes<starter, request::enter, any>);
static_assert(a_request_has_no_verb<talkative, any> && a_request_has_no_verb<starter, any>);
static_assert(!a_request_has_no_verb<forgetful, any> && !a_request_has_no_verb<mute, any>);

/// Who lists its requests may be asked these and no other; who lists none, all of the library's.
template <class... Requests>
inline constexpr bool all_to_starter = (request_to<Requests, starter> && ...);
static_assert(all_to_starter<request::start, request::enter, request::leave, request::cancel,
                             request::join, request::depart, request::reset,
                             request::broadcast<int>, request::of_one<request::enter>>);
static_assert(!request_to<talkative::bow, starter> && request_to<talkative::bow, talkative>);
static_assert(!request_to<request::start, talkative>);
/// One of the library's that a process does not take is refused by name, others by overloading.
template <class Request>
inline constexpr bool known = std::is_invocable_v<decltype((dispatch)), talkative&, Request, any&>;
static_assert(known<request::start> && !known<int>);

static_assert(std::variant_size_v<input<talkative>> == 8 + 5);
static_assert(std::variant_size_v<input<starter>> == 1 + 5);

/// What an observer hears of.
struct refusals : observer {
    std::vector<std::string> told{};
    void refused(ticks at, node v, const auto& request, answer said) {
        const text who = kind_name<std::remove_cvref_t<decltype(request)>>();
        const text what = name_of(said);
        told.push_back(std::to_string(at) + " " + std::to_string(v.index) + " " +
                       std::string(who.data(), who.size()) + ": " +
                       std::string(what.data(), what.size()));
    }
};
const auto make = [](node) { return talkative{}; };

}  // namespace

TEST_CASE("answer: each has a name of its own") {
    std::set<std::string> names;
    constexpr auto last = static_cast<unsigned>(answer::not_running);
    for (unsigned i = 0; i <= last; ++i) {
        const text name = name_of(static_cast<answer>(i));
        names.insert(std::string(name.data(), name.size()));
    }
    CHECK(names.size() == last + 1);
    CHECK_FALSE(names.contains(""));
}

TEST_CASE("request: each reaches its verb, and each answer comes back from a simulation") {
    rounds sim{ring{2}, make, {}, refusals{}};
    CHECK(sim.call(0, request::enter{}) == answer::accepted);
    CHECK(sim.call(0, request::enter{}) == answer::already_waiting);
    CHECK(sim.call(0, request::enter{}) == answer::already_inside);
    CHECK(sim.call(1, request::leave{}) == answer::not_inside);
    CHECK(sim.call(1, request::cancel{}) == answer::not_waiting);
    CHECK(sim.call(1, request::join{}) == answer::blocked);
    CHECK(sim.call(1, request::depart{}) == answer::not_a_member);
    CHECK(sim.call(1, request::broadcast<int>{7}) == answer::no_room);
    CHECK(sim.call(1, request::broadcast<int>{0}) == answer::accepted);
    CHECK(sim.call(1, request::of_one<request::enter>{5}) == answer::no_such_instance);
    CHECK(sim.call(1, talkative::bow{9}) == answer::accepted);   // a verb that returns nothing
    CHECK(sim[1].inside == 9);
    CHECK(sim.watcher().told == std::vector<std::string>{
                                    "0 0 enter: already waiting", "0 0 enter: already inside",
                                    "0 1 leave: not inside", "0 1 cancel: not waiting",
                                    "0 1 join: blocked", "0 1 depart: not a member",
                                    "0 1 broadcast: no room", "0 1 of_one: no such instance"});
}

TEST_CASE("request: the dead and the paused are not running; nothing is lost without a word") {
    events net{ring{3}, make, {}, refusals{}};
    net.crash(1);
    net.pause(2);
    CHECK(net.call(0, request::enter{}) == answer::accepted);
    CHECK(net.call(1, request::enter{}) == answer::not_running);
    CHECK(net.call(2, request::enter{}) == answer::not_running);
    net.resume(2);
    CHECK(net.call(2, request::enter{}) == answer::accepted);
    CHECK(net[2].inside == 1);
    CHECK(net.watcher().told == std::vector<std::string>{"0 1 enter: not running",
                                                         "0 2 enter: not running"});
}

TEST_CASE("request: an endpoint that has not begun is not running") {
    struct {
        static std::size_t degree() { return 0; }
        static void send(port, nothing) {}
    } channel;
    struct {
        static ticks now() { return 0; }
    } clock;
    struct {
        void report(nothing) {}
    } listener;
    endpoint self{talkative{}, channel, clock, listener};
    CHECK(self.call(request::enter{}) == answer::not_running);
    self.begin(incarnation{0});   // a process with requests needs no start
    CHECK(self.call(request::enter{}) == answer::accepted);
    CHECK(self.call(request::enter{}) == answer::already_waiting);
    endpoint other{starter{}, channel, clock, listener};
    CHECK(other.call(request::start{}) == answer::accepted);
    CHECK(other.process().started);
}

TEST_CASE("request: one that only waits for requests is explored inside a client") {
    const auto one_at_most = [](const auto& g) { return !(g[0].holds() && g[1].holds()); };
    const auto in_client = [](node) { return client{open_door{}}; };
    const verdict v = explore(complete{2}, in_client, {.properties = {always(one_at_most)}});
    CHECK_FALSE(v.holds);
    events net{complete{2}, in_client};
    net.start_all();
    static_cast<void>(net.run());
    CHECK(net[0].process().entries == 1);
}

TEST_CASE("request: an `on` for whatever comes is no verb") {
    rounds sim{ring{1}, [](node) { return all_timers_alike{}; }};
    sim.start(0);
    static_cast<void>(sim.run());
    CHECK(sim[0].started == 1);
    CHECK(sim[0].fired == 1);
}

TEST_CASE("input: requests are inputs, to be stored and replayed") {
    const std::vector<input<talkative>> script{request::enter{}, talkative::bow{4},
                                               request::broadcast<int>{1}, suspect{port{0}}};
    for (std::size_t i = 0; i < script.size(); ++i)
        for (std::size_t j = 0; j < script.size(); ++j)
            CHECK(caucus::same(script[i], script[j]) == (i == j));
    talkative process;
    struct {} nowhere;
    for (std::size_t i = 0; i < 2; ++i) dispatch(process, script[i], nowhere);
    CHECK(process.inside == 4);
}
