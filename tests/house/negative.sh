#!/bin/sh
# SPDX-License-Identifier: MIT
# negative.sh <compiler> <include dir> <file>
#
# The file must not compile, and the name in its first line, `// expect: <name>`, must stand within
# the first five lines of what the compiler says. With -DCAUCUS_CONTROL it must compile: so that it
# fails for that reason and no other.
#
# negative.sh <compiler> <include dir> --refused <file>
# negative.sh <compiler> <include dir> --controls <file>...
#
# The two halves of that. The control branches of many files are compiled at once, each in a
# namespace of its own, with what they include before them.
set -eu
compiler=$1 include_dir=$2
shift 2
case $1 in
--refused) controls=no; shift ;;
--controls) controls=together; shift ;;
*) controls=alone ;;
esac
export LC_ALL=C

# What could be compiled elsewhere is not looked at: it takes a third of the time
compile() { "$compiler" -std=c++20 -fsyntax-only -DCAUCUS_COMPILED -fdiagnostics-color=never -I"$include_dir" "$@" 2>&1; }

if [ $controls = together ]; then
    for file; do
        grep -q CAUCUS_CONTROL "$file" || { echo "$file: no branch for CAUCUS_CONTROL"; exit 1; }
    done
    if ! said=$({
        sed -n '/^#include /p' "$@" | sort -u
        for file; do
            printf 'namespace control_%s {\n#include "%s"\n}\n' "$(basename "$file" .cpp)" "$file"
        done
    } | compile -DCAUCUS_CONTROL -I"$(dirname "$1")" -x c++ -); then
        printf '%s\n' "the control branches do not compile:" "$said"
        exit 1
    fi
    echo "$# control branches compile"
    exit
fi

file=$1
name=$(sed -n '1s|^// expect: \([A-Za-z_][A-Za-z_0-9]*\)$|\1|p' "$file")
[ -n "$name" ] || { echo "$file:1: the first line is not '// expect: <name>'"; exit 1; }
grep -q CAUCUS_CONTROL "$file" || { echo "$file: no branch for CAUCUS_CONTROL"; exit 1; }

if [ $controls = alone ] && ! said=$(compile -DCAUCUS_CONTROL "$file"); then
    printf '%s\n' "$file: the control branch does not compile:" "$said"
    exit 1
fi
if said=$(compile "$file"); then
    echo "$file: compiles, and should be refused with $name"
    exit 1
fi
if ! printf '%s\n' "$said" | head -n 5 | grep -qFw -- "$name"; then
    printf '%s\n' "$file: $name is not within the first five lines of:" "$said" | head -n 40
    exit 1
fi
