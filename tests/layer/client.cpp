// SPDX-License-Identifier: MIT
#include <caucus/layer/client.hpp>

#include <caucus/layer/reliable.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/star.hpp>

#include <laws/layer.hpp>
#include <support/central_lock.hpp>
#include <support/textbook_lock.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

using namespace caucus;

namespace {

/// A lock at the centre of a star: leaves ask, the centre grants one at a time. With a fuse that
/// it arms when asked, to see that the timers of the process inside arrive there.
struct turnstile {
    struct ask {};
    struct grant {};
    struct done {};
    using message = std::variant<ask, grant, done>;
    struct fuse {};
    using timer = fuse;
    using outcome = nothing;

    bool in = false;
    bool busy = false;
    unsigned waiting = 0;
    int fused = 0;
    int asked = 0;

    void start(auto& env) { env.arm(fuse{}, 3); }
    void request(auto& env) {
        ++asked;
        env.send(port{0}, ask{});
    }
    void release(auto& env) {
        in = false;
        env.send(port{0}, done{});
    }
    bool holds() const { return in; }
    void on(fuse, auto&) { ++fused; }
    void on(ask, port from, auto& env) {
        if (busy) waiting |= 1u << from.index();
        else env.send(from, grant{});
        busy = true;
    }
    void on(grant, port, auto&) { in = true; }
    void on(done, port, auto& env) {
        busy = waiting != 0;
        for (const port p : ports(env.degree())) {
            if ((waiting >> p.index() & 1) == 0) continue;
            waiting &= ~(1u << p.index());
            return env.send(p, grant{});
        }
    }
};

auto leaf_or_centre(std::uint8_t entries) {
    return [=](node v) {
        return client{turnstile{},
                      {.entries = v.index == 0 ? std::uint8_t{0} : entries, .thinking = 2}};
    };
}

/// Delivers what is broadcast, at once to itself and later to others; has nothing to hold. Not a
/// member before it has joined.
struct bulletin {
    struct note { int text; };
    struct read { int text; };
    using message = note;
    using timer = nothing;
    using outcome = read;
    using requests = std::variant<request::join, request::depart, request::broadcast<int>>;
    bool member = false;

    answer join(auto&) { return member = true, answer::accepted; }
    answer depart(auto&) {
        if (!member) return answer::not_a_member;
        return member = false, answer::accepted;
    }
    answer broadcast(int text, auto& env) {
        if (!member) return answer::not_a_member;
        env.broadcast(note{text});
        env.report(read{text});
        return answer::accepted;
    }
    void on(note n, port, auto& env) { env.report(read{n.text}); }
};

/// Says no so often before it says yes; -1: always.
struct reluctant {
    using message = nothing;
    using timer = nothing;
    using outcome = nothing;
    int refusals = 0;
    bool in = false;

    void start(auto&) {}
    answer request(auto&) {
        if (refusals < 0) return answer::blocked;
        if (refusals != 0) return --refusals, answer::blocked;
        return in = true, answer::accepted;
    }
    int kept_in = 0;   // so often it does not let go
    answer release(auto&) {
        if (kept_in != 0) return --kept_in, answer::blocked;
        return in = false, answer::accepted;
    }
    bool holds() const { return in; }
};

/// Puts out whom it let in first, after a while.
struct forgetful {
    struct closing {};
    using message = nothing;
    using timer = closing;
    using outcome = nothing;
    bool in = false;
    int entries = 0;

    void start(auto&) {}
    answer request(auto& env) {
        if (entries++ == 0) env.arm(closing{}, 2);
        return in = true, answer::accepted;
    }
    answer release(auto&) {
        if (!in) return answer::not_inside;
        return in = false, answer::accepted;
    }
    void on(closing, auto&) { in = false; }
    bool holds() const { return in; }
};

/// Lets in, after a while, and puts out by the same input: the first of all; holds() never saw it.
struct revolving {
    struct turn {};
    using message = nothing;
    using timer = turn;
    using outcome = std::variant<entered<>, left, revoked>;
    bool in = false;
    int entries = 0;

