#!/bin/sh
# SPDX-License-Identifier: MIT
# Would the tests notice? Changes a header in one small place at a time and runs related tests.
#
#   tests/mutate.sh election/ring/chang_roberts    every mutant of that header, its related tests
#   tests/mutate.sh core/random tests/core/random.cpp tests/topology/graph.cpp   these tests only
#   tests/mutate.sh --draw 7 40                    40 mutants of all headers, drawn with the seed 7
#   tests/mutate.sh --draw 7 12 layer/client       12 of that header, or of several
#
# Mutants: < and <=, > and >=, == and !=, + and -, ++ and --, += and -=, && and ||, true and false,
# 0 and 1, a statement dropped. Comments, preprocessor lines, static_asserts and template heads stay.
# Related tests: the header's own; then RELATED (4) of those that include it, of the own tests of
# headers that include it, and so on; those of the same folder first, then short files. They are
# tried in this order until one fails. A header without a test of its own is skipped.
# A test that fails kills, and so does a static_assert. A mutant is given ten times the time of the
# unchanged test (at least 5 s, at most SECONDS_MAX, 30) and 4 GiB; more kills too. A mutant that does
# not compile for another reason is stillborn. What survives is printed: it is equivalent, or a test
# is missing. Exit code: 1 if anything survived.
# CXX is the compiler (clang++, which compiles what tests share but once, or else g++); JOBS (2)
# mutants are tried at a time; ONLY=40,80 looks at these lines of the header only.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."
usage() { sed -n 's/^# \{0,1\}//p' "$0" | sed -n 3,8p; exit 2; }
[ $# -gt 0 ] || usage
root=$(pwd)
lines=${ONLY:-1,999999}
seconds_max=${SECONDS_MAX:-30}
compiler=${CXX:-$(command -v clang++ || echo g++)}
tab=$(printf '\t')

scratch=$(mktemp -d)
workers=
trap 'rm -rf "$scratch"' EXIT
trap 'echo stopped >&2; kill $workers 2>/dev/null; exit 2' INT TERM

# One mutant per line: header, line, column, length, replacement, separated by tabs.
mutants() {   # <header>
    awk -v path="$1" -v from="${lines%,*}" -v to="${lines#*,}" '
        function emit(column, size, new) { printf "%s\t%d\t%d\t%d\t%s\n", path, NR, column, size, new }
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
    ' "include/caucus/$1.hpp"
}

has_own_test() {   # <header>
    [ -f "tests/$1.cpp" ] && ! grep -q '^// Moved: ' "include/caucus/$1.hpp"
}

every_header() {
    find include/caucus -name '*.hpp' | sed 's|^include/caucus/||; s|\.hpp$||' | sort
}

# The first `count` lines of the input in an order that the seed alone decides.
draw() {   # <seed> <count>
    awk -v seed="$1" '
        function next_number() { return number = number * 16807 % 2147483647 }
        BEGIN { number = seed % 2147483646 + 1; for (i = 0; i < 9; ++i) next_number() }
        { printf "%010.0f\t%s\n", next_number(), $0 }
    ' | sort | head -n "$2" | cut -f2-
}

# The tests to try for a header, in order.
related() {   # <header>
    echo "tests/$1.cpp"
    # Nearness: 1 includes the header, 2 is the test of a header that does, 3 of one that includes that …
    {
        grep -rlF --include='*.cpp' "#include <caucus/$1.hpp>" tests |
            grep -Ev '^tests/(main\.cpp|(negative|freestanding|consumer|same_trace|house)/)' |
            sed 's/^/1 /'
        headers=$1
        for nearness in 2 3 4; do
            headers=$(for header in $headers; do
                grep -rlF --include='*.hpp' "#include <caucus/$header.hpp>" include/caucus || true
            done | sed '/caucus.hpp$/d; s|^include/caucus/||; s|\.hpp$||' | sort -u)
            for header in $headers; do echo "$nearness tests/$header.cpp"; done
        done
    } | while read -r nearness test; do
        [ -f "$test" ] && [ "$test" != "tests/$1.cpp" ] || continue
        [ "${test%/*}" = "$(dirname "tests/$1")" ] && far=0 || far=1
        echo "$nearness $far $(wc -c <"$test") $test"
    done | sort -k1,1n -k2,2n -k3,3n -k4 | awk '!seen[$4]++ { print $4 }' |
        head -n "${RELATED:-4}"
}

# CPU seconds: on a busy machine a compiler that waits is not one that hangs.
compile() {
    (ulimit -t 120 && exec "$compiler" -std=c++20 -O0 -w -DCAUCUS_SOURCE_DIR="\"$root\"" "$@")
}

# Compiled once, for mutants of headers that are not in it: those are listed in `name.includes`.
precompile() {   # <name> <included>...
    name=$scratch/$1
    shift
    printf '#include <%s>\n' "$@" >"$name.hpp"
    compile -Iinclude -MM "$name.hpp" | tr ' ' '\n' |
        sed -n 's|^include/caucus/\(.*\)\.hpp$|\1|p' >"$name.includes"
    cut -f1 "$scratch/mutants" | grep -qvxF -f "$name.includes" || return 0
    compile -Iinclude -fpch-codegen -fpch-instantiate-templates -x c++-header "$name.hpp" \
        -o "$name.pch"
    compile -O1 -c "$name.pch" -o "$name.o"
}
precompiled() {   # <header>
    for name in executors standard; do
        [ -f "$scratch/$name.o" ] && ! grep -qx "$1" "$scratch/$name.includes" || continue
        echo "-include-pch $scratch/$name.pch $scratch/$name.o"
        break
    done
}

# A static_assert fails, or its condition is no longer a constant and nothing is wrong before it.
refused_by_static_assert() {   # <what the compiler said>
    grep -q -e 'static assertion failed' -e 'static_assert failed' "$1" ||
        grep -m 1 'error: ' "$1" | grep -q -e 'non-constant condition for static assertion' \
            -e 'static_assert expression is not an integral constant expression' \
            -e 'static assertion expression is not an integral constant expression'
}

# In a directory whose include folder, if there is one, comes before the library's.
# 0: passed, 1: failed, 2: does not compile. `how` says by what it failed, if not by the test.
run_test() {   # <directory> <test> <header> <seconds>
    how=
    if ! compile -I"$1/include" -Iinclude -Itests $(precompiled "$3") "$2" "$scratch/main.o" \
        -o "$1/test" 2>"$1/said"; then
        refused_by_static_assert "$1/said" || return 2
        how=' (static_assert)'
        return 1
    fi
    code=0
    began=$(date +%s)
    {
        (ulimit -v 4194304 && ulimit -t "$4" &&
            exec timeout $((4 * $4)) "$1/test" --abort-after=1) >"$1/said" 2>&1 || code=$?
    } 2>/dev/null
    took=$(($(date +%s) - began))
    case $code in 124 | 137 | 152) how=' (time)' ;; esac
    [ "$code" -eq 0 ]
}

