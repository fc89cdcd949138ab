// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/dispatch.hpp>
#include <caucus/core/error.hpp>
#include <caucus/core/print.hpp>
#include <caucus/core/process.hpp>
#include <caucus/run/exploration/alarms.hpp>
#include <caucus/run/exploration/decisions.hpp>
#include <caucus/run/exploration/handler_memo.hpp>
#include <caucus/run/exploration/lookalikes.hpp>
#include <caucus/run/exploration/value_tables.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace caucus::exploration {

template <class P>
concept asks_for_the_time__explore_cannot_tell_it = !reads_clock<P>;


/// An environment that writes down what a handler does. The i-th coin falls on script[i], and on
/// side 0 after the script. With each effect it notes what `whose` is at that moment, if given.
template <class P>
class recorder {
public:
    recorder(value_tables<P>& values, std::size_t degree, std::vector<std::uint32_t>& script,
             std::vector<std::uint32_t>& sides, const P* whose = nullptr)
        : values_(values), degree_(degree), script_(script), sides_(sides), whose_(whose) {}

    std::size_t degree() const { return degree_; }
    void send(port p, const typename P::message& m) {
        if (p.index() >= degree_)
            refuse("explore: a process sends on port ", p.index(), " and has ", degree_);
        add({effect::kind::send, static_cast<std::uint16_t>(p.index()),
             values_.messages.index_of(m)});
        ++sends;
    }
    void broadcast(const typename P::message& m) {
        for (const port p : ports(degree_)) send(p, m);
    }
    void arm(const typename P::timer& t, ticks delay) {
        if (delay == never) return disarm(t);
        if (caucus::exploration::is_decision(t)) delay = whenever;
        else if (delay == whenever) --delay;   // as good as
        add({effect::kind::arm, 0, values_.timer_values.index_of(t), delay == 0 ? 1 : delay});
    }
    void disarm(const typename P::timer& t) {
        add({effect::kind::disarm, 0, values_.timer_values.index_of(t)});
    }
    void report(const typename P::outcome& o) {
        add({effect::kind::report, 0, values_.outcomes.index_of(o)});
    }
    void keep(const kept_by<P>& value) {
        add({effect::kind::keep, 0, values_.kept_values.index_of(value)});
    }
    std::size_t choose(std::size_t k) {
        if (k == 0) refuse("explore: a process chooses among none");
        if (k > sides_most)
            refuse("explore: a process chooses among ", k, ", and ", sides_most, " at most");
        if (tossed_ == script_.size()) script_.push_back(0);
        if (tossed_ == sides_.size()) sides_.push_back(0);
        sides_[tossed_] = static_cast<std::uint32_t>(k);
        // A lookalike may have fewer sides than the one whose script it is given.
        const std::uint32_t side = script_[tossed_++];
        return side < k ? side : k - 1;
    }
    template <class Self = recorder>
    ticks now() const {
        static_assert(!sizeof(Self), "asks_for_the_time__explore_cannot_tell_it");
        return 0;
    }

    std::vector<effect> effects;
    std::uint32_t sends = 0;
    std::size_t tosses() const { return tossed_; }

private:
    static constexpr std::size_t sides_most = std::size_t{1} << 20;   // each is a state to visit

    void add(effect e) {
        if (whose_ != nullptr) e.asker = values_.processes.index_of(*whose_) + 1;
        effects.push_back(e);
    }

    value_tables<P>& values_;
    std::size_t degree_;
    std::vector<std::uint32_t>& script_;
    std::vector<std::uint32_t>& sides_;
    const P* whose_;
    std::size_t tossed_ = 0;
};

/// Requests come from applications: without one, a process that only waits for them does nothing.
template <class P>
concept nothing_starts_it__wrap_the_process_in_client =
    takes<P, request::start, recorder<P>>;

/// The handlers of P, and the tables of all its values.
template <class P>
class handlers final : private value_tables<P>, public handler_memo {
    using origin = typename lookalikes_of<P>::origin;

public:
    /// `notes_askers`: what a process is in the middle of a handler will matter, because it can
    /// crash there and be looked at afterwards.
    /// `degrees`: of the nodes, where they are known.
    explicit handlers(std::function<P(node)> make, bool notes_askers = false,
                      std::vector<std::size_t> degrees = {})
        : handler_memo({kinds_of<typename P::timer> != 0, !std::is_same_v<kept_by<P>, nothing>,
                        requires(P p, suspect s, recorder<P>& env) { p.on(s, env); },
                        requires(P p, trust t, recorder<P>& env) { p.on(t, env); },
                        decides<typename P::timer>()},
                       value_tables<P>::processes, value_tables<P>::messages,
                       value_tables<P>::timer_values),
          make_(std::move(make)), notes_askers_(notes_askers), degrees_(std::move(degrees)) {}

    value_tables<P>& values() { return *this; }
    const value_tables<P>& values() const { return *this; }

