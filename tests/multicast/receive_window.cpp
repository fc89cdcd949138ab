// SPDX-License-Identifier: MIT
#include <caucus/multicast/receive_window.hpp>

#include <caucus/core/fields.hpp>
#include <caucus/core/random.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace caucus;

namespace {

template <class Window = receive_window<std::string>>
struct receiver {
    Window window{};
    std::string heard{};

    constexpr void take(std::uint64_t number, const char* payload, std::size_t most = 4) {
        window.take(number, payload, most, [this](const std::string& p) { heard += p; });
    }
    constexpr void pass_over(std::uint64_t before) {
        window.pass_over(before, [this](const std::string& p) { heard += p; },
                         [this](std::uint64_t count) { heard += "-" + std::to_string(count); });
    }
    std::string gaps(std::uint64_t end) const {
        std::string all;
        window.each_gap(end, [&](std::uint64_t first, std::uint64_t count) {
            all += std::to_string(first) + "+" + std::to_string(count) + " ";
        });
        return all;
    }
};

constexpr int sum_in_place() {
    receive_window<int, inplace_storage<3>> window;
    int sum = 0;
    const auto add = [&](int p) { sum = 10 * sum + p; };
    window.take(2, 3, 3, add);
    window.take(1, 2, 3, add);
    window.take(0, 1, 3, add);
    return sum;
}
static_assert(sum_in_place() == 123);
static_assert(receive_window<int>{7}.expected() == 7);

}  // namespace

TEST_CASE("receive_window: hands over in order of numbers, each once, whatever the order") {
    receiver<> r;
    r.take(2, "c");
    r.take(1, "b");
    CHECK(r.heard.empty());
    CHECK(r.window.size() == 2);
    CHECK(r.window.end() == 3);
    r.take(2, "C");
    r.take(0, "a");
    r.take(0, "A");
    CHECK(r.heard == "abc");
    CHECK(r.window.expected() == 3);
    CHECK(r.window.end() == 3);
    CHECK(r.window.size() == 0);
}

TEST_CASE("receive_window: keeps as many as it may, and nothing that is further ahead") {
    receiver<> r;
    r.take(4, "e");
    r.take(~std::uint64_t{0}, "?");
    CHECK(r.window.size() == 0);
    r.take(3, "d");
    CHECK(r.window.size() == 1);
    CHECK_FALSE(r.window.contains(2));
    CHECK(r.window.contains(3));
    r.take(0, "only", 1);
    CHECK(r.heard == "only");
    r.take(4, "e", 3);   // 1 is expected
    CHECK(r.window.size() == 1);
    r.take(4, "e", 4);
    CHECK(r.window.size() == 2);
}

TEST_CASE("receive_window: what will not come is missed in its place") {
    receiver<> r;
    r.take(2, "c", 8);
    r.take(3, "d", 8);
    r.take(6, "g", 8);
    r.pass_over(5);
    CHECK(r.heard == "-2cd-1");
    CHECK(r.window.expected() == 5);
    r.pass_over(3);   // late
    CHECK(r.window.expected() == 5);
    r.pass_over(6);
    CHECK(r.heard == "-2cd-1-1g");
    r.pass_over(~std::uint64_t{0});
    CHECK(r.window.expected() == 7);
    r.pass_over(receive_window<int>::number_max);
    r.take(receive_window<int>::number_max, "z");
    CHECK(r.window.expected() == receive_window<int>::number_max + 1);
}

TEST_CASE("receive_window: says what is here, and what is not") {
    receiver<> r;
    CHECK(r.gaps(0).empty());
    CHECK(r.gaps(2) == "0+2 ");
    CHECK(r.window.bits() == 0);
    r.take(2, "c", 100);
    r.take(3, "d", 100);
    r.take(5, "f", 100);
    r.take(64, "x", 100);
    CHECK(r.window.bits() == (0b10110u | std::uint64_t{1} << 63));
    r.take(65, "y", 100);   // there is no bit for it
    CHECK(r.window.bits() == (0b10110u | std::uint64_t{1} << 63));
    CHECK(r.gaps(3) == "0+2 ");
    CHECK(r.gaps(5) == "0+2 4+1 ");
    CHECK(r.gaps(6) == "0+2 4+1 ");
    CHECK(r.gaps(8) == "0+2 4+1 6+2 ");
    CHECK(r.gaps(80) == "0+2 4+1 6+58 66+14 ");
}

TEST_CASE("receive_window: any order, any repetition, some lost: the same as a list would do") {
    random_source bits{7};
    for (int run = 0; run < 200; ++run) {
        receive_window<int, inplace_storage<8>> window;
        std::vector<int> heard;
        std::uint64_t lost = 0;
        while (heard.size() + lost < 40) {
            const std::uint64_t number = window.expected() + bits.below(10);
            const auto hear = [&](int p) { heard.push_back(p); };
            if (bits.below(12) == 0)
                window.pass_over(number, hear, [&](std::uint64_t count) { lost += count; });
            else
                window.take(number, static_cast<int>(number), 8, hear);
            REQUIRE(window.size() < 8);
            REQUIRE(heard.size() + lost == window.expected());
            REQUIRE(!window.contains(window.expected()));
        }
        for (std::size_t i = 1; i < heard.size(); ++i) REQUIRE(heard[i - 1] < heard[i]);
    }
}
