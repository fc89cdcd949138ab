// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/identity.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/process.hpp>
#include <caucus/core/sort.hpp>
#include <caucus/core/storage.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace caucus {

/// The weight of every edge where none is given: then the ids at its ends alone decide.
struct unweighted {
    friend constexpr bool operator<(unweighted, unweighted) { return false; }
};

namespace detail {
template <class Range>
concept has_elements = requires(const Range& r) { r.begin(); };
template <class Range>
using element_of = std::remove_cvref_t<decltype(*std::declval<const Range&>().begin())>;
}  // namespace detail

/// Fragments of the minimum spanning tree look for the lightest edge that leads out of them, and
/// join over it; the better of the two nodes at the last such edge leads.
///
/// Model     any connected graph, unique ids; reliable links, fifo, duplicates too; no crashes
/// Safety    branches belong to the minimum spanning tree; at most one leader
/// Liveness  if any node starts, every node learns the leader, and which of its edges are branches
/// Cost      less than 5n·lg n + 2|E|, at least 2n + 2|E|; n-2 announcements included
/// Faults    a crashed node or a lost message stops its fragment, and in the end all of them
/// Source    Gallager, Humblet & Spira, ACM TOPLAS 5(1), 1983
///
/// `Weight`  has a <, both ends know the same. Ties are broken by the ids of the ends.
/// `Storage` of what is known of the ports: peers in a std::array stay in place, else on the heap.
/// prefer    prefer(a, b): a beats b. Default greatest; with it the lesser ids come first in ties.
template <class Id, class Weight = unweighted, class Storage = heap_storage, class... Policies>
class ghs {
    static_assert(detail::ids_can_elect<Id>());
    static_assert(roles<preference>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using prefer_type = policy<preference, greatest, Policies...>;

public:
    enum class phase : std::uint8_t { sleeping, find, found };
    /// A place in the order of all edges, and the name of the fragment whose core the edge is.
    struct edge {
        [[no_unique_address]] Weight weight;
        Id lesser;
        Id greater;
    };

    /// Over each link, each way, go 0, 1, 2, …: what comes again is known by its number. A byte has
    /// room: three at most for each of lg n levels (a test or what goes over a branch, that is two;
    /// and an answer to the other's test), and a connect and an elected.
    struct connect { std::uint8_t level; std::uint8_t number = 0; };
    struct initiate { std::uint8_t level; edge fragment; phase state; std::uint8_t number = 0; };
    struct test { std::uint8_t level; edge fragment; std::uint8_t number = 0; };
    struct accept { std::uint8_t number = 0; };
    struct reject { std::uint8_t number = 0; };
    struct report { std::optional<edge> lightest; std::uint8_t number = 0; };
    struct change_root { std::uint8_t number = 0; };
    struct elected { Id leader; std::uint8_t number = 0; };
    using message =
        std::variant<connect, initiate, test, accept, reject, report, change_root, elected>;
    using timer = nothing;
    using outcome = caucus::elected<Id>;

    static constexpr model assumes = {shape::graph, guarantee::reliable | guarantee::fifo};
    static constexpr winner elects = winner::some_node;
    static constexpr cost messages(size s);

    /// peers[p] is the id behind port p; weights[p], if given, the weight of the edge there.
    template <class Peers>
    constexpr ghs(Id self, const Peers& peers, prefer_type prefer = {})
        : self_(self), prefer_(prefer) {
        static_assert(needs_peers_that_fit__give_a_std_array<Storage, Peers>,
                      "needs_peers_that_fit__give_a_std_array");
        for (const auto& peer : peers) add(peer, Weight{});
        put_in_order();
    }
    template <class Peers, detail::has_elements Weights>
    constexpr ghs(Id self, const Peers& peers, const Weights& weights, prefer_type prefer = {})
        : self_(self), prefer_(prefer) {
        static_assert(needs_peers_that_fit__give_a_std_array<Storage, Peers>,
                      "needs_peers_that_fit__give_a_std_array");
        if (peers.size() != weights.size())
            refuse("ghs: ", peers.size(), " peers and ", weights.size(), " weights");
        auto weight = weights.begin();
        for (const auto& peer : peers) add(peer, *weight++);
        put_in_order();
    }

    constexpr void start(environment_for<ghs> auto& env) { wake_up(env); }             // (1)

    template <kind_of<message> Kind>
    constexpr void on(const Kind& m, port from, environment_for<ghs> auto& env) {
        if (is_repeated(m.number, from)) return;
        ends_[from].awaited = static_cast<std::uint8_t>(m.number + 1);
        take(m, from, env);
    }

    constexpr const Id& id() const { return self_; }
    constexpr const auto& peers() const { return peers_; }
    constexpr bool is_leader() const { return leader_ == self_; }
    constexpr std::optional<Id> leader() const { return leader_; }
    /// Does the edge behind the port belong to the tree?
    constexpr bool is_branch(port p) const { return ends_[p].status == status::branch; }
    /// Of its fragment, which then has at least 2^level nodes.
    constexpr std::size_t level() const { return level_; }

    static constexpr auto fields(auto& self) {
        return std::tie(self.self_, self.peers_, self.weights_, self.phase_, self.level_,
                        self.fragment_, self.ends_, self.in_branch_, self.test_edge_,
                        self.best_edge_, self.lightest_, self.find_count_, self.other_half_,
                        self.leader_);
    }

private:
    enum class status : std::uint8_t { basic, branch, rejected };
    /// At most one message waits at each port: who has sent a connect tests this edge no more, and
    /// who tests it sends nothing else before the answer. A report waits at the core alone.
    enum class deferred : std::uint8_t { nothing, connect, test };
    struct waiting { deferred what; std::uint8_t level; edge fragment; };
    struct end {
        caucus::ghs<Id, Weight, Storage, Policies...>::status status;
        std::uint8_t sent;      // so many
        std::uint8_t awaited;   // the number of the message to come
        waiting waits;
    };
    template <class T>
    using sequence = typename Storage::template sequence<T>;

    constexpr void add(const Id& peer, const Weight& weight) {
        if (peer == self_) refuse("ghs: port ", peers_.size(), " leads to the node itself");
        by_weight_.push_back(port{peers_.size()});
        peers_.push_back(peer);
        weights_.push_back(weight);
        ends_.push_back({});
    }
    /// Refuses parallel edges that nothing tells apart: each end would wait on another of them.
    constexpr void put_in_order() {
        const auto lighter = [this](port a, port b) {
            return comes_before(edge_at(a), edge_at(b));
        };
        sort_in_place(by_weight_, lighter);
        for (std::size_t i = 1; i < by_weight_.size(); ++i)
            if (!lighter(by_weight_[i - 1], by_weight_[i]))
                refuse("ghs: two ports lead to the same peer, and neither edge is lighter");
    }
    /// The same at both ends, and no two edges are equal: else fragments join in a circle.
    constexpr edge edge_at(port p) const {
        const bool last = prefer_(self_, peers_[p]);
        return {weights_[p], last ? peers_[p] : self_, last ? self_ : peers_[p]};
    }
    constexpr bool comes_before(const edge& a, const edge& b) const {
        if (a.weight < b.weight || b.weight < a.weight) return a.weight < b.weight;
        if (!(a.lesser == b.lesser)) return prefer_(b.lesser, a.lesser);
        return prefer_(b.greater, a.greater);
    }
    constexpr bool is_here(const edge& fragment) const {
        return fragment.lesser == fragment_.lesser && fragment.greater == fragment_.greater;
    }

    constexpr void wake_up(auto& env) {                                                // (2)
        if (phase_ != phase::sleeping) return;
        CAUCUS_ASSERT(peers_.size() == env.degree());
        phase_ = phase::found;
        if (env.degree() == 0) return learn(self_, port{}, env);
        best_edge_ = by_weight_[0];
        move_root(env);
    }

    /// Taken again, a copy would be answered twice, counted twice, or taken for the next level's.
    constexpr bool is_repeated(std::uint8_t number, port from) const {
        return number < ends_[from].awaited;
    }
    constexpr void send(port p, auto m, auto& env) {
        m.number = ends_[p].sent++;
        env.send(p, m);
    }

    constexpr void take(connect m, port from, auto& env) {                             // (3)
        wake_up(env);
        if (m.level < level_) {
            ends_[from].status = status::branch;
            send_initiate(from, env);
        } else if (ends_[from].status == status::basic) {
            ends_[from].waits = {deferred::connect, m.level, {}};
        } else {
            const auto level = static_cast<std::uint8_t>(level_ + 1);
            send(from, initiate{level, edge_at(from), phase::find}, env);
        }
    }

    constexpr void take(initiate m, port from, auto& env) {                            // (4)
        level_ = m.level;
        fragment_ = m.fragment;
        phase_ = m.state;
        in_branch_ = from;
        lightest_.reset();
        for (const port p : ports(env.degree()))
            if (p != from && is_branch(p)) send_initiate(p, env);
        if (phase_ == phase::find) test_lightest(env);
        // Messages that waited for a higher level are looked at again; else they wait for ever.
        for (const port p : ports(env.degree())) look_again(p, env);
    }

    constexpr void take(test m, port from, auto& env) {                                // (6)
        wake_up(env);
        // A lower level does not know yet whether it is in the same fragment.
        if (m.level > level_) {
            ends_[from].waits = {deferred::test, m.level, m.fragment};
            return;
        }
        if (!is_here(m.fragment)) return send(from, accept{}, env);
        become_rejected(from);
        // Both ends test this edge: each takes the other's test as the reject, so none is sent.
        if (test_edge_ == from) test_lightest(env);
        else send(from, reject{}, env);
    }

    constexpr void take(accept, port from, auto& env) {                                // (7)
        test_edge_.reset();
        improve(edge_at(from), from);
        report_when_done(env);
    }

    constexpr void take(reject, port from, auto& env) {                                // (8)
        become_rejected(from);
        test_lightest(env);
    }

    constexpr void take(report m, port from, auto& env) {                              // (10)
        if (from == in_branch_) {
            other_half_ = m;
            return move_when_compared(env);
        }
        --find_count_;
        if (m.lightest) improve(*m.lightest, from);
        report_when_done(env);
    }

    constexpr void take(change_root, port, auto& env) {                                // (12)
        move_root(env);
    }

    constexpr void take(elected m, port from, auto& env) {
        learn(m.leader, from, env);
    }

    constexpr void send_initiate(port p, auto& env) {
        send(p, initiate{level_, fragment_, phase_}, env);
        if (phase_ == phase::find) ++find_count_;
    }
    constexpr void become_rejected(port p) {
        // A branch stays one: the other end may have tested it just before its fragment joined.
        if (ends_[p].status == status::basic) ends_[p].status = status::rejected;
    }

    constexpr void test_lightest(auto& env) {                                          // (5)
        while (tested_ < by_weight_.size() && ends_[by_weight_[tested_]].status != status::basic)
            ++tested_;
        test_edge_.reset();
        if (tested_ == by_weight_.size()) return report_when_done(env);
        test_edge_ = by_weight_[tested_];
        send(*test_edge_, test{level_, fragment_}, env);
    }
    constexpr void improve(const edge& found, port by) {
        if (lightest_ && !comes_before(found, *lightest_)) return;
        lightest_ = found;
        best_edge_ = by;
    }

    constexpr void report_when_done(auto& env) {                                       // (9)
        if (find_count_ != 0 || test_edge_) return;
        phase_ = phase::found;
        send(in_branch_, report{lightest_}, env);
        move_when_compared(env);
    }

    /// Of the two nodes at the core, the one on whose side the lightest edge is goes on.
    constexpr void move_when_compared(auto& env) {
        if (phase_ == phase::find || !other_half_) return;
        const std::optional<edge> theirs = other_half_->lightest;
        other_half_.reset();
        if (!lightest_ && !theirs) return halt(env);
        if (lightest_ && (!theirs || comes_before(*lightest_, *theirs))) move_root(env);
    }
    constexpr void move_root(auto& env) {                                              // (11)
        if (is_branch(best_edge_)) return send(best_edge_, change_root{}, env);
        ends_[best_edge_].status = status::branch;
        send(best_edge_, connect{level_}, env);
        look_again(best_edge_, env);   // a connect that waited there: the two fragments merge
    }

    constexpr void look_again(port p, auto& env) {
        const waiting w = ends_[p].waits;
        ends_[p].waits = {};
        if (w.what == deferred::connect) take(connect{w.level}, p, env);
        if (w.what == deferred::test) take(test{w.level, w.fragment}, p, env);
    }

    constexpr void halt(auto& env) {
        const Id& other = peers_[in_branch_];
        learn(prefer_(other, self_) ? other : self_, in_branch_, env);
    }
    constexpr void learn(const Id& leader, port from, auto& env) {
        leader_ = leader;
        env.report(outcome{leader});
        for (const port p : ports(env.degree()))
            if (p != from && is_branch(p)) send(p, elected{leader}, env);
    }

    Id self_;
    sequence<Id> peers_;
    sequence<Weight> weights_;
    sequence<port> by_weight_;      // all ports, the lightest edge first
    std::size_t tested_ = 0;        // of these; no port before it is basic, or can become so again
    sequence<end> ends_;

    phase phase_ = phase::sleeping;
    std::uint8_t level_ = 0;
    edge fragment_{};
    port in_branch_;                // towards the core
    std::optional<port> test_edge_;
    port best_edge_;                // towards the lightest edge found so far
    std::optional<edge> lightest_;  // none: as heavy as can be
    std::uint32_t find_count_ = 0;  // reports still to come
    std::optional<report> other_half_;
    std::optional<Id> leader_;
    [[no_unique_address]] prefer_type prefer_;
};

template <class Id, class Peers>
ghs(Id, const Peers&, greatest = {}) -> ghs<Id, unweighted, storage_for<Peers>>;
template <class Id, class Peers, class First, class... Rest>
    requires(!detail::has_elements<First>)
ghs(Id, const Peers&, First, Rest...) -> ghs<Id, unweighted, storage_for<Peers>, First, Rest...>;
template <class Id, class Peers, detail::has_elements Weights>
ghs(Id, const Peers&, const Weights&, greatest = {})
    -> ghs<Id, detail::element_of<Weights>, storage_for<Peers>>;
template <class Id, class Peers, detail::has_elements Weights, class First, class... Rest>
ghs(Id, const Peers&, const Weights&, First, Rest...)
    -> ghs<Id, detail::element_of<Weights>, storage_for<Peers>, First, Rest...>;

/// Each edge but the last core fails a test once at most, with two messages; those outside the tree
/// do. Besides, a node sends one connect at level 0; gets an initiate and an accept, and sends a
/// test, a report and a connect or change_root at each level between; gets an initiate and sends a
/// report at the last one, lg n at most.
template <class Id, class Weight, class Storage, class... Policies>
constexpr cost ghs<Id, Weight, Storage, Policies...>::messages(size s) {
    if (s.initiators == 0 || s.nodes < 2) return {0, 0, 0.0};
    if (s.links + 1 < s.nodes) refuse("ghs: ", s.links, " links cannot join ", s.nodes, " nodes");
    const std::uint64_t n = s.nodes;
    const std::uint64_t levels_between = static_cast<std::uint64_t>(std::bit_width(s.nodes)) - 2;
    const std::uint64_t once = n + n + n + (n - 2);   // connect, initiate, report, elected
    // A core of three nodes or more has tested a branch, the next that it took in.
    const std::uint64_t failed_least = 2 * (s.links - (n - 1)) + (n > 2 ? 2 : 0);
    return {once + failed_least, once + 5 * n * levels_between + 2 * (s.links - 1)};
}

}  // namespace caucus
