#!/bin/sh
# SPDX-License-Identifier: MIT
# compile_cost.sh <compiler> <include dir>
#
# A report, not a check: how long the compiler works on a small program at -O1, in user CPU, as a
# multiple of one that includes the standard containers alone. The least of five runs of each.
set -eu
compiler=$1 include_dir=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

seconds() {
    for run in 1 2 3 4 5; do
        ( "$compiler" -std=c++20 -O1 -I"$include_dir" "$@" -c "$scratch/program.cpp" \
            -o "$scratch/program.o"; times ) | sed -n '2s/ .*//p'
    done | sed 's/m/ /; s/s//' | awk '{ s = 60 * $1 + $2; if (NR == 1 || s < least) least = s }
                                      END { print least }'
}
program() {
    printf '#include <%s>\n' vector "$@" >"$scratch/program.cpp"
    cat >>"$scratch/program.cpp"
}
report() {
    cost=$(seconds $2)
    awk -v what="$1" -v cost="$cost" -v unit="$unit" \
        'BEGIN { printf "%-28s %5.2f s %6.1f x\n", what, cost, cost / unit }'
}

program string functional memory <<'END'
int main() {}
END
unit=$(seconds)
report 'standard containers' ''
for executor in rounds events; do
    program caucus/election/ring/chang_roberts.hpp caucus/topology/ring.hpp \
        caucus/run/$executor.hpp <<END
int main() {
    const std::vector ids{3, 1, 2};
    caucus::$executor net{caucus::ring{3},
                          [&](caucus::node v) { return caucus::chang_roberts{ids[v]}; }};
    net.start_all();
    return net.run().messages == 0;
}
END
    report "$executor" ''
    [ $executor = rounds ] || report "$executor, compiled" -DCAUCUS_COMPILED
done
program caucus/election/ring/chang_roberts.hpp caucus/topology/ring.hpp \
    caucus/run/explore.hpp <<'END'
int main() {
    const std::vector ids{3, 1, 2};
    const caucus::verdict v = caucus::explore(
        caucus::ring{3}, [&](caucus::node n) { return caucus::chang_roberts{ids[n]}; },
        {.properties = {caucus::always(caucus::at_most_one_leader)}});
    return !v.holds;
}
END
report explore ''
report 'explore, compiled' -DCAUCUS_COMPILED
