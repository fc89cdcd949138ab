// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/epoch.hpp>
#include <caucus/core/layer.hpp>
#include <caucus/core/outcome.hpp>
#include <caucus/core/policy.hpp>
#include <caucus/core/suspected_ports.hpp>
#include <caucus/exclusion/admission.hpp>
#include <caucus/exclusion/answering_wishes.hpp>
#include <caucus/exclusion/fence.hpp>
#include <caucus/exclusion/section.hpp>
#include <caucus/exclusion/section_verbs.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace caucus {

template <class Election>
concept needs_an_election_with_epochs__wrap_it_in_supervised_or_stamped =
    requires(const Election& e) {
        { *e.epoch() < *e.epoch() } -> std::convertible_to<bool>;
        { e.is_leader() } -> std::convertible_to<bool>;
    };
template <class Election>
concept needs_an_election_that_knows_its_peers__such_as_bully_or_appointed =
    requires(const Election& e) { e.peers().size(); };

namespace detail {

template <bool Has, class Variant, class Kind>
using with_kind_if = typename std::conditional_t<Has, with_kinds<Variant, Kind>,
                                                 std::type_identity<Variant>>::type;

template <class Election>
concept tells_whom_it_suspects = requires(const Election& e, port p) {
    { e.suspects(p) } -> std::convertible_to<bool>;
};

/// The election remembers whom the detector suspects.
struct no_words {
    static constexpr void hear(const auto&) {}
};

}  // namespace detail