    void start(auto&) {}
    void request(auto& env) { env.arm(turn{}, 2); }
    answer release(auto& env) {
        if (!in) return answer::not_inside;
        env.report(left{});
        return in = false, answer::accepted;
    }
    void on(turn, auto& env) {
        env.report(entered{});
        in = entries++ != 0;
        if (!in) env.report(revoked{});
    }
    bool holds() const { return in; }
};

/// Does not tell whether anybody is inside.
struct silent_lock {
    using message = nothing;
    using timer = nothing;
    using outcome = nothing;
    using requests = std::variant<request::start, request::enter, request::leave>;
    bool in = false;

    void start(auto&) {}
    answer on(request::enter, auto&) { return in = true, answer::accepted; }
    answer on(request::leave, auto&) { return in = false, answer::accepted; }
};

/// Refuses every other request to enter.
struct fickle_lock {
    using message = nothing;
    using timer = nothing;
    using outcome = nothing;
    bool in = false;
    bool refuses = true;

    void start(auto&) {}
    answer request(auto&) {
        if (refuses) return refuses = false, answer::blocked;
        return refuses = in = true, answer::accepted;
    }
    answer release(auto&) { return in = false, answer::accepted; }
    bool holds() const { return in; }
};

/// Opens a while after it is asked, says nothing to that, and counts who asks when it was not due.
struct trusting_lock {
    struct opening {};
    using message = nothing;
    using timer = opening;
    using outcome = nothing;
    bool asked = false;
    bool in = false;
    int entries = 0;
    int asked_twice = 0;

    void start(auto&) {}
    void request(auto& env) {
        asked_twice += asked;
        asked = true;
        env.arm(opening{}, 3);
    }
    void release(auto&) { asked = in = false; }
    void on(opening, auto&) {
        in = true;
        ++entries;
    }
    bool holds() const { return in; }
};

/// A central lock with a timer beside it, which nobody touches.
struct lock_until_dusk : support::central_lock<false> {
    struct dusk {};
    using timer = dusk;
    bool dark = false;

    using support::central_lock<false>::on;
    static void start(auto& env) { env.arm(dusk{}, 50); }
    void on(dusk, auto&) { dark = true; }
    static auto fields(auto& self) {
        return std::tie(self.is, self.number, self.queue, self.centre, self.dark);
    }
};

/// A script whose steps wait, in explore, until nothing is under way.
template <class Request>
struct patient_script : script<Request> {
    using script<Request>::script;
    static constexpr bool decides = false;
};

/// A log of one's own: what was asked, and how often it was let in.
struct tally {
    std::vector<answer> answers{};
    int entries = 0;
    void asked(const auto&, answer said) { answers.push_back(said); }
    void hear(const support::central_lock<>::outcome& o) { entries += o.index() == 0; }
};

using lock = support::central_lock<>;

const auto one_holds_at_most = [](const auto& g) {
    std::size_t inside = 0;
    for (std::size_t v = 0; v < g.nodes(); ++v) inside += g[v].holds();
    return inside <= 1;
};

}  // namespace

static_assert(client<turnstile>::timers(3) == 3);
using scripted = client<bulletin, script<requests_of<bulletin>>>;
static_assert(scripted::timers(3) == 1 && !perpetual<scripted> && !tosses_coins<scripted>);
static_assert(perpetual<client<lock, closed>> && tosses_coins<client<lock, closed>>);
static_assert(!client<lock>::ask::is_decision && client<lock, closed>::leave::is_decision);
static_assert(scripted::ask::is_decision && client<lock, at_any_time<sections>>::ask::is_decision);
static_assert(std::is_same_v<decltype(client{lock{}, {.entries = 2}}), client<lock>>);

TEST_CASE("client: the laws of layers") {
    laws::layer_laws([](auto process) { return client{process, {.entries = 2}}; });
    laws::layer_laws([](auto process) {
        return client{process, script{in_order(request::enter{})}, outcome_log<>{}};
    });
}

