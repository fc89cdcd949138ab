#!/bin/sh
# SPDX-License-Identifier: MIT
# budgets.sh <compiler> <include dir> <budgets> [write]
#
# What an include costs: compares the preprocessed lines of each public header with its budget, a
# line "<header> <lines at most>". `write` writes the budgets anew, with 5 % to spare.
set -eu
compiler=$1 include_dir=$2 budgets=$3 write=${4:-}

headers() {
    (cd "$include_dir" && find caucus -name '*.hpp' ! -path '*/simulation/*' \
        ! -path '*/exploration/*' ! -path 'caucus/compiled.hpp' | sort)
}
lines_of() {
    echo "#include <$1>" | "$compiler" -std=c++20 -E -P -I"$include_dir" -x c++ - | wc -l
}

if [ "$write" = write ]; then
    headers | while read -r header; do
        lines=$(lines_of "$header")
        echo "$header $((lines + lines / 20))"
    done >"$budgets"
    exit
fi
breaches=$(
    headers | while read -r header; do
        most=$(sed -n "s|^$header \([0-9]*\)$|\1|p" "$budgets")
        [ -n "$most" ] || { echo "$header: has no budget"; continue; }
        lines=$(lines_of "$header")
        [ "$lines" -gt 0 ] || { echo "$header: cannot be read"; continue; }
        [ "$lines" -le "$most" ] || echo "$header: $lines lines, and $most at most"
    done
    sed 's/ .*//' "$budgets" | while read -r header; do
        [ -f "$include_dir/$header" ] || echo "$header: has a budget and is not there"
    done
)
[ -z "$breaches" ] || { printf '%s\n' "$breaches"; exit 1; }
echo "$(headers | wc -l) headers within their budgets"
