// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/inner.hpp>
#include <caucus/layer/client.hpp>
#include <caucus/multicast/properties.hpp>
#include <caucus/run/explore.hpp>
#include <caucus/topology/complete.hpp>
#include <support/casts.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

// Groups of applications that send, for explore.

namespace support {

using cast_request = std::variant<caucus::request::broadcast<int>, caucus::request::depart>;
/// What one application asks: so many broadcasts with payloads of its own, and to depart or not.
inline std::vector<cast_request> asks(std::size_t v, int casts, bool departs = false) {
    std::vector<cast_request> all;
    for (int i = 1; i <= casts; ++i)
        all.push_back(caucus::request::broadcast<int>{static_cast<int>(v) * 10 + i});
    if (departs) all.push_back(caucus::request::depart{});
    return all;
}

/// At the end: what a live node has sent in its first life has reached all that live in theirs.
struct casts_reach_all {
    bool operator()(const auto& g) const {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            for (std::size_t u = 0; u < g.nodes(); ++u)
                if (g.alive(v) && g.alive(u) && g[v].log().lived() == caucus::incarnation{} &&
                    g[u].log().lived() == caucus::incarnation{} && !has_all(g, v, u))
                    return false;
        return true;
    }

private:
    static bool has_all(const auto& g, std::size_t v, std::size_t u) {
        for (const auto& sent : g[v].log().entries()) {
            if (sent.from) continue;
            bool is_there = false;
            for (const auto& e : g[u].log().entries())
                is_there = is_there || (e.from && e.payload == sent.payload);
            if (!is_there) return false;
        }
        return true;
    }
};

/// Somebody has been delivered so many.
template <class P>
caucus::property<P> somebody_gets(std::size_t count) {
    return caucus::sometimes("somebody gets them", [=](const caucus::global_state<P>& g) {
        for (std::size_t v = 0; v < g.nodes(); ++v)
            if (g.alive(v) && g[v].log().delivered() == count) return true;
        return false;
    });
}

}  // namespace support
