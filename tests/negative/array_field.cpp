// expect: cannot_be_described__give_it_a_static_fields_function
// SPDX-License-Identifier: MIT
#include <caucus/core/fields.hpp>

#include <array>

struct message {
#if CAUCUS_CONTROL
    std::array<int, 3> numbers;
#else
    int numbers[3];   // would be compared by its address
#endif
};

int main() {
    return caucus::same(message{}, message{}) ? 0 : 1;
}
