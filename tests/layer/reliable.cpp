// SPDX-License-Identifier: MIT
#include <caucus/layer/reliable.hpp>

#include <archetypes.hpp>
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/graph/ghs.hpp>
#include <caucus/election/ring/franklin.hpp>
#include <caucus/run/events.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/star.hpp>
#include <caucus/topology/two_way_ring.hpp>
#include <laws/layer.hpp>
#include <support/instances.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

using namespace caucus;

namespace {

/// Says `words` things to its only neighbour when it starts and in every later life, and writes
/// down what it hears, in this life and, as it keeps it, in those before.
struct talker {
    struct word {
        std::uint32_t life;
        int number;
        friend constexpr bool operator==(const word&, const word&) = default;
    };
    using message = word;
    using timer = nothing;
    using outcome = nothing;
    using kept = std::vector<word>;

    int words = 0;
    std::uint32_t life = 0;
    std::vector<word> heard{};
    std::vector<word> before{};

    void start(auto& env) {
        for (int i = 0; i < words; ++i) env.send(port{0}, word{life, i});
    }
    void on(word w, port, auto& env) {
        heard.push_back(w);
        std::vector<word> everything = before;
        everything.insert(everything.end(), heard.begin(), heard.end());
        env.keep(everything);
    }
    void on(const recovered<kept>& r, auto& env) {
        life = r.incarnation.number;
        if (r.last) before = *r.last;
        start(env);
    }
};

/// A reliable link whose timers run out so often and then no more: any_time without end would fill
/// the links without end.
template <class P>
struct weary : reliable<P> {
    unsigned left;
    weary(P process, reliable_options options, unsigned expiries)
        : reliable<P>(process, options), left(expiries) {}
    using reliable<P>::on;
    void on(typename reliable<P>::resend t, auto& env) {
        if (left == 0) return;
        --left;
        reliable<P>::on(t, env);
    }
    static constexpr auto fields(auto& self) {
        return std::tuple_cat(reliable<P>::fields(self), std::tie(self.left));
    }
};

/// In order, without gaps, and nothing again: from the beginning, unless this is a later life.
bool is_fifo(const talker& t) {
    for (std::size_t i = 0; i < t.heard.size(); ++i) {
        const auto& w = t.heard[i];
        const bool first = i == 0 || t.heard[i - 1].life != w.life;
        if (!first && w.number != t.heard[i - 1].number + 1) return false;
        if (first && t.life == 0 && w.number != 0) return false;
        if (i != 0 && w.life < t.heard[i - 1].life) return false;
        if (std::find(t.before.begin(), t.before.end(), w) != t.before.end()) return false;
    }
    return true;
}
const auto fifo_everywhere = [](const auto& g) {
    for (std::size_t v = 0; v < g.nodes(); ++v)
        if (g.alive(v) && !is_fifo(g[v].process())) return false;
    return true;
};
/// All that was said to each of the two, and nothing is left over.
auto all_said(std::vector<int> words) {
    return [=](const auto& g) {
        for (std::size_t v = 0; v < 2; ++v)
            if (g[v].process().heard.size() != static_cast<std::size_t>(words[1 - v])) return false;
        return true;
    };
}
auto talkers(std::vector<int> words, reliable_options options) {
    return [=](node v) { return reliable{talker{words[v]}, options}; };
}
auto weary_talkers(std::vector<int> words, reliable_options options, unsigned expiries) {
    return [=](node v) { return weary<talker>{talker{words[v]}, options, expiries}; };
}

/// Everything that leaves is lost one time in `odds`, and repeated as often.
template <class P>
class badly_sent : public layer_over<badly_sent<P>, P> {
public:
    using message = typename P::message;
    using timer = typename P::timer;
    using outcome = typename P::outcome;
    template <class Env>
    class inside : public inner_environment<inside<Env>, badly_sent, Env> {
    public:
        inside(Env& outer, const badly_sent& layer)
            : inner_environment<inside, badly_sent, Env>(outer), odds_(layer.odds_) {}
        void send(port p, const message& m) {
            if (this->outer_.choose(odds_) != 0) this->outer_.send(p, m);
            if (this->outer_.choose(odds_) == 0) this->outer_.send(p, m);
        }

