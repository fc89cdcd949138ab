// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/layer.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace support {

/// A layer that knows, of each request to enter, which requests of others had happened before it:
/// by messages of P, all of which carry what their sender knows, and by remarks from application to
/// application, which P never sees. To be put between a client and P.
///
/// `remarks` how often a node that has asked tells its neighbours so, at a time of its own choice
template <class P>
class witness : public caucus::layer_over<witness<P>, P> {
    using base = caucus::layer_over<witness, P>;
    friend base;
    using base::process_;

public:
    /// How many requests of each node have happened before.
    using past = std::vector<std::uint8_t>;

    struct remark { past known; };
    struct carried {
        typename P::message message;
        past known;
    };
    struct speak { static constexpr bool is_decision = true; };
    using message = std::variant<remark, carried>;
    using timer = caucus::timers_over<P, speak>;
    using outcome = typename P::outcome;
    template <class Env>
    class inside;

    static constexpr caucus::model assumes = caucus::assumptions_of<P>();
    static constexpr std::size_t timers(std::size_t degree) {
        return 1 + caucus::detail::timers_armed_by<P>(degree);
    }

    witness(P process, std::size_t self, std::size_t nodes, std::uint8_t remarks)
        : base(std::move(process)), self_(self), remarks_left_(remarks), known_(nodes, 0),
          before_(nodes, 0) {}

    using base::on;
    caucus::answer on(const caucus::request::enter& r, auto& env) {
        const past before = known_;
        ++known_[self_];
        const caucus::answer said = base::ask(r, env);
        if (said != caucus::answer::accepted) return known_ = before, said;
        before_ = before;
        if (remarks_left_ != 0) env.arm(timer{speak{}}, 1);
        return said;
    }
    caucus::answer on(const caucus::request::cancel& r, auto& env) {
        const caucus::answer said = base::ask(r, env);
        served_ = static_cast<std::uint8_t>(served_ + (said == caucus::answer::accepted));
        return said;
    }
    void on(const carried& c, caucus::port from, auto& env) {
        learn(c.known);
        run_inside(env, [&](auto& within) {
            caucus::dispatch(process_, c.message, from, within);
        });
    }
    void on(const remark& r, caucus::port, auto&) { learn(r.known); }
    void on(speak, auto& env) {
        --remarks_left_;
        env.broadcast(message{remark{known_}});
    }

    /// How many of its requests have been granted, or cancelled.
    std::size_t served() const { return served_; }
    /// What had happened before its last request.
    const past& before_its_request() const { return before_; }

    static auto fields(auto& self) {
        return std::tie(self.process_, self.self_, self.remarks_left_, self.known_, self.before_,
                        self.served_, self.was_inside_);
    }

private:
    void run_inside(auto& env, auto act) {
        base::run_inside(env, act);
        if (process_.holds() && !was_inside_) ++served_;
        was_inside_ = process_.holds();
    }
    void learn(const past& of_another) {
        for (std::size_t v = 0; v < known_.size(); ++v)
            if (known_[v] < of_another[v]) known_[v] = of_another[v];
    }

    std::size_t self_;
    std::uint8_t remarks_left_;
    past known_;
    past before_;
    std::uint8_t served_ = 0;
    bool was_inside_ = false;
};

template <class P>
template <class Env>
class witness<P>::inside final
    : public caucus::inner_environment<typename witness<P>::template inside<Env>, witness, Env> {
    using base_environment = caucus::inner_environment<inside, witness, Env>;

public:
    inside(Env& outer, const witness& whose) : base_environment(outer), whose_(whose) {}

    void send(caucus::port p, const typename P::message& m) {
        this->outer_.send(p, message{carried{m, whose_.known_}});
    }

private:
    const witness& whose_;
};

/// Requests are served in the order in which they happened: whoever is inside came after all that
/// had asked before it. Of client{witness{…}}.
struct in_causal_order {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v) {
            if (!g[v].holds()) continue;
            const auto& before = g[v].process().before_its_request();
            for (std::size_t u = 0; u < g.nodes(); ++u)
                if (u != v && g[u].process().served() < before[u]) return false;
        }
        return true;
    }
};

}  // namespace support
