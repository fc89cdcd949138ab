#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what is missing, builds and runs the tests.
#
#   tests/run.sh                 everything with g++; with clang++ and sanitizers what owns memory:
#                                core, executors, layers, detectors, waves, and programs without heap
#                                (undefined behaviour there is an illegal instruction: less code;
#                                sanitize_all says in words what it was)
#   tests/run.sh quick           g++ only
#   tests/run.sh sanitize_all    everything with clang++ and sanitizers
#   tests/run.sh nightly         what takes too long for every day, optimised
#   tests/run.sh cost            how long small programs take to compile: a report
#   tests/run.sh mutation [seed] [count]    would the tests notice if a header were changed? Draws 40
#                                mutants, with the date as seed, if not told otherwise
#   tests/run.sh release …       the named presets of CMakePresets.json
set -eu
cd "$(dirname "$0")/.."
. tests/house/need.sh
need g++=g++ clang++=clang cmake=cmake ninja=ninja-build pkg-config=pkg-config \
    '<doctest/doctest.h>=doctest-dev' '<benchmark/benchmark.h>=libbenchmark-dev'
need "clang++:asan=libclang-rt-$(clang++ -dumpversion | cut -d. -f1)-dev"

# The cases that are skipped every day; each says in its name that it is for the night
nightly() {
    cmake --preset release </dev/null >/dev/null
    programs=$(grep -rl --include='*.cpp' '"nightly: ' tests | sed 's|/|.|g; s|^tests|test|; s|.cpp$||')
    cmake --build --preset release --target $programs </dev/null
    for program in $programs; do
        echo "== $program"
        "build/release/tests/$program" --no-skip --test-case='nightly: *' || failed="$failed $program"
    done
    [ -z "$failed" ] || { echo "FAILED:$failed" >&2; exit 1; }
    echo "Passed: nightly"
}

failed=
case ${1:-all} in
nightly) nightly; exit ;;
cost) exec sh tests/house/compile_cost.sh g++ include ;;
mutation) exec sh tests/mutate.sh --draw "${2:-$(date +%Y%m%d)}" "${3:-40}" ;;
all) set -- gcc sanitize ;;
quick) set -- gcc ;;
esac
for preset; do
    echo "== $preset"
    cmake --workflow --preset "$preset" </dev/null || failed="$failed $preset"
done
[ -z "$failed" ] || { echo "FAILED:$failed" >&2; exit 1; }
echo "Passed: $*"
