// SPDX-License-Identifier: MIT
#include <caucus/exclusion/section_verbs.hpp>

#include <archetypes.hpp>
#include <doctest/doctest.h>

#include <string>
#include <variant>

using namespace caucus;

namespace {

/// Writes down what is asked of it. Lets itself in when told to.
template <class Storage, bool GivesUp>
class noted : public section_verbs<noted<Storage, GivesUp>, Storage> {
    using verbs = section_verbs<noted, Storage>;
    friend verbs;
    using verbs::section_;

public:
    using message = nothing;
    using timer = nothing;
    using outcome = section_outcomes<int, Storage>;
    using requests = section_requests;

    std::string notes{};

    void let_in() { section_.enter(); }

private:
    void become_waiting(auto&) { notes += 'w'; }
    void become_outside(auto& env) { notes += env.heard.empty() ? 'c' : 'o'; }
    void give_up(auto& env) {
        if constexpr (GivesUp) notes += 'g';
        else verbs::give_up(env);
    }
};
using plain_one = noted<heap_storage, true>;
using small_one = noted<inplace_storage<2>, false>;

}  // namespace

static_assert(takes<plain_one, request::enter, archetype::environment<plain_one>>);
static_assert(takes<plain_one, request::cancel, archetype::environment<plain_one>>);
static_assert(takes<plain_one, request::leave, archetype::environment<plain_one>>);

TEST_CASE("section_verbs: in turn the process hears of it, and left is reported before it acts") {
    plain_one p;
    archetype::environment<plain_one> env;
    CHECK((!p.waits() && !p.holds()));
    CHECK(p.request(env) == answer::accepted);
    CHECK((p.waits() && !p.holds()));
    CHECK(p.cancel(env) == answer::accepted);
    CHECK((!p.waits() && !p.holds()));
    CHECK(env.heard.empty());
    CHECK(p.request(env) == answer::accepted);
    p.let_in();
    CHECK((!p.waits() && p.holds()));
    CHECK(p.release(env) == answer::accepted);
    CHECK((!p.waits() && !p.holds()));
    REQUIRE(env.heard.size() == 1);
    CHECK(std::holds_alternative<left>(env.heard[0]));
    CHECK(p.notes == "wgwo");
}

TEST_CASE("section_verbs: out of turn it is refused, and the process hears nothing") {
    plain_one p;
    archetype::environment<plain_one> env;
    CHECK(p.release(env) == answer::not_inside);
    CHECK(p.cancel(env) == answer::not_waiting);
    CHECK(p.notes.empty());
    CHECK(p.request(env) == answer::accepted);
    CHECK(p.request(env) == answer::already_waiting);
    CHECK(p.release(env) == answer::not_inside);
    p.let_in();
    CHECK(p.request(env) == answer::already_inside);
    CHECK(p.cancel(env) == answer::not_waiting);
    CHECK(p.notes == "w");
    CHECK(env.heard.empty());
}

TEST_CASE("section_verbs: to give up is as to leave, where nothing else is said") {
    small_one p;
    archetype::environment<small_one> env;
    CHECK(p.request(env) == answer::accepted);
    CHECK(p.cancel(env) == answer::accepted);
    CHECK(p.notes == "wc");
}

TEST_CASE("section_verbs: with more ports than there is room for, no_room, and overflow") {
    small_one p;
    archetype::environment<small_one> env;
    env.ports = 3;
    CHECK(p.request(env) == answer::no_room);
    CHECK((p.notes.empty() && !p.waits()));
    REQUIRE(env.heard.size() == 1);
    CHECK(std::get<overflow>(env.heard[0]).needed == 3);
    env.ports = 2;
    CHECK(p.request(env) == answer::accepted);
}