# Looked at once for every test that is needed. One that fails unchanged is left out, with a word;
# for another, `seconds` is what its mutants are given: ten times what it took and some more.
passes_unchanged() {   # <test> <header>
    unchanged=$scratch/$(echo "$1" | tr / .)
    if [ ! -f "$unchanged.seconds" ] && [ ! -f "$unchanged.failed" ]; then
        mkdir -p "$unchanged.$job"
        if run_test "$unchanged.$job" "$1" "$2" "$seconds_max"; then
            echo $((10 * took + 5)) >"$unchanged.$job/seconds"
            mv "$unchanged.$job/seconds" "$unchanged.seconds"
        else
            { echo "left out: $1 does not pass unchanged$how"; cat "$unchanged.$job/said"; } >&2
            : >"$unchanged.failed"
        fi
    fi
    [ -f "$unchanged.seconds" ] || return 1
    seconds=$(cat "$unchanged.seconds")
    [ "$seconds" -lt "$seconds_max" ] || seconds=$seconds_max
}

# What became of it is a line of its own in the file `results`.
try() {   # <number> <header> <line> <column> <length> <replacement>
    here=$scratch/mutant.$1
    changed=$here/include/caucus/$2.hpp
    mkdir -p "${changed%/*}"
    awk -v line="$3" -v column="$4" -v size="$5" -v new="$6" '
        NR == line { $0 = substr($0, 1, column - 1) new substr($0, column + size) }
        { print }
    ' "include/caucus/$2.hpp" >"$changed"
    place=include/caucus/$2.hpp:$3
    passed= what=unjudged
    for test in ${tests:-$(related "$2")}; do
        passes_unchanged "$test" "$2" || continue
        result=0
        run_test "$here" "$test" "$2" "$seconds" || result=$?
        case $result in
        0) what=survived passed="$passed $test" ;;
        1) what=killed ;;
        *) what=stillborn ;;
        esac
        [ $result -eq 0 ] || break
    done
    echo "$what" >>"$scratch/results"
    case $what in
    survived)
        differs=$(diff "include/caucus/$2.hpp" "$changed" | sed -n 's/^[<>]/    &/p')
        printf '%s\n' "survived: $place passed$passed" "$differs"
        ;;
    killed) echo "killed: $place by $test$how" ;;
    esac
    rm -rf "$here"
}

