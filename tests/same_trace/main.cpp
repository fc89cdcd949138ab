// SPDX-License-Identifier: MIT
// Prints what a seed decides. It must not depend on the compiler, its options or its library.
#include <caucus/core/random.hpp>

#include <array>
#include <cinttypes>
#include <cstdio>

int main() {
    caucus::random_source source{2026};
    std::printf("bits %016" PRIx64 "\n", source.bits());

    std::uint64_t hash = 0;
    for (std::uint64_t bound = 1; bound <= 1000; ++bound)
        hash = caucus::mix(hash, source.below(bound));
    std::printf("below %016" PRIx64 "\n", hash);

    std::array order{0, 1, 2, 3, 4, 5, 6, 7};
    source.shuffle(order);
    for (const int i : order) std::printf("%d ", i);
    std::printf("\n");
}
