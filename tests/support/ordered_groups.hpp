// SPDX-License-Identifier: MIT
#pragma once

#include "group_runs.hpp"

#include <caucus/multicast/total_order.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

// Groups of n slots with ids 0, 1, … in total order, and a judge of what their applications saw.

namespace support {

/// All rules of total_order, or all but one.
struct all_but_order {
    using decides = caucus::obeying_order;
    std::optional<caucus::order_rule> removed = {};
    constexpr bool has(caucus::order_rule r) const { return removed != r; }
};

template <class Policy, class... Quorum>
using ordered_group =
    caucus::total_order<caucus::views<int, int, Quorum...>, Policy, all_but_order>;
template <class Policy, class... Quorum>
using ordered_client =
    caucus::client<ordered_group<Policy, Quorum...>, group_script, caucus::group_log>;

inline group_request says(int payload) { return caucus::request::broadcast<int>{payload}; }

template <class Policy, class... Quorum>
auto ordered_groups(const group_story& s, all_but_order rules = {},
                    caucus::total_order_options options = {}) {
    return [=](caucus::node v) {
        std::vector<int> ids;
        for (std::size_t u = 0; u < s.slots; ++u) ids.push_back(static_cast<int>(u));
        const auto wants = v < s.scripts.size() ? s.scripts[v] : std::vector<group_request>{};
        return ordered_client<Policy, Quorum...>{
            ordered_group<Policy, Quorum...>{
                caucus::views<int, int, Quorum...>{
                    ids[v], caucus::peer_ids(caucus::complete{s.slots}, v, ids), s.members,
                    s.options},
                options, rules},
            group_script{wants, {.retries = 0, .again = true}}, {}};
    };
}

/// What total order over views promises, by the histories of applications alone. Payloads are
/// distinct, over all members and lives.
class order_judge {
public:
    using history = caucus::group_history<int, int>;
    struct witness {
        int id = 0;
        caucus::incarnation lived{};
        const history* seen = nullptr;
        bool counts = true;   // its order has to be that of the others
        bool may_be_out = false;   // but not in a view from which others have gone on without it
        bool may_be_told_again = false;   // when it is back, what it was delivered in such a view
    };

    explicit order_judge(std::vector<witness> whoever) : all_(std::move(whoever)) {}

