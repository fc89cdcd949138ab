// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/fields.hpp>
#include <caucus/core/kind.hpp>
#include <caucus/core/request.hpp>
#include <caucus/multicast/deliveries.hpp>
#include <caucus/multicast/outcomes.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace caucus {

// What a group with views promises, judged by nothing but what applications asked and were told.

template <class Id, class Payload>
class views_judge;
template <class Id, class Payload>
struct witness_of_views;

/// What one application has asked and was told, view by view: a log for `client`.
template <class Id, class Payload>
class group_history {
public:
    using judge = views_judge<Id, Payload>;
    using witness = witness_of_views<Id, Payload>;
    struct in_view {
        view<Id> what{};
        std::vector<Payload> sent{};                     // and accepted
        std::vector<delivered<Id, Payload>> received{};  // in that order
        bool is_last = false;                            // then it was out

        static constexpr auto fields(auto& self) {
            return std::tie(self.what, self.sent, self.received, self.is_last);
        }
    };

    constexpr void hear(const auto& outcome) {
        visit_kind(outcome, [&](const auto& kind) { note(kind); });
    }
    constexpr void asked(const auto& asked_for, answer said) {
        if (said == answer::accepted) note(asked_for);
    }

    constexpr const std::vector<in_view>& views() const { return views_; }
    constexpr bool is_inside() const { return is_inside_; }
    constexpr bool wants_in() const { return wants_in_; }
    constexpr bool wants_out() const { return wants_out_; }
    constexpr std::size_t expulsions() const { return expulsions_; }
    /// Was anything delivered, or sent, while it was in no view?
    constexpr bool is_strange() const { return is_strange_; }
    /// Null if it has not seen that view.
    constexpr const in_view* in(std::uint64_t number) const {
        for (const in_view& v : views_)
            if (v.what.number == number) return &v;
        return nullptr;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.views_, self.is_inside_, self.wants_in_, self.wants_out_,
                        self.is_strange_, self.expulsions_);
    }

private:
    constexpr void note(const view<Id>& v) {
        views_.push_back({v, {}, {}, false});
        is_inside_ = true;
        wants_in_ = false;
    }
    constexpr void note(const delivered<Id, Payload>& d) {
        if (is_inside_) views_.back().received.push_back(d);
        else is_strange_ = true;
    }
    constexpr void note(departed) { end(); }
    constexpr void note(expelled) {
        end();
        ++expulsions_;
    }
    constexpr void end() {
        if (is_inside_) views_.back().is_last = true;
        is_inside_ = wants_out_ = false;
    }
    constexpr void note(const request::broadcast<Payload>& b) {
        if (is_inside_) views_.back().sent.push_back(b.payload);
        else is_strange_ = true;
    }
    constexpr void note(request::join) { wants_in_ = true; }
    constexpr void note(request::depart) { wants_out_ = is_inside_; }
    constexpr void note(const auto&) {}

    std::vector<in_view> views_{};
    bool is_inside_ = false;
    bool wants_in_ = false;
    bool wants_out_ = false;
    bool is_strange_ = false;
    std::size_t expulsions_ = 0;
};

/// The log of a client of P.
struct group_log {
    template <class Outcome>
    struct types;
    template <class Id, class Payload, class... Others>
    struct types<std::variant<view<Id>, delivered<Id, Payload>, Others...>> {
        using history = group_history<Id, Payload>;
    };
    template <class Outcome>
    using of = typename types<Outcome>::history;
};

/// Whose history it is: one life of a process, in the sense of crashes.
template <class Id, class Payload>
struct witness_of_views {
    Id id{};
    incarnation lived{};
    const group_history<Id, Payload>* history = nullptr;
};

/// Judges histories of any number of processes, also of those that crashed, by the properties of
/// virtual synchrony. Each function says whether one of them holds.
template <class Id, class Payload>
class views_judge {
    using history = group_history<Id, Payload>;
    using in_view = typename history::in_view;

public:
    using witness = witness_of_views<Id, Payload>;

    constexpr explicit views_judge(std::vector<witness> whoever) : all_(std::move(whoever)) {}

