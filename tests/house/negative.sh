#!/bin/sh
# SPDX-License-Identifier: MIT
# negative.sh <compiler> <include dir> <file>
#
# The file must not compile, and the name in its first line, `// expect: <name>`, must stand within
# the first five lines of what the compiler says. With -DCAUCUS_CONTROL it must compile: so that it
# fails for that reason and no other.
set -eu
compiler=$1 include_dir=$2 file=$3
export LC_ALL=C

# What could be compiled elsewhere is not looked at: it takes a third of the time
compile() { "$compiler" -std=c++20 -fsyntax-only -DCAUCUS_COMPILED -fdiagnostics-color=never -I"$include_dir" "$@" "$file" 2>&1; }

name=$(sed -n '1s|^// expect: \([A-Za-z_][A-Za-z_0-9]*\)$|\1|p' "$file")
[ -n "$name" ] || { echo "$file:1: the first line is not '// expect: <name>'"; exit 1; }
grep -q CAUCUS_CONTROL "$file" || { echo "$file: no branch for CAUCUS_CONTROL"; exit 1; }

if ! said=$(compile -DCAUCUS_CONTROL); then
    printf '%s\n' "$file: the control branch does not compile:" "$said"
    exit 1
fi
if said=$(compile); then
    echo "$file: compiles, and should be refused with $name"
    exit 1
fi
if ! printf '%s\n' "$said" | head -n 5 | grep -qFw -- "$name"; then
    printf '%s\n' "$file: $name is not within the first five lines of:" "$said" | head -n 40
    exit 1
fi
