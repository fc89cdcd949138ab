#!/bin/sh
# SPDX-License-Identifier: MIT
# tidy.sh <root of the project>
#
# The rules a program can check. Prints one line per breach, file:line: reason; fails if there is one.
set -eu
cd "$1"
export LC_ALL=C   # awk sees bytes; characters are counted as bytes that start one

sources() { find include tests examples bench -type f \( -name '*.hpp' -o -name '*.cpp' \) 2>/dev/null | sort; }
headers() { find include/caucus -type f -name '*.hpp' | sort; }
# An old include path that goes on working: nothing but includes.
is_moved() { grep -q '^// Moved: ' "$1" && ! grep -qvE '^(//.*|#pragma once|#include <.*>|)$' "$1"; }

every_source() {
    # A negative test names its reason in line 1 and its licence in line 2.
    sources | while read -r file; do
        case $file in tests/negative/*) line=2 ;; *) line=1 ;; esac
        awk -v file="$file" -v licence_line="$line" '
            function breach(reason) { print file ":" FNR ": " reason }
            FNR == licence_line && $0 == "// SPDX-License-Identifier: MIT" { licensed = 1 }
            { text = $0; gsub(/[\200-\277]/, "", text) }
            length(text) > 100 { breach("more than 100 columns: " length(text)) }
            /(^|[^A-Za-z0-9_])(TODO|FIXME)([^A-Za-z0-9_]|$)/ { breach("an unfinished thought") }
            /^[ \t]*#[ \t]*if[ \t]+0([^A-Za-z0-9_]|$)/ { breach("code switched off") }
            END { if (!licensed) { FNR = licence_line; breach("the SPDX line is missing") } }
        ' "$file"
    done
}

# Which room may include which: design of the tree, seen from the including side. Rooms that share
# a level do not see each other. A room is a folder, but for two: `properties` are the properties.hpp
# of each family, which run/ may see; `run_words` are the headers of run/ with the words that its
# executors and their machinery share.
run_words='report delay faults detection explore_options properties verdict'
arrows='
core             core
topology         core topology
logical          core topology logical
detector         core topology detector
wave             core topology wave
properties       core multicast
election         core properties
election/ring    core topology logical detector wave election election/ring
election/tree    core topology logical detector wave election election/tree
election/graph   core topology logical detector wave election election/graph
election/complete core topology logical detector wave election election/complete
exclusion        core topology logical detector wave election election/ring election/tree election/graph election/complete exclusion exclusion/ricart_agrawala
exclusion/ricart_agrawala core topology logical exclusion exclusion/ricart_agrawala
multicast        core topology logical detector wave election election/ring election/tree election/graph election/complete multicast multicast/srm multicast/total_order multicast/views
multicast/srm    core logical multicast multicast/srm
multicast/total_order core multicast multicast/total_order
multicast/views  core logical multicast multicast/views
layer            core topology logical detector wave election election/ring election/tree election/graph election/complete exclusion multicast layer
wire             core wire
trace            core wire trace
run_words        core topology wire trace properties run_words
run/simulation   core topology wire trace run_words run/simulation
run/exploration  core topology wire trace run_words run/exploration
run              core topology wire trace run_words run/simulation run/exploration run
transport        core topology wire trace run_words run transport
'

every_header() {
    headers | while read -r file; do
        awk -v file="$file" -v arrows="$arrows" -v run_words=" $run_words " '
            function breach(reason) { print file ":" FNR ": " reason }
            function room_of(path,   part, name) {
                if (split(path, part, "/") < 3) return ""
                name = path; sub(/.*\//, "", name); sub(/\.hpp$/, "", name)
                sub(/^caucus\//, "", path); sub(/\/[^\/]*$/, "", path)
                if (path == "run" && index(run_words, " " name " ")) return "run_words"
                return path != "run" && name == "properties" ? "properties" : path
            }
            function own_include(path,   there) {
                if ((getline there < ("include/" path)) < 0) breach("there is no <" path ">")
                close("include/" path)
                if (path == "caucus/caucus.hpp") breach("includes the header of everything")
                else if (path == "caucus/compiled.hpp") breach("includes the code of everything")
                else if (!umbrella && !((room, room_of(path)) in allowed))
                    breach("include arrow: " room " does not see " room_of(path))
            }
            BEGIN {
                own = substr(file, length("include/") + 1)
                umbrella = own == "caucus/caucus.hpp" || own == "caucus/compiled.hpp"
                room = room_of(own)
                count = split(arrows, row, "\n")
                for (i = 1; i <= count; ++i) {
                    columns = split(row[i], cell, " ")
                    for (j = 2; j <= columns; ++j) allowed[cell[1], cell[j]] = 1
                }
                known = room == "properties" || (room, room) in allowed || room == "election"
                if (!umbrella && !known) breach("no such folder in the tree")
                lean = room !~ /^((wire|trace|run|transport)(\/.*)?|run_words)?$/
            }
            { code = $0; sub(/\/\/.*/, "", code) }
            code ~ /^#pragma once$/ { once = 1 }
            code ~ /^[ \t]*#[ \t]*include[ \t]*</ {
                path = code; sub(/^[^<]*</, "", path); sub(/>.*/, "", path)
                if (path ~ /^caucus\//) own_include(path)
                else if (lean && path ~ /^(iostream|functional|ranges|random|chrono|string|memory)$/)
                    breach("<" path "> is too heavy for " room)
            }
            # Else a function of that name beside the id type of a user would be called.
            own !~ /core\/(fields|print)\.hpp$/ && code ~ /(^|[^A-Za-z0-9_:.>])(same|compare|hash|print)\(/ {
                breach("say caucus:: before same, compare, hash and print")
            }
            code ~ /^[ \t]*#[ \t]*include[ \t]*"/ { breach("own headers are included as <caucus/...>") }
            lean && code ~ /sleep_for|sleep_until|random_device|(system|steady|high_resolution)_clock/ {
                breach("a hidden input")
            }
            lean && code ~ /(^|[^A-Za-z0-9_])s?rand\(/ { breach("a hidden input") }
            END { if (!once) { FNR = 1; breach("no #pragma once") } }
        ' "$file"
    done
}

# Each header is tested at the same path below tests/, by a file that includes it first: so a header
# that leans on an earlier include is found out where the file is compiled alone.
mirrored_tests() {
    headers | sed 's|^include/||' | while read -r header; do
        if [ "$header" = caucus/caucus.hpp ] || is_moved "include/$header"; then continue; fi
        path=${header#caucus/}
        test=tests/${path%.hpp}.cpp
        if [ ! -f "$test" ]; then
            echo "include/$header:1: no test at $test"
        elif [ "$(sed -n 's/^#include //p' "$test" | head -n 1)" != "<$header>" ]; then
            echo "$test:1: the first include is not <$header>"
        fi
    done
}

# All public headers, and only those: machinery and old paths are nobody's to include.
umbrella() {
    all=include/caucus/caucus.hpp
    [ -f $all ] || return 0
    headers | sed 's|^include/||' | grep -v -e '^caucus/caucus\.hpp$' -e '^caucus/compiled\.hpp$' -e '^caucus/transport/' |
        while read -r header; do
            public=1
            case $header in caucus/run/simulation/* | caucus/run/exploration/*) public=0 ;; esac
            if is_moved "include/$header"; then public=0; fi
            if grep -qxF "#include <$header>" $all; then
                [ $public = 1 ] || echo "$all:1: includes <$header>, which is not public"
            else
                [ $public = 0 ] || echo "$all:1: does not include <$header>"
            fi
        done
    grep -n '^#include <caucus/transport/' $all | sed "s|^\([0-9]*\):.*|$all:\1: transport is opt-in|" || true
}

# Rooms allow both directions within themselves; headers do not.
circles() {
    headers | while read -r file; do
        sed -n "s|^#include <\(caucus/.*\)>|${file#include/} \1|p" "$file"
    done | tsort 2>&1 >/dev/null | sed -n 's|^tsort: \(caucus/.*\)|include/\1:1: includes itself, by way of others|p'
}

macros() {
    names=$(headers | xargs sed -n 's/^[ \t]*#[ \t]*define[ \t]*\([A-Za-z_0-9]*\).*/\1/p' | sort -u)
    count=$(printf '%s' "$names" | grep -c . || true)
    [ "$count" -le 3 ] || echo "include:1: $count macros, at most 3:" $names
}

breaches=$(every_source; every_header; mirrored_tests; umbrella; circles; macros)
[ -z "$breaches" ] || { printf '%s\n' "$breaches"; exit 1; }
