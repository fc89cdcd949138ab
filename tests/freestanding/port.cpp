// SPDX-License-Identifier: MIT
#include <caucus/core/port.hpp>

int main() {
    std::size_t sum = 0;
    for (const caucus::port p : caucus::ports{4}) sum += p.index();
    return sum == 6 ? 0 : 1;
}
