// SPDX-License-Identifier: MIT
#include <caucus/run/delay.hpp>

#include <doctest/doctest.h>

#include "../laws/topology.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

using namespace caucus;
using laws::refusal;

namespace {

constexpr int sample = 100'000;

struct moments {
    double mean = 0;
    double variance = 0;
};

template <class Model>
moments measured(const Model& model, std::uint64_t seed) {
    MESSAGE("seed " << seed);
    random_source bits{seed};
    double sum = 0, squares = 0;
    for (int i = 0; i < sample; ++i) {
        const auto delay = static_cast<double>(model.draw(bits));
        sum += delay;
        squares += delay * delay;
    }
    return {sum / sample, squares / sample - sum / sample * (sum / sample)};
}

/// The share of draws that are at least x.
template <class Model>
double share_from(const Model& model, ticks x, std::uint64_t seed) {
    random_source bits{seed};
    int count = 0;
    for (int i = 0; i < sample; ++i) count += model.draw(bits) >= x ? 1 : 0;
    return static_cast<double>(count) / sample;
}

bool near(double found, double expected, double standard_deviation) {
    CAPTURE(found);
    return std::abs(found - expected) <= 4 * standard_deviation / std::sqrt(sample);
}
bool near_share(double found, double expected) {
    return near(found, expected, std::sqrt(expected * (1 - expected)));
}

std::vector<ticks> draws(const delay_model& model, std::size_t count) {
    std::vector<ticks> all;
    for (std::uint64_t i = 0; i < count; ++i) all.push_back(model.draw({}, random_source{i}));
    return all;
}

std::string refused(const delay_model& model, std::size_t arcs = 2) {
    return refusal([&] { model.check(arcs); });
}

}  // namespace

static_assert([] {
    random_source bits{3};
    return unit{}.draw(bits) == 1 && uniform{4, 4}.draw(bits) == 4 &&
           exponential{1}.draw(bits) >= 1 && heavy_tailed{5, 5}.draw(bits) == 5;
}());

TEST_CASE("delay: pinned draws, the same on every compiler") {
    CHECK(draws(unit{}, 3) == std::vector<ticks>{1, 1, 1});
    CHECK(draws(uniform{1, 10}, 8) == std::vector<ticks>{6, 6, 1, 4, 9, 9, 3, 8});
    CHECK(draws(exponential{10}, 8) == std::vector<ticks>{2, 6, 5, 21, 8, 10, 3, 9});
    CHECK(draws(heavy_tailed{1, 1000}, 8) == std::vector<ticks>{1, 1, 1, 8, 2, 2, 1, 2});
}

TEST_CASE("uniform: all of least to most, equally likely") {
    const uniform model{3, 9};
    random_source bits{1};
    std::vector<int> count(12, 0);
    for (int i = 0; i < sample; ++i) ++count[model.draw(bits)];
    for (std::size_t d = 0; d < count.size(); ++d) {
        CAPTURE(d);
        if (d < 3 || d > 9) CHECK(count[d] == 0);
        else CHECK(near_share(static_cast<double>(count[d]) / sample, 1.0 / 7));
    }
    const moments m = measured(uniform{1, 100}, 2);
    const double variance = (100.0 * 100 - 1) / 12;
    CHECK(near(m.mean, 50.5, std::sqrt(variance)));
    CHECK(near(m.variance, variance, variance * std::sqrt(0.8)));   // kurtosis 1.8, less 1
}

TEST_CASE("exponential: the mean, the variance and the tail of a rounded exponential") {
    for (const ticks mean : {1u, 2u, 10u, 1000u}) {
        CAPTURE(mean);
        // 1 + floor(Y), Y with mean m = mean - 1/2: geometric with ratio q = exp(-1/m)
        const double m = static_cast<double>(mean) - 0.5;
        const double q = std::exp(-1 / m);
        const double expected = 1 + q / (1 - q);
        const double variance = q / ((1 - q) * (1 - q));
        const moments found = measured(exponential{mean}, 10 + mean);
        CHECK(near(found.mean, expected, std::sqrt(variance)));
        CHECK(std::abs(found.variance / variance - 1) < 4 * std::sqrt(8.0 + 1 / variance) /
                                                           std::sqrt(sample));
        if (mean > 2) CHECK(std::abs(expected / static_cast<double>(mean) - 1) < 0.01);
        for (const ticks x : {mean / 2 + 1, mean + 1, 3 * mean + 1})
            CHECK(near_share(share_from(exponential{mean}, x, 20 + mean),
                             std::pow(q, static_cast<double>(x - 1))));
    }
}