    private:
        std::size_t odds_;
    };
    static constexpr bool tosses_coins = true;
    static constexpr model assumes = P::assumes;

    badly_sent(P process, std::size_t odds)
        : layer_over<badly_sent, P>(process), odds_(odds) {}
    static constexpr auto fields(auto& self) { return std::tie(self.process_); }

private:
    std::size_t odds_;
};

/// Says so when it leaves, whether it was inside or not.
struct leaver : support::greeter {
    void request(auto&) {}
    void release(auto& env) { env.send(port{0}, greeting{7}); }
};


/// For those who play the network by hand.
using node_type = reliable<talker>;
template <class P = node_type>
struct desk : archetype::environment<P>, archetype::memory<talker::kept> {};

struct punctual : support::greeter {
    static constexpr bool breaks_if_late = true;
    ticks bound = 0;
    constexpr ticks delay_most() const { return bound; }
};

}  // namespace

// Shape.
static_assert(process<reliable<support::greeter>>);
static_assert(reliable<franklin<int>>::assumes.links == guarantee::none);
static_assert(reliable<franklin<int>>::assumes.topology == shape::two_way_ring);
static_assert(!reads_clock<reliable<franklin<int>>> && !tosses_coins<reliable<franklin<int>>>);
static_assert(tosses_coins<reliable<badly_sent<franklin<int>>>>);
static_assert(reliable<franklin<int>>::timers(2) == 2);
static_assert(reliable<reliable<franklin<int>>>::timers(2) == 2 + 2);
static_assert(std::is_same_v<decltype(reliable{support::greeter{}, inplace_storage<8>{}}),
                             reliable<support::greeter, inplace_storage<8>>>);
static_assert(std::is_same_v<decltype(reliable(support::greeter{}, {})),
                             reliable<support::greeter>>);
using small = reliable<support::greeter, inplace_storage<3>>;
static_assert(std::is_same_v<small::storage_type, inplace_storage<3>>);
static_assert(std::is_same_v<small::outcome, std::variant<stalled, reused_life, overflow>>);

static_assert([] {
    rounds sim{star{3}, [](node v) { return reliable{support::greeter{static_cast<int>(v)}}; }};
    sim.start_all();
    sim.run();
    return sim[0].process().heard == std::vector{1, 2} && sim[2].process().heard == std::vector{0};
}());

TEST_CASE("reliable: the laws of layers") {
    laws::layer_laws([](auto process) { return reliable{process}; });
    laws::layer_laws([](auto process) {
        return reliable{process, {.window = 1}, inplace_storage<3>{}};
    });
}

TEST_CASE("reliable: nonsense is refused") {
    const auto refuses = [](reliable_options options) {
        CHECK_THROWS_AS(reliable(support::greeter{}, options), error);
    };
    refuses({.window = 0});
    refuses({.resend_after = 0});
    refuses({.retries = 64});
    refuses({.resend_after = never, .retries = 1});
    CHECK_NOTHROW(reliable(support::greeter{}, {.resend_after = never >> 3, .retries = 3}));
    CHECK_THROWS_AS(reliable(support::greeter{}, {.window = 4}, inplace_storage<3>{}), error);
}

TEST_CASE("reliable: a process that breaks if a message is late needs a bound that holds") {
    const auto with_bound = [](ticks bound) {
        punctual p;
        p.bound = bound;
        return p;
    };
    static_assert(reliable_options{}.late_most() == 16 + 32 + 64 + 128 + 256 + 512);
    static_assert(reliable_options{.retries = 0}.late_most() == 0);
    CHECK_NOTHROW(reliable(with_bound(1009)));
    CHECK_THROWS_WITH(reliable(with_bound(1008)),
                      "reliable: lost 6 times a message is 1008 ticks late, and what is inside "
                      "breaks if one takes longer than 1008");
    CHECK_NOTHROW(reliable(with_bound(31), {.resend_after = 10, .retries = 2}));
    CHECK_THROWS_AS(reliable(with_bound(30), {.resend_after = 10, .retries = 2}), error);
    CHECK_NOTHROW(reliable(support::greeter{}));
}

