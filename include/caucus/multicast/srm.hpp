// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/identity.hpp>
#include <caucus/core/input.hpp>
#include <caucus/core/model.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/policy.hpp>
#include <caucus/core/process.hpp>
#include <caucus/multicast/outcomes.hpp>
#include <caucus/multicast/srm/distances.hpp>
#include <caucus/multicast/srm/options.hpp>
#include <caucus/multicast/srm/window.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <variant>

namespace caucus {

/// Whoever misses a packet asks all, after a random time that grows with the distance to its
/// source; whoever has it sends it to all, after one that grows with the distance to who asks.
/// Nobody asks or sends again what somebody else just has.
///
/// Model     complete network, unique ids; members need not know each other; links lose, repeat
///           and reorder. A multicast is a message to each neighbour
/// Safety    what was sent is delivered once, and nothing else, in any order
/// Liveness  while any live member still has a message, all that live are delivered it, unless so
///           many rounds of requests or their repairs are lost, or newer messages of that source
///           push it out of the window first; both are told as missed. Each round waits twice as
///           long: settled_after(d) says how long that takes at most, d from the source. That the
///           last message of a source is lost, a session message tells
/// Cost      n-1 a broadcast, request, repair, and session message. Requests for one loss: on a
///           star where all but the source lose it 1+(n-1)/c2-c2^-(n-1) on average, if the repair
///           comes before the second round: d1+d2 <= 2c1-2; on a chain with c1 = d1 = 1 and
///           c2 = d2 = 0 one, and one repair; two next to the source. Repairs reach those who lost
///           nothing, too
/// Faults    any number of crashes: any member repairs. Who comes late, or back, is delivered what
///           others still keep, and told of the rest as missed; it sends under its new incarnation.
///           One used twice: reused_life, where numbers show it. Of more sources than there is room
///           for, former lives are forgotten first. A forged number makes true ones look old
/// Source    Floyd, Jacobson, Liu, McCanne & Zhang, IEEE/ACM ToN 5(6), 1997
///
/// One timer for each packet: of its request, then of its repair, then of the time in which nobody
/// repairs it again (three times the distance to its source). Every member keeps a window of the
/// last packets of each source; what falls out of it is dropped.
///
/// `Payload` what is sent. `Id` any identity; the default int.
/// distances measured_distances or given_distances. Default measured_distances, as in the paper;
///           it reads a clock, and so cannot be explored.
/// sessions  endless_sessions or sessions_after_news{count}. Default endless_sessions: however many
///           session messages are lost, that of a lost last message comes in the end.
/// storage   heap_storage, or inplace_storage<N>: at most N members, and N packets of each.
template <class Payload, class Id = int, class... Policies>
class srm {
    static_assert(detail::ids_can_elect<Id>());
    static_assert(roles<distances, sessions, storage>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using distances_type = policy<distances, measured_distances, Policies...>;
    using sessions_type = policy<sessions, endless_sessions, Policies...>;
    using store = policy<storage, heap_storage, Policies...>;
    using distance_table = typename distances_type::template table<Id, store>;
    using stage = detail::packet_stage;
    using window = detail::packet_window<Id, Payload, store>;
    using packet = typename window::packet;

public:
    /// What a packet is called, whoever repeats it.
    struct packet_name {
        Id source{};
        incarnation life{};
        std::uint64_t number = 0;
    };
    struct data {
        packet_name what;
        Payload payload;
        static constexpr auto fields(auto& m) { return std::tie(m.what, m.payload); }
    };
    struct repair_request { packet_name what; Id asker; };
    struct repair {
        packet_name what;
        Id by;
        Payload payload;
        static constexpr auto fields(auto& m) { return std::tie(m.what, m.by, m.payload); }
    };
    /// How many packets of a source there are, as far as the sender knows.
    struct state { Id source{}; incarnation life{}; std::uint64_t end = 0; };
    struct session {
        Id from{};
        typename distance_table::stamps stamps{};
        typename store::template sequence<state> states{};
        static constexpr auto fields(auto& m) { return std::tie(m.from, m.stamps, m.states); }
    };
    using message = std::variant<data, repair_request, repair, session>;
    struct packet_due { std::size_t source; std::uint64_t number; };
    struct session_due {};
    using timer = std::variant<packet_due, session_due>;
    using outcome = std::variant<missed<Id>, delivered<Id, Payload>, reused_life, overflow>;
    using payload = Payload;
    using requests = std::variant<request::start, request::broadcast<Payload>>;
    template <class Other>
    using with_payload = srm<Other, Id, Policies...>;
    using storage_type = typename detail::room_for_packets<store>::type;

    static constexpr ordering delivers = ordering::any;
    static constexpr model assumes = {shape::complete, guarantee::none};
    static constexpr bool tosses_coins = true;
    static constexpr bool reads_clock = distances_type::reads_clock;
    static constexpr bool perpetual = sessions_type::perpetual;
    constexpr std::size_t timers(std::size_t) const {
        return options_.members * options_.window + 1;
    }
    /// Of that many members: also a request, a repair, a session message.
    static constexpr cost per_broadcast(std::size_t members) {
        return {members - 1, members - 1, static_cast<double>(members - 1)};
    }
    /// How long a member asks for a packet that it misses, at most, if the distance to its source
    /// is never above d: by then it has the packet, or has told that it is missed.
    constexpr ticks settled_after(ticks d) const {
        ticks sum = 0;
        for (unsigned r = 0; r <= options_.rounds; ++r) {
            const ticks far = detail::bounded_distance(d) << doublings_of(r);
            const ticks wait = times(options_.c1, far) + times(options_.c2, far);
            sum = after(sum, wait < 2 ? 2 : wait);   // two halves, each at least 1
        }
        return sum;
    }
    /// How many members ask on average, where all are equally far from each other, all but the
    /// source miss a packet, and find out at the same time; c2 at least 1.
    static constexpr double mean_requests(std::size_t members, double c2) {
        const double askers = static_cast<double>(members - 1);
        double late = 1;
        for (std::size_t i = 1; i < members; ++i) late /= c2;
        return 1 + askers / c2 - late;
    }

    template <class... Given>
        requires(... && detail::fits_one_of<Given, Policies...>)
    constexpr explicit srm(Id self, srm_options options = {}, Given... policies)
        : self_(self), options_(options.checked()),
          sessions_(pick<sessions, sessions_type>(policies...)),
          distances_(pick<distances, distances_type>(policies...), options.members) {
        if (!store::holds(options.members) || !store::holds(options.window))
            refuse("srm: ", options.members, " members with ", options.window,
                   " packets each are too many to store");
        become_new();
    }
    /// The same, with all options left out.
    template <detail::fits_one_of<Policies...> First, detail::fits_one_of<Policies...>... Rest>
    constexpr explicit srm(Id self, First first, Rest... rest)
        : srm(self, srm_options{}, first, rest...) {}

    /// Another payload, the same group; nothing has happened there yet.
    template <class Other>
        requires(!std::is_same_v<Other, Payload>)
    constexpr explicit srm(const srm<Other, Id, Policies...>& like)
        : self_(like.self_), options_(like.options_), sessions_(like.sessions_),
          distances_(like.distances_) {
        become_new();
    }

    constexpr void start(environment_for<srm> auto& env) { wake(env); }
    constexpr answer broadcast(const Payload& p, environment_for<srm> auto& env) {
        wake(env);
        const packet_name name{self_, life_, sources_[own].end()};
        learn(own, name.number + 1, name.number, env);
        take(own, name.number, p, env);
        env.broadcast(message{data{name, p}});
        return answer::accepted;
    }
    constexpr void on(const recovered<>& r, environment_for<srm> auto& env) {
        life_ = r.incarnation;
        become_new();
        wake(env);
    }

    constexpr void on(const data& m, port, environment_for<srm> auto& env) {
        wake(env);
        const std::size_t s = source_of(m.what, env);
        if (s == nobody) return;
        learn(s, m.what.number + 1, m.what.number, env);
        take(s, m.what.number, m.payload, env);
    }
    constexpr void on(const repair& m, port, environment_for<srm> auto& env) {
        wake(env);
        const std::size_t s = source_of(m.what, env);
        if (s == nobody) return;
        learn(s, m.what.number + 1, m.what.number, env);
        take(s, m.what.number, m.payload, env);
        hold(s, m.what.number, hold_time(s, m.by), env);
    }
    constexpr void on(const repair_request& m, port, environment_for<srm> auto& env) {
        wake(env);
        const std::size_t s = source_of(m.what, env);
        if (s == nobody) return;
        learn(s, m.what.number + 1, m.what.number, env);
        if (!sources_[s].covers(m.what.number)) return;   // nobody has it who knows as much
        packet& p = sources_[s][m.what.number];
        if (p.at == stage::missing && p.rounds != options_.rounds)
            return back_off(s, m.what.number, env);
        if (p.at != stage::held) return;   // of a round that is over, or is being answered
        p.then = hold_time(s, m.asker);
        become(stage::to_repair, s, m.what.number, repair_delay(m.asker, env), env);
    }
    constexpr void on(const session& m, port, environment_for<srm> auto& env) {
        wake(env);
        if (m.from == self_) return;
        distances_.hear(m.from, m.stamps, self_, env);
        for (const state& each : m.states) {
            if (each.end == 0) continue;
            const std::size_t s = source_of({each.source, each.life, each.end - 1}, env);
            if (s != nobody) learn(s, each.end, each.end, env);
        }
    }

    constexpr void on(packet_due t, environment_for<srm> auto& env) {
        if (t.source >= sources_.size() || !sources_[t.source].covers(t.number)) return;
        packet& p = sources_[t.source][t.number];
        switch (p.at) {
            case stage::missing:
                if (p.rounds == options_.rounds) return give_up(t, env);
                env.broadcast(message{repair_request{name_of(t), self_}});
                return back_off(t.source, t.number, env);
            case stage::backing_off:
                return become(stage::missing, t.source, t.number, p.then, env);
            case stage::to_repair:
                env.broadcast(message{repair{name_of(t), self_, *p.content}});
                return hold(t.source, t.number, p.then, env);
            case stage::repaired: p.at = stage::held; return;
            case stage::held:
            case stage::given_up: return;
        }
    }
    constexpr void on(session_due, environment_for<srm> auto& env) {
        env.broadcast(message{spoken(env)});
        if constexpr (!perpetual)
            if (--sessions_left_ == 0) return;
        env.arm(timer{session_due{}}, options_.interval);
    }

    constexpr const Id& id() const { return self_; }
    constexpr incarnation life() const { return life_; }
    /// Of how many packets it knows that it misses them, and asks for them.
    constexpr std::size_t missing() const {
        return count([](const packet& p) { return p.is_missing(); });
    }
    /// How many packets it keeps, to repair them.
    constexpr std::size_t kept() const {
        return count([](const packet& p) { return p.content.has_value(); });
    }
    /// How many sources it knows, each life of theirs for one.
    constexpr std::size_t sources() const { return sources_.size(); }
    constexpr ticks distance_to(const Id& whom) const { return distances_.to(whom); }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.life_, self.is_awake_, self.sources_, self.distances_,
                        self.sessions_left_, self.is_full_, self.is_reused_);
    }

private:
    template <class, class, class...>
    friend class srm;
    static constexpr std::size_t own = 0;
    static constexpr std::size_t nobody = ~std::size_t{0};