TEST_CASE("client: asks as often as it was told to, enters, leaves, and then is silent") {
    events net{star{4}, leaf_or_centre(5), {.seed = 3}};
    net.start_all();
    net.start_all();
    const report r = net.run();
    CHECK(r.stopped == stop::quiescent);
    CHECK(r.messages == 3 * 5 * 3);   // ask, grant, done: three leaves, five entries each
    for (std::size_t v = 1; v < 4; ++v) {
        CHECK(net[v].entries_left() == 0);
        CHECK(net[v].process().asked == 5);
        CHECK(net[v].process().fused == 1);
        CHECK_FALSE(net[v].holds());
    }
    net.start_all();   // it has started: nothing more comes of it
    CHECK(net.run().messages == r.messages);
    CHECK(net[1].process().fused == 1);
}

TEST_CASE("client: requests go through layers") {
    const auto make = [](node v) {
        const client_options options{.entries = v.index == 0 ? std::uint8_t{0} : std::uint8_t{4}};
        return client{reliable{turnstile{}}, options};
    };
    events net{star{4}, make, {.delay = heavy_tailed{1, 100}, .fifo = false}};
    net.start_all();
    CHECK(net.run().stopped == stop::quiescent);
    for (std::size_t v = 1; v < 4; ++v) {
        CHECK(net[v].process().process().asked == 4);
        CHECK_FALSE(net[v].holds());
    }
}

TEST_CASE("client: on every schedule one is inside at most, and all have been when it is over") {
    const auto one_inside = [](const auto& g) {
        std::size_t inside = 0;
        for (std::size_t v = 0; v < g.nodes(); ++v) inside += g[v].holds();
        return inside <= 1;
    };
    const auto all_done = [](const auto& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g[v].entries_left() != 0 || g[v].holds()) return false;
        return true;
    };
    const auto someone_inside = [](const auto& g) { return g[1].holds() || g[2].holds(); };
    const verdict v = explore(star{3}, leaf_or_centre(1),
                              {.properties = {always(one_inside), finally(all_done),
                                              sometimes(someone_inside)},
                               .timers = timers::any_time});
    CHECK(v.verified());
    CHECK(v.messages.least == 6);
    CHECK(v.messages.most == 6);
}

TEST_CASE("client: explores a textbook's Ricart-Agrawala in as many states as other tools do") {
    const auto asking = [](std::uint8_t entries) {
        return [=](node v) {
            return client{support::textbook_lock{static_cast<std::uint8_t>(v.index)},
                          {.entries = entries, .thinking = 1 + v.index}};
        };
    };
    const auto counted = [&](std::uint8_t entries, timers when) {
        const verdict v = explore(complete{3}, asking(entries),
                                  {.properties = {always(one_holds_at_most)},
                                   .reduce = reduction::none, .timers = when});
        CHECK(v.verified());
        return std::pair{v.states, v.transitions};
    };
    CHECK(counted(1, timers::any_time) == std::pair<std::uint64_t, std::uint64_t>{2049, 5488});
    CHECK(counted(1, timers::after_messages) == std::pair<std::uint64_t, std::uint64_t>{43, 60});
    CHECK(counted(2, timers::after_messages) == std::pair<std::uint64_t, std::uint64_t>{129, 182});
}

TEST_CASE("client: a refused request is no entry; it is counted, and retried as often as said") {
    const auto run = [](int refusals, sections load) {
        events net{complete{1}, [&](node) { return client{reluctant{refusals}, load}; }};
        net.start_all();
        CHECK(net.run().stopped == stop::quiescent);
        return net[0];
    };
    const auto patient = run(3, {.entries = 2, .retries = 3});
    CHECK(patient.is_through());
    CHECK(patient.refused().by(answer::blocked) == 3);
    CHECK(patient.refused().total() == 3);
    CHECK_FALSE(patient.holds());

    const auto given_up = run(3, {.entries = 2, .retries = 2});
    CHECK(given_up.entries_left() == 2);
    CHECK(given_up.refused().by(answer::blocked) == 3);

    const auto persistent = run(1000, {.entries = 2, .retries = for_ever});
    CHECK(persistent.is_through());
    CHECK(persistent.refused().by(answer::blocked) == 1000);
}

