// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/layer.hpp>
#include <caucus/core/policy.hpp>
#include <caucus/core/sort.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/multicast/outcomes.hpp>
#include <caucus/multicast/total_order/agreed_priorities.hpp>
#include <caucus/multicast/total_order/moving_token.hpp>
#include <caucus/multicast/total_order/sequencer.hpp>
#include <caucus/multicast/views/later.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace caucus {

/// The same at all members: the sequencer forgets what is more than it lets one have pending.
struct total_order_options {
    std::size_t pending_max = 16;   // of its own messages, accepted and not yet in order
    std::size_t held_max = 0;       // of messages of all that wait here for their turn; 0: as many
                                    // as the storage holds, or 2^16

    template <class Storage>
    constexpr total_order_options checked(std::size_t members) const {
        total_order_options o = *this;
        if constexpr (Storage::bounded) {
            if (held_max == 0) o.held_max = Storage::capacity;
        } else {
            if (held_max == 0) o.held_max = std::size_t{1} << 16;
        }
        if (pending_max == 0) refuse("total_order: pending_max is 0; nobody could send");
        if (o.held_max / pending_max < members)
            refuse("total_order: held_max is ", o.held_max, "; ", members, " members may have ",
                   pending_max, " messages pending each");
        if (!Storage::holds(o.held_max))
            refuse("total_order: held_max ", o.held_max, " is too large to store");
        return o;
    }
};

template <class P>
concept needs_a_multicast__with_payload = requires {
    typename P::payload;
    typename P::template with_payload<typename P::payload>;
    { P::delivers } -> std::convertible_to<ordering>;
};
template <class P>
concept needs_known_members__the_sender_of_this_one_knows_nobody =
    requires(const P& p) { p.id(); p.peers(); };

namespace detail {

template <class P>
constexpr bool is_in_fifo_order() { return P::delivers != ordering::any; }

}  // namespace detail

template <class P>
concept needs_messages_in_the_order_of_their_sender__wrap_it_in_fifo_order =
    detail::is_in_fifo_order<P>();
template <class P>
concept needs_a_multicast_that_has_no_total_order_already = P::delivers != ordering::total;
template <class P, class Storage>
concept needs_heap_storage__what_comes_in_a_view_is_not_bounded_here =
    !(Storage::bounded && detail::tells_views<typename P::outcome>);
template <class P>
concept needs_ids_in_order__or_a_multicast_with_views =
    detail::tells_views<typename P::outcome> || requires(const P& p) { p.id() < p.id(); };

/// All members are delivered the same messages in the same order. Over views that is atomic
/// multicast: before a view, all that come from the one before have been delivered the same.
///
/// Model     complete network, unique ids known to all; reliable links, fifo; what P assumes. P's
///           members are known, and it keeps the order of each sender. Without views nobody may
///           crash, and ids have an order
/// Safety    any two deliver what both deliver in the same order, each once, and each sender's as
///           sent. Over views: who goes on to the next view has delivered the same sequence as all
///           who do. What the dead, or expelled ones, were delivered at last others may be
///           delivered in another order, or not at all; by moving_token not in another order. By
///           sequencer whoever was expelled and is back may be delivered it once more
/// Liveness  what was accepted is delivered, if P is live and its sender stays in the group
/// Cost      of a broadcast, for n members, where P's is n-1: sequencer n, and n-1 if it is its
///           own; moving_token n-1, and 2 for each time that the token moves, more where many wish
///           for it at once; agreed_priorities 3(n-1)
/// Faults    over views as P: what had no order when a view changes gets it then, by sender and
///           number (agreed_priorities), or is handed in again in the next one. Without views a
///           crash blocks: candid says stalled; and a full buffer says overflow, and this member
///           delivers no more, nor does anybody who waits for it: by agreed_priorities all. That
///           takes a link much slower than others, whatever pending_max is. Over reliable links
///           that is lost which one sends to a life of which only others have heard: a token, say;
///           then all wait for the next view
/// Source    sequencer: Kaashoek et al., OSR 23(4), 1989; token: Rajagopalan & McKinley, 1989;
///           priorities: Birman & Joseph, TOCS 5(1), 1987, after Skeen
///
/// A broadcast that was accepted in one view may be delivered in the next one. Whoever leaves the
/// group gives up what was not delivered to it by then.
///
/// ordering_by  who decides about the order: sequencer, moving_token or agreed_priorities. Default
///              sequencer: the fewest messages, where the load of one member does not matter.
/// storage      of what is pending and held, and of members: heap_storage, or inplace_storage<N>
///              around a P that is in place, too.
template <class P, class... Policies>
class total_order;

