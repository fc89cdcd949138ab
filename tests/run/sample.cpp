// SPDX-License-Identifier: MIT
#include <caucus/run/sample.hpp>

#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/run/random_ids.hpp>
#include <caucus/run/rounds.hpp>
#include <caucus/topology/ring.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

using namespace caucus;

namespace {

auto election(std::size_t n) {
    return [=](std::uint64_t seed) {
        return rounds{ring{n}, [ids = random_ids(n, seed)](node v) {
            return chang_roberts{ids[v]};
        }};
    };
}

/// A run that cost so much.
report costs(std::uint64_t messages, stop why = stop::quiescent) {
    report r;
    r.messages = messages;
    r.bits = 8 * messages;
    r.rounds = messages / 2;
    r.stopped = why;
    r.kinds = {{"lap", messages - 1, nullptr}, {"cry", 1, nullptr}, {"lap", 1, nullptr}};
    r.proven = cost{2, 8, {}};
    return r;
}

bool same(const summary& a, const summary& b) {
    return a.mean == b.mean && a.sd == b.sd && a.least == b.least && a.most == b.most;
}

}  // namespace

TEST_CASE("sample: mean, deviation, least and most of what the runs cost, by hand") {
    const std::uint64_t messages[] = {2, 4, 4, 4, 5, 5, 7, 9};   // mean 5, squares 32
    const auto run = [&](std::uint64_t seed) { return costs(messages[seed - 1]); };
    const sample_report r = sample(8, run);
    CHECK(r.runs == 8);
    CHECK(r.messages.mean == doctest::Approx(5));
    CHECK(r.messages.sd == doctest::Approx(2.13809));   // sqrt(32 / 7)
    CHECK(r.messages.least == 2);
    CHECK(r.messages.most == 9);
    CHECK(r.bits.mean == doctest::Approx(40));
    CHECK(r.rounds.most == 4);
    CHECK(r.kinds.size() == 2);
    CHECK(r.by_kind("lap").mean == doctest::Approx(5));
    CHECK(r.by_kind("cry").sd == 0);
    CHECK_THROWS_AS(r.by_kind("sigh"), error);
    CHECK(r.proven->most == 8);
    CHECK(r.outside_proven == 1);
    CHECK(r.unfinished == 0);
}

TEST_CASE("sample: one run has no deviation, none says nothing; runs cut short are counted") {
    CHECK(sample(1, [](std::uint64_t) { return costs(3); }).messages.sd == 0);
    CHECK_THROWS_AS(sample(0, [](std::uint64_t) { return costs(3); }), error);
    const auto endless = [](std::uint64_t seed) {
        return costs(3, seed % 2 == 0 ? stop::limit : stop::quiescent);
    };
    CHECK(sample(5, endless).unfinished == 2);
    CHECK(sample(5, endless, {.first_seed = 2}).unfinished == 3);
}

TEST_CASE("sample: chang_roberts costs what Chang and Roberts say, on any number of threads") {
    const sample_report one = sample(400, election(32), {.threads = 1});
    REQUIRE(one.proven);
    REQUIRE(one.proven->mean);
    CHECK(one.outside_proven == 0);
    // Three standard errors.
    CHECK(one.messages.mean == doctest::Approx(*one.proven->mean)
                                   .epsilon(3 * one.messages.sd / 20 / *one.proven->mean));
    CHECK(one.by_kind("elected").sd == 0);
    CHECK(one.rounds.mean == doctest::Approx(64));
    for (const std::size_t threads : {0u, 2u, 7u}) {
        const sample_report many = sample(400, election(32), {.threads = threads});
        CHECK(same(many.messages, one.messages));
        CHECK(same(many.bits, one.bits));
        CHECK(same(many.rounds, one.rounds));
        CHECK(same(many.by_kind("election"), one.by_kind("election")));
    }
}

TEST_CASE("sample: where proven costs differ between runs, there is none for all") {
    const sample_report r = sample(4, [](std::uint64_t seed) {
        rounds sim{ring{seed + 1}, [](node v) { return chang_roberts{static_cast<int>(v.index)}; }};
        sim.start_all();
        return sim.run();
    });
    CHECK_FALSE(r.proven);
    CHECK(r.outside_proven == 0);
}

TEST_CASE("sample: where no more threads can be started, those that run do all the work") {
    for (const std::size_t room : {0u, 1u, 2u}) {
        std::vector<std::atomic<int>> done(100);
        std::size_t started = 0;
        detail::on_threads(
            4, done.size(), [&](std::size_t i) { ++done[i]; },
            [&](std::vector<std::thread>& list, const auto& work) {
                if (started == room) throw std::system_error(EAGAIN, std::generic_category());
                ++started;
                detail::thread_starter{}(list, work);
            });
        CHECK(started == room);
        for (const std::atomic<int>& each : done) CHECK(each == 1);
    }
}

TEST_CASE("sample: runs on as many threads as it was told to, and passes on what fails first") {
    std::atomic<int> under_way{0};
    std::atomic<int> most{0};
    int patience = 10'000'000;   // for another thread to come
    const auto meet = [&](std::uint64_t) {
        const int now = ++under_way;
        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {}
        for (int i = 0; i < patience && most < 2; ++i) std::this_thread::yield();
        --under_way;
        return costs(3);
    };
    sample(200, meet, {.threads = 3});
    CHECK(most <= 3);
    CHECK(most > 1);
    most = patience = 0;
    sample(3, meet, {.threads = 1});
    CHECK(most == 1);
    for (const std::size_t threads : {1u, 4u})
        CHECK_THROWS_WITH(sample(100, [](std::uint64_t seed) {
                              if (seed >= 5) refuse("run ", std::size_t{seed});
                              return costs(3);
                          }, {.threads = threads}), "run 5");
}
