// SPDX-License-Identifier: MIT
#include <archetypes.hpp>

#include <caucus/core/epoch.hpp>
#include <caucus/core/layer.hpp>
#include <caucus/detector/heartbeat.hpp>
#include <caucus/detector/swim.hpp>
#include <caucus/layer/bus.hpp>
#include <caucus/layer/candid.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/layer/grouped.hpp>
#include <caucus/layer/on_tree.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/layer/repaired_ring.hpp>
#include <caucus/layer/stamped.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/layer/synchronizer.hpp>

#include <doctest/doctest.h>
#include <support/holds.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

// One law for all layers, and for stacks of two: a layer answers what the process inside answers
// and takes what it takes, or says by name what it keeps to itself.

using namespace caucus;

namespace {

/// Has an answer to everything, and says what it was asked. On a bus it knows nobody by port, and
/// has no epochs.
template <shape Where, bool Endless = false, bool OnBus = false>
struct oracle {
    struct bow { int depth; };
    struct said { int what; };
    struct greeting { int number; };
    struct fuse {};
    using message = greeting;
    using timer = fuse;
    using outcome = said;
    using requests = std::variant<request::start, request::enter, request::leave, request::cancel,
                                  request::broadcast<int>, bow>;
    static constexpr bool perpetual = Endless;
    static constexpr bool elects_again = Endless;
    static constexpr model assumes = {Where, guarantee::none, naming::distinct};

    int bows = 0;
    int greetings = 0;
    int fuses = 0;
    std::vector<int> words{};
    std::uint32_t life = 0;

    constexpr void start(auto& env) {
        env.broadcast(greeting{7});
        env.arm(fuse{}, 2);
    }
    constexpr answer request(auto& env) {
        env.report(said{1});
        return answer::already_waiting;
    }
    constexpr answer release(auto&) { return answer::not_inside; }
    constexpr answer cancel(auto&) { return answer::not_waiting; }
    constexpr answer broadcast(int payload, auto&) {
        return payload == 7 ? answer::not_a_member : answer::accepted;
    }
    constexpr answer on(bow b, auto&) {
        bows += b.depth;
        return answer::already_inside;
    }
    constexpr void on(greeting g, port, auto&) { greetings += g.number; }
    constexpr void on(fuse, auto&) { ++fuses; }
    constexpr void on(suspect s, auto&) { words.push_back(static_cast<int>(s.whom.index())); }
    constexpr void on(trust t, auto&) { words.push_back(-1 - static_cast<int>(t.whom.index())); }
    constexpr void on(const recovered<>& r, auto&) { life = r.incarnation.number; }

    static constexpr int id() { return 4; }
    static constexpr std::array<int, 2> peers() requires(!OnBus) { return {5, 6}; }
    static constexpr std::optional<int> leader() { return 5; }
    static constexpr bool is_leader() { return false; }
    static constexpr bool suspects(port p) { return p == port{1}; }
    static constexpr bool awaits(port p) { return p == port{1}; }
    static constexpr std::size_t ring_size() { return 9; }
    static constexpr std::size_t ring_size_most() { return 13; }
    static constexpr ticks delay_most() { return 11; }
    static constexpr std::optional<caucus::epoch<int>> epoch() requires(!OnBus) {
        return caucus::epoch<int>{8, 5, {}};
    }
    static constexpr bool holds() { return true; }

