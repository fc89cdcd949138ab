// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/delay.hpp>
#include <caucus/run/simulation/detection.hpp>
#include <caucus/run/simulation/disturbances.hpp>
#include <caucus/run/faults.hpp>
#include <caucus/run/simulation/lives.hpp>
#include <caucus/run/simulation/network.hpp>
#include <caucus/run/simulation/ongoing_faults.hpp>

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
    detector_model detector = no_detector{};   // or perfect{delay}, eventual{delay, wrong, until}
    detail_level detail = detail_level::automatic;
    bool outside_model = false;         // skip the run-time checks of what the algorithm assumes
    std::uint64_t shuffle_nodes = 0;    // other than 0: visit the nodes of a tick in another order
    bool timers_by_hand = false;  // they run out when `expire` says so, and never by themselves
    std::function<std::size_t(node, std::size_t)> coins = {};  // how choose(k) falls, if not by lot
};

/// The asynchronous model in virtual time: a message takes as long as the delay model says.
/// A node handles its messages by (arrival port, sending order), then its due timers by value.
/// Faults come before anything else at their tick. A crash: timers die, messages to the dead are
/// lost, what they sent is still under way.
template <class Topology, class P, class Observer = observer>
class events
    : public simulation::network<events<Topology, P, Observer>, Topology, simulation::made_by_t<P>,
                                 Observer> {
    using base = simulation::network<events, Topology, simulation::made_by_t<P>, Observer>;
    using typename base::environment;
    using typename base::process_type;

public:
    using message = typename base::message;

    events(Topology topology, auto make, events_options options = {}, Observer watcher = {})
        : base(std::move(topology), make, options.seed, options.detail, options.outside_model,
               options.shuffle_nodes, std::move(watcher)),
          make_(std::move(make)), delay_(std::move(options.delay)), fifo_(options.fifo),
          timers_by_hand_(options.timers_by_hand), coins_(std::move(options.coins)) {
        static_assert(a_message_or_timer_kind_has_no_handler<process_type, environment>,
                      "a_message_or_timer_kind_has_no_handler");
        static_assert(a_request_has_no_verb<process_type, environment>, "a_request_has_no_verb");
        delay_.check(this->topology_.arcs());
        options.detector.check();
        if (!fifo_ && !options.outside_model && needs_fifo)
            refuse("events: the algorithm needs fifo links; leave fifo on, or say outside_model");
        // By chance only: whoever plans a cut or a partition wants to see what comes of it.
        if (needs_reliable && !options.outside_model && options.faults.loses_by_chance())
            refuse("events: the plan loses messages and the algorithm needs reliable links; "
                   "wrap it in reliable, or say outside_model");
        plan(options.faults);
        if (options.detector.watches())
            detection_.emplace(options.detector, arcs(), this->lots_.seed());
        if (faults_.next() == this->now_) suffer_faults();   // before anybody starts
    }

    bool alive(std::size_t v) const {
        this->check_node(v);
        return lives_.alive(v);
    }

    /// Stops node v, now and for good unless it is restarted.
    void crash(std::size_t v) {
        auto& l = life_of(v);
        if (!l.alive) return;
        l.alive = false;
        l.start_waits = false;
        l.stopped_clock.reset();
        ongoing_.end_all(fault_plan::kind::pause, v);   // the next life is not paused
        this->timers_.forget(v);
        lose_held(v);
        if (detection_) detection_->crashed(v, this->now_);
    }

    /// A new life for a crashed node: made anew, it is told its incarnation and what it kept.
    void restart(std::size_t v) {
        auto& l = life_of(v);
        if (l.alive) refuse("events: node ", v, " is alive; crash it before it restarts");
        l.alive = true;
        ++l.incarnation.number;
        // Not assigned: a process whose preference captures something can only be copied.
        process_type reborn = make_(node{v});
        std::destroy_at(&this->processes_[v]);
        std::construct_at(&this->processes_[v], std::move(reborn));
        if (detection_)
            detection_->restarted(v, this->now_, [&](std::size_t u) { return alive(u); });
        const std::uint64_t before = this->effects();
        this->handle(node{v}, recovered<typename base::kept>{l.incarnation, lives_.kept(v)});
        if (this->effects() != before) this->began_again_ = true;
        this->sort_outcomes();
    }

    /// Which life of node v this is.
    caucus::incarnation incarnation(std::size_t v) const {
        this->check_node(v);
        return lives_.incarnation(v);
    }

    /// Node v stands still: what reaches it waits, and so do its timers. The dead cannot.
    void pause(std::size_t v) { suffer({this->now_, v, fault_plan::kind::pause}); }
    /// What waited happens now: messages first, then timers that ran out meanwhile.
    void resume(std::size_t v) {
        auto& l = life_of(v);
        ongoing_.end_all(fault_plan::kind::pause, v);
        if (!l.stopped_clock) return;
        for (const auto& [t, at, late] : *l.stopped_clock)
            this->timers_.arm(v, t, at < this->now_ ? this->now_ : at, this->nodes(), late);
        l.stopped_clock.reset();
        if (std::exchange(l.start_waits, false))
            if constexpr (takes<process_type, request::start, environment>) start(v);
        release_held();
        // Not later: a suspicion would come after the trust of this very tick, and last for ever.
        for (const simulation::detection::word& w : unheard_) detection_->postpone(w, this->now_);
        unheard_.clear();
    }
    bool paused(std::size_t v) const {
        this->check_node(v);
        return lives_.paused(v);
    }

    /// From now on node v's clock runs fast by that many parts in a million, or slow below 0. What
    /// is left of its timers' time, by its clock, runs at the new pace.
    void drift(std::size_t v, std::int32_t parts_per_million) {
        this->check_node(v);
        if (parts_per_million <= -1'000'000)
            refuse("events: the clock of node ", v, " would stand still, or run backwards");
        lives_.drift(v, this->now_, parts_per_million, this->timers_);
    }

    /// One direction of a link: cut, nothing passes; clogged, everything waits at its end. What
    /// begins by hand does not end with an interval of the plan; what ends by hand has ended.
    void cut(std::size_t from, std::size_t to) {
        suffer({this->now_, from, fault_plan::kind::cut, to});
    }
    void mend(std::size_t from, std::size_t to) {
        links().cut(from, to, false);
        ongoing_.end_all(fault_plan::kind::cut, from, to);
    }
    void clog(std::size_t from, std::size_t to) {
        suffer({this->now_, from, fault_plan::kind::clog, to});
    }
    void unclog(std::size_t from, std::size_t to) {
        links().clog(from, to, false);
        ongoing_.end_all(fault_plan::kind::clog, from, to);
        release_held();
    }
    /// Nothing passes between those nodes and the others, until they are united.
    void partition(const std::vector<std::size_t>& side) {
        suffer({this->now_, 0, fault_plan::kind::partition, 0, side});
    }
    void unite() {
        links().unite();
        ongoing_.end_all(fault_plan::kind::partition);
    }
    /// The end of cuts, clogs, pauses, partitions and chance that began before. The dead stay dead.
    void heal() {
        links().heal();
        ongoing_.heal();
        for (std::size_t v = 0; v < lives_.size(); ++v) resume(v);
        release_held();
    }

    /// Takes away what v has kept: its next restart is one with amnesia.
    void forget(std::size_t v) {
        this->check_node(v);
        lives_.forget(v);
    }

    /// The timers of v that are armed now; and one of them, fired by hand.
    std::vector<typename base::timer> armed(std::size_t v) const {
        this->check_node(v);
        return this->timers_.armed(v);
    }
    void expire(std::size_t v, const typename base::timer& t) {
        this->check_node(v);
        if (!this->timers_.is_armed(v, t)) refuse("events: node ", v, " has no such timer armed");
        this->timers_.disarm(v, t);
        this->handle(node{v}, expiry<typename base::timer>{t});
        this->sort_outcomes();
    }

    /// The failure detector's word, by hand.
    void suspect(std::size_t v, port whom) { tell_of(v, caucus::suspect{whom}); }
    void trust(std::size_t v, port whom) { tell_of(v, caucus::trust{whom}); }

    /// A request to node v, and its answer: `not_running` if it is dead or paused.
    template <class Request>
    decltype(auto) call(std::size_t v, const Request& request) {
        if constexpr (request_to<Request, process_type>) {
            if (alive(v) && !paused(v)) return base::call(v, request);
            this->note_refusal(node{v}, request, answer::not_running);
            return answer::not_running;
        } else {
            if (!alive(v)) refuse("events: node ", v, " has crashed and hears nothing");
            if (paused(v)) refuse("events: node ", v, " is paused and hears nothing");
            return base::call(v, request);
        }
    }

    /// The dead do not hear it, and who is paused hears it later.
    void start(std::size_t v) {
        if (paused(v)) lives_[v].start_waits = true;
        else if (alive(v)) static_cast<void>(call(v, request::start{}));
    }
    void start_all() {
        for (std::size_t v = 0; v < this->nodes(); ++v) start(v);
    }

private:
    friend base;
    friend environment;

    struct letter : simulation::envelope<message, Topology::one_inlet> {
        using simulation::envelope<message, Topology::one_inlet>::envelope;
        std::uint32_t chain = 0;
    };
    static constexpr bool needs_reliable =
        covers(assumptions_of<process_type>().links, guarantee::reliable);
    static constexpr bool needs_fifo =
        covers(assumptions_of<process_type>().links, guarantee::fifo);

    void post(node from, port p, const auto& m) {
        const far_end far = this->topology_.across(from, p);
        letter l{far, m};
        ticks at = this->now_ + 1;
        if (!delay_.is_unit() || this->tally_.detailed() || links_ || detection_) {
            const std::size_t arc = this->topology_.arc(from, p);
            if (this->tally_.detailed()) l.chain = this->tally_.sent_in_detail(from, arc);
            if (links_) return post_over_bad_link({from, p, far.node, this->now_, arc}, l);
            if (!delay_.is_unit()) at = arrival_time({from, p, far.node, this->now_, arc}, delay_);
            if (detection_) detection_->sent(arc);
        }
        entrust(at, std::move(l));
    }

    /// Chance, where the plan calls for it, decides over loss, then doubling, then order.
    void post_over_bad_link(const hop& h, const letter& l) {
        if (links_->severed(h.arc)) return lose();
        const link_faults* faults = links_->faults_of(h.arc);
        const delay_model& delay = faults != nullptr && faults->delay ? *faults->delay : delay_;
        std::size_t copies = 1;
        ticks late = 0;
        if (faults != nullptr) {
            random_source bits = links_->draw(h.from);
            if (bits.happens(faults->loss)) return lose();
            if (bits.happens(faults->duplication)) {
                ++copies;
                ++this->doubled_;
            }
            if (bits.happens(faults->reordering))
                late = 1 + bits.below(faults->late_max);
        }
        for (; copies != 0; --copies) {
            if (detection_) detection_->sent(h.arc);
            entrust(late == 0 ? arrival_time(h, delay)
                              : after(drawn_arrival(h, delay), late), letter{l});
        }
    }
    void entrust(ticks at, letter l) {
        // No clock can tell, and what was concluded from silence is wrong: bully's `delay_max`.
        if constexpr (requires(const process_type& p) { p.delay_most(); })
            this->late_ += at - this->now_ > this->processes_[l.to].delay_most();
        under_way_.add(at, std::move(l));
        if (in_flight() > this->in_flight_most_) this->in_flight_most_ = in_flight();
    }
    void lose() { ++this->lost_; }

    ticks drawn_arrival(const hop& h, const delay_model& delay) {
        return after(this->now_, delay.draw(h, this->lots_.draw(h.from, this->nodes())));
    }
    ticks arrival_time(const hop& h, const delay_model& delay) {
        const ticks at = drawn_arrival(h, delay);
        if (!fifo_ || (delay.keeps_order() && !links_)) return at;
        if (last_arrival_.empty()) last_arrival_.assign(this->topology_.arcs(), 0);
        // No overtaking: at the same tick, sending order decides.
        ticks& last = last_arrival_[h.arc];
        if (last < at) last = at;
        return last;
    }

    std::size_t in_flight() const { return under_way_.size() + held_.size() + released_.size(); }
    ticks upcoming() const {
        if (!released_.empty()) return this->now_;
        ticks first = under_way_.next();
        if (!timers_by_hand_ && this->timers_.next() < first) first = this->timers_.next();
        if (faults_.next() < first) first = faults_.next();
        if (detection_ && detection_->next() < first) first = detection_->next();
        return first;
    }

    /// What waits before a clogged link or a paused node rests until somebody interferes.
    bool outlasts_time() const {
        return !under_way_.empty() || (!timers_by_hand_ && !this->timers_.empty());
    }

    void tick() {
        if (faults_.next() <= this->now_) suffer_faults();
        under_way_.take(this->now_, arriving_);
        if (!released_.empty()) {   // they were here first
            released_.insert(released_.end(), arriving_.begin(), arriving_.end());
            arriving_.swap(released_);
            released_.clear();
        }
        const auto hand_over = [&](std::size_t i) { arrive(arriving_[i]); };
        if ((Topology::one_inlet && !this->order_.shuffles()) || arriving_.size() == 1)
            for (std::size_t i = 0; i < arriving_.size(); ++i) hand_over(i);
        else if (!arriving_.empty())
            this->order_.visit(arriving_, this->nodes(), hand_over);
        if (!timers_by_hand_) this->expire_timers();
        if (detection_) speak();
    }

    void arrive(const letter& l) {
        if ((links_ || detection_ || !lives_.all_usual()) && !reaches(l)) return;
        this->active_at_ = this->now_;
        if (this->tally_.detailed()) this->tally_.received_in_detail(l.to, l.chain);
        this->deliver(node{l.to}, l.inlet(), l.message);
    }
    /// Unless the link is cut or clogged, or the node dead or paused.
    bool reaches(const letter& l) {
        const std::size_t arc = arcs_ ? arcs_->into(l.to, l.inlet()) : 0;
        const bool dead = !lives_.alive(l.to);
        const bool severed = links_ && links_->severed(arc);
        if (!dead && !severed && ((links_ && links_->clogged(arc)) || paused(l.to))) {
            held_.push_back(l);
            return false;
        }
        if (detection_) detection_->gone(arc, this->now_);
        if (dead || severed) {
            lose();
            return false;
        }
        if (links_ && links_->crashes().probability > 0) return survives(node{l.to});
        return true;
    }
    bool survives(node v) {
        random_source bits = links_->draw(v);
        const random_crashes by_chance = links_->crashes();
        if (!bits.happens(by_chance.probability)) return true;
        crash(v);
        if (by_chance.downtime_max != 0)
            faults_.add(after(this->now_, 1 + bits.below(by_chance.downtime_max)),
                        {0, v, by_chance.amnesia ? fault_plan::kind::amnesia
                                                 : fault_plan::kind::restart});
        lose();
        return false;
    }
    /// What waited for the dead, in front of a clogged link or because it was paused.
    void lose_held(std::size_t v) {
        std::erase_if(held_, [&](const letter& l) {
            if (l.to != v) return false;
            if (detection_) detection_->gone(arcs_->into(l.to, l.inlet()), this->now_);
            lose();
            return true;
        });
        std::erase_if(unheard_, [&](const auto& w) { return (*arcs_)[w.arc].from == v; });
    }
    /// Whatever need not wait any longer gets another chance, in the old order.
    void release_held() {
        released_.insert(released_.end(), held_.begin(), held_.end());
        held_.clear();
    }

    void speak() {
        detection_->take(this->now_, words_);
        for (const simulation::detection::word& w : words_) {
            const simulation::arc_table::ends& view = (*arcs_)[w.arc];
            if (!alive(view.from)) continue;
            if (paused(view.from)) {
                unheard_.push_back(w);
                continue;
            }
            if (!detection_->is_news(w, alive(view.to))) continue;
            if (w.suspected) this->handle(view.from, caucus::suspect{view.out});
            else this->handle(view.from, caucus::trust{view.out});
        }
    }

    void plan(const fault_plan& plan) {
        for (const fault_plan::fault& f : plan.faults()) {
            check(f);
            faults_.add(f.at, f);
        }
        for (const fault_plan::drifting& d : plan.clocks()) drift(d.node, d.parts_per_million);
    }
    /// Now, not when it happens: a plan that makes no sense must not depend on how far a run gets.
    void check(const fault_plan::fault& f) {
        using kind = fault_plan::kind;
        this->check_node(f.node);
        for (const std::size_t v : f.side) this->check_node(v);
        f.strikes.check();
        f.chance.check();
        if (f.chance.delay) f.chance.delay->check(this->topology_.arcs());
        if (f.what == kind::cut || f.what == kind::clog || f.what == kind::link) {
            this->check_node(f.other);
            if (!arcs()->between(f.node, f.other, [](std::size_t) {}))
                refuse("faults: there is no link from node ", f.node, " to node ", f.other);
        }
    }
    void suffer_faults() {
        faults_.take(this->now_, faults_now_);
        for (const fault_plan::fault& f : faults_now_) suffer(f);
    }
    void suffer(const fault_plan::fault& f) {
        using kind = fault_plan::kind;
        switch (f.what) {
            case kind::crash: return crash(f.node);
            case kind::amnesia:
                if (!alive(f.node)) forget(f.node);
                [[fallthrough]];
            case kind::restart: return alive(f.node) ? void() : restart(f.node);
            case kind::pause: return begin_pause(f);
            case kind::resume: return ongoing_.end(f) ? resume(f.node) : void();
            case kind::cut: links().cut(f.node, f.other, true); return ongoing_.begin(f);
            case kind::mend: return ongoing_.end(f) ? mend(f.node, f.other) : void();
            case kind::clog: links().clog(f.node, f.other, true); return ongoing_.begin(f);
            case kind::unclog: return ongoing_.end(f) ? unclog(f.node, f.other) : void();
            case kind::partition: links().partition(f.side); return ongoing_.begin(f);
            case kind::unite: return ongoing_.end(f) ? unite() : void();
            case kind::heal: return heal();
            case kind::links: case kind::link: case kind::crashes:
                ongoing_.begin(f);
                return set_chance(f);
            case kind::links_end: case kind::link_end: case kind::crashes_end:
                static_cast<void>(ongoing_.end(f));
                return set_chance(f);
        }
    }
    void begin_pause(const fault_plan::fault& f) {
        auto& l = life_of(f.node);
        if (!l.alive) return;
        ongoing_.begin(f);
        if (l.stopped_clock) return;
        l.stopped_clock = this->timers_.deadlines(f.node);
        this->timers_.forget(f.node);
    }
    /// What goes on now decides, where something has begun or ended.
    void set_chance(const fault_plan::fault& changed) {
        using kind = fault_plan::kind;
        const auto in_force = [&](kind what) {
            const auto* f = ongoing_.latest(what, changed.node, changed.other);
            return f == nullptr ? std::nullopt : std::optional{f->chance};
        };
        if (changed.what == kind::links || changed.what == kind::links_end) {
            links().chance(in_force(kind::links));
        } else if (changed.what == kind::link || changed.what == kind::link_end) {
            links().chance(changed.node, changed.other, in_force(kind::link));
        } else {
            const auto* f = ongoing_.latest(kind::crashes);
            links().crashes(f == nullptr ? random_crashes{} : f->strikes);
        }
    }

    const std::shared_ptr<const simulation::arc_table>& arcs() {
        if (!arcs_) arcs_ = std::make_shared<const simulation::arc_table>(this->topology_);
        return arcs_;
    }
    simulation::disturbances& links() {
        if (!links_) links_.emplace(arcs(), this->nodes(), this->lots_.seed());
        return *links_;
    }

    ticks local_time(node v) const {
        return lives_.all_clocks_right() ? this->now_ : lives_.clock(v).local(this->now_);
    }
    simulation::drifting_clock::deadline deadline(node v, ticks delay) const {
        return lives_.all_clocks_right() ? base::deadline(v, delay)
                                         : lives_.clock(v).due(this->now_, delay);
    }

    auto& life_of(std::size_t v) {
        this->check_node(v);
        return lives_[v];
    }

    void tell_of(std::size_t v, const auto& word) {
        this->check_node(v);
        if (word.whom >= this->topology_.degree(node{v}))
            refuse("events: node ", v, " has no port ", word.whom.index());
        if (!alive(v)) return;
        if (paused(v)) refuse("events: node ", v, " is paused and hears nothing");
        this->handle(node{v}, word);
        this->sort_outcomes();
    }

    std::size_t choose(node v, std::size_t k) { return coins_ ? coins_(v, k) : base::choose(v, k); }
    void keep(node v, const typename base::kept& value) {
        lives_.keep(v, value);
    }

    std::function<process_type(node)> make_;   // for those who restart
    delay_model delay_;
    bool fifo_;
    bool timers_by_hand_;
    std::function<std::size_t(node, std::size_t)> coins_;
    simulation::agenda<letter> under_way_;
    simulation::planned<fault_plan::fault> faults_;
    simulation::ongoing_faults ongoing_;
    std::vector<letter> arriving_;
    std::vector<letter> held_;       // at the end of clogged links and before paused nodes
    std::vector<letter> released_;   // of those, what may arrive now
    std::vector<fault_plan::fault> faults_now_;
    std::vector<ticks> last_arrival_;  // per arc, only where order is at risk
    std::shared_ptr<const simulation::arc_table> arcs_;   // from here on: if something goes wrong
    std::optional<simulation::disturbances> links_;
    std::optional<simulation::detection> detection_;
    std::vector<simulation::detection::word> words_;
    std::vector<simulation::detection::word> unheard_;       // by paused nodes
    simulation::lives<typename base::timer, typename base::kept> lives_{this->nodes()};
};

template <class Topology, class Make>
events(Topology, Make, events_options = {}) -> events<Topology, simulation::made_by_t<Make>>;
template <class Topology, class Make, class Observer>
events(Topology, Make, events_options, Observer)
    -> events<Topology, simulation::made_by_t<Make>, Observer>;

}  // namespace caucus
