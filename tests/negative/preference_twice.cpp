// expect: policies
// SPDX-License-Identifier: MIT
#include <caucus/election/graph/extinction.hpp>

#ifdef CAUCUS_CONTROL
caucus::extinction process{7, caucus::least{}};
#else
caucus::extinction process{7, caucus::least{}, caucus::greatest{}};
#endif

int main() {}
