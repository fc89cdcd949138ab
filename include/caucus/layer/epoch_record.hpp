// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/epoch.hpp>
#include <caucus/layer/supervision.hpp>

#include <cstdint>
#include <optional>
#include <tuple>

namespace caucus {

/// What a node knows of epochs: the last one that it followed or led in, the highest number that it
/// has heard of, and which life of its own this is. Its epochs rise; numbers only rise.
template <class Id>
class epoch_record {
public:
    using epoch_type = caucus::epoch<Id>;

    constexpr const std::optional<epoch_type>& last() const { return last_; }
    constexpr std::uint64_t heard() const { return heard_; }
    constexpr void begin_life(incarnation life) { life_ = life; }

    /// Or is it too far ahead to be honest?
    constexpr bool believes(std::uint64_t number) const { return !leaps(number, heard_); }
    constexpr void hear_of(std::uint64_t number) {
        if (heard_ < number) heard_ = number;
    }
    /// False, and nothing else, of a number that is not believed.
    [[nodiscard]] constexpr bool hears(std::uint64_t number) {
        if (!believes(number)) return false;
        hear_of(number);
        return true;
    }
    /// After the last number, epochs would begin again.
    constexpr bool is_exhausted() const { return heard_ == last_number; }
    constexpr std::uint64_t next_number() { return ++heard_; }

    constexpr epoch_type stamp(std::uint64_t number, const Id& self) const {
        return {number, self, life_};
    }
    constexpr bool is_stamped_by(const Id& self, const epoch_type& e) const {
        return e.leader == self && e.incarnation == life_;
    }
    /// Only this node stamps epochs of this life: those that it hears of are never news.
    constexpr bool is_forged(const Id& self, const epoch_type& e) const {
        return is_stamped_by(self, e) && is_news(e);
    }
    constexpr bool is_news(const epoch_type& e) const { return !last_ || *last_ < e; }
    constexpr void follow(const epoch_type& e) {
        hear_of(e.number);
        last_ = e;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.last_, self.heard_, self.life_);
    }

private:
    std::optional<epoch_type> last_{};
    std::uint64_t heard_ = 0;
    incarnation life_{};
};

}  // namespace caucus