/// A central server: the leader lets in one at a time, as they ask. Whoever leads next grants
/// nothing before it has heard from all whether they wait, are inside, or neither.
///
/// Model     whoever leads is everybody's neighbour; reliable links, any order, duplicates too; a
///           failure detector, in the election or around
/// Safety    as long as nobody alive is suspected, at most one is inside, and each entry has a
///           greater fence than all before, unless nobody is left who knows their epoch: supervised
///           by a majority it is remembered, and a fixed server's rise by themselves. Whatever
///           happens: no two entries have one fence, and those of one life of a node rise
/// Liveness  once nothing goes wrong, everyone alive who asks enters; under one leader in the order
///           in which the wishes reach it, which need not be that in which they happened
/// Cost      an entry 3, of the leader itself 0 (tells_place: 4 if it waits); 2 delays from a leave
///           to the next entry; a new leader n-1, one that is back from a crash 3(n-1)
/// Faults    crash and return of anybody at any time that the election survives: who waits goes on
///           waiting, who is inside stays, who dies inside is succeeded. A wrong suspicion: two
///           inside at once, until the first hears `revoked`. A partition: one on each side for
///           ever; supervised by a majority, on the lesser side nobody enters once its leader
///           misses the others, but who is inside stays
/// Source    the textbooks' central server; the census after a crash is not theirs
///
/// The fence is {the leader's epoch, how many it has let in}: nobody else stamps that epoch, and
/// the count lives as long as that life of the leader, so no two are equal. Who follows a later
/// epoch refuses grants of earlier ones, and a leader has heard from all before it grants: so they
/// rise. Where all who know the last epoch have died, or are back with nothing, they begin again.
/// What checks fences (`fenced`) is used by one at a time even where two are inside; an old leader
/// that is cut off goes on granting, with older ones.
/// Inside `candid`, whoever waits for a dead server says so until another leads.
///
/// `Election` its epochs rise within a life, and its leader knows of one before anybody else:
///           supervised, stamped, or appointed for a fixed server. A bare election has none: where
///           the leader may change, nothing would order its fences.
/// answering_wishes  grants_only, the default, as in the textbooks; or tells_place: whoever has to
///           wait is told how many are before it, so that a long queue is not taken for a dead
///           server. A new leader says so when it has heard from all.
/// storage   heap_storage, the default, or inplace_storage<degree>: no allocation of its own.
template <class Election, class... Policies>
class coordinator : public layer_over<coordinator<Election, Policies...>, Election>,
                    public section_verbs<coordinator<Election, Policies...>> {
    static_assert(needs_an_election_with_epochs__wrap_it_in_supervised_or_stamped<Election>,
                  "needs_an_election_with_epochs__wrap_it_in_supervised_or_stamped");
    static_assert(needs_an_election_that_knows_its_peers__such_as_bully_or_appointed<Election>,
                  "needs_an_election_that_knows_its_peers__such_as_bully_or_appointed");
    static_assert(roles<answering_wishes, storage>::cover<Policies...>,
                  "a_policy_is_not_known_here_or_was_given_twice");

    using base = layer_over<coordinator, Election>;
    friend base;
    using base::process_;
    using verbs = section_verbs<coordinator>;
    friend verbs;
    using verbs::section_;
    using store = policy<storage, heap_storage, Policies...>;
    static constexpr bool answers = chooses<tells_place, grants_only, Policies...>;
    static constexpr bool asks_election = detail::tells_whom_it_suspects<Election>;

public:
    using epoch_type =
        std::remove_cvref_t<decltype(*std::declval<const Election&>().epoch())>;
    using fence_type = caucus::fence<epoch_type>;

    // To the leader of that epoch. The first that it hears of a node is that one's census, too.
    struct wish { epoch_type to; ticket of; };
    struct done { epoch_type to; ticket of; };                     // has left, or wants nothing
    struct stay { epoch_type to; ticket of; fence_type fence; };   // inside, let in by another
    // From the leader.
    struct call { epoch_type by; };                                // where do you stand?
    struct grant { ticket of; fence_type fence; };
    struct revocation { epoch_type by; ticket of; };
    struct place { epoch_type by; ticket of; std::size_t ahead; };
    struct carried { typename Election::message message; };
    using message = detail::with_kind_if<
        answers,
        kinds_with<(kinds_of<typename Election::message> != 0), carried, wish, done, stay, call,
                   grant, revocation>,
        place>;
    using timer = timers_over<Election>;
    using outcome = detail::with_kind_if<
        store::bounded,
        detail::with_kind_if<answers, outcomes_over<Election, entered<fence_type>, left, revoked>,
                             queued>,
        overflow>;
    using requests = typename detail::with_kinds<section_requests, caucus::request::start>::type;
    using typename base::kept;
    using verbs::cancel;
    using verbs::holds;
    using verbs::release;
    using verbs::request;
    using verbs::waits;
    using storage_type = decltype(detail::room_for_timers<Election>());
    template <class Env>
    using inside = renaming_environment<coordinator, Env>;

    static constexpr bool heeds_suspicions = true;
    static constexpr model assumes = [] {
        model given = assumptions_of<Election>();
        given.links = given.links | guarantee::reliable;
        return given;
    }();
    static constexpr std::size_t own_timers(std::size_t) { return 0; }

    static constexpr cost per_entry(std::size_t nodes) {
        return {0, nodes < 2 ? std::uint64_t{0} : answers ? std::uint64_t{4} : std::uint64_t{3}};
    }
    /// If nobody crashes or is suspected; `initiators` are the entries asked for, cancelled or not.
    /// For an election without a census at the beginning.
    static constexpr cost messages(size s) requires requires(const Election& e) {
        Election::messages(size{});
        e.succeeds_nobody();
    } {
        const cost of_election = Election::messages(s);
        return {of_election.least, of_election.most + s.initiators * per_entry(s.nodes).most};
    }

    template <class... Given>
        requires(... && detail::fits_one_of<Given, Policies...>)
    constexpr explicit coordinator(Election election, Given...) : base(std::move(election)) {
        // Appointed from the beginning: there is nobody to be told, or to be heard first.
        if (!store::holds(process_.peers().size())) return;
        reign_ = process_.epoch();
        if (!reign_) return;
        leader_ = port_of(reign_->leader);
        if (leads()) line_.open(members());
    }

    using base::on;
    constexpr void on(const wish& m, port from, auto& env) {
        if (is_strange(m.to, from) || line_.is_over(m.of, from)) return;
        enqueue(m.of, from, env);
    }
    constexpr void on(const done& m, port from, auto& env) {
        if (is_strange(m.to, from) || line_.is_over(m.of, from)) return;
        line_.done(m.of, from);
        attend(env);
    }
    constexpr void on(const stay& m, port from, auto& env) {
        if (is_strange(m.to, from) || line_.is_over(m.of, from)) return;
        if (const std::optional<port> older = line_.stay(m.of, m.fence, from)) revoke(*older, env);
        attend(env);
    }

    constexpr void on(const call& m, port from, auto& env) {
        if (!is_foreign(m.by, from)) say_where_it_stands(env);
    }
    constexpr void on(const grant& m, port from, auto& env) {
        // Of an old epoch: whoever leads now may have let in another meanwhile.
        if (is_foreign(m.fence.epoch, from) || !(m.of == last()) || !waits()) return;
        enter(m.fence, env);
    }
    constexpr void on(const revocation& m, port from, auto& env) {
        if (is_foreign(m.by, from) || !(m.of == last())) return;
        lose_grant(env);
    }
    constexpr void on(const place& m, port from, auto& env) requires answers {
        if (is_foreign(m.by, from) || !(m.of == last()) || !waits()) return;
        env.report(outcome{queued{m.ahead}});
    }

    /// Of the last entry.
    constexpr const fence_type& fence() const { return fence_; }
    /// Nobody enters here before the neighbour behind that port acts: it leads, or was the last to.
    constexpr bool awaits(port p) const {
        if (waits() && leader_ == p) return true;
        if constexpr (requires { process_.awaits(p); }) return process_.awaits(p);
        else return false;
    }

    static constexpr auto fields(auto& self) {
        const auto state = std::tie(self.process_, self.section_, self.life_, self.number_,
                                    self.fence_, self.reign_, self.leader_, self.count_,
                                    self.line_, self.in_census_, self.told_);
        if constexpr (asks_election) return state;
        else return std::tuple_cat(state, std::tie(self.words_));
    }

private:
    // Everybody's

    constexpr ticket last() const { return {life_, number_}; }
    constexpr bool is_foreign(const epoch_type& e, port from) const {
        return !(reign_ == e) || !(leader_ == from);
    }
    constexpr void become_waiting(auto& env) { ask_anew(env); }
    constexpr void become_outside(auto& env) { say_done(env); }
    constexpr void ask_anew(auto& env) {
        ++number_;
        if (leads()) enqueue(last(), itself(), env);
        else if (knows_leader()) env.send(*leader_, message{wish{*reign_, last()}});
    }
    /// Without one nothing is said: the next will hear where this node stands.
    constexpr bool knows_leader() const { return reign_ && leader_; }
    constexpr void say_done(auto& env) {
        if (leads()) {
            line_.done(last(), itself());
            attend(env);
        } else if (knows_leader()) {
            env.send(*leader_, message{done{*reign_, last()}});
        }
    }
    constexpr void enter(const fence_type& f, auto& env) {
        section_.enter();
        fence_ = f;
        env.report(outcome{entered<fence_type>{f}});
    }
    constexpr void lose_grant(auto& env) {
        // The grant is under way, or lost: as one of another wish it will be refused.
        if (waits()) return ask_anew(env);
        if (!holds()) return;
        section_.revoke();
        env.report(outcome{revoked{}});
    }

    constexpr void run_inside(auto& env, auto act) {
        if (is_out(env)) return;
        base::run_inside(env, act);
        const auto now = process_.epoch();
        if (!(now == reign_)) follow(now, env);
        if (leads()) attend(env);
    }
    constexpr void follow(const std::optional<epoch_type>& now, auto& env) {
        line_.close();
        in_census_ = false;
        reign_ = now;
        if (!now) return;
        leader_ = port_of(now->leader);
        if (leads()) become_leader(env);
        else if (leader_) say_where_it_stands(env);
    }
    constexpr void say_where_it_stands(auto& env) {
        if (holds()) env.send(*leader_, message{stay{*reign_, last(), fence_}});
        else if (waits()) env.send(*leader_, message{wish{*reign_, last()}});
        else if (!is_first_reign() || life_ != incarnation{}) say_done(env);
    }
    constexpr bool is_first_reign() const {
        if constexpr (requires { process_.succeeds_nobody(); }) return process_.succeeds_nobody();
        else return false;
    }
    constexpr std::optional<port> port_of(const auto& leader) const {
        if (process_.is_leader()) return itself();
        for (const port p : ports(process_.peers().size()))
            if (process_.peers()[p] == leader) return p;
        return std::nullopt;   // a stranger made that epoch up
    }
    constexpr std::size_t members() const { return process_.peers().size() + 1; }
    constexpr port itself() const { return port{process_.peers().size()}; }

    constexpr void heed(const auto& word, auto& env) {
        if (is_out(env)) return;
        if constexpr (requires { word.whom; }) {
            if (word.whom < itself() && !is_past(word)) words_.hear(word);
        } else {
            life_ = word.incarnation;
        }
        base::pass(word, env);
    }
    constexpr bool is_out(auto& env) {
        if constexpr (store::bounded) {
            if (store::holds(env.degree())) return false;
            if (!std::exchange(told_, true)) overflows<store, outcome>(env);
            return true;
        }
        return false;
    }

    // The leader's

    constexpr bool leads() const { return reign_ && process_.is_leader(); }
    constexpr bool is_strange(const epoch_type& to, port from) const {
        return !leads() || !(*reign_ == to) || from >= itself();
    }
    constexpr bool is_suspected(port p) const {
        if (p == itself()) return false;
        if constexpr (asks_election) return process_.suspects(p);
        else return words_.contains(p);
    }
    /// The word is on a life before that in which the neighbour has spoken to this leader.
    constexpr bool is_past(const auto& word) const {
        return leads() && word.life && *word.life < line_.ticket_of(word.whom).life;
    }
    constexpr void become_leader(auto& env) {
        count_ = 0;
        line_.open(members());
        if (!is_first_reign())
            for (const port p : ports(env.degree())) line_.await(p);
        in_census_ = line_.awaits_anyone();
        // What is said to one that is back from a crash may be lost before it has been heard again:
        // `reliable` takes it for what was said to the former life.
        if (life_ != incarnation{}) env.broadcast(message{call{*reign_}});
        if (holds()) static_cast<void>(line_.stay(last(), fence_, itself()));
        if (waits()) enqueue(last(), itself(), env);
    }
    constexpr void enqueue(const ticket& t, port who, auto& env) {
        const bool will_be_told = in_census_;
        const bool is_new = line_.wish(t, who);
        attend(env);
        if constexpr (answers)
            if (is_new && !will_be_told && line_.waits(who)) tell_place(who, env);
    }
    /// Before, nobody knows how many are to leave first.
    constexpr void end_census(auto& env) {
        in_census_ = false;
        if constexpr (answers)
            for (const port p : ports(members()))
                if (line_.waits(p)) tell_place(p, env);
    }
    constexpr void tell_place(port who, auto& env) {
        const std::size_t ahead = line_.ahead_of(who);
        if (who == itself()) env.report(outcome{queued{ahead}});
        else env.send(who, message{place{*reign_, line_.ticket_of(who), ahead}});
    }
    /// Gives up those who are suspected, and lets in the next.
    constexpr void attend(auto& env) {
        if (line_.awaits_anyone())
            for (const port p : ports(env.degree()))
                if (is_suspected(p)) line_.excuse(p);
        if (const auto holder = line_.holder(); holder && is_suspected(*holder))
            revoke(*holder, env);
        if (const auto who = line_.next([this](port p) { return !is_suspected(p); }))
            let_in(*who, env);
        if (in_census_ && !line_.awaits_anyone()) end_census(env);
    }
    constexpr void let_in(port who, auto& env) {
        const fence_type f{*reign_, ++count_};
        line_.let_in(who, f);
        if (who == itself()) enter(f, env);
        else env.send(who, message{grant{line_.ticket_of(who), f}});
    }
    /// If it lives after all, it learns that it is outside.
    constexpr void revoke(port who, auto& env) {
        const ticket t = line_.ticket_of(who);
        line_.done(t, who);
        if (who == itself()) lose_grant(env);
        else env.send(who, message{revocation{*reign_, t}});
    }

    incarnation life_{};
    std::uint64_t number_ = 0;             // of its last wish
    fence_type fence_{};
    std::optional<epoch_type> reign_{};    // that it follows, or leads in
    std::optional<port> leader_{};         // of that reign, or of the last
    std::uint64_t count_ = 0;              // entries that it has granted in this reign
    admission<fence_type, store> line_{};  // while it leads
    bool in_census_ = false;
    [[no_unique_address]] std::conditional_t<asks_election, detail::no_words,
                                             suspected_ports<store>> words_{};
    bool told_ = false;                    // that there is no room
};

template <class Election, class... Policies>
coordinator(Election, Policies...) -> coordinator<Election, Policies...>;

}  // namespace caucus