    static constexpr auto fields(auto& self) {
        return std::tie(self.bows, self.greetings, self.fuses, self.words, self.life);
    }
};
using anywhere = oracle<shape::graph>;
using on_complete = oracle<shape::complete>;
using on_ring = oracle<shape::two_way_ring>;
using endless = oracle<shape::complete, true>;
using on_bus = oracle<shape::complete, false, true>;

/// Nothing but a process: no id, no leader, no ear.
struct plain : archetype::process {
    bool started = false;
    static constexpr auto fields(auto& self) { return std::tie(self.started); }
};

/// Keeps suspicions to itself, and does nothing else.
template <class P>
class hiding : public layer_over<hiding<P>, P> {
    using base = layer_over<hiding, P>;
    friend base;

public:
    using message = typename P::message;
    using timer = typename P::timer;
    using outcome = typename P::outcome;
    template <class Env>
    using inside = renaming_environment<hiding, Env>;
    static constexpr bool heeds_suspicions = true;
    static constexpr withheld withholds = withheld::suspicions;
    static constexpr model assumes = P::assumes;
    static constexpr std::size_t own_timers(std::size_t) { return 0; }

    constexpr explicit hiding(P process) : base(process) {}
    using base::on;
    static constexpr auto fields(auto& self) { return std::tie(self.process_); }

private:
    constexpr void heed(suspect, auto&) {}
    constexpr void heed(trust, auto&) {}
    constexpr void heed(const recovered<>& r, auto& env) { base::pass(r, env); }
};

template <class P>
struct surroundings : archetype::environment<P>, archetype::loaded_dice, archetype::watch {};

template <class T>
constexpr const auto& innermost(const T& layered) {
    if constexpr (requires { layered.process(); }) return innermost(layered.process());
    else if constexpr (requires { layered.instance(0); }) return innermost(layered.instance(0));
    else return layered;
}

/// What any layer on the way down keeps to itself.
template <class T>
constexpr withheld kept_back() {
    if constexpr (requires { T::withholds; })
        return T::withholds | kept_back<typename T::process_type>();
    else if constexpr (requires { typename T::process_type; })
        return kept_back<typename T::process_type>();
    else
        return withheld::nothing;
}

/// A group answers for one of its instances at a time, and so its questions are of one.
template <class T>
constexpr bool is_group() {
    if constexpr (requires { typename T::addressed; }) return true;
    else if constexpr (requires { typename T::process_type; })
        return is_group<typename T::process_type>();
    else
        return false;
}

template <class T, class R>
answer asked(T& layered, const R& r, auto& env) {
    if constexpr (is_group<T>()) {
        static_assert(kind_of<request::of_one<R>, requests_of<T>>);
        return dispatch(layered, request::of_one<R>{0, r}, env);
    } else {
        static_assert(kind_of<R, requests_of<T>>);
        return dispatch(layered, r, env);
    }
}

template <class T>
void takes_what_it_takes(T layered) {
    using inner = std::remove_cvref_t<decltype(innermost(layered))>;
    surroundings<T> env;
    env.ports = 2;
    static_cast<void>(dispatch(layered, request::start{}, env));
    env.heard.clear();
    HOLDS(asked(layered, request::enter{}, env) == answer::already_waiting);
    HOLDS(asked(layered, request::leave{}, env) == answer::not_inside);
    HOLDS(asked(layered, request::cancel{}, env) == answer::not_waiting);
    HOLDS(asked(layered, request::broadcast<int>{7}, env) == answer::not_a_member);
    HOLDS(asked(layered, request::broadcast<int>{0}, env) == answer::accepted);
    HOLDS(asked(layered, typename inner::bow{3}, env) == answer::already_inside);
    HOLDS(innermost(layered).bows == 3);
    HOLDS(env.heard.empty() == includes(kept_back<T>(), withheld::outcomes));
    const std::size_t before = innermost(layered).words.size();
    dispatch(layered, suspect{port{1}}, env);
    dispatch(layered, trust{port{1}}, env);
    const bool silent = includes(kept_back<T>(), withheld::suspicions);
    HOLDS(innermost(layered).words.size() - before == (silent ? 0 : 2));
}

template <class T>
void hears_of_its_lives(T layered) {
    surroundings<T> env;
    env.ports = 2;
    if constexpr (std::is_same_v<kept_by<T>, nothing>)
        dispatch(layered, recovered<>{{3}, std::nullopt}, env);
    HOLDS(innermost(layered).life == (includes(kept_back<T>(), withheld::lives) ? 0 : 3));
    static_assert(goes_on_after_a_crash<T>);
}

template <class T>
void answers_what_it_answers(const T& layered) {
    constexpr bool gives_its_own = includes(kept_back<T>(), withheld::outcomes);
    if constexpr (requires { layered.instance(0); }) {
        HOLDS(layered.leader(0).has_value() != gives_its_own);
        HOLDS(layered.holds(0));
    } else if constexpr (!is_group<T>()) {
        HOLDS(layered.id() == 4);
        HOLDS(layered.leader().has_value() != gives_its_own);
        HOLDS(!layered.is_leader());
        HOLDS(layered.holds());
        HOLDS((layered.awaits(port{1}) && !layered.awaits(port{0})));
        HOLDS(layered.ring_size() == 9);
        HOLDS(layered.ring_size_most() == 13);
        HOLDS(layered.delay_most() == 11);
        if constexpr (requires { innermost(layered).peers(); }) {
            HOLDS(layered.peers()[1] == 6);
            HOLDS(layered.epoch().has_value() != gives_its_own);
        }
    }
    HOLDS(layered.objection(2) == nullptr);
}

/// Two of them on one link: what is sent inside arrives inside, and what is armed there goes off.
template <class T>
void carries(T a, T b) {
    surroundings<T> at_a, at_b;
    at_a.ports = at_b.ports = 1;
    static_cast<void>(dispatch(a, request::start{}, at_a));
    static_cast<void>(dispatch(b, request::start{}, at_b));
    const auto hand_over = [](auto& from, T& to, auto& env) {
        const auto letters = std::exchange(from.outbox, {});
        for (const auto& l : letters) dispatch(to, l.message, port{0}, env);
    };
    for (int i = 0; i < 8; ++i) {
        hand_over(at_a, b, at_b);
        hand_over(at_b, a, at_a);
    }
    // Twice if the ring inside has two links to the one neighbour.
    HOLDS((innermost(a).greetings == 7 || innermost(a).greetings == 14));
    HOLDS(innermost(b).greetings == innermost(a).greetings);
    // Not at the end: a detector's timers go off, too, and a bus then begins anew.
    int went_off = innermost(a).fuses;
    if constexpr (kinds_of<typename T::timer> != 0) {
        const auto armed = at_a.armed;
        for (const auto& each : armed) {
            at_a.disarm(each.timer);
            dispatch(a, expiry<typename T::timer>{each.timer}, at_a);
            if (went_off < innermost(a).fuses) went_off = innermost(a).fuses;
        }
    }
    HOLDS(went_off == 1);
}

template <class T>
void law(const T& layered) {
    carries(layered, layered);
    takes_what_it_takes(layered);
    hears_of_its_lives(layered);
    answers_what_it_answers(layered);
}

/// The other direction: it does not answer what P does not.
template <class T>
constexpr bool says_nothing() {
    return !requires(const T& t) { t.id(); } && !requires(const T& t) { t.leader(); } &&
           !requires(const T& t) { t.holds(); } && !requires(const T& t) { t.epoch(); } &&
           !requires(const T& t) { t.peers(); } &&
           !takes<T, request::enter, surroundings<T>> &&
           !listens_to<T, suspect, surroundings<T>> && !goes_on_after_a_crash<T>;
}
static_assert(says_nothing<reliable<plain>>());
static_assert(says_nothing<synchronizer<plain>>());
static_assert(says_nothing<heartbeat<plain>>());
static_assert(says_nothing<swim<plain>>());
static_assert(says_nothing<grouped<plain>>());
static_assert(says_nothing<reliable<heartbeat<plain>>>());

/// Has verbs, and lists none: any request of the library's may be asked.
struct lock : plain {
    constexpr answer request(auto&) { return answer::already_waiting; }
    constexpr answer release(auto&) { return answer::not_inside; }
    static constexpr bool holds() { return false; }
};
/// Lists what it takes, and that is not to be started.
struct door {
    using message = nothing;
    using timer = nothing;
    using outcome = nothing;
    using requests = std::variant<request::enter>;
    constexpr answer request(auto&) { return answer::already_waiting; }
    static constexpr bool holds() { return false; }
    static constexpr auto fields(auto&) { return std::tuple<>{}; }
};
template <class T>
constexpr bool can_enter = takes<T, request::enter, surroundings<T>> &&
                           !takes<T, request::cancel, surroundings<T>>;
static_assert(can_enter<reliable<lock>> && can_enter<heartbeat<reliable<lock>>>);
static_assert(can_enter<synchronizer<lock>> && can_enter<client<lock>> && can_enter<swim<lock>>);
static_assert(can_enter<reliable<door>> && can_enter<heartbeat<reliable<door>>>);
static_assert(can_enter<synchronizer<door>> && can_enter<client<door>> && can_enter<swim<door>>);
using of_lock = request::of_one<request::enter>;
static_assert(takes<grouped<lock>, of_lock, surroundings<grouped<lock>>>);
static_assert(takes<grouped<door>, of_lock, surroundings<grouped<door>>>);

constexpr auto by_candid = [](auto p) { return layer<candid>(p); };
constexpr auto by_client = [](auto p) { return layer<client>(p); };
constexpr auto by_reliable = [](auto p) { return reliable<decltype(p)>{p}; };
constexpr auto by_synchronizer = [](auto p) { return synchronizer<decltype(p)>{p}; };
constexpr auto by_heartbeat = [](auto p) { return layer<heartbeat>(p); };
constexpr auto by_swim = [](auto p) { return layer<swim>(p); };
constexpr auto by_grouped = [](auto p) { return grouped<decltype(p)>{std::vector{p}}; };
constexpr auto by_ring = [](auto p) { return layer<repaired_ring>(p); };
constexpr auto by_supervised = [](auto p) { return layer<supervised>(p); };
constexpr auto by_bus = [](auto p) { return layer<bus>(p); };
constexpr auto by_stamped = [](auto p) { return layer<stamped>(p); };

/// With a place: P begins when it has one. Behind the first port is the registry.
constexpr auto by_tree = [](auto p) {
    on_tree hung{p, spanning_tree{port{0}}};
    surroundings<decltype(hung)> env;
    env.ports = 2;
    static_cast<void>(dispatch(hung, request::start{}, env));
    hung.on(spanning_tree<>::members{}, port{0}, env);
    return hung;
};

/// That layer around each of the others.
void law_around_all(auto wrap) {
    law(wrap(by_candid(on_complete{})));
    law(wrap(by_client(on_complete{})));
    law(wrap(by_reliable(on_complete{})));
    law(wrap(by_synchronizer(on_complete{})));
    law(wrap(by_heartbeat(on_complete{})));
    law(wrap(by_swim(on_complete{})));
    law(wrap(by_ring(on_ring{})));
    law(wrap(by_supervised(on_complete{})));
    law(wrap(by_bus(on_bus{})));
    law(wrap(by_stamped(endless{})));
}

}  // namespace

