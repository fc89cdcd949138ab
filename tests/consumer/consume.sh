#!/bin/sh
# SPDX-License-Identifier: MIT
# consume.sh <way> <source dir> <compiler> [<cmake> <generator>]
#
# Builds main.cpp as a stranger would and compares what it prints. Ways: find_package,
# add_subdirectory, fetch_content, plain, pkg_config. 77 (skipped): there is no pkg-config.
set -eu
way=$1 source=$2 compiler=$3 cmake=${4:-cmake} generator=${5:-Ninja}
here=$source/tests/consumer
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset DESTDIR CMAKE_PREFIX_PATH PKG_CONFIG_PATH

configure() { "$cmake" -G "$generator" -DCMAKE_CXX_COMPILER="$compiler" "$@"; }

# Moved after installing: neither package may remember where it was installed to.
install_and_move() {
    configure -S "$source" -B "$scratch/build" -DCMAKE_INSTALL_PREFIX="$scratch/before" \
        -DCAUCUS_BUILD_TESTS=OFF -DCAUCUS_BUILD_EXAMPLES=OFF -DCAUCUS_BUILD_BENCH=OFF
    "$cmake" --build "$scratch/build"
    "$cmake" --install "$scratch/build"
    mv "$scratch/before" "$scratch/after"
    (cd "$source/include" && find . -name '*.hpp' | sort) >"$scratch/written"
    (cd "$scratch/after/include" && find . -type f | sort) >"$scratch/installed"
    diff -u "$scratch/written" "$scratch/installed"
}

build_project() {
    configure -S "$here" -B "$scratch/consumer" -DWAY="$way" "$@"
    "$cmake" --build "$scratch/consumer"
    program=$scratch/consumer/consumer
}

build_subproject() {
    build_project -DCAUCUS_SOURCE="$source"
    if grep '^CAUCUS_.*:BOOL=ON' "$scratch/consumer/CMakeCache.txt"; then
        echo 'a subproject builds and installs nothing of its own unless asked'
        exit 1
    fi
}

program=$scratch/program
case $way in
find_package) install_and_move && build_project -DCMAKE_PREFIX_PATH="$scratch/after" ;;
add_subdirectory | fetch_content) build_subproject ;;
plain) "$compiler" -std=c++20 -I"$source/include" "$here/main.cpp" -o "$program" ;;
pkg_config)
    command -v pkg-config || { echo 'skipped: there is no pkg-config'; exit 77; }
    install_and_move
    export PKG_CONFIG_PATH="$scratch/after/share/pkgconfig"
    pkg-config --modversion caucus
    "$compiler" -std=c++20 $(pkg-config --cflags caucus) "$here/main.cpp" -o "$program"
    ;;
*) echo "no such way: $way"; exit 1 ;;
esac
sh "$source/tests/house/output.sh" "$here/main.cpp" "$program"
compiled=$scratch/consumer/compiled
[ ! -x "$compiled" ] || sh "$source/tests/house/output.sh" "$here/main.cpp" "$compiled"
