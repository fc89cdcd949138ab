// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/epoch.hpp>
#include <caucus/core/input.hpp>
#include <caucus/core/port_set.hpp>
#include <caucus/core/process.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace support {

/// The least election that outlives its leaders, on a complete network: node 0 leads, and whoever
/// suspects all before it is the heir, and says so. An epoch's number is its leader's place in the
/// line, so no two lead in one; a node follows greater ones only.
class heirs {
public:
    struct heir { std::uint32_t number; };
    using message = heir;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;
    static constexpr caucus::model assumes = {caucus::shape::complete, caucus::guarantee::reliable};

    heirs(std::size_t self, std::size_t nodes) : self_(static_cast<std::uint32_t>(self)) {
        for (std::size_t p = 0; p + 1 < nodes; ++p)
            peers_.push_back(static_cast<std::uint32_t>((self + 1 + p) % nodes));
    }

    static void start(auto&) {}
    void on(caucus::suspect s, auto& env) {
        suspected_.insert(s.whom);
        for (const caucus::port p : caucus::ports(peers_.size()))
            if (peers_[p] < self_ && !suspected_.contains(p)) return;
        if (leading_ >= self_) return;
        leading_ = self_;
        env.broadcast(heir{self_});
    }
    void on(caucus::trust t, auto&) { suspected_.erase(t.whom); }
    void on(heir h, caucus::port, auto&) {
        if (leading_ < h.number) leading_ = h.number;
    }

    std::uint32_t id() const { return self_; }
    const std::vector<std::uint32_t>& peers() const { return peers_; }
    bool is_leader() const { return leading_ == self_; }
    std::optional<std::uint32_t> leader() const { return leading_; }
    std::optional<caucus::epoch<std::uint32_t>> epoch() const {
        return caucus::epoch<std::uint32_t>{leading_, leading_, {}};
    }
    bool succeeds_nobody() const { return leading_ == 0; }

    static auto fields(auto& self) { return std::tie(self.self_, self.leading_, self.suspected_); }

private:
    std::uint32_t self_;
    std::vector<std::uint32_t> peers_{};
    std::uint32_t leading_ = 0;
    caucus::port_set<> suspected_{};
};

}  // namespace support
