// expect: cannot_be_described__give_it_a_static_fields_function
// SPDX-License-Identifier: MIT
#include <caucus/core/fields.hpp>

struct serial {
#if CAUCUS_CONTROL
    int number = 0;
#else
    explicit serial(int n) : number(n) {}
    int number;
#endif
};
struct message {
    serial mark;
};

int main() {
    const message m{serial{1}};
    return caucus::same(m, m) ? 0 : 1;
}
