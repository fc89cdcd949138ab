// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>
#include <caucus/exclusion/fence.hpp>
#include <caucus/exclusion/properties.hpp>
#include <caucus/exclusion/token_ring.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/trace/observer.hpp>

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

// What holds of a token ring whatever is lost, late or crashed: of each generation there is one
// token, and one node inside.

namespace support {

/// The token ring in it, whatever is around.
template <class P>
constexpr const auto& token_ring_in(const P& p) {
    if constexpr (caucus::is_layer<P>) return token_ring_in(p.process());
    else return p;
}
template <class P>
using generation_in = typename std::remove_cvref_t<
    decltype(token_ring_in(std::declval<const P&>()))>::generation_type;

/// Of all tokens in live hands or under way, plain or in what repaired_ring passes.
template <class P>
std::vector<generation_in<P>> tokens(const caucus::global_state<P>& g) {
    std::vector<generation_in<P>> found;
    for (std::size_t v = 0; v < g.nodes(); ++v)
        if (g.alive(v) && token_ring_in(g[v]).has_token())
            found.push_back(token_ring_in(g[v]).generation());
    const auto note = [&](const auto& kind) {
        if constexpr (requires { kind.of; }) found.push_back(kind.of);
    };
    g.each_in_flight([&](caucus::node, caucus::node, const auto& m) {
        if constexpr (requires { m.relays; }) caucus::visit_kind(m.message, note);
        else caucus::visit_kind(m, note);
    });
    return found;
}
template <class Generation>
bool all_different(const std::vector<Generation>& seen) {
    for (std::size_t i = 0; i < seen.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (seen[i] == seen[j]) return false;
    return true;
}

struct one_token_per_generation {
    template <class P>
    bool operator()(const caucus::global_state<P>& g) const {
        return all_different(tokens(g));
    }
};
struct at_most_one_token {
    template <class P>
    bool operator()(const caucus::global_state<P>& g) const {
        return tokens(g).size() <= 1;
    }
};
struct several_tokens {
    template <class P>
    bool operator()(const caucus::global_state<P>& g) const {
        return tokens(g).size() > 1;
    }
};
/// A token is lost, and a newer one goes round.
struct regenerated {
    template <class P>
    bool operator()(const caucus::global_state<P>& g) const {
        for (const auto& generation : tokens(g))
            if (generation.number > 1) return true;
        return false;
    }
};
struct one_inside_per_generation {
    template <class P>
    bool operator()(const caucus::global_state<P>& g) const {
        std::vector<generation_in<P>> inside;
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && g[v].holds()) inside.push_back(token_ring_in(g[v]).fence().epoch);
        return all_different(inside);
    }
};
/// The applications that live have entered as often as they asked, and have left.
struct living_served {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && (g[v].waits() || g[v].holds())) return false;
        return true;
    }
};

/// What is promised of clients on n nodes when tokens are lost or wrongly missed.
template <class P>
std::vector<caucus::property<P>> token_promises(std::size_t n) {
    std::vector<caucus::property<P>> list{
        caucus::always("one token per generation", one_token_per_generation{}),
        caucus::always("one inside per generation", one_inside_per_generation{}),
        caucus::sometimes(caucus::someone_is_inside), caucus::finally(living_served{})};
    if (n > 1) list.push_back(caucus::sometimes(caucus::several_wait));
    return list;
}

/// A referee of one generation each: one inside, and rising fences; and what of all entries a
/// resource lets pass that is `fenced` rises, too, though entries may not.
///
/// `Fence`   of outcomes entered<Fence>
template <class Fence>
class per_generation : public caucus::observer {
public:
    void reported(caucus::ticks, caucus::node v, const auto& outcome) {
        caucus::visit_kind(outcome, [&](const auto& kind) { note(v, kind); });
    }
    void crashed(caucus::ticks, caucus::node v) { leave(v); }

    bool holds() const { return broken_ == 0; }
    std::size_t entries() const { return entries_; }
    std::size_t revocations() const { return revocations_; }
    std::size_t late_entries() const { return late_entries_; }      // refused by the resource
    std::size_t meetings() const { return meetings_; }              // of two generations inside

private:
    struct holder {
        caucus::node who;
        Fence fence;
    };

    void note(caucus::node v, const caucus::entered<Fence>& e) {
        ++entries_;
        leave(v);
        for (const holder& h : inside_) broken_ += h.fence.epoch == e.fence.epoch;
        meetings_ += !inside_.empty();
        inside_.push_back({v, e.fence});
        for (const Fence& before : seen_)
            broken_ += before.epoch == e.fence.epoch && !(before < e.fence);
        seen_.push_back(e.fence);
        const std::optional<Fence> newest = resource_.newest();
        if (!resource_.admits(e.fence)) ++late_entries_;
        else broken_ += newest && !(*newest < e.fence);
    }
    void note(caucus::node v, const caucus::left&) { leave(v); }
    void note(caucus::node v, const caucus::revoked&) {
        ++revocations_;
        leave(v);
    }
    void leave(caucus::node v) {
        std::vector<holder> rest;
        for (const holder& h : inside_)
            if (h.who.index != v.index) rest.push_back(h);
        inside_ = rest;
    }

    std::vector<holder> inside_{};
    std::vector<Fence> seen_{};
    caucus::fenced<Fence> resource_{};
    std::size_t entries_ = 0, revocations_ = 0, late_entries_ = 0, meetings_ = 0, broken_ = 0;
};

}  // namespace support