TEST_CASE("reliable_options: each wait is twice the last, and never where ticks cannot count it") {
    static_assert(reliable_options{}.wait(0) == 16 && reliable_options{}.wait(3) == 128);
    static_assert(reliable_options{}.wait(6) == 1024 && reliable_options{}.wait(99) == 1024);
    static_assert(reliable_options{.resend_after = 1, .retries = 63}.wait(63) == never / 2 + 1);
    static_assert(reliable_options{.resend_after = 2, .retries = 63}.wait(63) == never);
    static_assert(reliable_options{.resend_after = 1, .retries = 99}.wait(64) == never);
}

TEST_CASE("reliable: a release before anything else goes out as any message does") {
    reliable self{leaver{}};
    archetype::environment<decltype(self)> env;
    env.ports = 2;
    CHECK(self.release(env) == answer::accepted);
    REQUIRE(env.outbox.size() == 1);
    CHECK(env.armed.size() == 1);
}

TEST_CASE("reliable: a conversation, by hand") {
    const auto data_in = [](const auto& letter) {
        return std::get<node_type::data>(letter.message);
    };
    const auto ack_in = [](const auto& letter) {
        return std::get<node_type::acknowledgement>(letter.message);
    };
    desk<> a_env, b_env;
    a_env.ports = b_env.ports = 1;
    node_type a{talker{4}, {.resend_after = 10, .window = 2, .retries = 2}};
    node_type b{talker{}, {.resend_after = 10, .window = 2, .retries = 2}};

    a.start(a_env);   // to whom is not known yet: one is sent, to ask
    REQUIRE(a_env.outbox.size() == 1);
    CHECK_FALSE(data_in(a_env.outbox[0]).to);
    b.on(data_in(a_env.outbox[0]), port{0}, b_env);
    CHECK(b.process().heard.empty());
    REQUIRE(b_env.outbox.size() == 1);
    a.on(ack_in(b_env.outbox[0]), port{0}, a_env);
    REQUIRE(a_env.outbox.size() == 3);   // now the whole window
    CHECK(data_in(a_env.outbox[1]).to == incarnation{0});
    CHECK(data_in(a_env.outbox[2]).number == 1);

    b.on(data_in(a_env.outbox[2]), port{0}, b_env);   // before its turn
    b.on(data_in(a_env.outbox[2]), port{0}, b_env);
    CHECK(b.process().heard.empty());
    CHECK(ack_in(b_env.outbox.back()).awaited == 0);
    b.on(data_in(a_env.outbox[1]), port{0}, b_env);
    CHECK(b.process().heard == std::vector<talker::word>{{0, 0}, {0, 1}});
    b.on(data_in(a_env.outbox[1]), port{0}, b_env);   // repeated
    CHECK(b.process().heard.size() == 2);
    REQUIRE(b_env.outbox.size() == 5);
    CHECK(ack_in(b_env.outbox.back()).awaited == 2);

    REQUIRE(a_env.armed.size() == 1);
    CHECK(a_env.armed[0].delay == 10);
    for (const ticks wait : {20u, 40u, 40u, 40u}) {   // twice as long, twice; then at that pace
        a.on(node_type::resend{port{0}}, a_env);
        CHECK(a_env.armed[0].delay == wait);
        CHECK(data_in(a_env.outbox.back()).number == 0);
        if (wait == 20) CHECK(a_env.heard.empty());
    }
    REQUIRE(a_env.heard.size() == 1);                 // said once
    CHECK(std::get<stalled>(a_env.heard[0]).waiting_for == port{0});

    a.on(ack_in(b_env.outbox[0]), port{0}, a_env);    // an old one is no answer
    CHECK(a_env.armed[0].delay == 40);
    a.on(ack_in(b_env.outbox[4]), port{0}, a_env);    // and goes on where it was
    CHECK(a_env.armed[0].delay == 10);
    CHECK(data_in(a_env.outbox.back()).number == 3);
    CHECK(data_in(a_env.outbox[a_env.outbox.size() - 2]).number == 2);
    const std::size_t sent = a_env.outbox.size();
    a.on(ack_in(b_env.outbox[4]), port{0}, a_env);    // repeated, late, or of another life
    a.on(ack_in(b_env.outbox[0]), port{0}, a_env);
    a.on(node_type::acknowledgement{{0}, {1}, 4}, port{0}, a_env);
    CHECK(a_env.outbox.size() == sent);
    CHECK(a_env.armed.size() == 1);
    b.on(data_in(a_env.outbox[sent - 1]), port{0}, b_env);
    b.on(data_in(a_env.outbox[sent - 2]), port{0}, b_env);
    a.on(ack_in(b_env.outbox.back()), port{0}, a_env);
    CHECK(b.process().heard.size() == 4);
    CHECK(a_env.armed.empty());
}

