#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what is missing, builds the examples and runs them all, or those named:
#
#   examples/run.sh [name]...
set -eu
cd "$(dirname "$0")/.."
. tests/house/need.sh
need g++=g++ cmake=cmake ninja=ninja-build

cmake --preset examples </dev/null
cmake --build --preset examples
[ $# -gt 0 ] || set -- $(find examples -maxdepth 1 -name '*.cpp' | sort)
for example; do
    name=$(basename "$example" .cpp)
    printf '\n== %s\n\n' "$name"
    "build/examples/examples/$name"
done
