// expect: cannot_be_described__give_it_a_static_fields_function
// SPDX-License-Identifier: MIT
#include <caucus/core/fields.hpp>

#include "parts.hpp"

int main() {
    return caucus::hash(serial<CAUCUS_CONTROL>{}) == 0 ? 0 : 1;
}
