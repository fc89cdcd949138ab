// expect: cannot_be_described__give_it_a_static_fields_function
// SPDX-License-Identifier: MIT
#include <caucus/run/explore.hpp>
#include <caucus/topology/ring.hpp>

#include <tuple>

class serial {
public:
    serial() = default;
    explicit serial(int number) : number_(number) {}
#ifdef CAUCUS_CONTROL
    static constexpr auto fields(auto& self) { return std::tie(self.number_); }
#endif

private:
    int number_ = 0;
};

struct greeter {
    struct hello { serial from; };
    using message = hello;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;
    void start(auto& env) { env.send(caucus::next, hello{serial{1}}); }
    void on(const hello&, caucus::port, auto&) {}
};

int main() {
    static_cast<void>(caucus::explore(caucus::ring{3}, [](caucus::node) { return greeter{}; }));
}
