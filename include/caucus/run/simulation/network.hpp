// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/dispatch.hpp>
#include <caucus/core/error.hpp>
#include <caucus/core/process.hpp>
#include <caucus/core/sort.hpp>
#include <caucus/run/report.hpp>
#include <caucus/run/simulation/clock.hpp>
#include <caucus/run/simulation/lots.hpp>
#include <caucus/run/simulation/model_check.hpp>
#include <caucus/run/simulation/port_order.hpp>
#include <caucus/run/simulation/tally.hpp>
#include <caucus/run/simulation/timer_book.hpp>
#include <caucus/topology/topology.hpp>
#include <caucus/trace/observer.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace caucus::simulation {

/// The environment of one node of a simulation.
template <class Network>
class node_environment {
public:
    constexpr node_environment(Network& network, node self) : network_(network), self_(self) {}

    constexpr std::size_t degree() const { return network_.topology().degree(self_); }
    /// One kind of message travels as it is; whatever else converts becomes a message first.
    constexpr void send(port p, const kind_of<typename Network::message> auto& m) {
        network_.send(self_, p, m);
    }
    constexpr void send(port p, const typename Network::message& m) { network_.send(self_, p, m); }
    constexpr void broadcast(const kind_of<typename Network::message> auto& m) {
        for (const port p : ports(degree())) network_.send(self_, p, m);
    }
    constexpr void broadcast(const typename Network::message& m) {
        for (const port p : ports(degree())) network_.send(self_, p, m);
    }
    constexpr void arm(const typename Network::timer& t, ticks delay) {
        network_.arm(self_, t, delay);
    }
    constexpr void disarm(const typename Network::timer& t) { network_.disarm(self_, t); }
    constexpr std::size_t choose(std::size_t k) { return network_.choose(self_, k); }
    constexpr void report(const typename Network::outcome& o) { network_.note(self_, o); }
    constexpr void keep(const typename Network::kept& value) { network_.keep(self_, value); }
    constexpr ticks now() const { return network_.local_time(self_); }

private:
    Network& network_;
    node self_;
};

/// What a function of nodes makes. Simulations are parametrised by the process type, not by the
/// factory: else every lambda would instantiate a simulation of its own.
template <class Make>
struct made_by {
    using type = Make;
};
template <class Make>
    requires std::invocable<Make&, node>
struct made_by<Make> {
    using type = std::remove_cvref_t<std::invoke_result_t<Make&, node>>;
};
template <class Make>
using made_by_t = typename made_by<Make>::type;

/// What `make` makes of each node, to fill a vector: one that cannot grow takes less code. (The tag
/// comes with <vector>; <iterator> has 10,000 lines.)
template <class Make, class P>
struct made_one_by_one {
    using iterator_category = std::forward_iterator_tag;
    using value_type = P;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = P;

    Make* make;
    std::size_t v;

    constexpr P operator*() const { return (*make)(node{v}); }
    constexpr made_one_by_one& operator++() {
        ++v;
        return *this;
    }
    constexpr bool operator==(const made_one_by_one& other) const { return v == other.v; }
};

/// Was that out of order?
constexpr bool put_in_order(std::vector<std::uint64_t>& numbers) {
    std::size_t i = 1;
    while (i < numbers.size() && numbers[i - 1] <= numbers[i]) ++i;
    if (i >= numbers.size()) return false;
    sort_in_place(numbers, [](std::uint64_t a, std::uint64_t b) { return a < b; });
    return true;
}

/// What a simulation knows of its run that depends on neither processes nor messages.
class run_state {
public:
    constexpr ticks now() const { return now_; }

protected:
    constexpr run_state(std::uint64_t seed, std::uint64_t shuffle_seed, bool keeps_outcomes)
        : lots_(seed), order_(shuffle_seed), shuffle_seed_(shuffle_seed),
          keeps_outcomes_(keeps_outcomes) {}

    /// Costs are proven for one election. Another begins when a node starts again, or when any
    /// does after all had come to rest with an outcome. (Without one, it may be a late starter.)
    /// And, in events, when anything follows from a restart or a detector's word.
    constexpr void note_start(std::size_t v, std::size_t nodes) {
        ++initiators_;
        if (started_.empty()) started_.resize(nodes / 64 + 1, 0);
        const std::uint64_t bit = std::uint64_t{1} << v % 64;
        if (decided_ || (started_[v / 64] & bit) != 0) began_again_ = true;
        started_[v / 64] |= bit;
    }