TEST_CASE("reliable: lives, by hand") {
    desk<> env;
    env.ports = 1;
    node_type a{talker{2}, {.window = 4}};
    a.on(recovered<talker::kept>{{3}, std::nullopt}, env);
    CHECK(a.process().life == 3);
    const auto hear = [&](incarnation from, std::optional<incarnation> to, std::uint64_t number) {
        a.on(node_type::data{from, to, number, {from.number, static_cast<int>(number)}}, port{0},
             env);
        return std::get<node_type::acknowledgement>(env.outbox.back().message);
    };
    CHECK(hear({5}, incarnation{2}, 0).from == incarnation{3});   // for its last life: not taken
    CHECK(a.process().heard.empty());
    CHECK(env.outbox.size() == 4);   // the question, then both to life 5, and the answer
    hear({5}, incarnation{3}, 0);
    hear({5}, incarnation{3}, 2);
    CHECK(a.process().heard.size() == 1);
    hear({6}, std::nullopt, 0);      // a new life: the word before its turn and ours are gone
    CHECK(env.armed.empty());
    const auto ack = hear({6}, incarnation{3}, 0);
    CHECK(ack.awaited == 1);
    CHECK(ack.to == incarnation{6});
    hear({6}, incarnation{3}, 1);
    CHECK(a.process().heard == std::vector<talker::word>{{5, 0}, {6, 0}, {6, 1}});
    const std::size_t sent = env.outbox.size();
    hear({5}, incarnation{3}, 1);    // from the dead
    a.on(node_type::acknowledgement{{5}, {3}, 2}, port{0}, env);
    CHECK(a.process().heard.size() == 3);
    CHECK(env.outbox.size() == sent);
}

TEST_CASE("reliable: a life used twice is told at both ends, by hand") {
    struct pair {
        desk<> a_env, b_env;
        node_type a{talker{2}}, b{talker{1}};
        std::size_t a_read = 0, b_read = 0;

        void talk() {   // until nobody has anything to say
            while (a_read < a_env.outbox.size() || b_read < b_env.outbox.size()) {
                if (a_read < a_env.outbox.size())
                    dispatch(b, node_type::message{a_env.outbox[a_read++].message}, port{0}, b_env);
                if (b_read < b_env.outbox.size())
                    dispatch(a, node_type::message{b_env.outbox[b_read++].message}, port{0}, a_env);
            }
        }
    };
    const auto reused = [](const desk<>& d) {
        std::vector<std::optional<port>> whose;
        for (const auto& each : d.heard)
            if (const auto* r = std::get_if<reused_life>(&each)) whose.push_back(r->whose);
        return whose;
    };
    const auto reborn = [](incarnation life, std::size_t times) {
        pair p;
        p.a_env.ports = p.b_env.ports = 1;
        p.a.start(p.a_env);
        p.b.start(p.b_env);
        p.talk();
        CHECK(p.a.process().heard.size() == 1);
        p.b = node_type{talker{1}};
        p.b_env.outbox.clear();
        p.b_read = 0;
        for (; times != 0; --times) {
            if (life == incarnation{}) p.b.start(p.b_env);
            else p.b.on(recovered<talker::kept>{life, std::nullopt}, p.b_env);
            p.talk();
        }
        return p;
    };
    const pair wrong = reborn({0}, 1);
    CHECK(wrong.a.process().heard.size() == 1);   // what it said was taken for a repetition
    CHECK(reused(wrong.a_env) == std::vector<std::optional<port>>{port{0}});
    CHECK(reused(wrong.b_env) == std::vector<std::optional<port>>{std::nullopt});
    const pair often = reborn({0}, 3);            // told once
    CHECK(reused(often.a_env).size() == 1);
    CHECK(reused(often.b_env).size() == 1);
    const pair right = reborn({1}, 1);
    CHECK(right.a.process().heard.size() == 2);
    CHECK(reused(right.a_env).empty());
    CHECK(reused(right.b_env).empty());
}

