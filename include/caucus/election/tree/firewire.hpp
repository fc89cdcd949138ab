// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/identity.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/core/process.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <variant>

namespace caucus {

/// How long a node waits that met its like: a coin decides which window, chance when within it.
struct contention_windows {
    ticks fast_min = 240;
    ticks fast_max = 260;
    ticks slow_min = 570;
    ticks slow_max = 600;
};
inline constexpr contention_windows ieee1394_1995 = {};   // if a tick is a nanosecond
inline constexpr contention_windows ieee1394a_2000 = {760, 850, 1590, 1670};

/// What the algorithm must know of time.
struct firewire_options {
    contention_windows windows = ieee1394_1995;
    ticks delay_max = 100;   // no message takes longer
    /// How long a node that was asked by all but one goes on listening, lest it ask the last that
    /// is about to ask it. 0: not at all, and two always meet, unless a leaf is late.
    ticks reaction = 1;

    /// Refuses windows in which a node could miss that it was asked first, as the signals of the
    /// standard need them; messages that wait to be taken would forgive a short first wait.
    constexpr firewire_options checked() const {
        const auto& [fast_min, fast_max, slow_min, slow_max] = windows;
        if (fast_max < fast_min || slow_max < slow_min || slow_min <= fast_max)
            refuse("firewire: no two windows, one after the other: ", fast_min, " to ", fast_max,
                   " and ", slow_min, " to ", slow_max);
        const ticks between = slow_min - fast_max;
        const ticks shorter = fast_min < between ? fast_min : between;
        if (delay_max >= shorter / 2 + shorter % 2)
            refuse("firewire: a message may take ", delay_max, " ticks; twice that must be less "
                   "than the first wait, ", fast_min, ", and than what lies between the windows, ",
                   between);
        return *this;
    }
};

/// Leaves ask their neighbour to be their parent; who has been asked by all but one asks that one.
/// Two that ask each other toss coins, and ask again soon or late; who is asked while it waits is
/// the root.
///
/// Model     tree, no ids; reliable links, any order, duplicates too, bounded delay
/// Safety    at most one leader, the root, whatever the delays but for those of copies; all others
///           have a parent on the way
/// Liveness  if all leaves start, but for one, then with probability 1 one leads, and all know it
/// Cost      you_are_my_child n-1, be_my_parent n-1+2R for R collisions, 2 on average if any, fewer
///           if delays are short; announcements n-1
/// Faults    a crashed node or a lost message stops it: wrap in bus, which resets it; on a cycle it
///           never begins; late messages cost collisions, in the worst case without end; late
///           copies, two leaders
/// Source    IEEE 1394-1995, tree identification; the bounds: Simons & Stoelinga, STTT 3(4), 2001
///
/// `Id`      anonymous, or what decides instead of coins: the better one is the root, no delay is
///           too long, and time is bounded, which it is not by coin. Of the options it takes
///           `reaction` alone. Default anonymous: the standard.
/// prefer    prefer(a, b): a beats b, among ids. Default greatest.
/// announcing announce or silent. Default announce: you_are_my_child comes before there is a root.
/// storage   heap_storage or inplace_storage<ports>. Default heap_storage: any degree.
template <class Id = anonymous, class... Policies>
class firewire {
    static constexpr bool named = tells_nodes_apart<Id>;
    static_assert(needs_an_id_type_that_is_regular<Id>, "needs_an_id_type_that_is_regular");
    static_assert(named ? roles<preference, announcing, storage>::template cover<Policies...>
                        : roles<announcing, storage>::template cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using prefer = policy<preference, greatest, Policies...>;
    using store = policy<storage, heap_storage, Policies...>;

public:
    /// By coin nobody has a name, and the mark tells attempts apart: odd or even, that is enough.
    /// While a node waits, copies of the question that made it wait have its own mark; before it
    /// asks again, more than delay_max after that was sent, the last of them has come.
    using mark = std::conditional_t<named, Id, bool>;
    struct be_my_parent { mark by; };
    struct you_are_my_child {};
    struct elected { Id leader; };
    using message = std::variant<be_my_parent, you_are_my_child, elected>;
    struct reaction_due {};
    struct window_over {};
    using timer = std::conditional_t<named, std::variant<reaction_due>,
                                     std::variant<reaction_due, window_over>>;
    using outcome = outcome_within<caucus::elected<Id>, store>;
    static constexpr bool tosses_coins = !named;
    static constexpr bool all_must_start = true;

    static constexpr model assumes =
        named ? model{shape::tree, guarantee::reliable}
              : model{shape::tree, guarantee::reliable, naming::anonymous, timing::bounded_delay};
    static constexpr winner elects = winner::some_node;
    static constexpr cost messages(size s);
    static constexpr cost time(size s, ticks reaction = firewire_options{}.reaction)
        requires tells_nodes_apart<Id>;

    constexpr explicit firewire(firewire_options options = {}, Policies...)
        requires(!tells_nodes_apart<Id>)
        : reaction_(options.reaction), windows_(options.checked().windows) {}
    /// The same, with all options left out.
    template <detail::fits_one_of<Policies...> First, detail::fits_one_of<Policies...>... Rest>
        requires(!tells_nodes_apart<Id>)
    constexpr explicit firewire(First, Rest...) : firewire(firewire_options{}, Policies{}...) {}
    constexpr explicit firewire(Id self, Policies... policies)
        requires tells_nodes_apart<Id>
        : firewire(self, firewire_options{}, policies...) {}
    constexpr explicit firewire(Id self, firewire_options options, Policies... policies)
        requires tells_nodes_apart<Id>
        : self_(self), leader_(self), reaction_(options.reaction),
          prefer_(pick<preference, greatest>(policies...)) {}

    constexpr void start(environment_for<firewire> auto& env) {
        if (role_ != role::gathering || overflows<store, outcome>(env)) return;
        look_at_ports(env);
    }

    constexpr void on(be_my_parent m, port from, environment_for<firewire> auto& env) {
        if (role_ == role::gathering || role_ == role::reacting) return adopt(from, env);
        if (from != upward_) return;   // a child's, repeated: nobody contends there
        if (role_ == role::asking) return contend(m.by, env);
        // Not a new contention: else the two could go on asking each other alternately, for ever.
        if (role_ == role::waiting && !is_repeated(m.by)) role_ = role::asked_first;
    }

    constexpr void on(you_are_my_child, port from, environment_for<firewire> auto&) {
        if (role_ == role::asking && from == upward_) role_ = role::child;
    }

    constexpr void on(elected m, port from, environment_for<firewire> auto& env) {
        // It may have overtaken the parent's answer.
        const bool waits_for_it = role_ == role::asking || role_ == role::child;
        if (waits_for_it && from == upward_) become_knowing(role::follower, m.leader, env);
    }

    constexpr void on(reaction_due, environment_for<firewire> auto& env) { react(env); }

    constexpr void on(window_over, environment_for<firewire> auto& env) {
        if (role_ == role::asked_first) return become_root_of_the_other(env);
        if constexpr (!named) odd_ = !odd_;
        become_asking(env);
    }

    constexpr const Id& id() const requires named { return self_; }
    constexpr bool is_leader() const { return role_ == role::root; }
    /// Its id; without ids only that there is one.
    constexpr std::optional<Id> leader() const {
        const bool known = role_ == role::root || role_ == role::follower;
        return known ? std::optional<Id>{leader_} : std::nullopt;
    }
    constexpr std::optional<port> parent() const {
        const bool has_parent = role_ == role::child || role_ == role::follower;
        return has_parent ? std::optional<port>{upward_} : std::nullopt;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.leader_, self.children_, self.upward_, self.role_,
                        self.odd_, self.reaction_, self.windows_);
    }

private:
    /// asking: it has sent be_my_parent. waiting: so has the one it asked, and asked_first: again.
    /// child: it has a parent. follower: and knows that there is a root.
    enum class role : std::uint8_t {
        gathering, reacting, asking, waiting, asked_first, child, follower, root
    };