# Takes the next mutant that no other worker has taken.
work() {
    number=0
    while IFS="$tab" read -r path line column size new; do
        number=$((number + 1))
        mkdir "$scratch/taken.$number" 2>/dev/null || continue
        try "$number" "$path" "$line" "$column" "$size" "$new" </dev/null
    done <"$scratch/mutants"
}

tests= must_pass=
if [ "$1" = --draw ]; then
    seed=${2:-} count=${3:-}
    case $seed$count in '' | *[!0-9]*) usage ;; esac
    [ $# -ge 3 ] && [ -n "$seed" ] && [ -n "$count" ] || usage
    shift 3
    for path in ${*:-$(every_header)}; do
        if has_own_test "$path"; then
            mutants "$path"
        else
            echo "skipped: include/caucus/$path.hpp has no test of its own" >&2
        fi
    done >"$scratch/possible"
    draw "$seed" "$count" <"$scratch/possible" >"$scratch/mutants"
    total=$(wc -l <"$scratch/mutants")
    echo "seed $seed: $total of $(wc -l <"$scratch/possible") mutants drawn"
else
    path=${1%.hpp}
    path=${path#include/}
    path=${path#caucus/}
    shift
    tests=$*
    [ -f "include/caucus/$path.hpp" ] || { echo "there is no include/caucus/$path.hpp"; exit 2; }
    if [ -z "$tests" ] && ! has_own_test "$path"; then
        echo "skipped: include/caucus/$path.hpp has no test of its own"
        exit 0
    fi
    must_pass=${tests:-tests/$path.cpp}
    mutants "$path" >"$scratch/mutants"
    total=$(wc -l <"$scratch/mutants")
    echo "include/caucus/$path.hpp: $total mutants, tests: $(echo ${tests:-$(related "$path")})"
fi

compile -c tests/main.cpp -o "$scratch/main.o"
if [ -f include/caucus/run/events.hpp ] && "$compiler" --version | grep -q clang; then
    precompile executors doctest/doctest.h caucus/run/events.hpp caucus/run/explore.hpp \
        caucus/run/rounds.hpp
    ! cut -f1 "$scratch/mutants" | grep -qxF -f "$scratch/executors.includes" ||
        precompile standard doctest/doctest.h algorithm array functional map memory optional ranges \
            set sstream string thread tuple unordered_map variant vector
fi

job=0
for test in $must_pass; do passes_unchanged "$test" "$path" || exit 2; done
: >"$scratch/results"
while [ "$job" -lt "${JOBS:-2}" ]; do
    job=$((job + 1))
    work &
    workers="$workers $!"
done
for worker in $workers; do wait "$worker" || true; done

of() { grep -cx "$1" "$scratch/results" || true; }
killed=$(of killed) stillborn=$(of stillborn) survived=$(of survived)
judged=$((killed + survived))
echo "$total mutants: $killed killed, $stillborn stillborn, $survived survived"
awk -v killed="$killed" -v judged="$judged" 'BEGIN {
    if (judged > 0) printf "killed of those that compile: %.1f %%\n", 100 * killed / judged }'
[ $((judged + stillborn)) -eq "$total" ] || { echo 'not every mutant could be judged'; exit 2; }
[ "$survived" -eq 0 ]
