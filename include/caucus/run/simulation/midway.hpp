// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <utility>

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
        orders_[v] = {what, first};
        used_ = true;
    }
    /// It crashed otherwise, and comes to life without an order.
    void call_off(std::size_t v) { orders_.erase(v); }

    /// Node v asks for something. Does it crash before it gets it?
    bool strikes(std::size_t v, bool is_send) {
        const auto at = orders_.find(v);
        if (at == orders_.end()) return false;
        if (at->second.what == counted::sends && !is_send) return false;
        return at->second.left-- == 0;
    }

    /// What node v was when it crashed in mid-handler, or nullptr.
    const P* fallen(std::size_t v) const {
        const auto at = fallen_.find(v);
        return at == fallen_.end() ? nullptr : &at->second;
    }
    void fall(std::size_t v, const P& process) { fallen_.emplace(v, process); }
    void rise(std::size_t v) { fallen_.erase(v); }

private:
    struct order_of {
        counted what;
        std::size_t left;
    };
    std::map<std::size_t, order_of> orders_;
    std::map<std::size_t, P> fallen_;
    bool used_ = false;
};

}  // namespace caucus::simulation
