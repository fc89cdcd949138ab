// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/sort.hpp>
#include <caucus/run/delay.hpp>
#include <caucus/run/events_options.hpp>
#include <caucus/run/faults.hpp>
#include <caucus/run/simulation/interference.hpp>
#include <caucus/run/simulation/lives.hpp>
#include <caucus/run/simulation/midway.hpp>
#include <caucus/run/simulation/network.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace caucus {

/// The asynchronous model in virtual time: a message takes as long as the delay model says.
/// A node handles its messages by (arrival port, sending order), then its due timers by value.
/// Faults come before anything else at their tick. A crash: timers die, messages to the dead are
/// lost, what they sent is still under way. Nodes may also arrive late, and leave for good.
template <class Topology, class P, class Observer = observer>
class events
    : public simulation::network<events<Topology, P, Observer>, Topology, simulation::made_by_t<P>,
                                 Observer>,
      private simulation::interference {
    using base = simulation::network<events, Topology, simulation::made_by_t<P>, Observer>;
    using typename base::environment;
    using typename base::process_type;
    using counted = simulation::midway_orders::counted;

public:
    using message = typename base::message;

    events(Topology topology, auto make, events_options options = {}, Observer watcher = {})
        : base(std::move(topology), make, options, std::move(watcher)),
          simulation::interference({std::move(options.delay), options.fifo,
                                    this->topology_.arcs(), this->nodes()},
                                   options.timers_by_hand, std::move(options.coins),
                                   std::move(options.copies)),
          make_(std::move(make)) {
        static_assert(a_message_or_timer_kind_has_no_handler<process_type, environment>,
                      "a_message_or_timer_kind_has_no_handler");
        static_assert(a_request_has_no_verb<process_type, environment>, "a_request_has_no_verb");
        options.check(assumptions_of<process_type>().links);
        for (const fault_plan::drifting& d : options.faults.clocks())
            drift(d.node, d.parts_per_million);
        if (!options.faults.faults().empty() || options.detector.watches())
            begin(std::move(options.faults), options.detector, arcs(), this->lots_.seed());
        if (faults_.next() == this->now_) suffer_faults();   // before anybody starts
    }

    bool alive(std::size_t v) const {
        this->check_node(v);
        return lives_.alive(v);
    }

    /// Why it is not alive: it has not arrived yet; it has left, and will not return. Else it has
    /// crashed.
    bool absent(std::size_t v) const { return is_at(v, stage::absent); }
    bool left(std::size_t v) const { return is_at(v, stage::left); }

    /// The process of node v, to look at. The dead stay what they were when they died, also those
    /// that died in mid-handler.
    const process_type& operator[](std::size_t v) const {
        const process_type* fallen = fallen_.of(v);
        return fallen != nullptr ? *fallen : base::operator[](v);
    }

    /// A crash that comes at the end of the statement, unless it is told to come later. Not to be
    /// kept: what stands behind a comma in the same statement comes before it.
    class coming_crash {
    public:
        coming_crash(events& net, std::size_t v) : net_(&net), v_(v) {}
        coming_crash(const coming_crash&) = delete;
        coming_crash& operator=(const coming_crash&) = delete;
        ~coming_crash() noexcept(false) {   // an observer that hears of it may throw
            if (net_ != nullptr) net_->crash_now(v_);
        }
        /// In the middle of the handler in which the node sends once more than that, from now on:
        /// what it then asks for is lost. Void if it crashes before; the dead begin with it.
        void after_sends(std::size_t count) { later(counted::sends, count); }
        /// The same for all that a handler can ask for: sends (a broadcast is one for each port),
        /// timers armed and disarmed, outcomes reported, values kept.
        void after_effects(std::size_t count) { later(counted::effects, count); }

    private:
        void later(counted what, std::size_t count) {
            std::exchange(net_, nullptr)->orders_.order(v_, what, count);
        }

        events* net_;
        std::size_t v_;
    };
    /// Stops node v, now and for good unless it is restarted; `crash(v).after_sends(k)`: not now,
    /// but in the middle of a handler.
    coming_crash crash(std::size_t v) {
        this->check_node(v);
        return {*this, v};
    }

private:
    void crash_now(std::size_t v) override {
        if (!alive(v)) return;
        this->note_crash(node{v});
        lives_.crash(v, this->timers_);
        faults_.end_all(kind::pause, v);   // the next life is not paused
        lose_held(v);
        if (detection_) detection_->crashed(arcs(), v, this->now_, lives_);
        orders_.call_off(v);
    }

public:
    /// A new life for a crashed node: made anew, it is told its incarnation and what it kept.
    void restart(std::size_t v) override {
        if (alive(v)) refuse("events: node ", v, " is alive; crash it before it restarts");
        if (!is_at(v, stage::crashed))
            refuse("events: node ", v, why_silent(v, lives_), "cannot restart");
        auto& l = lives_[v];
        l.now = stage::alive;
        fallen_.rise(v);
        ++l.incarnation.number;
        // Not assigned: a process whose preference captures something can only be copied.
        process_type reborn = make_(node{v});
        this->processes_[v].~process_type();
        ::new (static_cast<void*>(&this->processes_[v])) process_type(std::move(reborn));
        this->note_restart(node{v}, l.incarnation);
        if (detection_) detection_->restarted(arcs(), v, this->now_, lives_);
        rouse(node{v}, recovered<typename base::kept>{l.incarnation, lives_.kept(v)});
        this->sort_outcomes();
    }

    /// Node v, absent so far, is there from now on, in its first life; if it was asked to start, it
    /// does.
    void arrive(std::size_t v) override {
        if (!absent(v)) refuse("events: node ", v, " is not absent, and cannot arrive");
        lives_[v].now = stage::alive;
        this->note_arrival(node{v});
        if (detection_) detection_->arrived(arcs(), v, this->now_, lives_);
        start_if_asked(v);
    }
    /// Node v goes and will not return. Also one that has crashed: then it stays away.
    void leave(std::size_t v) {
        this->check_node(v);
        interference::leave(v, lives_);
    }

    /// Which life of node v this is.
    caucus::incarnation incarnation(std::size_t v) const {
        this->check_node(v);
        return lives_.incarnation(v);
    }

    /// Node v stands still: what reaches it waits, and so do its timers. The dead cannot.
    void pause(std::size_t v) { suffer({this->now_, v, kind::pause}); }
    /// What waited happens now: messages first, then timers that ran out meanwhile.
    void resume(std::size_t v) override {
        faults_.end_all(kind::pause, v);
        if (!paused(v)) return;
        lives_.resume(v, this->now_, this->timers_);
        start_if_asked(v);
        release_held();
        if (detection_) detection_->say_again(this->now_);
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
    void cut(std::size_t from, std::size_t to) { suffer({this->now_, from, kind::cut, to}); }
    void mend(std::size_t from, std::size_t to) {
        links().cut(arcs(), from, to, false);
        faults_.end_all(kind::cut, from, to);
    }
    void clog(std::size_t from, std::size_t to) { suffer({this->now_, from, kind::clog, to}); }
    void unclog(std::size_t from, std::size_t to) {
        links().clog(arcs(), from, to, false);
        faults_.end_all(kind::clog, from, to);
        release_held();
    }
    /// Nothing passes between those nodes and the others, until they are united.
    void partition(const std::vector<std::size_t>& side) {
        links().partition(side);
        faults_.begin({this->now_, 0, kind::partition});
    }
    void unite() {
        links().unite();
        faults_.end_all(kind::partition);
    }
    /// The end of cuts, clogs, pauses, partitions and chance that began before. The dead stay dead.
    void heal() {
        links();
        interference::heal(lives_);
    }

    /// Takes away what v has kept: its next restart is one with amnesia.
    void forget(std::size_t v) override {
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

    /// The failure detector's word, by hand, and the life that it speaks of, if it says that: also
    /// one that is over.
    void suspect(std::size_t v, port whom, std::optional<caucus::incarnation> life = {}) {
        tell_of(v, caucus::suspect{whom, life});
    }
    void trust(std::size_t v, port whom, std::optional<caucus::incarnation> life = {}) {
        tell_of(v, caucus::trust{whom, life});
    }

    /// A request to node v, and its answer: `not_running` if it is dead or paused. If it dies in
    /// the middle of the handler, the answer is still the handler's: look whether it is alive.
    template <class Request>
    decltype(auto) call(std::size_t v, const Request& request) {
        if constexpr (request_to<Request, process_type>) {
            if (alive(v) && !paused(v)) return base::call(v, request);
            this->note_refusal(node{v}, request, answer::not_running);
            return answer::not_running;
        } else {
            if (!alive(v)) refuse("events: node ", v, why_silent(v, lives_), "hears nothing");
            if (paused(v)) refuse("events: node ", v, " is paused and hears nothing");
            return base::call(v, request);
        }
    }

    /// The dead do not hear it, and who is absent or paused hears it later.
    void start(std::size_t v) {
        if (absent(v) || paused(v)) lives_[v].start_waits = true;
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
    void post(node from, port p, const auto& m) {
        const far_end far = this->topology_.across(from, p);
        letter l{far, m};
        if (!transit_.is_unit() || this->tally_.detailed() || links_ || detection_ || copies_)
            post_on({from, p, far.node, this->now_, this->topology_.arc(from, p)}, std::move(l));
        else
            entrust(this->now_ + 1, std::move(l));
    }
    void post_on(const hop& h, letter&& l) {
        if (this->tally_.detailed()) l.chain = this->tally_.sent_in_detail(h.from, h.arc);
        std::size_t copies = copies_ ? copies_(h) : 1;
        if (copies == 0) return lose();
        this->doubled_ += copies - 1;
        for (; copies > 1; --copies) post_copy(h, letter{l});
        post_copy(h, std::move(l));
    }
    void post_copy(const hop& h, letter&& l) {
        if (links_) return post_over(h, std::move(l));
        if (detection_) detection_->sent(h.arc, this->now_);
        entrust(transit_.is_unit() ? this->now_ + 1 : transit_.arrival(h, this->lots_),
                std::move(l));
    }
    /// Over links that may be out of order.
    void post_over(const hop& h, letter&& l) {
        const simulation::transit::fate f = sets_out(h, this->lots_);
        if (f.copies == 0) return lose();
        this->doubled_ += f.copies - 1;
        if (f.copies == 2) entrust(f.at[1], letter{l});
        entrust(f.at[0], std::move(l));
    }
    void entrust(ticks at, letter&& l) {
        // No clock can tell, and what was concluded from silence is wrong: bully's `delay_max`.
        if constexpr (requires(const process_type& p) { p.delay_most(); })
            this->late_ += at - this->now_ > this->processes_[l.to].delay_most();
        under_way_.add(at, std::move(l));
        if (const std::size_t count = in_flight(); count > this->in_flight_most_)
            this->in_flight_most_ = count;
    }
    void lose() { ++this->lost_; }
    std::size_t alive_now() const { return lives_.alive_now(); }
    std::size_t in_flight() const { return under_way_.size() + waiting_; }
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
            for (letter& l : arriving_) released_.push_back(std::move(l));
            arriving_.swap(released_);
            released_.clear();
            waiting_ = held_.size();
        }
        const auto hand_over = [&](std::size_t i) { arrive(arriving_[i]); };
        if ((Topology::one_inlet && !this->order_.shuffles()) || arriving_.size() == 1)
            for (std::size_t i = 0; i < arriving_.size(); ++i) hand_over(i);
        else if (!arriving_.empty())
            this->order_.visit(arriving_, this->nodes(), hand_over);
        if (!timers_by_hand_) this->expire_timers();
        if (detection_) speak(this->now_, lives_);
    }

    void arrive(const letter& l) {
        if ((links_ || detection_ || !lives_.all_usual()) && !reaches(l)) return;
        this->active_at_ = this->now_;
        if (this->tally_.detailed()) this->tally_.received_in_detail(l.to, l.chain);
        this->deliver(node{l.to}, l.inlet(), l.message);
    }
    /// Unless the link is cut or clogged, or the node dead or paused.
    bool reaches(const letter& l) {
        simulation::arc_ends way{};
        if (links_ || (detection_ && detection_->counts())) way = way_of(l);
        switch (meets(way, l.to, this->now_, arcs(), lives_)) {
            case passage::arrives: return true;
            case passage::waits:
                held_.push_back(letter{l});
                ++waiting_;
                return false;
            case passage::crashes_its_receiver: crash_now(l.to); break;
            case passage::is_lost: break;
        }
        lose();
        return false;
    }
    simulation::arc_ends way_of(const letter& l) { return arcs().entering(node{l.to}, l.inlet()); }
    /// What waited for the dead, in front of a clogged link or because it was paused.
    void lose_held(std::size_t v) {
        erase_where(held_, [&](const letter& l) {
            if (l.to != v) return false;
            if (detection_) detection_->gone(arcs(), way_of(l), this->now_, lives_);
            lose();
            return true;
        });
        waiting_ = held_.size() + released_.size();
    }
    /// Whatever need not wait any longer gets another chance, in the old order.
    void release_held() override {
        for (letter& l : held_) released_.push_back(std::move(l));
        held_.clear();
    }

    void tell(node v, const caucus::suspect& word) override { rouse(v, word); }
    void tell(node v, const caucus::trust& word) override { rouse(v, word); }

    bool is_at(std::size_t v, stage s) const {
        this->check_node(v);
        return lives_.stage_of(v) == s;
    }
    void be_absent(std::size_t v) override {
        lives_[v] = {.now = stage::absent};
        faults_.end_all(kind::pause, v);   // one that was written first
        this->note_absence(node{v});
    }
    void stand_still(std::size_t v) override { lives_.pause(v, this->timers_); }
    void start_if_asked(std::size_t v) {
        if (std::exchange(lives_[v].start_waits, false))
            if constexpr (takes<process_type, request::start, environment>) start(v);
    }

    void suffer_faults() {
        interference::suffer_faults(this->now_, lives_, arcs(), this->lots_.seed());
    }
    void suffer(const simulation::happening& f) {
        interference::suffer(f, lives_, arcs(), this->lots_.seed());
    }
    auto arcs() {
        using view = simulation::arc_view_of<Topology>;
        if constexpr (!view::is_two_way)
            if (sources_.empty()) sources_ = view{this->topology_, sources_}.sources();
        return view{this->topology_, sources_};
    }
    simulation::disturbances& links() {
        return interference::links(arcs(), this->lots_.seed());
    }

    ticks local_time(node v) const {
        return lives_.all_clocks_right() ? this->now_ : lives_.clock(v).local(this->now_);
    }
    simulation::drifting_clock::deadline deadline(node v, ticks delay) const {
        return lives_.all_clocks_right() ? base::deadline(v, delay)
                                         : lives_.clock(v).due(this->now_, delay);
    }

    void tell_of(std::size_t v, const auto& word) {
        this->check_node(v);
        if (word.whom >= this->topology_.degree(node{v}))
            refuse("events: node ", v, " has no port ", word.whom.index());
        if (!alive(v)) return;
        if (paused(v)) refuse("events: node ", v, " is paused and hears nothing");
        rouse(node{v}, word);
        this->sort_outcomes();
    }
    /// What may begin another election, if anything follows from it.
    void rouse(node v, const auto& in) {
        const std::uint64_t before = this->effects();
        this->handle(v, in);
        if (this->effects() != before) this->began_again_ = true;
    }

    /// Does node v crash in mid-handler before it gets what it asks for, or has it just done so?
    bool dies_before(node v, bool is_send) { return !orders_.unused() && is_struck(v, is_send); }
    bool is_struck(node v, bool is_send) {
        if (!lives_.alive(v)) return true;
        if (!orders_.strikes(v, is_send)) return false;
        fallen_.fall(v, this->processes_[v]);
        crash_now(v);
        return true;
    }
    void send(node from, port p, const auto& m) {
        if (!dies_before(from, true)) base::send(from, p, m);
    }
    void arm(node v, const typename base::timer& t, ticks delay) {
        if (!dies_before(v, false)) base::arm(v, t, delay);
    }
    void disarm(node v, const typename base::timer& t) {
        if (!dies_before(v, false)) base::disarm(v, t);
    }
    void note(node v, const typename base::outcome& o) {
        if (!dies_before(v, false)) base::note(v, o);
    }
    std::size_t choose(node v, std::size_t k) { return coins_ ? coins_(v, k) : base::choose(v, k); }
    void keep(node v, const typename base::kept& value) {
        if (!dies_before(v, false)) lives_.keep(v, value);
    }

    std::function<process_type(node)> make_;   // for those who restart
    simulation::agenda<letter> under_way_;
    std::vector<letter> arriving_;
    std::vector<letter> held_;       // at the end of clogged links and before paused nodes
    std::vector<letter> released_;   // of those, what may arrive now
    std::size_t waiting_ = 0;        // both, counted: asked for with every message
    simulation::lives<typename base::timer, typename base::kept> lives_{this->nodes()};
    simulation::midway<process_type> fallen_;
};

template <class Topology, class Make>
events(Topology, Make, events_options = {}) -> events<Topology, simulation::made_by_t<Make>>;
template <class Topology, class Make, class Observer>
events(Topology, Make, events_options, Observer)
    -> events<Topology, simulation::made_by_t<Make>, Observer>;

}  // namespace caucus
