#!/bin/sh
# SPDX-License-Identifier: MIT
# output.sh <source> <command>...
#
# Runs the command; its exit code must be 0 and what it prints must equal the last block of the
# source that looks like this (blanks at the ends of lines aside):
#
#     /* Output:
#     node 2 leads
#     */
set -eu
source=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

awk '
    /^\/\* Output:[ \t]*$/ { inside = 1; found = 1; lines = 0; next }
    inside && /\*\/[ \t]*$/ {
        inside = 0
        sub(/[ \t]*\*\/[ \t]*$/, "")
        if ($0 == "") next
        inside_last = 1
    }
    inside || inside_last { sub(/[ \t]+$/, ""); line[lines++] = $0; inside_last = 0 }
    END {
        if (!found || inside) exit 1
        for (i = 0; i < lines; ++i) print line[i]
    }
' "$source" >"$scratch/promised" || { echo "$source: no complete '/* Output:' block at its end"; exit 1; }

"$@" >"$scratch/raw" || { echo "$*: exit code $?"; cat "$scratch/raw"; exit 1; }
sed 's/[ \t]*$//' "$scratch/raw" >"$scratch/printed"
diff -u --label "promised by $source" --label printed "$scratch/promised" "$scratch/printed"