    constexpr void adopt(port child, auto& env) {
        if (overflows<store, outcome>(env)) return;
        children_.insert(child);
        if (role_ == role::gathering) look_at_ports(env);
    }
    constexpr void look_at_ports(auto& env) {
        if (children_.size() + 1 < env.degree()) return;
        if (reaction_ == 0) return react(env);
        role_ = role::reacting;
        env.arm(reaction_due{}, reaction_);
    }
    constexpr void react(auto& env) {
        for (const port p : ports(env.degree())) {
            if (children_.contains(p)) env.send(p, you_are_my_child{});
            else upward_ = p;
        }
        if (children_.size() == env.degree()) return become_knowing(role::root, self_, env);
        become_asking(env);
    }
    constexpr void become_asking(auto& env) {
        role_ = role::asking;
        env.send(upward_, be_my_parent{own_mark()});
    }

    constexpr mark own_mark() const {
        if constexpr (named) return self_;
        else return odd_;
    }
    /// A copy: it would be taken for the other asking first, and make a second root.
    constexpr bool is_repeated(const mark& by) const { return by == own_mark(); }

    constexpr void contend(const mark& rival, auto& env) {
        if constexpr (named) {
            if (prefer_(self_, rival)) become_root_of_the_other(env);
        } else {
            // Its next question has overtaken this one, both being late. Taken for this one, or for
            // a copy, it would be missed later: they would ask each other for ever.
            if (rival != odd_) return become_root_of_the_other(env);
            role_ = role::waiting;
            const contention_windows& w = windows_;
            const bool fast = env.choose(2) == 0;
            const ticks first = fast ? w.fast_min : w.slow_min;
            const ticks last = fast ? w.fast_max : w.slow_max;
            env.arm(window_over{}, first + env.choose(static_cast<std::size_t>(last - first) + 1));
        }
    }
    constexpr void become_root_of_the_other(auto& env) {
        env.send(upward_, you_are_my_child{});
        become_knowing(role::root, self_, env);
    }

