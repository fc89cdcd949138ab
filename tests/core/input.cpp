// SPDX-License-Identifier: MIT
#include <caucus/core/input.hpp>

#include <doctest/doctest.h>

#include <caucus/core/fields.hpp>
#include <caucus/core/print.hpp>

#include <string>
#include <vector>

namespace {

struct ping { int number; };
struct overdue {};

struct plain {
    using message = ping;
    using timer = overdue;
    using outcome = caucus::nothing;
};
struct durable : plain {
    using kept = int;
};

}  // namespace

using caucus::input;
using caucus::port;

static_assert(std::is_same_v<caucus::kept_by<plain>, caucus::nothing>);
static_assert(std::is_same_v<caucus::kept_by<durable>, int>);
static_assert(std::variant_size_v<input<plain>> == 6);
static_assert(std::is_constructible_v<input<durable>, caucus::recovered<int>>);
static_assert(!std::is_constructible_v<input<durable>, caucus::recovered<>>);
static_assert(caucus::incarnation{} < caucus::incarnation{1});
static_assert(caucus::incarnation{2} == caucus::incarnation{2});

TEST_CASE("input: everything that can happen is a value that can be stored, told apart, printed") {
    using in = input<durable>;
    const std::vector<in> all{
        caucus::request::start{},
        caucus::arrival<ping>{{7}, port{1}},
        caucus::arrival<ping>{{7}, port{2}},
        caucus::arrival<ping>{{8}, port{1}},
        caucus::expiry<overdue>{},
        caucus::suspect{port{1}},
        caucus::suspect{port{1}, caucus::incarnation{1}},
        caucus::suspect{port{1}, caucus::incarnation{2}},
        caucus::trust{port{1}},
        caucus::trust{port{0}},
        caucus::recovered<int>{{1}, {}},
        caucus::recovered<int>{{2}, {}},
        caucus::recovered<int>{{1}, 0},
    };
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = 0; j < all.size(); ++j) {
            CHECK(caucus::same(all[i], all[j]) == (i == j));
            CHECK((caucus::hash(all[i]) == caucus::hash(all[j])) == (i == j));
        }
    std::string story;
    for (const in& each : all) {
        caucus::print(story, each);
        story += '\n';
    }
    CHECK(story == "start\narrival{ping{7}, 1}\narrival{ping{7}, 2}\narrival{ping{8}, 1}\n"
                   "expiry{overdue}\nsuspect{1, none}\nsuspect{1, incarnation{1}}\n"
                   "suspect{1, incarnation{2}}\ntrust{1, none}\ntrust{0, none}\n"
                   "recovered{incarnation{1}, none}\nrecovered{incarnation{2}, none}\n"
                   "recovered{incarnation{1}, 0}\n");
}