    /// May the run go on to the tick `at`? If not, why.
    constexpr bool may_go_to(ticks at, bool outlasts_time, std::uint64_t messages,
                             std::uint64_t busy_ticks, const limits& limit, stop& why) {
        why = at == never && !outlasts_time ? stop::quiescent : stop::limit;
        if (at == never || messages >= limit.max_messages) return false;
        if (busy_ticks == limit.max_busy_ticks) return false;
        if (at > limit.end()) {
            if (now_ < limit.end()) now_ = limit.end();
            return false;
        }
        now_ = at;
        return true;
    }

    constexpr void fill(report& r, stop why, std::uint64_t in_flight, std::size_t nodes) const {
        r.rounds = active_at_;
        r.stopped = why;
        r.seed = lots_.seed();
        r.in_flight_most = in_flight > in_flight_most_ ? in_flight : in_flight_most_;
        r.outcomes = outcome_count_;
        r.lost = lost_;
        r.doubled = doubled_;
        r.late = late_;
        r.size.nodes = nodes;
        r.size.initiators = initiators_ < nodes ? initiators_ : nodes;
    }

    lots lots_;
    port_order order_;
    std::uint64_t shuffle_seed_;
    ticks now_ = 0;
    ticks active_at_ = 0;
    std::uint64_t in_flight_most_ = 0;
    std::uint64_t lost_ = 0;
    std::uint64_t doubled_ = 0;
    std::uint64_t late_ = 0;
    bool began_again_ = false;   // more than one election
    bool decided_ = false;       // some run has come to rest, with an outcome
    bool keeps_outcomes_;
    std::uint64_t outcome_count_ = 0;
    std::size_t sorted_ = 0;
    std::size_t initiators_ = 0;
    std::uint64_t entries_asked_ = 0;
    std::uint64_t armed_ = 0;
    std::vector<std::uint64_t> started_;   // a bit per node, where a cost is proven
};

/// What the simulations have in common: the processes, their environment, clock, dice and counters.
/// `Self` adds how messages travel: post(from, port, message), in_flight(), upcoming(), tick();
/// and, asked when nothing is upcoming, outlasts_time(): is anything due at `never`?
template <class Self, class Topology, class P, class Observer>
class network : public run_state {
public:
    using process_type = P;
    static_assert(needs_a_topology__see_the_concept<Topology>, "needs_a_topology__see_the_concept");
    static_assert(needs_a_process__see_the_concept<process_type>,
                  "needs_a_process__see_the_concept");
    static_assert(the_topology_fits<process_type, Topology>());
    using message = typename process_type::message;
    using timer = typename process_type::timer;
    using outcome = typename process_type::outcome;
    using kept = kept_by<process_type>;
    using environment = node_environment<Self>;

    constexpr const Topology& topology() const { return topology_; }
    constexpr std::size_t nodes() const { return processes_.size(); }

    /// The process of node v, to look at.
    constexpr const process_type& operator[](std::size_t v) const {
        check_node(v);
        return processes_[v];
    }

    /// Everything reported so far, in order of time, then node; nothing without `keep_outcomes`.
    constexpr const std::vector<reported<outcome>>& outcomes() const { return outcomes_; }
    constexpr Observer& watcher() { return observer_; }

    /// A request to node v, and its answer. What is no request of the library's and is not listed
    /// by the process returns what the process does.
    template <class Request>
    constexpr decltype(auto) call(std::size_t v, const Request& request) {
        check_node(v);
        const after_request<std::is_same_v<Request, request::start>> guard{*this, v, effects()};
        if constexpr (request_to<Request, process_type>) {
            const answer said = handle(node{v}, request);
            if (said != answer::accepted) note_refusal(node{v}, request, said);
            else if (std::is_same_v<Request, request::enter>) ++entries_asked_;
            return said;
        } else {
            return handle(node{v}, request);
        }
    }

    /// Makes v an initiator, now.
    constexpr void start(std::size_t v) { static_cast<void>(call(v, request::start{})); }
    constexpr void start_all() {
        for (std::size_t v = 0; v < nodes(); ++v) start(v);
    }

