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
cmake --build --preset bench
for source in $(find bench -name '*.cpp' | sort); do
    path=${source#bench/}
    program=$(printf 'bench.%s' "${path%.cpp}" | tr / .)
    printf '\n== %s\n\n' "${path%.cpp}"
    "build/bench/bench/$program" "$@"
done