    constexpr std::size_t count(auto fits) const {
        std::size_t found = 0;
        for (const window& w : sources_)
            for (std::uint64_t n = w.first(); n < w.end(); ++n) found += fits(w[n]);
        return found;
    }
    constexpr packet_name name_of(packet_due t) const {
        return {sources_[t.source].source(), sources_[t.source].life(), t.number};
    }

    constexpr void become_new() {
        sources_.clear();
        sources_.push_back(window{self_, life_, options_.window});
        distances_.forget();
        sessions_left_ = 0;
        is_awake_ = is_full_ = is_reused_ = false;
    }
    /// Whatever comes first begins the sessions.
    constexpr void wake(auto& env) {
        if (is_awake_) return;
        is_awake_ = true;
        if constexpr (perpetual) env.arm(timer{session_due{}}, options_.interval);
    }
    constexpr void note_news(auto& env) {
        if constexpr (!perpetual) {
            if (sessions_left_ == 0 && sessions_.count != 0)
                env.arm(timer{session_due{}}, options_.interval);
            sessions_left_ = sessions_.count;
        }
    }
    constexpr session spoken(auto& env) const {
        session said{self_, distances_.stamped(env), {}};
        for (const window& w : sources_)
            if (w.end() != 0) said.states.push_back(state{w.source(), w.life(), w.end()});
        return said;
    }

