// SPDX-License-Identifier: MIT
#ifndef CAUCUS_COMPILED
#error "this half is to use what is compiled"
#endif
#include "mixed.hpp"

findings of_the_compiled_half(const caucus::fault_plan& faults) {
    return {explored(), simulated(faults)};
}
