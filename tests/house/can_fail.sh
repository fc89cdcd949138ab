#!/bin/sh
# SPDX-License-Identifier: MIT
# can_fail.sh <driver> <compiler>
#
# A check that cannot fail checks nothing: feeds a driver one good sample and many bad ones.
set -eu
driver=$1 compiler=$2
house=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
status=0

accepts() {   # <what> <command>...
    what=$1; shift
    said=$("$@" 2>&1) || { printf '%s\n' "FAILED: should accept $what" "$said"; status=1; return 0; }
    echo "accepts $what"
}
rejects() {   # <what> <reason> <command>...
    what=$1 reason=$2; shift 2
    if said=$("$@" 2>&1); then
        echo "FAILED: should reject $what"; status=1
    elif ! printf '%s\n' "$said" | grep -qF -- "$reason"; then
        printf '%s\n' "FAILED: rejects $what without saying '$reason':" "$said"; status=1
    else
        echo "rejects $what"
    fi
}

test_negative() {
    check() { sh "$house/negative.sh" "$compiler" . "$@"; }
    sample() {   # <file> <first line> <common lines> <lines that must fail>
        printf '%s\n' "$2" "$3" '#ifdef CAUCUS_CONTROL' 'int main() {}' '#else' "$4" '#endif' >"$1"
    }
    shape='template <class T> struct process { void on() { static_assert(sizeof(T) > 9, "needs_nine_bytes"); } };'
    fails='int main() { process<char>{}.on(); }'
    sample good.cpp '// expect: needs_nine_bytes' "$shape" "$fails"
    sample unnamed.cpp '// refused' "$shape" "$fails"
    sample compiles.cpp '// expect: needs_nine_bytes' "$shape" 'int main() {}'
    sample otherwise.cpp '// expect: needs_ten_bytes' "$shape" "$fails"
    sample part.cpp '// expect: needs_nine' "$shape" "$fails"
    sample late.cpp '// expect: needs_nine_bytes' "$shape" "int a = first; int b = second; int c = third; $fails"
    sample broken.cpp '// expect: needs_nine_bytes' "$shape int x = unknown;" "$fails"
    printf '%s\n' '// expect: needs_nine_bytes' "$shape" "$fails" >uncontrolled.cpp

    accepts 'the named reason' check good.cpp
    rejects 'a file that names no reason' 'the first line' check unnamed.cpp
    rejects 'a file that compiles' 'compiles, and should be refused' check compiles.cpp
    rejects 'another reason' 'not within the first five lines' check otherwise.cpp
    rejects 'half of a name' 'not within the first five lines' check part.cpp
    rejects 'a reason that comes too late' 'not within the first five lines' check late.cpp
    rejects 'a control that does not compile' 'control branch does not compile' check broken.cpp
    rejects 'a file without control' 'no branch for CAUCUS_CONTROL' check uncontrolled.cpp
    cp good.cpp better.cpp
    accepts 'a refusal, whatever its control' check --refused broken.cpp
    rejects 'a refusal for another reason' 'not within the first five lines' check --refused otherwise.cpp
    accepts 'controls that compile' check --controls good.cpp better.cpp
    rejects 'one of two controls' 'unknown' check --controls good.cpp broken.cpp
    rejects 'controls, one of which is missing' 'no branch for CAUCUS_CONTROL' check --controls good.cpp uncontrolled.cpp
}

test_alone() {
    check() { sh "$house/alone.sh" "$compiler" include; }
    mkdir -p include/caucus
    echo 'struct one {};' >include/caucus/one.hpp
    printf '%s\n' '#include <caucus/one.hpp>' 'struct two { one first; };' >include/caucus/two.hpp
    accepts 'headers that include what they need' check
    sed -i 1d include/caucus/two.hpp
    rejects 'a header that leans on an earlier one' 'caucus/two.hpp: does not compile alone' check
}

test_output() {
    check() { sh "$house/output.sh" "$@"; }
    printf '%s\n' 'int main() {}' '/* Output:' 'old' '*/' '/* Output:' 'a  ' '' ' b' '*/' >good.cpp
    printf '%s\n' 'int main() {}' '/* Output:' 'a' '' ' b */' >closed.cpp
    printf '%s\n' 'int main() {}' >silent.cpp
    printf '%s\n' '/* Output:' 'a' >open.cpp
    accepts 'the promised output' check good.cpp printf 'a\n\n b \n'
    accepts 'a block closed on its last line' check closed.cpp printf 'a\n\n b\n'
    rejects 'other output' '+ c' check good.cpp printf 'a\n\n c\n'
    rejects 'more output' '+more' check good.cpp printf 'a\n\n b\nmore\n'
    rejects 'no output' '-a' check good.cpp true
    rejects 'output that was an earlier promise' '+old' check good.cpp echo old
    rejects 'a failing program' 'exit code 3' check good.cpp sh -c 'printf "a\n\n b\n"; exit 3'
    rejects 'a source that promises nothing' 'no complete' check silent.cpp true
    rejects 'a block without an end' 'no complete' check open.cpp echo a
}

