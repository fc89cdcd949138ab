// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/kind.hpp>
#include <caucus/multicast/srm.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/trace/observer.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

// Members with ids 0, 1, … on a complete network whose delays are those of another one.

namespace support {

using srm_member = caucus::srm<int, int, caucus::given_distances<>, caucus::sessions_after_news>;

/// How long a message from u to v takes.
using delays = std::function<caucus::ticks(std::size_t, std::size_t)>;
inline delays on_a_star(caucus::ticks d) {
    return [d](std::size_t, std::size_t) { return d; };
}
inline delays on_a_chain(caucus::ticks d) {
    return [d](std::size_t u, std::size_t v) { return d * (u < v ? v - u : u - v); };
}

/// What is multicast to mend losses, by whom and when.
class mending : public caucus::observer {
public:
    struct multicast {
        caucus::ticks at;
        std::size_t by;
        friend constexpr bool operator==(const multicast&, const multicast&) = default;
    };
    std::vector<multicast> requests{};
    std::vector<multicast> repairs{};

    void sent(caucus::ticks at, caucus::node v, caucus::port p, const auto& m) {
        if (p != caucus::port{0}) return;
        caucus::visit_kind(m, [&]<class Kind>(const Kind&) {
            if constexpr (requires { Kind::asker; }) requests.push_back({at, v.index});
            else if constexpr (requires { Kind::by; }) repairs.push_back({at, v.index});
        });
    }
};

using srm_net = caucus::events<caucus::complete, srm_member, mending>;

/// A group, and who does not hear what is sent while `deaf` says so.
struct srm_group {
    std::size_t members = 2;
    delays delay = on_a_star(1);
    caucus::srm_options options = {};
    unsigned sessions = 1;
    std::uint64_t seed = 1;
    caucus::fault_plan faults = {};

    srm_member member(std::size_t v) const {
        std::vector<caucus::given_distances<>::distance> far;
        for (std::size_t u = 0; u < members; ++u)
            if (u != v) far.push_back({static_cast<int>(u), delay(u, v)});
        return srm_member{static_cast<int>(v), options, caucus::given_distances<>{far},
                          caucus::sessions_after_news{sessions}};
    }
    /// `deaf(v)`: is what is sent to v just now lost?
    srm_net net(std::function<bool(std::size_t)> deaf = {}) const {
        caucus::events_options how{
            .seed = seed,
            .delay = caucus::by_hand{[d = delay](const caucus::hop& h, caucus::random_source&) {
                return d(h.from.index, h.to.index);
            }},
            .faults = faults};
        if (deaf)
            how.copies = [deaf](const caucus::hop& h) -> std::size_t {
                return deaf(h.to.index) ? 0 : 1;
            };
        srm_net made{caucus::complete{members},
                     [this](caucus::node v) { return member(v.index); }, how};
        made.start_all();
        return made;
    }
};

inline void cast_from(srm_net& net, std::size_t v, int payload) {
    static_cast<void>(net.call(v, caucus::request::broadcast<int>{payload}));
}

/// What of one kind a node has been told, in order.
template <class Kind>
std::vector<Kind> told(const auto& net, std::size_t v) {
    std::vector<Kind> found;
    for (const auto& o : net.outcomes())
        if (o.node.index == v)
            caucus::visit_kind(o.outcome, [&]<class K>(const K& k) {
                if constexpr (std::is_same_v<K, Kind>) found.push_back(k);
            });
    return found;
}
inline std::vector<int> heard(const auto& net, std::size_t v) {
    std::vector<int> found;
    for (const auto& d : told<caucus::delivered<int, int>>(net, v)) found.push_back(d.payload);
    return found;
}
inline std::uint64_t missed_by(const auto& net, std::size_t v) {
    std::uint64_t sum = 0;
    for (const auto& m : told<caucus::missed<int>>(net, v)) sum += m.count;
    return sum;
}

}  // namespace support
