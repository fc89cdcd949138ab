// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace caucus::simulation {

/// Who is to crash in the middle of a handler, and after how many effects.
class midway_orders {
public:
    enum class counted : unsigned char { sends, effects };

    /// Was a crash in mid-handler never ordered? Then no effect needs to be looked at.
    bool unused() const { return !used_; }

    /// Node v crashes when it asks for one more than so many. Replaces an earlier order.
    void order(std::size_t v, counted what, std::size_t first) {
        if (v >= orders_.size()) orders_.resize(v + 1);
        orders_[v] = {what, first};
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

private:
    struct order_of {
        counted what;
        std::size_t left;
    };

    std::vector<std::optional<order_of>> orders_;
    bool used_ = false;
};

/// What processes were when they crashed in the middle of a handler. It cannot be left half way,
/// so it runs to its end, and nobody sees what it does after its crash: its effects are dropped
/// (`events` does that), and the process is looked up here.
template <class P>
class midway {
public:
    midway() = default;
    midway(midway&&) = default;
    midway(const midway& other) {
        for (const remains* each = other.last_.get(); each != nullptr; each = each->before.get())
            fall(each->node, each->process);
    }
    midway& operator=(midway other) {
        last_ = std::move(other.last_);
        return *this;
    }

    /// What node v was when it crashed in mid-handler, or nullptr.
    const P* of(std::size_t v) const {
        const remains* each = last_.get();
        while (each != nullptr && each->node != v) each = each->before.get();
        return each == nullptr ? nullptr : &each->process;
    }
    void fall(std::size_t v, const P& process) {
        rise(v);
        last_.reset(new remains{v, process, std::move(last_)});
    }
    void rise(std::size_t v) {
        for (std::unique_ptr<remains>* each = &last_; *each != nullptr; each = &(*each)->before)
            if ((*each)->node == v) {
                *each = std::move((*each)->before);
                return;
            }
    }

private:
    struct remains {
        std::size_t node;
        P process;
        std::unique_ptr<remains> before;
    };

    std::unique_ptr<remains> last_;   // those who fell, a list: they are few
};

}  // namespace caucus::simulation