test_same_output() {
    check() { sh "$house/same_output.sh" . "$@"; }
    printf '%s\n' '#include <cstdio>' 'int main() { std::puts("same"); }' >good.cpp
    printf '%s\n' '#include <cstdio>' '#ifdef __OPTIMIZE__' '#define WORD "fast"' '#else' \
        '#define WORD "slow"' '#endif' 'int main() { std::puts(WORD); }' >differs.cpp
    printf '%s\n' 'int main() {}' >silent.cpp
    printf '%s\n' '#include <cstdio>' 'int main() { std::puts("same"); return 1; }' >fails.cpp
    accepts 'one output everywhere' check good.cpp "$compiler"
    rejects 'output that depends on optimisation' '+fast' check differs.cpp "$compiler"
    rejects 'no output at all' 'prints nothing' check silent.cpp "$compiler"
    rejects 'a failing program' '' check fails.cpp "$compiler"
}

test_include_cost() {
    check() { sh "$house/include_cost.sh" "$compiler" . "$@"; }
    printf 'int a;\nint b;\n' >two.hpp
    printf '#include "nowhere.hpp"\n' >broken.hpp
    accepts 'what it costs' check 2 two.hpp
    rejects 'one line more' '2 of at most 1' check 1 two.hpp
    rejects 'a header that cannot be read' 'nowhere.hpp' check 9 broken.hpp
    rejects 'a header that is not there (skips)' 'skipped' check 2 two.hpp three.hpp
}

test_budgets() {
    mkdir -p caucus/run/simulation
    check() { sh "$house/budgets.sh" "$compiler" . "$@"; }
    printf 'int a;\nint b;\n' >caucus/run/two.hpp
    printf 'int a;\n' >caucus/run/simulation/machinery.hpp
    check budgets write
    accepts 'what was just written' check budgets
    printf '%s\n' 'caucus/run/two.hpp 1' >small
    rejects 'a line more' 'caucus/run/two.hpp: 2 lines, and 1 at most' check small
    : >none
    rejects 'a header without a budget' 'two.hpp: has no budget' check none
    printf '%s\n' 'caucus/run/two.hpp 2' 'caucus/three.hpp 2' >stale
    rejects 'a budget without a header' 'three.hpp: has a budget and is not there' check stale
    printf '#include "nowhere.hpp"\n' >caucus/run/two.hpp
    rejects 'a header that cannot be read' 'nowhere.hpp' check budgets
}

# A small README in which everything is in order, and what it names.
test_readme() {
    mkdir -p good/include/caucus/run good/examples good/tests
    cd good
    printf '%s\n' '# sample' '' 'examples/run.sh' 'tests/run.sh' '' '```cpp' 'int one;' '' 'int two();' '```' '' \
        '| a | b |' '[header](include/caucus/run/rounds.hpp), run/rounds.hpp' \
        '[examples](examples/first.cpp), [next](examples/second.cpp)' \
        '[heading](include/caucus/README.md#two-words)' '[web](https://example.org/none)' >README.md
    printf '%s\n' '# catalogue' '## Two words' '[back](../../README.md)' >include/caucus/README.md
    : >include/caucus/run/rounds.hpp
    printf '%s\n' 'namespace {' '    int one;' '}' >examples/first.cpp
    printf '%s\n' '// What?' 'int two();' >examples/second.cpp
    : >tests/catalogue.cpp
    echo 'printf "first: Who?\nsecond: What?\n"' >examples/run.sh
    cd ..
    house_check=readme.sh
    admits true
    admits 'echo "${hundred}${hundred}" >>README.md'
    admits 'printf "…%s%s\n" "${hundred#0}" "${hundred}" >>README.md'
    admits 'printf "| %s12345678 |\n" "$hundred" >>README.md'
    refuses 'more than 170 lines: 171' 'yes "" | head -n 155 >>README.md'
    refuses 'more than 1600 words' 'for i in 1 2 3 4 5 6 7 8 9; do yes a | head -n 180 | tr "\n" " "; echo; done >>README.md'
    refuses 'more than 200 characters: 201' 'echo "1${hundred}${hundred}" >>README.md'
    refuses 'more than 120 characters: 121' 'printf "| %s12345678901234567 |\n" "$hundred" >>README.md'
    refuses 'tests/run.sh does not stand' 'sed -i /^tests/d README.md'
    refuses 'examples/run.sh does not stand' 'yes "" | head -n 17 | cat - README.md >new; mv new README.md'
    refuses 'a link to nothing' 'echo "[x](none.md)" >>README.md'
    refuses 'a link to nothing' 'echo "[x](run/none.md)" >>include/caucus/README.md'
    refuses 'a link to no heading' 'echo "[x](include/caucus/README.md#three)" >>README.md'
    refuses 'no header run/none.hpp' 'echo "see run/none.hpp" >>README.md'
    refuses 'in another order' 'sed -i "s/first.cpp/second.cpp/" README.md'
    refuses 'in another order' 'sed -i "s/second/first/" examples/run.sh'
    refuses 'second.cpp:2: no caption' 'sed -i "s/What?//" examples/run.sh'
    refuses 'README.md:7: code that no example has' 'sed -i "s/int one/int ten/" README.md'
    refuses 'README.md:9: code that no example has' 'sed -i "s/two()/two(int)/" README.md'
}

