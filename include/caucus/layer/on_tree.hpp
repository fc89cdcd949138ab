// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/layer.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/wave/spanning_tree.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

namespace caucus {

template <class P>
concept needs_a_process_for_trees_or_graphs = assumptions_of<P>().topology == shape::tree ||
                                              assumptions_of<P>().topology == shape::graph;
/// It listens to suspicions, and shows to what is inside only whom it trusts.
template <class P>
concept needs_a_process_that_hides_suspects__wrap_it_in_supervised = requires {
    requires P::heeds_suspicions;
    requires includes(P::withholds, withheld::suspicions);
};

/// Runs P on the tree that `spanning_tree` keeps: what is no link of the tree is suspected, a link
/// that comes to be is trusted, one that is given up is suspected again. Whoever joins or finds
/// another parent tells so to the parent, who cannot know otherwise.
///
/// Model     that of spanning_tree: complete network in ring order, perfect links, a registry, and
///           a detector that has the last word
/// Safety    what P has while links come and go: with supervised no two lead in one epoch, ever.
///           While the tree changes, parts of it may have leaders of their own, in other epochs
/// Liveness  once nobody joins, dies or loses a parent, what P has on that tree: supervised, all
///           who hang in it follow one of them; with `preemptive` around tree_wave the best
/// Cost      that of spanning_tree; one message to hang from a parent and one to leave it; P's
/// Faults    what spanning_tree endures: crashes, of the root too, lost parents, later lives
///
/// P, such as supervised{tree_wave{id}, {.beat = 0}}, begins when the node has its place, as root
/// or below a parent; at the registry it never does. Until then what is asked of it is blocked.
/// What comes over a link that is none any more is not for P; what was sent before a child left and
/// came back may be: P's numbers tell.
/// Elections that know their peers by port (ghs, by_path) would wait for those beyond the tree.
/// storage   as for spanning_tree, by way of the tree that is given.
template <class P, class... Policies>
class on_tree : public layer_over<on_tree<P, Policies...>, P> {
    static_assert(needs_a_process_for_trees_or_graphs<P>, "needs_a_process_for_trees_or_graphs");
    static_assert(needs_a_process_that_hides_suspects__wrap_it_in_supervised<P>,
                  "needs_a_process_that_hides_suspects__wrap_it_in_supervised");
    using base = layer_over<on_tree, P>;
    friend base;
    using store = policy<storage, heap_storage, Policies...>;

public:
    using tree_type = spanning_tree<Policies...>;

    struct hung {};   // the sender hangs from the addressee
    struct left {};   // and no longer
    struct carried { typename P::message message; };
    using message =
        typename detail::with_kinds<typename tree_type::message, hung, left, carried>::type;
    using timer = typename P::timer;
    using outcome = outcomes_over<P, placed, overflow>;
    using storage_type = detail::room_for_timers_of<store, P>;
    template <class Env>
    class inside;

    static constexpr bool heeds_suspicions = true;
    /// Those of the network: P hears of the links of the tree.
    static constexpr withheld withholds = withheld::suspicions;
    static constexpr model assumes =
        assumptions_on<P>(shape::complete, tree_type::assumes.links);
    static constexpr std::size_t own_timers(std::size_t) { return 0; }

    /// `place` is the registry, spanning_tree{}, or one that joins, spanning_tree{registry}.
    constexpr on_tree(P process, tree_type place)
        : base(std::move(process)), tree_(std::move(place)) {}

    using base::on;

    template <kind_of<typename tree_type::message> Kind>
    constexpr void on(const Kind& m, port from, auto& env) {
        keep_tree(env, [&](auto& within) { tree_.on(m, from, within); });
    }
    constexpr void on(hung, port from, auto& env) {
        // From before this node gave it up, or of a child of its former life.
        if (tree_.suspects(from) || phase_ != phase::placed) return;
        if (is_link(from)) base::pass(suspect{from}, env);   // a new one, for a new child behind it
        children_.insert(from);
        base::pass(trust{from}, env);
    }
    constexpr void on(left, port from, auto& env) { lose_child(from, env); }
    constexpr void on(const carried& c, port from, auto& env) {
        if (!is_link(from)) return;   // a former parent, or a child that was given up
        base::run_inside(env, [&](auto& within) {
            dispatch(this->inner(), c.message, from, within);
        });
    }

    constexpr const tree_type& tree() const { return tree_; }
    /// Is it a link of the tree, as far as this node knows: to its parent, or to a child?
    constexpr bool is_link(port p) const { return tree_.parent() == p || children_.contains(p); }