TEST_CASE("layers: each answers what the process inside answers and takes what it takes") {
    law(by_candid(anywhere{}));
    law(by_client(anywhere{}));
    law(by_reliable(anywhere{}));
    law(by_synchronizer(anywhere{}));
    law(by_heartbeat(anywhere{}));
    law(by_swim(on_complete{}));
    law(by_grouped(anywhere{}));
    law(by_ring(on_ring{}));
    law(by_supervised(anywhere{}));
    law(by_bus(on_bus{}));
    law(by_stamped(endless{}));
}

TEST_CASE("layers: so does a stack of any two, candid or client outermost") {
    law_around_all(by_candid);
    law_around_all(by_client);
}
TEST_CASE("layers: so does a stack of any two, reliable or synchronizer outermost") {
    law_around_all(by_reliable);
    law_around_all(by_synchronizer);
}
TEST_CASE("layers: so does a stack of any two, a detector outermost") {
    law_around_all(by_heartbeat);
    law_around_all(by_swim);
}
TEST_CASE("layers: so does a stack of any two, grouped outermost or innermost") {
    law_around_all(by_grouped);
    law(by_reliable(by_grouped(anywhere{})));
    law(by_synchronizer(by_grouped(anywhere{})));
    law(by_heartbeat(by_grouped(anywhere{})));
    law(by_swim(by_grouped(on_complete{})));
}
TEST_CASE("layers: so does a stack of any two, an election's layer outermost") {
    law(by_ring(by_candid(on_ring{})));
    law(by_ring(by_client(on_ring{})));
    law(by_ring(by_reliable(on_ring{})));
    law(by_ring(by_synchronizer(on_ring{})));
    law(by_ring(by_heartbeat(on_ring{})));
    law(by_supervised(by_candid(on_complete{})));
    law(by_supervised(by_client(on_complete{})));
    law(by_supervised(by_reliable(on_complete{})));
    law(by_supervised(by_ring(on_ring{})));
    law(by_bus(by_candid(on_bus{})));
    law(by_bus(by_client(on_bus{})));
    law(by_bus(by_reliable(on_bus{})));
    law(by_bus(by_heartbeat(on_bus{})));
    law(by_stamped(by_candid(endless{})));
    law(by_stamped(by_client(endless{})));
    law(by_stamped(by_reliable(endless{})));
    law(by_stamped(by_heartbeat(endless{})));
    law(by_stamped(by_swim(endless{})));
}