TEST_CASE("reliable: acknowledgements for what was not sent settle nothing, whatever they say") {
    desk<> env;
    env.ports = 1;
    node_type a{talker{2}, {.window = 1}};
    a.start(env);
    a.on(node_type::acknowledgement{{0}, {0}, 0}, port{0}, env);
    const std::size_t sent = env.outbox.size();
    for (const std::uint64_t awaited : {std::uint64_t{2}, std::uint64_t{3}, ~std::uint64_t{0}}) {
        a.on(node_type::acknowledgement{{0}, {0}, awaited}, port{0}, env);
        CHECK(std::holds_alternative<node_type::used_before>(env.outbox.back().message));
    }
    CHECK(env.outbox.size() == sent + 3);   // and no further data: the first one still counts
    CHECK(env.heard.size() == 1);
    a.on(node_type::used_before{{0}, {1}}, port{0}, env);   // to another life, of another life
    a.on(node_type::used_before{{1}, {0}}, port{0}, env);
    a.on(node_type::acknowledgement{{0}, {0}, 1}, port{0}, env);
    CHECK(env.heard.size() == 1);
    CHECK(std::get<node_type::data>(env.outbox.back().message).number == 1);
}

// Safety and liveness.

TEST_CASE("reliable: lost, repeated and reordered, everything arrives in order and once") {
    struct instance {
        std::vector<int> words;
        reliable_options options;
        fault_budget faults;
    };
    const std::vector<instance> instances{
        {{3, 0}, {.window = 1}, {.losses = 2, .duplicates = 1}},
        {{3, 0}, {.window = 2}, {.losses = 2, .duplicates = 1}},
        {{3, 0}, {.window = 3}, {.losses = 1, .duplicates = 2}},
        {{1, 1}, {.window = 2}, {.losses = 2, .duplicates = 1}},
        {{2, 1}, {.window = 2, .retries = 0}, {.losses = 1, .duplicates = 1}}};
    for (const auto& [words, options, faults] : instances) {
        const verdict v = explore(complete{2}, talkers(words, options),
                                  {.properties = {always(fifo_everywhere), finally(all_said(words)),
                                                  sometimes(all_said(words))},
                                   .faults = faults,
                                   .fifo = false});
        CHECK_MESSAGE(v.verified(), v.counterexample.text(), v.limit);
    }
}

TEST_CASE("reliable: timers that run out at any time only cost messages") {
    for (const unsigned window : {1u, 2u}) {
        const std::vector<int> words{2, 0};
        const verdict v =
            explore(complete{2}, weary_talkers(words, {.window = window}, 2),
                    {.properties = {always(fifo_everywhere), sometimes(all_said(words))},
                     .faults = {.losses = 1, .duplicates = 1},
                     .fifo = false,
                     .timers = timers::any_time});
        CHECK_MESSAGE(v.verified(), v.counterexample.text(), v.limit);
    }
}

