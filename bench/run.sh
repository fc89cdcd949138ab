#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what is missing, builds the benchmarks and runs them all. Arguments go to each of them:
#
#   bench/run.sh --benchmark_filter=chang_roberts
set -eu
cd "$(dirname "$0")/.."
. tests/house/need.sh
need g++=g++ cmake=cmake ninja=ninja-build '<benchmark/benchmark.h>=libbenchmark-dev'

cmake --preset bench </dev/null
cmake --preset examples </dev/null
cmake --build --preset bench
for source in $(find bench -name '*.cpp' | sort); do
    path=${source#bench/}
    program=$(printf 'bench.%s' "${path%.cpp}" | tr / .)
    printf '\n== %s\n\n' "${path%.cpp}"
    "build/bench/bench/$program" "$@"
done

# Every ring election from 16 to 16,384 nodes, next to theory; fails if one leaves what is proven.
printf '\n== ring_comparison\n\n'
cmake --build --preset examples --target example.ring_comparison
build/examples/examples/ring_comparison --max 16384 --csv build/rings.csv --svg build/rings.svg
echo "build/rings.csv, build/rings.svg"

printf '\n== graph_comparison\n\n'
cmake --build --preset examples --target example.graph_comparison
build/examples/examples/graph_comparison --csv build/graphs.csv --svg build/graphs.svg
echo "build/graphs.csv, build/graphs.svg"
