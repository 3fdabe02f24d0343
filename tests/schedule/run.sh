#!/usr/bin/env bash
# `fltc schedule` prints the complete schedule: put into the file it gives the same code, byte for byte but for
# the first line, which has a hash of the program. Of every
# example, workload of the benchmarks, and program of tests/emit and of this folder, for cores and for blocks of threads. BUILD=folder of fltc.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../.." || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
fail() {
    echo "FAIL $1: $(head -3 "$scratch/log")" >&2
    failed=$((failed + 1))
}
round_trip() { # TARGET FILE
    local program=$scratch/$(basename "$2")
    rm -rf "$scratch/before" "$scratch/after"
    cp "$2" "$program"
    cp "$(dirname "$2")"/*.h "$scratch" 2> /dev/null
    "$BUILD/fltc" emit --target "$1" "$program" -o "$scratch/before/" > /dev/null 2>&1 || return # it needs settings
    if ! "$BUILD/fltc" schedule --target "$1" "$program" > "$scratch/schedule" 2> "$scratch/log"; then
        fail "$2 has no schedule for $1"
        return
    fi
    sed -i '/^schedule /,/^}/d' "$program"
    cat "$scratch/schedule" >> "$program"
    if ! "$BUILD/fltc" emit --target "$1" "$program" -o "$scratch/after/" > "$scratch/log" 2>&1; then
        fail "$2 with its own schedule for $1"
    elif sed -i '1d' "$scratch"/{before,after}/*.{c,h} && diff -r "$scratch/before" "$scratch/after" > "$scratch/log" 2>&1; then
        passed=$((passed + 1))
    else
        fail "$2 becomes other code for $1"
    fi
}
for target in c opencl; do
    for file in examples/*/*.flt tests/bench/workloads/*.flt tests/{emit,schedule}/*.flt; do
        round_trip $target "$file"
    done
done
# What a directive says of a stage whose rounding nothing reads, its state keeps.
program=$scratch/bicubic.flt
cp tests/bench/workloads/bicubic.flt "$program"
echo 'schedule bicubic for c { compute down at root; }' >> "$program"
"$BUILD/fltc" schedule "$program" > "$scratch/schedule" 2> "$scratch/log"
if grep -q 'compute down at root;' "$scratch/schedule"; then
    passed=$((passed + 1))
else
    fail "compute down at root: $(tr '\n' ' ' < "$scratch/schedule")"
fi
echo "schedule: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 150 ]
