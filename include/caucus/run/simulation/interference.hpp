// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/compiled.hpp>
#include <caucus/core/error.hpp>
#include <caucus/core/input.hpp>
#include <caucus/run/delay.hpp>
#include <caucus/run/detection.hpp>
#include <caucus/run/faults.hpp>
#include <caucus/run/simulation/detection.hpp>
#include <caucus/run/simulation/fault_schedule.hpp>
#include <caucus/run/simulation/life_records.hpp>
#include <caucus/run/simulation/midway.hpp>
#include <caucus/run/simulation/transit.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace caucus::simulation {

/// What comes between a simulation's nodes: delays, faults, the state of links, detectors. The part
/// of `events` that depends neither on the process nor on the topology, so it is compiled once.
/// What it means for the processes is for `events` to say.
class interference {
protected:
    using kind = fault_plan::kind;
    using stage = life_records::stage;
    enum class passage : unsigned char { arrives, waits, is_lost, crashes_its_receiver };

    using coin_tosses = std::function<std::size_t(node, std::size_t)>;
    using copy_counts = std::function<std::size_t(const hop&)>;

    interference(transit way, bool timers_by_hand, coin_tosses coins, copy_counts copies);

    /// Plans the faults, and sets the detectors to work.
    void begin(fault_plan faults, detector_model detector, const arc_view& arcs,
               std::uint64_t seed);

    virtual void crash_now(std::size_t v) = 0;
    virtual void restart(std::size_t v) = 0;
    virtual void forget(std::size_t v) = 0;   // what it has kept
    virtual void be_absent(std::size_t v) = 0;
    virtual void arrive(std::size_t v) = 0;
    virtual void stand_still(std::size_t v) = 0;
    virtual void resume(std::size_t v) = 0;
    virtual void release_held() = 0;
    virtual void tell(node v, const suspect& word) = 0;
    virtual void tell(node v, const trust& word) = 0;

    void suffer(const happening& f, life_records& lives, const arc_view& arcs, std::uint64_t seed);
    /// What is planned for now.
    void suffer_faults(ticks now, life_records& lives, const arc_view& arcs, std::uint64_t seed);
    void leave(std::size_t v, life_records& lives);
    void heal(life_records& lives);
    /// What the detectors have to say now.
    void speak(ticks now, life_records& lives);
    static const char* why_silent(std::size_t v, const life_records& lives);
    disturbances& links(const arc_view& arcs, std::uint64_t seed) {
        if (!links_) links_.emplace(arcs, seed);
        return *links_;
    }

    /// Of a copy that has come to the end of its way.
    passage meets(const arc_ends& way, std::size_t to, ticks now, const arc_view& arcs,
                  const life_records& lives);
    /// Of a message that sets out, over links that may be out of order.
    transit::fate sets_out(const hop& h, lots& chance);

    transit transit_;
    bool timers_by_hand_;
    coin_tosses coins_;
    copy_counts copies_;
    fault_schedule faults_;
    midway_orders orders_;
    std::vector<happening> faults_now_;
    std::vector<arc_ends> sources_;   // from here on: if something goes wrong
    std::optional<disturbances> links_;
    std::optional<detection> detection_;
    std::vector<detection::word> words_;

    ~interference();   // compiled once, like the rest
    interference(const interference&);
    interference(interference&&);
    interference& operator=(const interference&);
    interference& operator=(interference&&);
};

#ifdef CAUCUS_INLINE
CAUCUS_INLINE interference::interference(transit way, bool timers_by_hand, coin_tosses coins,
                                         copy_counts copies)
    : transit_(std::move(way)), timers_by_hand_(timers_by_hand), coins_(std::move(coins)),
      copies_(std::move(copies)) {}
CAUCUS_INLINE interference::~interference() = default;
CAUCUS_INLINE interference::interference(const interference&) = default;
CAUCUS_INLINE interference::interference(interference&&) = default;
CAUCUS_INLINE interference& interference::operator=(const interference&) = default;
CAUCUS_INLINE interference& interference::operator=(interference&&) = default;

