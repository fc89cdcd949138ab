// SPDX-License-Identifier: MIT
// Peers that say anything: nothing is promised then, but nothing breaks, and memory is bounded.
#include <caucus/multicast/views.hpp>

#include "../archetypes.hpp"

#include <caucus/core/random.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

using namespace caucus;

namespace {

template <class Group>
class liar {
public:
    explicit liar(std::uint64_t seed) : bits_(seed) {}

    typename Group::message any(const Group& to) {
        const std::uint64_t now = to.current().number;
        own_ = to.life();
        const std::uint64_t v = bits_.below(4) == 0 ? number() : now + bits_.below(3) - 1;
        const typename Group::attempt in{static_cast<std::uint32_t>(number()),
                                         static_cast<std::uint32_t>(bits_.below(5))};
        switch (bits_.below(10)) {
            case 0: return typename Group::data{v, bits_.below(5), 1};
            case 1: return typename Group::prepare{v, in};
            case 2: return typename Group::answered{v, in, rows(), std::nullopt};
            case 3: return typename Group::refused{v, in};
            case 4: return typename Group::propose{v, in, next(v + 1)};
            case 5: return typename Group::accepted{v, in};
            case 6: return typename Group::decide{next(v + bits_.below(2))};
            case 7: return typename Group::nudge{v, any_life()};
            case 8: return typename Group::joining{any_life(), bits_.below(2) == 0};
            default: return typename Group::leaving{any_life()};
        }
    }
    std::uint64_t below(std::uint64_t n) { return bits_.below(n); }

private:
    std::uint64_t number() {
        constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
        return bits_.below(3) == 0 ? most - bits_.below(3) : bits_.below(4);
    }
    life any_life() {
        return {incarnation{static_cast<std::uint32_t>(number())},
                static_cast<std::uint32_t>(number())};
    }
    std::vector<member<int>> members() {
        std::vector<member<int>> some;
        for (int id = 0; id < 4; ++id)
            if (bits_.below(3) != 0)
                some.push_back({id, bits_.below(8) == 0 ? any_life() : id == 0 ? own_ : life{}});
        if (bits_.below(10) == 0) some.push_back({static_cast<int>(bits_.below(6)), {}});
        return some;
    }
    detail::messages_by_rank<int> rows() {
        detail::messages_by_rank<int> some(bits_.below(10) == 0 ? 1000 : bits_.below(5));
        for (auto& of_one : some) of_one.resize(bits_.below(20) == 0 ? 5000 : bits_.below(4));
        return some;
    }
    detail::change<int, int> next(std::uint64_t n) { return {n, members(), rows(), members()}; }

    random_source bits_;
    life own_{};   // of whom it lies to
};

template <class Group>
void lie(std::uint64_t seeds, std::size_t messages) {
    std::uint64_t views_seen = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        Group g{0, std::array{1, 2, 3}, std::array{0, 1, 2}, {.messages_max = 3}};
        archetype::environment<Group> env;
        env.ports = 3;
        liar<Group> peers{seed};
        g.start(env);
        for (std::size_t i = 0; i < messages; ++i) {
            visit_kind(peers.any(g),
                       [&](const auto& m) { g.on(m, port{peers.below(4)}, env); });
            if (peers.below(8) == 0) static_cast<void>(g.broadcast(7, env));
            if (peers.below(4) == 0) static_cast<void>(g.join(env));
            if (peers.below(64) == 0) static_cast<void>(g.depart(env));
            if (peers.below(16) == 0) g.on(suspect{port{peers.below(4)}}, env);
            if (peers.below(16) == 0) g.on(trust{port{peers.below(4)}}, env);
            if (peers.below(512) == 0)
                g.on(recovered<>{incarnation{static_cast<std::uint32_t>(i)}, {}}, env);
            REQUIRE(g.kept_for_later() <= 3 * (3 + 64));
            REQUIRE(g.current().members.size() <= 4);
            env.outbox.clear();
            views_seen += env.heard.size();
            env.heard.clear();
        }
    }
    MESSAGE(views_seen, " outcomes");
    CHECK(views_seen > 100);
}

}  // namespace

TEST_CASE("views: whatever peers say, nothing breaks and no more than so much is kept") {
    lie<views<int>>(20, 2000);
    lie<views<int, int, majority>>(20, 2000);
}
TEST_CASE("nightly: views: whatever peers say, for longer" * doctest::skip()) {
    lie<views<int>>(1000, 20'000);
    lie<views<int, int, majority>>(1000, 20'000);
}