    /// The name of the first promise that does not hold, or nothing.
    const char* broken() const {
        std::vector<history::witness> group;
        for (const witness& w : all_) group.push_back({w.id, w.lived, w.seen});
        const history::judge views{group};
        if (!views.self_inclusion()) return "V0: it is not in its own view";
        if (!views.rising()) return "V1: numbers of views do not rise";
        if (!views.agreed_members()) return "V2: two views of a number have other members";
        if (!views.same_before_next()) return "V3: two went on together and had delivered others";
        for (const witness& w : all_) {
            if (w.seen->is_strange()) return "V4: something was delivered or sent in no view";
            if (const char* words = broken_by(w)) return words;
        }
        for (const witness& a : all_)
            for (const witness& b : all_) {
                if (&a >= &b) continue;
                if (!go_on_with_the_same(*a.seen, *b.seen))
                    return "same sequence: two went on together and had another order";
                if (a.counts && b.counts && !are_in_one_order(delivered(a), delivered(b)))
                    return "total order: two have delivered two messages in another order";
            }
        return nullptr;
    }

private:
    std::vector<int> delivered(const witness& w) const {
        std::vector<int> all;
        for (const auto& v : w.seen->views())
            for (const auto& d : v.received)
                if (!w.may_be_out || !others_went_on_without(w, v)) all.push_back(d.payload);
        return all;
    }
    bool others_went_on_without(const witness& w, const history::in_view& from) const {
        if (&from != &w.seen->views().back() && !from.is_last) return false;
        for (const witness& other : all_)
            if (const auto* next = other.seen->in(from.what.number + 1)) {
                for (const caucus::member<int>& m : next->what.members)
                    if (m.id == w.id && m.life.incarnation == w.lived && !from.is_last)
                        return false;
                return true;
            }
        return false;
    }
    /// In which order did somebody send it? 0 if nobody did that is recorded.
    std::size_t place_of(int payload, int from, std::uint64_t at_last) const {
        std::size_t place = 0;   // lives come in their order
        for (const witness& w : all_)
            for (const auto& v : w.seen->views())
                for (const int sent : v.sent) {
                    if (w.id != from) continue;
                    ++place;
                    if (sent == payload && v.what.number <= at_last) return place;
                }
        return 0;
    }
    const char* broken_by(const witness& w) const {
        std::vector<int> before;
        std::vector<std::pair<int, std::size_t>> of_each;
        for (const auto& v : w.seen->views()) {
            const std::size_t earlier = before.size();
            for (const auto& d : v.received) {
                for (const int payload : before)
                    if (payload == d.payload) return "integrity: one was delivered twice";
                before.push_back(d.payload);
                const std::size_t place = place_of(d.payload, d.from, v.what.number);
                if (place == 0) return "integrity: one was delivered that nobody had sent";
                for (const auto& [from, last] : of_each)
                    if (from == d.from && place < last) return "fifo: not as sent";
                of_each.push_back({d.from, place});
            }
            if (!w.may_be_told_again || !v.is_last) continue;
            before.resize(earlier);
            of_each.resize(earlier);
        }
        return nullptr;
    }
    static bool go_on_with_the_same(const history& a, const history& b) {
        for (std::size_t i = 0; i + 1 < a.views().size(); ++i)
            for (std::size_t j = 0; j + 1 < b.views().size(); ++j) {
                const auto& v = a.views()[i];
                const auto& u = b.views()[j];
                if (v.what.number != u.what.number || v.is_last || u.is_last ||
                    a.views()[i + 1].what.number != b.views()[j + 1].what.number)
                    continue;
                if (v.received.size() != u.received.size()) return false;
                for (std::size_t k = 0; k < v.received.size(); ++k)
                    if (v.received[k].payload != u.received[k].payload) return false;
            }
        return true;
    }
    static bool are_in_one_order(const std::vector<int>& a, const std::vector<int>& b) {
        std::size_t reached = 0;
        for (const int payload : a)
            for (std::size_t i = 0; i < b.size(); ++i) {
                if (b[i] != payload) continue;
                if (i < reached) return false;
                reached = i;
            }
        return true;
    }

    std::vector<witness> all_;
};

/// A majority goes on without a sequencer that lives, and what that has cast is handed in anew.
template <class Policy>
constexpr bool tells_again(bool by_majority) {
    return by_majority && std::is_same_v<Policy, caucus::sequencer>;
}
/// Always, of clients with a group_log. `uniform`: the order of the dead counts, too.
struct keeps_order {
    bool uniform = false;
    bool by_majority = false;
    bool may_tell_again = false;
    bool operator()(const auto& g) const { return broken_in(g) == nullptr; }
    const char* broken_in(const auto& g) const {
        std::vector<order_judge::witness> all;
        for (std::size_t v = 0; v < g.nodes(); ++v) {
            const auto& inner = caucus::detail::innermost(g[v]);
            all.push_back({inner.id(), inner.life().incarnation, &g[v].log(),
                           uniform || g.alive(v), by_majority && !uniform, may_tell_again});
        }
        return order_judge{std::move(all)}.broken();
    }
};
/// The total_order inside any layers.
const auto& ordered_part(const auto& process) {
    if constexpr (requires { process.order(); }) return process;
    else return ordered_part(process.process());
}

/// At the end: all that live and are in the group agree about the last view, and what they have
/// sent is delivered.
struct settles_order {
    bool by_majority = false;
    bool operator()(const auto& g) const {
        if (!caucus::settles_views{by_majority}(g)) return false;
        for (std::size_t v = 0; v < g.nodes(); ++v) {
            if (!g.alive(v) || !g[v].log().is_inside()) continue;
            if (by_majority) continue;   // somebody may be told nothing more
            const auto& layer = ordered_part(g[v].process());
            if (layer.pending() != 0 || layer.held() != 0) return false;
            if (!has_all_that_it_sent(g[v].log())) return false;
        }
        return true;
    }

private:
    static bool has_all_that_it_sent(const order_judge::history& h) {
        std::vector<int> missing;
        for (const auto& v : h.views()) {
            for (const int sent : v.sent) missing.push_back(sent);
            for (const auto& d : v.received) std::erase(missing, d.payload);
            if (v.is_last) missing.clear();
        }
        return missing.empty();
    }
};

}  // namespace support
