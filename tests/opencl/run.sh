#!/usr/bin/env bash
# Emitted OpenCL: the file is C without a warning, its header too, and its kernels' text OpenCL C 1.2 by clang; a driver
# (PoCL, which runs kernels on the CPU) gives the interpreter's bytes; faults.c, boxes.c. Every sixth program runs, but those
# that take long. FULL=1: all do, and small ones in oclgrind, which reports races. SHARE=K/N: the Kth of N shares of
# them. REQUIRE=opencl: without a device the test fails. BUILD=folder of fltc.
set -u
BUILD=$(realpath "${BUILD:-$(dirname "$0")/../../build}")
cd "$(dirname "$0")/../.." || exit 1
export BUILD FULL=${FULL:-}
long="convolutions canny lines_together blocks_behind lines renamed_lines volume recurrences half_state wide_lines"
small="unsharp borders reductions several barriers recurrences"

# The text of the kernels in an emitted file.
kernels() {
    awk '/^static const char \*const [a-zA-Z0-9_]*_text\[\] = \{/ { inside = 1; next }
         inside && /\};$/ { sub(/\};$/, ""); print; exit }
         inside' "$1" | sed -E 's/^    "//; s/",?$//; s/\\n$//; s/\\"/"/g; s/\\\\/\\/g'
}

# one SCRATCH NUMBER FILE: "passed failed", what is wrong to standard error
one() {
    local stem=$1/filter_$2 number=$2 file=$3 passed=0 failed=0 name
    name=$(basename "$file" .flt)
    fail() {
        echo "FAIL $file: $1 $(head -3 "$stem.log")" >&2
        failed=$((failed + 1))
    }
    if ! "$BUILD/fltc" emit --target opencl "$file" -o "$stem.c" > /dev/null 2> "$stem.log"; then
        grep -q 'E022[67]' "$stem.log" || fail emit
        echo 0 $failed
        return
    fi
    gcc -std=c99 -pedantic-errors -Wall -Wextra -Wconversion -Werror -fsyntax-only "$stem.c" 2> "$stem.log" &&
        g++ -Wall -Wextra -Werror -fsyntax-only -x c++ "$stem.h" 2> "$stem.log" &&
        passed=$((passed + 1)) || fail C
    kernels "$stem.c" > "$stem.cl"
    clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -Wall -Wextra -Werror -Wno-unused-function \
        -Wno-unused-parameter -fsyntax-only "$stem.cl" 2> "$stem.log" && [ -s "$stem.cl" ] && passed=$((passed + 1)) ||
        fail kernels
    if [ -n "$DEVICE" ] && { [ -n "$FULL" ] || { [ $((number % 6)) = 0 ] && [[ " $long " != *" $name "* ]]; }; }; then
        TARGET=opencl "$BUILD/tests/emit/same_bytes" "$1/bytes_$number" "$file" > "$stem.bytes" 2> "$stem.log"
        # shellcheck disable=SC2046
        set -- "$1" $(awk '{ print $(NF - 3), $(NF - 1) }' "$stem.bytes")
        passed=$((passed + ${2:-0}))
        [ "${3:-1}" = 0 ] || fail "bytes:"
    fi
    if [ -n "$DEVICE" ] && [ -n "$FULL" ] && [[ " $small " == *" $name "* ]] && command -v oclgrind > /dev/null; then
        ONLY_SIZE=3 TARGET=opencl oclgrind --data-races --uninitialized --log "$stem.log" \
            "$BUILD/tests/emit/same_bytes" "$1/races_$number" "$file" > "$stem.bytes" 2>&1 && ! [ -s "$stem.log" ] &&
            passed=$((passed + 1)) || fail "oclgrind:"
    fi
    echo $passed $failed
}
export long small DEVICE
if [ "${1:-}" = one ]; then
    shift
    one "$@"
    exit
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export POCL_CACHE_DIR=$scratch/pocl
mkdir "$POCL_CACHE_DIR"
failed=0 passed=0

# Faults, watched; PoCL's own leaks are not ours.
wraps=$(grep -oE 'WRAP(_CREATE|_RELEASE)?\([^,(]*,? ?[a-zA-Z]*' tests/opencl/faults.c |
    grep -oE 'cl(Get|Build|Set|Enqueue|Create|Release)[A-Za-z]+' | sort -u | sed 's/^/-Wl,--wrap=/')
