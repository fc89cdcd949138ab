// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/run/exploration/callback.hpp>

#include <pthread.h>

#include <cstddef>
#include <exception>
#include <vector>

namespace caucus::exploration {

/// Threads that run one task together, each its own part, as often as asked. If the size is 1 the
/// caller does it alone.
///
/// Threads of POSIX: <thread> and <barrier> take as long to compile as <vector>, <string> and
/// <functional> together, and few explorations have more than one thread.
class thread_pool {
public:
    using task = callback<void(std::size_t)>;

    explicit thread_pool(std::size_t size) : parts_(size) {
        for (std::size_t who = 1; who < size; ++who) {
            parts_[who].pool = this;
            parts_[who].who = who;
            if (pthread_create(&parts_[who].thread, nullptr, help, &parts_[who]) != 0) {
                stop(who);
                refuse("explore: the system has no room for ", size, " threads");
            }
        }
    }
    thread_pool(const thread_pool&) = delete;
    thread_pool& operator=(const thread_pool&) = delete;
    ~thread_pool() {
        stop(parts_.size());
        pthread_cond_destroy(&done_);
        pthread_cond_destroy(&begun_);
        pthread_mutex_destroy(&lock_);
    }

    /// Runs task(0) in this thread and task(1) … task(size-1) in the others; waits for all.
    void work(task what) {
        if (parts_.size() <= 1) return what(0);
        begin(&what);
        parts_[0].attempt(what);
        pthread_mutex_lock(&lock_);
        while (at_work_ != 0) pthread_cond_wait(&done_, &lock_);
        pthread_mutex_unlock(&lock_);
        std::exception_ptr first;
        for (part& each : parts_) {
            if (!first) first = each.thrown;
            each.thrown = nullptr;
        }
        if (first) std::rethrow_exception(first);
    }

private:
    struct part {
        /// Keeps what the task throws until all are done.
        void attempt(task what) {
            try {
                what(who);
            } catch (...) {
                thrown = std::current_exception();
            }
        }

        thread_pool* pool = nullptr;
        std::size_t who = 0;
        pthread_t thread = {};
        std::exception_ptr thrown = {};
    };

    /// All threads go on, with this task; with none, they end.
    void begin(const task* what) {
        pthread_mutex_lock(&lock_);
        task_ = what;
        at_work_ = parts_.size() - 1;
        ++round_;
        pthread_cond_broadcast(&begun_);
        pthread_mutex_unlock(&lock_);
    }
    void stop(std::size_t threads) {
        if (threads <= 1) return;
        begin(nullptr);
        for (std::size_t who = 1; who < threads; ++who) pthread_join(parts_[who].thread, nullptr);
    }

    static void* help(void* its_part) {
        part& mine = *static_cast<part*>(its_part);
        thread_pool& pool = *mine.pool;
        for (std::size_t round = 0;; ++round) {
            pthread_mutex_lock(&pool.lock_);
            while (pool.round_ == round) pthread_cond_wait(&pool.begun_, &pool.lock_);
            const task* what = pool.task_;
            pthread_mutex_unlock(&pool.lock_);
            if (what == nullptr) return nullptr;
            mine.attempt(*what);
            pthread_mutex_lock(&pool.lock_);
            if (--pool.at_work_ == 0) pthread_cond_signal(&pool.done_);
            pthread_mutex_unlock(&pool.lock_);
        }
    }

    std::vector<part> parts_;      // the first is the caller's
    pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;   // of all that follows
    pthread_cond_t begun_ = PTHREAD_COND_INITIALIZER;
    pthread_cond_t done_ = PTHREAD_COND_INITIALIZER;
    const task* task_ = nullptr;
    std::size_t round_ = 0;        // how often a task was begun
    std::size_t at_work_ = 0;      // threads that have yet to finish their part
};

}  // namespace caucus::exploration
