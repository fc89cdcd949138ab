// SPDX-License-Identifier: MIT
#include <caucus/detector/phi_accrual.hpp>

#include <caucus/core/random.hpp>
#include <caucus/detector/heartbeat.hpp>
#include <caucus/run/events.hpp>
#include <caucus/topology/complete.hpp>
#include <caucus/topology/path.hpp>
#include <laws/detector.hpp>
#include <support/least.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

using namespace caucus;
using support::bystander;

namespace {

struct watch {
    ticks time = 0;
    ticks now() const { return time; }
};

/// A history of these gaps, whatever they say.
template <std::size_t Window, class Gaps>
auto after_gaps(const phi_accrual<Window, Gaps>& judge, const std::vector<ticks>& gaps) {
    auto h = judge.fresh();
    watch env;
    judge.heard(h, sign::on_time, env);   // the first beat: no gap yet
    for (const ticks gap : gaps) {
        env.time += gap;
        judge.heard(h, sign::on_time, env);
    }
    return h;
}

/// Mean 1000, deviation 100: the sheet's example.
template <class Gaps>
struct thousand {
    phi_accrual<10, Gaps> judge{{.expected = 1000, .min_deviation = 1}};
    typename phi_accrual<10, Gaps>::history h =
        after_gaps(judge, {900, 1100, 900, 1100, 900, 1100, 900, 1100, 900, 1100});
    double phi(ticks t) const { return judge.phi(h, t); }
};

struct by_phi {
    uniform delays{1, 5};
    ticks notices = 90;
    double threshold = 8;
    auto make() const {
        return heartbeat{bystander{}, {.beat = 20},
                         phi_accrual<16>{{.threshold = threshold, .expected = 20,
                                          .min_deviation = 3}}};
    }
};
struct by_logistic : by_phi {
    auto make() const {
        return heartbeat{bystander{}, {.beat = 20},
                         phi_accrual<8, logistic_gaps>{{.expected = 20, .min_deviation = 3}}};
    }
};
struct by_exponential : by_phi {
    ticks notices = 600;
    auto make() const {
        return heartbeat{bystander{}, {.beat = 20},
                         phi_accrual<8, exponential_gaps>{{.expected = 20}}};
    }
};

}  // namespace

// Shape

static_assert(judge<phi_accrual<>> && judge<phi_accrual<2, logistic_gaps>>);
static_assert(reads_clock<heartbeat<bystander, phi_accrual<>>>);

TEST_CASE("phi_accrual: nonsense is refused") {
    CHECK_THROWS_AS((phi_accrual<>{{.threshold = 0}}), error);
    CHECK_THROWS_AS((phi_accrual<>{{.threshold = std::nan("")}}), error);
    CHECK_THROWS_AS((phi_accrual<>{{.threshold = std::numeric_limits<double>::infinity()}}), error);
    CHECK_THROWS_AS((phi_accrual<>{{.expected = 0}}), error);
    CHECK_THROWS_AS((phi_accrual<>{{.min_deviation = 0}}), error);
    CHECK_THROWS_WITH((heartbeat{bystander{}, {.beat = 300}, phi_accrual<>{}}),
                      "heartbeat: 241 ticks of silence are too many, and a beat comes every 300: "
                      "all would be suspected");
}

TEST_CASE("phi_accrual: patience that ticks cannot count is never, and found") {
    const phi_accrual<> slow{{.expected = never / 2 + 1}};
    CHECK(slow.patience(slow.fresh()) > never / 2);
    const phi_accrual<> slower{{.pause = never}};
    CHECK(slower.patience(slower.fresh()) > never / 2);
}

// Paper

