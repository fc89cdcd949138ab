#!/bin/sh
# SPDX-License-Identifier: MIT
# alone.sh <compiler> <include dir>
#
# Every header must compile when it is the first and only one that is included: tests that are
# compiled together do not show that.
set -eu
compiler=$1 include_dir=$2
headers=$(cd "$include_dir" && find caucus -name '*.hpp' | sort)
failed=
for header in $headers; do
    said=$(echo "#include <$header>" |
        "$compiler" -std=c++20 -fsyntax-only -I"$include_dir" -x c++ - 2>&1) && continue
    printf '%s\n' "$header: does not compile alone:" "$said" | head -n 20
    failed=1
done
[ -z "$failed" ] || exit 1
echo "$(echo "$headers" | wc -l) headers compile alone"