TEST_CASE("client: a refused leave is counted and retried, too; who gives that up stays") {
    const auto run = [](int kept_in, auto load) {
        reluctant lock;
        lock.kept_in = kept_in;
        events net{complete{1}, [&](node) { return client{lock, load}; }};
        net.start_all();
        CHECK(net.run().stopped == stop::quiescent);
        CHECK(net[0].is_through());
        return std::pair{net[0].refused().total(), net[0].holds()};
    };
    using result = std::pair<std::uint64_t, bool>;
    const script twice{in_order(request::enter{}, request::leave{}, request::enter{},
                                request::leave{}), {.retries = 2}};
    CHECK(run(0, sections{.entries = 2}) == result{0, false});
    CHECK(run(0, twice) == result{0, false});
    CHECK(run(2, sections{.retries = 2}) == result{2, false});
    CHECK(run(2, twice) == result{2, false});
    CHECK(run(9, sections{.retries = 2}) == result{3, true});
    // Who is still inside does not ask to enter meanwhile.
    CHECK(run(2, sections{.entries = 2, .retries = 2}) == result{2, false});
}

TEST_CASE("client: who was put out has left, whatever it is told when it leaves") {
    const auto run = [](auto load) {
        events net{complete{1}, [&](node) { return client{forgetful{}, load}; }};
        net.start_all();
        CHECK(net.run().stopped == stop::quiescent);
        CHECK(net[0].is_through());
        CHECK_FALSE(net[0].holds());
        CHECK(net[0].refused().by(answer::not_inside) == 1);
        CHECK(net[0].process().entries == 2);
    };
    run(sections{.entries = 2, .staying = 5, .retries = 0});
    run(script{in_order(request::enter{}, request::leave{}, request::enter{}, request::leave{}),
               {.thinking = 5, .retries = 0}});
}

TEST_CASE("client: who was let in and put out by one input goes on, too") {
    const auto make = [](node) { return client{revolving{}, {.entries = 3}}; };
    events net{complete{1}, make};
    net.start(0);
    net.run();
    CHECK(net[0].is_through());
    CHECK(net[0].process().entries == 3);
    CHECK(net[0].refused().by(answer::not_inside) == 1);
    CHECK(net.outcomes().size() == 6);   // entered and revoked, then twice entered and left
    const auto through = [](const auto& g) { return g[0].is_through() && !g[0].holds(); };
    CHECK(explore(complete{1}, make, {.properties = {finally(through)}}).verified());
}

TEST_CASE("client: a script need not wait to be inside what does not tell whether it is") {
    events net{complete{1}, [](node) {
        return client{silent_lock{}, script{in_order(request::enter{}, request::leave{})}};
    }};
    net.start_all();
    CHECK(net.run().stopped == stop::quiescent);
    CHECK(net[0].is_through());
}

TEST_CASE("client: who asks for ever is explored in finitely many states, patient or not") {
    const auto make = [](node) { return client{reluctant{1}, closed{.retries = 1}}; };
    CHECK(explore(complete{1}, make, {.max_states = 1000}).complete);
    const auto moody = [](node) { return client{fickle_lock{}, closed{.retries = 1}}; };
    CHECK(explore(complete{1}, moody, {.max_states = 1000}).complete);
}

TEST_CASE("client: who retries for ever is explored in finitely many states") {
    const auto make = [](node) { return client{reluctant{-1}, {.retries = for_ever}}; };
    const verdict v = explore(complete{2}, make, {.properties = {finally([](const auto& g) {
                                  return g[0].is_through();
                              })}});
    CHECK(v.complete);
    CHECK_FALSE(v.holds);
}