TEST_CASE("phi_accrual: gaps that ticks can hardly count make for endless patience, not a search") {
    for (const ticks expected : {ticks{1} << 62, never / 2, never}) {
        CAPTURE(expected);
        const phi_accrual<> judge{{.expected = expected}};
        CHECK(judge.patience(judge.fresh()) >= expected);
    }
    const phi_accrual<100, exponential_gaps> sure{{.threshold = 999'999, .expected = never >> 20}};
    CHECK(sure.patience(sure.fresh()) > never >> 1);
}

TEST_CASE("phi_accrual: mean 1000, deviation 100, the normal distribution") {
    const thousand<normal_gaps> t;
    CHECK(t.judge.mean(t.h) == 1000);
    CHECK(t.judge.deviation(t.h) == 100);
    CHECK(t.phi(1000) == doctest::Approx(0.30103).epsilon(1e-5));
    CHECK(t.phi(1100) == doctest::Approx(0.79955).epsilon(1e-5));
    CHECK(t.phi(1200) == doctest::Approx(1.64302).epsilon(1e-5));
    CHECK(t.phi(1300) == doctest::Approx(2.8697).epsilon(1e-5));
    CHECK(t.phi(1500) == doctest::Approx(6.54265).epsilon(1e-5));
    CHECK(t.judge.patience(t.h) == 1562);   // z = 5.6120
    CHECK(t.phi(1561) < 8);
    CHECK(t.phi(1562) >= 8);
}

TEST_CASE("phi_accrual: the same, logistic and exponential") {
    const thousand<logistic_gaps> l;
    CHECK(l.phi(1000) == doctest::Approx(0.30103).epsilon(1e-5));
    CHECK(l.phi(1100) == doctest::Approx(0.79951).epsilon(1e-5));
    CHECK(l.phi(1200) == doctest::Approx(1.64283).epsilon(1e-5));
    CHECK(l.phi(1300) == doctest::Approx(2.90948).epsilon(1e-5));
    CHECK(l.phi(1500) == doctest::Approx(7.29995).epsilon(1e-5));
    CHECK(l.phi(0) == doctest::Approx(0));
    const thousand<exponential_gaps> e;
    CHECK(e.phi(1000) == doctest::Approx(1 / std::log(10.0)));
    CHECK(e.judge.patience(e.h) == 18'421);   // 18.42 times the mean
}

TEST_CASE("phi_accrual: phi does not fall with time, and is infinite where erfc is nothing") {
    const auto rises = [](const auto& t) {
        double before = 0;
        for (ticks at = 0; at < 10'000; at += 7) {
            CHECK(t.phi(at) >= before);
            before = t.phi(at);
        }
    };
    rises(thousand<normal_gaps>{});
    rises(thousand<logistic_gaps>{});
    rises(thousand<exponential_gaps>{});
    CHECK(std::isinf(thousand<normal_gaps>{}.phi(1000 + 39 * 100)));
    CHECK(std::isinf(thousand<logistic_gaps>{}.phi(9000)));
}

TEST_CASE("phi_accrual: at first a prior; a pause is added; regular is not certain") {
    const phi_accrual<10> judge{{.expected = 1000, .min_deviation = 20}};
    CHECK(judge.mean(judge.fresh()) == 1000);
    CHECK(judge.deviation(judge.fresh()) == 250);
    CHECK(judge.patience(judge.fresh()) == 2404);   // 1000 + 5.612 * 250
    const phi_accrual<10> patient{{.expected = 1000, .min_deviation = 20, .pause = 3000}};
    CHECK(patient.patience(patient.fresh()) == 5404);
    const auto regular = after_gaps(judge, std::vector<ticks>(30, 1000));
    CHECK(judge.deviation(regular) == 20);
    CHECK(judge.patience(regular) == 1113);
}

TEST_CASE("phi_accrual: the window is that of a naive count, however long it has been sliding") {
    random_source dice{11};
    const phi_accrual<7> judge{{.expected = 50, .min_deviation = 1}};
    std::vector<ticks> gaps;
    for (int i = 0; i < 500; ++i) {
        gaps.push_back(50 + dice.below(i < 250 ? 1'000'000 : 100));
        if (gaps.size() < 7) continue;
        const auto h = after_gaps(judge, gaps);
        double sum = 0, squares = 0;
        for (std::size_t k = gaps.size() - 7; k < gaps.size(); ++k)
            sum += static_cast<double>(gaps[k]);
        for (std::size_t k = gaps.size() - 7; k < gaps.size(); ++k)
            squares += std::pow(static_cast<double>(gaps[k]) - sum / 7, 2);
        CHECK(judge.mean(h) == doctest::Approx(sum / 7));
        CHECK(judge.deviation(h) == doctest::Approx(std::sqrt(squares / 7)));
    }
}

// Safety and liveness

TEST_CASE("phi_accrual: the laws of detectors") { laws::detector(by_phi{}); }
TEST_CASE("phi_accrual: the laws of detectors, a low threshold") {
    laws::detector(by_phi{.threshold = 4});
}
TEST_CASE("phi_accrual: the laws of detectors, logistic") { laws::detector(by_logistic{}); }
TEST_CASE("phi_accrual: the laws of detectors, exponential") { laws::detector(by_exponential{}); }

TEST_CASE("phi_accrual: the gap of a suspicion or between lives does not pollute the window") {
    const phi_accrual<5> judge{{.expected = 100}};
    auto h = after_gaps(judge, {100, 100, 100, 100, 100});
    const ticks before = judge.patience(h);
    watch env{10'000};
    judge.heard(h, sign::overdue, env);
    CHECK(judge.patience(h) == before);
    env.time += 50'000;
    judge.heard(h, sign::reborn, env);
    CHECK(judge.patience(h) == before);
    env.time += 150;
    judge.heard(h, sign::on_time, env);   // counted from the last beat of all
    CHECK(judge.mean(h) == 110);
}

TEST_CASE("phi_accrual: a burst after a pause does not make it flap for ever") {
    // Ten beats are held up and arrive at once; fifo, so that they come in order.
    events net{path{2}, [](node) {
        return heartbeat{bystander{}, {.beat = 20},
                         phi_accrual<8>{{.expected = 20, .min_deviation = 2}}};
    }, {.delay = by_hand{[](const hop& h, random_source&) -> ticks {
        return h.from == node{1} && h.sent >= 400 && h.sent < 600 ? 601 - h.sent : 1;
    }}}};
    net.start_all();
    net.run_for(5'000);
    CHECK(net[0].process().words.size() == 2);   // suspected once, wrongly
    CHECK(net[1].process().words.empty());
}

TEST_CASE("phi_accrual: it adapts: jittery links get more patience than regular ones") {
    events net{path{2}, [](node) {
        return heartbeat{bystander{}, {.beat = 100},
                         phi_accrual<>{{.expected = 100, .min_deviation = 1}}};
    }, {.seed = 4, .delay = by_hand{[](const hop& h, random_source& bits) -> ticks {
        return h.from == node{0} ? 1 : 1 + bits.below(60);
    }}}};
    net.start_all();
    net.run_for(20'000);
    CHECK(net[1].patience(port{0}) == 106);
    CHECK(net[0].patience(port{0}) > 200);
    CHECK(laws::words_in(net) == 0);
}

TEST_CASE("phi_accrual: about one in 10^phi gaps is longer than its patience, if they are normal") {
    random_source dice{2026};
    const auto gap = [&] {   // 12 uniforms: mean 1000, deviation 100
        double sum = 0;
        for (int i = 0; i < 12; ++i) sum += static_cast<double>(dice.below(1'000'000)) / 1e6;
        return static_cast<ticks>(1000 + 100 * (sum - 6));
    };
    for (const double threshold : {1.0, 2.0}) {
        const phi_accrual<1000> judge{{.threshold = threshold, .expected = 900}};
        std::vector<ticks> gaps(1000);
        for (ticks& g : gaps) g = gap();
        const ticks patience = judge.patience(after_gaps(judge, gaps));
        int wrong = 0;
        constexpr int draws = 20'000;
        for (int i = 0; i < draws; ++i) wrong += gap() > patience ? 1 : 0;
        const double expected = std::pow(10, -threshold);
        // Four standard errors of the count, and some for those of the window.
        CHECK(std::abs(wrong - draws * expected) < 4 * std::sqrt(draws * expected) +
                                                       0.15 * draws * expected);
    }
}
