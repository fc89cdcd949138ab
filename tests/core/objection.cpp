// SPDX-License-Identifier: MIT
#include <caucus/core/objection.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

using namespace caucus;

namespace {

struct content {
    using message = nothing;
    using timer = nothing;
    using outcome = nothing;
};
struct fussy : content {
    constexpr const char* objection(std::size_t degree) const {
        return degree == 2 ? nullptr : "fussy: two ports, or none of it";
    }
};
/// Has no words of its own, and peers.
template <shape Where>
struct acquainted : content {
    static constexpr model assumes = {Where, link::none};
    int self;
    std::vector<int> known;
    int id() const { return self; }
    const std::vector<int>& peers() const { return known; }
};
/// Peers, but no id to compare them with.
struct secretive : content {
    std::vector<int> known;
    const std::vector<int>& peers() const { return known; }
};

static_assert(may_object<fussy>);
static_assert(!may_object<content>);

// In constant evaluation too.
static_assert(detail::objection_of(fussy{}, 2) == nullptr);
static_assert(objection_to_peers(1, std::array{2, 3}, 2) == nullptr);
static_assert(objection_to_peers(1, std::array{2, 1}, 2) != nullptr);

template <shape Where>
std::string_view said_on(int self, std::vector<int> peers, std::size_t degree) {
    const char* words = detail::objection_of(acquainted<Where>{{}, self, peers}, degree);
    return words == nullptr ? "" : words;
}

}  // namespace

TEST_CASE("objection: a process without words objects to nothing") {
    CHECK(detail::objection_of(content{}, 0) == nullptr);
    CHECK(detail::objection_of(content{}, 7) == nullptr);
    CHECK(detail::objection_of(secretive{{}, {1, 1}}, 7) == nullptr);
}

TEST_CASE("objection: a process that has words is asked, with the degree") {
    CHECK(detail::objection_of(fussy{}, 2) == nullptr);
    REQUIRE(detail::objection_of(fussy{}, 3) != nullptr);
    CHECK(std::string_view{detail::objection_of(fussy{}, 3)} == "fussy: two ports, or none of it");
}

TEST_CASE("objection: peers must be as many as ports, others than the node, and all different") {
    const auto said = said_on<shape::complete>;
    CHECK(said(1, {2, 3}, 2) == "");
    CHECK(said(1, {}, 0) == "");
    CHECK(said(1, {2, 3}, 1) == "it knows more peers, or fewer, than it has ports");
    CHECK(said(1, {2, 3}, 3) == "it knows more peers, or fewer, than it has ports");
    CHECK(said(1, {2, 1}, 2) == "its own id is among its peers");
    CHECK(said(1, {1, 2}, 2) == "its own id is among its peers");
    CHECK(said(1, {2, 3, 2}, 3) == "two of its peers have the same id");
    CHECK(said(1, {2, 3, 3}, 3) == "two of its peers have the same id");
}

TEST_CASE("objection: in a graph two links may lead to one neighbour, on a ring to the node") {
    CHECK(said_on<shape::graph>(1, {2, 2}, 2) == "");
    CHECK(said_on<shape::graph>(1, {2, 1}, 2) == "its own id is among its peers");
    CHECK(said_on<shape::graph>(1, {2}, 2) == "it knows more peers, or fewer, than it has ports");
    CHECK(said_on<shape::tree>(1, {1}, 1) == "its own id is among its peers");
    CHECK(said_on<shape::one_way_ring>(1, {1}, 1) == "");
    CHECK(said_on<shape::two_way_ring>(1, {1, 1}, 2) == "");
    CHECK(said_on<shape::two_way_ring>(1, {2}, 2) ==
          "it knows more peers, or fewer, than it has ports");
}