    constexpr void become_knowing(role as, const Id& leader, auto& env) {
        role_ = as;
        leader_ = leader;
        env.report(outcome{caucus::elected<Id>{leader}});
        if constexpr (announces<Policies...>)
            for (const port p : ports(env.degree()))
                if (as == role::root || p != upward_) env.send(p, elected{leader});
    }

    [[no_unique_address]] Id self_;
    [[no_unique_address]] Id leader_;
    port_set<store> children_;
    ticks reaction_;
    port upward_;   // the one that has not asked; or had not, when this node did
    role role_ = role::gathering;
    [[no_unique_address]] std::conditional_t<named, nothing, bool> odd_{};   // the attempt
    [[no_unique_address]] std::conditional_t<named, nothing, contention_windows> windows_{};
    [[no_unique_address]] prefer prefer_;
};

firewire() -> firewire<>;
template <class... Policies>
firewire(firewire_options, Policies...) -> firewire<anonymous, Policies...>;
template <detail::is_policy First, class... Rest>
firewire(First, Rest...) -> firewire<anonymous, First, Rest...>;
template <class Id, class... Policies>
firewire(Id, firewire_options, Policies...) -> firewire<Id, Policies...>;
template <class Id, class... Policies>
firewire(Id, Policies...) -> firewire<Id, Policies...>;

/// Every edge but the last carries a question and an answer; so does the last, with two questions
/// more for each collision on it. The better id needs no answer to its own. If all leaves start.
template <class Id, class... Policies>
constexpr cost firewire<Id, Policies...>::messages(size s) {
    if (s.initiators == 0) return {0, 0, 0.0};
    const std::uint64_t others = s.nodes - 1;
    const std::uint64_t least = (announces<Policies...> ? 3 : 2) * others;
    if (others == 0) return {0, 0, 0.0};
    return {least, named ? least + 1 : ~std::uint64_t{0}};
}

/// Unit delays, all leaves start together. Questions come to the middle from both sides at once, a
/// reaction and a delay for each hop. If it is an edge, they cross there, and either end is as far
/// from all others. If it is a node, it goes on listening, hears the last, and is the root. Without
/// a reaction it asks the last that asks it, and perhaps finds a better one, a hop off.
template <class Id, class... Policies>
constexpr cost firewire<Id, Policies...>::time(size s, ticks reaction)
    requires tells_nodes_apart<Id> {
    if (s.initiators == 0) return {0, 0, 0.0};
    if (s.nodes == 1) return {reaction, reaction};
    const std::uint64_t diameter_least = s.diameter != 0 ? s.diameter : s.nodes == 2 ? 1 : 2;
    const std::uint64_t diameter_most = s.diameter != 0 ? s.diameter : s.nodes - 1;
    // How many hops the root is from the farthest leaf, and when it knows that it is the root.
    const std::uint64_t soon = (diameter_least + 1) / 2;
    const std::uint64_t late = reaction == 0 ? diameter_most / 2 + 1 : (diameter_most + 1) / 2;
    const auto known = [&](std::uint64_t d, std::uint64_t hops) {
        return (1 + reaction) * hops + (d % 2 == 0 ? reaction : 0);
    };
    return {known(diameter_least, soon) + (announces<Policies...> ? soon : 1),
            known(diameter_most, late) + (announces<Policies...> ? late : 1)};
}

}  // namespace caucus
