#!/usr/bin/env bash
# `fltc schedule` prints the complete schedule: put into the file it gives the same code, byte for byte. Of every
# example, workload of the benchmarks, and program of tests/emit. BUILD=folder of fltc.
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
for file in examples/*/*.flt tests/bench/workloads/*.flt tests/emit/*.flt; do
    program=$scratch/$(basename "$file")
    cp "$file" "$program"
    cp "$(dirname "$file")"/*.h "$scratch" 2> /dev/null
    "$BUILD/fltc" emit "$program" -o "$scratch/before/filter.c" > /dev/null 2>&1 || continue # it needs settings
    if ! "$BUILD/fltc" schedule "$program" > "$scratch/schedule" 2> "$scratch/log"; then
        fail "$file has no schedule"
        continue
    fi
    sed -i '/^schedule /,/^}/d' "$program"
    cat "$scratch/schedule" >> "$program"
    if ! "$BUILD/fltc" emit "$program" -o "$scratch/after/filter.c" > "$scratch/log" 2>&1; then
        fail "$file with its own schedule"
    elif cmp "$scratch/before/filter.c" "$scratch/after/filter.c" > "$scratch/log" 2>&1; then
        passed=$((passed + 1))
    else
        fail "$file becomes other code"
    fi
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
[ "$failed" -eq 0 ] && [ "$passed" -gt 40 ]
