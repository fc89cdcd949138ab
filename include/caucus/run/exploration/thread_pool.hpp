// SPDX-License-Identifier: MIT
#pragma once

#include <barrier>
#include <cstddef>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace caucus::exploration {

/// Threads that run one task together, each its own part, as often as asked. If the size is 1 the
/// caller does it alone.
class thread_pool {
public:
    explicit thread_pool(std::size_t size)
        : begin_(static_cast<std::ptrdiff_t>(size)), end_(static_cast<std::ptrdiff_t>(size)) {
        for (std::size_t who = 1; who < size; ++who) {
            helpers_.emplace_back([this, who] {
                for (;;) {
                    begin_.arrive_and_wait();
                    if (!task_) return;
                    attempt(who);
                    end_.arrive_and_wait();
                }
            });
        }
    }
    thread_pool(const thread_pool&) = delete;
    thread_pool& operator=(const thread_pool&) = delete;
    ~thread_pool() {
        task_ = nullptr;
        if (!helpers_.empty()) begin_.arrive_and_wait();
        for (std::thread& helper : helpers_) helper.join();
    }

    /// Runs task(0) in this thread and task(1) … task(size-1) in the others; waits for all.
    void work(std::function<void(std::size_t)> task) {
        if (helpers_.empty()) return task(0);
        task_ = std::move(task);
        thrown_.assign(helpers_.size() + 1, nullptr);
        begin_.arrive_and_wait();
        attempt(0);
        end_.arrive_and_wait();
        for (const std::exception_ptr& each : thrown_)
            if (each) std::rethrow_exception(each);
    }

private:
    /// Keeps what the task throws until all are done: a thread that left now would leave the
    /// others waiting at the barrier.
    void attempt(std::size_t who) {
        try {
            task_(who);
        } catch (...) {
            thrown_[who] = std::current_exception();
        }
    }

    std::barrier<> begin_;
    std::barrier<> end_;
    std::function<void(std::size_t)> task_;
    std::vector<std::exception_ptr> thrown_;
    std::vector<std::thread> helpers_;
};

}  // namespace caucus::exploration
