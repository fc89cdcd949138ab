// expect: has_elements_instead_of_fields__see_each_scalar
// SPDX-License-Identifier: MIT
#include <caucus/core/fields.hpp>

#include <string>

struct label {
    std::string words;
};

int main() {
    const label x{};
#if CAUCUS_CONTROL
    static_cast<void>(caucus::fields_of(x));
#else
    static_cast<void>(caucus::fields_of(x.words));
#endif
}
