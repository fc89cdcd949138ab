// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>
#include <caucus/core/random.hpp>
#include <caucus/core/request.hpp>
#include <caucus/multicast/total_order/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace support {

struct no_rules {
    static constexpr bool obeys(caucus::order_rule) { return true; }
};

/// Members of one view round a table, without a network: every link is a queue, and the test says
/// which one goes on. What is cast reaches its caster at once.
template <class Order>
class order_table {
public:
    using item = typename Order::item;
    using message = typename Order::template messages<>;

    explicit order_table(std::size_t members, std::optional<caucus::order_rule> removed = {})
        : removed_(removed), orders_(members), delivered_(members), refuses_(members, false),
          overflows_(members, 0), links_(members * members) {
        for (std::size_t rank = 0; rank < members; ++rank) begin_view(rank);
    }

    caucus::answer say(std::size_t rank, int payload) {
        group g{*this, rank};
        const caucus::answer said = orders_[rank].submit(payload, g);
        orders_[rank].go_on(g);
        return said;
    }
    /// Messages of its own, and what is heard of others, as if it had come.
    void hand(std::size_t to, std::size_t from, const auto& m) {
        group g{*this, to};
        if constexpr (caucus::kind_of<std::remove_cvref_t<decltype(m)>, message>)
            orders_[to].on(m, from, g);
        else
            orders_[to].heard(from, item{m}, g);
        orders_[to].go_on(g);
    }
    bool step(std::size_t from, std::size_t to) {
        auto& link = links_[from * orders_.size() + to];
        if (link.empty()) return false;
        const letter next = link.front();
        link.erase(link.begin());
        if (next.index() == 0) hand(to, from, std::get<0>(next));
        else caucus::visit_kind(std::get<1>(next), [&](const auto& m) { hand(to, from, m); });
        return true;
    }
    void run(std::uint64_t seed = 1) {
        caucus::random_source bits{seed};
        const std::size_t n = orders_.size();
        while (under_way() != 0)
            step(static_cast<std::size_t>(bits.below(n)), static_cast<std::size_t>(bits.below(n)));
    }
    void end_view(std::size_t rank) {
        group g{*this, rank};
        orders_[rank].end_view(g);
    }
    void begin_view(std::size_t rank) {
        group g{*this, rank};
        orders_[rank].begin_view(g);
        orders_[rank].go_on(g);
    }
    /// From now on nothing can be cast there, or it can again.
    void refuse(std::size_t rank, bool refuses) {
        refuses_[rank] = refuses;
        group g{*this, rank};
        orders_[rank].go_on(g);
    }
    void bound(std::size_t pending, std::size_t held) {
        pending_max_ = pending;
        held_max_ = held;
    }

    const Order& operator[](std::size_t rank) const { return orders_[rank]; }
    const std::vector<int>& delivered(std::size_t rank) const { return delivered_[rank]; }
    std::size_t overflows(std::size_t rank) const { return overflows_[rank]; }
    std::size_t messages() const { return messages_; }
    std::size_t casts() const { return casts_; }
    std::size_t under_way() const {
        std::size_t count = 0;
        for (const auto& link : links_) count += link.size();
        return count;
    }
    bool all_agree() const {
        for (const auto& of_one : delivered_)
            if (of_one != delivered_[0]) return false;
        return true;
    }

private:
    using letter = std::variant<item, message>;
    class group {
    public:
        group(order_table& whole, std::size_t rank) : table_(whole), rank_(rank) {}
        std::size_t members() const { return table_.orders_.size(); }
        std::size_t rank() const { return rank_; }
        std::uint64_t view() const { return 0; }
        std::size_t pending_max() const { return table_.pending_max_; }
        std::size_t held_max() const { return table_.held_max_; }
        bool obeys(caucus::order_rule r) const { return table_.removed_ != r; }
        void send(std::size_t to, const auto& m) {
            ++table_.messages_;
            table_.links_[rank_ * members() + to].push_back(letter{message{m}});
        }
        caucus::answer cast(const item& i) {
            if (table_.refuses_[rank_]) return caucus::answer::no_room;
            ++table_.casts_;
            for (std::size_t to = 0; to < members(); ++to)
                if (to != rank_) table_.links_[rank_ * members() + to].push_back(letter{i});
            table_.orders_[rank_].heard(rank_, i, *this);
            return caucus::answer::accepted;
        }
        void deliver(std::size_t, int payload) { table_.delivered_[rank_].push_back(payload); }
        void overflow() { ++table_.overflows_[rank_]; }

    private:
        order_table& table_;
        std::size_t rank_;
    };

    std::optional<caucus::order_rule> removed_;
    std::vector<Order> orders_;
    std::vector<std::vector<int>> delivered_;
    std::vector<bool> refuses_;
    std::vector<std::size_t> overflows_;
    std::vector<std::vector<letter>> links_;
    std::size_t pending_max_ = 16;
    std::size_t held_max_ = 1000;
    std::size_t messages_ = 0;
    std::size_t casts_ = 0;
};

}  // namespace support
