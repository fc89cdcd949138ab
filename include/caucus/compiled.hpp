// SPDX-License-Identifier: MIT
// Include this first, and best alone, in one source file of a program that defines CAUCUS_COMPILED:
// here the compiler makes the code of all that is no template.
#pragma once

#define CAUCUS_INLINE
#include <caucus/run/delay.hpp>
#include <caucus/run/events_options.hpp>
#include <caucus/run/exploration/by_number.hpp>
#include <caucus/run/simulation/detection.hpp>
#include <caucus/run/simulation/fault_schedule.hpp>
#include <caucus/run/simulation/interference.hpp>
#include <caucus/run/simulation/transit.hpp>
