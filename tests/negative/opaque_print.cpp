// expect: cannot_be_described__give_it_a_static_fields_function
// SPDX-License-Identifier: MIT
#include <caucus/core/print.hpp>

#include <string>

class serial {
public:
#ifdef CAUCUS_CONTROL
    static constexpr auto fields(auto& self) { return std::tie(self.number_); }
#endif

private:
    int number_ = 0;
};

int main() {
    std::string out;
    caucus::print(out, serial{});
}