    // Who sends

    constexpr std::size_t source_of(const packet_name& name, auto& env) {
        if (name.number >= detail::numbers_max) return nobody;   // nobody ever gets so far
        for (std::size_t s = 0; s < sources_.size(); ++s)
            if (sources_[s].source() == name.source && sources_[s].life() == name.life)
                return s == own && is_unsent(name.number, env) ? nobody : s;
        return new_source(window{name.source, name.life, options_.window}, env);
    }
    /// What this life has not sent an earlier one has, which had the same number.
    constexpr bool is_unsent(std::uint64_t number, auto& env) {
        if (number < sources_[own].end()) return false;
        if (!is_reused_) env.report(outcome{reused_life{}});
        is_reused_ = true;
        return true;
    }
    constexpr std::size_t new_source(const window& fresh, auto& env) {
        if (sources_.size() < options_.members) {
            sources_.push_back(fresh);
            return sources_.size() - 1;
        }
        // It may have been forgotten: whatever it sent would be delivered once more.
        if (is_over(fresh, fresh)) return nobody;
        for (std::size_t s = own + 1; s < sources_.size(); ++s) {
            if (!is_over(sources_[s], fresh)) continue;
            drop_before(s, sources_[s].end(), env);
            sources_[s] = fresh;
            return s;
        }
        if (!is_full_) env.report(outcome{overflow{options_.members + 1}});
        is_full_ = true;
        return nobody;
    }
    /// Has that source a later life?
    constexpr bool is_over(const window& w, const window& fresh) const {
        const auto follows = [&](const window& other) {
            return other.source() == w.source() && w.life() < other.life();
        };
        for (const window& other : sources_)
            if (follows(other)) return true;
        return follows(fresh);
    }

