// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/layer.hpp>

#include <cstddef>
#include <tuple>
#include <utility>
#include <variant>

/// Whoever is elected on a one-way ring is number 1, and gives out the others: its neighbour is 2,
/// and so on. One lap, n messages; an announcement by P would cost as much, and say less.
///
/// `P`       an election that need not know ids and is silent: itai_rodeh{n, silent{}}.
template <class P>
class giving_ids : public caucus::layer_over<giving_ids<P>, P> {
    using base = caucus::layer_over<giving_ids, P>;
    friend base;

public:
    struct ballot { typename P::message message; };
    using carried = ballot;
    struct given { std::size_t id; };
    using message = std::variant<ballot, given>;
    using timer = typename P::timer;
    using outcome = typename P::outcome;
    template <class Env>
    using inside = caucus::renaming_environment<giving_ids, Env>;
    static constexpr caucus::model assumes = caucus::assumptions_of<P>();

    explicit giving_ids(P election) : base(std::move(election)) {}

    using base::on;
    void on(const given& g, caucus::port, auto& env) {
        if (id_given_ == 0) take(g.id, env);   // else it is the leader: the lap is complete
    }

    /// 0: none as yet.
    std::size_t id_given() const { return id_given_; }
    static constexpr auto fields(auto& self) { return std::tie(self.process_, self.id_given_); }

private:
    void run_inside(auto& env, auto act) {
        base::run_inside(env, act);
        if (this->is_leader() && id_given_ == 0) take(1, env);
    }
    void take(std::size_t mine, auto& env) {
        id_given_ = mine;
        env.send(caucus::next, given{mine + 1});
    }

    std::size_t id_given_ = 0;
};
