// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/delay.hpp>
#include <caucus/run/faults.hpp>
#include <caucus/run/network.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace caucus {

struct events_options {
    std::uint64_t seed = 1;
    delay_model delay = uniform{1, 10};
    bool fifo = true;                   // per directed link
    fault_plan faults = {};
    detail_level detail = detail_level::automatic;
    bool outside_model = false;         // skip the run-time checks of what the algorithm assumes
    std::uint64_t shuffle_nodes = 0;    // other than 0: visit the nodes of a tick in another order
    bool timers_by_hand = false;  // they run out when `expire` says so, and never by themselves
    std::function<std::size_t(node, std::size_t)> coins = {};  // how choose(k) falls, if not by lot
};

/// The asynchronous model in virtual time: a message takes as long as the delay model says.
/// A node handles its messages by (arrival port, sending order), then its due timers by value.
/// A crash comes before anything else at its tick: timers die, messages to the dead are lost.
template <class Topology, class Make, class Observer = observer>
class events : public network<events<Topology, Make, Observer>, Topology, Make, Observer> {
    using base = network<events, Topology, Make, Observer>;
    using typename base::environment;
    using typename base::process_type;
    static_assert(needs_a_one_way_ring<process_type, Topology>, "needs_a_one_way_ring");
    static_assert(needs_a_two_way_ring<process_type, Topology>, "needs_a_two_way_ring");
    static_assert(needs_a_tree<process_type, Topology>, "needs_a_tree");
    static_assert(needs_a_complete_network<process_type, Topology>, "needs_a_complete_network");
    static_assert(needs_two_way_links<process_type, Topology>, "needs_two_way_links");

public:
    using message = typename base::message;

    events(Topology topology, Make make, events_options options = {}, Observer watcher = {})
        : base(std::move(topology), std::move(make), options.seed, options.detail,
               options.outside_model, options.shuffle_nodes, std::move(watcher)),
          delay_(std::move(options.delay)), fifo_(options.fifo),
          timers_by_hand_(options.timers_by_hand), coins_(std::move(options.coins)) {
        static_assert(a_message_or_timer_kind_has_no_handler<process_type, environment>,
                      "a_message_or_timer_kind_has_no_handler");
        delay_.check(this->topology_.arcs());
        if (!fifo_ && !options.outside_model && !covers(link::none, needs_fifo))
            refuse("events: the algorithm needs fifo links; leave fifo on, or say outside_model");
        for (const fault_plan::fault& f : options.faults.faults()) {
            this->check_node(f.node);
            faults_.add(f.at, f);
        }
        if (faults_.next() == this->now_) suffer_faults();   // before anybody starts
    }

    bool alive(std::size_t v) const {
        this->check_node(v);
        return lives_.empty() || lives_[v].alive;
    }

    /// Stops node v, now and for good unless it is restarted.
    void crash(std::size_t v) {
        life& l = life_of(v);
        l.alive = false;
        this->timers_.forget(v);
    }

    /// A new life for a crashed node: made anew, it is told its incarnation and what it kept.
    void restart(std::size_t v) {
        life& l = life_of(v);
        if (l.alive) refuse("events: node ", v, " is alive; crash it before it restarts");
        l.alive = true;
        ++l.incarnation.number;
        // Not assigned: a process whose preference captures something can only be copied.
        std::destroy_at(&this->processes_[v]);
        std::construct_at(&this->processes_[v], this->make_(node{v}));
        this->handle(node{v}, recovered<typename base::kept>{l.incarnation, kept_value(v)});
        this->sort_outcomes();
    }

    /// Takes away what v has kept: its next restart is one with amnesia.
    void forget(std::size_t v) {
        this->check_node(v);
        if (!kept_.empty()) kept_[v].reset();
    }

    /// The timers of v that are armed now; and one of them, fired by hand.
    std::vector<typename base::timer> armed(std::size_t v) const {
        this->check_node(v);
        return this->timers_.armed(v);
    }
    void expire(std::size_t v, const typename base::timer& t) {
        bool found = false;
        for (const auto& each : armed(v)) found = found || same(each, t);
        if (!found) refuse("events: node ", v, " has no such timer armed");
        this->timers_.disarm(v, t);
        this->handle(node{v}, expiry<typename base::timer>{t});
        this->sort_outcomes();
    }

    /// The failure detector's word, by hand.
    void suspect(std::size_t v, port whom) { tell_of(v, caucus::suspect{whom}); }
    void trust(std::size_t v, port whom) { tell_of(v, caucus::trust{whom}); }

    /// A request to a live node, and its result. The dead have none to give.
    template <class Request>
    decltype(auto) call(std::size_t v, const Request& request) {
        if (!alive(v)) refuse("events: node ", v, " has crashed and takes no requests");
        return base::call(v, request);
    }

