// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/environment.hpp>
#include <caucus/core/model.hpp>
#include <caucus/core/request.hpp>
#include <caucus/multicast/outcomes.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

namespace support {

/// The least multicast with known members: to everybody, over links that lose nothing. So many
/// casts may be under way; the receivers say when they have got one, unless there is room for 99.
template <class Payload, class Id = int>
class plain_cast {
public:
    struct data {
        Payload payload;
        static constexpr auto fields(auto& m) { return std::tie(m.payload); }
    };
    struct got {};
    using message = std::variant<data, got>;
    using timer = caucus::nothing;
    using outcome = std::variant<caucus::delivered<Id, Payload>>;
    using payload = Payload;
    using requests = std::variant<caucus::request::start, caucus::request::broadcast<Payload>>;
    template <class Other>
    using with_payload = plain_cast<Other, Id>;

    static constexpr caucus::ordering delivers = caucus::ordering::fifo;
    static constexpr caucus::model assumes = {
        caucus::shape::complete, caucus::perfect_links, caucus::naming::distinct,
        caucus::timing::asynchronous, false};
    static constexpr caucus::cost per_broadcast(std::size_t n) { return {n - 1, n - 1}; }

    template <class Range>
    plain_cast(Id self, const Range& peers, std::size_t room)
        : self_(self), peers_(peers.begin(), peers.end()), room_max_(room),
          room_(room * peers_.size()) {}
    template <class Other>
        requires(!std::is_same_v<Other, Payload>)
    explicit plain_cast(const plain_cast<Other, Id>& like)
        : self_(like.self_), peers_(like.peers_), room_max_(like.room_max_),
          room_(room_max_ * peers_.size()) {}

    void start(auto&) {}
    caucus::answer broadcast(const Payload& p, auto& env) {
        if (room_ < peers_.size()) return caucus::answer::no_room;
        if (is_bounded()) room_ -= peers_.size();
        env.report(outcome{caucus::delivered<Id, Payload>{self_, p}});
        env.broadcast(message{data{p}});
        return caucus::answer::accepted;
    }
    void on(const data& m, caucus::port from, auto& env) {
        if (is_bounded()) env.send(from, message{got{}});
        if (from < peers_.size())
            env.report(outcome{caucus::delivered<Id, Payload>{peers_[from], m.payload}});
    }

    void on(const got&, caucus::port, auto&) { ++room_; }

    const Id& id() const { return self_; }
    const std::vector<Id>& peers() const { return peers_; }
    static constexpr auto fields(auto& self) { return std::tie(self.self_, self.room_); }

private:
    bool is_bounded() const { return room_max_ != 99; }
    template <class, class>
    friend class plain_cast;
    Id self_;
    std::vector<Id> peers_;
    std::size_t room_max_;
    std::size_t room_;
};

}  // namespace support