# A program that does all that is asked of it; each sample has one line changed.
test_comparison() {
    cat >good <<'END'
#!/bin/sh
mistake() { echo "mistake: $*" >&2; exit 2; }
rows='name,value\n"a, b",1\n' plot='<svg/>' csv=/dev/null svg=/dev/null
while [ $# -gt 0 ]; do
    case $1 in
    --help) echo '--max N --csv FILE --svg FILE'; exit 0 ;;
    --max) case $2 in '' | 0 | *[!0-9]* | ?????*) mistake "$@" ;; esac ;;
    --csv) csv=${2-} && (: >"$csv") 2>/dev/null || mistake "$@" ;;
    --svg) svg=${2-} && (: >"$svg") 2>/dev/null || mistake "$@" ;;
    *) mistake "$@" ;;
    esac
    shift 2
done
echo 'a table'
printf "$rows" 2>/dev/null >"$csv" || exit 1
printf "$plot" >"$svg"
END
    check() { sh "$house/comparison.sh" "./$1" --max 16; }
    sample() { sed "$2" good >"$1"; chmod +x "$1"; }   # <name> <change>
    sample same ''
    accepts 'a program that minds its options' check same
    sample rude '/--help/s/exit 0/exit 2/'
    rejects 'help that is an error' '--help: exit code 2' check rude
    sample quiet "/--help/s/FILE'/FILE' >\\&2/"
    rejects 'help on stderr' 'list the options on stdout' check quiet
    sample lenient 's/^    \*) mistake "$@"/    *) :/'
    rejects 'an option it does not know' '--colour red: exit code 0' check lenient
    sample rough 's/\*\[!0-9\]\*/*[!0-9x]*/'
    rejects 'a number that is none' '--max 16x: exit code 0' check rough
    sample late "s/{ echo/{ echo 'a table'; echo/"
    rejects 'a mistake told too late' 'runs before it complains' check late
    sample silent 's/echo "mistake: $\*" >&2; //'
    rejects 'a mistake that is not named' 'does not name --colour' check silent
    sample bare 's/"a, b"/a, b/'
    rejects 'a comma without quotes' 'lines of 2 3 fields' check bare
    sample empty 's/\\n"a, b",1\\n/\\n/'
    rejects 'a file without rows' 'no rows' check empty
    sample astray 's/<svg/<svg x="nan"/'
    rejects 'a drawing with points nowhere' 'a point that is nowhere' check astray
    [ ! -w /dev/full ] || { sample careless 's/ || exit 1$//'
        rejects 'a full disk unnoticed' 'full disk: exit code 0' check careless; }
}