    // What is missing

    /// There are packets up to that end: asks for those of which it did not know, unless they are
    /// at hand, from that number on.
    constexpr void learn(std::size_t s, std::uint64_t end, std::uint64_t at_hand, auto& env) {
        const std::uint64_t known = sources_[s].end();
        if (end <= known) return;
        const std::uint64_t first = sources_[s].first_before(end);
        drop_before(s, first, env);
        sources_[s].advance_to(end);
        for (std::uint64_t n = known < first ? first : known; n < at_hand; ++n)
            become(stage::missing, s, n, request_delay(s, 0, env), env);
        note_news(env);
    }
    /// What it still misses of those before it will never have.
    constexpr void drop_before(std::size_t s, std::uint64_t first, auto& env) {
        const window& w = sources_[s];
        std::uint64_t lost = w.end() < first ? first - w.end() : 0;
        for (std::uint64_t n = w.first(); n < w.end() && n < first; ++n) {
            lost += w[n].is_missing();
            if (w[n].is_timed()) env.disarm(timer{packet_due{s, n}});
        }
        if (lost != 0) env.report(outcome{missed<Id>{w.source(), lost}});
    }
    constexpr void take(std::size_t s, std::uint64_t number, const Payload& content, auto& env) {
        if (!sources_[s].covers(number) || !sources_[s][number].is_missing()) return;
        packet& p = sources_[s][number];
        p.content.emplace(content);
        p.at = stage::held;
        env.disarm(timer{packet_due{s, number}});
        env.report(outcome{delivered<Id, Payload>{sources_[s].source(), content}});
    }

    // Timers

    constexpr void become(stage later, std::size_t s, std::uint64_t number, ticks delay,
                          auto& env) {
        sources_[s][number].at = later;
        env.arm(timer{packet_due{s, number}}, delay);
    }
    /// Another round of requests is over, its own or somebody else's. In the first half of the next
    /// wait it ignores requests: they belong to that round, and each would double the wait again.
    constexpr void back_off(std::size_t s, std::uint64_t number, auto& env) {
        packet& p = sources_[s][number];
        const ticks delay = request_delay(s, ++p.rounds, env);
        p.then = delay - delay / 2;
        become(stage::backing_off, s, number, delay / 2, env);
    }
    constexpr void give_up(packet_due t, auto& env) {
        sources_[t.source][t.number].at = stage::given_up;
        env.report(outcome{missed<Id>{sources_[t.source].source(), 1}});
    }
    /// Requests that are still under way were sent before the repair came.
    constexpr void hold(std::size_t s, std::uint64_t number, ticks time, auto& env) {
        if (sources_[s].covers(number) && sources_[s][number].content)
            become(stage::repaired, s, number, time, env);
    }

    constexpr ticks request_delay(std::size_t s, unsigned rounds, auto& env) const {
        const ticks d = distances_.to(sources_[s].source()) << doublings_of(rounds);
        return spread_out(d, options_.c1, options_.c2, env);
    }
    constexpr unsigned doublings_of(unsigned rounds) const {
        return rounds < options_.doublings ? rounds : options_.doublings;
    }
    constexpr ticks repair_delay(const Id& asker, auto& env) const {
        const std::size_t group = options_.group != 0 ? options_.group : env.degree() + 1;
        const double usual = detail::log10(static_cast<double>(group));
        return spread_out(distances_.to(asker), options_.d1.value_or(usual),
                          options_.d2.value_or(usual), env);
    }
    /// From the source itself there is no distance: then that of the other one.
    constexpr ticks hold_time(std::size_t s, const Id& other) const {
        return 3 * distances_.to(s == own ? other : sources_[s].source());
    }
    /// Any delay from least·d to (least + width)·d.
    static constexpr ticks spread_out(ticks d, double least, double width, auto& env) {
        const auto more = static_cast<std::size_t>(times(width, d));
        return times(least, d) + (more == 0 ? 0 : env.choose(more + 1));
    }
    static constexpr ticks times(double factor, ticks d) {
        return static_cast<ticks>(factor * static_cast<double>(d));
    }

    Id self_;
    srm_options options_{};
    [[no_unique_address]] sessions_type sessions_{};
    incarnation life_{};
    bool is_awake_ = false;
    typename store::template sequence<window> sources_{};   // itself first
    distance_table distances_;
    unsigned sessions_left_ = 0;
    bool is_full_ = false;     // there was one source too many: that is told once
    bool is_reused_ = false;   // an earlier life had this number: that, too
};

}  // namespace caucus
