// SPDX-License-Identifier: MIT
#include <caucus/core/kind.hpp>

#include <doctest/doctest.h>

#include <string>

using caucus::detail::all_kinds_plain;
using caucus::kind_at;
using caucus::kind_index;
using caucus::kind_name;
using caucus::kinds_of;
using caucus::nothing;
using caucus::visit_kind;

namespace sample {

struct ping {};
struct pong { int number; };
using message = std::variant<ping, pong, int>;

struct from_pong {   // becomes the second kind on its way
    operator message() const { return pong{7}; }
};

template <class T>
struct outer {
    struct inner {};
    template <class U>
    struct deep {};
};
enum class mood { good };
template <mood>
struct feeling {};
struct with_index {   // no variant, whatever its member is called
    std::size_t index() const { return 9; }
};

}  // namespace sample

namespace {
struct unseen {};
}  // namespace

using namespace sample;

static_assert(kinds_of<message> == 3 && kinds_of<ping> == 1 && kinds_of<nothing> == 0);
static_assert(std::is_same_v<kind_at<message, 1>, pong> && std::is_same_v<kind_at<ping, 0>, ping>);
static_assert(std::is_same_v<kind_at<nothing, 0>, nothing> && nothing{} == nothing{});
static_assert(caucus::kind_of<pong, message> && caucus::kind_of<message, message>);
static_assert(!caucus::kind_of<unseen, message> && caucus::kind_of<ping, ping>);
static_assert(all_kinds_plain<std::variant<ping, unseen>>() && !all_kinds_plain<message>());
static_assert(all_kinds_plain<ping>() && all_kinds_plain<nothing>() && !all_kinds_plain<int>());

static_assert(kind_name<ping>() == "ping");
static_assert(kind_name<int>() == "int" && kind_name<bool>() == "bool");
static_assert(kind_name<outer<ping>>() == "outer");
static_assert(kind_name<outer<ping>::inner>() == "inner");
static_assert(kind_name<outer<sample::outer<ping>::inner>::inner>() == "inner");
static_assert(kind_name<outer<int>::deep<outer<ping>::inner>>() == "deep");
static_assert(kind_name<unseen>() == "unseen" && kind_name<outer<unseen>>() == "outer");
static_assert(kind_name<feeling<mood::good>>() == "feeling");
static_assert(kind_name<message>() == "variant" && kind_name<nothing>() == "nothing");

template <class T>
static auto local_of_a_template() {
    struct hidden {};
    return hidden{};
}

TEST_CASE("kind_name: local types, and local types of templates, by their own name") {
    struct local {};
    static_assert(kind_name<local>() == "local");
    static_assert(kind_name<outer<local>::inner>() == "inner");
    static_assert(kind_name<decltype(local_of_a_template<ping>())>() == "hidden");
    const auto in_lambda = [] {
        struct lambdas {};
        return lambdas{};
    };
    static_assert(kind_name<decltype(in_lambda())>() == "lambdas");
    CHECK(kind_name<local>().size() == 5);
}

TEST_CASE("kind_index: of an alternative, of a whole message, and of what becomes one") {
    static_assert(kind_index<message>(ping{}) == 0 && kind_index<message>(pong{1}) == 1);
    static_assert(kind_index<message>(5) == 2 && kind_index<ping>(ping{}) == 0);
    static_assert(kind_index<message>(message{pong{1}}) == 1);
    CHECK(kind_index<message>(from_pong{}) == 1);
    CHECK(kind_index<with_index>(with_index{}) == 0);
    using wrapped = std::variant<int, message>;   // one message inside another
    CHECK(kind_index<wrapped>(message{ping{}}) == 1);
    CHECK(kind_index<wrapped>(wrapped{message{ping{}}}) == 1);
}

TEST_CASE("visit_kind: calls once, with the alternative that is held, and gives the result back") {
    int calls = 0;
    const auto name = [&](const auto& held) {
        ++calls;
        const caucus::text n = kind_name<std::remove_cvref_t<decltype(held)>>();
        return std::string(n.begin(), n.end());
    };
    CHECK(visit_kind(message{ping{}}, name) == "ping");
    CHECK(visit_kind(message{pong{1}}, name) == "pong");
    CHECK(visit_kind(message{3}, name) == "int");
    CHECK(visit_kind(pong{1}, name) == "pong");         // its own only alternative
    CHECK(visit_kind(nothing{}, name) == "nothing");
    CHECK(visit_kind(std::variant<ping>{}, name) == "ping");
    CHECK(calls == 6);
    static_assert(visit_kind(std::variant<int, long>{7L}, [](auto x) { return x + 0L; }) == 7);
}

TEST_CASE("visit_kind: the value itself, not a copy; the same type twice is told by place") {
    const message m{pong{4}};
    visit_kind(m, [&](const auto& held) {
        CHECK(static_cast<const void*>(&held) == static_cast<const void*>(std::get_if<pong>(&m)));
    });
    const std::variant<int, int> second{std::in_place_index<1>, 8};
    CHECK(visit_kind(second, [](int x) { return x; }) == 8);
}
