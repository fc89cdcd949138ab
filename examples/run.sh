#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what is missing, builds the examples and runs them all, or those named:
#
#   examples/run.sh [name]...
#   examples/run.sh --list       their names and questions, in the order in which they are run
set -eu
cd "$(dirname "$0")/.."

# What teaches comes first, tables last; whatever no line names comes before them.
first='first_election killed_leader explore_your_own compile_time own_transport comes_back averages'
uses='unique_tokens replication anonymous_ids consensus'
groups='printer chat replicated_counter groups_instead'
last='failover detectors graph_comparison ring_comparison exclusion_comparison multicast_comparison'

in_order() {
    others=
    for file in examples/*.cpp; do
        name=$(basename "$file" .cpp)
        case " $first $uses $groups $last " in *" $name "*) ;; *) others="$others $name" ;; esac
    done
    echo $first $uses $groups $others $last
}

# The first comment: what the example asks.
caption() { sed -n '1d; /^\/\/ /!q; s|^// ||p' "examples/$1.cpp"; }

build() {
    targets=
    for name; do targets="$targets example.$name"; done
    cmake --build --preset examples --target $targets
}
show() {
    printf '\n== %s\n%s\n\n' "$1" "$(caption "$1")"
    "build/examples/examples/$1"
}

case ${1-} in
--list)
    for name in $(in_order); do printf '%s: %s\n' "$name" "$(caption "$name" | tr '\n' ' ')"; done
    exit
    ;;
'') set -- $(in_order) ;;
*) set -- $(for name; do basename "$name" .cpp; done) ;;
esac

. tests/house/need.sh
need g++=g++ cmake=cmake ninja=ninja-build
cmake --preset examples </dev/null >/dev/null

# The first alone: there is something to see before the others have compiled.
build "$1"
show "$1"
shift
[ $# -eq 0 ] || { echo; build "$@"; }
for name; do show "$name"; done
