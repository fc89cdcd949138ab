// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/environment.hpp>
#include <caucus/core/error.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/detector/judge.hpp>

#include <cmath>
#include <cstddef>
#include <optional>
#include <tuple>

namespace caucus {

/// The role of what says how gaps between beats are distributed: phi(t, mean, deviation) is
/// -log10 of the probability that one is longer than t, and does not fall with t.
struct distribution {};

/// As in the paper.
struct normal_gaps {
    using decides = distribution;
    static double phi(double t, double mean, double deviation) {
        return -std::log10(std::erfc((t - mean) / (deviation * std::sqrt(2.0))) / 2);
    }
};

/// The normal one without erfc, as Akka has it; beyond 3 deviations it is surer.
struct logistic_gaps {
    using decides = distribution;
    static double phi(double t, double mean, double deviation) {
        const double y = (t - mean) / deviation;
        const double e = std::exp(-y * (1.5976 + 0.070566 * y * y));
        return t > mean ? -std::log10(e / (1 + e)) : -std::log10(1 - 1 / (1 + e));
    }
};

/// Without memory, as Cassandra has it: for networks with long tails, and patience.
struct exponential_gaps {
    using decides = distribution;
    static double phi(double t, double mean, double) { return t / (mean * std::log(10.0)); }
};

struct phi_options {
    double threshold = 8;      // suspected at this phi: about one in 10^8 gaps is wrongly so
    ticks expected = 100;      // the mean gap before any is known, and never less: the beat
    ticks min_deviation = 10;  // beats as regular as clockwork do not make it jumpy
    ticks pause = 0;           // that is acceptable: added to the mean
};

/// A judge for heartbeat: the longer the usual gaps, and the less regular, the more patience.
///
/// Model     gaps between beats are drawn from one distribution that changes slowly, if at all
/// Cost      Window gaps of memory per neighbour; some dozens of erfc per beat
/// Faults    the gap of a suspicion is not learnt: a lasting change for the worse never is
/// Source    Hayashibara, Défago, Yared & Katayama, SRDS 2004
///
/// `Window`  how many gaps count; the first two are a prior: `expected`, give or take a quarter.
/// `Gaps`    normal_gaps, logistic_gaps or exponential_gaps. Default as in the paper.
template <std::size_t Window = 100, class Gaps = normal_gaps>
class phi_accrual {
    static_assert(Window >= 2, "the prior takes two places");

public:
    using decides = judging;
    static constexpr bool reads_clock = true;

    struct history {
        inplace_sequence<ticks, Window> gaps{};
        std::size_t oldest = 0;
        double sum = 0;       // of gap - expected, and of its square: exact below 2^53, so that
        double squares = 0;   // what was added long ago can be taken away
        std::optional<ticks> last{};
    };

    constexpr explicit phi_accrual(phi_options options = {}) : options_(options) {
        if (!(options.threshold > 0 && options.threshold < 1e6))
            refuse("phi_accrual: the threshold must be positive");
        if (options.expected == 0) refuse("phi_accrual: no time between two beats");
        // Without it, perfectly regular beats would be divided by zero.
        if (options.min_deviation == 0) refuse("phi_accrual: the least deviation must be positive");
    }

    constexpr history fresh() const {
        history h;
        learn(h, options_.expected - options_.expected / 4);
        learn(h, after(options_.expected, options_.expected / 4));
        return h;
    }
    constexpr void heard(history& h, sign s, timepiece auto& env) const {
        const ticks now = env.now();
        // The gap of a suspicion or between two lives says nothing of the next: it would blind us.
        if (s == sign::on_time && h.last) learn(h, now - *h.last);
        h.last = now;
    }

    /// How sure one can be, t ticks after the last beat, that there is nobody left to beat.
    double phi(const history& h, ticks t) const {
        return Gaps::phi(static_cast<double>(t),
                         mean(h) + static_cast<double>(options_.pause), deviation(h));
    }
    /// The first tick at which phi reaches the threshold.
    ticks patience(const history& h) const {
        ticks high = options_.expected;
        // At never phi is as high as it gets: without that, doubling would go on from 0 for ever.
        while (high != never && phi(h, high) < options_.threshold) high = times(2, high);
        for (ticks low = 0; low + 1 < high;) {
            const ticks middle = low + (high - low) / 2;
            if (phi(h, middle) < options_.threshold) low = middle;
            else high = middle;
        }
        return high;
    }

    double mean(const history& h) const {
        const double expected = static_cast<double>(options_.expected);
        const double over = h.sum / static_cast<double>(h.gaps.size());
        // A burst of late beats has gaps near zero. Without this, the next gap is a suspicion, and
        // so never learnt, and the same for ever.
        return over > 0 ? expected + over : expected;
    }
    double deviation(const history& h) const {
        const double size = static_cast<double>(h.gaps.size());
        const double variance = h.squares / size - (h.sum / size) * (h.sum / size);
        const double least = static_cast<double>(options_.min_deviation);
        return variance > least * least ? std::sqrt(variance) : least;
    }

    static constexpr auto fields(auto& self) {
        return std::tie(self.options_.threshold, self.options_.expected,
                        self.options_.min_deviation, self.options_.pause);
    }

private:
    constexpr void learn(history& h, ticks gap) const {
        if (h.gaps.size() < Window) {
            h.gaps.push_back(gap);
        } else {
            const double gone = over_expected(h.gaps[h.oldest]);
            h.sum -= gone;
            h.squares -= gone * gone;
            h.gaps[h.oldest] = gap;
            h.oldest = (h.oldest + 1) % Window;
        }
        const double over = over_expected(gap);
        h.sum += over;
        h.squares += over * over;
    }
    constexpr double over_expected(ticks gap) const {
        return static_cast<double>(gap) - static_cast<double>(options_.expected);
    }

    phi_options options_;
};

}  // namespace caucus
