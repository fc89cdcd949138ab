// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace caucus::simulation {

/// Crashes in the middle of a handler: who is to suffer one, after how many effects, and what the
/// processes were at that moment. A handler cannot be left half way, so it runs to its end, and
/// nobody sees what it does after its crash: its effects are dropped (`events` does that), and the
/// process is looked up here.
template <class P>
class midway {
public:
    enum class counted : unsigned char { sends, effects };

    /// Was a crash in mid-handler never ordered? Then no effect needs to be looked at.
    bool unused() const { return !used_; }

    /// Node v crashes when it asks for one more than so many. Replaces an earlier order.
    void order(std::size_t v, counted what, std::size_t first) {
        at(orders_, v) = {what, first};
        used_ = true;
    }
    /// It crashed otherwise, and comes to life without an order.
    void call_off(std::size_t v) {
        if (v < orders_.size()) orders_[v].reset();
    }

    /// Node v asks for something. Does it crash before it gets it?
    bool strikes(std::size_t v, bool is_send) {
        if (v >= orders_.size() || !orders_[v]) return false;
        if (orders_[v]->what == counted::sends && !is_send) return false;
        return orders_[v]->left-- == 0;
    }

    /// What node v was when it crashed in mid-handler, or nullptr.
    const P* fallen(std::size_t v) const {
        return v < fallen_.size() && fallen_[v] ? &*fallen_[v] : nullptr;
    }
    void fall(std::size_t v, const P& process) { at(fallen_, v).emplace(process); }
    void rise(std::size_t v) {
        if (v < fallen_.size()) fallen_[v].reset();
    }

private:
    struct order_of {
        counted what;
        std::size_t left;
    };
    static auto& at(auto& by_node, std::size_t v) {
        if (v >= by_node.size()) by_node.resize(v + 1);
        return by_node[v];
    }

    std::vector<std::optional<order_of>> orders_;
    std::vector<std::optional<P>> fallen_;
    bool used_ = false;
};

}  // namespace caucus::simulation
