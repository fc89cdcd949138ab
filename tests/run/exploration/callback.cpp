// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/callback.hpp>

#include <doctest/doctest.h>

using caucus::exploration::callback;

namespace {

int twice(callback<int(int)> f, int x) { return f(f(x)); }

}  // namespace

TEST_CASE("callback: calls what it refers to, and no copy of it") {
    int calls = 0;
    const auto add_one = [&calls](int x) {
        ++calls;
        return x + 1;
    };
    auto add_more = [more = 0](int x) mutable { return x + ++more; };
    CHECK(twice(add_one, 5) == 7);
    CHECK(twice([](int x) { return x * x; }, 3) == 81);
    CHECK(twice(add_more, 0) == 3);
    CHECK(add_more(0) == 3);   // it has counted on
    CHECK(calls == 2);
}

TEST_CASE("callback: a copy calls the same; references go through") {
    int total = 0;
    const auto add = [](int& to) { to += 5; };
    const callback<void(int&)> f = add;
    const callback<void(int&)> g = f;
    f(total);
    g(total);
    CHECK(total == 10);
}
