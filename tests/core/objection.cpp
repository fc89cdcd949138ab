// SPDX-License-Identifier: MIT
// As in a release build: what is only asserted must be objected to.
#define CAUCUS_ASSERT(condition) static_cast<void>(0)
#include <caucus/core/objection.hpp>

#include <caucus/detector/heartbeat.hpp>
#include <caucus/detector/swim.hpp>
#include <caucus/election/complete/bully.hpp>
#include <caucus/election/complete/invitation.hpp>
#include <caucus/election/graph/ghs.hpp>
#include <caucus/election/graph/traversal_election.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/layer/candid.hpp>
#include <caucus/layer/grouped.hpp>
#include <caucus/layer/reliable.hpp>
#include <caucus/layer/repaired_ring.hpp>
#include <caucus/layer/stamped.hpp>
#include <caucus/layer/supervised.hpp>
#include <caucus/wave/spanning_tree.hpp>
#include <caucus/wave/traversal.hpp>
#include <support/least.hpp>

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
    static constexpr model assumes = {Where, guarantee::none};
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

std::string_view said_by(const auto& process, std::size_t degree) {
    const char* words = detail::objection_of(process, degree);
    return words == nullptr ? "" : words;
}
template <shape Where>
std::string_view said_on(int self, std::vector<int> peers, std::size_t degree) {
    return said_by(acquainted<Where>{{}, self, peers}, degree);
}
struct one_way_fussy : support::greeter, support::three_ports_only {
    static constexpr model assumes = {shape::one_way_ring, guarantee::none};
};

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

TEST_CASE("objection: elections that know their peers object to wrong ones, also inside layers") {
    const auto wrong = [](std::vector<int> peers, std::string_view words) {
        CHECK(said_by(bully{4, peers}, 2) == words);
        CHECK(said_by(invitation{4, peers}, 2) == words);
        CHECK(said_by(candid{bully{4, peers}}, 2) == words);
        CHECK(said_by(heartbeat{bully{4, peers}}, 2) == words);
        CHECK(said_by(swim{bully{4, peers}}, 2) == words);
        CHECK(said_by(reliable{supervised{bully{4, peers}}}, 2) == words);
        CHECK(said_by(stamped{invitation{4, peers}}, 2) == words);
        CHECK(said_by(grouped{std::vector{bully{4, std::vector{1, 2}}, bully{4, peers}}}, 2) ==
              words);
    };
    wrong({1, 2}, "");
    wrong({1}, "it knows more peers, or fewer, than it has ports");
    wrong({1, 2, 3}, "it knows more peers, or fewer, than it has ports");
    wrong({1, 4}, "its own id is among its peers");
    wrong({1, 1}, "two of its peers have the same id");
}

TEST_CASE("objection: on graphs, too; there two links may lead to one neighbour") {
    const auto by_ids = [](std::vector<int> peers) {
        return traversal_election{4, by_path{4, peers}};
    };
    CHECK(said_by(by_ids({1, 1}), 2) == "");
    CHECK(said_by(by_ids({1}), 2) == "it knows more peers, or fewer, than it has ports");
    CHECK(said_by(by_ids({1, 4}), 2) == "its own id is among its peers");
    CHECK(said_by(traversal_election{4, by_path{5, std::vector{1}}}, 1) ==
          "traversal_election: by_path was given another id than the node's");
    CHECK(said_by(traversal_election{4}, 1) == "");
    CHECK(said_by(traversal{0, by_path{4, std::vector{4}}}, 1) == "its own id is among its peers");
    CHECK(said_by(ghs{4, std::vector{1, 2}}, 3) ==
          "it knows more peers, or fewer, than it has ports");
    CHECK(said_by(ghs{4, std::vector{1, 1}, std::vector{8, 9}}, 2) == "");
}

TEST_CASE("objection: supervised, to a timeout that is not longer than the beat, and to no reach") {
    const auto with = [](supervised_options options) {
        return said_by(supervised{bully{4, std::vector{1}}, options}, 1);
    };
    CHECK(with({}) == "");
    CHECK(with({.beat = 10, .timeout = 11}) == "");
    CHECK(with({.beat = 0, .timeout = 1}) == "");
    CHECK(with({.beat = 10, .timeout = 10}) ==
          "supervised: the timeout is not longer than the beat: all would be suspected");
    CHECK(with({.reach = 0}) == "supervised: the reach is 0 hops; a neighbour is 1 away");

    const auto endless = [](supervised_options options) {
        return said_by(stamped{invitation{4, std::vector{1}}, options}, 1);
    };
    CHECK(endless({.beat = 10, .timeout = 10}) == "");   // nothing is concluded from silence
    CHECK(endless({.beat = 0}) ==
          "stamped: without a beat, a stamp that is lost is not sent again");
}

TEST_CASE("objection: repaired_ring has one port inside, or two, whatever there are outside") {
    CHECK(said_by(repaired_ring{chang_roberts{4}}, 3) == "");
    CHECK(said_by(repaired_ring{one_way_fussy{}}, 3) == support::three_ports_only::words);
}

TEST_CASE("objection: spanning_tree, to a registry where there is no port") {
    CHECK(said_by(spanning_tree<>{}, 0) == "");
    CHECK(said_by(spanning_tree<>{port{1}}, 2) == "");
    CHECK(said_by(spanning_tree<>{port{2}}, 2) ==
          "spanning_tree: the registry is behind a port that is not there");
}
