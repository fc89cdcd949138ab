// expect: a_pointer_cannot_be_kept__send_a_value_or_a_view
// SPDX-License-Identifier: MIT
#include <caucus/run/decorators.hpp>

#include <string_view>

struct text_channel {
    static std::size_t degree() { return 1; }
    void send(caucus::port, std::string_view) {}
};

int main() {
    text_channel channel;
    caucus::delaying slow{channel, caucus::unit{}};
    const char* words = "a word";
#if CAUCUS_CONTROL
    slow.send(caucus::port{0}, std::string_view{words});
#else
    slow.send(caucus::port{0}, words);
#endif
}
