// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

// CHECK for templates that are instantiated many times. There CHECK is compiled again each time,
// and it is much code; this is a call. It shows the expression and where it stands, not the values.
#define HOLDS(...) \
    support::holds(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __LINE__, __PRETTY_FUNCTION__)

namespace support {

inline void holds(bool is_true, const char* what, int line, const char* where) {
    INFO("line ", line, ", in ", where);
    CHECK_MESSAGE(is_true, what);
}

}  // namespace support