TEST_CASE("client: a script of requests to what cannot be held, and the log of what was heard") {
    const auto plan = [](node v) {
        using request::broadcast, request::depart, request::join;
        const int own = 10 * static_cast<int>(v.index);
        auto requests = in_order(depart{}, join{}, broadcast<int>{own}, broadcast<int>{own + 1},
                                 depart{}, broadcast<int>{own + 2});
        return client{bulletin{}, script{requests, {.thinking = 5, .retries = 1}}, outcome_log<>{}};
    };
    events net{complete{2}, plan};
    net.start_all();
    CHECK(net.run().stopped == stop::quiescent);
    for (std::size_t v = 0; v < 2; ++v) {
        CHECK(net[v].is_through());
        CHECK(net[v].refused().by(answer::not_a_member) == 4);   // first and last, twice each
        REQUIRE(net[v].log().size() == 4);
        std::vector<int> own;
        for (const bulletin::read& r : net[v].log().outcomes())
            if (r.text / 10 == static_cast<int>(v)) own.push_back(r.text % 10);
        CHECK(own == std::vector{0, 1});
    }
}

TEST_CASE("client: properties read the log, and it is part of the explored state") {
    const auto make = [](node v) {
        return client{bulletin{}, script{in_order(request::join{}, request::broadcast<int>{
                                      static_cast<int>(v.index)})}, outcome_log<>{}};
    };
    const auto first_is = [](int text) {
        return [=](const auto& g) {
            return g[0].log().size() == 2 && g[0].log()[0].text == text;
        };
    };
    const auto all_heard = [](const auto& g) {
        return g[0].log().size() == 2 && g[1].log().size() == 2;
    };
    const auto same_order = [=](const auto& g) {
        return !all_heard(g) || g[0].log()[0].text == g[1].log()[0].text;
    };
    const verdict v = explore(complete{2}, make,
                              {.properties = {finally(all_heard), sometimes(first_is(0)),
                                              sometimes(first_is(1))},
                               .timers = timers::any_time});
    CHECK(v.verified());
    CHECK_FALSE(explore(complete{2}, make, {.properties = {always(same_order)},
                                            .timers = timers::any_time}).holds);
}

TEST_CASE("client: a script that cancels and asks again finds what asking and leaving does not") {
    using request::cancel, request::enter, request::leave;
    const auto judged = [](auto process, auto load) {
        return explore(star{3}, [=](node v) {
            return client{process, v.index == 0 ? decltype(load){{}} : load};
        }, {.properties = {always(one_holds_at_most), sometimes([](const auto& g) {
                return g[1].holds();
            })}, .timers = timers::any_time});
    };
    const script changes_its_mind{in_order(enter{}, cancel{}, enter{}, leave{}), {.retries = 0}};
    CHECK(judged(support::central_lock<true>{}, changes_its_mind).verified());
    CHECK(judged(support::central_lock<false>{}, client_options{.entries = 2}).verified());
    const verdict v = judged(support::central_lock<false>{}, changes_its_mind);
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.size() == 9);
}

TEST_CASE("client: a script's decisions are made while messages are under way, in explore too") {
    using request::cancel, request::enter, request::leave;
    const auto steps = in_order(enter{}, cancel{}, enter{}, leave{});
    using step = decltype(steps)::value_type;
    const auto judged = [&]<class Load>(Load load) {
        return explore(star{3}, [=](node v) {
            return client{support::central_lock<false>{}, v.index == 0 ? Load{{}} : load};
        }, {.properties = {always(one_holds_at_most),
                           sometimes([](const auto& g) { return g[1].holds(); })}});
    };
    const script_options once{.retries = 0};
    // A grant crosses the cancellation: that is a step while something is under way.
    CHECK(judged(patient_script<step>{steps, once}).verified());
    const verdict v = judged(script{steps, once});
    CHECK_FALSE(v.holds);
    CHECK(v.counterexample.property != "");
    CHECK(v.counterexample.text().find("decides: ask") != std::string::npos);
    CHECK(v.counterexample.size() == 9);
}

