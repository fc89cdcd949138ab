// SPDX-License-Identifier: MIT
#include <caucus/core/dispatch.hpp>

#include <doctest/doctest.h>

#include <caucus/core/print.hpp>

#include <string>
#include <vector>

using caucus::arrival;
using caucus::dispatch;
using caucus::expiry;
using caucus::input;
using caucus::nothing;
using caucus::port;
using caucus::recovered;

namespace {

struct ping { int number; };
struct pong { int number; };
struct early { int number; };
struct late {};

/// The environment of a process that only writes down who called it, and with what.
struct diary {
    std::vector<std::string> calls{};
    void note(const std::string& who, const auto& what) {
        calls.push_back(who + ' ');
        caucus::print(calls.back(), what);
    }
    std::string last() const { return calls.empty() ? "" : calls.back(); }
};

struct probe {
    using message = std::variant<ping, pong>;
    using timer = std::variant<early, late>;
    using outcome = nothing;
    using kept = int;

    caucus::answer start(diary& env) { return env.note("start", 0), caucus::answer::blocked; }
    void on(ping m, port from, diary& env) { env.note("ping", std::pair{m, from}); }
    void on(pong m, port from, diary& env) { env.note("pong", std::pair{m, from}); }
    void on(early t, diary& env) { env.note("early", t); }
    void on(late t, diary& env) { env.note("late", t); }
    void on(caucus::suspect s, diary& env) { env.note("suspect", s); }
    void on(caucus::trust t, diary& env) { env.note("trust", t); }
    void on(const recovered<int>& r, diary& env) { env.note("recovered", r); }
};

struct plain {   // one kind of each, no variants; deaf to detectors and to its own past
    using message = ping;
    using timer = early;
    using outcome = nothing;

    void start(diary& env) { env.note("start", 1); }
    void on(ping m, port from, diary& env) { env.note("ping", std::pair{m, from}); }
    void on(early t, diary& env) { env.note("early", t); }
};

struct mute {   // nothing to hear, nothing to wait for
    using message = nothing;
    using timer = nothing;
    using outcome = nothing;

    void start(diary& env) { env.note("start", 2); }
};

struct without_pong : plain {
    using message = std::variant<ping, pong>;
};
struct without_late : plain {
    using timer = std::variant<early, late>;
};
struct by_reference_only : mute {   // asks for a message that it may change: nobody gives it one
    using message = ping;
    void on(ping&, port, diary&) {}
};

template <class P>
std::string told(const input<P>& in) {
    P process;
    diary env;
    dispatch(process, in, env);
    REQUIRE(env.calls.size() <= 1);
    return env.last();
}

}  // namespace

using caucus::a_message_or_timer_kind_has_no_handler;
static_assert(a_message_or_timer_kind_has_no_handler<probe, diary>);
static_assert(a_message_or_timer_kind_has_no_handler<plain, diary>);
static_assert(a_message_or_timer_kind_has_no_handler<mute, diary>);
static_assert(!a_message_or_timer_kind_has_no_handler<without_pong, diary>);
static_assert(!a_message_or_timer_kind_has_no_handler<without_late, diary>);
static_assert(!a_message_or_timer_kind_has_no_handler<by_reference_only, diary>);

TEST_CASE("dispatch: each input reaches its own handler, once, with what it carries") {
    CHECK(told<probe>(caucus::request::start{}) == "start 0");
    CHECK(told<probe>(arrival<probe::message>{ping{7}, port{3}}) == "ping {ping{7}, 3}");
    CHECK(told<probe>(arrival<probe::message>{pong{8}, port{1}}) == "pong {pong{8}, 1}");
    CHECK(told<probe>(expiry<probe::timer>{early{4}}) == "early early{4}");
    CHECK(told<probe>(expiry<probe::timer>{late{}}) == "late late");
    CHECK(told<probe>(caucus::suspect{port{2}, caucus::incarnation{3}}) ==
          "suspect suspect{2, incarnation{3}}");
    CHECK(told<probe>(caucus::trust{port{5}}) == "trust trust{5, none}");
    CHECK(told<probe>(recovered<int>{{3}, 9}) == "recovered recovered{incarnation{3}, 9}");
}

TEST_CASE("dispatch: messages and timers of a single kind need no variant") {
    CHECK(told<plain>(caucus::request::start{}) == "start 1");
    CHECK(told<plain>(arrival<ping>{{7}, port{3}}) == "ping {ping{7}, 3}");
    CHECK(told<plain>(expiry<early>{{4}}) == "early early{4}");
}

TEST_CASE("dispatch: without a handler, the detector's word and a recovery are ignored") {
    CHECK(told<plain>(caucus::suspect{port{2}}) == "");
    CHECK(told<plain>(caucus::trust{port{2}}) == "");
    CHECK(told<plain>(recovered<>{{3}, {}}) == "");
}

TEST_CASE("dispatch: nothing is no message and no timer") {
    CHECK(told<mute>(caucus::request::start{}) == "start 2");
    CHECK(told<mute>(arrival<nothing>{{}, port{0}}) == "");
    CHECK(told<mute>(expiry<nothing>{}) == "");
}

TEST_CASE("dispatch: bare inputs and messages by their parts do as the variant of inputs does") {
    probe process;
    diary env;
    dispatch(process, probe::message{pong{6}}, port{4}, env);
    CHECK(env.last() == "pong {pong{6}, 4}");
    dispatch(process, arrival<probe::message>{ping{5}, port{3}}, env);
    CHECK(env.last() == "ping {ping{5}, 3}");
    dispatch(process, expiry<probe::timer>{late{}}, env);
    CHECK(env.last() == "late late");
    dispatch(process, caucus::trust{port{1}}, env);
    CHECK(env.last() == "trust trust{1, none}");
    CHECK(env.calls.size() == 4);
}

TEST_CASE("dispatch: the answer to a request comes back; nothing said is yes") {
    diary env;
    probe process;
    CHECK(dispatch(process, caucus::request::start{}, env) == caucus::answer::blocked);
    plain silent;
    CHECK(dispatch(silent, caucus::request::start{}, env) == caucus::answer::accepted);
}

TEST_CASE("dispatch: a request that a process does not list returns what the process likes") {
    struct question { int number; };
    struct own : plain {
        static int on(const question& q, diary&) { return q.number + 1; }
    } process;
    diary env;
    CHECK(dispatch(process, question{4}, env) == 5);
}
