#!/bin/sh
# SPDX-License-Identifier: MIT
# include_cost.sh <compiler> <include dir> <lines at most> <header>...
#
# Counts the preprocessed lines of a file that includes the headers. 77 (skipped): one is missing.
set -eu
compiler=$1 include_dir=$2 most=$3
shift 3
for header; do
    [ -f "$include_dir/$header" ] || { echo "skipped: there is no <$header> yet"; exit 77; }
done
text=$(printf '#include <%s>\n' "$@" | "$compiler" -std=c++20 -E -P -I"$include_dir" -x c++ -)
lines=$(printf '%s\n' "$text" | wc -l)
echo "$lines of at most $most lines: $*"
[ "$lines" -le "$most" ]
