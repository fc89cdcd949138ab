// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/heard_lives.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/core/process.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <variant>

namespace caucus {

/// An outcome: where this node now hangs in the tree, so many hops from the root; or nowhere.
struct placed {
    std::optional<std::uint32_t> level;
};

struct spanning_tree_options {
    /// To so many a node connects at first; to all, if those are in vain.
    std::size_t connections_most = ~std::size_t{0};
};

/// Nodes that join ask a registry who is there, connect to some, and hang themselves from the one
/// nearest to the root; who loses its parent takes another that is surely not below itself, or
/// first lets go of all that is.
///
/// Model     complete network in ring order (port p leads to the (p+1)-th successor), no ids;
///           reliable links, fifo, none twice; a registry that stays alive, and a failure detector
///           that has the last word: it suspects the dead after all that they have sent
/// Safety    parents never form a circle; at most one root
/// Liveness  every live node that has joined hangs below the root, one hop further than its parent
/// Cost      to join with c connections 2 + 2c, and c-1 to tell the level; to take another parent
///           one level each for those connected, in the whole subtree
/// Faults    any number of crashes, of lost links to a parent, and of lives after a crash that all
///           have noticed; a live child given up for dead can close a circle, and a live root given
///           up by the registry makes two, both for a while: until it hears of it
/// Source    without circles as in Garcia-Luna-Aceves, IEEE/ACM Trans. Networking 1(1), 1993 (DUAL)
///
/// storage   heap_storage or inplace_storage<ports>. Default heap_storage: any number of nodes.
template <class... Policies>
class spanning_tree {
    static_assert(roles<storage>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using store = policy<storage, heap_storage, Policies...>;
    template <class T>
    using sequence = typename store::template sequence<T>;

public:
    struct enrol {};
    struct members { sequence<port> present; };   // the addressee's ports; empty: be the root
    struct connect {};
    struct accept { std::optional<std::uint32_t> level; };
    struct level { std::uint32_t hops; };
    struct detach { std::uint32_t nth; };
    struct detach_ack { std::uint32_t nth; };     // the sender no longer hangs below the addressee
    struct cut {};   // the sender takes the link for broken, or has not joined; the registry: has
                     // struck you off
    using message = std::variant<enrol, members, connect, accept, level, detach, detach_ack, cut>;
    using timer = nothing;
    using outcome = outcome_within<placed, store>;

    static constexpr model assumes = {shape::complete, perfect_links, naming::anonymous};

    /// A registry, for those who are given the port to it: it never joins itself. Or take your own:
    ///
    /// Syntax     a process at the end of that port that takes enrol, and sends members and cut
    /// Semantics  those present stand in line, newcomers last, and the first is the root. It
    ///            answers enrol with all who stand before, at least; who stands first gets an empty
    ///            list, also if it comes to be the first; whom it gives up for dead it strikes off,
    ///            and sends a cut
    /// Models     this one, which names all who are present; `elders` in tests/wave/registry.cpp
    /// Laws       to enrol twice is to enrol once; nobody overtakes; who is cut has lost its place
    constexpr spanning_tree() = default;
    template <detail::fits_one_of<Policies...> First>
    constexpr explicit spanning_tree(First) {}
    /// One that will join, by the registry behind that port.
    template <class... Given>
        requires(... && detail::fits_one_of<Given, Policies...>)
    constexpr explicit spanning_tree(port registry, spanning_tree_options options = {}, Given...)
        : registry_(registry), connections_most_(options.connections_most) {}
    /// The same, with all options left out.
    template <detail::fits_one_of<Policies...> First>
    constexpr explicit spanning_tree(port registry, First) : spanning_tree(registry) {}
    /// The same, with connections_most alone.
    template <std::integral Connections>
    constexpr explicit spanning_tree(port registry, Connections most)
        : spanning_tree(registry, spanning_tree_options{static_cast<std::size_t>(most)}) {}

    constexpr void start(environment_for<spanning_tree> auto& env) {
        if (!is_absent() || !registry_ || overflows<store, outcome>(env)) return;
        levels_.resize(env.degree(), std::nullopt);
        ask_registry(env);
    }

    constexpr void on(enrol, port from, environment_for<spanning_tree> auto& env) {
        if (overflows<store, outcome>(env)) return;
        suspected_.erase(from);   // it is alive; and when it dies, that has to count
        bool is_new = true;
        for (const port p : enrolled_) is_new = is_new && p != from;
        if (is_new) enrolled_.push_back(from);
        env.send(from, members_for(from, env));
    }

    constexpr void on(const members& m, port from, environment_for<spanning_tree> auto& env) {
        if (is_absent() || from != registry_) return;   // whoever else names a root makes two
        if (m.present.size() == 0) return become_root(env);
        if (phase_ == phase::attached || phase_ == phase::detaching) return;
        phase_ = phase::connecting;
        std::size_t left = connections_most_;
        for (std::size_t i = m.present.size(); i > 0 && left > 0; --i) {
            const port p = m.present[i - 1];
            if (p >= env.degree()) continue;   // nobody is there who could answer
            // Connected already; but ask again where the other end may not know of it.
            if (!neighbours_.insert(p) && !strangers_.erase(p)) continue;
            // A suspect is not waited for; it is asked when it is trusted again.
            if (suspected_.contains(p)) continue;
            pending_.insert(p);
            env.send(p, connect{});
            --left;
        }
        when_all_answered(env);
    }

    constexpr void on(connect, port from, environment_for<spanning_tree> auto& env) {
        // The asker must not wait: it is told to ask again later. A registry just accepts.
        if (is_absent()) return registry_ ? env.send(from, cut{}) : env.send(from, accept{});
        acquit(from);   // it is alive; and it has to be told when this node lets go
        neighbours_.insert(from);
        env.send(from, accept{level_});
    }
    constexpr void on(accept m, port from, environment_for<spanning_tree> auto& env) {
        if (is_absent()) return;
        levels_[from] = m.level;
        // While detaching, `pending_` holds detach_acks that are awaited, not accepts.
        if (phase_ == phase::connecting && pending_.erase(from)) when_all_answered(env);
        else look_for_parent(env);
    }

    constexpr void on(level m, port from, environment_for<spanning_tree> auto& env) {
        if (is_absent()) return;
        levels_[from] = m.hops;
        look_for_parent(env);
    }

    constexpr void on(detach m, port from, environment_for<spanning_tree> auto& env) {
        if (!is_absent()) levels_[from].reset();
        if (!hangs_from(from)) return env.send(from, detach_ack{m.nth});
        owed_ = debt{from, m.nth};
        look_for_parent(env);
        // Else acknowledge only when all below have let go: the sender could hang from one of them.
        if (phase_ == phase::attached) pay(env);
    }
    constexpr void on(detach_ack m, port from, environment_for<spanning_tree> auto& env) {
        // It answers an earlier detach: its sender may hang from here again since.
        if (phase_ != phase::detaching || m.nth != detached_) return;
        if (pending_.erase(from)) when_all_answered(env);
    }

    constexpr void on(suspect s, environment_for<spanning_tree> auto& env) {
        if (!store::holds(env.degree()) || lives_.is_late(s)) return;
        if (!suspected_.insert(s.whom)) return;
        strike_off(s.whom, env);
        // Its detach_ack will not be awaited; so, should it be alive, it must not hang from here.
        if (neighbours_.contains(s.whom)) env.send(s.whom, cut{});
        if (owed_ && owed_->to == s.whom) owed_.reset();   // the cut serves as detach_ack
        if (hangs_from(s.whom)) look_for_parent(env);
        if (pending_.erase(s.whom)) when_all_answered(env);
    }
    constexpr void on(cut, port from, environment_for<spanning_tree> auto& env) {
        if (is_absent()) return;
        levels_[from].reset();
        if (neighbours_.contains(from)) strangers_.insert(from);
        if (hangs_from(from)) look_for_parent(env);
        if (pending_.erase(from)) when_all_answered(env);   // no other answer will come
        if (from != registry_) return;
        // The registry has struck it off: another node may be the root now, and newcomers are not
        // told of this one.
        if (is_root()) let_go(env);
        if (phase_ != phase::enrolling) env.send(*registry_, enrol{});
    }
    constexpr void on(trust t, environment_for<spanning_tree> auto& env) {
        if (!store::holds(env.degree()) || lives_.is_late(t)) return;
        if (!acquit(t.whom) || !neighbours_.contains(t.whom)) return;
        env.send(t.whom, connect{});
        if (level_) env.send(t.whom, level{*level_});
    }

    constexpr bool is_attached() const { return phase_ == phase::attached; }
    constexpr bool is_root() const { return level_ == std::uint32_t{0}; }
    /// Hops from the root.
    constexpr std::optional<std::uint32_t> hops() const { return level_; }
    constexpr std::optional<port> parent() const {
        return is_attached() && !is_root() ? std::optional<port>{parent_} : std::nullopt;
    }
    constexpr bool suspects(port p) const { return suspected_.contains(p); }

    constexpr const char* objection(std::size_t degree) const {
        const bool can_ask = !registry_ || *registry_ < degree;
        return can_ask ? nullptr : "spanning_tree: the registry is behind a port that is not there";
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.phase_, self.level_, self.parent_, self.levels_,
                        self.neighbours_, self.strangers_, self.suspected_, self.lives_,
                        self.pending_,
                        self.detached_, self.owed_, self.connections_most_, self.registry_,
                        self.enrolled_);
    }

private:
    enum class phase : std::uint8_t { absent, enrolling, connecting, waiting, attached, detaching };
    struct debt {
        port to;
        std::uint32_t nth;
    };
    static constexpr std::size_t all_of_them = ~std::size_t{0};
    static constexpr std::uint32_t level_most = ~std::uint32_t{0};

