// SPDX-License-Identifier: MIT
#include <caucus/core/port_set.hpp>

#include <doctest/doctest.h>

#include <caucus/core/fields.hpp>

#include <set>

using caucus::inplace_storage;
using caucus::port;
using caucus::port_set;

static_assert(sizeof(port_set<>) == 16 + sizeof(std::vector<std::uint64_t>));
static_assert(sizeof(port_set<inplace_storage<0>>) == 16);
static_assert(sizeof(port_set<inplace_storage<64>>) == 16);    // no second word
static_assert(sizeof(port_set<inplace_storage<128>>) == 32);   // in place of the one never used
static_assert(sizeof(port_set<inplace_storage<129>>) == 40);
static_assert(std::is_trivially_copyable_v<port_set<inplace_storage<200>>>);

static_assert([] {   // in constant evaluation too
    port_set<inplace_storage<70>> s;
    return s.empty() && s.insert(port{69}) && !s.insert(port{69}) && s.contains(port{69}) &&
           !s.contains(port{5}) && s.size() == 1 && !s.erase(port{68}) && s.erase(port{69}) &&
           s.empty();
}());

/// Random insertions and removals of ports below `degree`, beside a std::set.
template <class Storage>
static void set_laws(std::size_t degree) {
    CAPTURE(degree);
    port_set<Storage> ours;
    std::set<std::size_t> theirs;
    caucus::random_source r{degree};
    bool agrees = true;
    for (int step = 0; step < 3'000; ++step) {
        const port p{r.below(degree)};
        const std::uint64_t what = r.below(200);
        if (what == 0) ours.clear(), theirs.clear();
        else if (what < 100) agrees = agrees && ours.insert(p) == theirs.insert(p).second;
        else agrees = agrees && ours.erase(p) == (theirs.erase(p) == 1);
        agrees = agrees && ours.size() == theirs.size() && ours.empty() == theirs.empty();
        if (step % 10 != 0) continue;
        port_set<Storage> afresh;   // the same ports, and no history
        for (const std::size_t each : theirs) afresh.insert(port{each});
        agrees = agrees && caucus::same(ours, afresh) && caucus::hash(ours) == caucus::hash(afresh);
        for (std::size_t i = 0; i < degree + 70; ++i)   // ports that nobody has are in no set
            agrees = agrees && ours.contains(port{i}) == (theirs.count(i) == 1);
    }
    CHECK(agrees);
}

TEST_CASE("port_set: as std::set on the heap, degrees around the borders of words") {
    for (const std::size_t degree : {1u, 2u, 63u, 64u, 65u, 127u, 128u, 129u, 200u, 1000u})
        set_laws<caucus::heap_storage>(degree);
}

TEST_CASE("port_set: as std::set in place, full to the last port") {
    set_laws<inplace_storage<1>>(1);
    set_laws<inplace_storage<64>>(64);
    set_laws<inplace_storage<65>>(65);
    set_laws<inplace_storage<128>>(128);
    set_laws<inplace_storage<129>>(129);
    set_laws<inplace_storage<200>>(200);
    port_set<inplace_storage<129>> all;
    for (const port p : caucus::ports(129)) CHECK(all.insert(p));
    CHECK(all.size() == 129);
}

TEST_CASE("port_set: a set that has lost a port is the set that never had it") {
    port_set<> once, fresh;
    once.insert(port{3}), once.insert(port{100}), once.insert(port{300});
    once.erase(port{300});
    fresh.insert(port{100}), fresh.insert(port{3});
    CHECK(caucus::same(once, fresh));
    once.erase(port{3});
    CHECK_FALSE(caucus::same(once, fresh));
}
