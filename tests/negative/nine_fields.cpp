// expect: at_most_eight_fields__or_give_it_a_static_fields_function
// SPDX-License-Identifier: MIT
#include <caucus/core/fields.hpp>

struct message {
    int a, b, c, d, e, f, g, h;
#ifndef CAUCUS_CONTROL
    int i;
#endif
};

int main() {
    return caucus::same(message{}, message{}) ? 0 : 1;
}
