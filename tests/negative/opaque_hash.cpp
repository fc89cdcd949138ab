// expect: cannot_be_described__give_it_a_static_fields_function
// SPDX-License-Identifier: MIT
#include <caucus/core/fields.hpp>

class serial {
public:
    friend bool operator==(serial, serial) = default;
#ifdef CAUCUS_CONTROL
    static constexpr auto fields(auto& self) { return std::tie(self.number_); }
#endif

private:
    int number_ = 0;
};

int main() {
    return caucus::hash(serial{}) == 0 ? 0 : 1;
}