    constexpr const char* objection(std::size_t degree) const {
        const char* to_place = tree_.objection(degree);
        return to_place != nullptr ? to_place : base::objection(degree);
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.process_, self.tree_, self.children_, self.life_, self.phase_);
    }

private:
    /// outside: not started, and nothing is known. placed: has had a place in the tree, and so P
    /// has begun. out: this node has more ports than there is room for.
    enum class phase : std::uint8_t { outside, joining, placed, out };
    template <class Env>
    class upkeep;

    constexpr answer refusal() const {
        return phase_ == phase::out ? answer::no_room : answer::blocked;
    }
    constexpr answer answer_start(auto& env) {
        if (phase_ == phase::outside) join(env);
        return phase_ == phase::out ? answer::no_room : answer::accepted;
    }
    constexpr void join(auto& env) {
        phase_ = store::holds(env.degree()) ? phase::joining : phase::out;
        keep_tree(env, [&](auto& within) { tree_.start(within); });
    }
    constexpr void run_inside(auto& env, auto act) {
        if (phase_ == phase::placed) base::run_inside(env, act);
    }

    constexpr void heed(suspect s, auto& env) {
        keep_tree(env, [&](auto& within) { tree_.on(s, within); });
        if (tree_.suspects(s.whom)) lose_child(s.whom, env);
    }
    constexpr void heed(trust t, auto& env) {
        keep_tree(env, [&](auto& within) { tree_.on(t, within); });
    }
    /// P hears of it when it begins: else it would wait for a leader before there is a tree.
    constexpr void heed(const recovered<typename base::kept>& r, auto& env) {
        if (phase_ == phase::placed) return base::pass(r, env);
        life_ = r;
        if (phase_ == phase::outside) join(env);
    }

    /// Lets the tree react, and P follow where it leads.
    template <class Env>
    constexpr void keep_tree(Env& env, auto act) {
        const std::optional<port> before = tree_.parent();
        upkeep<Env> within{env};
        act(within);
        if (before != tree_.parent()) change_parent(before, tree_.parent(), env);
        if (phase_ == phase::joining && tree_.is_attached()) begin(env);
    }
    constexpr void change_parent(std::optional<port> before, std::optional<port> now, auto& env) {
        if (before) env.send(*before, left{});
        if (now) env.send(*now, hung{});   // first: until then it takes nothing from this node
        // It has let go of this node, and will say so: the link was another one until now.
        if (now && children_.erase(*now)) base::pass(suspect{*now}, env);
        // The new link before the loss of the old: an election held for that goes on over this.
        if (now) base::pass(trust{*now}, env);
        if (before && !children_.contains(*before)) base::pass(suspect{*before}, env);
    }
    constexpr void lose_child(port p, auto& env) {
        if (children_.erase(p) && !is_link(p)) base::pass(suspect{p}, env);
    }
    constexpr void begin(auto& env) {
        phase_ = phase::placed;
        for (const port p : ports(env.degree())) base::pass(suspect{p}, env);
        if (const std::optional<port> up = tree_.parent()) base::pass(trust{*up}, env);
        if (life_) base::pass(*life_, env);
        life_.reset();
        static_cast<void>(base::answer_start(env));
    }

    tree_type tree_;
    port_set<store> children_{};
    std::optional<recovered<typename base::kept>> life_{};
    phase phase_ = phase::outside;
};

/// The ports of the network, of which only those that lead along the tree take what P sends.
template <class P, class... Policies>
template <class Env>
class on_tree<P, Policies...>::inside final
    : public inner_environment<inside<Env>, on_tree<P, Policies...>, Env> {
    using base = inner_environment<inside, on_tree, Env>;

public:
    constexpr inside(Env& env, const on_tree& layer) : base(env), layer_(layer) {}

    constexpr void send(port p, const typename P::message& m) {
        if (layer_.is_link(p)) base::send(p, m);
    }

private:
    const on_tree& layer_;
};

/// What the tree sees: the network itself. Its messages and outcomes are among the layer's.
template <class P, class... Policies>
template <class Env>
class on_tree<P, Policies...>::upkeep {
public:
    constexpr explicit upkeep(Env& env) : outer_(env) {}

    constexpr std::size_t degree() const { return outer_.degree(); }
    constexpr void send(port p, const typename tree_type::message& m) {
        visit_kind(m, [&](const auto& kind) { outer_.send(p, message{kind}); });
    }
    constexpr void broadcast(const typename tree_type::message& m) {
        for (const port p : ports(degree())) send(p, m);
    }
    constexpr void report(const typename tree_type::outcome& o) {
        visit_kind(o, [&](const auto& kind) { outer_.report(outcome{kind}); });
    }

private:
    Env& outer_;
};

template <class P, class... Policies>
on_tree(P, spanning_tree<Policies...>) -> on_tree<P, Policies...>;

}  // namespace caucus
