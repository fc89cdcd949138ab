// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <exception>

/// A caller's mistake. Define it before the first include to send it elsewhere.
#ifndef CAUCUS_ASSERT
#include <cassert>
#define CAUCUS_ASSERT(condition) assert(condition)
#endif

namespace caucus {

/// What the edge of the library throws: bad topologies, bad options, a model that does not fit.
/// It names the culprit and owns its text, so that throwing it allocates nothing else.
class error : public std::exception {
public:
    error() = default;
    const char* what() const noexcept override { return text_; }

    error& operator<<(const char* words) {
        while (*words != '\0') put(*words++);
        return *this;
    }
    error& operator<<(std::size_t number) {
        char digits[20];
        std::size_t count = 0;
        do digits[count++] = static_cast<char>('0' + number % 10); while ((number /= 10) != 0);
        while (count != 0) put(digits[--count]);
        return *this;
    }

private:
    void put(char c) {
        if (size_ + 1 < sizeof text_) text_[size_++] = c;
    }

    char text_[240] = {};
    std::size_t size_ = 0;
};

namespace detail {

/// Words or a number.
struct part {
    constexpr part(const char* some) : words(some) {}
    constexpr part(std::size_t any) : number(any) {}
    const char* words = nullptr;
    std::size_t number = 0;
};
/// No template: else every list of types that is refused somewhere would be compiled by itself.
[[noreturn]] inline void refuse_with([[maybe_unused]] const part* parts,
                                     [[maybe_unused]] std::size_t count) {
#if defined(__cpp_exceptions)
    error e;
    for (std::size_t i = 0; i < count; ++i)
        parts[i].words != nullptr ? e << parts[i].words : e << parts[i].number;
    throw e;
#else
    std::terminate();
#endif
}

}  // namespace detail

/// Throws an error made of the given words and numbers; without exceptions, terminates.
/// Reaching it in constant evaluation is a compile error at the place that refused.
template <class... Parts>
[[noreturn]] void refuse(Parts... parts) {
    const detail::part all[] = {detail::part(parts)...};
    detail::refuse_with(all, sizeof...(parts));
}

}  // namespace caucus
