// expect: a_request_has_no_verb
// SPDX-License-Identifier: MIT
// It lists a request that it has no answer to.
#include <caucus/run/rounds.hpp>
#include <caucus/topology/ring.hpp>

#include <variant>

struct forgetful {
    using message = caucus::nothing;
    using timer = caucus::nothing;
    using outcome = caucus::nothing;
    using requests = std::variant<caucus::request::enter, caucus::request::leave>;
    void request(auto&) {}
#if CAUCUS_CONTROL
    void release(auto&) {}
#endif
};

int main() {
    caucus::rounds sim{caucus::ring{2}, [](caucus::node) { return forgetful{}; }};
}
