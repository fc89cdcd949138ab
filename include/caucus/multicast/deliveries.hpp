// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/fields.hpp>
#include <caucus/core/input.hpp>
#include <caucus/core/kind.hpp>
#include <caucus/core/request.hpp>
#include <caucus/multicast/outcomes.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace caucus {

// What a multicast promises, judged by nothing but what applications sent and were delivered. For
// explore there are `keeps_deliveries` and `settles_deliveries` in properties.hpp.

template <class Id, class Payload>
class deliveries_judge;
template <class Id, class Payload>
struct witness_of_deliveries;

/// What one application has sent and was delivered, in one sequence: a log for `client`. Payloads
/// have to be distinct, so that a payload and its sender name a message.
template <class Id, class Payload>
class deliveries {
public:
    using judge = deliveries_judge<Id, Payload>;
    using witness = witness_of_deliveries<Id, Payload>;
    struct entry {
        std::optional<Id> from{};   // nobody: it was sent here, and accepted
        Payload payload{};
        std::uint64_t view = 0;     // in which that was; 0 in a group without views

        static constexpr auto fields(auto& self) {
            return std::tie(self.from, self.payload, self.view);
        }
    };

    constexpr void hear(const auto& outcome) {
        visit_kind(outcome, [&](const auto& kind) { note(kind); });
    }
    constexpr void asked(const auto& asked_for, answer said) {
        if (said == answer::accepted) note(asked_for);
    }
    /// The application is back from a crash, with an empty log.
    constexpr void came_back(incarnation lived) { lived_ = lived; }

    constexpr const std::vector<entry>& entries() const { return entries_; }
    constexpr incarnation lived() const { return lived_; }
    constexpr bool is_inside() const { return is_inside_; }
    constexpr std::uint64_t view_number() const { return view_; }
    /// The first entry since it was in the group without a break.
    constexpr std::size_t stay_begins_at() const { return stay_; }
    constexpr std::size_t sent() const { return entries_.size() - delivered(); }
    constexpr std::size_t delivered() const {
        std::size_t count = 0;
        for (const entry& e : entries_) count += e.from.has_value();
        return count;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.entries_, self.lived_, self.is_inside_, self.view_, self.stay_);
    }

private:
    using delivery = caucus::delivered<Id, Payload>;
    constexpr void note(const delivery& d) { entries_.push_back({d.from, d.payload, view_}); }
    constexpr void note(const request::broadcast<Payload>& b) {
        entries_.push_back({std::nullopt, b.payload, view_});
    }
    constexpr void note(const view<Id>& v) {
        if (!is_inside_) stay_ = entries_.size();
        is_inside_ = true;
        view_ = v.number;
    }
    constexpr void note(departed) { is_inside_ = false; }
    constexpr void note(expelled) { is_inside_ = false; }
    constexpr void note(const auto&) {}

    std::vector<entry> entries_{};
    incarnation lived_{};
    bool is_inside_ = true;
    std::uint64_t view_ = 0;
    std::size_t stay_ = 0;
};

/// The log of a client of P.
struct deliveries_log {
    template <class Outcome>
    struct types;
    template <class Id, class Payload, class... Others>
    struct types<std::variant<delivered<Id, Payload>, Others...>> {
        using log = deliveries<Id, Payload>;
    };
    template <class Other, class... Others>
    struct types<std::variant<Other, Others...>> : types<std::variant<Others...>> {};
    template <class Id, class Payload>
    struct types<delivered<Id, Payload>> : types<std::variant<delivered<Id, Payload>>> {};
    template <class Outcome>
    using of = typename types<Outcome>::log;
};

/// Whose log it is: one life of a process, in the sense of crashes.
template <class Id, class Payload>
struct witness_of_deliveries {
    Id id{};
    incarnation lived{};
    const deliveries<Id, Payload>* history = nullptr;
    bool is_live = true;   // at the end
};

/// Judges logs of any number of processes, also of those that crashed. Each function says whether
/// one property holds. In groups with views, nobody misses what was sent in another view.
template <class Id, class Payload>
class deliveries_judge {
    using history = deliveries<Id, Payload>;
    using entry = typename history::entry;

public:
    using witness = witness_of_deliveries<Id, Payload>;

