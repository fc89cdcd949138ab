// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/environment.hpp>
#include <caucus/core/fields.hpp>
#include <caucus/core/kind.hpp>
#include <caucus/run/report.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace caucus {

/// Counts what is sent over a channel, your own one too, as simulations count:
///     counting counted{udp};   endpoint self{process, counted, clock, listener};
///     counted.so_far().by_kind("election");
/// A message counts per link, with its bits: so a broadcast counts degree times, on any channel.
/// Where the channel can broadcast, it is sent but once: `transmissions` and `transmitted_bits` say
/// what goes over the medium. Of bytes (a view of numbers) there is one kind, and all that counts
/// is how many. Holds the channel by reference, and promises what it does.
template <class Channel>
class counting {
public:
    static constexpr guarantee guarantees = guarantees_of<Channel>();

    explicit counting(Channel& channel) : channel_(channel) {}

    std::size_t degree() const { return channel_.degree(); }
    template <class Message>
    void send(port p, const Message& m) {
        note(m, 1);
        channel_.send(p, m);
    }
    template <class Message>
    void broadcast(const Message& m) requires requires(Channel& c) { c.broadcast(m); } {
        note(m, degree());
        channel_.broadcast(m);
    }

    /// messages, bits and kinds: a kind that has not been sent is there, too, if another one of the
    /// same variant has.
    const report& so_far() const { return counts_; }
    /// A broadcast over a medium is one, and its bits are sent once.
    std::uint64_t transmissions() const { return transmissions_; }
    std::uint64_t transmitted_bits() const { return transmitted_bits_; }

private:
    template <class Message>
    void note(const Message& m, std::size_t receivers) {
        const std::uint64_t bits = bits_of(m);
        ++transmissions_;
        transmitted_bits_ += bits;
        counts_.messages += receivers;
        counts_.bits += receivers * bits;
        learn_kinds<Message>(std::make_index_sequence<kinds_of<Message>>{});
        visit_kind(m, [&](const auto& kind) {
            count_of<std::remove_cvref_t<decltype(kind)>>() += receivers;
        });
    }
    template <class Message, std::size_t... I>
    void learn_kinds(std::index_sequence<I...>) {
        (static_cast<void>(count_of<kind_at<Message, I>>()), ...);
    }
    template <class Kind>
    std::uint64_t& count_of() {
        const char* const tag = &detail::kind_tag<Kind>::here;
        for (report::kind_count& each : counts_.kinds)
            if (each.tag == tag) return each.messages;
        counts_.kinds.push_back({kind_name<Kind>(), 0, tag});
        return counts_.kinds.back().messages;
    }
    template <class Message>
    static std::uint64_t bits_of(const Message& m) {
        if constexpr (requires { m.data(); m.size(); sizeof(*m.data()); })
            return 8 * sizeof(*m.data()) * m.size();
        else
            return visit_kind(m, [](const auto& kind) { return 8 + wire_bits(kind); });
    }

    Channel& channel_;
    report counts_{};
    std::uint64_t transmissions_ = 0;
    std::uint64_t transmitted_bits_ = 0;
};

}  // namespace caucus
