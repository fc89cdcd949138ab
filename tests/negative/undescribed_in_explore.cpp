// expect: cannot_be_described__give_it_a_static_fields_function
// SPDX-License-Identifier: MIT
#include <caucus/run/explore.hpp>
#include <caucus/topology/ring.hpp>

#include "parts.hpp"

class secretive {
public:
    using message = int;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;
    void start(auto& env) { env.send(caucus::next, ++value_); }
    void on(int, caucus::port, auto&) {}
#if CAUCUS_CONTROL
    static constexpr auto fields(auto& self) { return std::tie(self.value_); }
#endif

private:
    int value_ = 0;
};

int main() {
    static_cast<void>(caucus::explore(caucus::ring{4}, [](caucus::node) { return secretive{}; }));
}
