// expect: cannot_be_described__give_it_a_static_fields_function
// SPDX-License-Identifier: MIT
#include <caucus/core/fields.hpp>

struct message {
#if CAUCUS_CONTROL
    int number;
#else
    const int* number;   // says nothing on another machine
#endif
};

int main() {
    return caucus::same(message{}, message{}) ? 0 : 1;
}
