# SPDX-License-Identifier: MIT
# Sourced by the run.sh scripts.
#
# need <what>=<Debian package>...: what is a command, a header as <name>, or clang++:asan, which is all
# that clang++ needs to link what it sanitizes. Installs the packages of whatever is missing, as root
# or through sudo; otherwise says what to install, and fails.

there_is() {
    case $1 in
    clang++:asan) echo 'int main() {}' | clang++ -fsanitize=address -x c++ - -o /dev/null 2>/dev/null ;;
    '<'*) printf '#include %s\n' "$1" | g++ -E -x c++ - >/dev/null 2>&1 ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
    esac
}

missing_packages() {
    for pair; do there_is "${pair%%=*}" || printf ' %s' "${pair#*=}"; done
}

need() {
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0

    as_root=none
    if command -v apt-get >/dev/null 2>&1; then
        if [ "$(id -u)" -eq 0 ]; then
            as_root=
        elif command -v sudo >/dev/null 2>&1 && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
            as_root=sudo
        fi
    fi
    if [ "$as_root" != none ]; then
        echo "Installing:$missing"
        $as_root apt-get update -qq </dev/null || true
        $as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends $missing </dev/null || true
        missing=$(missing_packages "$@")
        [ -n "$missing" ] || return 0
    fi
    echo "Please install these packages and run this again (Debian, Ubuntu):" >&2
    echo "    apt-get install$missing" >&2
    return 1
}

# Compilers are the slow part: remember what they did, if ccache is there, and use every core.
if command -v ccache >/dev/null 2>&1; then
    export CMAKE_CXX_COMPILER_LAUNCHER="${CMAKE_CXX_COMPILER_LAUNCHER-ccache}"
fi
export CTEST_PARALLEL_LEVEL="${CTEST_PARALLEL_LEVEL:-$(nproc)}"
