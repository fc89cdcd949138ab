// expect: policies
// SPDX-License-Identifier: MIT
#include <caucus/wave/traversal.hpp>

#include <vector>

const std::vector<int> peers{2, 3};
#ifdef CAUCUS_CONTROL
caucus::traversal process{1, caucus::by_path{1, peers}, caucus::sum{}};
#else
caucus::traversal process{1, caucus::by_path{1, peers}, caucus::by_colour{}};
#endif

int main() {}
