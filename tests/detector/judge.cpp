// SPDX-License-Identifier: MIT
#include <caucus/detector/judge.hpp>

#include <doctest/doctest.h>

using namespace caucus;

namespace {

struct nobody {};   // a judge that reads no clock asks nothing of its environment

constexpr ticks patience_after(fixed_timeout judge, sign heard, int times) {
    nobody env;
    fixed_timeout::history h = judge.fresh();
    for (int i = 0; i < times; ++i) judge.heard(h, heard, env);
    return judge.patience(h);
}

}  // namespace

static_assert(judge<fixed_timeout> && !judge<nobody>);
static_assert(patience_after({.timeout = 30}, sign::overdue, 5) == 30);
static_assert(patience_after({.timeout = 30, .step = 7}, sign::overdue, 2) == 44);
static_assert(patience_after({.timeout = 30, .step = 7}, sign::on_time, 2) == 30);
static_assert(patience_after({.timeout = 30, .step = 7}, sign::reborn, 2) == 30);

TEST_CASE("fixed_timeout: patience does not wrap round") {
    CHECK(patience_after({.timeout = 30, .step = never - 1}, sign::overdue, 3) == never);
}
