// SPDX-License-Identifier: MIT
#include <caucus/core/print.hpp>

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace {

enum class colour : std::uint8_t { red, green };
enum class sign : std::int8_t { minus = -1 };
struct empty {};
struct election { int candidate; };
struct pair_of { election first; std::optional<std::string> second; };
using message = std::variant<empty, election>;
template <class T>
struct box { T value; };

class secret {
public:
    explicit secret(int x) : x_(x) {}
    static constexpr auto fields(auto& self) { return std::tie(self.x_, self.open_); }

private:
    int x_;
    bool open_ = false;
};

std::string printed(const auto& x) {
    std::string out;
    caucus::print(out, x);
    return out;
}

}  // namespace

TEST_CASE("print: scalars as numbers, bools as words") {
    CHECK(printed(42) == "42");
    CHECK(printed(-7) == "-7");
    CHECK(printed(std::int8_t{-7}) == "-7");
    CHECK(printed(std::uint8_t{200}) == "200");
    CHECK(printed(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
    CHECK(printed(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
    CHECK(printed(0.25) == "0.25");
    CHECK(printed(0.25f) == "0.25");
    CHECK(printed(true) == "true");
    CHECK(printed(false) == "false");
    CHECK(printed(colour::green) == "1");
    CHECK(printed(sign::minus) == "-1");
    CHECK(printed(caucus::port{3}) == "3");
    CHECK(printed(caucus::node{12}) == "12");
}

TEST_CASE("print: aggregates by kind and fields, whatever they are nested in") {
    CHECK(printed(empty{}) == "empty");
    CHECK(printed(election{42}) == "election{42}");
    CHECK(printed(pair_of{{1}, "north"}) == "pair_of{election{1}, \"north\"}");
    CHECK(printed(pair_of{{1}, {}}) == "pair_of{election{1}, none}");
    CHECK(printed(box<election>{{3}}) == "box{election{3}}");
    CHECK(printed(secret{5}) == "secret{5, false}");
    CHECK(printed(message{election{7}}) == "election{7}");
    CHECK(printed(message{}) == "empty");
}

TEST_CASE("print: sequences in brackets, characters in quotes, tuples in bare braces") {
    CHECK(printed(std::vector<int>{}) == "[]");
    CHECK(printed(std::vector{1, 2, 3}) == "[1, 2, 3]");
    CHECK(printed(std::vector{true, false}) == "[true, false]");
    CHECK(printed(std::array<message, 2>{election{1}, empty{}}) == "[election{1}, empty]");
    CHECK(printed(std::string{"south"}) == "\"south\"");
    CHECK(printed(caucus::text{"west"}) == "\"west\"");
    CHECK(printed(std::string{}) == "\"\"");
    CHECK(printed(std::tuple{1, std::string{"x"}}) == "{1, \"x\"}");
    CHECK(printed(std::pair{1, election{2}}) == "{1, election{2}}");
    CHECK(printed(std::tuple<>{}) == "");
    CHECK(printed(std::optional<int>{4}) == "4");
}

TEST_CASE("print: adds to what the sink holds already, and asks it for append only") {
    struct counter {
        std::size_t characters = 0;
        void append(const char*, std::size_t size) { characters += size; }
    } sink;
    caucus::print(sink, election{42});
    caucus::print(sink, election{7});
    CHECK(sink.characters == 12 + 11);
}
