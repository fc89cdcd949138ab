#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what is missing, builds and runs the tests.
#
#   tests/run.sh             g++, and clang++ with sanitizers
#   tests/run.sh quick       g++ only
#   tests/run.sh release …   the named presets of CMakePresets.json
set -eu
cd "$(dirname "$0")/.."
. tests/house/need.sh
need g++=g++ clang++=clang cmake=cmake ninja=ninja-build pkg-config=pkg-config \
    '<doctest/doctest.h>=doctest-dev' '<benchmark/benchmark.h>=libbenchmark-dev'
need "clang++:asan=libclang-rt-$(clang++ -dumpversion | cut -d. -f1)-dev"

case ${1:-all} in
all) set -- gcc sanitize ;;
quick) set -- gcc ;;
esac
failed=
for preset; do
    echo "== $preset"
    cmake --workflow --preset "$preset" </dev/null || failed="$failed $preset"
done
[ -z "$failed" ] || { echo "FAILED:$failed" >&2; exit 1; }
echo "Passed: $*"