    /// Not here, or not any more: who has crashed and come back gets what was meant for its past.
    constexpr bool is_absent() const { return phase_ == phase::absent; }
    constexpr bool hangs_from(port p) const { return parent() == p; }
    /// What was last heard of a suspect may be of its past, if it has crashed and come back.
    constexpr bool acquit(port p) {
        if (!suspected_.erase(p)) return false;
        if (!is_absent()) levels_[p].reset();
        return true;
    }

    /// The nearest to the root of those surely not below: a node that hangs below this one is
    /// further than it, and as long as a node hangs its level only falls (else DUAL's feasible
    /// distance would be the least it had). Who hangs nowhere has nobody below.
    constexpr std::optional<port> nearest() const {
        std::optional<port> found;
        for (const port p : ports(levels_.size())) {
            if (suspected_.contains(p) || !levels_[p]) continue;
            if (*levels_[p] == level_most) continue;   // one hop further would be level 0: a root
            if (level_ && *levels_[p] >= *level_) continue;
            if (!found || *levels_[p] < *levels_[*found]) found = p;
        }
        return found;
    }

    constexpr void look_for_parent(auto& env) {
        if (phase_ != phase::waiting && !parent()) return;
        const bool has_parent =
            phase_ == phase::attached && levels_[parent_] && !suspected_.contains(parent_);
        const std::optional<port> best = nearest();
        // To move on a tie would gain nothing.
        if (best && (!has_parent || *levels_[*best] + 1 < *level_)) hang_from(*best, env);
        else if (!has_parent && phase_ == phase::attached) let_go(env);
    }
    constexpr void hang_from(port p, auto& env) {
        parent_ = p;
        become_attached(*levels_[p] + 1, env);
    }
    constexpr void become_root(auto& env) {
        if (is_root()) return;
        parent_ = {};
        pending_.clear();
        become_attached(0, env);
        pay(env);
    }
    constexpr void become_attached(std::uint32_t hops, auto& env) {
        phase_ = phase::attached;
        level_ = hops;
        env.report(outcome{placed{level_}});
        tell_neighbours(level{hops}, env);
    }