# A small tree in which everything is in order.
good_tree() {
    mkdir good && cd good
    header core/port.hpp '#include <cstddef>' '#define CAUCUS_ASSERT(x) ((void)(x))'
    header topology/ring.hpp '#include <caucus/core/port.hpp>'
    header wave/echo.hpp '#include <caucus/topology/ring.hpp>'
    header logical/lamport_clock.hpp '#include <caucus/core/port.hpp>'
    header election/ring/peterson.hpp '#include <caucus/wave/echo.hpp>'
    header exclusion/lamport.hpp '#include <caucus/logical/lamport_clock.hpp>'
    header layer/grouped.hpp '#include <caucus/exclusion/lamport.hpp>'
    header wire/codec.hpp '#include <caucus/core/port.hpp>'
    header trace/record.hpp '#include <caucus/wire/codec.hpp>'
    header run/rounds.hpp '#include <string>' '#include <caucus/topology/ring.hpp>'
    header run/report.hpp '#include <caucus/core/port.hpp>' '#include <caucus/election/properties.hpp>'
    header run/old.hpp '// Moved: include what stands here instead.' '#include <caucus/run/report.hpp>'
    rm tests/run/old.cpp
    header run/simulation/agenda.hpp '#include <caucus/run/report.hpp>'
    header run/exploration/table.hpp '#include <caucus/run/report.hpp>'
    add run/rounds.hpp '#include <caucus/run/simulation/agenda.hpp>' '#include <caucus/run/exploration/table.hpp>'
    header election/properties.hpp '#include <caucus/core/port.hpp>'
    header transport/udp.hpp '#include <caucus/run/rounds.hpp>'
    header caucus.hpp '#include <caucus/core/port.hpp>' '#include <caucus/topology/ring.hpp>' \
        '#include <caucus/wave/echo.hpp>' '#include <caucus/logical/lamport_clock.hpp>' \
        '#include <caucus/election/ring/peterson.hpp>' '#include <caucus/exclusion/lamport.hpp>' \
        '#include <caucus/layer/grouped.hpp>' '#include <caucus/wire/codec.hpp>' \
        '#include <caucus/trace/record.hpp>' '#include <caucus/run/rounds.hpp>' \
        '#include <caucus/run/report.hpp>' '#include <caucus/election/properties.hpp>'
    mkdir -p tests/negative
    printf '%s\n' '// expect: reason' '// SPDX-License-Identifier: MIT' >tests/negative/reason.cpp
    cd ..
}

# Writes a header and its test.
header() {   # <path below include/caucus> <line>...
    path=$1; shift
    mkdir -p "$(dirname "include/caucus/$path")" "$(dirname "tests/$path")"
    printf '%s\n' '// SPDX-License-Identifier: MIT' '#pragma once' "$@" >"include/caucus/$path"
    [ "$path" = caucus.hpp ] ||
        printf '%s\n' '// SPDX-License-Identifier: MIT' "#include <caucus/$path>" >"tests/${path%.hpp}.cpp"
}

# One change to the good tree, made by a command run inside it, must be refused for the reason given.
refuses() {   # <reason> <command>
    rm -rf tree && cp -r good tree
    (cd tree && eval "$2")
    rejects "$2" "$1" sh "$house/$house_check" tree
}
admits() {   # <command>
    rm -rf tree && cp -r good tree
    (cd tree && eval "$1")
    accepts "$1" sh "$house/$house_check" tree
}
add() { path=include/caucus/$1; shift; printf '%s\n' "$@" >>"$path"; }
hundred=$(printf '%0100d' 0)

