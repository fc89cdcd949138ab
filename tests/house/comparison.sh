#!/bin/sh
# SPDX-License-Identifier: MIT
# comparison.sh <program> [<argument>...]
#
# What every comparison program does with its command line; the arguments make it short. Help is an
# answer, not an error; a mistake ends it with 2 and is told before anything is counted; what it
# writes can be read. Prints one line per breach; fails if there is one.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
name=$(basename "$1")
status=0

breach() { echo "$name $*"; status=1; }

run() {   # <argument>...: into $code, $scratch/out, $scratch/err
    code=0
    "$program" "$@" >"$scratch/out" 2>"$scratch/err" || code=$?
}
mistake() {   # <word that is named> <argument>...
    word=$1; shift
    run "$@"
    [ $code -eq 2 ] || breach "$*: exit code $code, not 2"
    [ ! -s "$scratch/out" ] || breach "$*: runs before it complains"
    grep -qF -- "$word" "$scratch/err" || breach "$*: does not name $word on stderr"
}

# Fields of each line of a CSV file, commas within quotes aside
fields_per_line() {
    awk '{
        fields = 1; quoted = 0
        for (i = 1; i <= length($0); ++i) {
            c = substr($0, i, 1)
            if (c == "\"") quoted = !quoted
            else if (c == "," && !quoted) ++fields
        }
        print quoted ? "an open quote" : fields
    }' "$1"
}

program=$1; shift

run --help
[ $code -eq 0 ] || breach "--help: exit code $code"
grep -q -- --csv "$scratch/out" || breach '--help: does not list the options on stdout'
[ ! -s "$scratch/err" ] || breach '--help: writes to stderr'

mistake --colour --colour red
mistake --csv --csv
mistake "$scratch/none/rows.csv" --csv "$scratch/none/rows.csv"
mistake "$scratch/none/plot.svg" --svg "$scratch/none/plot.svg"
for number in 16x x 0 -16 99999999999999999999 ''; do mistake --max --max "$number"; done

run "$@" --csv "$scratch/rows.csv" --svg "$scratch/plot.svg"
[ $code -eq 0 ] || breach "$* --csv FILE --svg FILE: exit code $code"
counts=$(fields_per_line "$scratch/rows.csv" | sort -u)
[ "$(printf '%s\n' "$counts" | wc -l)" -eq 1 ] || breach "--csv: lines of" $counts fields
[ "$(wc -l <"$scratch/rows.csv")" -gt 1 ] || breach '--csv: no rows'
! grep -qi 'nan\|inf' "$scratch/plot.svg" || breach '--svg: a point that is nowhere'
if [ -w /dev/full ]; then
    run "$@" --csv /dev/full
    [ $code -eq 1 ] || breach "--csv on a full disk: exit code $code, not 1"
fi
exit $status
