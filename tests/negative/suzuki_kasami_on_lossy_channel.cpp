// expect: needs_reliable_links__wrap_the_process_in_reliable
// SPDX-License-Identifier: MIT
#include <caucus/exclusion/suzuki_kasami.hpp>
#include <caucus/run/endpoint.hpp>

#include "parts.hpp"

#include <array>

using process = caucus::suzuki_kasami<int, caucus::inplace_storage<1>>;

// Neither fifo nor free of duplicates: it needs neither.
constexpr caucus::guarantee given =
    CAUCUS_CONTROL ? caucus::guarantee::reliable
                   : caucus::guarantee::fifo | caucus::guarantee::no_duplicates;

int main() {
    test_channel<process::message, given> channel;
    caucus::endpoint self{process{7, std::array{9}}, channel, parts::clock, parts::listener};
    static_cast<void>(self.call(caucus::request::enter{}));
}