    std::uint32_t made(node v) override {
        P p = make_(v);
        const std::size_t before = values().processes.size();
        const std::uint32_t index = values().processes.index_of(p);
        if (v.index >= was_made_.size()) was_made_.resize(v + 1, 0);
        if (was_made_[v] != 0) return index;
        was_made_[v] = 1;
        if (index == before) {
            makers_.push_back({index, v});
            if (P twin = make_(v); caucus::same(p, twin))
                remember(index, std::move(twin), {v, v}, origin::made, degree_of(v));
        } else {
            remember(index, std::move(p), {maker_of(index), v}, origin::made, degree_of(v));
        }
        return index;
    }
    void print_process(std::string& to, std::uint32_t index) const override {
        caucus::print(to, values().processes[index]);
    }
    void print_message(std::string& to, std::uint32_t index) const override {
        caucus::print(to, values().messages[index]);
    }
    void print_timer(std::string& to, std::uint32_t index) const override {
        caucus::print(to, values().timer_values[index]);
    }

    bool is_decision(std::uint32_t timer) const override {
        return caucus::exploration::is_decision(values().timer_values[timer]);
    }

    ending once(std::uint32_t process, std::size_t degree, stimulus in,
                std::vector<std::uint32_t>& script,
                std::vector<std::uint32_t>& sides) override {
        P p = values().processes[process];
        const std::size_t before = values().processes.size();
        ending e = act(p, degree, in, script, sides);
        // It was known before, by a value that may differ in what is not described.
        if (e.process < before) remember(e.process, std::move(p), {}, origin::met, degree);
        return e;
    }

    std::size_t lookalikes(std::uint32_t process) const override {
        return others_.count(process);
    }
    ending again(std::uint32_t process, std::size_t i, std::size_t degree, stimulus in,
                 std::vector<std::uint32_t>& script, std::vector<std::uint32_t>& sides) override {
        const auto* other = others_.find(process, i);
        // One that was made for another degree has never been told to act with this one.
        if (other == nullptr || !other->fits(degree)) {
            P p = values().processes[process];
            return act(p, degree, in, script, sides);
        }
        P p = *other->value;
        const makers by = other->made_by;
        ending e = act(p, degree, in, script, sides);
        if (by.are_two_nodes()) remember(e.process, std::move(p), by, origin::inherited, degree);
        else remember(e.process, std::move(p), {}, origin::met, degree);
        return e;
    }
    std::string pair_of(std::uint32_t process, std::size_t i) const override {
        return others_.find(process, i)->made_by.text();
    }

private:
    ending act(P& p, std::size_t degree, stimulus in, std::vector<std::uint32_t>& script,
               std::vector<std::uint32_t>& sides) {
        recorder<P> env{values(), degree, script, sides, notes_askers_ ? &p : nullptr};
        const port at{in.port};
        switch (in.what) {
            case stimulus::kind::start:
                if constexpr (takes<P, request::start, recorder<P>>)
                    static_cast<void>(dispatch(p, request::start{}, env));
                break;
            case stimulus::kind::arrival: {
                const typename P::message m = values().messages[in.value];
                dispatch(p, m, at, env);
                break;
            }
            case stimulus::kind::expiry: {
                const typename P::timer t = values().timer_values[in.value];
                dispatch(p, expiry<typename P::timer>{t}, env);
                break;
            }
            case stimulus::kind::suspect:
                dispatch(p, suspect{at, incarnation{in.life}}, env);
                break;
            case stimulus::kind::trust: dispatch(p, trust{at, incarnation{in.life}}, env); break;
            case stimulus::kind::recovered: {
                recovered<kept_by<P>> r{{in.life}, std::nullopt};
                if (in.value != 0) r.last = values().kept_values[in.value - 1];
                dispatch(p, r, env);
                break;
            }
        }
        ending e;
        script.resize(env.tosses());
        e.coins = script;
        e.process = values().processes.index_of(p);
        e.effects = std::move(env.effects);
        e.sends = env.sends;
        return e;
    }

    std::size_t degree_of(node v) const {
        return v < degrees_.size() ? degrees_[v] : lookalikes_of<P>::any_degree;
    }
    void remember(std::uint32_t process, P&& other, makers by, origin from, std::size_t degree) {
        others_.add(process, std::move(other), by, from, degree);
        other_bytes_ = others_.bytes();
    }
    std::optional<node> maker_of(std::uint32_t index) const {
        for (const auto& [made, v] : makers_)
            if (made == index) return v;
        return std::nullopt;
    }

    std::function<P(node)> make_;
    bool notes_askers_;
    std::vector<std::size_t> degrees_;                         // of the nodes
    std::vector<std::uint32_t> was_made_;                      // for each node: 1 if it was
    std::vector<std::pair<std::uint32_t, node>> makers_;       // of a process, the first of them
    lookalikes_of<P> others_;
};

}  // namespace caucus::exploration
