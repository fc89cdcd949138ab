// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/layer.hpp>

#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace caucus {

/// How many rounds a synchronizer goes through.
struct unending {
    static constexpr bool perpetual = true;
    static constexpr bool is_last(ticks) { return false; }
};
struct for_rounds {
    static constexpr bool perpetual = false;
    ticks count;
    constexpr bool is_last(ticks round) const { return round == count; }
};

/// Rounds on an asynchronous network: after all that it sends in a round a node sends a mark over
/// every link, and goes on to the next when the marks of all its neighbours have come.
///
/// Model     what P assumes, but asynchronous; reliable links, fifo, no duplicates; no crashes
/// Safety    what happens inside is what would happen on `rounds`, whatever the delays; no node is
///           more than one round ahead of one that it hears from (one way: n-1 of one it does not)
/// Liveness  if any node starts, every node goes through round after round
/// Cost      a mark over every link in either direction and round; a round takes the longest delay
/// Faults    a crashed node or a lost mark stops all
/// Source    Awerbuch, J. ACM 32(4), 1985 (alpha; on fifo links the mark is the acknowledgement)
///
/// Starts make round 0; the first message or mark wakes the others, which join without a start.
/// What happens to a node between two rounds (a late start, a detector's word) belongs to the next.
/// Timers and the time of day count rounds.
///
/// `Ending`  unending, or for_rounds{n}: rounds 0 to n, and no word after. Default unending.
template <class P, class Ending = unending>
class synchronizer : public layer_over<synchronizer<P, Ending>, P> {
    using content = typename P::message;
    using base = layer_over<synchronizer, P>;
    friend base;
    using base::process_;

public:
    struct mark {};
    struct carried {
        content message;
        static constexpr auto fields(auto& self) { return std::tie(self.message); }
    };
    using message = std::variant<mark, carried>;
    using timer = nothing;
    using outcome = typename P::outcome;
    using typename base::kept;
    template <class Env>
    class inside;

    static constexpr bool perpetual = Ending::perpetual;
    static constexpr bool reads_clock = false;   // P gets to hear the round
    static constexpr model assumes = [] {
        model given = assumptions_of<P>();
        given.links = perfect_links;
        given.time = timing::asynchronous;
        return given;
    }();

    constexpr explicit synchronizer(P process, Ending ending = {})
        : base(std::move(process)), ending_(ending) {}

    using base::on;
    constexpr void on(const carried& m, port from, auto& env) {
        join(env);
        inlets_[inlet_of(from)].push_back(entry{m.message});
    }
    constexpr void on(mark, port from, auto& env) {
        join(env);
        inlets_[inlet_of(from)].push_back(entry{});
        go_on(env);
    }

    constexpr bool is_awake() const { return awake_; }
    constexpr ticks round() const { return round_; }

    static constexpr auto fields(auto& self) {
        return std::tie(self.process_, self.awake_, self.round_, self.inlets_, self.alarms_,
                        self.ending_);
    }

private:
    using entry = std::optional<content>;   // nothing: the mark
    struct alarm {
        typename P::timer name;
        ticks at;

        static constexpr auto fields(auto& self) { return std::tie(self.name, self.at); }
    };

    static constexpr bool one_inlet = assumptions_of<P>().topology == shape::one_way_ring;
    static constexpr std::size_t inlet_of(port p) { return one_inlet ? 0 : p.index(); }
    static constexpr port port_of(std::size_t inlet) { return one_inlet ? prev : port{inlet}; }

    constexpr void become_awake(auto& env) {
        awake_ = true;
        inlets_.resize(one_inlet ? 1 : env.degree());
    }
    /// Without the marks of those that did not start, nobody would get beyond round 0.
    constexpr void join(auto& env) {
        if (awake_) return;
        become_awake(env);
        end_round(env);
    }

    constexpr void end_round(auto& env) {
        if (!ending_.is_last(round_)) env.broadcast(message{mark{}});
        go_on(env);
    }
    constexpr void go_on(auto& env) {
        while (may_go_on()) {
            ++round_;
            for (std::size_t i = 0; i < inlets_.size(); ++i) hand_over(i, env);
            expire_alarms(env);
            if (!ending_.is_last(round_)) env.broadcast(message{mark{}});
        }
    }
    constexpr bool may_go_on() const {
        if (ending_.is_last(round_)) return false;
        for (const auto& inlet : inlets_)
            if (!has_mark(inlet)) return false;
        // Without neighbours nothing holds rounds back: only those that a timer waits for pass.
        return inlets_.size() != 0 || (!caucus::perpetual<P> && alarms_.size() != 0);
    }
    static constexpr bool has_mark(const std::vector<entry>& inlet) {
        for (const entry& each : inlet)
            if (!each) return true;
        return false;
    }

