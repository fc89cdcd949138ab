// expect: cannot_be_described__give_it_a_static_fields_function
// SPDX-License-Identifier: MIT
#include <caucus/core/print.hpp>

#include "parts.hpp"

#include <string>

int main() {
    std::string out;
    caucus::print(out, serial<CAUCUS_CONTROL>{});
}