CAUCUS_INLINE void interference::begin(fault_plan faults, detector_model detector,
                                       const arc_view& arcs, std::uint64_t seed) {
    if (!faults.faults().empty()) faults_.plan(std::move(faults), arcs);
    if (detector.watches()) detection_.emplace(detector, arcs, seed);
}
CAUCUS_INLINE void interference::suffer_faults(ticks now, life_records& lives,
                                               const arc_view& arcs, std::uint64_t seed) {
    faults_.take(now, faults_now_);
    for (const happening& f : faults_now_) suffer(f, lives, arcs, seed);
}
CAUCUS_INLINE void interference::suffer(const happening& f, life_records& lives,
                                        const arc_view& arcs, std::uint64_t seed) {
    switch (f.what) {
        case kind::crash:
            if (const auto sends = faults_.sends_before(f))
                return orders_.order(f.node, midway_orders::counted::sends, *sends);
            return crash_now(f.node);
        case kind::amnesia:
            if (!lives.alive(f.node)) forget(f.node);
            [[fallthrough]];
        case kind::restart:
            return lives.stage_of(f.node) == stage::crashed ? restart(f.node) : void();
        case kind::absent: return be_absent(f.node);
        case kind::arrive:
            return lives.stage_of(f.node) == stage::absent ? arrive(f.node) : void();
        case kind::leave: return leave(f.node, lives);
        case kind::pause:
            if (!lives.alive(f.node)) return;
            faults_.begin(f);
            return stand_still(f.node);
        case kind::resume: return faults_.end(f) ? resume(f.node) : void();
        case kind::heal: links(arcs, seed); return heal(lives);
        default:
            if (faults_.pass(f, links(arcs, seed), arcs)) release_held();
    }
}
CAUCUS_INLINE void interference::leave(std::size_t v, life_records& lives) {
    if (lives.stage_of(v) == stage::absent)
        refuse("events: node ", v, why_silent(v, lives), "cannot leave");
    crash_now(v);
    lives[v].now = stage::left;
}
CAUCUS_INLINE void interference::heal(life_records& lives) {
    if (links_) links_->heal();
    faults_.heal();
    for (std::size_t v = 0; v < lives.size(); ++v) resume(v);
    release_held();
}
CAUCUS_INLINE void interference::speak(ticks now, life_records& lives) {
    detection_->take(now, words_);
    for (const detection::word& w : words_) {
        if (!detection_->is_news(w, lives)) continue;
        const incarnation life = detection_->life_in(w, lives);
        if (w.suspected) tell(w.view.from, suspect{w.view.out, life});
        else tell(w.view.from, trust{w.view.out, life});
    }
}
CAUCUS_INLINE const char* interference::why_silent(std::size_t v, const life_records& lives) {
    switch (lives.stage_of(v)) {
        case stage::absent: return " is not there yet and ";
        case stage::left: return " has left and ";
        default: return " has crashed and ";
    }
}
CAUCUS_INLINE interference::passage interference::meets(const arc_ends& way, std::size_t to,
                                                        ticks now, const arc_view& arcs,
                                                        const life_records& lives) {
    const bool dead = !lives.alive(to);
    const bool severed = links_ && links_->severed(way.arc, way.from, way.to);
    if (!dead && !severed && ((links_ && links_->clogged(way.arc)) || lives.paused(to)))
        return passage::waits;
    if (detection_) detection_->gone(arcs, way, now, lives);
    if (dead || severed) return passage::is_lost;
    return links_ && faults_.strikes(node{to}, now, *links_) ? passage::crashes_its_receiver
                                                             : passage::arrives;
}
CAUCUS_INLINE transit::fate interference::sets_out(const hop& h, lots& chance) {
    const transit::fate f = transit_.over(*links_, faults_, h, chance);
    for (std::size_t i = 0; detection_ && i < f.copies; ++i) detection_->sent(h.arc, h.sent);
    return f;
}
#endif

}  // namespace caucus::simulation