namespace detail {

template <class P, class... Policies>
struct order_over {
    static_assert(needs_a_multicast__with_payload<P>, "needs_a_multicast__with_payload");
    static_assert(roles<ordering_by, storage, obeying_order>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");
    using policy_type = policy<ordering_by, sequencer, Policies...>;
    using storage_type = policy<storage, heap_storage, Policies...>;
    using type = typename policy_type::template order<typename P::payload, storage_type>;
    using process = typename P::template with_payload<typename type::item>;
};

}  // namespace detail

template <class P, class... Policies>
class total_order
    : public layer_over<total_order<P, Policies...>,
                        typename detail::order_over<P, Policies...>::process> {
    static_assert(needs_known_members__the_sender_of_this_one_knows_nobody<P>,
                  "needs_known_members__the_sender_of_this_one_knows_nobody");
    static_assert(needs_messages_in_the_order_of_their_sender__wrap_it_in_fifo_order<P>,
                  "needs_messages_in_the_order_of_their_sender__wrap_it_in_fifo_order");
    static_assert(needs_a_multicast_that_has_no_total_order_already<P>,
                  "needs_a_multicast_that_has_no_total_order_already");
    static_assert(needs_heap_storage__what_comes_in_a_view_is_not_bounded_here<
                      P, typename detail::order_over<P, Policies...>::storage_type>,
                  "needs_heap_storage__what_comes_in_a_view_is_not_bounded_here");
    static_assert(needs_ids_in_order__or_a_multicast_with_views<P>,
                  "needs_ids_in_order__or_a_multicast_with_views");
    using inner = typename detail::order_over<P, Policies...>::process;
    using order_type = typename detail::order_over<P, Policies...>::type;
    using room_type = typename detail::order_over<P, Policies...>::storage_type;
    using rules_type = policy<obeying_order, every_order_rule, Policies...>;
    using base = layer_over<total_order, inner>;
    friend base;
    using base::process_;
    using item = typename order_type::item;
    using own_message = typename order_type::template messages<>;
    static constexpr bool has_views = detail::tells_views<typename P::outcome>;

public:
    using payload = typename P::payload;
    using id_type = std::remove_cvref_t<decltype(std::declval<const P&>().id())>;
    using policy_type = typename detail::order_over<P, Policies...>::policy_type;
    struct carried {
        typename inner::message message;
        static constexpr auto fields(auto& m) { return std::tie(m.message); }
    };
    using message = typename order_type::template messages<carried>;
    using timer = typename inner::timer;
    using outcome = typename std::conditional_t<
        has_views, std::type_identity<typename P::outcome>,
        detail::outcomes<typename P::outcome, overflow>>::type;
    using requests = typename P::requests;
    using typename base::kept;
    /// What P sees: it reports to the layer.
    template <class Env>
    class inside final : public inner_environment<inside<Env>, total_order, Env> {
    public:
        constexpr inside(Env& outer, total_order& layer)
            : inner_environment<inside, total_order, Env>(outer), layer_(layer) {}
        constexpr void report(const typename inner::outcome& o) {
            visit_kind(o, [&](const auto& kind) { layer_.hear(kind, this->outer_); });
        }

    private:
        total_order& layer_;
    };
    template <class Other>
    using with_payload = total_order<typename P::template with_payload<Other>, Policies...>;
    using storage_type = decltype(detail::room_for_timers<inner>());

    static constexpr ordering delivers = ordering::total;
    static constexpr model assumes = assumptions_on<P>(
        assumptions_of<P>().topology, assumptions_of<P>().links | perfect_links);
    /// Of that many members, if nothing else happens meanwhile.
    static constexpr cost per_broadcast(std::size_t members) {
        return policy_type::per_broadcast(P::per_broadcast(members), members);
    }
    static constexpr std::size_t own_timers(std::size_t) { return 0; }

    /// What is given is asked only who is in the group. Policies that are named as types need not
    /// be given again.
    template <class... Given>
        requires(... && detail::fits_one_of<Given, Policies...>)
    constexpr explicit total_order(const P& members, total_order_options options = {},
                                   Given... policies)
        : base(inner{members}),
          options_(options.template checked<room_type>(members.peers().size() + 1)),
          rules_(pick<obeying_order, rules_type>(policies...)) {
        if constexpr (!has_views) begin_with_all();
    }
    /// The same, with all options left out.
    template <detail::fits_one_of<Policies...> First, detail::fits_one_of<Policies...>... Rest>
    constexpr total_order(const P& members, First first, Rest... rest)
        : total_order(members, total_order_options{}, first, rest...) {}
    /// Another payload, the same group; nothing has happened there yet.
    template <class Other>
        requires(!std::is_same_v<Other, P>)
    constexpr explicit total_order(const total_order<Other, Policies...>& like)
        : base(inner{like.process_}), options_(like.options_), rules_(like.rules_) {
        if constexpr (!has_views) begin_with_all();
    }

    using base::on;
    constexpr answer broadcast(const payload& p, auto& env) {
        if (!rank_) return answer::not_a_member;
        if (is_out_) return answer::no_room;
        if (is_blocked()) return answer::blocked;
        auto within = group_in(env);
        const answer said = order_.submit(p, within);
        order_.go_on(within);
        return said;
    }
    /// Its own messages; its parameters are not those of the base's `on`, which this would hide.
    template <kind_of<own_message> Kind>
    constexpr void on(const Kind& m, std::same_as<port> auto from, auto& env) {
        take(m, from, env);
        go_on(env);
    }

    /// Of its own messages, so many have no place yet.
    constexpr std::size_t pending() const { return order_.pending(); }
    /// Of messages that wait here for their turn, and what came too early.
    constexpr std::size_t held() const { return order_.held() + later_.size(); }
    constexpr const order_type& order() const { return order_; }
    /// Without views: whose crash would block it now.
    constexpr bool awaits(port p) const requires(!has_views) {
        const std::optional<std::size_t> rank = rank_at(p);
        if constexpr (requires { process_.awaits(p); })
            if (process_.awaits(p)) return true;
        return rank && order_.awaits(*rank, rules{rules_});
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.process_, self.order_, self.members_, self.rank_, self.view_,
                        self.is_out_, self.later_);
    }

private:
    template <class, class...>
    friend class total_order;
    struct place { id_type id{}; port slot{}; };
    struct rules {
        const rules_type& kept;
        constexpr bool obeys(order_rule r) const { return kept.has(r); }
    };
    template <class Env>
    class group;
    template <class Env>
    constexpr auto group_in(Env& env) { return group<Env>{*this, env}; }
    /// To begin with, nothing is sent.
    struct nobody_yet {
        static constexpr void send(port, const message&) {}
    };
    struct nothing_later {
        static constexpr std::size_t size() { return 0; }
        static constexpr auto fields(auto&) { return std::tuple<>{}; }
    };