    constexpr explicit deliveries_judge(std::vector<witness> whoever) : all_(std::move(whoever)) {
        for (std::size_t w = 0; w < all_.size(); ++w) list_sent(w);
        for (std::size_t w = 0; w < all_.size(); ++w) list_steps(w);
        find_causes();
    }

    // Integrity

    constexpr bool nothing_twice() const {
        for (const auto& steps : steps_) {
            message_set before(messages_.size());
            for (const step& s : steps)
                if (!s.is_sending && !before.insert(s.what)) return false;
        }
        return true;
    }
    /// Of whom a life is not recorded nothing is known.
    constexpr bool nothing_unsent() const {
        for (const message& m : messages_)
            if (!m.by && are_all_lives_here(m.from)) return false;
        return true;
    }

    // Order, of what is delivered at all

    /// What one has sent in one life is delivered in that order.
    constexpr bool fifo() const {
        return each_delivery([&](const step& s, const message_set&, const message_set& later) {
            const message& m = messages_[s.what];
            return !m.by || !later.any([&](std::size_t other) {
                return messages_[other].by == m.by && messages_[other].number < m.number;
            });
        });
    }
    /// Nothing is delivered before what its sender had sent or been delivered earlier, nor what
    /// follows from that.
    constexpr bool causal() const {
        return each_delivery([&](const step& s, const message_set&, const message_set& later) {
            return !causes_[s.what].meets(later);
        });
    }
    /// Any two that are delivered the same messages are delivered them in the same order.
    constexpr bool total() const {
        return each_two([&](std::size_t a, std::size_t b) {
            std::vector<std::size_t> place(messages_.size(), 0);
            std::size_t count = 0;
            for (const step& s : steps_[a])
                if (!s.is_sending) place[s.what] = ++count;
            std::size_t last = 0;
            for (const step& s : steps_[b]) {
                if (s.is_sending || place[s.what] == 0) continue;
                if (place[s.what] < last) return false;
                last = place[s.what];
            }
            return true;
        });
    }

    // The same without gaps: what comes first in that order has been delivered. It says nothing of
    // later lives in a group without views: nobody knows for which messages they are too late.

    constexpr bool fifo_without_gaps() const {
        return each_delivery([&](const step& s, const message_set& before, const message_set&) {
            const message& m = messages_[s.what];
            if (!m.by || is_latecomer(s)) return true;
            for (std::size_t i = 0; i < messages_.size(); ++i)
                if (messages_[i].by == m.by && messages_[i].number < m.number &&
                    messages_[i].view == m.view && !before.has(i))
                    return false;
            return true;
        });
    }
    constexpr bool causal_without_gaps() const {
        return each_delivery([&](const step& s, const message_set& before, const message_set&) {
            const std::uint64_t now = messages_[s.what].view;
            return is_latecomer(s) || !causes_[s.what].any([&](std::size_t cause) {
                return messages_[cause].by && messages_[cause].view == now && !before.has(cause);
            });
        });
    }
    /// In each view one of the two has been delivered what the other has, and perhaps more.
    constexpr bool total_without_gaps() const {
        return each_two([&](std::size_t a, std::size_t b) {
            std::optional<std::uint64_t> last;
            for (const step& s : steps_[a]) {
                if (s.view == last) continue;
                last = s.view;
                if (is_latecomer_in(a, s.view) || is_latecomer_in(b, s.view)) continue;
                const std::vector<std::size_t> x = delivered_in(a, s.view);
                const std::vector<std::size_t> y = delivered_in(b, s.view);
                for (std::size_t i = 0; i < x.size() && i < y.size(); ++i)
                    if (x[i] != y[i]) return false;
            }
            return true;
        });
    }

    // At the end, of those that live and have not come back

