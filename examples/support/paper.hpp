// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/epoch.hpp>
#include <caucus/exclusion/fence.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

using fence = caucus::fence<caucus::epoch<int>>;

constexpr int lines = 4;   // of a document; each process has one

struct line {
    int author;
    int number;
    fence entry;   // in which it was written
};

/// What a printer has printed.
using paper = std::vector<line>;

/// Documents of which nothing is missing, and with nothing between.
inline std::size_t whole(const paper& p) {
    std::size_t count = 0;
    for (std::size_t i = 0; i + lines <= p.size(); ++i)
        count += p[i].number == 1 && std::all_of(&p[i], &p[i] + lines, [&](const line& l) {
            return l.entry == p[i].entry;
        });
    return count;
}

/// Neighbouring lines of one entry in a row.
inline void show(const char* title, const paper& p) {
    std::printf("%s", title);
    for (std::size_t i = 0; i < p.size(); ++i) {
        if (i == 0 || !(p[i].entry == p[i - 1].entry)) std::printf("\n  %d:", p[i].author);
        std::printf(" %d", p[i].number);
    }
    std::puts("");
}
