// expect: cannot_be_described__give_it_a_static_fields_function
// SPDX-License-Identifier: MIT
#include <caucus/run/rounds.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/topology/ring.hpp>

// An id is regular and no more; a simulation also counts its bits and looks for two alike.
class serial {
public:
    constexpr serial() = default;
    constexpr explicit serial(std::size_t number) : number_(number) {}
    friend constexpr bool operator==(serial, serial) = default;
    friend constexpr bool operator<(serial a, serial b) { return a.number_ < b.number_; }
#ifdef CAUCUS_CONTROL
    static constexpr auto fields(auto& self) { return std::tie(self.number_); }
#endif

private:
    std::size_t number_ = 0;
};

int main() {
    const auto make = [](caucus::node v) { return caucus::chang_roberts{serial{v}}; };
    caucus::rounds sim{caucus::ring{3}, make};
    sim.start_all();
    sim.run();
}