    /// What came before the mark; what came behind it is from the next round.
    constexpr void hand_over(std::size_t inlet, auto& env) {
        std::vector<entry> arrived = std::move(inlets_[inlet]);
        inlets_[inlet].clear();
        std::size_t i = 0;
        auto within = inside_of(env);
        for (; arrived[i]; ++i) dispatch(process_, *arrived[i], port_of(inlet), within);
        for (++i; i < arrived.size(); ++i) inlets_[inlet].push_back(arrived[i]);
    }
    constexpr void expire_alarms(auto& env) {
        if constexpr (kinds_of<typename P::timer> != 0) {
            auto within = inside_of(env);
            for (std::size_t i = first_due(); i != alarms_.size(); i = first_due()) {
                const expiry<typename P::timer> due{alarms_[i].name};
                disarm(due.timer);
                dispatch(process_, due, within);
            }
        }
    }
    constexpr std::size_t first_due() const {
        std::size_t i = 0;
        while (i != alarms_.size() && alarms_[i].at != round_) ++i;
        return i;
    }

    /// In order of value, which is the order in which they run out.
    constexpr void arm(const typename P::timer& name, ticks delay) {
        std::vector<alarm> others;
        const alarm fresh{name, after(round_, delay == 0 ? 1 : delay)};
        bool placed = false;
        for (const alarm& each : alarms_) {
            const int order = caucus::compare(each.name, name);
            if (order > 0 && !placed) others.push_back(fresh);
            placed = placed || order > 0;
            if (order != 0) others.push_back(each);
        }
        if (!placed) others.push_back(fresh);
        alarms_.swap(others);
    }
    constexpr void disarm(const typename P::timer& name) {
        std::vector<alarm> others;
        for (const alarm& each : alarms_)
            if (!caucus::same(each.name, name)) others.push_back(each);
        alarms_.swap(others);
    }

    template <class Env>
    constexpr inside<Env> inside_of(Env& env) { return inside<Env>{env, *this}; }

    /// A start, or another request: what wakes a node makes its round 0.
    constexpr void run_inside(auto& env, auto act) {
        if (awake_) return between_rounds(env, act);
        become_awake(env);
        auto within = inside_of(env);
        act(within);
        end_round(env);
    }
    /// A detector's word wakes nobody, unless P sends or waits for something because of it: then it
    /// counts as a start.
    constexpr void heed(const auto& word, auto& env) {
        constexpr bool is_a_new_life = requires { word.incarnation; };
        const auto tell_it = [&](auto& within) { tell(process_, word, within); };
        if (awake_ || is_a_new_life) return between_rounds(env, tell_it);
        auto within = inside_of(env);
        tell_it(within);
        if (!within.has_acted()) return;
        become_awake(env);
        end_round(env);
    }
    /// This node's mark is under way: it acts as if the next round had begun.
    constexpr void between_rounds(auto& env, auto act) {
        join(env);
        auto within = inside_of(env);
        ++round_;
        act(within);
        --round_;
        go_on(env);   // alone, it may wait for something now
    }

    bool awake_ = false;
    ticks round_ = 0;
    std::vector<std::vector<entry>> inlets_{};   // per inlet, in order of arrival
    std::vector<alarm> alarms_{};
    [[no_unique_address]] Ending ending_;
};

/// Timers and the time of day count rounds.
template <class P, class Ending>
template <class Env>
class synchronizer<P, Ending>::inside
    : public inner_environment<inside<Env>, synchronizer, Env> {
public:
    constexpr inside(Env& outer, synchronizer& layer)
        : inner_environment<inside, synchronizer, Env>(outer), layer_(layer) {}
    constexpr void send(port p, const content& m) {
        has_acted_ = true;
        this->outer_.send(p, message{carried{m}});
    }
    constexpr void arm(const typename P::timer& t, ticks delay) {
        has_acted_ = true;
        layer_.arm(t, delay);
    }
    constexpr void disarm(const typename P::timer& t) { layer_.disarm(t); }
    constexpr ticks now() const { return layer_.round_; }
    constexpr bool has_acted() const { return has_acted_; }

private:
    synchronizer& layer_;
    bool has_acted_ = false;
};

template <class P>
synchronizer(P) -> synchronizer<P>;
template <class P, class Ending>
synchronizer(P, Ending) -> synchronizer<P, Ending>;

}  // namespace caucus