    /// V0: whoever has a view is in it.
    constexpr bool self_inclusion() const {
        return each_view([](const witness& w, const in_view& v, std::size_t) {
            for (const member<Id>& m : v.what.members)
                if (m.id == w.id && m.life.incarnation == w.lived) return true;
            return false;
        });
    }
    /// V1: numbers rise.
    constexpr bool rising() const {
        return each_view([](const witness& w, const in_view& v, std::size_t i) {
            return i == 0 || w.history->views()[i - 1].what.number < v.what.number;
        });
    }
    /// V2: one list of members for each number.
    constexpr bool agreed_members() const {
        return each_two([](const witness&, const in_view& v, const in_view*, const witness&,
                           const in_view& u, const in_view*) {
            return v.what.members == u.what.members;
        });
    }
    /// V3: whoever goes on to the same view has delivered the same in this one.
    constexpr bool same_before_next() const {
        return each_two([](const witness&, const in_view& v, const in_view* after_v, const witness&,
                           const in_view& u, const in_view* after_u) {
            if (after_v == nullptr || after_u == nullptr ||
                after_v->what.number != after_u->what.number)
                return true;
            return are_same_sets(v.received, u.received);
        });
    }
    /// V4, V5: what is delivered in a view was sent in it, once, without gaps, in order: of every
    /// sender the beginning of what it has sent.
    constexpr bool sent_in_the_view() const {
        for (const witness& w : all_)
            if (w.history->is_strange()) return false;
        return each_view([&](const witness&, const in_view& v, std::size_t) {
            for (const member<Id>& m : v.what.members)
                if (!is_beginning(v, m)) return false;
            for (const delivered<Id, Payload>& d : v.received)
                if (!has_id(v.what.members, d.from)) return false;
            return true;
        });
    }
    /// V6: whoever sends has delivered that itself.
    constexpr bool own_delivered() const {
        return each_view([](const witness& w, const in_view& v, std::size_t) {
            return of_sender(v, w.id).size() == v.sent.size();
        });
    }
    /// For all_unsuspected.
    constexpr bool nobody_expelled() const {
        for (const witness& w : all_)
            if (w.history->expulsions() != 0) return false;
        return true;
    }
    /// The name of the first of them that does not hold, or nothing.
    constexpr const char* broken(bool may_expel) const {
        if (!self_inclusion()) return "V0: it is not in its own view";
        if (!rising()) return "V1: numbers of views do not rise";
        if (!agreed_members()) return "V2: two views of a number have other members";
        if (!same_before_next()) return "V3: two went on together and had delivered other messages";
        if (!sent_in_the_view()) return "V4, V5: delivered is not what was sent in that view";
        if (!own_delivered()) return "V6: it has sent what it has not delivered";
        if (!may_expel && !nobody_expelled()) return "somebody was expelled";
        return nullptr;
    }

private:
    constexpr bool each_view(auto right) const {
        for (const witness& w : all_)
            for (std::size_t i = 0; i < w.history->views().size(); ++i)
                if (!right(w, w.history->views()[i], i)) return false;
        return true;
    }
    static constexpr const in_view* after(const history& h, std::size_t i) {
        const bool goes_on = i + 1 < h.views().size() && !h.views()[i].is_last;
        return goes_on ? &h.views()[i + 1] : nullptr;
    }
    /// Of two processes each, views of the same number, and what each had next.
    constexpr bool each_two(auto right) const {
        for (const witness& a : all_)
            for (const witness& b : all_)
                for (std::size_t i = 0; &a < &b && i < a.history->views().size(); ++i)
                    for (std::size_t j = 0; j < b.history->views().size(); ++j) {
                        const in_view& v = a.history->views()[i];
                        const in_view& u = b.history->views()[j];
                        if (v.what.number == u.what.number &&
                            !right(a, v, after(*a.history, i), b, u, after(*b.history, j)))
                            return false;
                    }
        return true;
    }
    static constexpr bool has_id(const std::vector<member<Id>>& listed, const Id& id) {
        for (const member<Id>& m : listed)
            if (m.id == id) return true;
        return false;
    }
    static constexpr std::vector<Payload> of_sender(const in_view& v, const Id& id) {
        std::vector<Payload> some;
        for (const delivered<Id, Payload>& d : v.received)
            if (d.from == id) some.push_back(d.payload);
        return some;
    }
    static constexpr bool are_same_sets(const std::vector<delivered<Id, Payload>>& a,
                                        const std::vector<delivered<Id, Payload>>& b) {
        const auto within = [](const auto& some, const auto& others) {
            for (const auto& x : some) {
                bool found = false;
                for (const auto& y : others)
                    found = found || (x.from == y.from && caucus::same(x.payload, y.payload));
                if (!found) return false;
            }
            return true;
        };
        return a.size() == b.size() && within(a, b) && within(b, a);
    }
    /// What was delivered of m there is how what m has sent there begins. Of a life that nobody
    /// has recorded nothing is known.
    constexpr bool is_beginning(const in_view& v, const member<Id>& m) const {
        const std::vector<Payload> some = of_sender(v, m.id);
        bool recorded = false;
        for (const witness& w : all_) {
            if (!(w.id == m.id) || w.lived != m.life.incarnation) continue;
            recorded = true;
            const in_view* there = w.history->in(v.what.number);
            if (there == nullptr || there->sent.size() < some.size()) continue;
            bool is = true;
            for (std::size_t i = 0; i < some.size(); ++i)
                is = is && caucus::same(there->sent[i], some[i]);
            if (is) return true;
        }
        return some.empty() || !recorded;
    }

    std::vector<witness> all_;
};

