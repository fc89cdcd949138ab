// SPDX-License-Identifier: MIT
#pragma once

// What is no template can be compiled once, and not in every source file that includes it: define
// CAUCUS_COMPILED for the program, and in one more source file include <caucus/compiled.hpp>. The
// CMake target caucus::compiled does both. Without the macro all is in the headers. A program may
// mix the two: they define the same things.
//
// In the headers CAUCUS_INLINE stands before what can be compiled elsewhere. It has no definition
// where that is done: then only the declarations are seen.

#if !defined(CAUCUS_COMPILED) && !defined(CAUCUS_INLINE)
#define CAUCUS_INLINE inline
#endif
