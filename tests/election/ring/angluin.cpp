// SPDX-License-Identifier: MIT
// Angluin's impossibility, executed: on a ring of ids w w … w every copy of w takes itself for the
// whole ring. What elects one leader on w elects one in each copy, at so many times the cost.
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/election/ring/franklin.hpp>
#include <caucus/election/ring/hirschberg_sinclair.hpp>
#include <caucus/election/ring/two_way.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/ring.hpp>
#include <caucus/topology/two_way_ring.hpp>

#include <doctest/doctest.h>
#include <support/instances.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using namespace caucus;
using namespace support;

namespace {

struct ending {
    std::uint64_t messages = 0;
    std::size_t leaders = 0;
    friend bool operator==(const ending&, const ending&) = default;
};

/// In lock-step, everybody starts; the coins repeat with the ids.
template <class Ring, template <class...> class Election>
ending elect(const std::vector<int>& ids, std::size_t period) {
    const auto make = [&](node v) { return Election<int, silent>{ids[v], silent{}}; };
    events net{Ring{ids.size()}, make,
               {.delay = unit{}, .outside_model = true,
                .coins = [period](node v, std::size_t k) { return v % period % k; }}};
    net.start_all();
    ending e{net.run({.max_messages = 10'000}).messages};
    for (std::size_t v = 0; v < ids.size(); ++v) e.leaders += net[v].is_leader();
    return e;
}

struct subject {
    const char* name;
    std::function<ending(const std::vector<int>&, std::size_t)> elect;
};
const subject subjects[] = {
    {"chang_roberts", elect<ring, chang_roberts>},
    {"two_way", elect<two_way_ring, two_way>},
    {"franklin", elect<two_way_ring, franklin>},
    {"hirschberg_sinclair", elect<two_way_ring, hirschberg_sinclair>},
};

std::vector<int> repeated(const std::vector<int>& word, std::size_t times) {
    std::vector<int> ids;
    for (std::size_t i = 0; i < times; ++i) ids.insert(ids.end(), word.begin(), word.end());
    return ids;
}

}  // namespace

TEST_CASE("Angluin: ids 1 2 1 2 elect two leaders, with 6, 6, 16 and 20 messages") {
    const std::uint64_t messages[] = {6, 6, 16, 20};
    for (std::size_t i = 0; i < std::size(subjects); ++i) {
        CAPTURE(std::string(subjects[i].name));
        CHECK(subjects[i].elect({1, 2, 1, 2}, 2) == ending{messages[i], 2});
    }
}

TEST_CASE("Angluin: every copy of a word elects for itself, two and three copies, length <= 5") {
    for (const subject& s : subjects)
        for (std::size_t length = 1; length <= 5; ++length)
            each_permutation(length, [&](const std::vector<int>& word) {
                CAPTURE(std::string(s.name));
                const ending once = s.elect(word, length);
                CHECK(once.leaders == 1);
                for (std::size_t times = 2; times <= 3; ++times)
                    CHECK(s.elect(repeated(word, times), length) ==
                          ending{times * once.messages, times});
            });
}

TEST_CASE("Angluin: one id of its own among them, and there is one leader") {
    for (const subject& s : subjects)
        each_permutation(3, [&](const std::vector<int>& word) {
            CAPTURE(std::string(s.name));
            std::vector<int> ids = repeated(word, 2);
            *std::find(ids.begin(), ids.end(), 3) = 4;
            CHECK(s.elect(ids, 3).leaders == 1);
        });
}