    constexpr bool is_blocked() const {
        if constexpr (requires { process_.is_blocked(); }) return process_.is_blocked();
        else return false;
    }
    constexpr std::optional<std::size_t> rank_of(const id_type& id) const {
        for (std::size_t rank = 0; rank < members_.size(); ++rank)
            if (members_[rank].id == id) return rank;
        return std::nullopt;
    }
    constexpr std::optional<std::size_t> rank_at(port slot) const {
        for (std::size_t rank = 0; rank < members_.size(); ++rank)
            if (members_[rank].slot == slot && rank != rank_) return rank;
        return std::nullopt;
    }
    /// Of itself: a slot behind all ports.
    constexpr port slot_of(const id_type& id) const {
        std::size_t p = 0;
        while (p < this->peers().size() && !(this->peers()[p] == id)) ++p;
        return port{p};
    }
    constexpr void begin_with_all() {
        members_.push_back({this->id(), slot_of(this->id())});
        for (const port p : ports(this->peers().size())) members_.push_back({this->peers()[p], p});
        sort_in_place(members_, [](const place& a, const place& b) { return a.id < b.id; });
        become_member(0);
    }
    constexpr void become_member(std::uint64_t number) {
        view_ = number;
        rank_ = rank_of(this->id());
        nobody_yet env;
        auto within = group_in(env);
        order_.begin_view(within);
    }

    // What happens in the group