    /// They have been delivered the same. In a group with views: in the last view of each two.
    constexpr bool agreement() const {
        return each_two([&](std::size_t a, std::size_t b) {
            if (!is_witness_to_the_end(a) || !is_witness_to_the_end(b)) return true;
            const std::uint64_t now = all_[a].history->view_number();
            if (now != all_[b].history->view_number()) return true;
            return set_delivered_in(a, now) == set_delivered_in(b, now);
        });
    }
    /// Whoever lives has been delivered what it has sent itself. Agreement does the rest.
    constexpr bool validity() const {
        for (std::size_t w = 0; w < all_.size(); ++w) {
            if (!all_[w].is_live || !all_[w].history->is_inside()) continue;
            message_set own(messages_.size());
            for (const step& s : steps_[w])
                if (!s.is_sending) own.insert(s.what);
            for (std::size_t i = 0; i < messages_.size(); ++i)
                if (messages_[i].by == w && !own.has(i) &&
                    messages_[i].entry >= all_[w].history->stay_begins_at())
                    return false;
        }
        return true;
    }

    /// The name of the first that does not hold, or nothing: of what always has to.
    constexpr const char* broken(ordering order, bool without_gaps) const {
        if (!nothing_twice()) return "integrity: one was delivered twice";
        if (!nothing_unsent()) return "integrity: one was delivered that nobody had sent";
        if (order == ordering::fifo && !fifo()) return "fifo: not as sent";
        if (order == ordering::causal && !causal()) return "causal: an effect before its cause";
        if (order == ordering::total && !total()) return "total: two have another order";
        if (!without_gaps) return nullptr;
        if (order == ordering::fifo && !fifo_without_gaps()) return "fifo: one is missing before";
        if (order == ordering::causal && !causal_without_gaps())
            return "causal: a cause is missing";
        if (order == ordering::total && !total_without_gaps())
            return "total: one is missing between";
        return nullptr;
    }
    /// And of what has to at the end.
    constexpr const char* unsettled() const {
        if (!validity()) return "validity: one was not delivered to its live sender";
        if (!agreement()) return "agreement: two live ones were delivered other messages";
        return nullptr;
    }

private:
    struct message {
        Id from{};
        const Payload* payload = nullptr;
        std::optional<std::size_t> by{};   // the witness that has sent it
        std::size_t number = 0;            // among those of that witness
        std::size_t entry = 0;
        std::uint64_t view = 0;
    };
    struct step {
        bool is_sending = false;
        std::size_t what = 0;
        std::size_t at = 0;       // witness
        std::uint64_t view = 0;
    };
    class message_set {
    public:
        constexpr explicit message_set(std::size_t size) : words_((size + 63) / 64, 0) {}
        constexpr bool has(std::size_t i) const { return (words_[i / 64] >> i % 64 & 1) != 0; }
        constexpr bool insert(std::size_t i) {
            if (has(i)) return false;
            words_[i / 64] |= std::uint64_t{1} << i % 64;
            return true;
        }
        constexpr void add(const message_set& more) {
            for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= more.words_[i];
        }
        constexpr bool meets(const message_set& other) const {
            for (std::size_t i = 0; i < words_.size(); ++i)
                if ((words_[i] & other.words_[i]) != 0) return true;
            return false;
        }
        constexpr bool any(auto is_meant) const {
            for (std::size_t i = 0; i < 64 * words_.size(); ++i)
                if (words_[i / 64] == 0) i |= 63;
                else if (has(i) && is_meant(i)) return true;
            return false;
        }
        friend constexpr bool operator==(const message_set&, const message_set&) = default;

    private:
        std::vector<std::uint64_t> words_;
    };

    // What happened, with messages by number

