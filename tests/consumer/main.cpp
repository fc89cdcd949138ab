// SPDX-License-Identifier: MIT
#include <caucus/core/port.hpp>

#include <cstdio>

int main() {
    for (const caucus::port p : caucus::ports{2}) std::printf("port %zu\n", p.index());
}

/* Output:
port 0
port 1
*/