namespace detail {

/// Inside any layers.
constexpr const auto& innermost(const auto& process) {
    if constexpr (requires { process.process(); }) return innermost(process.process());
    else return process;
}
/// Of clients with a group_log: all of them, dead ones too.
constexpr auto histories_in(const auto& g) {
    using history = std::remove_cvref_t<decltype(g[0].log())>;
    std::vector<typename history::witness> found;
    for (std::size_t v = 0; v < g.nodes(); ++v) {
        const auto& process = innermost(g[v]);
        found.push_back({process.id(), process.life().incarnation, &g[v].log()});
    }
    return found;
}

}  // namespace detail

/// V0 to V6, always: of clients with a group_log, the dead too, which explore has to remember.
struct keeps_views {
    bool may_expel = false;   // by majority

    constexpr bool operator()(const auto& g) const { return broken_in(g) == nullptr; }
    constexpr const char* broken_in(const auto& g) const {
        using history = std::remove_cvref_t<decltype(g[0].log())>;
        return typename history::judge{detail::histories_in(g)}.broken(may_expel);
    }
};

/// V7, when all has come to rest: the last view that a live member has holds live members only; all
/// of them have it, have delivered the same in it, and may send; nobody else believes to be in a
/// view, or waits for one, and nobody in it wants to leave. Not asked for where nobody is left,
/// where somebody suspects a live one, and by majority where no more than half of that view live.
struct settles_views {
    bool by_majority = false;

    constexpr bool operator()(const auto& g) const { return broken_in(g) == nullptr; }
    constexpr const char* broken_in(const auto& g) const {
        if (is_misled(g)) return nullptr;
        const auto* last = last_view(g);
        if (last == nullptr) return nullptr;
        std::size_t living = 0;
        for (const auto& m : last->what.members) living += find(g, m) != g.nodes();
        const std::size_t members = last->what.members.size();
        if (by_majority && 2 * living <= members) return nullptr;
        if (living != members) return "V7: the last view holds dead ones";
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v))
                if (const char* words = broken_at(g, v, *last)) return words;
        return nullptr;
    }

private:
    /// The live node that is this member, in this life.
    static constexpr std::size_t find(const auto& g, const auto& m) {
        std::size_t v = 0;
        while (v < g.nodes() && !(g.alive(v) && detail::innermost(g[v]).id() == m.id &&
                                  detail::innermost(g[v]).life() == m.life))
            ++v;
        return v;
    }
    static constexpr bool is_misled(const auto& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v) {
            if (!g.alive(v)) continue;
            const auto& peers = detail::innermost(g[v]).peers();
            for (std::size_t u = 0; u < g.nodes(); ++u)
                for (const port p : ports(peers.size()))
                    if (g.alive(u) && peers[p] == detail::innermost(g[u]).id() &&
                        detail::innermost(g[v]).suspects(p))
                        return true;
        }
        return false;
    }
    static constexpr auto last_view(const auto& g) {
        decltype(&g[0].log().views()[0]) last = nullptr;
        for (std::size_t v = 0; v < g.nodes(); ++v) {
            if (!g.alive(v) || !g[v].log().is_inside()) continue;
            const auto& views = g[v].log().views();
            if (last == nullptr || last->what.number < views.back().what.number)
                last = &views.back();
        }
        return last;
    }
    static constexpr const char* broken_at(const auto& g, std::size_t v, const auto& last) {
        const auto& process = detail::innermost(g[v]);
        const auto& log = g[v].log();
        if (log.wants_in()) return "V7: a joiner waits";
        if (log.wants_out()) return "V7: a leaver stays";
        bool belongs = false;
        for (const auto& m : last.what.members)
            belongs = belongs || (m.id == process.id() && m.life == process.life());
        if (log.is_inside() != belongs) return "V7: who is in and who believes so differ";
        if (!belongs) return nullptr;
        if (log.views().back().what.number != last.what.number) return "V7: one is behind";
        if (process.is_blocked()) return "V7: one is blocked";
        if (log.views().back().received.size() != last.received.size())
            return "V6: in the last view some have not delivered all";
        return nullptr;
    }
};

namespace detail {
/// Of clients with a deliveries_log: all of them, dead ones too.
constexpr auto deliveries_in(const auto& g) {
    using history = std::remove_cvref_t<decltype(g[0].log())>;
    std::vector<typename history::witness> found;
    for (std::size_t v = 0; v < g.nodes(); ++v)
        found.push_back({innermost(g[v]).id(), g[v].log().lived(), &g[v].log(), g.alive(v)});
    return typename history::judge{std::move(found)};
}
}  // namespace detail

/// Integrity and order, always: of clients with a deliveries_log, the dead too, which explore has
/// to remember.
struct keeps_deliveries {
    ordering order = ordering::any;
    bool without_gaps = true;

    constexpr bool operator()(const auto& g) const { return broken_in(g) == nullptr; }
    constexpr const char* broken_in(const auto& g) const {
        return detail::deliveries_in(g).broken(order, without_gaps);
    }
};

/// Agreement and validity, when all has come to rest.
struct settles_deliveries {
    constexpr bool operator()(const auto& g) const { return broken_in(g) == nullptr; }
    constexpr const char* broken_in(const auto& g) const {
        return detail::deliveries_in(g).unsettled();
    }
};

}  // namespace caucus