    /// The dead do not hear it.
    void start(std::size_t v) {
        if (alive(v)) base::start(v);
    }
    void start_all() {
        for (std::size_t v = 0; v < this->nodes(); ++v) start(v);
    }

private:
    friend base;
    friend environment;

    struct letter : envelope<message, Topology::one_inlet> {
        using envelope<message, Topology::one_inlet>::envelope;
        std::uint32_t chain = 0;
    };
    struct life {
        bool alive = true;
        caucus::incarnation incarnation;
    };
    static constexpr link needs_fifo =
        covers(assumptions_of<process_type>().links, link::fifo) ? link::fifo : link::none;

    void post(node from, port p, const auto& m) {
        const far_end far = this->topology_.across(from, p);
        letter l{far, m};
        ticks at = this->now_ + 1;
        if (!delay_.is_unit() || this->tally_.detailed()) {
            const std::size_t arc = this->topology_.arc(from, p);
            if (this->tally_.detailed()) l.chain = this->tally_.sent_in_detail(from, arc);
            if (!delay_.is_unit()) at = arrival_time({from, p, far.node, this->now_, arc});
        }
        under_way_.add(at, std::move(l));
        if (in_flight() > this->in_flight_most_) this->in_flight_most_ = in_flight();
    }

    ticks arrival_time(const hop& h) {
        const ticks at = after(this->now_, delay_.draw(h, this->lots_.draw(h.from, this->nodes())));
        if (!fifo_ || delay_.keeps_order()) return at;
        if (last_arrival_.empty()) last_arrival_.assign(this->topology_.arcs(), 0);
        // No overtaking: at the same tick, sending order decides.
        ticks& last = last_arrival_[h.arc];
        if (last < at) last = at;
        return last;
    }

    std::size_t in_flight() const { return under_way_.size(); }
    ticks upcoming() const {
        ticks first = under_way_.next();
        if (!timers_by_hand_ && this->timers_.next() < first) first = this->timers_.next();
        if (faults_.next() < first) first = faults_.next();
        return first;
    }

    void tick() {
        suffer_faults();
        under_way_.take(this->now_, arriving_);
        const auto hand_over = [&](std::size_t i) {
            const letter& l = arriving_[i];
            if (!lives_.empty() && !lives_[l.to].alive) {
                ++this->lost_;
                return;
            }
            this->active_at_ = this->now_;
            if (this->tally_.detailed()) this->tally_.received_in_detail(l.to, l.chain);
            this->deliver(node{l.to}, l.inlet(), l.message);
        };
        if ((Topology::one_inlet && !this->order_.shuffles()) || arriving_.size() == 1)
            for (std::size_t i = 0; i < arriving_.size(); ++i) hand_over(i);
        else if (!arriving_.empty())
            this->order_.visit(arriving_, this->nodes(), hand_over);
        if (!timers_by_hand_) this->expire_timers();
    }

    void suffer_faults() {
        faults_.take(this->now_, faults_now_);
        for (const fault_plan::fault& f : faults_now_) {
            if (f.what == fault_plan::kind::crash) crash(f.node);
            else restart(f.node);
        }
    }

    life& life_of(std::size_t v) {
        this->check_node(v);
        if (lives_.empty()) lives_.resize(this->nodes());
        return lives_[v];
    }

    void tell_of(std::size_t v, const auto& word) {
        this->check_node(v);
        if (word.whom >= this->topology_.degree(node{v}))
            refuse("events: node ", v, " has no port ", word.whom.index());
        if (!alive(v)) return;
        this->handle(node{v}, word);
        this->sort_outcomes();
    }

    std::size_t choose(node v, std::size_t k) { return coins_ ? coins_(v, k) : base::choose(v, k); }
    void keep(node v, const typename base::kept& value) {
        if (kept_.empty()) kept_.resize(this->nodes());
        kept_[v] = value;
    }
    std::optional<typename base::kept> kept_value(std::size_t v) const {
        return kept_.empty() ? std::nullopt : kept_[v];
    }

    delay_model delay_;
    bool fifo_;
    bool timers_by_hand_;
    std::function<std::size_t(node, std::size_t)> coins_;
    agenda<letter> under_way_;
    agenda<fault_plan::fault> faults_;
    std::vector<letter> arriving_;
    std::vector<fault_plan::fault> faults_now_;
    std::vector<ticks> last_arrival_;  // per arc, only where order is at risk
    std::vector<life> lives_;                                    // per node, only after a crash
    std::vector<std::optional<typename base::kept>> kept_;       // per node, only after a keep
};

template <class Topology, class Make>
events(Topology, Make, events_options = {}) -> events<Topology, Make>;
template <class Topology, class Make, class Observer>
events(Topology, Make, events_options, Observer) -> events<Topology, Make, Observer>;

}  // namespace caucus