"$BUILD/fltc" emit --target opencl tests/cuda/several.flt -o "$scratch/several.c" || exit 1
# shellcheck disable=SC2086
gcc -std=c11 -Wall -Wextra -Werror -O1 -g -fsanitize=address,undefined "-I$scratch" tests/opencl/faults.c \
    "$scratch/several.c" $wraps -Wl,--wrap=clRetainContext,--wrap=malloc,--wrap=calloc,--wrap=free -lOpenCL \
    -o "$scratch/faults" || exit 1
ASAN_OPTIONS=detect_leaks=0 "$scratch/faults" 2> "$scratch/log"
case $? in
0) DEVICE=1 ;;
77) DEVICE= && [[ ",${REQUIRE:-}," != *,opencl,* ]] || failed=1 ;;
*) DEVICE=1 failed=1 && cat "$scratch/log" >&2 ;;
esac

# Parts of images. PoCL's own leaks are not ours.
"$BUILD/fltc" emit --target opencl --boxes examples/blur/blur.flt -o "$scratch/" || exit 1
gcc -std=c11 -Wall -Wextra -Werror -O1 -g -fsanitize=address,undefined "-I$scratch" tests/opencl/boxes.c "$scratch/blur.c" \
    "$scratch/blur_box.c" -lOpenCL -o "$scratch/boxes" || exit 1
if [ -n "$DEVICE" ]; then
    ASAN_OPTIONS=detect_leaks=0 "$scratch/boxes" || failed=$((failed + 1))
fi

# Images with blocks far from borders, where work items load and store samples beside each other at once.
for name in sobel gaussian5 median3 disc; do
    [ -n "$DEVICE" ] || break
    LARGE=1 TARGET=opencl "$BUILD/tests/emit/same_bytes" "$scratch/large" "tests/bench/workloads/$name.flt" > "$scratch/log" 2>&1 ||
        { cat "$scratch/log" >&2; failed=$((failed + 1)); }
done

# An image of 772 runs of sums; what stands where no sample came.
if [ -n "$DEVICE" ]; then
    { printf 'P5\n2049 1543\n255\n' && head -c 3161607 /dev/zero; } > "$scratch/blank.pgm"
    "$BUILD/fltc" run examples/sample/sample.flt "$scratch/blank.pgm" -o "$scratch/sample.png" > "$scratch/log" 2>&1
    for target in c opencl; do
        "$BUILD/fltc" run --target $target tests/opencl/many.flt "$scratch/sample.png" -o "total=$scratch/total_$target.raw" \
            -o "real=$scratch/real_$target.raw" -o "hist=$scratch/hist_$target.raw" >> "$scratch/log" 2>&1
        "$BUILD/fltc" run --target $target tests/opencl/no_samples.flt examples/sample/sample.png -o "low=$scratch/low_$target.raw" \
            -o "low_wide=$scratch/low_wide_$target.raw" -o "low_half=$scratch/low_half_$target.raw" \
            -o "high=$scratch/high_$target.raw" -o "least=$scratch/least_$target.raw" >> "$scratch/log" 2>&1
    done
    for name in total real hist low low_wide low_half high least; do
        if [ -s "$scratch/${name}_c.raw" ] && cmp "$scratch/${name}_c.raw" "$scratch/${name}_opencl.raw" >> "$scratch/log" 2>&1; then
            many=$((${many:-0} + 1))
        else
            echo "FAIL OpenCL and C differ: $name: $(tail -2 "$scratch/log")" >&2
            failed=$((failed + 1))
        fi
    done
fi

share=${SHARE:-1/1}
ls tests/emit/*.flt examples/*/*.flt tests/cuda/*.flt | awk -v number="${share%/*}" -v count="${share#*/}" \
    'NR % count == number % count { print NR, $0 }' > "$scratch/share"
< "$scratch/share" xargs -P "${JOBS:-$(nproc)}" -L 1 bash tests/opencl/run.sh one "$scratch" > "$scratch/results"
passed=$((${many:-0} + $(awk '{ n += $1 } END { print n + 0 }' "$scratch/results")))
failed=$((failed + $(awk '{ n += $2 } END { print n + 0 }' "$scratch/results") +
    $(wc -l < "$scratch/share") - $(wc -l < "$scratch/results")))
echo "opencl: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
