// SPDX-License-Identifier: MIT
#include <caucus/run/exploration/value_tables.hpp>

#include <doctest/doctest.h>

#include <tuple>

using namespace caucus;

namespace {

struct forgetful {
    using message = int;
    using timer = nothing;
    using outcome = char;
    int value = 0;
};
struct mindful : forgetful {
    using kept = long;
    static constexpr auto fields(auto& self) { return std::tie(self.value); }
};

}  // namespace

TEST_CASE("value_tables: each kind of value has numbers of its own, also what is kept") {
    exploration::value_tables<forgetful> all;
    CHECK(all.processes.index_of({7}) == 0);
    CHECK(all.messages.index_of(7) == 0);
    CHECK(all.messages.index_of(8) == 1);
    CHECK(all.processes.index_of({8}) == 1);
    CHECK(all.processes.size() == 2);
    CHECK(all.timer_values.size() == 0);
    CHECK(all.outcomes.index_of('c') == 0);
    exploration::value_tables<mindful> others;
    CHECK(others.kept_values.index_of(1L << 40) == 0);
    CHECK(others.kept_values[0] == 1L << 40);
}