TEST_CASE("client: who asks for ever does not keep a timer of the process from its time") {
    const auto make = [](node v) {
        return client{lock_until_dusk{}, closed{.think = v.index == 0 ? never : 1}};
    };
    const verdict v = explore(star{3}, make, {.properties = {
        finally("dusk", [](const auto& g) { return g[1].process().dark; }),
        always(one_holds_at_most), sometimes([](const auto& g) {
            return g[2].holds() && !g[1].process().dark;
        })}});
    CHECK(v.verified());
}

TEST_CASE("client: closed asks for ever, with random pauses, and is explored too") {
    const auto make = [](node v) {
        closed load{.think = {1, 20}, .stay = {1, 4}};
        if (v.index == 0) load.think = never;
        return client{lock{}, load, tally{}};
    };
    events net{star{4}, make};
    net.start_all();
    net.run_for(5000);
    for (std::size_t v = 1; v < 4; ++v) {
        CHECK(net[v].log().entries > 100);
        CHECK(net[v].log().answers.size() > 200);   // to enter, to leave
        for (const answer said : net[v].log().answers) CHECK(said == answer::accepted);
        CHECK_FALSE(net[v].is_through());
    }
    const auto bare = [](node v) { return client{support::central_lock<false>{},
                                                 closed{.think = v.index == 0 ? never : 1}}; };
    const verdict v = explore(star{3}, bare, {.properties = {always(one_holds_at_most)},
                                              .timers = timers::any_time});
    CHECK(v.verified());
}

TEST_CASE("client: open asks whether or not it was served, and what waits is served in the end") {
    const auto make = [](double rate) {
        return [=](node v) {
            return client{lock{}, open{v.index == 0 ? 1e-9 : rate, between{2}}, tally{}};
        };
    };
    events idle{star{3}, make(0.01), {.delay = unit{}}};
    idle.start_all();
    idle.run_for(20'000);
    const auto& log = idle[1].log();
    CHECK(log.entries > 150);
    CHECK(log.entries < 250);
    CHECK(idle[1].load().waiting < 5);

    events busy{star{3}, make(0.5), {.delay = unit{}}};
    busy.start_all();
    busy.run_for(2000);
    CHECK(busy[1].load().waiting > 500);   // nobody can serve so many
    CHECK(busy[1].refused().by(answer::already_waiting) > 100);
    CHECK(busy[1].refused().by(answer::already_inside) > 100);
    CHECK(busy[1].log().entries > 150);
    CHECK_THROWS_WITH(events(star{3}, make(2.0)),
                      doctest::Contains("its rate of asks is not above 0 and at most 1"));
}

TEST_CASE("client: open does not ask again, before it has left, what could not refuse") {
    const auto run = [](auto process, auto inner) {
        events net{complete{1}, [&](node) { return client{process, open{0.5, between{2}}}; }};
        net.start_all();
        net.run_for(2000);
        const trusting_lock& lock = inner(net[0].process());
        CHECK(lock.asked_twice == 0);
        CHECK(lock.entries > 300);
        CHECK(net[0].load().waiting > 400);   // nobody is forgotten
        CHECK(net[0].refused().total() == 0);
    };
    run(trusting_lock{}, [](const auto& p) -> const auto& { return p; });
    run(reliable{trusting_lock{}}, [](const auto& p) -> const auto& { return p.process(); });
}

TEST_CASE("client: after a crash the load begins anew if it says so, and not otherwise") {
    const auto entries = [](bool again) {
        const auto make = [=](node v) {
            const bool asks = v.index != 0;
            return client{lock{}, sections{.entries = asks, .thinking = 10, .again = again},
                          outcome_log<>{}};
        };
        events net{star{2}, make};
        net.start_all();
        static_cast<void>(net.run());
        CHECK(net[1].log().size() == 2);
        net.crash(1);
        net.restart(1);
        static_cast<void>(net.run());
        return net[1].log().size();
    };
    CHECK(entries(false) == 0);
    CHECK(entries(true) == 2);
}
