// SPDX-License-Identifier: MIT
#include <caucus/layer/visible_ports.hpp>

#include <caucus/core/fields.hpp>

#include <doctest/doctest.h>

#include <cstddef>

using namespace caucus;

TEST_CASE("visible_ports: inside they are numbered without gaps, for every set of six") {
    for (unsigned set = 0; set < 64; ++set) {
        visible_ports<inplace_storage<6>> some;
        for (const port p : ports(6))
            if ((set >> p.index() & 1u) != 0) some.show(p);
        std::size_t count = 0;
        for (const port p : ports(6)) {
            if (!some.contains(p)) continue;
            CHECK(some.inner(p) == port{count});
            CHECK(some.outer(port{count}) == p);
            ++count;
        }
        CHECK(some.size() == count);
    }
}

TEST_CASE("visible_ports: all but some, whatever was shown before") {
    visible_ports<> some;
    some.show(port{5});
    port_set<> hidden;
    hidden.insert(port{1});
    some.show_all_but(hidden, 3);
    CHECK(some.size() == 2);
    CHECK(some.outer(port{1}) == port{2});
}

TEST_CASE("visible_ports: cleared, they are as new") {
    visible_ports<> some;
    some.show(port{70});
    CHECK(some.inner(port{70}) == port{0});
    some.clear();
    CHECK(some.size() == 0);
    CHECK(caucus::same(some, visible_ports<>{}));
}