    constexpr void let_go(auto& env) {
        phase_ = phase::detaching;
        level_.reset();
        env.report(outcome{placed{}});
        tell_neighbours(detach{++detached_}, env);
        for (const port p : ports(env.degree()))
            if (neighbours_.contains(p) && !suspected_.contains(p)) pending_.insert(p);
        when_all_answered(env);
    }
    constexpr void tell_neighbours(const auto& m, auto& env) {
        for (const port p : ports(env.degree()))
            if (neighbours_.contains(p) && !suspected_.contains(p) && !hangs_from(p))
                env.send(p, m);
    }
    constexpr void pay(auto& env) {
        if (owed_) env.send(owed_->to, detach_ack{owed_->nth});
        owed_.reset();
    }

    constexpr void ask_registry(auto& env) {
        phase_ = phase::enrolling;
        env.send(*registry_, enrol{});
    }
    constexpr void when_all_answered(auto& env) {
        if (!pending_.empty()) return;
        const bool was_detaching = phase_ == phase::detaching;
        pay(env);
        phase_ = phase::waiting;
        look_for_parent(env);
        if (phase_ == phase::attached) return;
        if (was_detaching || connections_most_ != all_of_them) {
            connections_most_ = all_of_them;
            ask_registry(env);
        }
    }

    // The registry's side. The first of those enrolled is the root.

    constexpr members members_for(port whom, auto& env) const {
        members m;
        if (enrolled_[0] == whom) return m;
        const std::size_t nodes = env.degree() + 1;
        for (const port p : enrolled_)
            if (p != whom) m.present.push_back(port{(p + nodes - whom - 1) % nodes});
        return m;
    }
    constexpr void strike_off(port whom, auto& env) {
        const sequence<port> before = enrolled_;
        enrolled_.clear();
        for (const port p : before)
            if (p != whom) enrolled_.push_back(p);
        if (enrolled_.size() == before.size()) return;
        env.send(whom, cut{});   // should it be alive, it has to enrol again
        if (before[0] == whom && enrolled_.size() != 0) env.send(enrolled_[0], members{});
    }

    phase phase_ = phase::absent;
    std::optional<std::uint32_t> level_;
    port parent_;
    sequence<std::optional<std::uint32_t>> levels_{};   // of the neighbours, as last heard
    heard_lives<store> lives_{};                        // likewise
    port_set<store> neighbours_;
    port_set<store> strangers_;      // of these, who sent a cut: it may not know of this node
    port_set<store> suspected_;
    port_set<store> pending_;        // answers awaited, to a connect or a detach
    std::uint32_t detached_ = 0;     // so many times
    std::optional<debt> owed_;       // who waits for a detach_ack
    std::optional<port> registry_;
    std::size_t connections_most_ = all_of_them;
    sequence<port> enrolled_{};
};

template <class... Policies>
spanning_tree(port, spanning_tree_options = {}, Policies...) -> spanning_tree<Policies...>;
template <detail::other_than<spanning_tree_options> First, class... Rest>
    requires(!std::integral<First>)
spanning_tree(port, First, Rest...) -> spanning_tree<First, Rest...>;
template <detail::is_policy First, class... Rest>
spanning_tree(First, Rest...) -> spanning_tree<First, Rest...>;

}  // namespace caucus
