#!/usr/bin/env bash
# Emitted C of the examples, the standard library and the programs here: four compilers without a warning,
# with and without OpenMP; -ffast-math refused; check_promises; same_bytes.
# BUILD=folder of fltc. QUICK=1 leaves out same_bytes.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../.." || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
pass() { passed=$((passed + 1)); }
fail() {
    echo "FAIL $1" >&2
    failed=$((failed + 1))
}
for tool in gcc clang g++ clang++; do
    command -v $tool > /dev/null || { echo "$tool is missing" >&2; exit 1; }
done

warnings="-Wall -Wextra -Werror"
c99="-std=c99 -pedantic -Wconversion $warnings"
compile() { # FILE
    local compiler level
    for compiler in "gcc $c99" "clang $c99" "g++ -x c++ $warnings" "clang++ -x c++ $warnings"; do
        for level in "-O0" "-O2 -fopenmp"; do
            # shellcheck disable=SC2086
            $compiler $level -c "$1" -o "$scratch/object.o" 2> "$scratch/log" || {
                echo "$compiler $level $1"
                head -5 "$scratch/log"
            }
        done
    done > "$1.problems"
    for compiler in gcc clang; do
        $compiler -O2 -ffast-math -c "$1" -o "$scratch/object.o" 2> "$scratch/log" &&
            echo "$compiler takes -ffast-math: $1" >> "$1.problems"
    done
    "$BUILD/tests/emit/check_promises" "$1" "$2" >> "$1.problems" 2>&1 ||
        echo "$1 breaks a promise" >> "$1.problems"
    if [ -s "$1.problems" ]; then
        fail "$(cat "$1.problems")"
    else
        pass
    fi
}

if "$BUILD/tests/emit/check_promises" --self-test > "$scratch/log"; then pass; else fail "$(cat "$scratch/log")"; fi

# FILE FILTER, a line each; of a library file every filter that can be compiled alone.
list() {
    local file name
    for file in examples/*/*.flt tests/emit/*.flt; do
        echo "$file"
    done
    for file in stdlib/*.flt; do
        sed -n 's/^filter \([A-Za-z_0-9]*\).*/\1/p' "$file" | while read -r name; do
            "$BUILD/fltc" emit --filter "$name" "$file" -o "$scratch/" 2> /dev/null && echo "$file $name"
        done
    done
}
list > "$scratch/list"
number=0
while read -r file name; do
    number=$((number + 1))
    stem=filter_$number
    if ! "$BUILD/fltc" emit ${name:+--filter "$name"} "$file" -o "$scratch/$stem.c" \
        2> "$scratch/log"; then
        fail "$file $name: $(head -3 "$scratch/log")"
        continue
    fi
    # The function that allocates is the one that *_run is named after.
    compile "$scratch/$stem.c" "$(sed -n 's/^int \([a-zA-Z0-9_]*\)_run(.*/\1/p' "$scratch/$stem.h" | head -1)"
done < "$scratch/list"

if [ -z "${QUICK:-}" ]; then
    # shellcheck disable=SC2016
    nl -w 1 -s ' ' "$scratch/list" | BUILD=$BUILD scratch=$scratch xargs -P "$(nproc)" -L 1 \
        sh -c '"$BUILD/tests/emit/same_bytes" "$scratch/bytes_$0" "$@"' > "$scratch/bytes"
    passed=$((passed + $(awk '{ n += $(NF - 3) } END { print n + 0 }' "$scratch/bytes")))
    # One that stopped early has printed nothing.
    failed=$((failed + $(awk '{ n += $(NF - 1) } END { print n + 0 }' "$scratch/bytes") +
        $(wc -l < "$scratch/list") - $(wc -l < "$scratch/bytes")))
fi
echo "emit: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
