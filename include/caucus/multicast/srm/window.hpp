// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/input.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/core/time.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

namespace caucus::detail {

/// What a member does about one packet. In all but two of these one timer runs for it.
enum class packet_stage : std::uint8_t {
    missing,       // a request is due
    backing_off,   // missing, too: requests of others are of the round that is over
    held,          // and nobody wants it
    to_repair,     // held, and a repair is due
    repaired,      // held, and requests are of those whom the repair has not reached yet
    given_up       // it counts as missed, even if it comes
};

template <class Payload>
struct packet_at_member {
    std::optional<Payload> content{};
    packet_stage at = packet_stage::missing;
    std::uint8_t rounds = 0;   // of requests, by whomever
    ticks then = 0;            // how long what follows this stage takes

    static constexpr auto fields(auto& self) {
        return std::tie(self.content, self.at, self.rounds, self.then);
    }
    constexpr bool is_missing() const {
        return at == packet_stage::missing || at == packet_stage::backing_off;
    }
    constexpr bool is_timed() const {
        return at != packet_stage::held && at != packet_stage::given_up;
    }
};

/// The last packets of one source, in one of its lives, as one member has them: all that it keeps
/// of them, and all that it misses. Packet n stands in place n mod the window's size.
template <class Id, class Payload, class Storage>
class packet_window {
public:
    using packet = packet_at_member<Payload>;

    constexpr packet_window() = default;
    constexpr packet_window(const Id& source, incarnation life, std::size_t size)
        : source_(source), life_(life), size_(size) {}

    constexpr const Id& source() const { return source_; }
    constexpr incarnation life() const { return life_; }
    /// One more than the greatest number that it knows of.
    constexpr std::uint64_t end() const { return end_; }
    constexpr std::uint64_t first() const { return first_before(end_); }
    /// The first number in a window that ends there.
    constexpr std::uint64_t first_before(std::uint64_t end) const {
        return end > size_ ? end - size_ : 0;
    }
    constexpr bool covers(std::uint64_t number) const {
        return first() <= number && number < end_;
    }
    constexpr packet& operator[](std::uint64_t number) { return packets_[place_of(number)]; }
    constexpr const packet& operator[](std::uint64_t number) const {
        return packets_[place_of(number)];
    }

    /// All from the old end on are missing; those before the new window are forgotten.
    constexpr void advance_to(std::uint64_t end) {
        packets_.resize(end < size_ ? static_cast<std::size_t>(end) : size_, packet{});
        const std::uint64_t first = first_before(end);
        for (std::uint64_t n = end_ < first ? first : end_; n < end; ++n)
            packets_[place_of(n)] = packet{};
        end_ = end;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.source_, self.life_, self.end_, self.packets_);
    }

private:
    constexpr std::size_t place_of(std::uint64_t number) const {
        return static_cast<std::size_t>(number % size_);
    }

    Id source_{};
    incarnation life_{};
    std::size_t size_ = 1;
    std::uint64_t end_ = 0;
    typename Storage::template sequence<packet> packets_{};
};

}  // namespace caucus::detail
