#!/usr/bin/env bash
# Emitted C of the programs here, the examples and the standard library: compilers without a warning, with
# and without OpenMP; -ffast-math refused; check_promises; same_bytes.
# By turns: the programs here are compiled in one way and their bytes compared in another; an example is compiled, and the
# bytes of the next one compared; one in three has kernels for several processors. FULL=1: all in all ways, two hours or
# more. SHARE=K/N: the Kth of N shares of the programs. BUILD=folder of fltc. QUICK=1 leaves out same_bytes.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../.." || exit 1
export BUILD QUICK=${QUICK:-} FULL=${FULL:-}

warnings="-Wall -Wextra -Werror"
c99="-std=c99 -pedantic -Wconversion $warnings"
ways=()
for compiler in "gcc $c99" "clang $c99" "g++ -x c++ $warnings" "clang++ -x c++ $warnings"; do
    for level in "-O0" "-O2 -fopenmp"; do ways+=("$compiler $level"); done
done

# compile STEM FUNCTION FIRST COUNT: what is wrong, in so many ways from FIRST on
compile() {
    local i way
    for ((i = 0; i < $4; i++)); do
        way=${ways[$((($3 + i) % ${#ways[@]}))]}
        # shellcheck disable=SC2086
        $way -c "$1.c" -o "$1.o" 2> "$1.log" || {
            echo "$way $1.c"
            head -5 "$1.log"
        }
    done
    for way in gcc clang; do
        $way -O2 -ffast-math -c "$1.c" -o "$1.o" 2> "$1.log" && echo "$way takes -ffast-math: $1.c"
    done
    "$BUILD/tests/emit/check_promises" "$1.c" "$2" 2>&1 || echo "$1.c breaks a promise"
}

# one SCRATCH NUMBER FILE [FILTER]: "passed failed", what is wrong to standard error
one() {
    local stem=$1/filter_$2 number=$2 file=$3 name=${4:-} problems passed=0 failed=0 count=1 bytes=1 turns=9
    export CPATH=$PWD/${file%/*} # headers of C functions lie beside it
    case $file in
    examples/*) count=$((number % 2)) bytes=$((1 - number % 2)) ;;
    stdlib/*) bytes=0 ;; # tests/library runs them
    esac
    [ -z "$FULL" ] || count=${#ways[@]} bytes=8 turns=5
    local multi=$((number % turns)) # 2, 3 and 4 are levels of x86-64
    [[ $multi == [234] ]] || multi=
    if ! "$BUILD/fltc" emit ${multi:+--cpu multi} ${name:+--filter "$name"} "$file" -o "$stem.c" 2> "$stem.log"; then
        echo "FAIL $file $name: $(head -3 "$stem.log")" >&2
        echo 0 1
        return
    fi
    # The function that allocates is the one that *_run is named after.
    problems=$(compile "$stem" "$(sed -n 's/^int \([a-zA-Z0-9_]*\)_run(.*/\1/p' "$stem.h" | head -1)" \
        $((3 * number)) "$count")
    if [ -n "$problems" ]; then
        echo "FAIL $file $name: $problems" >&2
        failed=1
    else
        passed=1
    fi
    if [ -z "$QUICK" ] && [ "$bytes" -gt 0 ]; then
        [ -z "$multi" ] || export MULTI=$multi
        COMPILERS=$bytes FIRST_COMPILER=$((number / 2)) \
            "$BUILD/tests/emit/same_bytes" "$1/bytes_$number" "$file" ${name:+"$name"} > "$stem.bytes"
        # Some also for images of one size. One that stops early prints no line.
        local runs=1
        [ $((number % 4)) != 1 ] || runs=2
        [ $runs = 1 ] || SIZED=$((number / 4 % 6)) COMPILERS=1 FIRST_COMPILER=$((number / 2)) \
            "$BUILD/tests/emit/same_bytes" "$1/sized_$number" "$file" ${name:+"$name"} >> "$stem.bytes"
        set -- $(awk -v runs=$runs '{ passed += $(NF - 3); failed += $(NF - 1) } END { print passed + 0, failed + runs - NR }' "$stem.bytes")
        passed=$((passed + ${1:-0})) failed=$((failed + ${2:-1}))
    fi
    echo "$passed $failed"
}
if [ "${1:-}" = one ]; then
    shift
    one "$@"
    exit
fi

for tool in gcc clang g++ clang++; do
    command -v $tool > /dev/null || { echo "$tool is missing" >&2; exit 1; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
if "$BUILD/tests/emit/check_promises" --self-test > "$scratch/log"; then
    passed=1
else
    echo "FAIL $(cat "$scratch/log")" >&2
    failed=1
fi

# FILE FILTER, a line each; of a library file every filter that can be compiled alone.
list() {
    local file name
    for file in tests/emit/*.flt examples/*/*.flt; do
        echo "$file"
    done
    for file in stdlib/*.flt; do
        sed -n 's/^filter \([A-Za-z_0-9]*\).*/\1/p' "$file" | while read -r name; do
            "$BUILD/fltc" emit --filter "$name" "$file" -o "$scratch/" 2> /dev/null && echo "$file $name"
        done
    done
}
list > "$scratch/list"
share=${SHARE:-1/1}
awk -v number="${share%/*}" -v count="${share#*/}" 'NR % count == number % count { print NR, $0 }' "$scratch/list" \
    > "$scratch/share"
< "$scratch/share" xargs -P "$(nproc)" -L 1 bash tests/emit/run.sh one "$scratch" > "$scratch/results"
passed=$((passed + $(awk '{ n += $1 } END { print n + 0 }' "$scratch/results")))
failed=$((failed + $(awk '{ n += $2 } END { print n + 0 }' "$scratch/results") +
    $(wc -l < "$scratch/share") - $(wc -l < "$scratch/results")))
add() { # NAME OF A SCRIPT: its results
    bash "tests/emit/$1.sh" > "$scratch/$1"
    passed=$((passed + $(awk 'END { print $(NF - 3) + 0 }' "$scratch/$1")))
    failed=$((failed + $(awk 'END { print NF ? $(NF - 1) + 0 : 1 }' "$scratch/$1")))
}
add options
# What does not belong to a program, in the last share.
[ "${share%/*}" -ne "${share#*/}" ] || add units
echo "emit: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