    constexpr void let_act(auto& env, auto act) { base::run_inside(env, act); }
    constexpr void run_inside(auto& env, auto act) {
        let_act(env, act);
        go_on(env);
    }
    /// Nothing is cast while the process inside handles something: only then.
    constexpr void go_on(auto& env) {
        if (!rank_ || is_out_) return;
        auto within = group_in(env);
        order_.go_on(within);
    }
    constexpr void heed(const auto& word, auto& env) { base::pass(word, env); }
    constexpr void heed(const recovered<kept>& r, auto& env) {
        if constexpr (has_views) become_nobody();
        base::pass(r, env);
    }
    constexpr void hear(const delivered<id_type, item>& d, auto& env) {
        const std::optional<std::size_t> from = rank_of(d.from);
        if (!from || !rank_ || is_out_) return;
        auto within = group_in(env);
        order_.heard(*from, d.payload, within);
    }
    constexpr void hear(const view<id_type>& v, auto& env) {
        auto within = group_in(env);
        if (rank_ && obeys(order_rule::V1)) order_.end_view(within);             // V1
        members_.clear();
        for (const member<id_type>& m : v.members) members_.push_back({m.id, slot_of(m.id)});
        view_ = v.number;
        rank_ = rank_of(this->id());
        order_.begin_view(within);
        env.report(outcome{v});
        for (const auto& each : later_.take_all())
            visit_kind(each.what, [&](const auto& m) { take(m, each.from, env); });
    }
    template <class Kind>
    constexpr void hear(const Kind& told, auto& env) {
        if constexpr (std::is_same_v<Kind, departed> || std::is_same_v<Kind, expelled>) {
            const std::optional<std::uint64_t> last = view_;
            become_nobody();
            view_ = last;
        }
        env.report(outcome{told});
        // What it has missed might be anything, also what others wait for.
        if constexpr (std::is_same_v<Kind, missed<id_type>>) become_out(env);
    }
    constexpr void become_nobody() {
        order_.become_nobody();
        members_.clear();
        rank_.reset();
        view_.reset();
        later_.clear();
        is_out_ = false;   // who joins anew has missed nothing
    }
    constexpr void become_out(auto& env) {
        if (std::exchange(is_out_, true)) return;
        if constexpr (!has_views) env.report(outcome{overflow{options_.held_max + 1}});
    }

    // Messages of its own

    template <class Kind>
    constexpr void take(const Kind& m, port from, auto& env) {
        if constexpr (std::is_same_v<Kind, carried>) return;
        else {
            if (is_out_) return;
            if constexpr (has_views) {
                if (!view_ || *view_ < m.view) {
                    if (obeys(order_rule::V3)) later_.keep(message{m}, from, later_max());   // V3
                    return;
                }
                if (*view_ > m.view && obeys(order_rule::V2)) return;                        // V2
            }
            const std::optional<std::size_t> rank = rank_at(from);
            if (!rank || !rank_) return;
            auto within = group_in(env);
            order_.on(m, *rank, within);
        }
    }
    /// Of one port: nobody has more to say to one that is a view behind.
    constexpr std::size_t later_max() const {
        return options_.pending_max + this->peers().size() + 2;
    }

    constexpr bool obeys(order_rule r) const { return rules_.has(r); }

    order_type order_{};
    typename room_type::template sequence<place> members_{};   // of this view, or all; by rank
    std::optional<std::size_t> rank_{};   // its own, if it is a member
    std::optional<std::uint64_t> view_{};
    bool is_out_ = false;                 // it has missed something, or has no room for it
    std::conditional_t<has_views, detail::later_messages<message>, nothing_later> later_{};
    total_order_options options_;
    [[no_unique_address]] rules_type rules_{};
};

/// What the order sees of the group, and what it can do.
template <class P, class... Policies>
template <class Env>
class total_order<P, Policies...>::group {
public:
    constexpr group(total_order& layer, Env& env) : layer_(layer), env_(env) {}

    constexpr std::size_t members() const { return layer_.members_.size(); }
    constexpr std::size_t rank() const { return *layer_.rank_; }
    constexpr std::uint64_t view() const { return *layer_.view_; }
    constexpr std::size_t pending_max() const { return layer_.options_.pending_max; }
    /// Over views what can come in one view is bounded, and the end of the view makes room.
    constexpr std::size_t held_max() const {
        return has_views ? ~std::size_t{0} : layer_.options_.held_max;
    }
    constexpr bool obeys(order_rule r) const { return layer_.obeys(r); }

    constexpr void send(std::size_t rank, const auto& m) {
        if (rank < members() && rank != layer_.rank_)
            env_.send(layer_.members_[rank].slot, message{m});
    }
    /// To all, by the process inside. Alone there is nobody to tell.
    constexpr answer cast(const item& i) {
        if (members() == 1) {
            layer_.order_.heard(rank(), i, *this);
            return answer::accepted;
        }
        answer said = answer::blocked;
        const std::uint64_t before = view();
        layer_.let_act(env_, [&](auto& within) {
            said = dispatch(layer_.process_, request::broadcast<item>{i}, within);
        });
        return layer_.view_ == before ? said : answer::blocked;
    }
    constexpr void deliver(std::size_t rank, const payload& p) {
        env_.report(outcome{delivered<id_type, payload>{layer_.members_[rank].id, p}});
    }
    constexpr void overflow() { layer_.become_out(env_); }

private:
    total_order& layer_;
    Env& env_;
};

template <class P>
total_order(P) -> total_order<P>;
template <class P, class... Policies>
total_order(P, total_order_options, Policies...) -> total_order<P, Policies...>;
template <class P, detail::names_its_role... Policies>
total_order(P, Policies...) -> total_order<P, Policies...>;

}  // namespace caucus
