// SPDX-License-Identifier: MIT
#include <caucus/core/compiled.hpp>

#include <doctest/doctest.h>

// These tests use what is compiled; that the headers alone do as well, and both in one program, is
// shown by tests/mixed, linked_twice and the examples.

#ifndef CAUCUS_COMPILED
#error "the tests are to use caucus::compiled"
#endif

TEST_CASE("compiled: whoever uses what is compiled defines none of it") {
#ifdef CAUCUS_INLINE
    constexpr bool defined_here = true;
#else
    constexpr bool defined_here = false;
#endif
    CHECK_FALSE(defined_here);
}
