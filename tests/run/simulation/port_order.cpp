// SPDX-License-Identifier: MIT
#include <caucus/run/simulation/port_order.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

using namespace caucus;
using namespace caucus::simulation;

namespace {

using letter = envelope<int, false>;
using ring_letter = envelope<int, true>;

constexpr letter to(std::size_t v, unsigned inlet, int number) {
    return {far_end{node{v}, port{inlet}}, number};
}

template <class Letter>
std::vector<std::size_t> visited(port_order& order, const std::vector<Letter>& batch,
                                 std::size_t nodes) {
    std::vector<std::size_t> all;
    order.visit(batch, nodes, [&](std::size_t i) { all.push_back(i); });
    return all;
}

std::vector<letter> random_batch(random_source& random, std::size_t nodes, std::size_t size) {
    std::vector<letter> batch;
    for (std::size_t i = 0; i < size; ++i)
        batch.push_back(to(random.below(nodes), static_cast<unsigned>(random.below(4)), 0));
    return batch;
}

/// The naive order: by node, then port, then as sent.
std::vector<std::size_t> by_node(std::vector<std::size_t> order, const std::vector<letter>& batch) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return batch[a].to < batch[b].to;
    });
    return order;
}
std::vector<std::size_t> expected_order(const std::vector<letter>& batch) {
    std::vector<std::size_t> order(batch.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return batch[a].inlet() < batch[b].inlet();
    });
    return by_node(order, batch);
}

}  // namespace

// Where every node has one inlet, a letter is a node and a message.
static_assert(sizeof(ring_letter) == 8 && sizeof(letter) == 12);
static_assert(ring_letter{far_end{node{3}, prev}, 42}.inlet() == prev);
static_assert(ring_letter{far_end{node{3}, prev}, 42}.to == 3);
static_assert(to(3, 2, 42).inlet() == port{2} && to(3, 2, 42).message == 42);
static_assert(envelope<std::variant<int, char>, false>{far_end{node{1}, port{0}}, 'a'}
                  .message.index() == 1);

static_assert([] {
    port_order order{0};
    const std::vector<letter> batch{to(1, 1, 0), to(0, 0, 0), to(1, 0, 0)};
    std::size_t seen = 0;
    order.visit(batch, 2, [&](std::size_t i) { seen = 10 * seen + i; });
    return seen == 201;
}());

TEST_CASE("port_order: a node takes its messages by port, then as they were sent") {
    port_order order{0};
    const std::vector<letter> batch{to(7, 2, 0), to(7, 0, 1), to(3, 1, 2),
                                    to(7, 2, 3), to(7, 0, 4), to(3, 0, 5)};
    CHECK(visited(order, batch, 8) == std::vector<std::size_t>{1, 4, 0, 3, 5, 2});
}

TEST_CASE("port_order: agrees with a stable sort, batch after batch") {
    for (const std::uint64_t seed : {0u, 1u, 2u, 3u}) {
        CAPTURE(seed);
        random_source random{seed + 100};
        port_order order{seed};
        CHECK(order.shuffles() == (seed != 0));
        for (int i = 0; i < 300; ++i) {
            const std::size_t nodes = 12;
            const auto batch = random_batch(random, nodes, random.below(40));
            const auto all = visited(order, batch, nodes);
            REQUIRE(all.size() == batch.size());
            // A node's messages are taken in one go.
            for (std::size_t k = 2; k < all.size(); ++k)
                for (std::size_t j = 0; j + 1 < k; ++j)
                    if (batch[all[j]].to == batch[all[k]].to)
                        REQUIRE(batch[all[k - 1]].to == batch[all[k]].to);
            REQUIRE(by_node(all, batch) == expected_order(batch));
        }
    }
}

TEST_CASE("port_order: each seed, and each batch of one seed, has its own order of nodes") {
    std::vector<letter> batch;
    for (std::size_t v = 0; v < 10; ++v) batch.push_back(to(v, 0, 0));
    port_order still{0}, one{1}, other{17};
    const auto unshuffled = visited(still, batch, 10);
    CHECK(std::is_sorted(unshuffled.begin(), unshuffled.end()));
    CHECK(visited(still, batch, 10) == unshuffled);
    const auto first = visited(one, batch, 10);
    CHECK(first != unshuffled);
    CHECK(first != visited(one, batch, 10));
    CHECK(first != visited(other, batch, 10));
    port_order again{1};
    CHECK(first == visited(again, batch, 10));
}

TEST_CASE("port_order: an empty batch is nobody's business") {
    for (const std::uint64_t seed : {0u, 5u}) {
        port_order order{seed};
        CHECK(visited(order, std::vector<letter>{}, 4).empty());
    }
}

TEST_CASE("port_order: one inlet, any order of sending") {
    for (const std::uint64_t seed : {0u, 9u}) {
        port_order order{seed};
        std::vector<ring_letter> batch;
        for (const std::size_t v : {2u, 0u, 2u, 1u, 2u})
            batch.emplace_back(far_end{node{v}, prev}, 0);
        const auto all = visited(order, batch, 3);
        std::vector<std::size_t> at_two;
        for (const std::size_t i : all)
            if (batch[i].to == 2) at_two.push_back(i);
        CHECK(all.size() == 5);
        CHECK(at_two == std::vector<std::size_t>{0, 2, 4});
    }
}
