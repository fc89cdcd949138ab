// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/fields.hpp>
#include <caucus/core/kind.hpp>
#include <caucus/run/report.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace caucus::simulation {

/// What is counted per node and per link, whatever the messages are.
class detailed_tally {
public:
    constexpr void keep_detail(std::size_t nodes, std::size_t arcs) {
        by_node_.assign(nodes, 0);
        by_link_.assign(arcs, 0);
        depth_.assign(nodes, 0);
        detailed_ = true;
    }
    constexpr bool detailed() const { return detailed_; }

    /// The message's place in its causal chain.
    constexpr std::uint32_t sent_in_detail(std::size_t from, std::size_t arc) {
        ++by_node_[from];
        ++by_link_[arc];
        const std::uint32_t chain = depth_[from] + 1;
        if (chain > longest_) longest_ = chain;
        return chain;
    }
    constexpr void received_in_detail(std::size_t to, std::uint32_t chain) {
        if (depth_[to] < chain) depth_[to] = chain;
    }

protected:
    constexpr void fill_in_detail(report& r) const {
        r.detailed = detailed_;
        if (!detailed_) return;
        r.longest_chain = longest_;
        r.by_node = {by_node_};
        r.by_link = {by_link_};
    }

private:
    std::uint32_t longest_ = 0;
    bool detailed_ = false;
    std::vector<std::uint64_t> by_node_;
    std::vector<std::uint64_t> by_link_;
    std::vector<std::uint32_t> depth_;
};

/// The counters behind a report, for messages of one type.
template <class Message>
class tally : public detailed_tally {
public:
    constexpr void sent(const auto& kind) {
        ++by_kind_[kind_index<Message>(kind)];
        if constexpr (!fixed_width)
            visit_kind(kind, [&](const auto& held) { bits_ += 8 + wire_bits(held); });
    }
    constexpr std::uint64_t messages() const {
        std::uint64_t total = 0;
        for (const std::uint64_t each : by_kind_) total += each;
        return total;
    }

    constexpr void fill(report& r) const {
        r.messages = messages();
        r.bits = bits_;
        fill_in_detail(r);
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (r.kinds.push_back({kind_name<kind_at<Message, I>>(), by_kind_[I],
                                 &caucus::detail::kind_tag<kind_at<Message, I>>::here}), ...);
            if constexpr (fixed_width)
                ((r.bits += by_kind_[I] * (8 + wire_bits(kind_at<Message, I>{}))), ...);
        }(std::make_index_sequence<kinds_of<Message>>{});
    }

private:
    template <class Kind>
    static constexpr bool plain =
        std::is_default_constructible_v<Kind> && caucus::detail::fixed_width<Kind>();
    static constexpr bool fixed_width = []<std::size_t... I>(std::index_sequence<I...>) {
        return (... && plain<kind_at<Message, I>>);
    }(std::make_index_sequence<kinds_of<Message>>{});

    std::uint64_t by_kind_[kinds_of<Message> + 1] = {};
    std::uint64_t bits_ = 0;
};

}  // namespace caucus::simulation