    constexpr void list_sent(std::size_t w) {
        const std::vector<entry>& entries = all_[w].history->entries();
        std::size_t number = 0;
        for (std::size_t i = 0; i < entries.size(); ++i)
            if (!entries[i].from)
                messages_.push_back({all_[w].id, &entries[i].payload, w, number++, i,
                                     entries[i].view});
    }
    constexpr std::size_t number_of(const Id& from, const entry& e) {
        std::size_t i = 0;
        while (i < messages_.size() && !(messages_[i].from == from &&
                                         caucus::same(*messages_[i].payload, e.payload)))
            ++i;
        if (i == messages_.size())
            messages_.push_back({from, &e.payload, std::nullopt, 0, 0, e.view});
        return i;
    }
    /// One's own message may be delivered before the application has the answer that it is sent.
    constexpr void list_steps(std::size_t w) {
        std::vector<step>& steps = steps_.emplace_back();
        std::vector<std::size_t> sent;
        const auto note_sent = [&](std::size_t m, std::uint64_t view) {
            for (const std::size_t known : sent)
                if (known == m) return;
            sent.push_back(m);
            steps.push_back({true, m, w, view});
        };
        for (const entry& e : all_[w].history->entries()) {
            const std::size_t m = number_of(e.from ? *e.from : all_[w].id, e);
            if (!e.from || messages_[m].by == w) note_sent(m, e.view);
            if (e.from) steps.push_back({false, m, w, e.view});
        }
    }
    /// Goes through all logs at once, each up to what comes from a message not yet sent.
    constexpr void find_causes() {
        causes_.assign(messages_.size(), message_set(messages_.size()));
        message_set known(messages_.size());
        for (std::size_t i = 0; i < messages_.size(); ++i)
            if (!messages_[i].by) known.insert(i);
        std::vector<message_set> past(all_.size(), message_set(messages_.size()));
        std::vector<std::size_t> done(all_.size(), 0);
        for (bool goes_on = true; goes_on;) {
            goes_on = false;
            for (std::size_t w = 0; w < all_.size(); ++w)
                for (; done[w] < steps_[w].size(); ++done[w]) {
                    const step& s = steps_[w][done[w]];
                    if (s.is_sending) {
                        causes_[s.what] = past[w];
                        known.insert(s.what);
                    } else if (!known.has(s.what)) {
                        break;
                    }
                    past[w].add(causes_[s.what]);
                    past[w].insert(s.what);
                    goes_on = true;
                }
        }
    }

    // Who may judge what

    constexpr bool are_all_lives_here(const Id& id) const {
        std::uint32_t lives = 0;
        for (const witness& w : all_)
            if (w.id == id && w.lived.number >= lives) lives = w.lived.number + 1;
        std::uint32_t recorded = 0;
        for (const witness& w : all_) recorded += w.id == id;
        return recorded >= lives;
    }
    constexpr bool is_latecomer(const step& s) const { return is_latecomer_in(s.at, s.view); }
    constexpr bool is_latecomer_in(std::size_t w, std::uint64_t view) const {
        return view == 0 && all_[w].lived.number != 0;
    }
    constexpr bool is_witness_to_the_end(std::size_t w) const {
        return all_[w].is_live && all_[w].history->is_inside() &&
               !is_latecomer_in(w, all_[w].history->view_number());
    }

    constexpr bool each_delivery(auto right) const {
        for (const auto& steps : steps_) {
            message_set before(messages_.size());
            std::vector<message_set> later;   // from the end
            later.emplace_back(messages_.size());
            for (std::size_t i = steps.size(); i-- > 1;) {
                later.push_back(later.back());
                if (!steps[i].is_sending) later.back().insert(steps[i].what);
            }
            for (std::size_t i = 0; i < steps.size(); ++i) {
                if (steps[i].is_sending) continue;
                if (!right(steps[i], before, later[steps.size() - 1 - i])) return false;
                before.insert(steps[i].what);
            }
        }
        return true;
    }
    constexpr bool each_two(auto right) const {
        for (std::size_t a = 0; a < all_.size(); ++a)
            for (std::size_t b = 0; b < all_.size(); ++b)
                if (a != b && !right(a, b)) return false;
        return true;
    }
    constexpr std::vector<std::size_t> delivered_in(std::size_t w, std::uint64_t view) const {
        std::vector<std::size_t> some;
        for (const step& s : steps_[w])
            if (!s.is_sending && s.view == view) some.push_back(s.what);
        return some;
    }
    constexpr message_set set_delivered_in(std::size_t w, std::uint64_t view) const {
        message_set some(messages_.size());
        for (const std::size_t m : delivered_in(w, view)) some.insert(m);
        return some;
    }

    std::vector<witness> all_;
    std::vector<message> messages_{};          // sent by somebody, or by nobody known
    std::vector<std::vector<step>> steps_{};   // of each witness
    std::vector<message_set> causes_{};        // of each message
};

}  // namespace caucus
