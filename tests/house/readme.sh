#!/bin/sh
# SPDX-License-Identifier: MIT
# readme.sh <root of the project>
#
# The README stays short, shows both commands on its first screen, and names nothing that is not
# there. Prints one line per breach, file:line: reason; fails if there is one.
set -eu
cd "$1"
export LC_ALL=C   # awk sees bytes; characters are counted as bytes that start one
page=README.md

length_and_width() {
    awk -v page="$page" '
        function breach(reason) { print page ":" FNR ": " reason }
        { words += NF; text = $0; gsub(/[\200-\277]/, "", text) }
        length(text) > 200 { breach("more than 200 characters: " length(text)) }
        /^\|/ && length(text) > 120 { breach("a table row of more than 120 characters: " length(text)) }
        END {
            if (FNR > 170) breach("more than 170 lines: " FNR)
            if (words > 1600) breach("more than 1600 words: " words)
        }
    ' "$page"
}

both_commands() {
    for command in examples/run.sh tests/run.sh; do
        line=$(grep -n "^$command" "$page" | head -n 1 | cut -d: -f1)
        if [ "${line:-20}" -ge 20 ]; then echo "$page:${line:-1}: $command does not stand before line 20"; fi
    done
}

# As a web site makes them of headings
anchors() { sed -n 's/^##* //p' "$1" | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9_ -]//g; s/ /-/g'; }

links() {   # <page>
    folder=$(dirname "$1")
    awk '/^```/ { code = !code } { print code ? "" : $0 }' "$1" | grep -no '](\([^)]*\))' | sed 's/\](\(.*\))$/\1/' | while IFS=: read -r line target; do
        case $target in http*) continue ;; esac
        file=$folder/${target%%#*}
        case $target in '#'*) file=$1 ;; esac
        if [ ! -e "$file" ]; then
            echo "$1:$line: a link to nothing: $target"
        else
            case $target in
            *'#'*) anchors "$file" | grep -qxF -- "${target#*#}" ||
                echo "$1:$line: a link to no heading: $target" ;;
            esac
        fi
    done
}

header_names() {
    grep -no '[A-Za-z0-9_/]*\.hpp' "$page" | while IFS=: read -r line header; do
        [ -f "include/$header" ] || [ -f "include/caucus/$header" ] || [ -f "$header" ] ||
            echo "$page:$line: there is no header $header"
    done
}

# Every example, in the order in which the tour has them
tour() {
    sh examples/run.sh --list | sed 's/:.*//' >"$scratch/run"
    grep -o '](examples/[a-z_]*\.cpp)' "$page" | sed 's|.*/||; s|\.cpp)||' >"$scratch/named"
    cmp -s "$scratch/run" "$scratch/named" ||
        echo "$page:1: the examples in another order than that of examples/run.sh:" $(cat "$scratch/named")
    sh examples/run.sh --list | sed -n 's|^\([a-z_]*\): *$|examples/\1.cpp:2: no caption|p'
}

# Code and output are taken from programs that are compiled and run: each paragraph of a block
# stands in one of them, indentation aside.
quotations() {
    awk -v page="$page" '
        function look_up() {
            if (quote != "\n" && !index(source, quote))
                print page ":" from ": code that no example has, nor tests/catalogue.cpp"
            quote = "\n"
        }
        BEGIN { source = "\n" }
        { text = $0; sub(/^[ \t]+/, "", text) }
        FILENAME != page { source = source text "\n"; next }
        /^```/ && !inside { inside = 1; quoted = $0 == "```" || $0 == "```cpp"; quote = "\n"; from = FNR + 1; next }
        /^```/ { look_up(); inside = 0; next }
        inside && quoted && text == "" { look_up(); from = FNR + 1; next }
        inside && quoted { quote = quote text "\n" }
    ' examples/*.cpp tests/catalogue.cpp "$page"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
breaches=$(length_and_width; both_commands; header_names; tour; quotations
    links "$page"; links include/caucus/README.md)
[ -z "$breaches" ] || { printf '%s\n' "$breaches"; exit 1; }
