// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/environment.hpp>
#include <caucus/core/model.hpp>
#include <caucus/core/request.hpp>
#include <caucus/multicast/outcomes.hpp>

#include <cstddef>
#include <tuple>
#include <variant>
#include <vector>

namespace support {

/// The least multicast with known members: to everybody, over links that lose nothing. It casts so
/// many before it is full; whatever comes makes room for one more.
template <class Payload, class Id = int>
class plain_cast {
public:
    struct data {
        Payload payload;
        static constexpr auto fields(auto& m) { return std::tie(m.payload); }
    };
    using message = std::variant<data>;
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
        : self_(self), peers_(peers.begin(), peers.end()), room_max_(room), room_(room) {}
    template <class Other>
        requires(!std::is_same_v<Other, Payload>)
    explicit plain_cast(const plain_cast<Other, Id>& like)
        : self_(like.self_), peers_(like.peers_), room_max_(like.room_max_), room_(room_max_) {}

    void start(auto&) {}
    caucus::answer broadcast(const Payload& p, auto& env) {
        if (room_ == 0) return caucus::answer::no_room;
        --room_;
        env.report(outcome{caucus::delivered<Id, Payload>{self_, p}});
        env.broadcast(message{data{p}});
        return caucus::answer::accepted;
    }
    void on(const data& m, caucus::port from, auto& env) {
        if (room_ < room_max_) ++room_;
        if (from < peers_.size())
            env.report(outcome{caucus::delivered<Id, Payload>{peers_[from], m.payload}});
    }

    const Id& id() const { return self_; }
    const std::vector<Id>& peers() const { return peers_; }
    static constexpr auto fields(auto& self) { return std::tie(self.self_, self.room_); }

private:
    template <class, class>
    friend class plain_cast;
    Id self_;
    std::vector<Id> peers_;
    std::size_t room_max_;
    std::size_t room_;
};

}  // namespace support
