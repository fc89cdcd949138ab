#!/bin/sh
# SPDX-License-Identifier: MIT
# Would the tests notice? Changes a header in one small place at a time, in a copy, and runs its test.
#
#   tests/mutate.sh election/ring/chang_roberts             the header of that path, its mirrored test
#   tests/mutate.sh core/random tests/core/random.cpp tests/topology/graph.cpp     other tests instead
#
# Mutants: < and <=, > and >=, == and !=, + and -, ++ and --, += and -=, && and ||, true and false,
# 0 and 1, a statement dropped. Comments, preprocessor lines, static_asserts and template heads stay.
# A test that fails kills, and so do a static_assert, more than SECONDS_MAX (30) and more than 4 GiB;
# a mutant that does not compile for another reason is stillborn. What survives is printed: it is
# equivalent, or a test is missing. Exit code: 1 if anything survived.
# CXX is the compiler (clang++, which compiles what tests share but once, or else g++);
# ONLY=40,80 looks at these lines of the header only.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || { sed -n 's/^# \{0,1\}//p' "$0" | sed -n 3,6p; exit 2; }
root=$(pwd)
path=${1%.hpp}
path=${path#include/}
path=${path#caucus/}
shift
[ $# -gt 0 ] || set -- "tests/$path.cpp"
header=include/caucus/$path.hpp
lines=${ONLY:-1,999999}
compiler=${CXX:-$(command -v clang++ || echo g++)}
[ -f "$header" ] || { echo "there is no $header"; exit 2; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 2' INT TERM
cp -r include "$scratch/"

# One mutant per line: line, column, length, replacement, separated by tabs.
mutants() {
    awk -v from="${lines%,*}" -v to="${lines#*,}" '
        function emit(column, size, new) { printf "%d\t%d\t%d\t%s\n", NR, column, size, new }
        # Every place where the spelling stands alone, that is, with none of `around` beside it.
        function swap(old, new, around,   at, start, before, after) {
            start = 1
            while ((at = index(substr(code, start), old)) > 0) {
                at += start - 1
                before = at > 1 ? substr(code, at - 1, 1) : " "
                after = substr(code, at + length(old), 1)
                if (before !~ around && after !~ around) emit(at, length(old), new)
                start = at + length(old)
            }
        }
        function both(a, b, around) { swap(a, b, around); swap(b, a, around) }
        # Every statement that begins and ends on this line, outside parentheses.
        function drop(   i, c, depth, begin, text) {
            begin = complete ? 1 : 0
            depth = 0
            for (i = 1; i <= length(code); ++i) {
                c = substr(code, i, 1)
                if (c == "(") ++depth
                if (c == ")") --depth
                if (depth != 0) continue
                if (c == ";" && begin > 0) {
                    text = substr(code, begin, i - begin)
                    if (text ~ /[^ \t]/ && text !~ /^[ \t]*(return[ \t(]+[^ \t]|using|friend|namespace|struct|class|enum)/)
                        emit(begin, i - begin + 1, ";")
                }
                if (c ~ /[;{}]/) begin = i + 1
            }
        }
        BEGIN { complete = 1 }
        {
            code = $0
            sub(/\/\/.*/, "", code)
        }
        code ~ /^[ \t]*$/ { next }
        code ~ /^[ \t]*#/ { next }
        /static_assert/ { asserting = 1 }
        asserting { if (code ~ /;[ \t]*$/) asserting = 0; next }
        code ~ /^[ \t]*template[ \t]*</ { next }
        NR < from || NR > to { next }
        {
            if (code !~ /"/) {
                both(" < ", " <= ", "[<>]")
                both(" > ", " >= ", "[<>]")
                both("==", "!=", "[A-Za-z_]")
                both(" + ", " - ", "[+]")
                both("++", "--", "[+-]")
                both(" += ", " -= ", "[+]")
                both("&&", "||", "[A-Za-z_>]")
                both("true", "false", "[A-Za-z0-9_]")
                both("0", "1", "[A-Za-z0-9_.\047]")
            }
            drop()
            complete = code ~ /[;{}:][ \t]*$/
        }
    ' "$header"
}

compile() { timeout 120 "$compiler" -std=c++20 -O0 -w "$@"; }
# Against the copy of include. 0: passed, 1: failed, 2: does not compile.
run_tests() {
    for test; do
        if ! compile -I"$scratch/include" -Itests $shared "$test" $objects -o "$scratch/test" \
            2>"$scratch/said"; then
            grep -q -e 'static assertion failed' -e 'static_assert failed' "$scratch/said" && return 1
            return 2
        fi
        (ulimit -v 4194304 && exec timeout "${SECONDS_MAX:-30}" "$scratch/test" --abort-after=1) \
            >"$scratch/said" 2>&1 || return 1
    done
}

compile -c tests/main.cpp -o "$scratch/main.o"
objects=$scratch/main.o
shared=
case $path in
core/* | run/* | topology/*) ;;
*)
    if "$compiler" --version | grep -q clang; then
        printf '#include <%s>\n' doctest/doctest.h caucus/run/events.hpp caucus/run/explore.hpp \
            caucus/run/rounds.hpp >"$scratch/shared.hpp"
        compile -I"$scratch/include" -fpch-codegen -fpch-instantiate-templates -x c++-header \
            "$scratch/shared.hpp" -o "$scratch/shared.pch"
        compile -O1 -c "$scratch/shared.pch" -o "$scratch/shared.o"
        objects="$objects $scratch/shared.o"
        shared="-include-pch $scratch/shared.pch"
    fi ;;
esac
run_tests "$@" || { cat "$scratch/said"; echo "the tests do not pass unchanged"; exit 2; }

killed=0 stillborn=0 survived=0
mutants >"$scratch/mutants"
total=$(wc -l <"$scratch/mutants")
echo "$header: $total mutants"
tab=$(printf '\t')
while IFS="$tab" read -r line column size new; do
    awk -v line="$line" -v column="$column" -v size="$size" -v new="$new" '
        NR == line { $0 = substr($0, 1, column - 1) new substr($0, column + size) }
        { print }
    ' "$root/$header" >"$scratch/$header"
    result=0
    run_tests "$@" </dev/null || result=$?
    case $result in
    0)
        survived=$((survived + 1))
        echo "survived: $header:$line"
        diff "$root/$header" "$scratch/$header" | sed -n 's/^[<>]/    &/p'
        ;;
    1) killed=$((killed + 1)) ;;
    *) stillborn=$((stillborn + 1)) ;;
    esac
done <"$scratch/mutants"
echo "$killed killed, $stillborn stillborn, $survived survived"
[ "$survived" -eq 0 ]