namespace {

/// Crashes of either node, and its next life: safety always, and liveness for those whose neighbour
/// lives on and whose timers are not used up.
void check_lives(std::vector<int> words, unsigned expiries, fault_budget faults) {
    const auto new_life_is_heard = [](const auto& g) {
        for (std::size_t v = 0; v < 2; ++v) {
            if (!g.alive(0) || !g.alive(1) || g[1 - v].process().life != 0) continue;
            const talker& t = g[v].process();
            if (g[v].left == 0 || t.words == 0) continue;
            const auto& last = g[1 - v].process().heard;
            if (last.empty() || !(last.back() == talker::word{t.life, t.words - 1})) return false;
        }
        return true;
    };
    const auto second_life_hears = [](const auto& g) {
        return g.alive(0) && g[0].process().life != 0 && !g[0].process().heard.empty();
    };
    const verdict v =
        explore(complete{2}, weary_talkers(words, {.window = 2}, expiries),
                {.properties = {always(fifo_everywhere), finally(new_life_is_heard),
                                sometimes(second_life_hears)},
                 .faults = faults,
                 .fifo = false});
    CHECK_MESSAGE(v.verified(), v.counterexample.text(), v.limit);
}

}  // namespace

TEST_CASE("reliable: no life hears what was said to another, and a new life is heard") {
    check_lives({0, 2}, 2, {.crashes = 1, .restarts = 1, .duplicates = 1});
    check_lives({1, 1}, 1, {.crashes = 1, .restarts = 1, .duplicates = 1});
    check_lives({1, 1}, 2, {.crashes = 1, .amnesias = 1, .losses = 1});
}
TEST_CASE("nightly: reliable: lives, longer conversations" * doctest::skip()) {
    check_lives({1, 2}, 2, {.crashes = 1, .restarts = 1, .duplicates = 1});
    check_lives({1, 2}, 2, {.crashes = 1, .amnesias = 1, .losses = 1});
    check_lives({1, 1}, 1, {.crashes = 2, .restarts = 2, .duplicates = 1});
}

namespace {

void check_elects(auto topology, auto make, fault_budget faults) {
    const verdict v = explore(topology, make,
                              {.properties = {always(at_most_one_leader), always(the_best_leads),
                                              finally(all_agree), sometimes(someone_leads)},
                               .faults = faults,
                               .fifo = false,
                               .count_messages = false});
    CHECK_MESSAGE(v.verified(), v.counterexample.text(), v.limit);
}
const auto franklin_candidate = [](node v) {
    return reliable{franklin{static_cast<int>(v)}, {.window = 2}};
};
const auto extinction_wave = [](node v) {
    return reliable{extinction{static_cast<int>(v)}, {.window = 1}};
};
const auto ghs_fragment = [](node v) {
    return reliable{ghs{static_cast<int>(v), std::vector{1 - static_cast<int>(v)}}};
};

}  // namespace

TEST_CASE("reliable: elections that need perfect links succeed over links that are not") {
    check_elects(two_way_ring{1}, franklin_candidate, {.losses = 1, .duplicates = 1});
    check_elects(complete{2}, extinction_wave, {.losses = 1, .duplicates = 1});
    check_elects(complete{2}, ghs_fragment, {});
}
TEST_CASE("nightly: reliable: minimum spanning trees over links that lose" * doctest::skip()) {
    check_elects(complete{2}, ghs_fragment, {.losses = 1, .duplicates = 1});
}

TEST_CASE("reliable: what breaks without it") {
    const auto breaks = [](auto topology, auto make, fault_budget faults, bool fifo) {
        const verdict v = explore(topology, make,
                                  {.properties = {finally(all_agree)}, .faults = faults,
                                   .fifo = fifo, .outside_model = true});
        CHECK_FALSE(v.holds);
    };
    const auto candidate = [](node v) { return franklin{static_cast<int>(v)}; };
    breaks(two_way_ring{2}, candidate, {.losses = 1}, true);
    const auto wave = [](node v) { return extinction{static_cast<int>(v)}; };
    breaks(complete{2}, wave, {.losses = 1}, true);
}