/// But for what it carries, which needs more than the first link: tests/layer/on_tree.cpp.
TEST_CASE("layers: so does one that keeps a tree, around one that hides whom it suspects") {
    const auto keeps_the_law = [](const auto& layered) {
        takes_what_it_takes(layered);
        hears_of_its_lives(layered);
        answers_what_it_answers(layered);
    };
    keeps_the_law(by_tree(hiding{anywhere{}}));
    keeps_the_law(by_candid(by_tree(hiding{anywhere{}})));
}

TEST_CASE("layers: each can be started, also around a process that cannot; a refusal is told") {
    const auto started = [](auto layered, std::size_t ports) {
        surroundings<decltype(layered)> env;
        env.ports = ports;
        return dispatch(layered, request::start{}, env);
    };
    CHECK(started(by_reliable(door{}), 2) == answer::accepted);
    CHECK(started(by_synchronizer(door{}), 2) == answer::accepted);
    CHECK(started(by_client(door{}), 2) == answer::accepted);
    CHECK(started(by_grouped(door{}), 2) == answer::accepted);
    heartbeat beating{door{}};
    surroundings<decltype(beating)> env;
    env.ports = 2;
    CHECK(dispatch(beating, request::start{}, env) == answer::accepted);
    CHECK(env.outbox.size() == 2);   // its first beats
    CHECK(started(heartbeat{anywhere{}, inplace_storage<2>{}}, 3) == answer::no_room);
    CHECK(started(reliable{anywhere{}, {.window = 2}, inplace_storage<2>{}}, 3) ==
          answer::no_room);
    supervised narrow{anywhere{}, inplace_storage<2>{}};
    surroundings<decltype(narrow)> wide;
    wide.ports = 3;
    CHECK(dispatch(narrow, request::start{}, wide) == answer::no_room);
    CHECK(dispatch(narrow, request::enter{}, wide) == answer::no_room);
    CHECK(wide.heard.size() == 1);   // overflow, told once
    supervised asleep{anywhere{}};
    surroundings<decltype(asleep)> quiet;
    quiet.ports = 2;
    CHECK(dispatch(asleep, request::enter{}, quiet) == answer::blocked);
}