test_tidy() {
    house_check=tidy.sh
    good_tree
    admits true
    admits 'add core/port.hpp "// ${hundred#000}"'
    admits 'add core/port.hpp "// ${hundred#0000}…"'
    admits 'add run/rounds.hpp "#include <chrono>" "using clock = std::chrono::steady_clock;"'
    admits 'add core/port.hpp "int operand(int);" "// rand() is not used"'
    refuses 'more than 100 columns: 101' 'add core/port.hpp "// ${hundred#00}"'
    refuses 'more than 100 columns' 'echo "// $hundred" >>tests/core/port.cpp'
    refuses 'SPDX' 'sed -i 1d include/caucus/core/port.hpp'
    refuses 'SPDX' 'sed -i 1d tests/core/port.cpp'
    refuses 'SPDX' ': >tests/core/port.cpp'
    refuses 'SPDX' 'sed -i 2d tests/negative/reason.cpp'
    refuses 'no #pragma once' 'sed -i 2d include/caucus/core/port.hpp'
    refuses 'unfinished' 'add core/port.hpp "// TODO: later"'
    refuses 'unfinished' 'echo "// FIXME" >>tests/core/port.cpp'
    refuses 'switched off' 'add core/port.hpp "#if 0" "#endif"'
    refuses 'macros' 'add core/port.hpp "#define A" "#define B" "# define C"'
    refuses 'no test at tests/core/port.cpp' 'rm tests/core/port.cpp'
    refuses 'first include' 'sed -i "2i#include <vector>" tests/core/port.cpp'
    refuses 'does not include <caucus/core/port.hpp>' 'sed -i /port/d include/caucus/caucus.hpp'
    refuses 'opt-in' 'add caucus.hpp "#include <caucus/transport/udp.hpp>"'
    refuses 'header of everything' 'add core/port.hpp "#include <caucus/caucus.hpp>"'
    refuses 'no such folder' 'header misc/odds.hpp; add caucus.hpp "#include <caucus/misc/odds.hpp>"'
    refuses 'there is no <caucus/core/nothing.hpp>' 'add core/port.hpp "#include <caucus/core/nothing.hpp>"'
    refuses 'own headers' "add topology/ring.hpp '#include \"../core/port.hpp\"'"
    for heavy in iostream functional ranges random chrono string memory; do
        refuses "<$heavy> is too heavy for election/ring" "add election/ring/peterson.hpp '#include <$heavy>'"
    done
    refuses 'too heavy for layer' 'add layer/grouped.hpp "#include <memory>"'
    for hidden in 'std::this_thread::sleep_for(t)' 'int i = rand();' 'std::random_device d;' \
        'auto t = std::chrono::system_clock::now();'; do
        refuses 'hidden input' "add wave/echo.hpp '$hidden'"
    done
    refuses 'say caucus::' 'add run/rounds.hpp "bool equal = same(a, b);"'
    admits 'add run/rounds.hpp "bool equal = caucus::same(a, b) && x.hash() == 0;"'
    refuses 'core does not see topology' 'add core/port.hpp "#include <caucus/topology/ring.hpp>"'
    refuses 'topology does not see wave' 'add topology/ring.hpp "#include <caucus/wave/echo.hpp>"'
    refuses 'wave does not see logical' 'add wave/echo.hpp "#include <caucus/logical/lamport_clock.hpp>"'
    refuses 'wave does not see election/ring' 'add wave/echo.hpp "#include <caucus/election/ring/peterson.hpp>"'
    refuses 'election/ring does not see exclusion' 'add election/ring/peterson.hpp "#include <caucus/exclusion/lamport.hpp>"'
    refuses 'exclusion does not see layer' 'add exclusion/lamport.hpp "#include <caucus/layer/grouped.hpp>"'
    for up in run/rounds trace/record wire/codec transport/udp; do
        refuses "election/ring does not see ${up%/*}" "add election/ring/peterson.hpp '#include <caucus/$up.hpp>'"
        refuses "layer does not see ${up%/*}" "add layer/grouped.hpp '#include <caucus/$up.hpp>'"
    done
    refuses 'run does not see election/ring' 'add run/rounds.hpp "#include <caucus/election/ring/peterson.hpp>"'
    refuses 'run does not see transport' 'add run/rounds.hpp "#include <caucus/transport/udp.hpp>"'
    refuses 'wire does not see trace' 'add wire/codec.hpp "#include <caucus/trace/record.hpp>"'
    refuses 'run_words does not see run/simulation' 'add run/report.hpp "#include <caucus/run/simulation/agenda.hpp>"'
    refuses 'run_words does not see run/exploration' 'add run/report.hpp "#include <caucus/run/exploration/table.hpp>"'
    refuses 'run_words does not see run' 'add run/report.hpp "#include <caucus/run/rounds.hpp>"'
    refuses 'run/simulation does not see run' 'add run/simulation/agenda.hpp "#include <caucus/run/rounds.hpp>"'
    refuses 'run/simulation does not see run/exploration' 'add run/simulation/agenda.hpp "#include <caucus/run/exploration/table.hpp>"'
    refuses 'run/exploration does not see run/simulation' 'add run/exploration/table.hpp "#include <caucus/run/simulation/agenda.hpp>"'
    refuses 'transport does not see run/simulation' 'add transport/udp.hpp "#include <caucus/run/simulation/agenda.hpp>"'
    refuses 'properties does not see topology' 'add election/properties.hpp "#include <caucus/topology/ring.hpp>"'
    refuses 'election/ring does not see election/tree' 'header election/tree/wave.hpp; add caucus.hpp "#include <caucus/election/tree/wave.hpp>"; add election/ring/peterson.hpp "#include <caucus/election/tree/wave.hpp>"'
    refuses 'includes <caucus/run/simulation/agenda.hpp>, which is not public' 'add caucus.hpp "#include <caucus/run/simulation/agenda.hpp>"'
    refuses 'includes <caucus/run/old.hpp>, which is not public' 'add caucus.hpp "#include <caucus/run/old.hpp>"'
    refuses 'no test at tests/run/old.cpp' 'add run/old.hpp "struct left_behind {};"'
    refuses 'includes itself' 'header core/kind.hpp "#include <caucus/core/port.hpp>"; add caucus.hpp "#include <caucus/core/kind.hpp>"; add core/port.hpp "#include <caucus/core/kind.hpp>"'
    refuses 'trace does not see run' 'add trace/record.hpp "#include <caucus/run/rounds.hpp>"'
}

