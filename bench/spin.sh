#!/bin/sh
# SPDX-License-Identifier: MIT
# The same state spaces in explore and in SPIN's compiled verifier, one after the other: states,
# states per second, bytes per state, and how many times faster explore is. Reductions off, one core.
set -eu
cd "$(dirname "$0")/.."
. tests/house/need.sh
need g++=g++ gcc=gcc cmake=cmake ninja=ninja-build '<benchmark/benchmark.h>=libbenchmark-dev' \
    spin=spin || { echo "spin is not here: nothing to compare with"; exit 0; }

cmake --preset bench </dev/null >/dev/null
cmake --build --preset bench --target bench.explore >/dev/null
root=$(pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# counter <benchmark> <name>: what explore reports of itself
counter() {
    "$root/build/bench/bench/bench.explore" --benchmark_filter="$1" --benchmark_format=json \
        2>/dev/null | awk -v name="\"$2\":" '$1 == name { printf "%.0f\n", $2 + 0; exit }'
}
# verify <model> <n>: states, states per second, bytes per state
verify() {
    spin -DN="$2" -a "$root/bench/spin/$1.pml" >/dev/null
    gcc -O3 -DSAFETY -DNOREDUCE -o pan pan.c 2>/dev/null
    ./pan -E -m10000000 -w24 | awk '/states, stored/ { states = $1 }
        /elapsed time/ { seconds = $4 } /equivalent memory/ { mib = $1 }
        END { printf "%d %.0f %.0f\n", states, states / seconds, mib * 1048576 / states }'
}
printf '%-18s %3s %10s %12s %8s %12s %8s %6s\n' system n states 'explore/s' bytes 'spin/s' bytes times
for system in 'chang_roberts 13 chang_roberts_worst_order/13' \
              'ricart_agrawala 4 ricart_agrawala_one_request_each/4'; do
    set -- $system
    spun=$(verify "$1" "$2")
    rate=$(counter "$3" states_per_s)
    states=$(counter "$3" states)
    bytes=$(counter "$3" bytes_per_state)
    set -- "$1" "$2" $spun
    [ "$3" -eq $((states + 1)) ] || { echo "$1: $states states here, $3 there (with its own root)"; exit 1; }
    printf '%-18s %3s %10s %12s %8s %12s %8s %6s\n' "$1" "$2" "$states" "$rate" "$bytes" "$4" "$5" \
        "$(awk -v a="$rate" -v b="$4" 'BEGIN { printf "%.1f", a / b }')"
done