TEST_CASE("heavy_tailed: P(delay >= x) = least/x, cut off at most") {
    const heavy_tailed model{2, 500};
    for (const ticks x : {2u, 3u, 4u, 10u, 100u, 500u}) {
        CAPTURE(x);
        CHECK(near_share(share_from(model, x, 30), 2.0 / static_cast<double>(x)));
    }
    random_source bits{31};
    ticks least = never, most = 0;
    for (int i = 0; i < sample; ++i) {
        const ticks delay = model.draw(bits);
        least = delay < least ? delay : least;
        most = delay > most ? delay : most;
    }
    CHECK(least == 2);
    CHECK(most == 500);
}

TEST_CASE("heavy_tailed: the greatest legal least draws within its bounds") {
    const heavy_tailed model{0x7fff'ffff, never};
    CHECK(refused(model) == "not refused");
    random_source bits{5};
    for (int i = 0; i < 1000; ++i) CHECK(model.draw(bits) >= 0x7fff'ffff);
}

TEST_CASE("minus_log: off from the real logarithm by less than 1 in 10,000, or one millionth") {
    random_source bits{6};
    double worst = 0;
    const auto compare = [&](std::uint64_t u) {
        const double exact = -std::log(std::ldexp(static_cast<double>(u), -64));
        const double found = std::ldexp(static_cast<double>(detail::minus_log(u)), -32);
        const double off = std::abs(found - exact) / (exact > 0.01 ? exact : 0.01);
        worst = off > worst ? off : worst;
    };
    for (int i = 0; i < sample; ++i) compare(bits.bits() >> bits.below(64) | 1);
    for (int shift = 0; shift < 64; ++shift) compare(std::uint64_t{1} << shift);
    CHECK(worst < 1e-4);
    CHECK(detail::minus_log(1) == 190'530'846'208);   // 64 ln 2
    CHECK(detail::minus_log(~std::uint64_t{0}) < 2);
}

TEST_CASE("per_link: one delay for each arc") {
    const delay_model model = per_link{{5, 7}};
    hop h;
    CHECK(model.draw(h, random_source{1}) == 5);
    h.arc = 1;
    CHECK(model.draw(h, random_source{2}) == 7);
    CHECK(model.keeps_order());
    CHECK_FALSE(model.is_unit());
}

TEST_CASE("by_hand: the rule sees the hop and has dice; at least one tick passes") {
    const delay_model model = by_hand{[](const hop& h, random_source& bits) {
        return h.out == port{1} ? ticks{0} : 100 * h.sent + 10 * h.to + bits.below(10);
    }};
    const ticks delay = model.draw({node{1}, port{0}, node{2}, 3, 0}, random_source{1});
    CHECK(delay / 10 == 32);
    CHECK(model.draw({node{1}, port{1}, node{2}, 3, 0}, random_source{1}) == 1);
    CHECK_FALSE(model.keeps_order());
}

TEST_CASE("delay_model: unit by default; only fixed delays keep the order of a link") {
    CHECK(delay_model{}.is_unit());
    CHECK(delay_model{unit{}}.keeps_order());
    CHECK_FALSE(delay_model{uniform{}}.keeps_order());
    CHECK_FALSE(delay_model{exponential{}}.keeps_order());
    CHECK_FALSE(delay_model{heavy_tailed{}}.keeps_order());
    CHECK_FALSE(delay_model{uniform{}}.is_unit());
}

TEST_CASE("delay_model: refuses what makes no sense, and says what would") {
    CHECK(refused(uniform{0, 3}) == "uniform: delays from 0 to 3; need 1 <= least <= most");
    CHECK(refused(uniform{4, 3}) == "uniform: delays from 4 to 3; need 1 <= least <= most");
    CHECK(refused(exponential{0}) == "exponential: a mean delay of 0; need 1 to 2^31-1");
    CHECK(refused(exponential{never}) ==
          "exponential: a mean delay of 18446744073709551615; need 1 to 2^31-1");
    CHECK(refused(heavy_tailed{0, 3}) ==
          "heavy_tailed: delays from 0 to 3; need 1 <= least <= most, and least < 2^31");
    CHECK(refused(heavy_tailed{4, 3}) ==
          "heavy_tailed: delays from 4 to 3; need 1 <= least <= most, and least < 2^31");
    CHECK(refused(heavy_tailed{0x8000'0000, never}) ==
          "heavy_tailed: delays from 2147483648 to 18446744073709551615; "
          "need 1 <= least <= most, and least < 2^31");
    CHECK(refused(per_link{{1}}) == "per_link: 1 delays for 2 arcs");
    CHECK(refused(per_link{{1, 0}}) == "per_link: the delay of arc 1 is 0; need at least 1");
    CHECK(refused(by_hand{}) == "by_hand: there is no rule");
    for (const delay_model& good : {delay_model{}, delay_model{uniform{1, 1}},
                                    delay_model{exponential{1}}, delay_model{heavy_tailed{1, 1}},
                                    delay_model{per_link{{1, 1}}}})
        CHECK(refused(good) == "not refused");
}