# Small headers with one mutant each.
test_mutate() {
    mkdir -p tests
    cp "$house/../mutate.sh" tests/
    : >tests/main.cpp
    twice='constexpr int twice(int x) { return x + x; }'
    tenth='constexpr int tenth(int x) { return 10 / (x + x); }'
    body() { echo "$2" >>"tests/$1.cpp"; }   # <header> <line>
    header core/tested.hpp "$twice"
    body core/tested 'int main() { return twice(2) != 4; }'
    header core/untested.hpp "$twice"
    body core/untested 'int main() { return twice(0); }'
    header core/related.hpp "$twice"
    body core/related 'int main() {}'
    header run/user.hpp '#include <caucus/core/related.hpp>'
    body run/user 'int main() { return twice(2) != 4; }'
    header core/asserted.hpp "$twice"
    body core/asserted 'static_assert(twice(2) == 4); int main() {}'
    header core/constant.hpp "$tenth"
    body core/constant 'static_assert(tenth(1) == 5); int main() {}'
    header core/stillborn.hpp "$tenth"
    body core/stillborn 'constexpr int five = tenth(1); static_assert(five == 5); int main() {}'
    header core/endless.hpp 'inline void count() {' 'volatile unsigned long i = 4;' 'while (i != 8)' \
        'i = i + 2;' '}'
    body core/endless 'int main() { count(); }'
    header core/broken.hpp "$twice"
    body core/broken 'int main() { return 1; }'
    header core/moved.hpp '// Moved: include what stands here instead.' '#include <caucus/core/tested.hpp>'

    mutate() { CXX=$compiler SECONDS_MAX=1 sh tests/mutate.sh "$@"; }
    says() { what=$1; shift; "$@" >said 2>&1 && cat said && grep -qF -- "$what" said; }
    accepts 'a tested line' says 'tested.hpp:3 by tests/core/tested.cpp' mutate core/tested
    accepts 'a line tested elsewhere' says 'related.hpp:3 by tests/run/user.cpp' mutate core/related
    rejects 'a line tested elsewhere, without that test' '1 survived' \
        mutate core/related tests/core/related.cpp
    rejects 'an untested line' 'untested.hpp:3 passed tests/core/untested.cpp' mutate core/untested
    rejects 'an untested line (shows it)' '> constexpr int twice(int x) { return x - x; }' \
        mutate core/untested
    accepts 'a static_assert that fails' says 'asserted.cpp (static_assert)' mutate core/asserted
    accepts 'a static_assert of no constant' says 'constant.cpp (static_assert)' mutate core/constant
    accepts 'a constant that is none (stillborn)' says '0 killed, 1 stillborn' mutate core/stillborn
    accepts 'a line that ends a loop' says 'endless.cpp (time)' \
        env ONLY=6,6 CXX="$compiler" SECONDS_MAX=1 sh tests/mutate.sh core/endless
    rejects 'a test that fails unchanged' 'broken.cpp does not pass unchanged' mutate core/broken
    accepts 'a header that has moved (skips)' says 'skipped: include/caucus/core/moved.hpp' \
        mutate core/moved
    rejects 'no seed' 'tests/mutate.sh --draw' mutate --draw x 1
    rm include/caucus/core/broken.hpp include/caucus/core/endless.hpp
    rejects 'one untested line of all headers' '4 killed, 1 stillborn, 1 survived' mutate --draw 1 99
    accepts 'a draw from one header' says '1 killed, 0 stillborn' mutate --draw 1 99 core/tested
    drawn() { JOBS=1 mutate --draw "$1" 2 2>&1 | sed 's/^seed [0-9]*//' >"$2" || :; }
    drawn 5 first && drawn 5 again && drawn 6 other
    accepts 'the same seed, the same mutants' cmp first again
    rejects 'another seed, the same mutants' differ cmp first other
}

test_"$driver"
exit $status
