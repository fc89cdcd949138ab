// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/text.hpp>
#include <caucus/run/report.hpp>

#include <atomic>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace caucus {

/// Of one figure, over all runs of a sample.
struct summary {
    double mean = 0;
    double sd = 0;             // of the population that the runs are drawn from: n - 1 below
    std::uint64_t least = 0;
    std::uint64_t most = 0;
};

/// What many runs have cost.
struct sample_report {
    struct kind_summary {
        text name;
        summary messages;
    };

    std::uint64_t runs = 0;
    summary messages;
    summary bits;
    summary rounds;
    std::vector<kind_summary> kinds;      // those of one name together
    std::optional<cost> proven;           // if it is the same for all runs
    std::uint64_t outside_proven = 0;     // runs that cost less or more than was proven for them
    std::uint64_t unfinished = 0;         // runs that were stopped by a limit

    /// Messages of the kinds with that name; one that there is not is refused.
    const summary& by_kind(text name) const {
        for (const kind_summary& kind : kinds)
            if (kind.name == name) return kind.messages;
        refuse("sample: there is no message kind of that name");
    }
};

struct sample_options {
    std::uint64_t first_seed = 1;   // and then the next ones
    std::size_t threads = 0;        // 0: one for each core. The result is the same for any number;
                                    // fewer if the system has no room for so many
};

namespace detail {

/// All that is needed of one run: reports may be large.
struct run_figures {
    std::uint64_t messages = 0;
    std::uint64_t bits = 0;
    std::uint64_t rounds = 0;
    stop stopped = stop::quiescent;
    std::optional<cost> proven{};
    std::vector<report::kind_count> kinds{};
};

template <class Run>
run_figures run_once(const Run& run, std::uint64_t seed) {
    auto made = run(seed);
    report r;
    if constexpr (std::convertible_to<decltype(made), report>) {
        r = std::move(made);
    } else {
        made.start_all();
        r = made.run();
    }
    return {r.messages, r.bits, r.rounds, r.stopped, r.proven, std::move(r.kinds)};
}

/// Starts a thread, which is the last of the list then.
struct thread_starter {
    void operator()(std::vector<std::thread>& list, const auto& work) const {
        list.emplace_back(work);
    }
};

/// act(i) for all i below count, on so many threads; on fewer if no more can be started, and be it
/// this one alone. Of several that fail, the first is thrown.
inline void on_threads(std::size_t threads, std::size_t count, const auto& act,
                       const auto& start) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    std::vector<std::exception_ptr> errors(count);
    const auto work = [&] {
        for (std::size_t i; !failed && (i = next++) < count;) {
            try {
                act(i);
            } catch (...) {
                errors[i] = std::current_exception();
                failed = true;
            }
        }
    };
    std::vector<std::thread> others;
    try {
        for (std::size_t i = 1; i < threads && i < count; ++i) start(others, work);
    } catch (...) {
        // Those that run must be joined, and do all the work.
    }
    work();
    for (std::thread& each : others) each.join();
    for (const std::exception_ptr& each : errors)
        if (each) std::rethrow_exception(each);
}

inline summary summary_of(const std::vector<run_figures>& runs, const auto& figure) {
    summary s{.least = ~std::uint64_t{0}};
    double sum = 0;
    for (const run_figures& each : runs) {
        const std::uint64_t x = figure(each);
        if (x < s.least) s.least = x;
        if (s.most < x) s.most = x;
        sum += static_cast<double>(x);
    }
    s.mean = sum / static_cast<double>(runs.size());
    double squares = 0;
    for (const run_figures& each : runs) {
        const double off = static_cast<double>(figure(each)) - s.mean;
        squares += off * off;
    }
    if (runs.size() > 1) s.sd = std::sqrt(squares / static_cast<double>(runs.size() - 1));
    return s;
}

inline bool same_cost(const std::optional<cost>& a, const std::optional<cost>& b) {
    if (!a || !b) return !a && !b;
    return a->least == b->least && a->most == b->most && a->mean == b->mean;
}

}  // namespace detail

/// So many runs, one for each seed, and what they cost: `run(seed)` gives a simulation, in which
/// all are then started, or the report of one that it has run itself. It is called on several
/// threads at once.
///     sample(1000, [](std::uint64_t seed) {
///         return rounds{ring{64}, [ids = random_ids(64, seed)](node v) {
///             return chang_roberts{ids[v]};
///         }};
///     }).messages.mean
template <class Run>
sample_report sample(std::size_t runs, const Run& run, sample_options options = {}) {
    if (runs == 0) refuse("sample: no runs, of which nothing can be said");
    std::size_t threads = options.threads;
    if (threads == 0) threads = std::thread::hardware_concurrency();
    std::vector<detail::run_figures> found(runs);
    detail::on_threads(threads, runs, [&](std::size_t i) {
        found[i] = detail::run_once(run, options.first_seed + i);
    }, detail::thread_starter{});

    using figures = detail::run_figures;
    sample_report r;
    r.runs = runs;
    r.messages = detail::summary_of(found, [](const figures& f) { return f.messages; });
    r.bits = detail::summary_of(found, [](const figures& f) { return f.bits; });
    r.rounds = detail::summary_of(found, [](const figures& f) { return f.rounds; });
    r.proven = found[0].proven;
    for (const figures& f : found) {
        if (!detail::same_cost(f.proven, found[0].proven)) r.proven.reset();
        r.outside_proven += f.proven && !f.proven->contains(f.messages);
        r.unfinished += f.stopped == stop::limit;
        for (const report::kind_count& kind : f.kinds) {
            bool known = false;
            for (const auto& each : r.kinds) known = known || each.name == kind.name;
            if (!known) r.kinds.push_back({kind.name, {}});
        }
    }
    for (auto& kind : r.kinds)
        kind.messages = detail::summary_of(found, [&](const figures& f) {
            std::uint64_t sum = 0;
            for (const report::kind_count& each : f.kinds)
                if (each.name == kind.name) sum += each.messages;
            return sum;
        });
    return r;
}

}  // namespace caucus