    /// Until nothing is under way and no timer is armed.
    constexpr report run() {
        caucus::detail::never_ends__bound_the_run_with_run_for_or_a_limit<process_type>();
        return run(limits{});
    }
    constexpr report run(limits limit) {
        return run_while([] { return true; }, limit);
    }
    /// For that many ticks from now; the clock then stands there, whatever happened last.
    constexpr report run_for(ticks duration) {
        const ticks end = after(now_, duration);
        report r = run(limits{.max_ticks = end, .max_messages = never, .max_busy_ticks = never});
        if (end != never) now_ = end;
        return r;
    }
    /// Until done() holds after a tick, or the run ends by itself.
    constexpr report run_until(auto done, limits limit = {}) {
        return run_while([&] { return !done(); }, limit);
    }

protected:
    static constexpr bool watched = !std::is_same_v<Observer, observer>;
    static constexpr bool has_proven_cost = requires { process_type::messages(caucus::size{}); };
    static constexpr bool is_exclusion = request_to<request::enter, process_type> &&
                                         requires(const process_type& p) { p.holds(); p.waits(); };

    constexpr network(Topology topology, auto& make, const auto& options, Observer watcher)
        : run_state(options.seed, options.shuffle_nodes, options.keep_outcomes),
          topology_(std::move(topology)),
          processes_(made_one_by_one<std::remove_reference_t<decltype(make)>, P>{&make, 0},
                     made_one_by_one<std::remove_reference_t<decltype(make)>, P>{
                         &make, topology_.nodes()}),
          observer_(std::move(watcher)) {
        constexpr std::size_t unnoticed = 4096;
        if (options.detail == detail_level::on ||
            (options.detail == detail_level::automatic && topology_.arcs() <= unnoticed))
            tally_.keep_detail(topology_.nodes(), topology_.arcs());
        if (!options.outside_model) simulation::check_model("simulation", topology_, processes_);
    }

    constexpr void check_node(std::size_t v) const {
        if (v >= nodes()) refuse("simulation: there is no node ", v, " among ", nodes());
    }

    template <class Input>
    constexpr decltype(auto) handle(node v, const Input& in) {
        if constexpr (watched) observer_.handled(now_, v, in);
        active_at_ = now_;
        environment env{self(), v};
        return dispatch(processes_[v], in, env);
    }
    /// The hot path: an arrival without a copy of the message.
    constexpr void deliver(node to, port at, const message& m) {
        if constexpr (watched) observer_.handled(now_, to, arrival<message>{m, at});
        environment env{self(), to};
        dispatch(processes_[to], m, at, env);
    }
    constexpr std::size_t choose(node v, std::size_t k) {
        CAUCUS_ASSERT(k > 0);
        return static_cast<std::size_t>(lots_.draw(v, nodes()).below(k));
    }
    /// Every node's clock is right, unless the executor says otherwise.
    constexpr ticks local_time(node) const { return now_; }
    /// Time passes between a cause and its effect: no timer fires in the tick that armed it.
    constexpr drifting_clock::deadline deadline(node, ticks delay) const {
        if (delay == 0) return {after(now_, 1), 1'000'000};
        return {after(now_, delay)};
    }
    constexpr void expire_timers() {
        if constexpr (kinds_of<timer> != 0) {
            timers_.expire(now_, shuffle_seed_, [&](std::size_t v, const timer& t) {
                handle(node{v}, expiry<timer>{t});
            });
        }
    }

    constexpr void note_refusal(node v, const auto& request, answer said) {
        if constexpr (watched) observer_.refused(now_, v, request, said);
    }

    constexpr void note_crash(node v) {
        if constexpr (watched) observer_.crashed(now_, v);
    }
    constexpr void note_absence(node v) {
        if constexpr (watched) observer_.absent(now_, v);
    }
    constexpr void note_arrival(node v) {
        if constexpr (watched) observer_.arrived(now_, v);
    }
    constexpr void note_restart(node v, incarnation life) {
        if constexpr (watched) observer_.restarted(now_, v, life);
    }

    /// What the processes have done so far, whatever it is.
    constexpr std::uint64_t effects() const {
        return tally_.messages() + armed_ + outcome_count_;
    }

    /// Nodes were visited in no particular order: nobody shall see which.
    constexpr void sort_outcomes() {
        if (sorted_ == outcomes_.size()) return;
        sort_outcomes_from(sorted_);
        // A request by hand may follow what others reported at the same tick.
        if (sorted_ != 0 && comes_before(outcomes_[sorted_], outcomes_[sorted_ - 1])) {
            while (sorted_ != 0 && outcomes_[sorted_ - 1].at == now_) --sorted_;
            sort_outcomes_from(sorted_);
        }
        sorted_ = outcomes_.size();
    }