TEST_CASE("reliable: half of all messages lost, as many repeated, any delay and order") {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const std::vector<int> ids = support::shuffled(6, seed);
        const auto runs = [&](auto topology, auto make) {
            for (const delay_model& delay : support::every_delay()) {
                events net{topology,
                           [&](node v) { return badly_sent{reliable{make(ids[v])}, 2}; },
                           {.seed = seed, .delay = delay, .fifo = false}};
                net.start(seed % 6);
                net.start((seed + 2) % 6);
                CHECK(net.run().stopped == stop::quiescent);
                REQUIRE(net[0].leader());
                for (std::size_t v = 1; v < 6; ++v) CHECK(net[v].leader() == net[0].leader());
                for (const auto& each : net.outcomes())
                    CHECK_FALSE(std::holds_alternative<reused_life>(each.outcome));
            }
        };
        runs(two_way_ring{6}, [](int id) { return franklin{id}; });
        runs(star{6}, [](int id) { return extinction{id}; });
    }
}

// Cost.

TEST_CASE("reliable: one acknowledgement for each data, one data a message, one more to meet") {
    for (const std::size_t n : {1u, 2u, 5u, 16u}) {
        const std::vector<int> ids = support::shuffled(n, n);
        rounds bare{two_way_ring{n}, [&](node v) { return franklin{ids[v]}; }};
        events net{two_way_ring{n}, [&](node v) { return reliable{franklin{ids[v]}}; },
                   {.delay = unit{}, .fifo = false}};
        bare.start_all();
        net.start_all();
        const report without = bare.run();
        const report with = net.run();
        CHECK(with.by_kind("data") == without.messages + 2 * n);   // all meet at once
        CHECK(with.by_kind("acknowledgement") == with.by_kind("data"));
    }
    // Who has heard of its neighbour need not ask: of two, only the one that speaks first.
    events net{complete{2}, talkers({3, 0}, {})};
    net.start(0);
    const report r = net.run();
    CHECK(r.by_kind("data") == 4);
    CHECK(r.by_kind("acknowledgement") == 4);
}

// Outside the model.

TEST_CASE("reliable: stalled while the neighbour is dead, once; on it goes with the next life") {
    events net{complete{2}, talkers({1, 0}, {.resend_after = 20, .retries = 2}),
               {.faults = fault_plan{}.crash(1, 0).restart(1, 1000)}};
    net.start(0);
    net.run_for(900);
    REQUIRE(net.outcomes().size() == 1);
    CHECK(net.outcomes()[0].at == 20 + 40 + 80);
    CHECK(net.outcomes()[0].node == node{0});
    CHECK(net.run().stopped == stop::quiescent);
    CHECK(net.outcomes().size() == 1);
    CHECK(net[1].process().heard.size() == 1);   // sent to nobody yet, so not to the dead
}

TEST_CASE("reliable: lives that rise are never taken for reused ones, whatever the links do") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        fault_plan plan;
        plan.links({.loss = 0.2, .duplication = 0.3, .reordering = 0.3, .late_max = 200});
        for (ticks at = 100; at < 1000; at += 100)
            plan.crash((at / 100 + seed) % 2, at).restart((at / 100 + seed) % 2, at + 50);
        events net{complete{2}, talkers({3, 2}, {.resend_after = 20, .retries = 2}),
                   {.seed = seed, .fifo = false, .faults = plan}};
        net.start_all();
        net.run({.max_rounds = 10'000});
        for (const auto& each : net.outcomes())
            CHECK_FALSE(std::holds_alternative<reused_life>(each.outcome));
    }
}

TEST_CASE("reliable: in place, what does not fit is said") {
    using tight = reliable<talker, inplace_storage<2>>;
    desk<tight> env;
    env.ports = 1;
    tight a{talker{3}, {.window = 2}};
    a.start(env);
    REQUIRE(env.heard.size() == 1);
    CHECK(std::get<overflow>(env.heard[0]).needed == 3);
    desk<tight> wide;
    wide.ports = 3;
    tight b{talker{1}, {.window = 2}};
    b.start(wide);
    b.on(tight::data{}, port{1}, wide);
    b.on(tight::acknowledgement{}, port{1}, wide);
    b.on(recovered<talker::kept>{{1}, std::nullopt}, wide);
    CHECK(wide.outbox.empty());
    CHECK(wide.heard.size() == 4);
}
