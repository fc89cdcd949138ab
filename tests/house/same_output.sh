#!/bin/sh
# SPDX-License-Identifier: MIT
# same_output.sh <include dir> <source> <compiler>...
#
# Builds the program with every compiler, with and without optimisation; all must print the same.
set -eu
include_dir=$1 source=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

first=
for compiler; do
    for optimisation in -O0 -O2; do
        build="$(basename "$compiler") $optimisation"
        "$compiler" -std=c++20 $optimisation -I"$include_dir" "$source" -o "$scratch/program"
        "$scratch/program" >"$scratch/$build"
        [ -s "$scratch/$build" ] || { echo "$source: prints nothing with $build"; exit 1; }
        : "${first:=$build}"
        diff -u --label "$first" --label "$build" "$scratch/$first" "$scratch/$build"
        echo "$build: same"
    done
done