    constexpr Self& self() { return static_cast<Self&>(*this); }
    constexpr const Self& self() const { return static_cast<const Self&>(*this); }

    Topology topology_;
    std::vector<process_type> processes_;
    tally<message> tally_;
    [[no_unique_address]] timers_of<timer> timers_;
    std::vector<reported<outcome>> outcomes_;

private:
    friend environment;

    /// What is to be done when a request has been handled, whatever it returns.
    template <bool IsStart>
    struct after_request {
        network& whose;
        std::size_t v;
        std::uint64_t effects_before;
        constexpr ~after_request() {
            if (IsStart && whose.effects() != effects_before) whose.note_start(v);
            whose.sort_outcomes();
        }
    };

    constexpr void note_start(std::size_t v) {
        if constexpr (has_proven_cost) run_state::note_start(v, nodes());
        else ++initiators_;
    }

protected:
    // What the environments ask for.

    constexpr void send(node from, port p, const auto& m) {
        if (p >= topology_.degree(from)) static_cast<void>(checked_across(topology_, from, p));
        tally_.sent(m);
        if constexpr (watched) observer_.sent(now_, from, p, m);
        self().post(from, p, m);
    }
    constexpr void arm(node v, const timer& t, ticks delay) {
        ++armed_;
        if constexpr (watched) observer_.armed(now_, v, t, delay);
        const drifting_clock::deadline due = self().deadline(v, delay);
        timers_.arm(v, t, due.at, nodes(), due.late);
    }
    constexpr void disarm(node v, const timer& t) {
        if constexpr (watched) observer_.disarmed(now_, v, t);
        timers_.disarm(v, t);
    }
    constexpr void note(node v, const outcome& o) {
        if constexpr (watched) observer_.reported(now_, v, o);
        ++outcome_count_;
        if (keeps_outcomes_) outcomes_.push_back({v, now_, o});
    }

    /// Where nobody crashes, nothing needs to be kept.
    constexpr void keep(node, const kept&) {}

private:
    constexpr caucus::report run_while(auto go_on, limits limit) {
        stop why = stop::predicate;
        for (std::uint64_t busy_ticks = 0; go_on(); ++busy_ticks) {
            const ticks at = self().upcoming();
            if (!may_go_to(at, at == never && self().outlasts_time(), tally_.messages(),
                           busy_ticks, limit, why))
                break;
            self().tick();
            sort_outcomes();
            why = stop::predicate;
        }
        if (why == stop::quiescent && outcome_count_ != 0) decided_ = true;
        return make_report(why);
    }

    static constexpr bool comes_before(const reported<outcome>& a, const reported<outcome>& b) {
        return a.at == b.at && a.node.index < b.node.index;
    }
    constexpr void sort_outcomes_from(std::size_t first) {
        if (outcomes_.size() - first < 2) return;
        // By node, then as they came: all are of this tick.
        std::vector<std::uint64_t> order;
        for (std::size_t i = first; i < outcomes_.size(); ++i)
            order.push_back(std::uint64_t{outcomes_[i].node.index} << 32 | (i - first));
        if (!put_in_order(order)) return;
        std::vector<reported<outcome>> fresh;
        for (const std::uint64_t each : order)
            fresh.push_back(std::move(outcomes_[first + (each & 0xffff'ffffu)]));
        while (outcomes_.size() != first) outcomes_.pop_back();
        for (auto& each : fresh) outcomes_.push_back(std::move(each));
    }

    constexpr caucus::report make_report(stop why) const {
        caucus::report r;
        tally_.fill(r);
        fill(r, why, self().in_flight(), nodes());
        if constexpr (requires { self().alive_now(); }) r.alive = self().alive_now();
        else r.alive = nodes();
        r.size.links = topology_.links();
        if constexpr (is_exclusion) r.size.initiators = entries_asked_;
        if constexpr (has_proven_cost)
            if (is_one_run()) r.proven = process_type::messages(r.size);
        return r;
    }
    /// Is this what costs are proven for: one election; or entries, and nobody is inside or waits?
    constexpr bool is_one_run() const {
        if constexpr (is_exclusion)
            for (const process_type& each : processes_)
                if (each.holds() || each.waits()) return false;
        return !began_again_;
    }

    [[no_unique_address]] Observer observer_;
};

}  // namespace caucus::simulation
