// SPDX-License-Identifier: MIT
#include <caucus/exclusion/ricart_agrawala/models.hpp>

#include <doctest/doctest.h>

using namespace caucus;

static_assert(answering{}.answer_wait() == 2);   // the least bounds that there are
static_assert(answering{.delay_max = 50, .processing_max = 5}.answer_wait() == 105);
static_assert(answering{.delay_max = never / 2 + 1}.answer_wait() == never);   // does not wrap

TEST_CASE("answering: bounds that are none are refused") {
    CHECK_NOTHROW(answering{.delay_max = 1}.checked());
    CHECK_NOTHROW(answering{.delay_max = never / 8, .processing_max = never / 8}.checked());
    CHECK_THROWS_WITH(answering{.delay_max = 0}.checked(),
                      "answering: delay_max is 0; a message takes at least one tick");
    CHECK_THROWS_AS(answering{.delay_max = never / 8 + 1}.checked(), error);
    CHECK_THROWS_AS(answering{.processing_max = never / 8 + 1}.checked(), error);
}

TEST_CASE("detail::times: so many entries, each at such a cost") {
    const cost range = caucus::detail::times(3, {2, 5});
    CHECK((range.least == 6 && range.most == 15 && !range.mean));
    CHECK(*caucus::detail::times(3, {2, 2, 2.0}).mean == 6.0);
}
